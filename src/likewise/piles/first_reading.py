"""Which items of a pile are read first, where to read all of them takes long.

The others join while questions are answered, as they would if they came into the pile only now.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field

from likewise.items.digests import text_digest


@dataclass(frozen=True)
class FirstReading:
    """A wish not to wait: what costs nothing, and a fair sample of the rest.

    Parameters
    ----------
    known : mapping of str to str
        The items that a study is about already, by id, and the digests of what they hold (as
        hexadecimal digits); they are read whatever that takes.
    """

    known: Mapping[str, str] = field(default_factory=dict)

    def misses(self, names: Collection[str], digests: Collection[str]) -> bool:
        """Return whether something known is neither among these names nor among these digests."""
        return any(
            name not in names and digest not in digests for name, digest in self.known.items()
        )

    def positions(
        self, names: Sequence[str], computed: Sequence[bool], digests: Sequence[str], enough: int
    ) -> list[int]:
        """Return which items are read now, in the order of the pile.

        Parameters
        ----------
        names : sequence of str
            Of all items; their hashes say who is in the sample.
        computed : sequence of bool
            Whether the features of each are there.
        digests : sequence of str
            Of what each holds, "" where that has not been looked at.
        enough : int
            How many are waited for. Up to twice as many are worth no second reading.

        Examples
        --------
        >>> names = [f"{k}.jpg" for k in range(9)]
        >>> FirstReading().positions(names, [k < 2 for k in range(9)], [""] * 9, 3)
        [0, 1, 7]
        >>> FirstReading({"7.jpg": "00"}).positions(names, [False] * 9, [""] * 9, 2)
        [3, 7]
        >>> len(FirstReading().positions(names, [False] * 9, [""] * 9, 5))
        9
        """
        ids, held = self.known.keys(), {*self.known.values()}
        now = [
            k for k, name in enumerate(names) if computed[k] or name in ids or digests[k] in held
        ]
        waiting = sorted(set(range(len(names))) - set(now))
        if len(waiting) <= 2 * enough:
            return list(range(len(names)))
        waiting.sort(key=lambda k: text_digest(names[k]))
        return sorted(now + waiting[: max(enough - len(now), 0)])
