from __future__ import annotations

from itertools import combinations, pairwise, product
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from sklearn.base import clone
from sklearn.cluster import KMeans
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score
from sklearn.utils.estimator_checks import parametrize_with_checks

from likewise.clusterers import LinkedGroups, PCKMeans
from likewise.clusterers.kmeans._constant_link_costs import ConstantLinkCosts
from likewise.clusterers.kmeans._icm import fill_empty, improve, nearest
from likewise.clusterers.kmeans._restarts import Descent
from likewise.clusterers.kmeans.centres import means, square_distances
from likewise.clusterers.kmeans.pckmeans import descend, group_spread, pckmeans_objective
from likewise.errors import DataError, LikewiseError, MethodError

Points = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Link = tuple[int, int]


class Case(NamedTuple):
    points: Points
    must: list[Link]
    cannot: list[Link]
    n_clusters: int


@st.composite
def cases(draw: st.DrawFn) -> Case:
    n = draw(st.integers(2, 12))
    number = st.integers(0, 4).map(float)  # few values: many duplicates
    rows = st.lists(st.lists(number, min_size=2, max_size=2), min_size=n, max_size=n)
    truth = draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=2 * n))
    must = [(i, j) for i, j in linked if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in linked if truth[i] != truth[j]]
    return Case(np.array(draw(rows)), must, cannot, draw(st.integers(1, n)))


def violations(links: LinkedGroups, labels: Labels) -> int:
    """Violated pairs of the closed links, one by one."""
    differ = links.differ.toarray()
    group = links.group
    both = [(i, j) for i, j in combinations(range(len(labels)), 2) if min(group[[i, j]]) >= 0]
    parted = sum(group[i] == group[j] and labels[i] != labels[j] for i, j in both)
    joined = sum(differ[group[i], group[j]] == 1 and labels[i] == labels[j] for i, j in both)
    return int(parted + joined)


def literal_objective(case: Case, labels: Labels, weight: float) -> float:
    links = LinkedGroups.of(len(case.points), case.must, case.cannot)
    within = 0.0
    for label in set(labels.tolist()):
        members = case.points[labels == label]
        within += ((members - members.mean(axis=0)) ** 2).sum()
    return within / 2 + weight * violations(links, labels)


@parametrize_with_checks([PCKMeans()])  # type: ignore[untyped-decorator]
def test_pckmeans_is_an_estimator_as_scikit_learn_wants_it(estimator: Any, check: Any) -> None:
    check(estimator)


@given(cases(), st.data())
def test_the_counted_costs_of_a_move_are_what_the_objective_changes_by(
    case: Case, data: st.DataObject
) -> None:
    n = len(case.points)
    label = st.integers(0, case.n_clusters - 1)
    labels = np.array(data.draw(st.lists(label, min_size=n, max_size=n)))
    links = LinkedGroups.of(n, case.must, case.cannot)
    counted = ConstantLinkCosts(links, labels, case.n_clusters, weight=2.0)
    for _ in range(3):  # also after moves
        assert counted.total() == 2 * violations(links, labels)
        if not links.n_groups:
            return
        item = data.draw(st.sampled_from(np.flatnonzero(links.group >= 0).tolist()))
        group = np.array([links.group[item]])
        ours = np.flatnonzero(links.group == group[0])
        row, whole = counted.of_items(np.array([item]))[0], counted.of_whole(group)[0]
        now = counted.of_now(group)[0]
        for other in range(case.n_clusters):
            one, all_of_it = labels.copy(), labels.copy()
            one[item], all_of_it[ours] = other, other
            change = 2 * (violations(links, one) - violations(links, labels))
            assert row[other] - row[labels[item]] == change
            assert whole[other] - now == 2 * violations(links, all_of_it) - counted.total()
        counted.move(data.draw(st.sampled_from([ours, np.array([item])])), data.draw(label))


EQUAL_ITEMS = Case(
    np.array([[0.0, 0], [0, 0], [0, 0], [0, 0], [0, 1], [0, 0], [0, 1]]), [(0, 4), (1, 6)], [], 6
)


