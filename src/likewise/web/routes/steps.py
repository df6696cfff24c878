"""`/api/undo`: whatever a person did last, taken back as a whole."""

from __future__ import annotations

from fastapi import APIRouter
from pydantic import BaseModel

from likewise.journal.steps import JournalStep
from likewise.study import Study
from likewise.study.item_keys import require_study
from likewise.web.routes.dependencies import From, Service
from likewise.web.routes.replies import CONFLICT
from likewise.web.schemas import AnswerOut, Name, Shown, StudyIdentity

router = APIRouter()


class UndoIn(BaseModel):
    """Whose last step is taken back; `study` as of a placement."""

    annotator: Name = ""
    study: StudyIdentity | None = None


class StepOut(BaseModel):
    """A step that was taken back.

    Attributes
    ----------
    answers
        The answers that it had given.
    restored
        How many answers that it had taken back stand again.
    is_edit
        Whether it was more than the answer to a question.
    sentence
        What happened, in words.
    """

    answers: list[AnswerOut]
    restored: int
    is_edit: bool
    sentence: Shown

    @classmethod
    def of(cls, study: Study, step: JournalStep) -> StepOut:
        """Return a step as it is sent."""
        return cls(
            answers=[AnswerOut.of(study, answer) for answer in step.given],
            restored=len(step.retracted),
            is_edit=not (step.given and step.given[0].client_id),
            sentence=str(step),
        )


@router.post("/api/undo", status_code=201, responses=CONFLICT)
async def post_undo(service: Service, visitor: From, body: UndoIn) -> StepOut:
    """Take back what the person did last: an answer, a click, a name, an edit of groups.

    What an edit had taken back stands again. With nothing to take back, 422.
    """
    who = await service.person(visitor, body.annotator)

    def undo(study: Study) -> StepOut:
        require_study(study, body.study)
        return StepOut.of(study, service.dispatcher.undo(who))

    return await service.with_study(undo, service.study)
