"""A constraint forest that is not told answers which are probably wrong, nor the oddest ones."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp
from sklearn.utils import check_array

from likewise._seeds import seed_from
from likewise.affinities.base import Links, checked_links
from likewise.affinities.forest.constraint_forest import ConstraintForest
from likewise.affinities.forest.inconsistency import Pairs, Scores, both_doubts
from likewise.affinities.kernels import Gaussian
from likewise.errors import MethodError
from likewise.items import Matrix
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict

Flags = npt.NDArray[np.bool_]

_WRONG_ABOVE = 0.7  # how likely the opposite of an answer must be
# Right answers about odd items look wrong too, mostly fewer than a tenth of all.
_TOLERATED_SHARE = 0.1
_SCREENING_TREES = 200  # trees that judge the answers
_PLAIN_SHARE = 0.75  # of the graph, where the forest is not seen to know more than distances do


class ScreenedForest(ConstraintForest):
    """The forest of COP-RF: a `ConstraintForest` that some of the links are kept from.

    Left out are, of must-links and of cannot-links each, as many as are thought to be wrong, those
    first whose opposite trees say that have not seen them; and of the others the `odd_share` that
    is most inconsistent (eq. 11), for a must-link between odd items keeps trees from cutting
    anywhere between them, even if it is right.

    Parameters
    ----------
    n_trees : int, default=1000
        How many trees are grown.
    min_leaf : int, default=1
        The fewest rows of the bag on either side of a cut.
    max_features : int, "sqrt" or None, default=None
        How many features are tried at each node: a number, the square root of all, or None for all.
    to_single_rows : bool, default=True
        Whether a node where no cut gains anything is cut in halves, down to single rows.
    scan : {"best", "running"}, default="best"
        Which of the cuts that part no must-linked pair is taken; "running" is Algorithm 1 as
        printed.
    close_links : bool, default=True
        Whether trees see what follows from the links by transitivity. Where some are thought to be
        wrong they never do: a wrong one would spread.
    cut_sample : int, default=10000
        A node of more rows of the bag is cut at one of the values of so many of them.
    n_neighbours : float or None, default=0.1
        How many neighbours an item has in a sparse graph: a number, a share of the items if below
        1, or None for all pairs.
    sharpness : float, default=2.0
        The power to which shares of common leaves are raised, so that a few close items count more
        than many that are vaguely alike; 1 is the paper.
    error_rate : float or None, default=None
        The share of links thought to be wrong, from 0 to below 1. None estimates it: none is wrong
        unless links contradict each other or more than a tenth of them look wrong beside the others
        (see `doubts`).
    odd_share : float, default=0.1
        The share of links that is left out besides, from 0 to below 1.
    by_kind : bool, default=True
        Whether it is counted for must-links and cannot-links by themselves how many are wrong;
        where kinds are many most wrong ones are must-links. False leaves out the most inconsistent
        of all.
    soft_links : bool, default=False
        Whether a tree sees a link only with the probability that it is right.
    plain_share : float or None, default=None
        How much of the graph is that of the features alone (a self-tuning Gaussian) where links
        are thought to be wrong, from 0 to 1. None lets the links choose between nothing of it and
        three quarters, by whether trees that have not seen a link or distances tell the links
        better. The forest must be ahead by a standard error where most must-links are thought to be
        wrong, as with many kinds; else distances must.
    n_jobs : int or None, default=None
        How many threads grow trees; the result does not depend on it.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    affinity_ : ndarray or sparse matrix of shape (n, n)
        Shares of common leaves (eq. 8 and 9), sharpened, sparse with `n_neighbours`.
    error_rate_ : float
        The share of links thought to be wrong.
    inconsistency_ : ndarray of shape (n_links,)
        ξ of each link, must-links first.
    plain_share_ : float
        How much of the graph is that of the features alone.
    agreed_links_ : ndarray of shape (n_links,)
        Which links contradict no less doubtful one, must-links first.
    used_links_ : ndarray of shape (n_links,)
        Which links the trees were given, must-links first.
    leaves_ : ndarray of shape (n, n_trees)
        The leaf of each item in each tree, by its number within the tree.
    feature_importances_ : ndarray of shape (d,)
        Each feature's share of the gain in Gini impurity (eq. 5).
    trees_ : list of Tree
        The trees.

    References
    ----------
    Zhu, Loy and Gong: Constrained clustering with imperfect oracles, 2015, sections III-C and
    III-D, eq. 5 to 11.

    Examples
    --------
    >>> import numpy as np
    >>> X = np.concatenate([np.linspace(0, 1, 20), np.linspace(4, 5, 20)])[:, None]
    >>> same = [(0, 5), (1, 9), (3, 7), (21, 25), (22, 38), (6, 12), (2, 33)]  # the last is wrong
    >>> different = [(0, 20), (5, 30), (8, 33), (9, 39), (11, 21), (15, 26)]
    >>> forest = ScreenedForest(n_trees=50, error_rate=0.2)
    >>> forest.fit(X, must_link=same, cannot_link=different).used_links_.sum() < 13
    np.True_
    """

    error_rate_: float
    plain_share_: float
    inconsistency_: Scores
    agreed_links_: Flags
    used_links_: Flags

    def __init__(
        self,
        *,
        n_trees: int = 1000,
        min_leaf: int = 1,
        max_features: str | int | None = None,
        to_single_rows: bool = True,
        scan: str = "best",
        close_links: bool = True,
        cut_sample: int = 10_000,
        n_neighbours: float | None = 0.1,
        sharpness: float = 2.0,
        error_rate: float | None = None,
        odd_share: float = 0.1,
        by_kind: bool = True,
        soft_links: bool = False,
        plain_share: float | None = None,
        n_jobs: int | None = None,
        random_state: int = 0,
    ) -> None:
        self.n_trees = n_trees
        self.min_leaf = min_leaf
        self.max_features = max_features
        self.to_single_rows = to_single_rows
        self.scan = scan
        self.close_links = close_links
        self.cut_sample = cut_sample
        self.n_neighbours = n_neighbours
        self.sharpness = sharpness
        self.error_rate = error_rate
        self.odd_share = odd_share
        self.by_kind = by_kind
        self.soft_links = soft_links
        self.plain_share = plain_share
        self.n_jobs = n_jobs
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        on_tree: Callable[[], None] | None = None,
    ) -> Self:
        """Judge the links, grow the trees and compute `affinity_`."""
        self._check_screening()
        rows = check_array(X, dtype=np.float64, ensure_min_samples=2, estimator=self)
        n = len(rows)
        must = checked_links(must_link, n, "must_link")
        cannot = checked_links(cannot_link, n, "cannot_link")
        pairs, same = np.vstack([must, cannot]), np.arange(len(must) + len(cannot)) < len(must)
        opposite, self.inconsistency_ = both_doubts(
            rows,
            must_link=must,
            cannot_link=cannot,
            n_trees=_SCREENING_TREES,
            n_jobs=self.n_jobs,
            random_state=seed_from(self.random_state),
        )
        self.agreed_links_ = consistent_links(n, pairs, same, self.inconsistency_)
        self.error_rate_ = (
            _estimated_error_rate(opposite, self.agreed_links_)
            if self.error_rate is None
            else self.error_rate
        )
        self.used_links_ = self._guiding(same, opposite)
        used = self.used_links_
        self._chance = None
        if self.soft_links and self.error_rate_ > 0:
            right = 1 - wrong_probability(opposite, self.error_rate_)
            self._chance = right[used & same], right[used & ~same]
        super().fit(
            X,
            must_link=pairs[used & same],
            cannot_link=pairs[used & ~same],
            on_tree=on_tree,
        )
        self.plain_share_ = self._chosen_plain_share(rows, pairs, same)
        self.affinity_ = self._with_plain_graph(rows, _power(self.affinity_, self.sharpness))
        return self

    def _guiding(self, same: Flags, opposite: Scores) -> Flags:
        """Return which links the trees are to see."""
        every = self.agreed_links_ if self._closing else np.ones(len(same), dtype=bool)
        if not self.by_kind:
            share = 1 - self.odd_share - self.error_rate_
            return lowest_scoring(self.inconsistency_, every, share=share)
        kept = np.zeros(len(same), dtype=bool)
        for kind, wrong in zip((same, ~same), wrong_by_kind(same, self.error_rate_), strict=True):
            kept |= lowest_scoring(opposite, every & kind, share=1 - wrong)
        return lowest_scoring(self.inconsistency_, kept, share=1 - self.odd_share)

    @property
    def _closing(self) -> bool:
        """Whether trees see what follows from the links."""
        return self.close_links and not (self.by_kind and self.error_rate_ > 0)

    def _chosen_plain_share(self, X: npt.NDArray[np.float64], pairs: Pairs, same: Flags) -> float:
        """Return how much of the graph is to be that of the features alone."""
        if self.plain_share is not None or not self.error_rate_:
            return (self.plain_share or 0.0) if self.error_rate_ else 0.0
        if not 0 < same.sum() < len(same):
            return _PLAIN_SHARE
        from sklearn.metrics import roc_auc_score as auc

        away = np.linalg.norm(X[pairs[:, 0]] - X[pairs[:, 1]], axis=1)
        ahead = auc(same, self.unseen_shares(pairs)) - auc(same, -away)
        # The standard error of the difference of two areas of a half, of so many of either kind.
        spread = np.sqrt((1 / same.sum() + 1 / (~same).sum()) / 6)
        needed = spread if wrong_by_kind(same, self.error_rate_)[0] > 0.5 else -spread
        return 0.0 if ahead > needed else _PLAIN_SHARE

    def _with_plain_graph(self, X: npt.NDArray[np.float64], affinity: Matrix) -> Matrix:
        """Return the graph, that of the features alone mixed in where answers err."""
        if not self.plain_share_:
            return affinity
        n_neighbours = None if self.n_neighbours is None else self._graph_size(len(X))
        plain = Gaussian(n_neighbours=n_neighbours).fit(X).affinity_
        total, other = float(affinity.sum()), float(plain.sum())
        if not total or not other:
            return affinity if total else plain
        mixed = (1 - self.plain_share_) * affinity + self.plain_share_ * (total / other) * plain
        return sp.csr_matrix(mixed) if sp.issparse(mixed) else np.asarray(mixed)

    def _check_screening(self) -> None:
        if self.sharpness <= 0:
            raise MethodError(f"sharpness must be above 0, not {self.sharpness}")
        if self.error_rate is not None and not 0 <= self.error_rate < 1:
            raise MethodError(f"error_rate must be from 0 to below 1, not {self.error_rate}")
        if not 0 <= self.odd_share < 1:
            raise MethodError(f"odd_share must be from 0 to below 1, not {self.odd_share}")
        if self.plain_share is not None and not 0 <= self.plain_share <= 1:
            raise MethodError(f"plain_share must be from 0 to 1, not {self.plain_share}")


def wrong_by_kind(same: Flags, error_rate: float) -> tuple[float, float]:
    """Return which share of must-links, and of cannot-links, is to be expected to be wrong.

    With a share p of pairs the same and a share e of answers wrong, whichever they are, p(1 - e) +
    (1 - p)e of the answers are "same". That gives p, and by Bayes e(1 - p) / (p(1 - e) + (1 - p)e)
    of them are wrong.

    >>> same = np.arange(100) < 24
    >>> [round(share, 2) for share in wrong_by_kind(same, 0.15)]  # most pairs differ
    [0.54, 0.03]
    """
    said = float(same.mean()) if len(same) else 0.0
    if not error_rate or not 0 < said < 1:
        return error_rate, error_rate
    if error_rate >= 0.5:  # then nothing that was said tells what is true
        return error_rate, error_rate
    true = min(max((said - error_rate) / (1 - 2 * error_rate), 0.0), 1.0)
    return min(error_rate * (1 - true) / said, 1.0), min(error_rate * true / (1 - said), 1.0)


def wrong_probability(opposite: Scores, error_rate: float) -> Scores:
    """Return how likely each link is wrong, given how likely its opposite is to be said.

    Those who say it err themselves: of what they say a share e is turned round, which is undone.
    Then it is weighed against the answer that was given, which is right with 1 - e.

    >>> wrong_probability(np.array([0.15, 0.5, 0.85]), 0.15).round(2)
    array([0.  , 0.15, 1.  ])
    """
    e = min(error_rate, 0.49)
    true = np.clip((opposite - e) / (1 - 2 * e), 0.0, 1.0)
    wrong: Scores = true * e / np.maximum(true * e + (1 - true) * (1 - e), 1e-300)
    return wrong


def _estimated_error_rate(doubt: Scores, agreed: Flags) -> float:
    """Return the share of links that look wrong, if there is reason to think that any is."""
    if not len(doubt):
        return 0.0
    share_wrong = float(np.mean(doubt > _WRONG_ABOVE))
    contradicted = float(np.mean(~agreed))
    return max(share_wrong, contradicted) if contradicted or share_wrong > _TOLERATED_SHARE else 0.0


def lowest_scoring(score: Scores, among: Flags, *, share: float) -> Flags:  # (links,)
    """Return so large a share of some links, those of the lowest score; ties stay.

    >>> among = np.array([True, True, True, False])
    >>> lowest_scoring(np.array([0.3, 0.1, 0.2, 0.0]), among, share=0.5)
    array([False,  True,  True, False])
    """
    n_kept = int(np.ceil(max(share, 0.0) * among.sum()))
    most = np.sort(score[among])[n_kept - 1] if n_kept else -np.inf
    return np.asarray(among & (score <= most))


def consistent_links(n_items: int, links: Pairs, same: Flags, doubt: Scores) -> Flags:
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
