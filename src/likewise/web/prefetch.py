"""What comes next for each person: chosen while they look, and the pictures that it will show."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterable
from typing import TYPE_CHECKING, Any

from likewise.journal.pairs import Pair, Verdict
from likewise.study.question_kinds import AnyQuestion
from likewise.views.thumbnails import pictures_of
from likewise.web.foresight import Guess, likely_replies
from likewise.web.offers import Offer

if TYPE_CHECKING:
    from likewise.web.service import StudyService

_VERDICTS = (Verdict.SAME, Verdict.DIFFERENT, Verdict.UNSURE)  # in this order
_MOST_PICTURES = 60  # of questions that may follow: two sheets, and what a place shows


class Prefetch:
    """Chooses the questions that would follow the likely replies to the one at hand.

    Parameters
    ----------
    service
        Whose dispatcher is told, and whose worker computes.
    """

    def __init__(self, service: StudyService) -> None:
        self._service = service
        self._running: dict[str, asyncio.Task[None]] = {}  # by person
        self._pictures: dict[str, dict[tuple[int, int], None]] = {}  # the likeliest first

    def after_pair(self, who: str, pair: Pair) -> None:
        """Begin to choose what follows each verdict on a pair."""
        self._begin(who, self._follow_pair(who, pair))

    def after_offer(self, who: str, kind: str, offer: Offer) -> None:
        """Begin to choose what follows the likely replies to a question of any kind."""
        if not isinstance(offer, Pair):
            self._begin(who, self._follow_offer(who, kind, offer))

    async def pictures(self, who: str) -> list[tuple[int, int]]:
        """Return items and the sizes of their pictures that somebody may see next.

        It waits until the questions are chosen, or until the reply has come.
        """
        if who in self._running:
            await asyncio.wait({self._running[who]})
        return list(self._pictures.get(who, ()))[:_MOST_PICTURES]

    def _begin(self, who: str, work: Coroutine[Any, Any, None]) -> None:
        self._pictures[who] = {}
        self._running[who] = self._service.run_in_background(work)

    async def _follow_pair(self, who: str, pair: Pair) -> None:
        service = self._service
        context = await service.with_study(service.dispatcher.selection_context, who)
        for verdict in _VERDICTS:
            questions = None
            # What somebody waits for goes first; this is tried again after it.
            while questions is None:
                if service.dispatcher.version != context.version:
                    return
                questions = await service.worker.ask_after(
                    context.answers, context.pending, pair, verdict
                )
            await service.with_study(
                service.dispatcher.prefetch, context.version, pair, verdict, questions
            )
            await self._prepare(who, questions)
        await service.worker.prepare(context.answers)

    async def _follow_offer(self, who: str, kind: str, offer: AnyQuestion) -> None:
        """Choose what comes after the likely replies, and one that fits any reply."""
        service = self._service
        context = await service.with_study(service.dispatcher.selection_context, who)
        guesses: list[Guess | None] = list(likely_replies(offer))
        guesses = [guesses[0], None, *guesses[1:]] if context.n == 1 else [None]
        for guess in guesses:
            found = None
            while found is None:
                if service.dispatcher.version != context.version:
                    return
                found = await service.worker.ask_after_reply(
                    context.answers, context.pending, kind, offer, guess
                )
            told, question = found
            if question is not None:
                ready, version = service.dispatcher.ready, context.version
                await service.with_study(ready.foresee, who, kind, version, told, question)
                await self._prepare(who, [question])

    async def _prepare(self, who: str, questions: Iterable[AnyQuestion]) -> None:
        """Make the pictures of questions that may come, and note that they may."""
        if self._service.study.items.pictures is None:
            return
        for question in questions:
            self._pictures[who].update(dict.fromkeys(pictures_of(question).items()))
            await asyncio.to_thread(self._service.thumbnails.prepare, question)