@settings(max_examples=60)
@example(EQUAL_ITEMS, 0.0)
@given(cases(), st.sampled_from([0.0, 0.5, 3.0, 100.0]))
def test_the_objective_is_the_papers_and_never_rises(case: Case, weight: float) -> None:
    links = LinkedGroups.of(len(case.points), case.must, case.cannot)
    rng = np.random.default_rng(0)
    centres = rng.choice(case.points, case.n_clusters, replace=False)
    spread = group_spread(case.points, links)
    found: list[float] = []
    for max_iter in range(1, 30):
        step = descend(case.points, centres, links, spread, weight, max_iter)
        found.append(step.objective)
        assert step.objective == pytest.approx(literal_objective(case, step.labels, weight))
        if step.n_iter < max_iter:
            break
    assert step.n_iter < max_iter  # it has settled
    assert all(after <= before + 1e-9 for before, after in pairwise(found))
    model = PCKMeans(n_clusters=case.n_clusters, weight=weight, answers_win=False)
    model.fit(case.points, must_link=case.must, cannot_link=case.cannot)
    assert model.objective_ == pytest.approx(literal_objective(case, model.labels_, weight))


def slow_descent(
    points: Points, centres: Points, links: LinkedGroups, weight: float, max_iter: int
) -> Descent[Points]:
    """The twin of the compiled descent, array by array."""
    labels = nearest(square_distances(points, centres), links)
    counted = ConstantLinkCosts(links, labels, len(centres), weight)
    spread = group_spread(points, links)
    n_iter, before, objective, moved = 0, np.inf, np.inf, True
    while n_iter < max_iter and (n_iter < 2 or (moved and objective < before)):
        cost = square_distances(points, centres) / 2
        moved = improve(cost, counted)
        fill_empty(cost, spread / 2, counted)
        centres = means(points, labels, centres)
        scatter = float(((points - centres[labels]) ** 2).sum())
        before, objective = objective, scatter / 2 + counted.total()
        n_iter += 1
    return Descent(labels, centres, objective, n_iter)


@settings(max_examples=60)
@given(st.integers(0, 10_000), st.sampled_from([0.0, 0.5, 3.0]), st.integers(2, 9))
def test_the_compiled_descent_goes_the_way_of_its_slow_twin(
    seed: int, weight: float, n_clusters: int
) -> None:
    rng = np.random.default_rng(seed)
    points, truth = rng.normal(size=(30, 2)), rng.integers(4, size=30)
    pairs = rng.integers(30, size=(rng.integers(40), 2))
    pairs = pairs[pairs[:, 0] != pairs[:, 1]]
    same = truth[pairs[:, 0]] == truth[pairs[:, 1]]
    links = LinkedGroups.of(30, pairs[same], pairs[~same])
    # Centres that lie apart from all items leave clusters empty.
    centres = rng.normal(size=(n_clusters, 2)) * rng.choice([1.0, 4.0])
    spread = group_spread(points, links)
    quick = descend(points, centres, links, spread, weight, 20)
    slow = slow_descent(points, centres, links, weight, 20)
    assert quick.labels.tolist() == slow.labels.tolist()
    assert quick.n_iter == slow.n_iter
    assert quick.objective == pytest.approx(slow.objective)
    np.testing.assert_allclose(quick.end, slow.end, atol=1e-12)


@given(cases(), st.booleans())
def test_labels_contradict_no_link_and_have_no_gaps(case: Case, started: bool) -> None:
    before = case.points.copy()
    model = PCKMeans(n_clusters=case.n_clusters)
    start = clone(model).fit(case.points) if started else None
    model.fit(case.points, must_link=case.must, cannot_link=case.cannot, start=start)
    labels = model.labels_
    assert all(labels[i] == labels[j] for i, j in case.must)
    assert all(labels[i] != labels[j] for i, j in case.cannot)
    assert set(labels.tolist()) == set(range(model.n_clusters_))
    for label, centre in enumerate(model.cluster_centers_):
        np.testing.assert_allclose(centre, case.points[labels == label].mean(axis=0), atol=1e-9)
    np.testing.assert_array_equal(case.points, before)


@given(cases())
def test_without_answers_winning_no_cluster_is_empty_if_it_can_be_filled(case: Case) -> None:
    model = PCKMeans(n_clusters=case.n_clusters, answers_win=False)
    model.fit(case.points, must_link=case.must, cannot_link=case.cannot)
    groups = LinkedGroups.of(len(case.points), case.must, case.cannot)
    units = np.where(
        groups.group >= 0, groups.group, len(case.points) + np.arange(len(groups.group))
    )
    whole = all(len(set(model.labels_[units == unit])) == 1 for unit in units)
    if whole:
        assert model.n_clusters_ == min(case.n_clusters, len(set(units.tolist())))


