"""Clusterers that ask: their algorithm is a dialogue, replayed from the start at every fit.

A dialogue is a generator. It yields a `Step`, pairs of items whose verdicts it wants, is sent
whether each is the same, and goes on. Nothing is remembered but the links: those the dialogue has
asked for in earlier fits answer it again, and the first pair that they do not decide is the next
question. Undoing, reopening and answers from elsewhere need no code.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from likewise.affinities.base import Links
from likewise.clusterers.base import Labels, LinkedGroups, answers_win, checked_links
from likewise.clusterers.superinstances import Pile
from likewise.errors import MethodError
from likewise.pairs import Pair

_PATIENCE = 20  # open pairs that are passed in search of answers given to later questions


class Step(NamedTuple):
    """Pairs whose verdicts a dialogue wants before it goes on, the most wanted first.

    A step that completes a clustering says so by `stand_ins`: once the verdicts are known, every
    item belongs where the item that stands in for it belongs.
    """

    pairs: npt.NDArray[np.int64]  # (m, 2)
    stand_ins: Labels | None = None  # (n,) positions of items


Steps = Generator[Step, npt.NDArray[np.bool_], None]  # is sent (m,): whether each pair is the same


class Replay:
    """A dialogue led with what the links say; walking over it gives the pairs they leave open.

    Whoever walks on past an open pair leaves it open for now: the dialogue goes on as if the two
    were different, and the groups they belong to are not compared again.
    """

    stand_ins: Labels | None = None  # of the last clustering completed so far

    def __init__(self, steps: Steps, links: LinkedGroups, parted: npt.NDArray[np.int64]) -> None:
        self._steps = steps
        n = len(links.group)
        self._size = n + links.n_groups
        # Every item has the name of its group; an item that no link touches is a group by itself.
        self._name = np.where(links.group >= 0, links.group, links.n_groups + np.arange(n))
        self._different = self._keys(*links.differing.T)
        self._passed: set[int] = set()
        self._awaited = np.unique(self._keys(*np.sort(parted, axis=1).T))
        self._met = np.zeros(len(self._awaited), dtype=bool)

    @property
    def n_met(self) -> int:
        """How many of the `parted` pairs the dialogue has come upon."""
        return int(self._met.sum())

    @property
    def all_met(self) -> bool:
        """Whether there are no answers left that the dialogue has not come upon."""
        return bool(self._met.all())

    def groups(self, items: Labels) -> Labels:
        """A name for the group of each item: equal when the links tie two together."""
        return self._name[items]

    def __iter__(self) -> Iterator[Pair]:
        step = next(self._steps, None)
        while step is not None:
            low, high = np.sort(step.pairs, axis=1).T
            self._met |= np.isin(self._awaited, self._keys(low, high))
            low, high = np.sort(self._name[step.pairs], axis=1).T
            keys = self._keys(low, high)
            same = low == high
            known = same | np.isin(keys, self._different)
            for pair, key in zip(step.pairs[~known].tolist(), keys[~known].tolist(), strict=True):
                if key not in self._passed:
                    yield Pair(*pair)
                    self._passed.add(key)
            if step.stand_ins is not None:
                self.stand_ins = step.stand_ins
            try:
                step = self._steps.send(same)
            except StopIteration:
                return

    def _keys(self, low: Labels, high: Labels) -> Labels:
        return low * self._size + high


class DialogueClusterer(ClusterMixin, BaseEstimator, ABC):  # type: ignore[misc]
    """The estimator around a dialogue; a subclass writes `dialogue` and nothing else.

    `labels_` is the last clustering that the dialogue completed with the links given; before it
    has completed one, k-means into `n_clusters` parts. The labels contradict no link. `question_`
    is the pair whose verdict the dialogue wants next, None when it is at its end.
    """

    labels_: Labels
    n_clusters_: int
    question_: tuple[int, int] | None
    _pile: Pile
    _source: Any  # the very X of the last fit, by which another fit recognises the same items

    def __init__(self, *, n_clusters: int = 2, random_state: int = 0) -> None:
        self.n_clusters = n_clusters
        self.random_state = random_state

    @abstractmethod
    def dialogue(self, pile: Pile) -> Steps:
        """What is asked about the items, depending on nothing but them and the verdicts."""

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: DialogueClusterer | None = None,
    ) -> Self:
        """Lead the dialogue about the rows of X as far as the links go.

        `start`, a fit of the very same X, has k-means splits that need not be computed again.
        """
        source = X
        X = validate_data(self, X, ensure_min_samples=2, dtype=np.float64)
        n = len(X)
        if not 1 <= self.n_clusters <= n:
            raise MethodError(
                f"n_clusters must be between 1 and the number of items, n_samples={n}, "
                f"but got {self.n_clusters}"
            )
        self._links = LinkedGroups.of(n, must_link, cannot_link)
        self._parted = checked_links(cannot_link, n, "cannot_link")
        if (
            start is not None
            and start._source is source
            and start.random_state == self.random_state
        ):
            self._pile = start._pile
        else:
            self._pile = Pile(X, self.random_state)
        self._source = source
        labels, self.question_ = self._lead()
        self.labels_ = answers_win(labels, self._links)
        self.n_clusters_ = int(self.labels_.max()) + 1
        return self

    def open_pairs(self) -> Iterator[Pair]:
        """All pairs the dialogue would ask if each of them stayed open, `question_` first."""
        if self.question_ is None:
            return
        yield Pair(*self.question_)
        rest = iter(self._replay())
        next(rest)
        yield from rest

    def _replay(self) -> Replay:
        return Replay(self.dialogue(self._pile), self._links, self._parted)

    def _lead(self) -> tuple[Labels, tuple[int, int] | None]:
        """The clustering that counts, and the first open pair.

        An answer to a question that comes after an open pair shows that the pair was left open on
        purpose, as one that somebody is unsure about or still looking at; then so does the
        dialogue. "Different" is such an answer for certain, "same" may be owed to elimination.
        """
        replay = self._replay()
        question = None
        counted, stand_ins = -1, None
        for n_passed, pair in enumerate(replay):
            question = question or (pair.i, pair.j)
            if replay.n_met > counted:
                counted, stand_ins = replay.n_met, replay.stand_ins
            if replay.all_met or n_passed == _PATIENCE:
                break
        else:
            if replay.n_met > counted:
                stand_ins = replay.stand_ins
        if stand_ins is None:
            stand_ins = np.empty(len(self._links.group), dtype=np.int64)
            for part in self._pile.split(self._pile.whole, self.n_clusters):
                stand_ins[part.members] = part.representative
            return stand_ins, question
        return replay.groups(stand_ins), question
