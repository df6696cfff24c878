"""Clusterers that ask: their algorithm is a dialogue, replayed from the start at every fit.

A dialogue is a generator. It yields a `Step`, pairs of items whose verdicts it wants, is sent
whether each is the same, and goes on. Nothing is remembered but the links: those the dialogue has
asked for in earlier fits answer it again, and the first pair that they do not decide is the next
question. Undoing, reopening and answers from elsewhere need no code.

What a fit has replayed another one with the same links and more need not replay: more links leave
every verdict of the fewer as it was, so that it may begin where the other had to stop.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator, Iterator
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from likewise._seeds import seed_from
from likewise.clusterers.base import FitContext, LinkedClusterer
from likewise.clusterers.dialogue._super_instances import SuperInstances
from likewise.clusterers.links import (
    Labels,
    LinkedGroups,
    pair_keys,
)
from likewise.journal.pairs import Pair

_CHUNK = 64  # open pairs made ready at a time
_MOST_PASSED = 20  # open pairs that are passed in search of answers given to later questions

State = Any  # what a dialogue needs to go on from a clustering; never changed once handed out


class Completed(NamedTuple):
    """A clustering that a dialogue has arrived at, and where to take the dialogue up again.

    Parameters
    ----------
    representative_of : (n,) array of int
        Positions: an item belongs where its representative does.
    state : State
        What the dialogue needs to go on from here.
    """

    representative_of: Labels
    state: State


class Step(NamedTuple):
    """Pairs whose verdicts a dialogue wants before it goes on, the most wanted first.

    Parameters
    ----------
    pairs : (m, 2) array of int
        Positions of items.
    completes : Completed, optional
        The clustering that is complete once the verdicts are known, if one is.
    """

    pairs: npt.NDArray[np.int64]
    completes: Completed | None = None


Steps = Generator[Step, npt.NDArray[np.bool_], None]  # is sent (m,): whether each pair is the same


class Replay:
    """A dialogue led with what the links say; walking over it gives the pairs they leave open.

    Whoever walks on past an open pair leaves it open for now: the dialogue goes on as if the two
    were different, and the groups they belong to are not compared again. `unmatched` are the keys
    (see `pair_keys`) of answered pairs that the dialogue has not come upon yet.
    """

    def __init__(
        self, steps: Steps, links: LinkedGroups, unmatched: Labels, completed: Completed | None
    ) -> None:
        self.unmatched = unmatched
        self.completed = completed  # the last clustering so far
        self._steps = steps
        self._n = len(links.group)
        # Every item has the name of its group; an item that no link touches is a group by itself.
        untouched = links.n_groups + np.arange(self._n)
        self.name = np.where(links.group >= 0, links.group, untouched)
        self._different = pair_keys(links.differing, 2 * self._n)

    def __iter__(self) -> Iterator[Pair]:
        passed: set[int] = set()
        step = next(self._steps, None)
        while step is not None:
            named = self.name[step.pairs]
            same = named[:, 0] == named[:, 1]
            keys = pair_keys(named, 2 * self._n)
            known = same | np.isin(keys, self._different)
            if len(self.unmatched):
                self.unmatched = np.setdiff1d(self.unmatched, pair_keys(step.pairs, self._n))
            left = np.flatnonzero(~known)
            # Mostly only the first is looked at, of thousands where there are many groups.
            for start in range(0, len(left), _CHUNK):
                some = left[start : start + _CHUNK]
                for pair, key in zip(step.pairs[some].tolist(), keys[some].tolist(), strict=True):
                    if key not in passed:
                        yield Pair(*pair)
                        passed.add(key)
            self.completed = step.completes or self.completed
            try:
                step = self._steps.send(same)
            except StopIteration:
                return


class DialogueClusterer(LinkedClusterer):
    """The estimator around a dialogue; a subclass writes `dialogue` and nothing else.

    `labels_` is the last clustering that the dialogue completed with the links given; before it has
    completed one, k-means into `n_clusters` parts.

    Parameters
    ----------
    n_clusters : int, default=2
        How many clusters there are before the dialogue has completed a clustering.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are; more than `n_clusters` where links demand it.
    question_ : tuple of two int, or None
        The pair whose verdict the dialogue wants next; None when it is at its end.
    """

    start_changes_labels = False

    question_: tuple[int, int] | None
    _instances: SuperInstances
    _links: LinkedGroups
    _given: tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]  # must-links, cannot-links
    # The last clustering before the first open pair, and the keys of answers matched until then.
    _resume_from: tuple[Completed | None, Labels]

    def __init__(self, *, n_clusters: int | None = 2, random_state: int = 0) -> None:
        self.n_clusters = n_clusters  # type: ignore[assignment]
        self.random_state = random_state

    @abstractmethod
    def dialogue(self, instances: SuperInstances, state: State = None) -> Steps:
        """Return what is asked about the items, depending on nothing but them and the verdicts.

        `state` is that of a clustering completed earlier, to go on from; None at the beginning.
        """

    def _fit_linked(self, X: Any, links: LinkedGroups, context: FitContext) -> Labels:
        self._links, self._given = links, (context.must_link, context.cannot_link)
        self._instances = SuperInstances(X, seed_from(self.random_state))
        self._resume_from = None, np.empty(0, dtype=np.int64)
        start = context.reusable
        if start is not None and self._asks_the_same(start):
            self._instances = start._instances
            if all(map(_begins_with, self._given, start._given)):
                self._resume_from = start._resume_from
        labels, self.question_ = self._replay_with_links()
        return labels

    def open_pairs(self) -> Iterator[Pair]:
        """Yield all pairs the dialogue would ask if each stayed open, `question_` first."""
        if self.question_ is None:
            return
        yield Pair(*self.question_)
        rest = iter(self._replay())
        next(rest)
        yield from rest

    def _asks_the_same(self, other: DialogueClusterer) -> bool:
        """Return whether the other fit of these items led the same dialogue."""
        # How many clusters are expected shows in the first labels only, but where it is optional.
        hidden = {} if self.finds_n_clusters else {"n_clusters": 0}
        mine, others = ({**one.get_params(), **hidden} for one in (self, other))
        return type(other) is type(self) and mine == others

    def _replay(self) -> Replay:
        completed, matched = self._resume_from
        unmatched = np.setdiff1d(_answered(*self._given, len(self._links.group)), matched)
        state = completed.state if completed is not None else None
        return Replay(self.dialogue(self._instances, state), self._links, unmatched, completed)

    def _replay_with_links(self) -> tuple[Labels, tuple[int, int] | None]:
        """Return the clustering that counts, and the first open pair.

        An answer to a question that comes after an open pair shows that the pair was left open on
        purpose, as one that somebody is unsure about or still looking at; then so does the
        dialogue.
        """
        replay = self._replay()
        unmatched = replay.unmatched
        question = None
        counts = replay.completed
        n_unmatched = len(unmatched) + 1
        for n_passed, pair in enumerate(replay):
            if question is None:
                question = (pair.i, pair.j)
                matched = np.setdiff1d(unmatched, replay.unmatched)
                self._resume_from = replay.completed, np.union1d(self._resume_from[1], matched)
            if len(replay.unmatched) < n_unmatched:
                counts, n_unmatched = replay.completed, len(replay.unmatched)
            if not n_unmatched or n_passed == _MOST_PASSED:
                break
        else:
            if len(replay.unmatched) < n_unmatched:
                counts = replay.completed
        if counts is not None:
            return replay.name[counts.representative_of], question
        labels = np.empty(len(self._links.group), dtype=np.int64)
        for label, part in enumerate(self._instances.split(self._instances.whole, self.n_clusters)):
            labels[part.members] = label
        return labels, question


def _answered(
    must: npt.NDArray[np.int64], cannot: npt.NDArray[np.int64], size: int
) -> npt.NDArray[np.int64]:
    """Return keys of the links that somebody must have answered.

    A must-link may follow from the number of groups, but only if its item differs from others.
    """
    answered = must[~np.isin(must[:, 0], cannot)]
    return pair_keys(np.concatenate([cannot, answered]), size)


def _begins_with(links: npt.NDArray[np.int64], earlier: npt.NDArray[np.int64]) -> bool:
    return np.array_equal(links[: len(earlier)], earlier)
