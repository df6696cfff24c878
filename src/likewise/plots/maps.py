"""All items in the plane, coloured by group."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.errors import DataError
from likewise.plots.canvas import PALETTE, SOFT, finite_matrix, finite_vector, groups_of, new_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Eight shapes and seven colours have no common divisor: 56 groups look different.
_SHAPES = ("o", "s", "^", "D", "v", "P", "X", "*")
_MOST_NAMES = 14  # beyond, a legend is longer than the map is high
_MANY = 5000  # points; beyond, they are stored as one picture in SVG and PDF


def map(  # noqa: A001 - read as `plots.map`, where it hides nothing
    X: Any, labels: Any = None, *, confidence: Any = None, ax: Axes | None = None
) -> Axes:
    """Draw every item as a point, with its group's colour and shape; the more, the smaller.

    Parameters
    ----------
    X : Study, array or sparse matrix (n, d)
        A study brings its labels, the names of its groups and its confidence along. An array is
        shown as it is if it has two columns. More are projected to their first two principal
        components (sparse ones without centring, by a truncated singular value decomposition); the
        same `X` always gives the same picture.
    labels : sequence of n labels, optional
        The groups; without them all points are grey.
    confidence : array (n,) in [0, 1], optional
        Such as `study.confidence_`: an item at 0 is nearly transparent, one at 1 solid.
    ax : matplotlib.axes.Axes, optional
        Where to draw; a new figure unless given.

    Returns
    -------
    matplotlib.axes.Axes
        What was drawn on.
    """
    if hasattr(X, "items") and hasattr(X, "labels_"):
        X, labels, confidence = _of_study(X, labels, confidence)
    matrix = finite_matrix(X, "X")
    n = matrix.shape[0]
    names, places = (["items"], np.zeros(n, np.int64)) if labels is None else groups_of(labels, n)
    opacity = np.full(n, 0.8) if confidence is None else _opacity(confidence, n)
    axes = ax if ax is not None else new_axes()
    points = _project(matrix, axes)
    size = float(np.clip(6000 / n, 3, 30))
    for k in range(len(names)):
        own = places == k
        axes.scatter(
            points[own, 0],
            points[own, 1],
            s=size,
            c=SOFT if labels is None else PALETTE[k % len(PALETTE)],
            marker=_SHAPES[k % len(_SHAPES)],
            alpha=opacity[own],
            linewidths=0,
            rasterized=n > _MANY,
        )
    axes.spines[["top", "right"]].set_visible(False)
    if labels is not None and len(names) <= _MOST_NAMES:
        _name_groups(axes, names)
    return axes


def _of_study(study: Any, labels: Any, confidence: Any) -> tuple[Any, Any, Any]:
    """Return what a study knows of its items, unless something else is given."""
    if labels is None:
        named = study.names_
        labels = [named.get(label, f"group {label}") for label in study.labels_.tolist()]
    if confidence is None:
        confidence = study.confidence_
    # Where only how alike items are is known, they lie together if they are like the same ones.
    return study.items.data, labels, confidence


def _opacity(confidence: Any, n: int) -> npt.NDArray[np.float64]:
    """Return how solid each point is; refuse what is not a share for each item."""
    given = finite_vector(confidence, "confidence")
    if given.shape != (n,) or given.min() < 0 or given.max() > 1:
        raise DataError(f"confidence must be one number between 0 and 1 for each of {n} items")
    return 0.12 + 0.83 * given


def _project(matrix: Any, axes: Axes) -> npt.NDArray[np.float64]:  # (n, d) -> (n, 2)
    """Return two coordinates per item, and label the axes with what they are."""
    n, d = matrix.shape
    if d <= 2:
        axes.set_xlabel("first feature")
        axes.set_ylabel("second feature" if d == 2 else "")
        return _two_columns(matrix.toarray() if sp.issparse(matrix) else matrix)
    what = "component" if sp.issparse(matrix) else "principal component"
    axes.set_xlabel(f"first {what}")
    axes.set_ylabel(f"second {what}")
    # Distances in the projection mean something only if both axes have the same unit.
    axes.set_aspect("equal", adjustable="datalim")
    if n < 2:
        return np.zeros((n, 2))
    from sklearn.decomposition import PCA, TruncatedSVD

    project = TruncatedSVD if sp.issparse(matrix) else PCA
    with np.errstate(divide="ignore", invalid="ignore"):  # all items alike: shares of no variance
        return _two_columns(project(n_components=2, random_state=0).fit_transform(matrix))


def _two_columns(points: npt.NDArray[np.float64]) -> npt.NDArray[np.float64]:
    """Return points in the plane; a single column lies on a line."""
    return points if points.shape[1] == 2 else np.column_stack([points, np.zeros(len(points))])


def _name_groups(axes: Axes, names: list[str]) -> None:
    """Draw a legend beside the points, with solid symbols of one size."""
    from matplotlib.lines import Line2D

    symbols = [
        Line2D(
            [], [], linestyle="", marker=_SHAPES[k % len(_SHAPES)], color=PALETTE[k % len(PALETTE)]
        )
        for k in range(len(names))
    ]
    beside: dict[str, Any] = {"loc": "upper left", "bbox_to_anchor": (1.0, 1.0), "frameon": False}
    legend = axes.legend(symbols, names, **beside)
    for text in legend.get_texts():
        text.set_parse_math(False)
