"""The latest verdict of everybody about every pair, and how much of it can be compared."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, ItemsView, Iterable, Iterator, Mapping
from types import MappingProxyType

from likewise.journal.pairs import Answer, Pair, Verdict

_NOBODY: Mapping[str, Verdict] = MappingProxyType({})


class Opinions:
    """Who said what; one more answer costs the same however many there are.

    Examples
    --------
    >>> said = Opinions()
    >>> said.add(Pair(0, 1), "Ada", Verdict.SAME)
    >>> said.add(Pair(1, 0), "Bob", Verdict.SAME)
    >>> said.n_pairs("Ada"), said.n_compared("Ada")
    (1, 1)
    """

    def __init__(self) -> None:
        self._by_pair: dict[Pair, dict[str, Verdict]] = {}
        self._n_pairs: Counter[str] = Counter()
        self._n_compared: Counter[str] = Counter()
        # By how many people, and by whom exactly, so that nobody's own pairs have to be gone
        # through to find one that they have not seen.
        self._seen_by: defaultdict[int, dict[frozenset[str], dict[Pair, None]]] = defaultdict(dict)

    @classmethod
    def of(cls, answers: Iterable[Answer]) -> Opinions:
        """Return the opinions in these answers."""
        found = cls()
        for answer in answers:
            found.add(answer.pair, answer.who, answer.verdict)
        return found

    def add(self, pair: Pair, who: str, verdict: Verdict) -> None:
        """Take in what somebody says; it replaces what they said before."""
        said = self._by_pair.setdefault(pair.unordered, {})
        if who not in said:
            self._see(pair.unordered, frozenset(said), who)
            self._n_pairs[who] += 1
            if len(said) == 1:  # whoever was alone with it can be compared from now on
                self._n_compared.update(said.keys())
            self._n_compared[who] += bool(said)
        said[who] = verdict

    def _see(self, pair: Pair, before: frozenset[str], who: str) -> None:
        """Note that one person more has seen a pair."""
        if before:
            together = self._seen_by[len(before)]
            del together[before][pair]
            if not together[before]:
                del together[before]
        self._seen_by[len(before) + 1].setdefault(before | {who}, {})[pair] = None

    def about(self, pair: Pair) -> Mapping[str, Verdict]:
        """Return what everybody says about a pair."""
        return self._by_pair.get(pair.unordered, _NOBODY)

    def unseen_by(
        self, who: str, *, fewer_than: int | None = None, only_by: Collection[str] | None = None
    ) -> Iterator[Pair]:
        """Yield pairs that others have answered and this person has not, those of the fewest first.

        Only those that `fewer_than` so many have answered, or `only_by` these and nobody else, if
        that is given.
        """
        for n, by_people in sorted(self._seen_by.items()):
            if fewer_than is not None and n >= fewer_than:
                return
            for people, pairs in by_people.items():
                if who not in people and (only_by is None or people.issubset(only_by)):
                    yield from pairs

    def items(self) -> ItemsView[Pair, Mapping[str, Verdict]]:
        """Return all pairs, the ones that were answered first first, with what is said of them."""
        return self._by_pair.items()

    def n_pairs(self, who: str) -> int:
        """Return how many pairs somebody has answered."""
        return self._n_pairs[who]

    def n_compared(self, who: str) -> int:
        """Return how many of them others have answered, too."""
        return self._n_compared[who]
