"""The clusterer of rows that are duplicates of each other."""

from __future__ import annotations

from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit
from sklearn.base import BaseEstimator, ClusterMixin

from likewise.affinities.base import Links, checked_links
from likewise.auto._fewer_groups import at_most_groups
from likewise.auto.records.compared_pairs import ComparedPairs
from likewise.auto.records.pair_model import PairModel
from likewise.auto.records.partition import best_partition
from likewise.clusterers.base import FitsOn
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.errors import MethodError
from likewise.features.records import Records
from likewise.items import Matrix
from likewise.journal.group_number import NumberOfGroups, checked_number, exact_number

Floats = npt.NDArray[np.float64]

_STRIDE = 16  # answers after which what copies look like is found out again
_LIKELY = 0.2  # pairs by which records are tied together for closer comparison
_ABSENT = -3.0  # log odds of pairs that were too far apart to be compared
# Where hardly anything has two partners, groups of more are exceptions, often a mistake; what is
# answered about them says little about others.
_RARELY, _ODD_COUNTS = 0.1, 0.2
_UNTHINKABLE = 0.005  # a pair that was so unlikely and yet is the same
_SURPRISES, _SURPRISING = 2, 0.2  # so many of them, and this share, refute duplicates


class RecordLinkage(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Groups rows of a table that are about the same thing.

    Rows are compared column by column where they share rare pieces; a model of pairs
    (`PairModel`), learned from all of them and from the answers, says how likely any two are the
    same; and the groups are those under which the pairs are likeliest (`best_partition`). No link
    is contradicted.

    Parameters
    ----------
    records : Records or None
        The rows; without any there is nothing to compare, and `fit` refuses.
    n_clusters : int, tuple of two int or None
        The number of groups where it is known: there are never more.
    random_state : int
        Ignored: nothing is drawn.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Groups, numbered from 0.
    n_clusters_ : int
        How many there are.
    confidence_ : ndarray of shape (n,)
        How likely each row has the partners it is put together with, and no other.
    candidates_ : ComparedPairs
        The pairs that were compared.
    same_ : ndarray of shape (m,)
        How likely each of them is the same; 0 or 1 where it is known.
    model_ : PairModel
        What was learned.
    first_same_ : ndarray of shape (m,)
        How likely each of the pairs that blocking found was before any answer.
    n_matches_ : float
        How many pairs are expected to be the same.
    about_ : str
        A sentence about the pile.

    Examples
    --------
    >>> names = ["Ann Lee", "Lee, Ann", "Bob Ray", "Bob Rey", "Cy Orr", "Dee Fox"]
    >>> records = Records({"name": names, "phone": ["123", "123", "456", "45", "789", "012"]})
    >>> model = RecordLinkage(records=records).fit(np.zeros((6, 1)), must_link=[(0, 1)])
    >>> model.labels_[0] == model.labels_[1]
    np.True_
    """

    fits_on: ClassVar[FitsOn] = "both"
    finds_n_clusters: ClassVar[bool] = True
    takes_range: ClassVar[bool] = True

    labels_: Labels
    n_clusters_: int
    confidence_: Floats
    candidates_: ComparedPairs
    same_: Floats
    model_: PairModel
    first_same_: Floats
    n_matches_: float
    _n_learned: int  # answers from which the model has learned what copies look like
    _odd: npt.NDArray[np.bool_]  # (n,)

    def __init__(
        self,
        *,
        records: Records | None = None,
        n_clusters: NumberOfGroups = None,
        random_state: int = 0,
    ) -> None:
        self.records = records
        self.n_clusters = n_clusters
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: Self | None = None,
        affinity: Matrix | None = None,
    ) -> Self:
        """Group the rows; X, their features, is only there to reduce groups to a given number."""
        if self.records is None:
            raise MethodError("record linkage needs the rows of a table; give records=")
        n = len(self.records)
        checked_number(self.n_clusters, n)
        links = LinkedGroups.of(n, must_link, cannot_link)
        asked = np.vstack(
            [checked_links(must_link, n, "must_link"), checked_links(cannot_link, n, "cannot_link")]
        )
        if start is None or start.candidates_.records is not self.records:
            start = self._look()
        self.first_same_ = start.first_same_
        self.candidates_ = start.candidates_.with_pairs(asked)
        self._learn(links, len(asked), start)
        self._set_probabilities(links)
        self._group(X, links)
        return self

    def _look(self) -> Self:
        """Return what the pairs alone teach, before any answer."""
        first = type(self)(records=self.records)
        assert self.records is not None
        near = ComparedPairs.near(self.records)
        model = PairModel(self.records.columns, len(self.records))
        nothing = np.full(len(near), np.nan)
        model.fit(near.pairs, near.levels, self.records.random_levels, nothing, nothing)
        first.first_same_ = expit(model.log_odds(near.pairs, near.levels))
        first.candidates_ = near = near.closed(first.first_same_ > _LIKELY)
        first.model_, first._n_learned = model, 0
        n, log_odds = len(self.records), model.log_odds(near.pairs, near.levels)
        first._odd = _odd_ones(
            best_partition(n, near.pairs, log_odds, LinkedGroups.none(n), _ABSENT)
        )
        return first

    def _learn(self, links: LinkedGroups, n_asked: int, start: Self) -> None:
        """Find what copies look like every 16 answers, and how much that counts every time."""
        near, records = self.candidates_, self.candidates_.records
        self._odd = start._odd
        known = near.known(links)
        telling = np.where(self._odd[near.pairs].all(axis=1), _ODD_COUNTS, 1.0)
        if n_asked < start._n_learned + _STRIDE:
            self._n_learned = start._n_learned
            self.model_ = start.model_.corrected(near.pairs, near.levels, known, telling)
            return
        self._n_learned = n_asked
        model = PairModel(records.columns, len(records))
        self.model_ = model.fit(near.pairs, near.levels, records.random_levels, known, telling)

    def _set_probabilities(self, links: LinkedGroups) -> None:
        near = self.candidates_
        self._log_odds = self.model_.log_odds(near.pairs, near.levels)
        known = near.known(links)
        self.same_ = np.where(np.isfinite(known), known, expit(self._log_odds))
        self.n_matches_ = float(self.same_.sum())

    def _group(self, X: Any, links: LinkedGroups) -> None:
        near = self.candidates_
        n = len(near.records)
        labels = best_partition(n, near.pairs, self._log_odds, links, _ABSENT)
        most = exact_number(self.n_clusters)
        if most is not None and int(labels.max()) + 1 > most:
            labels = at_most_groups(labels, most, links, np.asarray(X, dtype=np.float64))
        self.labels_ = labels
        self.n_clusters_ = int(labels.max()) + 1
        self.confidence_ = self._confidence()

    def _confidence(self) -> Floats:  # (n,)
        """Return how likely each row has its partners, by the likeliest, and none besides."""
        i, j = self.candidates_.pairs.T
        together = self.labels_[i] == self.labels_[j]
        partner, other = np.zeros(len(self.labels_)), np.zeros(len(self.labels_))
        for side in (i, j):
            np.maximum.at(partner, side[together], self.same_[together])
            np.maximum.at(other, side[~together], self.same_[~together])
        alone = np.bincount(self.labels_)[self.labels_] == 1
        return np.asarray(np.where(alone, 1.0, partner) * (1 - other))

    # -- for strategies ----------------------------------------------------------------------

    def same_probability(self, i: int, j: int) -> float:
        """Return how likely two rows are the same."""
        at = self.candidates_.position(i, j)
        if at is not None:
            return float(self.same_[at])
        pairs = np.array([[i, j]])
        return float(expit(self.model_.log_odds(pairs, self.candidates_.records.compare(pairs)))[0])

    def refuted_by(self, must_link: Links, cannot_link: Links) -> bool:
        """Return whether answers show that groups are something else than duplicates.

        They do if pairs are the same that have nothing in common: twice, and one in five of them.
        """
        n = len(self.candidates_.records)
        same, different = (
            self._unthinkable(checked_links(links, n, "links"))
            for links in (must_link, cannot_link)
        )
        return same >= _SURPRISES and same > _SURPRISING * (same + different)

    def unthinkable(self, pairs: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return which pairs looked, before any answer, as if they could not be the same."""
        records = self.candidates_.records
        n = len(records)
        near = ComparedPairs.near(records).pairs
        keys, wanted = near[:, 0] * n + near[:, 1], np.sort(pairs, axis=1)
        at = np.searchsorted(keys, wanted[:, 0] * n + wanted[:, 1])
        at = np.minimum(at, max(len(keys) - 1, 0))
        found = (near[at] == wanted).all(axis=1) if len(near) else np.zeros(len(pairs), dtype=bool)
        return np.asarray(~found | (self.first_same_[at] < _UNTHINKABLE))

    def _unthinkable(self, pairs: npt.NDArray[np.int64]) -> int:
        return int(self.unthinkable(pairs).sum()) if len(pairs) else 0

    @property
    def about_(self) -> str:
        """What the pile looks like, for the person who answers."""
        sizes = np.bincount(self.labels_)
        partnered = int(sizes[sizes > 1].sum())
        most = (
            "most things have at most one partner"
            if sizes.max() <= 2
            else (f"most things have at most one partner, none more than {int(sizes.max()) - 1}")
        )
        return (
            f"These look like duplicates of each other: {most}. About {self.n_matches_:,.0f} pairs "
            f"are expected to be the same; {partnered:,} of {len(self.labels_):,} rows have a "
            "partner so far."
        )


def _odd_ones(labels: Labels) -> npt.NDArray[np.bool_]:  # (n,)
    """Return which rows have several partners, if hardly any that have one do."""
    sizes = np.bincount(labels)[labels]
    several = sizes > 2
    rare = several.sum() < _RARELY * max((sizes > 1).sum(), 1)
    return np.asarray(several & rare)
