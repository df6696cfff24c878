"""Questions about more than a pair: where one item belongs, and which of many belong together."""

from __future__ import annotations

from dataclasses import dataclass

Items = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class PlaceQuestion:
    """An item, and the groups it may belong to: which of them, or a new one?

    Parameters
    ----------
    item : int
        The item to be placed.
    groups : tuple of int
        The groups by their labels, the likeliest first; those it is known to differ from are left
        out.
    members : tuple of int
        Of each group, the known member that is most like the item.
    probabilities : tuple of float
        How likely it belongs to each.
    new_probability : float
        How likely it belongs to none of them.
    seconds : float
        How long a reply is expected to take.

    Examples
    --------
    >>> import likewise as lw
    >>> study = lw.Study([[0.0], [0.1], [5.0], [5.1]])
    >>> _ = study.tell((0, 2), "different")
    >>> place = study.ask(kind="place")
    >>> place.item in (1, 3), len(place.groups)
    (True, 2)
    """

    item: int
    groups: Items
    members: Items
    probabilities: tuple[float, ...]
    new_probability: float
    seconds: float

    @property
    def kind(self) -> str:
        """The kind of question: "place"."""
        return "place"

    @property
    def items(self) -> Items:
        """The item, then the member of each group that is shown."""
        return (self.item, *self.members)


@dataclass(frozen=True, slots=True)
class SheetQuestion:
    """Items that likely belong together: which of them do? And where do they go?

    Parameters
    ----------
    items : tuple of int
        Up to 24. The first one shows what is meant; then the doubtful ones come first.
    ticked : tuple of bool
        Which of them are believed to belong with the first.
    probabilities : tuple of float
        How likely each does.
    group : int or None
        The label of the group that the first is known to belong to; None where that is open, and
        is to be asked after the items.
    groups, members : tuple of int
        Where it is open: the groups the first may belong to, and a known member of each, the
        likeliest first.
    seconds : float
        How long a reply is expected to take.
    """

    items: Items
    ticked: tuple[bool, ...]
    probabilities: tuple[float, ...]
    group: int | None
    groups: Items
    members: Items
    seconds: float

    @property
    def kind(self) -> str:
        """The kind of question: "sheet"."""
        return "sheet"
