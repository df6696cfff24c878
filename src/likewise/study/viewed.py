"""Which views of the items count: said by people, kept in the journal."""

from __future__ import annotations

from collections.abc import Collection

from likewise.errors import MethodError
from likewise.items import Items
from likewise.journal import Switched
from likewise.journal.events import timestamp
from likewise.journal.person_names import person_name
from likewise.study.answered import AnsweredStudy


class ViewedStudy(AnsweredStudy):
    """A study of items that may have several views, each of which may be left out of account."""

    _items: Items  # as of the latest switch that was looked at

    @property
    def items(self) -> Items:
        """What is grouped, compared by the views that count."""
        if self._items.views is not None and self._items.off != self._off():
            self._compare_anew(self._items.switched(self._state.off))
        return self._items

    def _off(self) -> frozenset[str]:
        """Return the views that are off, of those that there are."""
        return self._items.off_of(self._state.off)

    def _compare_anew(self, items: Items) -> None:
        """Go on with the same items, compared by other features."""
        self._items = items

    @property
    def views(self) -> dict[str, bool]:
        """The views of the items by name, and whether each counts; empty where there is one only.

        Examples
        --------
        >>> from likewise import Items, Study
        >>> colour, size = [[0.0], [0.1], [5.0]], [[9.0], [1.0], [8.0]]
        >>> study = Study(Items.from_views({"colour": colour, "size": size}))
        >>> study.switch_views(off=["colour"])
        >>> study.views
        {'colour': False, 'size': True}
        """
        items = self.items
        known = () if items.views is None else items.views.blocks
        return {name: name not in items.off for name in known}

    def switch_views(
        self, *, off: Collection[str] = (), on: Collection[str] = (), who: str = ""
    ) -> None:
        """Say which views of the items count, from now on and when the study is opened again.

        All answers stay. It is no step that `undo` takes back: switch it back.

        Parameters
        ----------
        off : collection of str
            The names of views that count no longer.
        on : collection of str
            The names of views that count again.
        who : str
            Who says so.

        Raises
        ------
        MethodError
            If there is no such view, or none would be left.
        """
        name, wanted = person_name(who), sorted({*off, *on})

        def switched() -> list[Switched]:
            now = self.views
            for view in wanted:
                if view not in now:
                    known = f"there are {', '.join(now)}" if now else "this pile has only one"
                    raise MethodError(f"there is no view {view!r} of these items; {known}")
            # What is off and not at hand, as long as better features are not there, stays off.
            left_out = tuple(sorted((set(self._state.off) | set(off)) - set(on)))
            if now and set(now) <= set(left_out):
                raise MethodError(f"one view at least must count; leave one of {', '.join(now)} on")
            return [] if left_out == self._state.off else [Switched(left_out, timestamp(), name)]

        self._record(switched)
