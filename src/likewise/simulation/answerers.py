"""Answerers: programs with a name and a price, of which a run chooses whom to ask what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

import numpy as np

from likewise.errors import MethodError
from likewise.items import Items
from likewise.journal.pairs import Verdict
from likewise.simulation.oracles import FromLabels
from likewise.study import Study

_A = TypeVar("_A")


class Answerer(Protocol):
    """Somebody who can be asked: an oracle with a name, under which the answers are kept.

    Two more attributes are used where they are there: `price`, what an answer costs (0), and
    `weight`, how far the answers are trusted in advance (1).
    """

    name: str

    def __call__(self, i: int, j: int) -> Verdict | str | bool:
        """Return the answer for items `i` and `j`."""


class Program(Protocol):
    """A program that has to see the items before it can answer about them, by their positions."""

    name: str

    def about(self, items: Items, study: str = "") -> Answerer:
        """Return the answerer about these items; its costs are kept under the study's identity."""


def ready(one: _A | Program, study: Study) -> _A | Answerer:
    """Return who answers in a study: a program is shown its items first."""
    about: Callable[[Items, str], Answerer] | None = getattr(one, "about", None)
    if about is None:
        return cast(_A, one)
    answerer = about(study.items, study.identity)
    if not (callable(answerer) and isinstance(getattr(answerer, "name", None), str)):
        raise MethodError(
            f"about(items, study) must return an answerer, which is called with two positions and "
            f"comes with a name, but a {type(answerer).__name__} came"
        )
    return answerer


class Simulated(FromLabels):
    """Answers from known labels and errs as people do: whoever is mistaken about a pair stays so.

    Parameters
    ----------
    name : str
        Under which the answers are kept; it also tells the errors of two answerers apart.
    labels : array-like, shape (n_items,)
        The class of every item.
    error : float or pair of float
        The share of wrong answers, from 0 to 1; or one share for pairs that are the same and one
        for those that differ.
    price : float
        What an answer costs, at least 0.
    random_state : int
        The seed.

    Examples
    --------
    >>> Simulated("Ada", ["cat", "dog", "cat"], error=0.0, price=0.01)(0, 2)
    <Verdict.SAME: 'same'>
    """

    def __init__(
        self,
        name: str,
        labels: Any,
        *,
        error: float | tuple[float, float] = 0.0,
        price: float = 0.0,
        random_state: int = 0,
    ) -> None:
        super().__init__(labels)
        both = error if isinstance(error, tuple) else (error, error)
        if not all(0 <= one <= 1 for one in both):
            raise MethodError(f"error must be between 0 and 1 but got {error}")
        if not price >= 0:
            raise MethodError(f"price must be at least 0 but got {price}")
        self.name, self.error, self.price, self.random_state = name, error, price, random_state
        self._error_same, self._error_different = both

    def __call__(self, i: int, j: int) -> Verdict:
        """Return the truth, or its opposite for a pair about which this one is mistaken."""
        truth = super().__call__(i, j)
        seed = [self.random_state, min(i, j), max(i, j), *self.name.encode()]
        wrong = self._error_same if truth is Verdict.SAME else self._error_different
        if np.random.default_rng(seed).random() >= wrong:
            return truth
        return Verdict.DIFFERENT if truth is Verdict.SAME else Verdict.SAME
