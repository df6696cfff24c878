from __future__ import annotations

from itertools import product

import numpy as np
import numpy.typing as npt
import pytest
import scipy.sparse as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_digits, make_blobs
from sklearn.metrics import adjusted_rand_score, mutual_info_score
from sklearn.metrics import normalized_mutual_info_score as nmi

import likewise as lw
from interviews import Interview
from likewise.clusterers import A3S
from likewise.clusterers.dialogue._led_clusters import LedClusters
from likewise.clusterers.dialogue._local_moves import greedy_partition
from likewise.clusterers.dialogue._pair_probabilities import (
    Calibration,
    PairProbabilities,
    entropy_drop,
    merge_chance,
)
from likewise.errors import MethodError

Labels = npt.NDArray[np.int64]


def entropy(sizes: list[int]) -> float:
    shares = np.array(sizes) / sum(sizes)
    return float(-(shares * np.log(shares)).sum())


# -- the worked examples -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("a", "b", "n", "drop"),
    [
        (3, 2, 10, 0.336506),
        (50, 50, 1000, 0.069315),
        (99, 1, 1000, 0.005600),
        (1, 1, 1000, 0.001386),
    ],
)
def test_the_fall_of_entropy_is_that_of_the_partition(a: int, b: int, n: int, drop: float) -> None:
    found = float(entropy_drop(np.array(a), np.array(b), n))
    assert found == pytest.approx(drop, abs=5e-7)
    rest = n - a - b
    assert found == pytest.approx(entropy([a, b, rest]) - entropy([a + b, rest]))


def test_merging_pure_clusters_raises_nmi_and_leaves_the_information_alone() -> None:
    truth = np.repeat([0, 1], 5)
    parts = np.repeat([0, 1, 2], [3, 2, 5])
    assert nmi(truth, parts) == pytest.approx(0.804675, abs=5e-7)
    assert mutual_info_score(truth, parts) == pytest.approx(np.log(2))
    merged = np.where(parts == 1, 0, parts)
    assert nmi(truth, merged) == pytest.approx(1.0)
    mixed = np.array([0, 0, 1, 0, 0, 1, 1, 1, 1, 1])  # one wrong member in the cluster of three
    assert nmi(mixed, parts) == pytest.approx(0.566239, abs=5e-7)
    assert nmi(mixed, merged) == pytest.approx(0.618977, abs=5e-7)


def test_three_pooled_pairs_of_nine_tenths() -> None:
    assert float(merge_chance(np.array(3 * 0.9), np.array(3))) == pytest.approx(0.74)


def test_calibration_pools_adjacent_violators() -> None:
    distance = np.array([5.0, 4.0, 3.0, 2.0, 1.0])
    chance = Calibration(distance, np.array([0, 1, 0, 1, 1]) > 0)
    np.testing.assert_allclose(chance(distance), [1e-4, 0.5, 0.5, 1 - 1e-4, 1 - 1e-4])


def partition(chance: npt.NDArray[np.float64]) -> Labels:
    given = np.where(chance > 0, chance, 0.5)
    graph = sp.csr_matrix(np.log(given / (1 - given)))
    order = np.arange(len(chance))
    labels = greedy_partition(graph.indptr, graph.indices, graph.data, order, 100)
    return np.unique(labels, return_inverse=True)[1].astype(np.int64)


def score(chance: npt.NDArray[np.float64], labels: Labels) -> float:
    i, j = np.nonzero(np.triu(chance > 0) & (labels[:, None] == labels))
    return float(np.log(chance[i, j] / (1 - chance[i, j])).sum())


def test_three_items_fall_into_the_partition_of_largest_log_odds() -> None:
    chance = np.array([[0, 0.9, 0.2], [0.9, 0, 0.3], [0.2, 0.3, 0]])
    labels = partition(chance)
    assert labels.tolist() == [0, 0, 1]
    assert score(chance, labels) == pytest.approx(2.197225, abs=5e-7)
    assert score(chance, np.zeros(3, dtype=np.int64)) == pytest.approx(-0.036368, abs=5e-7)
    assert score(chance, labels) == max(
        score(chance, np.array(one)) for one in product(range(3), repeat=3)
    )


