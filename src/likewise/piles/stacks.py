"""Stacks: photographs of a burst that are one item, unless somebody has taken them apart."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path

from likewise.errors import DataError
from likewise.features.pictures.bursts import burst_stacks
from likewise.features.regions import PictureRegion
from likewise.piles.pile import Contents


class StackFinder:
    """Finds which pictures of a pile are shown as another one of their burst.

    Parameters
    ----------
    contents : Contents
        What was found; its pictures must be files.
    apart : collection of str
        The ids of items whose stacks were taken apart: those they are in are none.
    known : collection of str
        The ids of items that a study is about: of a burst one of them stands for all, so that a
        photograph that joins it later does not take its place.

    Raises
    ------
    DataError
        If the pile does not consist of pictures in files.
    """

    def __init__(
        self, contents: Contents, apart: Collection[str] = (), known: Collection[str] = ()
    ) -> None:
        pictures: Sequence[Path | PictureRegion] = contents.pictures or ()
        self.files = [one for one in pictures if isinstance(one, Path)]
        if not self.files or len(self.files) != len(pictures):
            raise DataError("only photographs can be stacked; leave stacks out")
        self._ids, self._digests = contents.ids, contents.digests
        self._apart, self._known = frozenset(apart), frozenset(known)

    def __call__(self, kept: list[int]) -> Mapping[int, int]:
        """Return which of some positions are shown as which other one of them."""
        found = burst_stacks([self.files[k] for k in kept], [self._digests[k] for k in kept])
        shown: dict[int, int] = {}
        for stack in found:
            members = [kept[place] for place in stack]
            if any(self._ids[k] in self._apart for k in members):
                continue
            first = next((k for k in members if self._ids[k] in self._known), members[0])
            shown |= {k: first for k in members if k != first}
        return shown
