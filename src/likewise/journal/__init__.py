"""The journal: the events of a study in their order, and what follows from its answers."""

from likewise.journal.constraints import Constraints, Dispute
from likewise.journal.events import (
    FORMAT,
    Answered,
    Event,
    Grown,
    Measured,
    Named,
    Opened,
    OpenedSimilarities,
    Retracted,
    from_record,
    timestamp,
    to_record,
)
from likewise.journal.pairs import (
    Answer,
    AnswerDraft,
    Changes,
    Measurement,
    Pair,
    Question,
    Verdict,
)
from likewise.journal.state import Journal

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
    "Measured",
    "Measurement",
    "Named",
    "Opened",
    "OpenedSimilarities",
    "Pair",
    "Question",
    "Retracted",
    "Verdict",
    "from_record",
    "timestamp",
    "to_record",
]
