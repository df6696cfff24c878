"""Figures show what the frames hold."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from matplotlib.colors import to_hex
from scipy.spatial.distance import pdist

import likewise as lw
from likewise.errors import DataError, MissingExtra

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import Collection


def frame(*ari: float) -> pd.DataFrame:
    return pd.DataFrame({"questions": [0, 5, 10], "ari": ari})


def test_a_curve_is_the_mean_of_its_runs() -> None:
    axes = lw.plots.curve({"ours": [frame(0.0, 0.5, 1.0), frame(0.2, 0.7, 0.8)]})
    (line,) = axes.get_lines()
    np.testing.assert_allclose(np.asarray(line.get_ydata())[[0, 5, 10]], [0.1, 0.6, 0.9])
    assert line.get_label() == "ours"


def test_the_order_of_rows_does_not_matter() -> None:
    shuffled = frame(0.0, 0.5, 1.0).iloc[[2, 0, 1]]
    (line,) = lw.plots.curve({"ours": [shuffled]}).get_lines()
    np.testing.assert_allclose(np.asarray(line.get_ydata())[[0, 5, 10]], [0.0, 0.5, 1.0])


def test_axes_given_are_axes_returned() -> None:
    from matplotlib.figure import Figure

    axes = Figure().add_subplot()
    assert lw.plots.curve({"a": [frame(0, 1, 1)], "b": [frame(0, 0, 1)]}, ax=axes) is axes
    assert len({line.get_linestyle() for line in axes.get_lines()}) == 2


def test_a_metric_that_was_not_measured_is_named() -> None:
    with pytest.raises(DataError, match="'jaccard'"):
        lw.plots.curve({"ours": [frame(0, 0, 0)]}, metric="jaccard")


def picture(axes: Axes) -> np.ndarray:
    """The numbers an image shows."""
    (image,) = axes.get_images()
    return np.asarray(image.get_array())


def two_blocks() -> tuple[np.ndarray, np.ndarray]:
    """Six items of two groups, mixed: alike within a group, not across."""
    labels = np.array([1, 0, 1, 0, 0, 1])
    return (labels[:, None] == labels[None, :]) * np.arange(1.0, 37.0).reshape(6, 6), labels


def test_an_affinity_is_shown_as_it_is_without_labels() -> None:
    matrix, _ = two_blocks()
    axes = lw.plots.affinity(matrix)
    np.testing.assert_array_equal(picture(axes), matrix)
    assert not axes.get_lines()


def test_labels_sort_rows_and_columns_and_lines_part_the_groups() -> None:
    matrix, labels = two_blocks()
    axes = lw.plots.affinity(matrix, np.array(["b" if k else "a" for k in labels]))
    order = [1, 3, 4, 0, 2, 5]
    np.testing.assert_array_equal(picture(axes), matrix[np.ix_(order, order)])
    across, down = axes.get_lines()
    assert list(np.asarray(across.get_ydata())) == list(np.asarray(down.get_xdata())) == [3, 3]
    assert [text.get_text() for text in axes.get_yticklabels()] == ["a", "b"]
    assert list(axes.get_yticks()) == [1.5, 4.5]


def test_each_pair_of_neighbouring_groups_has_one_line_in_each_direction() -> None:
    labels = np.arange(60) % 20
    axes = lw.plots.affinity(np.eye(60), labels)
    assert len(axes.get_lines()) == 2 * 19
    assert "group" not in axes.get_ylabel()  # twenty names would overlap


@pytest.mark.parametrize("as_given", [np.asarray, sp.csr_array, sp.coo_array])
def test_a_cell_of_a_large_picture_is_the_mean_over_its_block(
    as_given: Callable[[np.ndarray], Any], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    n, n_blocks = 1203, 400
    matrix = rng.random((n, n)) * (rng.random((n, n)) < 0.01)
    labels = rng.integers(3, size=n)
    shown = picture(lw.plots.affinity(as_given(matrix), labels))
    assert shown.shape == (n_blocks, n_blocks)
    order = np.argsort(labels, kind="stable")
    block = np.arange(n) * n_blocks // n
    for row, column in [(0, 0), (7, 390), (399, 399)]:
        cells = matrix[np.ix_(order[block == row], order[block == column])]
        assert shown[row, column] == pytest.approx(cells.mean())


def test_a_sparse_affinity_of_many_items_is_never_made_dense() -> None:
    n = 200_000  # dense, this would be 320 GB
    axes = lw.plots.affinity(sp.eye_array(n, format="csr"), np.arange(n) // 100_000)
    np.testing.assert_allclose(np.diag(picture(axes)), 1 / 500)
    assert axes.get_xlim() == (0, n)


def test_one_strong_pair_does_not_leave_the_rest_pale() -> None:
    matrix = np.ones((50, 50))
    matrix[3, 4] = 1e6
    (image,) = lw.plots.affinity(matrix).get_images()
    assert image.get_clim() == (0.0, 1.0)
    assert lw.plots.affinity(np.zeros((3, 3))).get_images()[0].get_clim() == (0.0, 1.0)


@pytest.mark.parametrize(
    ("matrix", "labels", "error"),
    [
        (np.ones((3, 2)), None, "square"),
        (np.ones(3), None, "rows and columns"),
        (np.ones((0, 0)), None, "rows and columns"),
        (np.full((2, 2), np.nan), None, "NaN"),
        (sp.csr_array(np.diag([1.0, np.inf])), None, "NaN or infinity"),
        ([["a", "b"], ["c", "d"]], None, "numbers only"),
        (np.eye(3), [0, 1], "one label per item, 3"),
        (np.eye(2), [0.0, np.nan], "finite"),
        (np.eye(2), np.array(["a", None], dtype=object), "of one kind"),
    ],
)
def test_what_is_no_affinity_is_refused(matrix: Any, labels: Any, error: str) -> None:
    with pytest.raises(DataError, match=error):
        lw.plots.affinity(matrix, labels)


def drawn(axes: Axes) -> list[np.ndarray]:
    """The points of each group."""
    return [np.asarray(group.get_offsets()) for group in axes.collections]


def colour(group: Collection) -> str:
    return to_hex(np.asarray(group.get_facecolor())[0, :3].tolist())


def test_two_columns_are_a_map_as_they_are() -> None:
    X = np.array([[0.0, 1.0], [2.0, 3.0], [4.0, 5.0]])
    for given in (X, sp.csr_array(X)):
        first, second = drawn(lw.plots.map(given, ["b", "a", "b"]))
        np.testing.assert_array_equal(first, X[[1]])
        np.testing.assert_array_equal(second, X[[0, 2]])
    (line,) = drawn(lw.plots.map(X[:, :1]))
    np.testing.assert_array_equal(line, [[0, 0], [2, 0], [4, 0]])


def test_more_columns_are_projected_and_twice_alike(seed: int) -> None:
    rng = np.random.default_rng(seed)
    plane = rng.normal(size=(40, 2)) * [5.0, 1.0]
    turned = np.linalg.qr(rng.normal(size=(6, 6)))[0][:2]
    X = plane @ turned + 7.0
    (points,) = drawn(lw.plots.map(X))
    # All variance lies in the plane, so that the projection keeps every distance.
    np.testing.assert_allclose(pdist(points), pdist(plane))
    np.testing.assert_array_equal(points, drawn(lw.plots.map(X))[0])
    wide = sp.csr_array(rng.poisson(0.1, size=(300, 50)))
    first, again = (drawn(lw.plots.map(wide))[0] for _ in range(2))
    np.testing.assert_array_equal(first, again)


def test_every_group_has_a_look_of_its_own_and_a_name_in_the_legend() -> None:
    n_groups = 14
    axes = lw.plots.map(np.random.default_rng(0).normal(size=(70, 2)), np.arange(70) % n_groups)
    looks = {
        (colour(group), np.asarray(group.get_paths()[0].vertices).tobytes())
        for group in axes.collections
    }
    assert len(looks) == n_groups
    legend = axes.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == [str(k) for k in range(n_groups)]
    assert colour(axes.collections[0]) == lw.plots.PALETTE[0].lower()


def test_many_groups_have_no_legend_and_many_items_small_points() -> None:
    few, many = (np.random.default_rng(0).normal(size=(n, 2)) for n in (50, 10_000))
    axes = lw.plots.map(many, np.arange(10_000) % 60)
    assert axes.get_legend() is None
    assert len(axes.collections) == 60
    small, large = axes.collections[0], lw.plots.map(few).collections[0]
    assert small.get_sizes()[0] < large.get_sizes()[0]  # type: ignore[attr-defined]
    assert small.get_rasterized()
    assert not large.get_rasterized()


def test_doubt_is_transparent() -> None:
    (group,) = lw.plots.map(np.eye(3)[:, :2], confidence=[0.0, 0.5, 1.0]).collections
    opacity = np.asarray(group.get_alpha())
    assert opacity[0] < 0.2 < opacity[1] < 0.9 < opacity[2]


@pytest.mark.parametrize("X", [np.ones((5, 4)), np.ones((1, 4)), sp.csr_array(np.zeros((5, 4)))])
def test_items_that_are_all_alike_are_one_spot(X: Any) -> None:
    (points,) = drawn(lw.plots.map(X))
    np.testing.assert_allclose(points, 0.0)


@pytest.mark.parametrize(
    ("X", "labels", "confidence", "error"),
    [
        (np.ones((3, 2, 2)), None, None, "rows and columns"),
        ([[1.0, np.nan]], None, None, "NaN"),
        (np.ones((3, 2)), [0, 1], None, "one label per item"),
        (np.ones((3, 2)), None, [0.5, 0.5], "for each of 3 items"),
        (np.ones((2, 2)), None, [0.5, 1.5], "between 0 and 1"),
        (np.ones((2, 2)), None, [0.5, np.nan], "NaN"),
    ],
)
def test_what_cannot_be_mapped_is_refused(X: Any, labels: Any, confidence: Any, error: str) -> None:
    with pytest.raises(DataError, match=error):
        lw.plots.map(X, labels, confidence=confidence)


def bars(axes: Axes) -> list[tuple[str, float]]:
    """Names and lengths, from the top down."""
    low, high = axes.get_ylim()
    assert low > high  # the first bar is on top
    lengths = [bar.get_width() for bar in axes.patches]  # type: ignore[attr-defined]
    return list(zip([t.get_text() for t in axes.get_yticklabels()], lengths, strict=True))


def test_the_largest_weight_is_on_top() -> None:
    axes = lw.plots.feature_weights([0.2, 0.5, 0.0, 0.5], ["a", "$b", "_c", "d"])
    assert bars(axes) == [("$b", 0.5), ("d", 0.5), ("a", 0.2), ("_c", 0.0)]
    assert axes.get_xlabel() == "weight"


def test_only_the_top_weights_are_drawn_and_the_axis_says_so() -> None:
    axes = lw.plots.feature_weights(np.arange(64.0), top=3)
    assert bars(axes) == [("feature 63", 63.0), ("feature 62", 62.0), ("feature 61", 61.0)]
    assert "3 largest of 64" in axes.get_xlabel()


@pytest.mark.parametrize(
    ("weights", "names", "top", "error"),
    [
        (np.eye(2), None, 20, "list of numbers"),
        ([], None, 20, "list of numbers"),
        ([1.0, np.nan], None, 20, "NaN"),
        (["heavy"], None, 20, "numbers only"),
        ([1.0, -1.0], None, 20, "at least 0"),
        ([1.0, 2.0], ["a"], 20, "each of 2 features but there are 1"),
        ([1.0], None, 0, "top must be at least 1"),
    ],
)
def test_what_are_no_weights_is_refused(weights: Any, names: Any, top: int, error: str) -> None:
    with pytest.raises(DataError, match=error):
        lw.plots.feature_weights(weights, names, top=top)


def test_every_figure_draws_on_the_axes_it_is_given_and_can_be_saved(tmp_path: Path) -> None:
    from matplotlib.figure import Figure

    figure = Figure(layout="constrained")
    first, second, third = figure.subplots(1, 3)
    names = ["_hidden", "$x^", "<b>"]
    assert lw.plots.affinity(np.eye(3), names, ax=first) is first
    assert lw.plots.map(np.eye(3), names, ax=second) is second
    assert lw.plots.feature_weights([1.0, 2.0, 3.0], names, ax=third) is third
    figure.savefig(tmp_path / "three.svg")
    assert (tmp_path / "three.svg").stat().st_size > 1000
    legend = second.get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == sorted(names)


def test_without_matplotlib_the_extra_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib.figure", None)
    with pytest.raises(MissingExtra, match=r"likewise\[plots\]"):
        lw.plots.map(np.eye(2))
