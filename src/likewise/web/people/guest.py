"""A language model as a guest: it answers in the background, with a budget, until it is stopped."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from likewise.answerers import LanguageModel, answer
from likewise.answerers.asked_model import AskedModel
from likewise.errors import AnswerError, LikewiseError
from likewise.journal.pairs import Answer, Changes, Pair, Verdict
from likewise.study import Study
from likewise.study.answerers import copy_without
from likewise.study.branch import Branch
from likewise.study.edits import retract_all
from likewise.web.service import StudyService


class KeptBranch(Branch):
    """A branch of a served study that a program answers on: what it says is kept in the study."""

    keep: Callable[[Callable[[], Changes]], tuple[list[Answer], list[Answer]]]

    def record(self, make: Callable[[], Changes]) -> list[Answer]:
        """Keep the changes in the study, and follow all that stands there by now."""
        given, answers = self.keep(make)
        self.follow(answers)
        return given


@dataclass
class GuestState:
    """What the guest is doing, or has done since it was last started."""

    running: bool = False
    answered: int = 0
    unsure: int = 0
    reason: str = ""
    proposals: dict[Pair, Verdict] = field(default_factory=dict)


class Guest:
    """Lets a language model answer in a study that is served.

    Parameters
    ----------
    service
        The study.
    model
        Who answers; its own budget of money holds for all times together.
    """

    def __init__(self, service: StudyService, model: LanguageModel) -> None:
        self.service, self.model = service, model
        self.state = GuestState()
        self._stop = threading.Event()
        self._thread: threading.Thread | None = None
        self._asked: AskedModel | None = None  # never asked: its ledger is read

    @property
    def name(self) -> str:
        """Under which its answers are kept."""
        return self.model.name

    def spent(self) -> float:
        """Return what all its calls for this study have cost, also those for proposals."""
        if self._asked is None:
            study = self.service.study
            self._asked = self.model.about(study.items, study.identity)
        return self._asked.ledger.read()

    async def start(self, n: int, *, propose: bool) -> None:
        """Begin to answer up to `n` questions, or only to propose answers to them."""
        if self.state.running:
            raise AnswerError(f"{self.name} is answering already; stop it first")
        self._stop.clear()
        self.state = GuestState(running=True, proposals=self.state.proposals)
        loop = asyncio.get_running_loop()
        study = await self.service.with_study(self._proposing if propose else self._keeping(loop))
        self._thread = threading.Thread(
            target=self._answer, args=(study, n, propose), name="likewise-guest", daemon=True
        )
        self._thread.start()

    def stop(self) -> None:
        """End after the call that is under way; its answers are paid for, and kept."""
        self._stop.set()

    async def take_back(self, who: str) -> int:
        """Take back all its answers, as one step that can be undone; return how many."""
        self.stop()
        self.state.proposals.clear()
        return await self.service.edit(lambda study: retract_all(study, self.name, who=who))

    def confirmed(self, pairs: Sequence[Pair]) -> None:
        """Forget proposals that a person has decided about."""
        for pair in pairs:
            self.state.proposals.pop(pair.unordered, None)

    def _proposing(self) -> Study:
        """Return a copy on which the guest answers; proposals that wait stand there already."""
        study = copy_without(self.service.study, ())
        for pair, verdict in self.state.proposals.items():
            study.tell(pair, verdict, who=self.name)
        return study

    def _keeping(self, loop: asyncio.AbstractEventLoop) -> Callable[[], Study]:
        """Return what makes a branch whose answers are kept in the study."""

        def keep(make: Callable[[], Changes]) -> tuple[list[Answer], list[Answer]]:
            changes = make()

            def work(study: Study) -> tuple[list[Answer], list[Answer]]:
                return study.record(lambda: changes), study.answers

            return asyncio.run_coroutine_threadsafe(self.service.edit(work), loop).result()

        def make() -> Study:
            branch = KeptBranch.of(self.service.study)
            assert isinstance(branch, KeptBranch)
            branch.keep = keep
            return branch

        return make

    def _answer(self, study: Study, n: int, propose: bool) -> None:
        """Answer until there is a reason to end; runs in a thread of its own."""
        state = self.state

        def on_answer(one: Answer) -> None:
            state.answered += 1
            state.unsure += one.verdict is Verdict.UNSURE
            if propose and one.verdict is not Verdict.UNSURE:
                state.proposals[one.pair.unordered] = one.verdict

        try:
            session = answer(
                study, self.model, budget=n, on_answer=on_answer, stop=self._stop.is_set
            )
            state.reason = session.reason
        except LikewiseError as error:
            state.reason = str(error)
        except Exception as error:  # noqa: BLE001 - the page must not wait for ever
            state.reason = f"it ended for an unforeseen reason: {error}"
        finally:
            state.running = False
