"""What a run may spend, where it is not a number of questions."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite

from likewise.errors import MethodError


@dataclass(frozen=True)
class Money:
    """An amount of money that answers may cost together.

    Parameters
    ----------
    amount : float
        In the currency of the answerers' prices; above 0.

    Examples
    --------
    >>> Money(5).affords(4.5, 0.5), Money(5).affords(4.6, 0.5)
    (True, False)
    """

    amount: float

    def __post_init__(self) -> None:
        if not (isfinite(self.amount) and self.amount > 0):
            raise MethodError(f"money must be an amount above 0 but got {self.amount}")

    def affords(self, spent: float, price: float) -> bool:
        """Return whether something of this price can still be paid once `spent` is gone."""
        # A thousand times a cent is not quite ten dollars in binary.
        return spent + price <= self.amount * (1 + 1e-9)


Budget = int | Money
