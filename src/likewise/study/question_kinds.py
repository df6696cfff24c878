"""Asking in several kinds of question, and what a reply to each becomes."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property
from importlib import import_module
from itertools import groupby
from typing import TYPE_CHECKING, Any, Literal, cast, overload

import numpy as np
import numpy.typing as npt

from likewise.errors import AnswerError, MethodError
from likewise.items import Items
from likewise.journal.pairs import Answer, AnswerDraft, Changes, Pair, Question, Reply, Verdict
from likewise.journal.person_names import person_name
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.strategies import Forecaster, GainEstimator, Strategy, Supposes, View
from likewise.strategies.kinds import GroupBeliefs, Pace, SheetChooser, place_question
from likewise.study.asked_together import chosen_in_turn
from likewise.study.item_references import ItemReference, pair_meant
from likewise.study.reduction.reduced import InnerStudy
from likewise.study.viewed import ViewedStudy

if TYPE_CHECKING:
    from likewise.study.study import Study

Kind = Literal["pair", "place", "sheet", "best"]
KINDS: tuple[Kind, ...] = ("pair", "place", "sheet", "best")
AnyQuestion = Question | PlaceQuestion | SheetQuestion

_OTHERS = 8  # questions that are looked at when the first is about an item nobody could place
_MEASURED = 500  # the latest answers by which the pace is measured


@dataclass(frozen=True)
class _Offer:
    """A question that could be asked, and how many items it is expected to put right."""

    question: AnyQuestion
    gain: float

    @property
    def rate(self) -> float:
        """The gain per second, rounded so that ties are ties on every machine."""
        return round(self.gain / max(self.question.seconds, 1e-9), 9)


class AskingStudy(ViewedStudy):
    """A study that asks about pairs, where one item belongs, and which of many belong together."""

    items: Items
    _strategy: Strategy

    @property
    @abstractmethod
    def _inner(self) -> InnerStudy | None: ...

    @abstractmethod
    def _view(self, pending: frozenset[Pair]) -> View: ...

    @abstractmethod
    def _forecast(self, view: View, pair: Pair) -> float: ...

    def _propose_together(self, n: int, pending: frozenset[Pair]) -> list[Question]:
        strategy = self._strategy
        in_turn = (
            n > 1
            and self._inner is None
            and isinstance(strategy, Supposes)
            and strategy.supposes(self._view(pending))
        )
        if in_turn:
            return chosen_in_turn(cast("Study", self), n, pending)
        return self._propose(n, pending)

    @abstractmethod
    def record(self, make: Callable[[], Changes]) -> list[Answer]: ...

    # -- asking ------------------------------------------------------------------------------

    @overload
    def ask(
        self,
        n: None = None,
        *,
        kind: Literal["pair"] = "pair",
        pending: Iterable[tuple[int, int]] = (),
    ) -> Question | None: ...
    @overload
    def ask(
        self, n: None = None, *, kind: Literal["place"], pending: Iterable[tuple[int, int]] = ()
    ) -> PlaceQuestion | None: ...
    @overload
    def ask(
        self, n: None = None, *, kind: Literal["sheet"], pending: Iterable[tuple[int, int]] = ()
    ) -> SheetQuestion | None: ...
    @overload
    def ask(
        self, n: None = None, *, kind: str, pending: Iterable[tuple[int, int]] = ()
    ) -> AnyQuestion | None: ...
    @overload
    def ask(self, n: int, *, pending: Iterable[tuple[int, int]] = ()) -> list[Question]: ...
    def ask(
        self,
        n: int | None = None,
        *,
        kind: str = "pair",
        pending: Iterable[tuple[int, int]] = (),
    ) -> AnyQuestion | list[Question] | None:
        """Return the question most worth asking, None when nothing is left.

        Asking twice without telling gives the same.

        Parameters
        ----------
        n : int, optional
            Return a list of up to `n` pairs instead, empty when nothing is left. They are
            about different things: no answer to one makes another superfluous.
        kind : {"pair", "place", "sheet", "best"}
            "pair": are these two the same? "place": to which group does this item belong?
            "sheet": which of these belong together? "best" is the one of the three from which
            most items are expected to be put right, per second of a person's time. When no sheet
            is left there may still be items to place.
        pending : iterable of pairs
            Pairs that others are being asked about: neither they nor what follows from their
            answers is asked.
        """
        if kind not in KINDS:
            raise MethodError(f"kind must be one of {', '.join(KINDS)} but got {kind!r}")
        if kind == "pair":
            return super().ask(n, pending=pending)
        if n is not None:
            raise MethodError("several questions at once are asked as pairs only; leave n out")
        waiting = frozenset(Pair(*pair) for pair in pending)
        key = (self._key(), kind, waiting)
        if key not in self._offered:
            self._offered = {key: self._best(kind, waiting)}
        return self._offered[key]

    @cached_property
    def _offered(self) -> dict[tuple[Any, ...], AnyQuestion | None]:
        """The latest question of another kind than the pair, by what it depends on."""
        return {}

    def _best(self, kind: str, pending: frozenset[Pair]) -> AnyQuestion | None:
        """Return the question of largest gain per second among those of a kind."""
        if (inner := self._inner) is not None:
            return cast(
                "AnyQuestion | None",
                inner.outward(inner.study._best(kind, inner.pending(pending))),
            )
        view = self._view(pending)
        beliefs = GroupBeliefs(view)
        offers: list[_Offer] = []
        worth = self._worth(view) if kind == "best" else 0.0
        if kind in ("sheet", "best"):
            offers += self._sheets(beliefs, found=kind == "best")
        # Beside a single group a place is a pair that takes longer to read.
        if kind == "place" or (kind == "best" and len(view.representatives) > 1):
            offers += self._places(beliefs, pending, worth)
        if kind == "best":
            offers += self._pairs(beliefs, pending, worth)
        return max(offers, key=lambda offer: offer.rate).question if offers else None

    def _sheets(self, beliefs: GroupBeliefs, *, found: bool) -> Iterator[_Offer]:
        view = beliefs.view
        chooser = SheetChooser(
            beliefs, lambda pair: self._forecast(view, pair), self.pace, self._looks
        )
        best = chooser.best(found=found)
        if best is not None:
            question, gain = best
            # The items of a sheet are alike: where few are believed to belong, what is believed of
            # them is wrong together, and where the others go stays open.
            trust = float(np.mean(question.probabilities[1:])) ** 2
            yield _Offer(question, trust * gain)

    def _worth(self, view: View) -> float:
        """Return how many items the method's own question puts right, as far as it can tell."""
        return self._strategy.gain(view) if isinstance(self._strategy, GainEstimator) else 0.0

    def _places(
        self, beliefs: GroupBeliefs, pending: frozenset[Pair], worth: float
    ) -> Iterator[_Offer]:
        """Yield the item that the method would ask about, and the largest part without a place.

        What the method expects of its question a place brings at least, since it says more.
        """
        view = beliefs.view
        for number, pair in enumerate(self._to_place(beliefs, pending)):
            question = place_question(
                view,
                pair,
                lambda one: self._forecast(view, one),
                self.pace,
                float(self._looks[pair.i]),
            )
            if question is not None:
                gain = self._gain_of_placing(beliefs, question)
                if number == 0:
                    same = max(self._forecast(view, pair), 1e-9)
                    gain = max(gain, worth * max(1.0, (1.0 - question.new_probability) / same))
                yield _Offer(question, gain)

    def _to_place(self, beliefs: GroupBeliefs, pending: frozenset[Pair]) -> Iterator[Pair]:
        view = beliefs.view
        put_off = {item for pair in view.deferred for item in pair}
        first = super().ask(pending=pending)
        if first is not None:
            asked = [first.pair]
            if self._unplaced(view, first.pair).i in put_off:
                asked += [question.pair for question in self._propose(_OTHERS, pending)]
            found = [self._unplaced(view, pair) for pair in asked]
            yield next((pair for pair in found if pair.i not in put_off), found[0])
        part = self._largest_loose_part(view, put_off)
        if part is not None:
            yield Pair(part, view.first_item)

    def _unplaced(self, view: View, pair: Pair) -> Pair:
        """Return the pair with an item first that is not placed."""
        return Pair(pair.j, pair.i) if view.placed[pair.i] else pair

    def _largest_loose_part(self, view: View, put_off: set[int]) -> int | None:
        """Return an item of the largest known part that has no place among the groups."""
        loose = np.flatnonzero(~view.placed & ~view.pending_items)
        loose = np.setdiff1d(loose, list(put_off))
        names, first, sizes = np.unique(
            view.components[loose], return_index=True, return_counts=True
        )
        if not len(names) or sizes.max() < 2:
            return None
        return int(loose[first[sizes.argmax()]])

    def _gain_of_placing(self, beliefs: GroupBeliefs, question: PlaceQuestion) -> float:
        """Return how many items are expected to be put right by placing one, or its whole part."""
        components = beliefs.view.components
        size = int((components == components[question.item]).sum())
        if size > 1:
            return size * (1 - question.new_probability)
        following = (1 - question.new_probability) * (self._followers(beliefs, question.item) - 1)
        return float(beliefs.errors[question.item] + beliefs.spread[question.item] + following)

    def _pairs(
        self, beliefs: GroupBeliefs, pending: frozenset[Pair], worth: float
    ) -> Iterator[_Offer]:
        question = super().ask(pending=pending)
        if question is not None:
            item, other = self._unplaced(beliefs.view, question.pair)
            p = question.same_probability
            gain = min(p, 1 - p) + p * float(beliefs.spread[item])
            if beliefs.labels[item] != beliefs.labels[other]:
                smaller = min(self._followers(beliefs, one) for one in (item, other))
                gain += p * (smaller - 1)
            yield _Offer(question, worth or gain)

    def _followers(self, beliefs: GroupBeliefs, item: int) -> int:
        """Return how many items go where one goes: its group, if nobody has found that yet."""
        same = beliefs.labels == beliefs.labels[item]
        return 1 if beliefs.view.placed[same].any() else int(same.sum())

    def explain(self, question: Question | Pair | tuple[ItemReference, ItemReference]) -> str:
        """Return why a pair is worth asking: what is predicted, and what depends on it."""
        pair = pair_meant(self.items, question)
        self.require_pair(*pair)
        known = self.constraints.implied(*pair)
        if known is not None:
            return f"The answer is known: {known.value}, by what was answered before."
        if (inner := self._inner) is not None:
            one, other = map(inner.representing, pair)
            if one == other:
                return "These two are much alike: among so many items, one stands for both."
            return inner.study.explain((one, other))
        view = self._view(frozenset())
        if isinstance(self._strategy, Forecaster):
            return self._strategy.explain(view, pair)
        chance = self._forecast(view, pair)
        return f"These two are the same with a chance of {chance:.0%}, by the placed items nearby."

    @property
    def placing(self) -> int | None:
        """The item in the middle of being placed, None between items."""
        question = self.ask()
        if question is None or not self._state.answers:
            return None
        last = self._state.answers[-1]
        return question.pair.i if question.pair.i == last.pair.i else None

    # -- the time it takes -------------------------------------------------------------------

    @property
    def pace(self) -> Pace:
        """The pace of whoever answers: the usual one, corrected by the seconds that were told."""
        latest = self._kept[-_MEASURED:]
        replies = (list(reply) for _, reply in groupby(latest, lambda answer: answer.when))
        return Pace().measured(replies, self._looks)

    @cached_property
    def _looks(self) -> npt.NDArray[np.float64]:  # (n,)
        """Seconds to take each item in, at the usual pace."""
        return Pace().looks(self.items)

    # -- replies -----------------------------------------------------------------------------

    @overload
    def tell(
        self,
        question: Question | Pair | tuple[ItemReference, ItemReference],
        verdict: Reply,
        *,
        who: str = "",
        seconds: float | None = None,
        weight: float = 1.0,
        cost: float = 0.0,
        client_id: str = "",
    ) -> Answer: ...
    @overload
    def tell(
        self,
        question: PlaceQuestion | SheetQuestion,
        verdict: Any,
        *,
        group: int | str | None = None,
        who: str = "",
        seconds: float | None = None,
        weight: float = 1.0,
        cost: float = 0.0,
        client_id: str = "",
    ) -> Answer | list[Answer]: ...
    def tell(
        self,
        question: Question
        | Pair
        | tuple[ItemReference, ItemReference]
        | PlaceQuestion
        | SheetQuestion,
        verdict: Any,
        *,
        group: int | str | None = None,
        who: str = "",
        seconds: float | None = None,
        weight: float = 1.0,
        cost: float = 0.0,
        client_id: str = "",
    ) -> Answer | list[Answer]:
        """Record an answer: "same", "different" or "unsure" (True and False will do).

        Any pair may be answered, asked or not. An answer that contradicts the others is kept and
        listed by `disputes`; it changes nothing until one side is taken back. The reply to a place
        or a sheet becomes several answers, kept and taken back in one piece.

        Parameters
        ----------
        question : Question, PlaceQuestion, SheetQuestion or pair of int or str
            What was asked, or any two items, by position or by id. Only a question has a
            prediction to be kept.
        verdict : Verdict, str or bool; int or str for a place; items for a sheet
            What was answered: of a pair the verdict, of a place one of its `groups`, "new" or
            "unsure", of a sheet those of its `items` that belong together.
        group : int or str, optional
            Of a sheet whose `group` is open, where they go: one of its `groups`, or "new".
        who : str
            Who answered. Compatible letters become one and what cannot be seen is left out.
        seconds : float, optional
            How long it took.
        weight : float
            How far the answerer is trusted before others have spoken, above 0: how many times nine
            right answers are counted in advance. Who answers alone with a weight of 1 or more is
            taken at his word; with less, of answers that contradict each other those are believed
            that are likeliest right.
        cost : float
            What the answer, or the whole reply, has cost, at least 0.
        client_id : str
            A name for an answer that may have to be sent twice: of several with the same one, the
            first is kept and returned.

        Returns
        -------
        Answer
            The answer as it is kept, with its id; all of them for a place or a sheet.
        """
        details = {
            "who": who,
            "seconds": seconds,
            "weight": weight,
            "cost": cost,
            "client_id": client_id,
        }
        if isinstance(question, PlaceQuestion | SheetQuestion):
            if isinstance(question, SheetQuestion) or verdict not in ("unsure", Verdict.UNSURE):
                return self._tell_reply(question, verdict, group, **details)
            question = Pair(question.item, question.members[0])
        draft = AnswerDraft(
            pair_meant(self.items, question),
            Verdict.of(verdict),
            who=person_name(who),
            seconds=seconds,
            weight=weight,
            cost=cost,
            same_probability=question.same_probability if isinstance(question, Question) else None,
            client_id=client_id,
        )
        kept = self.record(lambda: Changes([draft]))
        return kept[0] if kept else self._state.by_client_id[client_id]

    def _tell_reply(
        self,
        question: PlaceQuestion | SheetQuestion,
        reply: Any,
        group: int | str | None,
        **details: Any,
    ) -> list[Answer]:
        """Record a reply that is more than one verdict; return its answers."""
        # By name: gestures are made of studies.
        edits: Any = import_module("likewise.study.edits")
        if isinstance(question, SheetQuestion):
            into = None if group is None else self._member(question, group)
            into = None if into is Verdict.UNSURE else into
            told = edits.sort_sheet(
                self, question.items, reply, into=into, among=question.members, **details
            )
        else:
            member = self._member(question, reply)
            into = None if member == "new" else member
            among = question.members if into is None else ()
            told = edits.place(self, question.item, into, among=among, **details)
        return cast(list[Answer], told)

    def _member(
        self, question: PlaceQuestion | SheetQuestion, group: Any
    ) -> int | Literal["new"] | Verdict:
        """Return a member of the group that is meant, "new", or that somebody is unsure."""
        if isinstance(group, str | Verdict):
            if group == "new":
                return "new"
            if group in ("unsure", Verdict.UNSURE):
                return Verdict.UNSURE
        elif not isinstance(group, bool) and group in question.groups:
            return question.members[question.groups.index(int(group))]
        named = ", ".join(map(str, question.groups))
        raise AnswerError(f"a place is one of the groups {named}, 'new' or 'unsure', not {group!r}")
