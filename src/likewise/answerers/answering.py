"""Letting a program answer in a study: batch after batch, each answer kept as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from math import ceil
from typing import Any
from uuid import uuid4

import numpy as np

from likewise.answerers.asked_model import AskedModel, Tally
from likewise.answerers.asked_program import AskedProgram
from likewise.answerers.language_model import LanguageModel
from likewise.beliefs import OneSided
from likewise.errors import CostLimit, LikewiseError, MethodError
from likewise.journal.pairs import PROGRAM, Answer, Pair, Question, Verdict
from likewise.journal.questions import PlaceQuestion
from likewise.simulation.answerers import Answerer, Program, ready
from likewise.simulation.offered_answerers import offered_answerer
from likewise.study import Study
from likewise.study.loop import Outcome, QuestionLoop
from likewise.views.exemplars import exemplars, latest_answers

KINDS = ("pair", "place")
_FEW = 10  # answers that may all be the same without anybody wondering
_SHOWN = 3  # members of a group that are shown with a place question


@dataclass(frozen=True)
class ProgramSession:
    """What came of letting a program answer.

    Parameters
    ----------
    answers : tuple of Answer
        The answers that were kept, oldest first.
    questions : int
        Questions that were answered; a placed item makes several answers.
    unsure : int
        Questions that are left to a person.
    tally : Tally
        Calls, tokens, money, and what was free.
    outcome : Outcome
        Why it has ended.
    reason : str
        The same in a sentence.
    """

    answers: tuple[Answer, ...]
    questions: int
    unsure: int
    tally: Tally
    outcome: Outcome
    reason: str

    @property
    def said_only(self) -> Verdict | None:
        """What all of ten answers or more have said; None if there are fewer, or two opinions."""
        said = [one.verdict for one in self.answers if one.verdict is not Verdict.UNSURE]
        return said[0] if len(said) >= _FEW and len(set(said)) == 1 else None

    @property
    def failed(self) -> bool:
        """Whether something went wrong, of which `reason` speaks."""
        return self.outcome in (Outcome.ORACLE_FAILED, Outcome.COST_LIMIT)


@dataclass(frozen=True)
class CostEstimate:
    """What a number of answers would take, computed without asking.

    Parameters
    ----------
    questions : int
        The questions that would be asked.
    calls : int
        About how many calls these take.
    remembered : int
        Of the next questions those whose answers are known already, and so are free.
    sent, received : int
        About how many tokens.
    cost, most : float
        About what that costs; and at most, by which a budget is kept.
    """

    questions: int
    calls: int
    remembered: int
    sent: int
    received: int
    cost: float
    most: float


def answer(
    study: Study,
    model: LanguageModel | Program | str,
    *,
    budget: int | None = None,
    kind: str = "pair",
    on_answer: Callable[[Answer], None] | None = None,
    stop: Callable[[], bool] = bool,
) -> ProgramSession:
    """Let a language model, or another program, answer until the budget is spent.

    Every answer is kept under the model's name as soon as it is there, and its errors are estimated
    like anybody's. What it is unsure about is kept as such, and a person is asked about it next.
    Killed at any moment, the same call goes on: answers that were paid for are remembered.

    Parameters
    ----------
    study : Study
        The study; its items have texts, rows or pictures.
    model : LanguageModel, Program or str
        Who answers; a string names an answerer that an installed package offers.
    budget : int, optional
        How many questions it answers at most, this time; None: as many as there are, or as its own
        budget of money allows.
    kind : {"pair", "place"}
        Whether it is asked about pairs, or, if it is a language model, where items belong.
    on_answer : callable, optional
        Is given every answer once it is kept.
    stop : callable
        Whether to end, asked before every call; by default never.

    Returns
    -------
    ProgramSession
        What was answered and what it took; a server that fails is told there, not raised.
    """
    _require_sound(budget, kind)
    program = offered_answerer(model) if isinstance(model, str) else model
    asked = _asked(program, study, kind)
    loop = _ProgramLoop(study, asked, budget=budget, kind=kind, on_answer=on_answer, stop=stop)
    outcome = loop.run()
    return ProgramSession(
        tuple(loop.answers),
        loop.n_spent,
        loop.n_unsure,
        asked.tally,
        outcome,
        loop.reason or outcome.value,
    )


def estimate(
    study: Study, model: LanguageModel, *, budget: int, kind: str = "pair"
) -> CostEstimate:
    """Return what so many answers would take, from the questions that would be asked next.

    Nothing is sent. Tokens are estimated from the next batch of questions, at four bytes each.
    """
    _require_sound(budget, kind)
    asked = model.about(study.items, study.identity)
    loop = _ProgramLoop(study, asked, budget=budget, kind=kind, on_answer=None)
    questions = loop.asked_of(loop.ask())
    prompts = asked.prompts(questions)
    n_new = sum(len(prompt.questions) for prompt in prompts)
    n = min(budget, loop.n_most)
    # As many more batches as the budget holds, each like this one but with nothing remembered.
    n_prompted = min(n, len(questions)) or 1
    scale = n / n_prompted
    price, tokens = model.token_price, model.picture_tokens
    sent = scale * sum(prompt.tokens(tokens) for prompt in prompts)
    received = scale * 12 * n_new
    most = sum(
        price.cost(p.tokens(tokens, at_most=True), p.most_reply_tokens, len(p.questions))
        for p in prompts
    )
    return CostEstimate(
        questions=n,
        calls=ceil(scale * len(prompts)),
        remembered=asked.n_remembered(questions),
        sent=round(sent),
        received=round(received),
        cost=price.cost(sent, received, round(scale * n_new)),
        most=scale * most,
    )


def _asked(program: LanguageModel | Program, study: Study, kind: str) -> AskedModel | AskedProgram:
    """Return who is asked, having seen the items; refuse places where only pairs are answered."""
    answerer: Answerer = ready(program, study)
    if isinstance(answerer, AskedModel):
        return answerer
    if kind != "pair":
        raise MethodError(f"{program.name} answers about pairs alone, not about kind={kind!r}")
    return AskedProgram(answerer)


def _require_sound(budget: int | None, kind: str) -> None:
    if kind not in KINDS:
        raise MethodError(f"kind must be one of {', '.join(KINDS)} but got {kind!r}")
    if budget is not None and budget < 1:
        raise MethodError(f"budget must be at least 1 answer but got {budget}")


class _ProgramLoop(QuestionLoop[list[Question | PlaceQuestion]]):
    """Asks a model in batches as large as one of its prompts."""

    def __init__(
        self,
        study: Study,
        asked: AskedModel | AskedProgram,
        *,
        budget: int | None,
        kind: str,
        on_answer: Callable[[Answer], None] | None,
        stop: Callable[[], bool] = bool,
    ) -> None:
        super().__init__(budget=budget)
        self.study, self.model, self.kind = study, asked, kind
        self.answers: list[Answer] = []
        self.reason = ""
        self.n_unsure = 0
        self._n_spent = 0
        self._on_answer, self._stop = on_answer, stop
        self._said = OneSided()
        self._left_open = [
            one.pair
            for one in study.answers
            if one.who == asked.name and one.verdict is Verdict.UNSURE
        ]

    @property
    def n_spent(self) -> int:
        return self._n_spent

    @property
    def n_most(self) -> int:
        """How many questions there can be at most: all pairs, or all items."""
        n = len(self.study.items)
        return n * (n - 1) // 2 if self.kind == "pair" else n

    def ask(self) -> list[Question | PlaceQuestion]:
        n = self.model.questions_per_call
        if self.budget is not None:
            n = min(n, self.budget - self.n_spent)
        if self.kind == "place":
            if places := list(self._places(n)):
                return [*places]
            n = 1  # the first groups are found by pairs, and no more of these than needed
        return [*self.study.ask(n, pending=self._left_open)]

    def _places(self, n: int) -> Iterator[PlaceQuestion]:
        pending = list(self._left_open)
        # While groups are few, most items belong to others that are still to be found.
        n_placed = int(self.study.constraints.placed().sum())
        for _ in range(min(n, max(1, n_placed // 4))):
            place = self.study.ask(kind="place", pending=pending)
            if place is None or place.item in {item for pair in pending for item in pair}:
                return
            pending.append(Pair(place.item, place.members[0]))
            yield place

    def asked_of(self, questions: Sequence[Question | PlaceQuestion]) -> list[Any]:
        """Return questions as the model is asked them."""
        return [self._asked(one) for one in questions]

    def _asked(self, question: Question | PlaceQuestion) -> Any:
        if isinstance(question, Question):
            return self.model.pair(*question.pair)
        assert isinstance(self.model, AskedModel)
        return self.model.place(question.item, self._shown(question))

    def _shown(self, place: PlaceQuestion) -> list[list[int]]:
        """Return members of each group that show what it is like, the nearest to the item first."""
        components = self.study.constraints.components()
        latest = latest_answers(self.study.answers, len(self.study.items))
        shown = []
        for member in place.members:
            known = np.flatnonzero(components == components[member])
            others = exemplars(self.study, known, _SHOWN, latest=latest)
            shown.append(list(dict.fromkeys([member, *others]))[:_SHOWN])
        return shown

    def reply(self, question: list[Question | PlaceQuestion]) -> Outcome | None:
        if self._stop():
            return Outcome.STOPPED
        try:
            asked = self.asked_of(question)
            # Where money is short fewer are asked at once; if not even one, it says so itself.
            asked = asked[: max(1, self.model.n_affordable(asked))]
            replies = self.model.replies(asked)
            for one, said in zip(question, replies, strict=False):
                self._keep(one, said)
        except LikewiseError as error:
            self.reason = str(error)
            paid_out = isinstance(error, CostLimit)
            return Outcome.COST_LIMIT if paid_out else Outcome.ORACLE_FAILED
        if self._said.is_blind:
            (verdict,) = self._said.said
            self.reason = (
                f"{self.model.name} has said {verdict.value!r} {self._said.n} times and nothing "
                "else, which is not what the items look like; it is asked no further: give it "
                "other instructions, or take its answers back (likewise retract --all-of)"
            )
            return Outcome.ORACLE_FAILED
        return None

    def _keep(self, question: Question | PlaceQuestion, said: str) -> None:
        verdict: str | int = said
        if isinstance(question, PlaceQuestion) and said.startswith("g"):
            verdict = question.groups[int(said[1:]) - 1]
        asked: Any = question  # of either kind, each with replies of its own
        told = self.study.tell(
            asked,
            verdict,
            who=self.model.name,
            weight=self.model.weight,
            cost=self.model.take_cost(),
            client_id=f"{PROGRAM}{uuid4().hex}",
        )
        kept: list[Answer] = told if isinstance(told, list) else [told]
        self._n_spent += 1
        if said == "unsure":
            self.n_unsure += 1
            self._left_open += [one.pair for one in kept]
        elif isinstance(question, Question):
            self._said.add(Verdict.of(said), question.same_probability)
        self.answers += kept
        if self._on_answer is not None:
            for one in kept:
                self._on_answer(one)
