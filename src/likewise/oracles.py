"""Answerers that are programs: for simulations, tests and other people's code.

An oracle is anything that can be called with two positions and says "same", "different" or
"unsure" (or True, False). One that knows the truth also has `labels`, and runs are then scored.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError, MethodError
from likewise.pairs import Verdict


class Oracle(Protocol):
    """Says what two items are to each other."""

    def __call__(self, i: int, j: int) -> Verdict | str | bool:
        """The answer for items `i` and `j`."""


class FromLabels:
    """Answers from known labels, always right.

    >>> FromLabels(["cat", "dog", "cat"])(0, 2)
    <Verdict.SAME: 'same'>
    """

    def __init__(self, labels: Any) -> None:
        array = np.asarray(labels)
        if array.ndim != 1 or len(array) == 0:
            raise DataError(f"labels must be one per item but have shape {array.shape}")
        self.labels: npt.NDArray[np.int64] = np.unique(array, return_inverse=True)[1]

    def __call__(self, i: int, j: int) -> Verdict:
        """The truth about a pair."""
        return Verdict.SAME if self.labels[i] == self.labels[j] else Verdict.DIFFERENT


class Noisy(FromLabels):
    """Answers from known labels, wrong for a random share of the pairs.

    A pair asked twice is answered the same way twice: people who are mistaken stay so. Which
    pairs are wrong depends on the seed alone, not on the order of the questions.
    """

    def __init__(self, labels: Any, error_rate: float, random_state: int = 0) -> None:
        super().__init__(labels)
        if not 0 <= error_rate < 0.5:
            raise MethodError(f"error_rate must be at least 0 and below 0.5 but got {error_rate}")
        self.error_rate = error_rate
        self.random_state = random_state

    def __call__(self, i: int, j: int) -> Verdict:
        """The truth, or its opposite for an unlucky pair."""
        truth = super().__call__(i, j)
        draw = np.random.default_rng([self.random_state, min(i, j), max(i, j)]).random()
        if draw >= self.error_rate:
            return truth
        return Verdict.DIFFERENT if truth is Verdict.SAME else Verdict.SAME


class FromCallable:
    """Answers from any function of two positions, or of two things when `things` are given.

    >>> FromCallable(lambda a, b: a[0] == b[0], things=["ant", "bee", "ape"])(0, 2)
    <Verdict.SAME: 'same'>
    """

    def __init__(self, function: Callable[[Any, Any], Any], things: Any = None) -> None:
        self.function = function
        self.things = things

    def __call__(self, i: int, j: int) -> Verdict:
        """What the function says, as a verdict."""
        if self.things is None:
            return Verdict.of(self.function(i, j))
        return Verdict.of(self.function(self.things[i], self.things[j]))


class FromTerminal:
    """Asks whoever sits at the terminal, one line per answer; `things` are what is shown."""

    _MEANT: ClassVar = {
        "s": Verdict.SAME, "y": Verdict.SAME, "same": Verdict.SAME,
        "d": Verdict.DIFFERENT, "n": Verdict.DIFFERENT, "different": Verdict.DIFFERENT,
        "u": Verdict.UNSURE, "": Verdict.UNSURE, "unsure": Verdict.UNSURE,
    }  # fmt: skip

    def __init__(self, things: Any = None) -> None:
        self.things = things

    def __call__(self, i: int, j: int) -> Verdict:
        """The answer typed, asked again until it is one; the end of input is an interrupt."""
        one, other = (i, j) if self.things is None else (self.things[i], self.things[j])
        while True:
            try:
                said = input(f"{one}\n{other}\nsame, different or unsure? [s/d/u] ")
            except EOFError:
                raise KeyboardInterrupt from None
            if said.strip().lower() in self._MEANT:
                return self._MEANT[said.strip().lower()]