# -- parts beside their definitions --------------------------------------------------------------


@settings(max_examples=50)
@given(st.integers(2, 9), st.integers(0, 10_000))
def test_no_single_move_betters_the_partition(n: int, seed: int) -> None:
    half = np.triu(np.random.default_rng(seed).uniform(0.02, 0.98, size=(n, n)), 1)
    chance = half + half.T
    labels = partition(chance)
    found = score(chance, labels)
    assert found >= 0
    for item, label in product(range(n), range(n + 1)):
        moved = labels.copy()
        moved[item] = label
        assert score(chance, moved) <= found + 1e-9


def pooled_literally(chance: npt.NDArray[np.float64], a: Labels, b: Labels) -> float:
    """Pool the four largest chances of every member of the smaller cluster."""
    small, large = (a, b) if len(a) <= len(b) else (b, a)
    total, n_pooled = 0.0, 0
    for member in small:
        best = np.sort(chance[member, large])[::-1][:4]
        total, n_pooled = total + best.sum(), n_pooled + len(best)
    return (1 + total) / (2 + n_pooled)


@settings(max_examples=20)
@given(st.integers(3, 40), st.integers(0, 10_000))
def test_chances_of_merges_are_pooled_as_defined(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(n, 2))
    pairs = PairProbabilities(X, rng.integers(0, 3, n), n_neighbours=6)
    _, first, labels = np.unique(rng.integers(0, 4, n), return_index=True, return_inverse=True)
    clusters = LedClusters(first[labels], np.zeros(n, dtype=bool))
    merges = clusters.merges(pairs)
    dense = pairs.chances.toarray()
    found = labels[merges.pairs]
    for (a, b), one, gain in zip(found.tolist(), merges.chance, merges.gain, strict=True):
        members = np.flatnonzero(labels == a), np.flatnonzero(labels == b)
        assert len(members[0]) <= len(members[1])
        assert one == pytest.approx(pooled_literally(dense, *members))
        sizes = np.array([len(members[0])]), np.array([len(members[1])])
        assert gain == pytest.approx(one * entropy_drop(*sizes, n)[0])
    adjacent = {
        tuple(sorted((int(labels[i]), int(labels[j]))))
        for i, j in zip(*np.nonzero(dense), strict=True)
        if labels[i] != labels[j]
    }
    assert {tuple(sorted(pair)) for pair in found.tolist()} >= adjacent


def test_a_cluster_without_neighbours_elsewhere_is_compared_with_the_nearest_leader() -> None:
    X, kinds = make_blobs(90, centers=[[0, 0], [50, 0], [90, 0]], random_state=0)
    pairs = PairProbabilities(X, kinds.astype(np.int64), n_neighbours=10)
    clusters = LedClusters(np.array([np.flatnonzero(kinds == k)[0] for k in kinds]), kinds > 2)
    first, second, third = (int(np.flatnonzero(kinds == kind)[0]) for kind in range(3))
    wanted = {frozenset((first, second)), frozenset((second, third))}
    assert set(map(frozenset, clusters.merges(pairs).pairs.tolist())) == wanted
    clusters.note_different(second, third)
    wanted = {frozenset((first, second)), frozenset((first, third))}
    assert set(map(frozenset, clusters.merges(pairs).pairs.tolist())) == wanted


def test_chances_fall_with_the_distance_and_are_the_same_both_ways() -> None:
    X, kinds = make_blobs(80, centers=4, random_state=0)
    pairs = PairProbabilities(X, kinds.astype(np.int64), n_neighbours=15)
    some = np.arange(80)
    chance, away = pairs.between(some, some), np.linalg.norm(X[:, None] - X, axis=2)
    order = np.argsort(away.ravel(), kind="stable")
    assert (np.diff(chance.ravel()[order]) <= 1e-6).all()
    assert abs(pairs.chances - pairs.chances.T).max() == 0
    assert 0 < chance.min() < chance.max() < 1


