"""Which rows are to stand for others, too, once a pile has grown."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.clusterers.representative_votes import nearest
from likewise.partitions._local_kmeans import Singles

Positions = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]

# Chosen on piles of 50 Gaussian groups in 2, 8 and 32 dimensions: of rows like those that there
# were, few join, time and again; of other groups, enough.
_APART = 1.5  # times as far from what is known as from any other candidate
_LONELY = 3.0  # times as far from what is known as candidates usually are from each other
_CROWDED = 4.0  # times as many rows as usual, for which what is known is too few


def joining(
    candidates: Singles, sizes: Positions, known: Singles
) -> Positions:  # positions of candidates, ascending
    """Return the candidates that are needed beside the rows that are known.

    A candidate to which no known row is nearest may be needed. Of these join

    - who lies farther from all candidates with such a row than candidates usually do from each
      other, and than it does from any other, or far from them anyway;
    - where these stand for far more rows than is usual, as many as are missing there, the farthest
      first;
    - and those that lie farthest apart, until there are as many as candidates.

    Parameters
    ----------
    candidates : array (c, d)
        Representatives of all rows, found as if none were known.
    sizes : array of int (c,)
        For how many rows each of these stands.
    known : array (a, d)
        The rows that are known.
    """
    n_rows_known = np.bincount(
        nearest(known, candidates, 1).positions[:, 0], minlength=len(candidates)
    )
    is_covered = n_rows_known > 0
    covered = np.flatnonzero(is_covered)
    near = nearest(candidates, candidates[covered], 1)
    home, away = near.positions[:, 0].astype(np.int64), near.distances[:, 0]
    home[covered], away[covered] = np.arange(len(covered)), 0.0
    spacing = nearest(candidates, candidates, 2).distances[:, -1]
    usual = np.median(spacing)
    is_new = (away > _APART * spacing) & (away > usual)
    is_new |= away > _LONELY * usual
    is_new |= _missing(home, away, sizes, n_rows_known[covered])
    is_new &= ~is_covered
    apart = np.where(is_new | is_covered, -np.inf, away / np.maximum(spacing, 1e-30))
    n_short = max(len(candidates) - len(known) - int(is_new.sum()), 0)
    is_new[np.argsort(-apart, kind="stable")[:n_short]] = True
    return np.flatnonzero(is_new & ~is_covered)


def _missing(
    home: Positions, away: Singles, sizes: Positions, n_known: Positions
) -> Flags:  # (candidates,)
    """Return the candidates that are missing where known rows stand for too many others.

    `home` is the place with known rows that is nearest to each candidate, `away` how far that is,
    and `n_known` how many such rows there are at each place.
    """
    usual = sizes.sum() / len(sizes)
    load = np.bincount(home, weights=sizes, minlength=len(n_known))
    is_crowded = load > _CROWDED * usual * n_known
    n_missing = np.where(is_crowded, np.rint(load / usual) - n_known, 0)
    order = np.lexsort((-away, home))
    begins = np.searchsorted(home[order], np.arange(len(n_known)))
    rank = np.empty(len(home), dtype=np.int64)
    rank[order] = np.arange(len(home)) - begins[home[order]]
    return np.asarray(rank < n_missing[home])
