"""Studies of similarities: determinism, restarts, taking back, edges, bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import AnswerError, LikewiseError, MethodError, StoreError
from likewise.similarity.laplacian import SMALL
from likewise.similarity.rules import PRIOR_SD, SIMILARITY_METHODS

Array = npt.NDArray[np.float64]


def two_groups(n: int, seed: int) -> Array:
    rng = np.random.default_rng(seed)
    truth = np.arange(n) % 2
    W = np.where(truth[:, None] == truth, 0.7, 0.2) + rng.uniform(-0.15, 0.15, (n, n))
    return np.asarray(np.triu(W, 1) + np.triu(W, 1).T)


def measure(sim: lw.SimilarityStudy, W: Array, times: int) -> list[lw.Pair]:
    asked = []
    for _ in range(times):
        pair = sim.ask()
        if pair is None:
            break
        asked.append(pair)
        sim.tell(pair, float(W[pair]))
    return asked


@pytest.mark.parametrize("method", SIMILARITY_METHODS)
@pytest.mark.parametrize("interleave", [False, True])
@pytest.mark.parametrize("laplacian", ["unnormalised", "normalised"])
def test_two_groups_are_found(method: str, interleave: bool, laplacian: str, seed: int) -> None:
    W = two_groups(30, seed)
    sim = lw.SimilarityStudy(
        30, method=method, interleave=interleave, laplacian=laplacian, random_state=seed
    )
    measure(sim, W, 300)
    assert lw.metrics.misclustering_error(np.arange(30) % 2, sim.labels_) <= 0.1


@pytest.mark.parametrize("method", SIMILARITY_METHODS)
def test_every_pair_is_offered_exactly_once(method: str, seed: int) -> None:
    W = two_groups(9, seed)
    asked = measure(lw.SimilarityStudy(9, method=method, random_state=seed), W, 100)
    assert sorted(pair.unordered for pair in asked) == [
        (i, j) for i in range(9) for j in range(i + 1, 9)
    ]


@pytest.mark.parametrize("n", [12, SMALL + 12])
@pytest.mark.parametrize(
    "options",
    [{}, {"interleave": True}, {"method": "random"}, {"n_clusters": 3}, {"max_repeats": 3}],
)
def test_the_same_pair_follows_after_a_restart(
    tmp_path: Path, n: int, options: dict[str, Any], seed: int
) -> None:
    W = two_groups(n, seed)
    path = tmp_path / "pairs.jsonl"
    sim = lw.SimilarityStudy(n, store=path, random_state=seed, **options)
    measure(sim, W, n)
    for step in range(24):
        if step % 7 == 3:
            sim.unavailable(sim.ask() or (0, 1))
        if step % 7 == 5:
            sim.undo()
        if step % 4 == 0:
            reopened = lw.SimilarityStudy.open(path)
            assert reopened.ask() == sim.ask()
            np.testing.assert_array_equal(reopened.embedding_, sim.embedding_)
        measure(sim, W, 1)


@settings(max_examples=15)
@given(st.integers(0, 10**6), st.lists(st.booleans(), min_size=5, max_size=25))
def test_looking_and_undoing_leave_no_trace(seed: int, looks: list[bool]) -> None:
    W = two_groups(8, seed)
    quiet, watched = (lw.SimilarityStudy(8, random_state=seed % 100) for _ in range(2))
    for look in looks:
        pair = quiet.ask()
        if look and pair is not None:
            assert len(watched.labels_) == 8
            watched.tell(pair, 0.123)
            watched.undo()
        assert watched.ask() == pair
        if pair is None:
            break
        quiet.tell(pair, float(W[pair]))
        watched.tell(pair, float(W[pair]))
    np.testing.assert_array_equal(quiet.embedding_, watched.embedding_)


def test_items_by_another_order_give_the_same_groups(seed: int) -> None:
    n = 24
    W, order = two_groups(n, seed), np.random.default_rng(seed).permutation(24)
    one, other = lw.SimilarityStudy(n), lw.SimilarityStudy(n)
    for i, j in np.argwhere(np.triu(np.random.default_rng(seed).random((n, n)) < 0.6, 1)).tolist():
        one.tell((i, j), float(W[i, j]))
        place = np.argsort(order)
        other.tell((int(place[i]), int(place[j])), float(W[i, j]))
    assert lw.metrics.ari(one.labels_[order], other.labels_) == 1.0


def test_random_measurements_take_every_second_turn(seed: int) -> None:
    W = two_groups(20, seed)
    plain = lw.SimilarityStudy(20, random_state=seed)
    mixed = lw.SimilarityStudy(20, interleave=True, random_state=seed)
    for pair in measure(plain, W, 31):  # a tree and a few more
        mixed.tell(pair, float(W[pair]))
    differs = 0
    for _ in range(20):
        chosen = mixed.ask()
        assert chosen is not None
        if mixed.n_measurements % 2 == 0:
            assert chosen == plain.ask()
        differs += chosen != plain.ask()
        for sim in (plain, mixed):
            sim.tell(chosen, float(W[chosen]))
    assert differs >= 5


def test_components_are_connected_first_with_as_few_looks_as_possible(seed: int) -> None:
    n = 40
    sim = lw.SimilarityStudy(n, random_state=seed)
    measure(sim, two_groups(n, seed), n - 1)
    assert sim.graph.connected


def test_zeros_connect_too_and_still_cut() -> None:
    W = np.kron(np.eye(2), np.ones((6, 6))).astype(np.float64)  # nothing in common between the two
    sim = lw.SimilarityStudy(12)
    measure(sim, W, 40)
    assert sim.labels_.tolist() == [0] * 6 + [1] * 6


def test_unavailable_pairs_are_never_offered_again_and_may_cut_the_graph_in_two(seed: int) -> None:
    W = two_groups(8, seed)
    hidden = {(i, j) for i in range(4) for j in range(4, 8)}
    sim = lw.SimilarityStudy(8, random_state=seed)
    met = set()
    while (pair := sim.ask()) is not None:
        assert pair.unordered not in met
        if pair.unordered in hidden:
            met.add(pair.unordered)
            sim.unavailable(pair)
        else:
            sim.tell(pair, float(W[pair]))
    assert met == hidden
    assert sim.n_measurements == 28 - 16
    assert sim.cost == 12
    assert sim.labels_.tolist() == [0] * 4 + [1] * 4


@pytest.mark.parametrize("method", SIMILARITY_METHODS)
def test_several_pairs_at_once_are_different_and_begin_with_the_single_one(
    method: str, seed: int
) -> None:
    W = two_groups(15, seed)
    sim = lw.SimilarityStudy(15, method=method, random_state=seed)
    measure(sim, W, 30)
    pairs = sim.ask(6)
    assert pairs[0] == sim.ask()
    assert len({pair.unordered for pair in pairs}) == 6
    others = sim.ask(3, pending=pairs)
    assert not {p.unordered for p in others} & {p.unordered for p in pairs}
    assert len(lw.SimilarityStudy(3).ask(10)) == 3


def test_a_batch_before_any_measurement_connects_everything() -> None:
    sim = lw.SimilarityStudy(10)
    for pair in sim.ask(9):
        sim.tell(pair, 0.5)
    assert sim.graph.connected


# -- noise ---------------------------------------------------------------------------------------


def test_the_median_of_repeats_counts() -> None:
    sim = lw.SimilarityStudy(3, max_repeats=3)
    for value in (0.1, 0.9, 0.8):
        sim.tell((2, 0), value)
    place = sim.graph.at(0, 2)
    assert place is not None
    assert sim.graph.weights[place] == 0.8


def test_the_spread_of_repeats_is_pooled() -> None:
    sim = lw.SimilarityStudy(4, max_repeats=3)
    assert sim._state.noise == pytest.approx(PRIOR_SD)
    looks = {(0, 1): [0.2, 0.4], (2, 3): [0.5, 0.9, 0.7], (0, 3): [0.3]}
    for pair, values in looks.items():
        for value in values:
            sim.tell(pair, value)
    squares = sum(np.var(values) * len(values) for values in looks.values())
    assert sim._state.noise == pytest.approx(np.sqrt((1 / 12 + squares) / (1 + 1 + 2)))


def test_no_pair_is_measured_more_often_than_allowed(seed: int) -> None:
    W, rng = two_groups(6, seed), np.random.default_rng(seed)
    sim = lw.SimilarityStudy(6, max_repeats=2, random_state=seed)
    seen: list[lw.Pair] = []
    while (pair := sim.ask()) is not None:
        seen.append(pair.unordered)
        sim.tell(pair, float(np.clip(W[pair] + rng.normal(0, 0.2), 0, 1)))
    assert all(seen.count(pair) == 2 for pair in seen)
    assert len(seen) == 30


def test_a_repeat_is_chosen_where_its_product_of_spread_and_sensitivity_is_largest() -> None:
    from likewise.similarity.grouping import CutSettings, group
    from likewise.similarity.sensitivity import entry_sensitivity

    rng = np.random.default_rng(0)
    sim = lw.SimilarityStudy(12, max_repeats=3)
    repeats = 0
    for _ in range(80):
        pair = sim.ask()
        assert pair is not None
        if sim.graph.connected:
            (cut,) = group(sim.graph, CutSettings(2)).cuts
            k = int(np.argmin(np.round(cut.margin, 9)))
            i, j = np.triu_indices(12, 1)
            gain = entry_sensitivity(cut.laplacian, cut.spectrum, k, np.ones(1)).at(i, j)
            for at, look in enumerate(zip(i.tolist(), j.tolist(), strict=True)):
                place = sim.graph.at(*look)
                times = 0 if place is None else int(sim.graph.times[place])
                spread = PRIOR_SD if times == 0 else sim._state.noise / np.sqrt(times)
                gain[at] *= 0.0 if times >= 3 else spread
            best = int(np.flatnonzero((i == pair.i) & (j == pair.j))[0])
            assert gain[best] >= gain.max() * (1 - 1e-5)
            repeats += sim.graph.at(*pair) is not None
        sim.tell(pair, float(rng.random()))
    assert repeats > 5


# -- what is refused -------------------------------------------------------------------------------


@pytest.mark.parametrize("value", [-0.1, 1.1, float("nan"), float("inf"), None, "much"])
def test_a_similarity_outside_its_range_is_refused(value: Any) -> None:
    sim = lw.SimilarityStudy(3)
    with pytest.raises(AnswerError, match="from 0 to 1"):
        sim.tell((0, 1), value)
    assert sim.measurements == []


@pytest.mark.parametrize("pair", [(1, 1), (0, 3), (-1, 2)])
def test_a_pair_that_is_none_is_refused(pair: tuple[int, int]) -> None:
    sim = lw.SimilarityStudy(3)
    with pytest.raises(AnswerError, match="two different items between 0 and 2"):
        sim.tell(pair, 0.5)
    with pytest.raises(AnswerError, match="two different items"):
        sim.unavailable(pair)


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"n": 1}, "n must be a whole number of at least 2"),
        ({"n": 2.5}, "n must be a whole number"),
        ({"method": "iured"}, "method must be one of iu-red, s-and-t, random"),
        ({"n_clusters": 9}, "between 2 and the number of items, 5"),
        ({"n_clusters": 1}, "n_clusters must be a whole number of at least 2"),
        ({"max_repeats": 0}, "max_repeats"),
        ({"random_state": -1}, "random_state"),
        ({"laplacian": "random-walk"}, "laplacian must be one of"),
        ({"splitting": "best"}, "splitting must be one of"),
        ({"splitting": "recursive", "n_clusters": 3}, "margins of different cuts"),
    ],
)
def test_settings_out_of_range_are_refused(settings: dict[str, Any], sentence: str) -> None:
    with pytest.raises(MethodError, match=sentence):
        lw.SimilarityStudy(**{"n": 5, **settings})


def test_nothing_to_take_back_is_said() -> None:
    sim = lw.SimilarityStudy(3)
    with pytest.raises(AnswerError, match="no measurement to take back"):
        sim.undo()
    with pytest.raises(AnswerError, match="no measurement 7"):
        sim.retract(7)


def test_a_journal_of_the_other_kind_is_refused(tmp_path: Path) -> None:
    X = [[0.0], [1.0], [2.0]]
    answers, numbers = tmp_path / "answers.jsonl", tmp_path / "numbers.jsonl"
    lw.Study(X, store=answers)
    lw.SimilarityStudy(3, store=numbers)
    with pytest.raises(StoreError, match=r"Study\.open"):
        lw.SimilarityStudy.open(answers)
    with pytest.raises(StoreError, match="same or different"):
        lw.SimilarityStudy(3, store=answers)
    with pytest.raises(StoreError, match=r"SimilarityStudy\.open"):
        lw.Study.open(numbers, X)
    with pytest.raises(StoreError):
        lw.Study(X, store=numbers)


def test_a_journal_begun_otherwise_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "numbers.jsonl"
    lw.SimilarityStudy(4, store=path, fingerprint="pots")
    with pytest.raises(StoreError, match="n_items=4, not 5"):
        lw.SimilarityStudy(5, store=path, fingerprint="pots")
    with pytest.raises(StoreError, match="other items"):
        lw.SimilarityStudy.open(path, fingerprint="pans")
    with pytest.raises(StoreError, match="no study in"):
        lw.SimilarityStudy.open(tmp_path / "nothing.jsonl")
    assert lw.SimilarityStudy.open(path).n == 4


def test_as_many_groups_as_items() -> None:
    for splitting, method in (("vectors", "iu-red"), ("recursive", "random")):
        each = lw.SimilarityStudy(4, n_clusters=4, splitting=splitting, method=method)
        measure(each, two_groups(4, 0), 6)
        assert sorted(each.labels_) == [0, 1, 2, 3]


def test_confidence_is_the_distance_from_the_boundary(seed: int) -> None:
    W = two_groups(20, seed)
    W[0, :] = W[:, 0] = 0.45  # belongs to neither
    sim = lw.SimilarityStudy(20)
    measure(sim, W, 190)
    assert sim.confidence_.argmin() == 0
    assert ((sim.confidence_ >= 0) & (sim.confidence_ <= 1)).all()
    assert sim.embedding_.shape == (20, 1)


def test_all_errors_are_ours() -> None:
    assert issubclass(AnswerError, LikewiseError)
