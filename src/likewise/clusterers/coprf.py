"""COP-RF: spectral clustering of a forest that respects the answers it has no reason to doubt."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from likewise.affinities import ConstraintForest
from likewise.affinities.base import Links, checked_links
from likewise.clusterers.base import Labels, check_n_clusters
from likewise.clusterers.spectral import SpectralLearning
from likewise.constraints import Constraints
from likewise.doubt import Pairs, Scores, doubts
from likewise.errors import MethodError
from likewise.items import Matrix
from likewise.pairs import Answer, Pair, Verdict

_DOUBTED = 0.7  # how likely the opposite of an answer must be
# Right answers about odd items look wrong too, mostly fewer than a tenth; wrong ones come on top.
_RIGHT_BUT_ODD = 0.1
_JUDGES = 100  # trees that judge the answers


class COPRF(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Spectral clustering of the affinity of a `ConstraintForest` (COP-RF), with links.

    `trust` says which links count. With "auto" all do, unless more than a tenth of them look wrong
    beside the others (`doubts`): then these are left out. A number is the share that is kept, the
    least doubted, the paper's β: 1 keeps all, 0.5 is the paper's choice. Of contradictory links
    the more doubtful is left out. Where no link was left out for its doubt, the labels contradict
    none of them; where some were, others may be wrong as well, and links count through the forest
    alone, as in the paper.

    Trees try `max_features` at each node and see what follows from the links (`close_links`);
    nodes in which nothing is gained are leaves, as in the paper's Algorithm 1. The shares of common
    leaves are raised to the power `sharpness`, so that a few close items count more than many that
    are vaguely alike; 1 is the paper. The graph that is clustered has `n_neighbours`: a number, a
    share of the items (the paper takes 0.1), or None for all pairs.

    Zhu, Loy and Gong, "Constrained clustering with imperfect oracles", 2015.

    >>> import numpy as np
    >>> X = np.concatenate([np.linspace(0, 1, 20), np.linspace(4, 5, 20)])[:, None]
    >>> model = COPRF(n_clusters=2, n_trees=50).fit(X, must_link=[(0, 5)], cannot_link=[(3, 30)])
    >>> np.bincount(model.labels_).tolist(), model.trusted_.tolist()
    ([20, 20], [True, True])
    """

    labels_: Labels
    n_clusters_: int
    doubts_: Scores  # of each link, must-links first
    trusted_: npt.NDArray[np.bool_]  # which links counted, must-links first
    forest_: ConstraintForest
    affinity_matrix_: Matrix  # (n, n), that of the forest, sharpened

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        n_trees: int = 1000,
        n_neighbours: float | None = 0.2,
        sharpness: float = 3.0,
        max_features: str | int | None = None,
        close_links: bool = True,
        trust: str | float = "auto",
        n_jobs: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_trees = n_trees
        self.n_neighbours = n_neighbours
        self.sharpness = sharpness
        self.max_features = max_features
        self.close_links = close_links
        self.trust = trust
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: Any = None,
    ) -> Self:
        """Cluster the rows of X; `start` is accepted and not needed."""
        X = validate_data(self, X, ensure_min_samples=2, dtype=np.float64)
        n = len(X)
        check_n_clusters(self.n_clusters, n)
        if self.sharpness <= 0:
            raise MethodError(f"sharpness must be above 0, not {self.sharpness}")
        must = checked_links(must_link, n, "must_link")
        cannot = checked_links(cannot_link, n, "cannot_link")
        links = np.vstack([must, cannot])
        same = np.arange(len(links)) < len(must)
        settings: dict[str, Any] = {"n_jobs": self.n_jobs, "random_state": self.random_state}
        self.doubts_ = doubts(X, must_link=must, cannot_link=cannot, n_trees=_JUDGES, **settings)
        undoubted = self._undoubted()
        self.trusted_ = undoubted & consistent(n, links, same, np.where(undoubted, self.doubts_, 2))
        given: dict[str, Any] = {
            "must_link": links[self.trusted_ & same],
            "cannot_link": links[self.trusted_ & ~same],
        }
        self.forest_ = ConstraintForest(
            n_trees=self.n_trees,
            max_features=self.max_features,
            to_single_rows=False,
            close_links=self.close_links,
            n_neighbours=_number(self.n_neighbours, n),
            **settings,
        ).fit(X, **given)
        self.affinity_matrix_ = _power(self.forest_.affinity_, self.sharpness)
        model = SpectralLearning(
            n_clusters=self.n_clusters, affinity="precomputed", random_state=self.random_state
        )
        model.fit(self.affinity_matrix_, **(given if undoubted.all() else {}))
        self.labels_, self.n_clusters_ = model.labels_, model.n_clusters_
        return self

    def _undoubted(self) -> npt.NDArray[np.bool_]:
        """The links that are not left out for their doubt."""
        if isinstance(self.trust, str):
            if self.trust != "auto":
                raise MethodError(f"trust must be 'auto' or a share, not {self.trust!r}")
            doubted = self.doubts_ > _DOUBTED
            few = doubted.sum() <= _RIGHT_BUT_ODD * len(doubted)
            return np.ones(len(doubted), dtype=bool) if few else ~doubted
        if not 0 <= self.trust <= 1:
            raise MethodError(f"trust must be between 0 and 1, not {self.trust}")
        n_kept = int(np.ceil(self.trust * len(self.doubts_)))
        most = np.sort(self.doubts_)[n_kept - 1] if n_kept else -np.inf
        return np.asarray(self.doubts_ <= most)


def consistent(
    n_items: int, links: Pairs, same: npt.NDArray[np.bool_], doubt: Scores
) -> npt.NDArray[np.bool_]:
    """Which links stay if, the least doubtful first, none may contradict what is there.

    >>> triangle = np.array([[0, 1], [1, 2], [0, 2]])
    >>> consistent(3, triangle, np.array([True, True, False]), np.array([0.1, 0.9, 0.2]))
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
    """Every entry to the power of the exponent."""
    return affinity.power(exponent) if sp.issparse(affinity) else affinity**exponent


def _number(n_neighbours: float | None, n: int) -> int | None:
    """How many neighbours; a number below one is a share of the items."""
    if n_neighbours is None:
        return None
    if n_neighbours <= 0:
        raise MethodError(f"n_neighbours must be above 0 or None, not {n_neighbours}")
    return max(1, int(n_neighbours * n if n_neighbours < 1 else n_neighbours))