@pytest.mark.parametrize(("weight", "together"), [(19.9, False), (20.1, True)])
def test_the_optimum_flips_where_the_papers_objective_says(weight: float, together: bool) -> None:
    X = np.array([[0.0], [1.0], [10.0]])
    model = PCKMeans(n_clusters=2, weight=weight, answers_win=False).fit(X, must_link=[(1, 2)])
    assert (model.labels_[1] == model.labels_[2]) == together
    assert model.objective_ == pytest.approx(20.25 if together else 0.25 + weight)


@settings(max_examples=40)
@given(cases(), st.sampled_from([0.5, 3.0, 100.0]))
def test_no_single_item_or_whole_group_could_do_better(case: Case, weight: float) -> None:
    model = PCKMeans(n_clusters=case.n_clusters, weight=weight, answers_win=False)
    model.fit(case.points, must_link=case.must, cannot_link=case.cannot)
    labels, k = model.labels_, model.n_clusters_
    links = LinkedGroups.of(len(case.points), case.must, case.cannot)
    units = [np.array([i]) for i in range(len(labels))]
    units += [np.flatnonzero(links.group == g) for g in range(links.n_groups)]

    def cost(candidate: Labels) -> float:  # with the centres as they are
        distances = ((case.points - model.cluster_centers_[candidate]) ** 2).sum()
        return float(distances / 2 + weight * violations(links, candidate))

    for unit, label in product(units, range(k)):
        candidate = labels.copy()
        candidate[unit] = label
        assert cost(candidate) >= cost(labels) - 1e-6


def test_without_links_it_is_kmeans() -> None:
    for seed in range(5):
        X = np.random.default_rng(seed).normal(size=(80, 3))
        ours = PCKMeans(n_clusters=4, n_init=20, random_state=seed).fit(X)
        theirs = KMeans(4, n_init=20, random_state=seed).fit(X)
        assert 2 * ours.objective_ == pytest.approx(theirs.inertia_, rel=0.01)
        far = make_blobs(60, centers=[[0, 0], [20, 0], [0, 20]], random_state=seed)
        labels = PCKMeans(n_clusters=3).fit(far[0]).labels_
        assert adjusted_rand_score(far[1], labels) == 1.0


def test_links_decide_where_distances_do_not(seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(60, 2))
    truth = np.arange(60) % 2
    must = [(i, i + 2) for i in range(40)]
    labels = PCKMeans(n_clusters=2).fit(X, must_link=must, cannot_link=[(0, 1)]).labels_
    np.testing.assert_array_equal(labels[:42] == labels[0], truth[:42] == 0)


def test_all_items_of_two_blobs_linked_become_one_cluster_and_another_is_filled() -> None:
    X, _ = make_blobs(40, centers=[[0, 0], [10, 10]], random_state=0)
    chain = [(i, i + 1) for i in range(29)]
    model = PCKMeans(n_clusters=2).fit(X, must_link=chain)
    assert len(set(model.labels_[:30].tolist())) == 1
    assert model.n_clusters_ == 2
    everything = PCKMeans(n_clusters=2).fit(X, must_link=[(i, i + 1) for i in range(39)])
    assert everything.n_clusters_ == 1


def test_more_groups_than_clusters_are_held_apart_all_the_same() -> None:
    X = np.arange(6.0)[:, None]
    everyone = list(combinations(range(4), 2))
    model = PCKMeans(n_clusters=2).fit(X, cannot_link=everyone)
    assert len(set(model.labels_[:4].tolist())) == 4
    assert model.n_clusters_ == 4


@pytest.mark.parametrize("n_clusters", [2, 7, 20])
def test_items_that_are_all_equal_fill_every_cluster(n_clusters: int) -> None:
    model = PCKMeans(n_clusters=n_clusters).fit(np.ones((20, 3)))
    assert model.n_clusters_ == n_clusters
    assert model.n_iter_ < 10


