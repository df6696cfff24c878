"""Several descents from different starts, and the best of them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from likewise.clusterers.links import Labels

Start = TypeVar("Start")  # centres, or centres and metrics


@dataclass(frozen=True)
class Descent(Generic[Start]):
    """Where a descent has ended; another one may begin there."""

    labels: Labels
    end: Start
    objective: float
    n_iter: int


def best_descent(descend: Callable[[Start], Descent[Start]], starts: list[Start]) -> Descent[Start]:
    """Return the lowest of several descents, and of further ones that begin where it has ended.

    Links pull groups about while the centres are still poor, and then keep them where they are.
    To forget all labels and begin again from good centres is what sets them free.
    """
    best = min((descend(start) for start in starts), key=lambda found: found.objective)
    while True:
        again = descend(best.end)
        if again.objective >= best.objective - 1e-9 * abs(best.objective):
            return best
        best = again
