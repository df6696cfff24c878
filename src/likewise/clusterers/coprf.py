"""COP-RF: spectral clustering of a forest that respects the answers, but for the odd ones."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
import numpy.typing as npt

from likewise._seeds import seed_from
from likewise.affinities import ScreenedForest
from likewise.affinities.forest.inconsistency import Scores
from likewise.clusterers.base import FitContext, LinkedClusterer
from likewise.clusterers.likely_labels import likely_labels
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.clusterers.spectral.spectral_learning import SpectralLearning
from likewise.items import Matrix


class COPRF(LinkedClusterer):
    """Spectral clustering of the affinity of a `ScreenedForest` (COP-RF), without doubtful links.

    The forest is given all links but those thought to be wrong, and the oddest (see
    `ScreenedForest`). If no link is thought to be wrong the labels contradict none of them; else
    all are weighed: the labels follow them as far as they are likely to be right, beside the votes
    of neighbours (see `likely_labels`). `COPRF.literal` is the paper's letter.

    This is the paper's whole system, for a fixed set of links. The method "coprf" of a study is the
    same with a forest of 100 trees and 20 neighbours that is grown anew after every 16th answer;
    its questions are chosen by expected entropy (MEE), and in a study answers win always.

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
    scan : {"best", "running"}, default="best"
        Which cut a node takes: of those that part most cannot-links the one that gains most, or
        that of Algorithm 1 as printed.
    close_links : bool, default=True
        Whether trees see what follows from the links by transitivity; where some are thought to be
        wrong they never do.
    error_rate : float or None, default=None
        The share of links thought to be wrong, from 0 to below 1. None estimates it: none is wrong
        unless links contradict each other or more than a tenth of them look wrong beside the others
        (see `doubts`).
    odd_share : float, default=0.1
        The share of links that is left out besides, from 0 to below 1.
    by_kind : bool, default=True
        Whether it is counted for must-links and cannot-links by themselves how many are wrong.
    soft_links : bool, default=False
        Whether a tree sees a link only with the probability that it is right.
    plain_share : float or None, default=None
        How much of the graph is that of the features alone where links are thought to be wrong;
        None lets the links choose (see `ScreenedForest`).
    answers_win : bool or None, default=None
        Whether the labels contradict no link, of contradictory ones the least inconsistent; None
        is: if none is thought to be wrong.
    weigh_links : bool, default=True
        Whether, where `answers_win` is None and some are thought to be wrong, links count for the
        labels as far as they are likely; else they count through the forest alone, as in the paper.
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
    forest_ : ScreenedForest
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

    answers_win: bool | None  # type: ignore[assignment]
    error_rate_: float
    inconsistency_: Scores  # ξ of each link, must-links first
    used_links_: npt.NDArray[np.bool_]  # which links the forest was told, must-links first
    forest_: ScreenedForest
    affinity_matrix_: Matrix  # (n, n), that of the forest, sharpened

    def __init__(
        self,
        *,
        n_clusters: int = 2,
        n_trees: int = 1000,
        n_neighbours: float | None = 0.1,
        sharpness: float = 2.0,
        max_features: str | int | None = None,
        scan: str = "best",
        close_links: bool = True,
        error_rate: float | None = None,
        odd_share: float = 0.1,
        by_kind: bool = True,
        soft_links: bool = False,
        plain_share: float | None = None,
        answers_win: bool | None = None,
        weigh_links: bool = True,
        n_jobs: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.n_trees = n_trees
        self.n_neighbours = n_neighbours
        self.sharpness = sharpness
        self.max_features = max_features
        self.scan = scan
        self.close_links = close_links
        self.error_rate = error_rate
        self.odd_share = odd_share
        self.by_kind = by_kind
        self.soft_links = soft_links
        self.plain_share = plain_share
        self.answers_win = answers_win
        self.weigh_links = weigh_links
        self.n_jobs = n_jobs
        self.random_state = random_state

    @classmethod
    def literal(cls, **settings: Any) -> Self:
        """Return the paper to the letter; settings given replace its own.

        √d features at a node and Algorithm 1's own scan, links as they are given, shares of leaves
        as they are, the half of the links with the least ξ (β = 50 %), and labels that links reach
        through the forest alone.

        >>> COPRF.literal(n_clusters=3).get_params()["odd_share"]
        0.5
        """
        paper: dict[str, Any] = {
            "sharpness": 1.0, "max_features": "sqrt", "scan": "running", "close_links": False,
            "error_rate": 0.0, "odd_share": 0.5, "by_kind": False, "answers_win": False,
        }  # fmt: skip
        return cls(**{**paper, **settings})

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        must, cannot = context.must_link, context.cannot_link
        shared = self.get_params()
        for own in ("n_clusters", "answers_win", "weigh_links", "random_state"):
            del shared[own]
        seed = seed_from(self.random_state)
        self.forest_ = ScreenedForest(**shared, random_state=seed)
        self.forest_.fit(X, must_link=must, cannot_link=cannot)
        self.error_rate_ = self.forest_.error_rate_
        self.inconsistency_ = self.forest_.inconsistency_
        self.used_links_ = self.forest_.used_links_
        self.affinity_matrix_ = self.forest_.affinity_
        win = self.error_rate_ == 0 if self.answers_win is None else self.answers_win
        agreed = self.forest_.agreed_links_ & win
        model = SpectralLearning(
            n_clusters=self.n_clusters, affinity="precomputed", random_state=seed
        )
        model.fit(
            self.affinity_matrix_,
            must_link=must[agreed[: len(must)]],
            cannot_link=cannot[agreed[len(must) :]],
        )
        if self.answers_win is not None or not self.weigh_links or not self.error_rate_:
            return model.labels_
        pairs, same = np.vstack([must, cannot]), np.arange(len(must) + len(cannot)) < len(must)
        return likely_labels(self.affinity_matrix_, model.labels_, pairs, same, self.error_rate_)

    @property
    def _closes_links(self) -> bool:
        return False  # some may be wrong, and contradict the others
