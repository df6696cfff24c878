"""The committee: links are kept, answers choose the expert, new groups get their probability."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import make_blobs

import likewise as lw
from likewise.affinities import Gaussian
from likewise.auto import Committee, _seed_groups, parts, stacked_experts
from likewise.auto._seed_groups import SeedGroups
from likewise.clusterers.links import LinkedGroups
from likewise.errors import MethodError
from likewise.metrics import ari

X, KINDS = make_blobs(48, centers=4, n_features=3, cluster_std=2.0, random_state=5)
Pairs = list[tuple[int, int]]


def links_among(items: npt.NDArray[np.int64], kinds: npt.NDArray[np.int64]) -> dict[str, Any]:
    """All links between the given items, as the kinds have it."""
    pairs = [(int(i), int(j)) for k, i in enumerate(items) for j in items[:k]]
    return {
        "must_link": [(i, j) for i, j in pairs if kinds[i] == kinds[j]],
        "cannot_link": [(i, j) for i, j in pairs if kinds[i] != kinds[j]],
    }


SOME = np.array([1, 4, 9, 15, 16, 22, 28, 30, 37, 41, 46])


@settings(max_examples=25, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 23), st.integers(0, 23)), max_size=25), st.integers(0, 9))
def test_no_link_is_contradicted(pairs: Pairs, seed: int) -> None:
    kinds = np.random.default_rng(seed).integers(4, size=24)
    apart = [(i, j) for i, j in pairs if i != j]
    same = [(i, j) for i, j in apart if kinds[i] == kinds[j]]
    different = [(i, j) for i, j in apart if kinds[i] != kinds[j]]
    model = Committee(random_state=seed).fit(X[:24], must_link=same, cannot_link=different)
    assert all(model.labels_[i] == model.labels_[j] for i, j in same)
    assert all(model.labels_[i] != model.labels_[j] for i, j in different)
    assert set(model.labels_.tolist()) == set(range(model.n_clusters_))
    assert ((model.confidence_ >= 0) & (model.confidence_ <= 1)).all()
    chances = model.probabilities_.sum(axis=1) + model.new_group_probability_
    assert np.allclose(chances, 1.0)


def test_the_order_of_links_does_not_matter() -> None:
    links = links_among(SOME, KINDS)
    turned = {name: [(j, i) for i, j in reversed(pairs)] for name, pairs in links.items()}
    one, other = (Committee().fit(X, **given) for given in (links, turned))
    assert np.array_equal(one.probabilities_, other.probabilities_)
    assert np.array_equal(one.labels_, other.labels_)


def test_without_links_the_cells_of_the_pile_are_the_groups() -> None:
    points, kinds = make_blobs(60, centers=3, cluster_std=0.3, random_state=1)
    labels = Committee().fit(points).labels_
    assert len(set(zip(labels.tolist(), kinds.tolist(), strict=True))) == 3


@pytest.mark.parametrize("n_clusters", [1, 2, 7, 13, 20])
def test_without_links_there_are_as_many_groups_as_are_said_to_be(n_clusters: int) -> None:
    points = np.random.default_rng(n_clusters).normal(size=(20, 3))
    assert Committee(n_clusters=n_clusters).fit(points).n_clusters_ == n_clusters


def test_a_known_number_of_groups_hides_no_smaller_part_of_the_pile() -> None:
    """Parts that stand out are explored one by one, though the first grouping has fewer."""
    centres = [[0, 0], [0, 4], [20, 0], [20, 4]]
    points, kinds = make_blobs(80, centers=centres, cluster_std=0.3, random_state=1)
    seen = int(np.flatnonzero(kinds == 0)[0]), int(np.flatnonzero(kinds == 2)[0])
    model = Committee(n_clusters=3).fit(points, cannot_link=[seen])
    assert Committee(n_clusters=3).fit(points).n_clusters_ == 3
    assert (
        model.new_group_probability_[kinds == 1].min()
        > model.new_group_probability_[kinds == 0].max()
    )


def test_a_known_number_of_groups_cuts_the_pile_no_finer_than_it_takes() -> None:
    centres = np.random.default_rng(4).normal(size=(30, 8))
    kinds = np.repeat(np.arange(30), 2)
    pairs = centres[kinds] + 0.2 * np.random.default_rng(5).normal(size=(60, 8))
    told = Committee(n_clusters=30).fit(pairs)
    assert ari(kinds, told.labels_) == 1
    # "Same" says that groups are coarser, the number that they are not.
    for n_told in range(1, 6):
        same = [(2 * kind, 2 * kind + 1) for kind in range(n_told)]
        told = Committee(n_clusters=30).fit(pairs, must_link=same)
        assert len(told.parts_.nodes) == 30
        assert ari(kinds, told.labels_) == 1


def test_seeds_are_sure_and_kept() -> None:
    model = Committee().fit(X, **links_among(SOME, KINDS))
    assert (model.confidence_[SOME] == 1.0).all()
    assert np.array_equal(model.seeds_.items, SOME)
    assert ari(KINDS, model.labels_) > 0.6


def test_on_rings_the_graph_is_believed() -> None:
    rings, sides = lw.datasets.load("circles", n=150, random_state=0)
    weights = Committee().fit(rings, **links_among(np.arange(0, 150, 5), sides)).weights_
    assert weights["pagerank"] + weights["neighbours"] > 0.6


def test_in_noise_the_learned_metric_is_believed() -> None:
    rng = np.random.default_rng(0)
    kinds = np.arange(120) % 2
    lines = np.column_stack([5 * kinds + rng.normal(size=120), 3 * rng.normal(size=(120, 9))])
    weights = Committee().fit(lines, **links_among(np.arange(0, 120, 5), kinds)).weights_
    close = weights["pagerank"] + weights["neighbours"] + weights["ward"]
    assert weights["diagonal"] + weights["gaussian"] > close


def test_a_part_of_the_pile_nobody_asked_about_is_a_group_of_its_own() -> None:
    centres = [[0, 0], [9, 0], [0, 9]]
    points, kinds = make_blobs(90, centers=centres, cluster_std=0.5, random_state=1)
    seen = int(np.flatnonzero(kinds == 0)[0]), int(np.flatnonzero(kinds == 1)[0])
    model = Committee().fit(points, cannot_link=[seen])
    assert ari(kinds, model.labels_) == 1.0
    assert (
        model.new_group_probability_[kinds == 2].mean()
        > model.new_group_probability_[kinds == 0].mean()
    )


@pytest.mark.parametrize("seed", range(2))
def test_answers_do_not_spoil_a_first_grouping_that_is_right(seed: int) -> None:
    rng = np.random.default_rng(seed)
    points, kinds = np.repeat(rng.normal(size=(20, 3)), 10, axis=0), np.repeat(np.arange(20), 10)
    study = lw.Study(points, random_state=seed)
    assert ari(kinds, study.labels_) == 1.0
    for _ in range(25):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
        assert ari(kinds, study.labels_) > 0.95


def test_with_all_groups_found_nothing_is_new() -> None:
    model = Committee(n_clusters=4).fit(X, **links_among(SOME, KINDS))
    assert len(np.unique(KINDS[SOME])) == 4
    assert (model.new_group_probability_ == 0).all()
    assert model.n_clusters_ == 4


def test_an_earlier_fit_saves_asking_the_periodic_experts() -> None:
    graph = Gaussian(n_neighbours=10).fit(X).affinity_
    first = Committee().fit(X, affinity=graph, **links_among(SOME, KINDS))
    more = np.sort(np.append(SOME, 47))
    later = Committee().fit(X, affinity=graph, **links_among(more, KINDS), start=first)
    assert later.structure_ is first.structure_
    assert np.array_equal(
        later.expert_probabilities_["forest"], first.expert_probabilities_["forest"]
    )
    assert not np.array_equal(
        later.expert_probabilities_["pagerank"], first.expert_probabilities_["pagerank"]
    )
    # Groups are numbered by their first item: a seed before all others turns the columns round.
    before = next(i for i in range(48) if i < SOME[0] and KINDS[i] != KINDS[SOME[0]])
    turned = np.sort(np.append(SOME, before))
    again = Committee().fit(X, affinity=graph, **links_among(turned, KINDS), start=first)
    column = again.seeds_.groups[again.seeds_.items == SOME[0]][0]
    assert np.array_equal(
        again.expert_probabilities_["forest"][:, column],
        first.expert_probabilities_["forest"][:, 0],
    )


@pytest.mark.parametrize("n_seeds", [[4, 6, 11], [8, 9, 10, 11]])
def test_a_start_that_was_not_fitted_to_the_end_leads_to_the_same_groups(
    n_seeds: list[int],
) -> None:
    whole = bare = None
    affinity = Gaussian(n_neighbours=15).fit(X).affinity_
    for n in n_seeds:
        links: Any = {**links_among(SOME[:n], KINDS), "affinity": affinity}
        start, whole = whole, Committee().fit(X, start=whole, **links)
        expected = whole.probabilities_, whole.labels_
        # From one that was prepared, and from a whole one of which only the start was kept.
        for one in (bare, None if start is None else start.as_start()):
            found = Committee().fit(X, start=one, **links)
            assert np.array_equal(found.probabilities_, expected[0])
            assert np.array_equal(found.labels_, expected[1])
        bare = Committee().fit_start(X, start=bare, **links)
        assert not hasattr(bare, "labels_")


def test_of_many_groups_that_were_not_compared_the_largest_count(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Pairs of neighbours, two of them known to differ, and two groups of three.
    same = [(k, k + 1) for k in range(0, 48, 3)] + [(46, 47), (43, 44)]
    links = LinkedGroups.of(48, same, [(0, 3)])
    assert len(SeedGroups(links, None).linked_groups) == 16
    monkeypatch.setattr(_seed_groups, "_LEAST", 4)
    monkeypatch.setattr(_seed_groups, "_MOST_CELLS", 48 * 4)
    few = SeedGroups(links, None)
    assert few.linked_groups.tolist() == [0, 1, 14, 15]
    labels = Committee().fit(X, must_link=same, cannot_link=[(0, 3)]).labels_
    assert links.respected_by(labels)


def test_of_very_many_seeds_experts_are_told_some_of_every_group(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    placed = links_among(np.arange(40), KINDS)
    monkeypatch.setattr(stacked_experts, "_MOST_COMPARISONS", 48 * 12)
    monkeypatch.setattr(stacked_experts, "_FEWEST_SEEDS", 12)
    model = Committee().fit(X, **placed)
    assert len(model.seeds_.items) == 40
    assert np.bincount(model.told_.groups).tolist() == [3, 3, 3, 3]
    # The others are known all the same, and one more answer hardly changes who is told.
    assert ari(KINDS[:40], model.labels_[:40]) == 1.0
    assert model.held_out_.shape == (40, 4)
    more = Committee().fit(X, **links_among(np.arange(41), KINDS))
    assert len(np.setdiff1d(more.told_.items, model.told_.items)) <= 1


def test_of_very_many_answers_some_say_how_fine_groups_are(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    links = links_among(SOME, KINDS)
    monkeypatch.setattr(parts, "_MOST_ANSWERS", 20)
    few = Committee().fit(X, **links)
    again: Any = {name: [(j, i) for i, j in reversed(pairs)] for name, pairs in links.items()}
    assert np.array_equal(Committee().fit(X, **again).probabilities_, few.probabilities_)
    assert ari(KINDS[SOME], few.labels_[SOME]) == 1.0


def test_too_many_clusters_get_a_sentence() -> None:
    with pytest.raises(MethodError, match="n_clusters must be between 1 and"):
        Committee(n_clusters=99).fit(X)


def test_a_committee_may_be_smaller() -> None:
    links = links_among(SOME, KINDS)
    assert list(Committee(experts=["ward", "gaussian"]).fit(X, **links).weights_) == [
        "ward",
        "gaussian",
    ]
    fixed = Committee(stacking=False).fit(X, **links).weights_
    assert fixed["pagerank"] == pytest.approx(3 * fixed["gaussian"])
    with pytest.raises(MethodError, match="there is no expert 'oracle'"):
        Committee(experts=["oracle"]).fit(X)


def two_kinds(n_placed: int) -> dict[str, Any]:
    """Links that place so many of the items 0, 1, 2, … in two groups, and set 40 apart from one."""
    evens, odds = range(0, n_placed, 2), range(1, n_placed, 2)
    return {
        "must_link": [*pairwise(evens), *pairwise(odds)],
        "cannot_link": [(0, 1), (40, 0)],
    }


def test_with_few_placed_items_nothing_is_eliminated() -> None:
    assert Committee().fit(X, **two_kinds(6)).by_elimination_ == {}


def test_a_group_of_one_item_makes_another_likely() -> None:
    links = two_kinds(38)
    links["cannot_link"] += [(39, 0), (39, 1), (40, 39)]  # 39 is the only one of its kind
    before = Committee().fit(X, **two_kinds(38))
    assert Committee().fit(X, **links).by_elimination_[40] < before.by_elimination_[40]


def test_the_power_grows_with_the_predictions_that_came_true() -> None:
    points, kinds = make_blobs(90, centers=3, n_features=4, cluster_std=0.5, random_state=3)
    few, many = (Committee().fit(points, **links_among(np.arange(n), kinds)) for n in (6, 60))
    assert many.calibration_power_ > few.calibration_power_ >= 1.0
    assert many.confidence_.mean() > 0.95


def test_a_part_that_nobody_asked_about_is_a_provisional_group() -> None:
    points, kinds = make_blobs(200, centers=8, cluster_std=0.6, random_state=3)
    seen = np.concatenate([np.flatnonzero(kinds == kind)[:3] for kind in range(3)])
    model = Committee().fit(points, **links_among(np.sort(seen), kinds))
    centres = model.groups_.centres
    assert len(centres) == model.provisional_probabilities_.shape[1] >= 4
    assert not np.isin(centres, seen).any()
    assert np.array_equal(model.labels_[centres], np.unique(model.labels_[centres]))
    new = model.provisional_probabilities_.sum(axis=1) + model._unseen_rate
    assert (model.new_group_probability_ <= new + 1e-9).all()


def test_a_placement_leaves_out_what_an_item_differs_from() -> None:
    links = links_among(SOME, KINDS)
    item = next(i for i in range(48) if i not in SOME)
    other = int(SOME[0])
    links["cannot_link"] += [(item, other)]
    model = Committee().fit(X, **links)
    chances = model.placement(item)
    assert chances[model.seeds_.groups[0]] == 0.0
    assert 0.0 < chances.sum() <= 1.0
    merging = model.groups_.merging[:, model.seeds_.groups[1]]
    assert model.same_probability(item, int(SOME[1])) == pytest.approx(chances @ merging)


def test_a_difference_makes_a_provisional_group_of_the_whole_part() -> None:
    points, kinds = make_blobs(120, centers=12, cluster_std=0.3, random_state=1)
    mates = [np.flatnonzero(kinds == kind) for kind in range(12)]
    # Two kinds are known; an item of a third differs from both.
    must = [(int(a), int(b)) for a, b in (mates[0][:2], mates[1][:2])]
    known: dict[str, Any] = {"must_link": must, "cannot_link": [(must[0][0], must[1][0])]}
    asked, *others = (int(item) for item in mates[2])
    differs = {**known, "cannot_link": [*known["cannot_link"], (asked, must[0][0])]}
    before, after = (Committee().fit(points, **links) for links in (known, differs))
    group = after.seeds_.groups[after.seeds_.items == must[0][0]][0]
    assert (before.probabilities_[others, group] < 0.1).all()
    assert (after.probabilities_[others, group] < 0.1).all()
    assert asked in after.groups_.centres
    assert len(set(after.labels_[mates[2]].tolist())) == 1
    assert after.labels_[asked] not in after.labels_[np.concatenate(mates[:2])]


def test_what_differs_from_all_groups_but_one_is_assigned_to_it_by_elimination() -> None:
    sure = Committee().fit(X, **two_kinds(38))
    assert 0.9 <= sure.by_elimination_[40] < 1.0
    assert sure.labels_[40] == sure.labels_[1]
    assert sure.confidence_[40] == sure.by_elimination_[40]
    chances = sure.placement(40)
    assert chances[sure.seeds_.groups[sure.seeds_.items == 1]] == sure.by_elimination_[40]
    assert chances.sum() == sure.by_elimination_[40]


@settings(max_examples=25, deadline=None)
@given(
    st.lists(st.tuples(st.integers(0, 23), st.integers(0, 23)), max_size=40),
    st.integers(1, 5),
    st.integers(0, 9),
)
def test_no_more_groups_are_shown_than_there_are_said_to_be(
    pairs: Pairs, n_clusters: int, seed: int
) -> None:
    kinds = np.random.default_rng(seed).integers(n_clusters, size=24)
    apart = [(i, j) for i, j in pairs if i != j]
    same = [(i, j) for i, j in apart if kinds[i] == kinds[j]]
    different = [(i, j) for i, j in apart if kinds[i] != kinds[j]]
    model = Committee(n_clusters=n_clusters).fit(X[:24], must_link=same, cannot_link=different)
    assert model.n_clusters_ <= n_clusters
    assert all(model.labels_[i] == model.labels_[j] for i, j in same)
    assert all(model.labels_[i] != model.labels_[j] for i, j in different)


def test_groups_that_the_answers_prove_are_shown_though_fewer_were_said_to_be() -> None:
    links = links_among(
        np.array([int(np.flatnonzero(kind == KINDS)[0]) for kind in range(4)]), KINDS
    )
    assert Committee(n_clusters=2).fit(X, **links).n_clusters_ == 4


@pytest.mark.parametrize("numbers", [(2, 4), (10, 15), (20, 30)])
def test_a_range_says_where_to_begin_and_answers_say_otherwise(numbers: tuple[int, int]) -> None:
    points, kinds = make_blobs(240, centers=8, n_features=4, cluster_std=0.8, random_state=2)
    study = lw.Study(points, n_clusters=numbers)
    assert numbers[0] <= study.clustering_.n_clusters_ <= numbers[1]
    for _ in range(40):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
    assert ari(kinds, study.labels_) > 0.9


def test_who_was_placed_by_elimination_is_not_asked_about_next() -> None:
    points, kinds = make_blobs(100, centers=2, n_features=3, cluster_std=6.0, random_state=2)
    study = lw.Study(points)
    latest: set[int] = set()
    for _ in range(40):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        assert not {i, j} & latest
        study.tell(question, bool(kinds[i] == kinds[j]))
        latest = {i, j} & set(study.clustering_.by_elimination_)
    assert study.clustering_.by_elimination_
