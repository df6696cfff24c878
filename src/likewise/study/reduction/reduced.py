"""Large piles: a study of items that stand for all the others, from which those have their groups.

Questions are about items and answers hold for items, whatever is computed on. What is computed on
depends on the items, the seed and the answers alone: items near the centres of k-means, every item
that was answered about, and further members of representatives that answers show to be mixed. So a
study that is opened again has the same representatives, and nothing of them has to be kept.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from importlib import import_module
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from likewise.clusterers.representative_votes import (
    VOTERS,
    Nearest,
    Positions,
    Singles,
    elect,
    nearest,
)
from likewise.items import doubles
from likewise.journal import Switched
from likewise.journal.pairs import Answer, Pair, Question
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.study._background import in_background
from likewise.study.reduction.representatives import choose_representatives, coordinates

if TYPE_CHECKING:
    from likewise.items import Items
    from likewise.study.branch import Branch
    from likewise.study.study import Study

Floats = npt.NDArray[np.float64]
Key = tuple[Any, ...]

_FIRST_SPLIT = 64  # answers; then after twice as many, and so on: few, and all can be made again
_SPLIT_LATER = 1.5  # times as many answers, until a split counts: it takes seconds, ahead of time
_SPLIT_SHARE = 0.1  # of the representatives, that may be added by one split
_KEPT = 3  # inner studies: that of the answers, and those of two that are foreseen
_SAMPLED = 20_000  # items from which the coordinates of all are found


class Reduction:
    """What a large pile is reduced to, after any answers.

    Parameters
    ----------
    items : Items
        All of them; they must have features.
    wanted : int
        How many stand for all before the first answer.
    seed : int
        Of what is drawn.
    """

    def __init__(self, items: Items, wanted: int, seed: int) -> None:
        assert items.features is not None
        self._points: Singles = coordinates(items.features, _SAMPLED, seed)
        self._first = choose_representatives(self._points, wanted, seed)
        self._most_added = round(_SPLIT_SHARE * wanted)
        self._inner: dict[bytes, InnerStudy] = {}  # by representatives, the latest last
        self._added: dict[Key, Positions] = {}  # by the answers after which they were
        self._wider: dict[bytes, Positions] = {}  # by the representatives that were too few
        self._ahead: tuple[Key, Future[Split]] | None = None  # by the answers it will count after

    def __getstate__(self) -> dict[str, Any]:
        """Return what can be sent to another process: a thread cannot."""
        return {**vars(self), "_ahead": None}

    def copy(self) -> Reduction:
        """Return the same for another study, which has inner studies of its own."""
        other = Reduction.__new__(Reduction)
        other._points, other._first = self._points, self._first
        other._most_added, other._added = self._most_added, dict(self._added)
        other._wider, other._ahead = dict(self._wider), None
        other._inner = {key: inner.copy() for key, inner in self._inner.items()}
        return other

    def inner_after(self, study: Study, answers: Sequence[Answer]) -> InnerStudy:
        """Return the study of the representatives after these answers of a study of all items."""
        split_after = _split_length(len(answers))
        added = self._added_after(study, answers[:split_after])
        places = self._places(answers, added)
        # Where answers have placed all that stand for others, those others are asked about.
        while len(places) < len(self._points) and _all_placed(study, places, len(answers)):
            places = self._widened(places)
        inner = self._inner_of(study, places)
        inner.follow(answers)
        return inner

    def prepare(self, study: Study, answers: Sequence[Answer]) -> None:
        """Begin what later answers would wait for, in another thread: this returns soon.

        That is where every item has its group from, what later questions about the representatives
        rest on, and a split that will count some answers from now on. Whoever needs any of it
        before it is there waits for that thread.
        """
        answers = list(answers)
        inner = self.inner_after(study, answers)
        inner.begin_nearest()
        inner.study.prepare()
        reached = _split_length(round(len(answers) * _SPLIT_LATER))
        if reached <= _split_length(len(answers)):
            return
        key = _answers_key(answers[:reached])
        if key not in self._added and (self._ahead is None or self._ahead[0] != key):
            begin = self._split_of(study, answers[:reached])
            self._ahead = key, in_background(lambda: begin(study, answers))
        elif key in self._added or (self._ahead is not None and self._ahead[1].done()):
            # It is there: kept up with the answers, each of which takes it as long as a question.
            ahead = self._added_after(study, answers[:reached])
            inner = self._inner_of(study, self._places(answers, ahead))
            inner.follow(answers)
            inner.study.ask()

    def _split_of(
        self, study: Study, answers: Sequence[Answer]
    ) -> Callable[[Study, Sequence[Answer]], Split]:
        """Return what computes the split by some answers, apart from all that is in use here."""
        before = self._added_after(study, answers[: _split_length(len(answers))])
        inner = self._inner_of(study, self._places(answers, before))
        inner.follow(answers)
        inner.begin_nearest()
        labels, confidence = inner.study.labels_.copy(), inner.study.confidence_.copy()

        def split(study: Study, by_now: Sequence[Answer]) -> Split:
            strays = inner.mixed_members_of(labels, confidence, self._most_added)
            added = np.concatenate([before, strays])
            found = InnerStudy.of(study, self._places(by_now, added), self._points)
            found.follow(by_now)
            found.study.ask()
            found.begin_nearest()
            return Split(added, found)

        return split

    def distances(self, items: Positions, others: Positions) -> Floats:  # (items, others)
        """Return how far some items are from others."""
        apart = self._points[items][:, None] - self._points[others][None]
        return np.asarray(np.sqrt((apart.astype(np.float64) ** 2).sum(axis=2)))

    def all_inner(self) -> list[InnerStudy]:
        """Return the inner studies that are kept."""
        return list(self._inner.values())

    def _places(self, answers: Sequence[Answer], added: Positions) -> Positions:
        asked = np.array([item for answer in answers for item in answer.pair], dtype=np.int64)
        return np.unique(np.concatenate([self._first, added, asked]))

    def _widened(self, places: Positions) -> Positions:
        """Return further representatives too: of each, the member that is farthest from it."""
        key = places.tobytes()
        if key not in self._wider:
            found = nearest(self._points, self._points[places], 1)
            home, away = found.positions[:, 0], found.distances[:, 0].copy()
            away[places] = -1.0
            order = np.lexsort((-away, home))
            _, first = np.unique(home[order], return_index=True)
            farthest = order[first]
            self._wider[key] = np.union1d(places, farthest[away[farthest] >= 0])
        return self._wider[key]

    def _inner_of(self, study: Study, places: Positions) -> InnerStudy:
        inner = self._inner.pop(places.tobytes(), None)
        return self._keep(inner or InnerStudy.of(study, places, self._points))

    def _keep(self, inner: InnerStudy) -> InnerStudy:
        self._inner[inner.places.tobytes()] = inner  # as the latest
        while len(self._inner) > _KEPT:
            del self._inner[next(iter(self._inner))]
        return inner

    def _added_after(self, study: Study, answers: Sequence[Answer]) -> Positions:
        """Return the items that answers have added to the representatives, by all splits so far."""
        if not answers:
            return np.empty(0, dtype=np.int64)
        key = _answers_key(answers)
        if key not in self._added and self._ahead is not None and self._ahead[0] == key:
            ahead, self._ahead = self._ahead[1], None
            if ahead.exception() is None:  # else it is raised here again, if it was not by chance
                split = ahead.result()
                self._added[key] = split.added
                self._keep(split.inner)
        if key not in self._added:
            before = self._added_after(study, answers[: _split_length(len(answers))])
            inner = self._inner_of(study, self._places(answers, before))
            inner.follow(answers)
            found = np.concatenate([before, inner.mixed_members(self._most_added)])
            self._added[key] = found
        return self._added[key]


@dataclass(frozen=True)
class Split:
    """The items that answers have added to the representatives, and the study of all of these."""

    added: Positions
    inner: InnerStudy


class InnerStudy:
    """A study of representatives, and how what it finds holds for all items.

    Attributes
    ----------
    study : Branch
        The study, in which items have other numbers.
    places : ndarray
        The representatives, ascending: an item's number there is its place here.
    """

    def __init__(self, study: Branch, places: Positions, points: Singles) -> None:
        self.study = study
        self.places, self._points = places, points
        self._nearest: Nearest | None = None
        self._finding: Future[Nearest] | None = None  # the same, in another thread
        self._told: dict[int, Answer] = {}
        self._expanded: tuple[Key, Positions, Floats] | None = None

    @classmethod
    def of(cls, study: Study, places: Positions, points: Singles) -> InnerStudy:
        """Begin one with the settings of a study of all items."""
        # By name: a branch is a study, and this is an organ of studies.
        branch: Branch = import_module("likewise.study.branch").Branch.begun(
            replace(study._state.opened, n_items=len(places)),
            [Switched(study._state.off)],
            replace(
                study.items.take(places),
                prepare=study.items.prepare,
                encoder=study.items.encoder,
            ),
            study.recipe,
        )
        branch._looks = study._looks[places]
        return cls(branch, places, points)

    def __getstate__(self) -> dict[str, Any]:
        """Return what can be sent to another process: a thread cannot."""
        return {**vars(self), "_finding": None}

    def copy(self) -> InnerStudy:
        """Return the same for another study."""
        branch: Any = import_module("likewise.study.branch").Branch.of(self.study)
        branch._never_reduced()
        branch._looks = self.study._looks
        other = InnerStudy(branch, self.places, self._points)
        other._nearest, other._finding = self._nearest, self._finding
        return other

    def follow(self, answers: Sequence[Answer]) -> None:
        """Hold exactly these answers."""
        told = self._told
        for answer in answers:
            if answer.id not in told:
                told[answer.id] = replace(answer, pair=Pair(*map(self.inward, answer.pair)))
        self.study.follow([told[answer.id] for answer in answers])

    # -- numbers of items --------------------------------------------------------------------

    def inward(self, item: int) -> int:
        """Return the number that a representative has here."""
        return int(np.searchsorted(self.places, item))

    def holds(self, item: int) -> bool:
        """Return whether an item is a representative."""
        at = self.inward(item)
        return at < len(self.places) and int(self.places[at]) == item

    def representing(self, item: int) -> int:
        """Return the number here of what stands for an item."""
        if self.holds(item):
            return self.inward(item)
        return int(self.nearest.positions[item, 0])

    def pending(self, pairs: frozenset[Pair]) -> frozenset[Pair]:
        """Return pairs that somebody is looking at, as far as they are about representatives."""
        return frozenset(
            Pair(*map(self.inward, pair)) for pair in pairs if all(map(self.holds, pair))
        )

    def taken(self, rows: Any) -> Any:
        """Return those rows of a matrix that are of representatives."""
        return doubles(rows[self.places])

    def outward(self, question: Any) -> Any:
        """Return a question of the inner study as one about the same items of all."""
        places = self.places
        if isinstance(question, Question):
            i, j = question.pair
            return replace(question, pair=Pair(int(places[i]), int(places[j])))
        if isinstance(question, PlaceQuestion):
            members = tuple(places[list(question.members)].tolist())
            return replace(question, item=int(places[question.item]), members=members)
        if isinstance(question, SheetQuestion):
            return replace(
                question,
                items=tuple(places[list(question.items)].tolist()),
                members=tuple(places[list(question.members)].tolist()),
            )
        return question

    # -- what holds for all items ------------------------------------------------------------

    @property
    def nearest(self) -> Nearest:
        """The representatives nearest to every item."""
        if self._nearest is None:
            self._nearest = (
                self._find_nearest() if self._finding is None else self._finding.result()
            )
            self._finding = None
        return self._nearest

    def begin_nearest(self) -> None:
        """Begin to find these in another thread, unless they are known."""
        if self._nearest is None and self._finding is None:
            self._finding = in_background(self._find_nearest)

    def _find_nearest(self) -> Nearest:
        return nearest(self._points, self._points[self.places], VOTERS)

    def stands_for(self) -> Positions:  # (len(places),)
        """Return how many items are nearest to each representative."""
        return np.bincount(self.nearest.positions[:, 0], minlength=len(self.places))

    def labels_and_confidence(self) -> tuple[Positions, Floats]:  # (n,), (n,)
        """Return the group of every item, by the nearest representatives, and how sure it is."""
        key = self.study._key()
        if self._expanded is None or self._expanded[0] != key:
            self._expanded = key, *self._expand(self.study.labels_, self.study.confidence_)
        return self._expanded[1], self._expanded[2]

    def _expand(self, labels: Positions, confidence: Floats) -> tuple[Positions, Floats]:
        """Return groups and confidence of all items by those of representatives."""
        elected, share = elect(self.nearest, labels, confidence)
        expanded = labels[elected], share
        for of_all, of_these in zip(expanded, (labels, confidence), strict=True):
            of_all[self.places] = of_these
        return expanded

    def mixed_members(self, most: int) -> Positions:
        """Return items that likely belong elsewhere than what stands for them, one of each cell.

        Of all such members of a representative it is the one nearest to their mean; of more than
        `most` cells, those that have most such members.
        """
        return self.mixed_members_of(self.study.labels_, self.study.confidence_, most)

    def mixed_members_of(self, labels: Positions, confidence: Floats, most: int) -> Positions:
        """Return the same where representatives have these groups, (m,), so far for sure, (m,)."""
        of_all, _ = self._expand(labels, confidence)
        home = self.nearest.positions[:, 0]
        strays = np.flatnonzero(of_all != labels[home])
        if not len(strays):
            return strays
        cells, of_stray, sizes = np.unique(home[strays], return_inverse=True, return_counts=True)
        means = np.zeros((len(cells), self._points.shape[1]))
        np.add.at(means, of_stray, self._points[strays])
        means /= sizes[:, None]
        away = ((self._points[strays] - means[of_stray]) ** 2).sum(axis=1)
        order = np.lexsort((away, of_stray))
        _, first = np.unique(of_stray[order], return_index=True)
        largest = np.argsort(-sizes, kind="stable")[:most]
        return np.sort(strays[order[first[largest]]]).astype(np.int64)


def _answers_key(answers: Sequence[Answer]) -> Key:
    return tuple((*answer.pair, answer.verdict, answer.who) for answer in answers)


def _all_placed(study: Study, places: Positions, n_answers: int) -> bool:
    """Return whether answers have placed all of some items; each places one or two."""
    return 2 * n_answers >= len(places) and bool(study.constraints.placed()[places].all())


def _split_length(n_answers: int) -> int:
    """Return the length of the answers by which representatives were split, after so many.

    >>> [_split_length(n) for n in (64, 95, 96, 191, 192)]
    [0, 0, 64, 64, 128]
    """
    length = 0
    while _SPLIT_LATER * (longer := max(2 * length, _FIRST_SPLIT)) <= n_answers:
        length = longer
    return length
