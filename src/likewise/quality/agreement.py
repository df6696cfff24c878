"""How far several people agree on the pairs that more than one of them has judged."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from likewise.journal.pairs import Answer, Pair, Verdict


def krippendorff_alpha(answers: Iterable[Answer]) -> float | None:
    """Compute Krippendorff's α of "same" and "different"; None where no pair was judged twice.

    1 is perfect agreement, 0 what chance gives. "unsure" is no judgement; of several answers of
    one person about one pair the latest counts.

    References
    ----------
    K. Krippendorff, "Content Analysis", 2004, chapter 11 (nominal data).

    Examples
    --------
    >>> people = ["Ada", "Bob"]
    >>> one, other = [Answer(k, Pair(0, 1), Verdict.SAME, who=w) for k, w in enumerate(people)]
    >>> krippendorff_alpha([one]), krippendorff_alpha([one, other])
    (None, 1.0)
    """
    units = [
        Counter(by_person.values()) for by_person in _judged(answers).values() if len(by_person) > 1
    ]
    n = sum(unit.total() for unit in units)
    if not n:
        return None
    total: Counter[Verdict] = sum(units, Counter())
    observed = sum(
        2 * unit[Verdict.SAME] * unit[Verdict.DIFFERENT] / (unit.total() - 1) for unit in units
    )
    expected = 2 * total[Verdict.SAME] * total[Verdict.DIFFERENT] / (n - 1)
    # Where everybody only ever says one thing nothing could disagree.
    return 1.0 - observed / expected if expected else 1.0


def alpha_of(answers: Sequence[Answer], who: str) -> float | None:
    """Compute Krippendorff's α among the pairs that this person has judged."""
    judged = {answer.pair.unordered for answer in answers if answer.who == who}
    return krippendorff_alpha(a for a in answers if a.pair.unordered in judged)


def _judged(answers: Iterable[Answer]) -> dict[Pair, dict[str, Verdict]]:
    """Return the latest judgement of each person, by pair."""
    judged: dict[Pair, dict[str, Verdict]] = defaultdict(dict)
    for answer in answers:
        if answer.verdict is not Verdict.UNSURE:
            judged[answer.pair.unordered][answer.who] = answer.verdict
    return judged
