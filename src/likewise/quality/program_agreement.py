"""How far a program agrees with people, by kind of pair."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Verdict

_CLEAR = 0.8  # from that chance on a pair looks like one thing
_LOOKS = ("looks the same", "unclear", "looks different", "not predicted")


@dataclass(frozen=True)
class KindOfPair:
    """Pairs of one kind: how many were compared, and how often both said the same.

    Parameters
    ----------
    kind : str
        What people say, and what the items look like.
    compared : int
        Answers of the program about pairs of this kind.
    agreed : int
        How many of these are what people say.
    """

    kind: str
    compared: int
    agreed: int


def agreement_with_people(answers: Sequence[Answer], who: str, n_items: int) -> list[KindOfPair]:
    """Return how far the answers of a program are what people say, or what follows from it.

    Parameters
    ----------
    answers : sequence of Answer
        All that stand.
    who : str
        The program.
    n_items : int
        How many items there are.

    Examples
    --------
    >>> from likewise.journal.pairs import Pair
    >>> said = [Answer(0, Pair(0, 1), Verdict.SAME, who="Ada")]
    >>> said += [Answer(1, Pair(0, 1), Verdict.SAME, who="m", same_probability=0.9)]
    >>> agreement_with_people(said, "m", 3)
    [KindOfPair(kind='same, looks the same', compared=1, agreed=1)]
    """
    people = [one for one in answers if one.who != who and (one.is_gold or not one.by_program)]
    known = Constraints.of(n_items, people)
    found: dict[tuple[str, str], list[bool]] = {}
    for answer in answers:
        if answer.who != who or answer.verdict is Verdict.UNSURE:
            continue
        meant = known.implied(*answer.pair)
        if meant is not None:
            kind = meant.value, _looks(answer.same_probability)
            found.setdefault(kind, []).append(meant is answer.verdict)
    order = [(said, looks) for said in ("same", "different") for looks in _LOOKS]
    return [
        KindOfPair(", ".join(kind), len(found[kind]), sum(found[kind]))
        for kind in order
        if kind in found
    ]


def _looks(same_probability: float | None) -> str:
    if same_probability is None:
        return _LOOKS[3]
    if same_probability >= _CLEAR:
        return _LOOKS[0]
    return _LOOKS[2] if same_probability <= 1 - _CLEAR else _LOOKS[1]
