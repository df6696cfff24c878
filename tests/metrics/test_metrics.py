from __future__ import annotations

import itertools
from collections.abc import Callable

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn import metrics as reference

from likewise import metrics
from likewise.errors import DataError, LikewiseError
from likewise.metrics import METRICS, all_metrics, clustering

Labeling = list[int]
Metric = Callable[[npt.ArrayLike, npt.ArrayLike], float]

two_labelings = st.integers(1, 12).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n)] * 2)
)
every_metric = pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS.keys())


def pair_counts(truth: Labeling, labels: Labeling) -> tuple[int, int, int]:
    """SS, SD and DS of the paper, pair by pair: together in both, in labels only, in truth only."""
    counts = {(True, True): 0, (True, False): 0, (False, True): 0, (False, False): 0}
    for i, j in itertools.combinations(range(len(truth)), 2):
        counts[labels[i] == labels[j], truth[i] == truth[j]] += 1
    return counts[True, True], counts[True, False], counts[False, True]


def best_overlap(truth: Labeling, labels: Labeling) -> int:
    """Items kept by the best matching, by trying every assignment of clusters to classes."""
    clusters = sorted(set(labels))
    unmatched = [-1] * len(clusters)
    assignments = itertools.permutations(sorted(set(truth)) + unmatched, len(clusters))
    return max(
        sum(
            chosen[clusters.index(label)] == kind for kind, label in zip(truth, labels, strict=True)
        )
        for chosen in set(assignments)
    )


def share(part: int, whole: int) -> float:
    return part / whole if whole else 1.0


@given(two_labelings)
def test_pair_measures_equal_the_count_over_all_pairs(pair: tuple[Labeling, Labeling]) -> None:
    both, only_labels, only_truth = pair_counts(*pair)
    assert metrics.jaccard(*pair) == share(both, both + only_labels + only_truth)
    assert metrics.pair_precision(*pair) == share(both, both + only_labels)
    assert metrics.pair_recall(*pair) == share(both, both + only_truth)
    assert metrics.pair_f1(*pair) == share(2 * both, 2 * both + only_labels + only_truth)


@given(two_labelings)
def test_scikit_learn_agrees(pair: tuple[Labeling, Labeling]) -> None:
    assert metrics.ari(*pair) == pytest.approx(reference.adjusted_rand_score(*pair))
    assert metrics.v_measure(*pair) == pytest.approx(reference.v_measure_score(*pair), abs=1e-9)
    information = reference.normalized_mutual_info_score(*pair)
    assert metrics.nmi(*pair) == pytest.approx(information, abs=1e-9)


@settings(max_examples=50)
@given(
    st.integers(1, 8).flatmap(
        lambda n: st.tuples(*[st.lists(st.integers(0, 3), min_size=n, max_size=n)] * 2)
    )
)
def test_misclustering_equals_the_best_of_all_assignments(pair: tuple[Labeling, Labeling]) -> None:
    n = len(pair[0])
    assert metrics.misclustering_error(*pair) == (n - best_overlap(*pair)) / n


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("n_groups", [5, 40, 150, 250])
@pytest.mark.parametrize("agreement", [0.0, 0.5])
def test_tables_too_large_to_fill_are_matched_just_as_well(
    monkeypatch: pytest.MonkeyPatch, seed: int, n_groups: int, agreement: float
) -> None:
    rng = np.random.default_rng(seed)
    truth, other = rng.integers(n_groups, size=(2, 500))
    labels = np.where(rng.random(500) < agreement, truth, other)
    expected = metrics.misclustering_error(truth, labels)
    monkeypatch.setattr(clustering, "_DENSE_CELLS", 0)
    assert metrics.misclustering_error(truth, labels) == expected
    monkeypatch.setattr(clustering, "_peeled", lambda *cells: (*cells, 0))
    assert metrics.misclustering_error(truth, labels) == expected


@every_metric
@given(pair=two_labelings, names=st.permutations(["a", "b", "c", "d", "e", "f"]))
def test_names_of_groups_do_not_matter(
    metric: Metric, pair: tuple[Labeling, Labeling], names: list[str]
) -> None:
    truth, labels = pair
    renamed = [names[label] for label in labels]
    assert metric(truth, renamed) == pytest.approx(metric(truth, labels))


@every_metric
@given(pair=two_labelings, seed=st.integers(0, 99))
def test_order_of_items_does_not_matter(
    metric: Metric, pair: tuple[Labeling, Labeling], seed: int
) -> None:
    order = np.random.default_rng(seed).permutation(len(pair[0]))
    truth, labels = (np.array(side)[order] for side in pair)
    assert metric(truth, labels) == pytest.approx(metric(*pair))


