"""The leading eigenvectors of a similarity graph that answers have changed."""

from __future__ import annotations

import numpy as np
import scipy.sparse as sp

from likewise.clusterers.spectral._eigensolvers import (
    Eigenpairs,
    Operator,
    dense_below,
    largest_eigenpairs,
    refined_eigenpairs,
)
from likewise.clusterers.spectral._linked_graph import Block, LinkedGraph
from likewise.errors import MethodError

__all__ = ["Block", "Eigenpairs", "LinkedGraph", "laplacian_eigenpairs", "unit_rows"]


def laplacian_eigenpairs(
    graph: LinkedGraph,
    n_vectors: int,
    *,
    normalisation: str,
    n_leading: int | None = None,
    start: Eigenpairs | None = None,
) -> Eigenpairs:
    """Return the `n_vectors` smallest eigenpairs of the graph's Laplacian.

    "symmetric": I − D^-½ W D^-½. "additive": L / d_max, of which (W + d_max I − D) / d_max is the
    complement; defined with negative weights too. "none": L = D − W as it is, the literal reading.

    `start`, those of a similar graph, saves most of the work on large graphs; then only the
    `n_leading` first vectors are refined until they fit, the rest as far as that takes them.
    """
    degrees = graph.degrees()
    n = len(degrees)
    n_vectors = min(n_vectors, n)
    if normalisation == "symmetric":
        # An item that has lost all its edges keeps a row of zeros.
        scale = np.where(degrees > 1e-12, 1.0 / np.sqrt(np.maximum(degrees, 1e-12)), 0.0)
        normal = graph.scaled(scale)
        times, times_single, unit = normal.times, normal.single().times, 1.0
        # Without negative weights the spectrum lies in [−1, 1]; else by Gershgorin's circles.
        lowest = -1.0 if graph.is_positive() else -float(normal.absolute_degrees().max())
    elif normalisation in ("additive", "none"):
        absolute = graph.absolute_degrees()
        # Almost only cannot-links leave no positive degree to divide by.
        d_max = float(degrees.max()) if degrees.max() > 0 else float(absolute.max()) or 1.0
        unit = 1.0 if normalisation == "additive" else d_max
        shift = 1.0 - degrees / d_max
        lowest = float((shift - absolute / d_max).min())

        def times(block: Block) -> Block:
            factor = shift if block.ndim == 1 else shift[:, None]
            return graph.times(block) / d_max + factor * block

        times_single = times

    else:
        raise MethodError(
            f"normalisation must be 'symmetric', 'additive' or 'none' but got {normalisation!r}"
        )
    operator = Operator(times, times_single, n, lowest, is_dense=not sp.issparse(graph.edges))
    found = None
    if start is not None and n > dense_below(n_vectors, is_dense=operator.is_dense):
        complement = Eigenpairs(1.0 - start.values / unit, start.vectors)
        found = refined_eigenpairs(operator, complement, n_vectors, n_leading or n_vectors)
    values, vectors = found if found is not None else largest_eigenpairs(operator, n_vectors)
    order = np.argsort(-values, kind="stable")
    return Eigenpairs(unit * (1.0 - values[order]), _fix_signs(vectors[:, order]))


def unit_rows(rows: Block) -> Block:
    """Scale rows to length one; rows of zeros (items without edges) stay where they are."""
    length = np.linalg.norm(rows, axis=1, keepdims=True)
    return np.asarray(rows / np.where(length > 1e-12, length, 1.0))


def _fix_signs(vectors: Block) -> Block:
    """Return the same vectors, each with its largest entry positive."""
    largest = np.abs(vectors).argmax(axis=0)
    signs = np.sign(vectors[largest, np.arange(vectors.shape[1])])
    return vectors * np.where(signs == 0, 1.0, signs)