def test_a_leader_has_most_log_odds_within_its_cluster() -> None:
    X, kinds = make_blobs(90, centers=5, random_state=3)
    pairs = PairProbabilities(X, kinds.astype(np.int64), n_neighbours=20)
    clusters = LedClusters.of(pairs)
    odds = pairs.log_odds.toarray()
    for leader in np.unique(clusters.leader_of):
        members = clusters.members(int(leader))
        within = odds[np.ix_(members, members)].sum(axis=1)
        assert leader in members
        assert within[members == leader][0] >= within.max() - 1e-5


# -- the dialogue --------------------------------------------------------------------------------


def test_a_mixed_cluster_is_purified() -> None:
    # Two kinds that no distance tells apart: one blob, even items of one kind, odd of the other.
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(size=(30, 2)), rng.normal(size=(30, 2)) + 2.0])
    kinds = np.repeat([0, 1], 30)
    talk = Interview(lambda: A3S(n_clusters=1, min_compactness=1.0), X, kinds)
    assert talk.model.n_clusters_ < 3
    before = talk.score
    assert talk.answer(40).score > max(before, 0.5)


def test_a_compact_cluster_is_taken_for_pure_without_a_question() -> None:
    X, kinds = make_blobs(60, centers=[[0, 0], [30, 0]], random_state=1)
    trusting = Interview(lambda: A3S(n_clusters=2, min_compactness=0.0), X, kinds)
    assert trusting.model.n_clusters_ == 2
    i, j = trusting.model.question_ or (0, 0)
    assert kinds[i] != kinds[j]  # the leaders
    testing = Interview(lambda: A3S(n_clusters=2, min_compactness=1.0), X, kinds)
    i, j = testing.model.question_ or (0, 0)
    assert kinds[i] == kinds[j]  # a leader and a member


def test_labels_before_the_first_answer_are_the_fine_clusters() -> None:
    X, kinds = make_blobs(120, centers=6, cluster_std=0.5, random_state=2)
    model = A3S().fit(X)
    assert model.n_clusters_ >= 6
    assert adjusted_rand_score(kinds, model.labels_) > 0.5


def test_the_number_of_groups_changes_the_calibration_and_so_the_dialogue() -> None:
    X, _ = make_blobs(100, centers=5, cluster_std=2.0, random_state=0)
    told = A3S(n_clusters=2).fit(X)
    again = A3S(n_clusters=20).fit(told._source, start=told)
    scratch = A3S(n_clusters=20).fit(X.copy())
    assert again.question_ == scratch.question_
    np.testing.assert_array_equal(again.labels_, scratch.labels_)


def test_digits_get_as_good_as_the_authors_say_of_theirs() -> None:
    # .87 after 100 questions with the number of groups told, by the authors' program.
    X, kinds = load_digits(return_X_y=True)
    oracle = lw.oracles.FromLabels(kinds)
    result = lw.run(X, oracle, method="a3s", n_clusters=10, budget=100, checkpoints=[0, 100])
    assert result.curve.ari.iloc[-1] > 0.87


@pytest.mark.parametrize(
    "settings_", [{"n_neighbours": 0}, {"n_rounds": 0}, {"min_compactness": 1.5}, {"n_clusters": 0}]
)
def test_settings_out_of_range_are_refused(settings_: dict[str, float]) -> None:
    with pytest.raises(MethodError):
        A3S(**settings_).fit(np.arange(10.0)[:, None])  # type: ignore[arg-type]


def test_only_clusters_whose_leaders_nobody_can_compare_stay_apart() -> None:
    corners, blob = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=2)
    kinds = (blob == 1) | (blob == 2)
    study = lw.Study(corners, method="a3s")
    first = study.ask()
    assert first is not None
    while (question := study.ask()) is not None:
        i, j = question.pair
        hard = question.pair.unordered == first.pair.unordered
        study.tell(question, "unsure" if hard else bool(kinds[i] == kinds[j]))
    one, other = study.labels_[list(first.pair)]
    assert study.constraints.implied(*first.pair) is None
    assert one != other
    joined = np.where(study.labels_ == other, one, study.labels_)
    assert adjusted_rand_score(kinds, joined) == 1.0