@given(two_labelings)
def test_truth_and_labels_may_change_places(pair: tuple[Labeling, Labeling]) -> None:
    forth, back = all_metrics(*pair), all_metrics(*pair[::-1])
    back["pair_precision"], back["pair_recall"] = back["pair_recall"], back["pair_precision"]
    assert forth == pytest.approx(back)


@every_metric
@given(labels=st.lists(st.integers(0, 5), min_size=1, max_size=30))
def test_a_clustering_equal_to_the_truth_is_perfect_to_the_last_bit(
    metric: Metric, labels: Labeling
) -> None:
    perfect = 0.0 if metric is metrics.misclustering_error else 1.0
    assert metric(labels, [-label for label in labels]) == perfect


@given(two_labelings)
def test_all_metrics_gives_what_each_one_gives(pair: tuple[Labeling, Labeling]) -> None:
    assert all_metrics(*pair) == {name: metric(*pair) for name, metric in METRICS.items()}


@given(two_labelings)
def test_results_are_plain_floats_between_their_limits(pair: tuple[Labeling, Labeling]) -> None:
    for name, value in all_metrics(*pair).items():
        assert type(value) is float
        assert (-0.5 if name == "ari" else 0.0) <= value <= 1.0


def test_a_million_items_do_not_overflow() -> None:
    n = 1_000_000
    halves = np.arange(n, dtype=np.int32) % 2
    quarters = np.arange(n, dtype=np.int32) % 4
    assert metrics.ari(np.zeros(n), np.zeros(n)) == 1.0
    assert metrics.ari(halves, quarters) == pytest.approx(0.5, abs=1e-5)
    assert metrics.jaccard(halves, quarters) == pytest.approx(0.5, abs=1e-5)
    assert metrics.v_measure(halves, quarters) == pytest.approx(2 / 3)
    assert metrics.misclustering_error(halves, quarters) == 0.5


def test_as_many_groups_as_items_need_no_matrix() -> None:
    n = 200_000  # a matrix of all pairs of groups would have 320 GB
    alone, few = np.random.default_rng(0).permutation(n), np.arange(n) % 10
    assert set(all_metrics(np.arange(n), alone).values()) == {0.0, 1.0}
    assert metrics.misclustering_error(few, alone) == (n - 10) / n
    assert metrics.pair_recall(few, alone) == 0.0
    assert metrics.pair_precision(few, alone) == 1.0


@pytest.mark.parametrize(
    "labels",
    [
        [1, "1", 1],
        (True, False, True),
        ["x", "y", "x"],
        [b"x", b"y", b"x"],
        np.array([1.5, -np.inf, 1.5]),
        np.array(["2020-01-01", "2021-01-01", "2020-01-01"], dtype="datetime64[D]"),
        np.array([("a", 1), ("a", 2), ("a", 1)], dtype="U1,i4"),
        np.array([(1, 2), 7, (1, 2)], dtype=object),
    ],
)
def test_labels_of_any_type_are_compared(labels: npt.ArrayLike) -> None:
    assert metrics.ari([0, 1, 0], labels) == 1.0
    assert metrics.misclustering_error(labels, [0, 1, 0]) == 0.0
    assert metrics.ari(labels, [0, 0, 1]) < 1.0


@pytest.mark.parametrize(
    ("truth", "labels", "message"),
    [
        ([0, 1], [0, 1, 1], "truth has 2 labels, labels 3"),
        ([], [], "truth must hold one label .* got nothing"),
        ([0.0, float("nan")], [0, 1], "truth has missing labels"),
        ([0, 1], ["a", None], "labels has missing labels"),
        ([0, 1], ["a", float("nan")], "labels has missing labels"),
        ([[0, 1]], [0, 1], r"truth must hold one label .* shape \(1, 2\)"),
        ([[0], [1, 2]], [0, 1], "truth must hold one label per item"),
        (3, [0], r"truth must hold one label .* shape \(\)"),
        ([0, 1], np.array([{1}, {2}]), "labels must hold a plain label per item"),
    ],
)
@every_metric
def test_unusable_labels_are_refused(
    metric: Metric, truth: npt.ArrayLike, labels: npt.ArrayLike, message: str
) -> None:
    with pytest.raises(DataError, match=message) as caught:
        metric(truth, labels)
    assert isinstance(caught.value, LikewiseError)
    assert isinstance(caught.value, ValueError)
