"""Labels that people gave to single items, as answers about pairs of them."""

from __future__ import annotations

from collections.abc import Mapping

from likewise.exchange.records import AnswerRecord
from likewise.journal.pairs import Verdict


def answers_of_labels(labels: Mapping[str, Mapping[str, str]], name: str) -> list[AnswerRecord]:
    """Return what each one's labels say about pairs: as few answers as say all of it.

    Every item is the same as the first with its label, and the first ones differ.

    Parameters
    ----------
    labels : mapping of str to mapping of str to str
        By person, the label of each item.
    name : str
        Of the file, for error messages.

    Examples
    --------
    >>> found = answers_of_labels({"Ada": {"a": "cat", "b": "dog", "c": "cat"}}, "labels")
    >>> [(one.item, one.verdict.value, one.other) for one in found]
    [('c', 'same', 'a'), ('b', 'different', 'a')]
    """
    found = []
    for who, theirs in labels.items():
        first: dict[str, str] = {}
        for item, label in theirs.items():
            if label in first:
                found.append(AnswerRecord(item, first[label], Verdict.SAME, who=who, where=name))
            first.setdefault(label, item)
        firsts = list(first.values())
        found += [
            AnswerRecord(one, other, Verdict.DIFFERENT, who=who, where=name)
            for k, one in enumerate(firsts)
            for other in firsts[:k]
        ]
    return found
