"""One click that answers several pairs: an item goes into a group, or into one of its own."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.errors import AnswerError
from likewise.journal import Answered
from likewise.journal.constraints import Constraints
from likewise.journal.events import timestamp
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.study import Study
from likewise.views.exemplars import exemplars
from likewise.web.schemas import PlacementIn


def member_of(study: Study, members: npt.NDArray[np.int64]) -> int:
    """The item that stands for a group: one by which it was found, else the most typical."""
    if not len(members):
        raise AnswerError("there is no such group with other items in it; look at /api/groups")
    for representative in study.constraints.representatives:
        if representative in members:
            return representative
    return exemplars(study, members, 1)[0]


def place(study: Study, told: PlacementIn, client_id: str, member: int | None) -> list[Answer]:
    """The answers that a click stands for, kept in one piece.

    `member` is of the group the item belongs to; None puts it into one of its own, which differs
    from all known groups unless the click says which of them were shown. What follows from other
    answers was not said by this click and is not recorded.
    """
    everything = study.constraints.representatives if member is None else []
    others = everything if told.among is None else told.among
    said = [] if member is None else [(member, Verdict.SAME)]
    said += [(other, Verdict.DIFFERENT) for other in others if other not in (told.item, member)]
    for other, _ in said:
        study.require_pair(told.item, other)
    before = [study.told(f"{client_id}:{other}") for other, _ in said]
    if any(before):
        return [answer for answer in before if answer is not None]

    def answered(next_id: int) -> list[Answered]:
        known = Constraints(len(study.items), study.n_clusters)
        for answer in study.answers:
            known.add(answer)
        given: list[Answered] = []
        for other, verdict in said:
            # The choice itself is always kept: if it contradicts, that has to come to light.
            if verdict is not Verdict.SAME and known.implied(told.item, other) is not None:
                continue
            answer = Answer(
                next_id + len(given),
                Pair(told.item, other),
                verdict,
                who=told.annotator,
                when=timestamp(),
                seconds=None if given else told.seconds,  # a click takes this long, not each
                client_id=f"{client_id}:{other}",
            )
            known.add(answer)
            given.append(Answered(answer))
        return given

    return study.record(answered)
