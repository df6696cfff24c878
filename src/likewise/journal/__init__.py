"""The journal: the events of a study in their order, and what follows from its answers."""

from likewise.journal.constraints import Constraints
from likewise.journal.disputes import Dispute
from likewise.journal.events import (
    FORMAT,
    Answered,
    Event,
    Grown,
    Measured,
    Named,
    Noted,
    Opened,
    OpenedSimilarities,
    Redone,
    Retracted,
    Switched,
    Undone,
    from_record,
    timestamp,
    to_record,
)
from likewise.journal.notes import Review
from likewise.journal.pairs import (
    Answer,
    AnswerDraft,
    Changes,
    Measurement,
    Pair,
    Question,
    Verdict,
)
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.journal.state import Journal
from likewise.journal.steps import JournalStep

__all__ = [
    "FORMAT",
    "Answer",
    "AnswerDraft",
    "Answered",
    "Changes",
    "Constraints",
    "Dispute",
    "Event",
    "Grown",
    "Journal",
    "JournalStep",
    "Measured",
    "Measurement",
    "Named",
    "Noted",
    "Opened",
    "OpenedSimilarities",
    "Pair",
    "PlaceQuestion",
    "Question",
    "Redone",
    "Retracted",
    "Review",
    "SheetQuestion",
    "Switched",
    "Undone",
    "Verdict",
    "from_record",
    "timestamp",
    "to_record",
]
