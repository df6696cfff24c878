"""COP-RF: spectral clustering of a forest that respects the answers, but for the odd ones."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise._seeds import seed_from
from likewise.affinities import ConstraintForest
from likewise.affinities.forest.inconsistency import Pairs, Scores, doubts
from likewise.clusterers.base import FitContext, LinkedClusterer
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.spectral.spectral_learning import SpectralLearning
from likewise.errors import MethodError
from likewise.items import Matrix
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict

_WRONG_ABOVE = 0.7  # how likely the opposite of an answer must be
# Right answers about odd items look wrong too, mostly fewer than a tenth of all.
_TOLERATED_SHARE = 0.1
_SCREENING_TREES = 200  # trees that judge the answers


class COPRF(LinkedClusterer):
    """Spectral clustering of the affinity of a `ConstraintForest` (COP-RF), without doubtful links.

    The forest is given all links but the most inconsistent (eq. 11): the share that is thought to
    be wrong, and `odd_share` besides, for a must-link between odd items keeps trees from cutting
    anywhere between them, even if it is right. Of contradictory links the more inconsistent is left
    out. If no link is thought to be wrong the labels contradict none of them; else they count
    through the forest alone, as in the paper.

    This is the paper's whole system, for a fixed set of links. The method "coprf" of a study is
    another: a forest of 100 trees with 20 neighbours that is grown anew after every 16th answer,
    `SpectralLearning` of its affinity as it is, and questions by expected entropy (MEE). It gives
    the forest all answers, sharpens nothing and leaves no link out: a study looks for wrong answers
    by itself (`Study.doubtful`).

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters to find.
    n_trees : int, default=1000
        How many trees the forest has.
    n_neighbours : float or None, default=0.1
        How many neighbours the graph that is clustered has: a number, a share of the items if below
        1, or None for all pairs.
    sharpness : float, default=2.0
        The power to which shares of common leaves are raised, so that a few close items count more
        than many that are vaguely alike; 1 is the paper.
    max_features : int, "sqrt" or None, default=None
        How many features a tree tries at each node; None for all.
    close_links : bool, default=True
        Whether trees see what follows from the links by transitivity.
    error_rate : float or None, default=None
        The share of links thought to be wrong, from 0 to below 1. None estimates it: none is wrong
        unless links contradict each other or more than a tenth of them look wrong beside the others
        (see `doubts`).
    odd_share : float, default=0.1
        The share of links that is left out besides, from 0 to below 1.
    n_jobs : int or None, default=None
        How many threads grow trees; the result does not depend on it.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    error_rate_ : float
        The share of links thought to be wrong.
    inconsistency_ : ndarray of shape (n_links,)
        ξ of each link, must-links first.
    used_links_ : ndarray of shape (n_links,)
        Which links the forest was given, must-links first.
    forest_ : ConstraintForest
        The fitted forest.
    affinity_matrix_ : ndarray or sparse matrix of shape (n, n)
        The affinity of the forest, sharpened.

    References
    ----------
    Zhu, Loy and Gong: Constrained clustering with imperfect oracles, 2015, sections III-C and
    III-D, eq. 5 to 11.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.concatenate([np.linspace(0, 1, 20), np.linspace(4, 5, 20)])[:, None]
    >>> model = COPRF(n_clusters=2, n_trees=50).fit(X, must_link=[(0, 5)], cannot_link=[(3, 30)])
    >>> np.bincount(model.labels_).tolist(), model.used_links_.tolist()
    ([20, 20], [True, True])
    """

    error_rate_: float
    inconsistency_: Scores  # ξ of each link, must-links first
    used_links_: npt.NDArray[np.bool_]  # which links the forest was told, must-links first
    forest_: ConstraintForest
    affinity_matrix_: Matrix  # (n, n), that of the forest, sharpened

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        n_trees: int = 1000,
        n_neighbours: float | None = 0.1,
        sharpness: float = 2.0,
        max_features: str | int | None = None,
        close_links: bool = True,
        error_rate: float | None = None,
        odd_share: float = 0.1,
        n_jobs: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_trees = n_trees
        self.n_neighbours = n_neighbours
        self.sharpness = sharpness
        self.max_features = max_features
        self.close_links = close_links
        self.error_rate = error_rate
        self.odd_share = odd_share
        self.n_jobs = n_jobs
        self.random_state = random_state

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        n = len(X)
        must, cannot = context.must_link, context.cannot_link
        pairs = np.vstack([must, cannot])
        same = np.arange(len(pairs)) < len(must)
        screening: dict[str, Any] = {
            "must_link": must,
            "cannot_link": cannot,
            "n_trees": _SCREENING_TREES,
            "n_jobs": self.n_jobs,
            "random_state": seed_from(self.random_state),
        }
        self.inconsistency_ = doubts(X, measure="inconsistency", **screening)
        agreed = consistent_links(n, pairs, same, self.inconsistency_)
        self.error_rate_ = (
            _estimated_error_rate(doubts(X, **screening), agreed)
            if self.error_rate is None
            else self.error_rate
        )
        self.used_links_ = lowest_scoring(
            self.inconsistency_, agreed, share=1 - self.odd_share - self.error_rate_
        )
        self.forest_ = ConstraintForest(
            n_trees=self.n_trees,
            max_features=self.max_features,
            close_links=self.close_links,
            n_neighbours=_number(self.n_neighbours, n),
            n_jobs=self.n_jobs,
            random_state=seed_from(self.random_state),
        ).fit(
            X, must_link=pairs[self.used_links_ & same], cannot_link=pairs[self.used_links_ & ~same]
        )
        self.affinity_matrix_ = _power(self.forest_.affinity_, self.sharpness)
        model = SpectralLearning(
            n_clusters=self.n_clusters,
            affinity="precomputed",
            random_state=seed_from(self.random_state),
        )
        sure = agreed & (self.error_rate_ == 0)
        model.fit(
            self.affinity_matrix_, must_link=pairs[sure & same], cannot_link=pairs[sure & ~same]
        )
        return model.labels_

    @property
    def _closes_links(self) -> bool:
        return False  # some may be wrong, and contradict the others

    def _check_parameters(self, n_features: int) -> None:
        if self.sharpness <= 0:
            raise MethodError(f"sharpness must be above 0, not {self.sharpness}")
        if self.error_rate is not None and not 0 <= self.error_rate < 1:
            raise MethodError(f"error_rate must be from 0 to below 1, not {self.error_rate}")
        if not 0 <= self.odd_share < 1:
            raise MethodError(f"odd_share must be from 0 to below 1, not {self.odd_share}")


def _estimated_error_rate(doubt: Scores, agreed: npt.NDArray[np.bool_]) -> float:
    """Return the share of links that look wrong, if there is reason to think that any is."""
    if not len(doubt):
        return 0.0
    share_wrong = float(np.mean(doubt > _WRONG_ABOVE))
    contradicted = float(np.mean(~agreed))
    return max(share_wrong, contradicted) if contradicted or share_wrong > _TOLERATED_SHARE else 0.0


def lowest_scoring(
    score: Scores, among: npt.NDArray[np.bool_], *, share: float
) -> npt.NDArray[np.bool_]:  # (links,)
    """Return so large a share of some links, those of the lowest score; ties stay.

    >>> among = np.array([True, True, True, False])
    >>> lowest_scoring(np.array([0.3, 0.1, 0.2, 0.0]), among, share=0.5)
    array([False,  True,  True, False])
    """
    n_kept = int(np.ceil(max(share, 0.0) * among.sum()))
    most = np.sort(score[among])[n_kept - 1] if n_kept else -np.inf
    return np.asarray(among & (score <= most))


def consistent_links(
    n_items: int, links: Pairs, same: npt.NDArray[np.bool_], doubt: Scores
) -> npt.NDArray[np.bool_]:
    """Return which links stay if, the least doubtful first, none may contradict what is there.

    >>> triangle = np.array([[0, 1], [1, 2], [0, 2]])
    >>> consistent_links(3, triangle, np.array([True, True, False]), np.array([0.1, 0.9, 0.2]))
    array([ True, False,  True])
    """
    known = Constraints(n_items)
    agreed = np.zeros(len(links), dtype=bool)
    for link in np.argsort(doubt, kind="stable").tolist():
        i, j = links[link].tolist()
        verdict = Verdict.SAME if same[link] else Verdict.DIFFERENT
        agreed[link] = known.add(Answer(link, Pair(i, j), verdict))
    return agreed


def _power(affinity: Matrix, exponent: float) -> Matrix:
    """Return every entry to the power of the exponent."""
    return affinity.power(exponent) if sp.issparse(affinity) else affinity**exponent


def _number(n_neighbours: float | None, n: int) -> int | None:
    """Return how many neighbours; a number below one is a share of the items."""
    if n_neighbours is None:
        return None
    if n_neighbours <= 0:
        raise MethodError(f"n_neighbours must be above 0 or None, not {n_neighbours}")
    return max(1, int(n_neighbours * n if n_neighbours < 1 else n_neighbours))
