"""A copy of a study, in memory, on which things can be tried out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from likewise.clusterers import Clusterer
from likewise.items import Items
from likewise.journal import Answered, Event, Opened, Switched
from likewise.journal.pairs import Answer, Pair, Question, Verdict
from likewise.methods import METHODS, Recipe, find_recipe
from likewise.stores import MemoryStore
from likewise.stores.recorder import Recorder
from likewise.stores.stored_journal import StoredJournal
from likewise.study import Study
from likewise.study.reduction.reduced import InnerStudy

_SHARED = 0.95  # how likely two items are the same for which one stands


class Branch(Study):
    """A study that follows another one, and asks what would come after an answer not yet given.

    It shares the items, so that it costs little; nothing that happens to it is recorded anywhere.
    A program with two threads, or processes, records answers in the study and computes the next
    question on the branch.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
    >>> branch = Branch.of(study)
    >>> question = study.ask()
    >>> with branch.assuming(question.pair, Verdict.DIFFERENT):
    ...     foreseen = branch.ask()
    >>> _ = study.tell(question, "different")
    >>> study.ask() == foreseen
    True
    """

    _warm_started = False
    _n_assumed = 0  # how many answers were ever assumed: their ids are negative and never reused

    @classmethod
    def of(cls, study: Study) -> Branch:
        """Return a branch of the study as it is now, with all that was computed so far."""
        events: list[Event] = [Switched(study._state.off), *map(Answered, study.answers)]
        branch = cls.begun(study._state.opened, events, study.items, study.recipe)
        branch._fit_cache = study._fits.copy()
        branch._share_reduction(study)
        return branch

    @classmethod
    def begun(cls, opened: Opened, events: Sequence[Event], items: Items, recipe: Recipe) -> Branch:
        """Return a branch of no study, on all of these items, however many there are."""
        branch = cls.__new__(cls)
        branch._attach(StoredJournal(MemoryStore(), [opened, *events]))
        branch._set_up(items, recipe)
        branch._never_reduced()
        return branch

    def __getstate__(self) -> dict[str, Any]:
        """Return what another process needs to compute: nothing that is only shown of the items."""
        bare = replace(
            self.items,
            rows=None,
            texts=None,
            pictures=None,
            copies={},
            stacks={},
            prepare=None,
            encoder=None,
        )
        # A recipe that has a name is found again by it: most hold functions that cannot be pickled.
        recipe = None if METHODS.get(self.method) == self.recipe else self.recipe
        fitted = self._fits.fitted
        return {
            "items": bare,
            "journal": self._state,
            "fitted": fitted,
            "recipe": recipe,
            "looks": self._looks,  # how long what is shown takes to look at
            "reduction": (self._is_reduced, self._reduction),
        }

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore a branch, with all that was computed."""
        self._state, self._asked = state["journal"], {}
        self._recorder = Recorder(MemoryStore(), self._state, ())
        self._set_up(state["items"], state["recipe"] or find_recipe(self._state.opened.method))
        self._fits.fitted = state["fitted"]
        self._looks = state["looks"]
        self._is_reduced, self._reduction = state["reduction"]

    def follow(self, answers: Sequence[Answer]) -> None:
        """Hold exactly these answers: those of the study by now."""
        known = self._state.constraints
        shared = 0
        for mine, theirs in zip(known.answers, answers, strict=False):
            if mine.id != theirs.id:
                break
            shared += 1
        while len(known.answers) > shared:
            known.pop()
        for answer in answers[shared:]:
            self._state.apply(Answered(answer))

    @contextmanager
    def assuming(self, pair: Pair, verdict: Verdict) -> Iterator[None]:
        """Take it inside the with-block that this had been answered too."""
        with self.assuming_all([(pair, verdict)]):
            yield

    @contextmanager
    def assuming_all(self, told: Sequence[tuple[Pair, Verdict]]) -> Iterator[None]:
        """Take it inside the with-block that all of this had been answered too, in this order."""
        for pair, verdict in told:
            self._n_assumed += 1
            self._state.constraints.add(Answer(-self._n_assumed, pair, verdict))
        try:
            yield
        finally:
            for _ in told:
                self._state.constraints.pop()

    @contextmanager
    def warm_started(self) -> Iterator[None]:
        """Start each fit inside the with-block from the last one, not from the usual chain of fits.

        For several people, who answer in no certain order: it takes a fraction of the time, and
        the questions may be others, hardly worse ones.
        """
        self._warm_started = True
        try:
            yield
        finally:
            self._warm_started = False
            self._asked.clear()
            for inner in () if self._reduction is None else self._reduction.all_inner():
                inner.study._warm_started = False
                inner.study._asked.clear()

    @property
    def _inner(self) -> InnerStudy | None:
        inner = super()._inner
        if inner is not None:
            inner.study._warm_started = self._warm_started
        return inner

    def _fit(self) -> Clusterer:
        if self._warm_started:
            return self._fits.warm_started_clustering(self._state.answers, self.constraints)
        return super()._fit()

    def _propose_together(self, n: int, pending: frozenset[Pair]) -> list[Question]:
        # Somebody waits for what is asked of a branch: no fit for every question.
        return self._propose(n, pending)

    def same_probability(self, pair: Pair) -> float:
        """Return how likely the items of a pair are the same, by the answers it holds."""
        known = self.constraints.implied(*pair)
        if known is not None:
            return float(known is Verdict.SAME)
        if (inner := self._inner) is not None:
            one, other = map(inner.representing, pair)
            return _SHARED if one == other else inner.study.same_probability(Pair(one, other))
        return self._forecast(self._view(frozenset()), pair)