@pytest.mark.parametrize("unit", [1e-6, 1e6])
def test_the_default_weight_means_the_same_in_any_unit(unit: float) -> None:
    X, truth = make_blobs(80, centers=4, cluster_std=4.0, random_state=1)
    pairs = list(combinations(range(0, 80, 6), 2))
    must = [(i, j) for i, j in pairs if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in pairs if truth[i] != truth[j]]
    model = PCKMeans(n_clusters=4, answers_win=False)
    labels = model.fit(X, must_link=must, cannot_link=cannot).labels_.copy()
    scaled = model.fit(unit * (X + 50.0), must_link=must, cannot_link=cannot).labels_
    assert adjusted_rand_score(labels, scaled) == 1.0


@given(st.permutations(range(40)))
def test_items_in_another_order_get_the_same_groups(order: list[int]) -> None:
    X, truth = make_blobs(40, centers=[[0, 0], [6, 0], [0, 6]], random_state=3)
    must = [(i, j) for i, j in combinations(range(0, 40, 5), 2) if truth[i] == truth[j]]
    cannot = [(i, j) for i, j in combinations(range(0, 40, 5), 2) if truth[i] != truth[j]]
    place = np.argsort(order)
    moved = [[(int(place[i]), int(place[j])) for i, j in links] for links in (must, cannot)]
    model = PCKMeans(n_clusters=3)
    labels = model.fit(X, must_link=must, cannot_link=cannot).labels_.copy()
    shuffled = model.fit(X[order], must_link=moved[0], cannot_link=moved[1]).labels_
    assert adjusted_rand_score(labels[order], shuffled) == 1.0


def test_equal_input_gives_equal_output() -> None:
    X = np.random.default_rng(0).normal(size=(60, 3))
    links: dict[str, Any] = {"must_link": [(0, 5), (5, 9)], "cannot_link": [(0, 1), (1, 2)]}
    first, again = (PCKMeans(n_clusters=6, random_state=3).fit(X, **links) for _ in range(2))
    np.testing.assert_array_equal(first.labels_, again.labels_)
    assert first.objective_ == again.objective_


@pytest.mark.parametrize("seed", range(5))
def test_a_start_can_only_lower_the_objective(seed: int) -> None:
    X = np.random.default_rng(seed).normal(size=(80, 2))
    good = PCKMeans(n_clusters=9, n_init=20, random_state=seed).fit(X)
    cold = PCKMeans(n_clusters=9, n_init=1).fit(X)
    warm = PCKMeans(n_clusters=9, n_init=1).fit(X, start=good)
    assert warm.objective_ <= min(cold.objective_, good.objective_) + 1e-9
    fewer = PCKMeans(n_clusters=12, n_init=1).fit(X, start=good)
    assert fewer.objective_ < good.objective_
    more = PCKMeans(n_clusters=3).fit(X, start=good)
    np.testing.assert_array_equal(more.labels_, PCKMeans(n_clusters=3).fit(X).labels_)


@pytest.mark.parametrize("n_clusters", [1, 30])
def test_the_ends_of_the_range_are_allowed(n_clusters: int) -> None:
    X = np.random.default_rng(0).normal(size=(30, 2))
    assert PCKMeans(n_clusters=n_clusters).fit(X).n_clusters_ == n_clusters


@pytest.mark.parametrize(
    ("settings_", "links", "error"),
    [
        ({"n_clusters": 0}, {}, MethodError),
        ({"n_clusters": 31}, {}, MethodError),
        ({"weight": -1.0}, {}, MethodError),
        ({"weight": np.inf}, {}, MethodError),
        ({"weight": np.nan}, {}, MethodError),
        ({"n_init": 0}, {}, MethodError),
        ({"max_iter": 0}, {}, MethodError),
        ({}, {"must_link": [(0, 1)], "cannot_link": [(1, 0)]}, DataError),
        ({}, {"must_link": [(0, 30)]}, DataError),
    ],
)
def test_settings_and_links_that_make_no_sense_are_refused(
    settings_: dict[str, Any], links: dict[str, Any], error: type[LikewiseError]
) -> None:
    with pytest.raises(error):
        PCKMeans(**settings_).fit(np.random.default_rng(0).normal(size=(30, 2)), **links)


@given(cases(), st.data())
def test_the_objective_of_any_labels_is_the_literal_one(case: Case, data: st.DataObject) -> None:
    n = len(case.points)
    labels = np.array(data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n)))
    links = LinkedGroups.of(n, case.must, case.cannot)
    ours = pckmeans_objective(case.points, labels, links, 1.5)
    assert ours == pytest.approx(literal_objective(case, labels, 1.5))
