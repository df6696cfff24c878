"""Answerers that are programs: for simulations, tests and other people's code.

An oracle is anything that can be called with two positions and says "same", "different" or
"unsure" (or True, False). One that knows the truth also has `labels`, and runs are then scored.
One that can also say what a single item is has `name_of`, like `Classes`.

For studies of similarities an oracle says how alike the two are, from 0 to 1, or None if that
cannot be known: `FromMatrix`, `Raters` and `Costly`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Executor, ThreadPoolExecutor
from typing import Any, ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from likewise._summaries import one_line
from likewise.errors import CostLimit, DataError, MethodError
from likewise.journal.pairs import Pair, Reply, Verdict
from likewise.strategies.kinds import Pace


class Oracle(Protocol):
    """Says what two items are to each other."""

    def __call__(self, i: int, j: int) -> Reply | str | Awaitable[Reply | str]:
        """Return the answer for items `i` and `j`, or promise it."""


class FromLabels:
    """Answers from known labels, always right.

    Parameters
    ----------
    labels : array-like, shape (n_items,)
        The class of every item; numbers or names.

    Attributes
    ----------
    labels : array of int, shape (n_items,)
        The same, numbered from 0; by them a run is scored.

    Examples
    --------
    >>> FromLabels(["cat", "dog", "cat"])(0, 2)
    <Verdict.SAME: 'same'>
    """

    def __init__(self, labels: Any) -> None:
        array = np.asarray(labels)
        if array.ndim != 1 or len(array) == 0:
            raise DataError(f"labels must be one per item but have shape {array.shape}")
        self.labels: npt.NDArray[np.int64] = np.unique(array, return_inverse=True)[1]

    def __call__(self, i: int, j: int) -> Verdict:
        """Return the truth about a pair."""
        return Verdict.SAME if self.labels[i] == self.labels[j] else Verdict.DIFFERENT

    def __repr__(self) -> str:
        return one_line(type(self).__name__, self._facts())

    def _facts(self) -> dict[str, Any]:
        return {"n_items": len(self.labels), "n_classes": int(self.labels.max()) + 1}


class Classes(FromLabels):
    """Knows the class of every item by name: then an item is placed by one question.

    `run` asks it which class an item is; as an oracle of pairs it answers like `FromLabels`.

    Examples
    --------
    >>> Classes(["cat", "dog", "cat"]).name_of(1)
    'dog'
    """

    def __init__(self, labels: Any) -> None:
        super().__init__(labels)
        self.names = [str(label) for label in np.asarray(labels).tolist()]

    def name_of(self, item: int) -> str:
        """Return the class of an item."""
        return self.names[item]


class Person(FromLabels):
    """Answers from known labels, always right, and takes time to do so.

    In `run(..., minutes=10)` every question costs the seconds that its pace says.

    Parameters
    ----------
    labels : array-like, shape (n_items,)
        The class of every item.
    pace : Pace, optional
        How long it takes; None is the usual one.

    Examples
    --------
    >>> import likewise as lw
    >>> Person(["cat", "dog", "cat"], pace=lw.Pace().times(2)).pace.think
    2.7
    """

    def __init__(self, labels: Any, *, pace: Pace | None = None) -> None:
        super().__init__(labels)
        self.pace = Pace() if pace is None else pace


class Noisy(FromLabels):
    """Answers from known labels, wrong for a random share of the pairs.

    A pair asked twice is answered the same way twice: people who are mistaken stay so. Which
    pairs are wrong depends on the seed alone, not on the order of the questions.

    Parameters
    ----------
    labels : array-like, shape (n_items,)
        The class of every item.
    error_rate : float
        The share of wrong answers, from 0 (always right) to below 0.5 (a coin).
    random_state : int
        The seed.
    """

    def __init__(self, labels: Any, error_rate: float, random_state: int = 0) -> None:
        super().__init__(labels)
        if not 0 <= error_rate < 0.5:
            raise MethodError(f"error_rate must be at least 0 and below 0.5 but got {error_rate}")
        self.error_rate = error_rate
        self.random_state = random_state

    def __call__(self, i: int, j: int) -> Verdict:
        """Return the truth, or its opposite for a pair that is answered wrong."""
        truth = super().__call__(i, j)
        draw = np.random.default_rng([self.random_state, min(i, j), max(i, j)]).random()
        if draw >= self.error_rate:
            return truth
        return Verdict.DIFFERENT if truth is Verdict.SAME else Verdict.SAME

    def _facts(self) -> dict[str, Any]:
        own = {"error_rate": self.error_rate, "random_state": self.random_state}
        return super()._facts() | own


class FromCallable:
    """Answers from any function of two items.

    Parameters
    ----------
    function : callable
        Takes two positions, or two of `things`; returns a verdict, its name, True or False.
    things : sequence, optional
        What the function is given in place of positions.

    Examples
    --------
    >>> FromCallable(lambda a, b: a[0] == b[0], things=["ant", "bee", "ape"])(0, 2)
    <Verdict.SAME: 'same'>
    """

    def __init__(self, function: Callable[[Any, Any], Any], things: Any = None) -> None:
        self.function = function
        self.things = things

    def __call__(self, i: int, j: int) -> Verdict:
        """Return the value of the function, as a verdict."""
        if self.things is None:
            return Verdict.of(self.function(i, j))
        return Verdict.of(self.function(self.things[i], self.things[j]))

    def __repr__(self) -> str:
        things = None if self.things is None else len(self.things)
        return one_line(type(self).__name__, {"function": self.function, "n_things": things})


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
        """Return the answer that is typed; anything else is asked again.

        The end of the input counts as an interrupt from the keyboard.
        """
        one, other = (i, j) if self.things is None else (self.things[i], self.things[j])
        while True:
            try:
                typed = input(f"{one}\n{other}\nsame, different or unsure? [s/d/u] ")
            except EOFError:
                raise KeyboardInterrupt from None
            if typed.strip().lower() in self._MEANT:
                return self._MEANT[typed.strip().lower()]

    def __repr__(self) -> str:
        return one_line(type(self).__name__, {})


class FromMatrix:
    """Similarities from a symmetric matrix; entries that are not a number cannot be had.

    >>> oracle = FromMatrix([[1.0, 0.7], [0.7, 1.0]])
    >>> oracle(0, 1)
    0.7
    """

    def __init__(self, similarities: npt.ArrayLike) -> None:
        W = np.asarray(similarities, dtype=np.float64)
        if W.ndim != 2 or W.shape[0] != W.shape[1]:
            raise DataError(f"similarities must be a square matrix but have shape {W.shape}")
        off = ~np.eye(len(W), dtype=bool) & ~np.isnan(W)
        if ((W < 0) | (W > 1))[off].any():
            raise DataError("similarities must be between 0 and 1; divide them by the largest")
        if not np.array_equal(W, W.T, equal_nan=True):
            raise DataError("similarities must be symmetric; average the matrix and its transpose")
        self.similarities = W

    def __call__(self, i: int, j: int) -> float | None:
        """Return the entry, None if it is hidden."""
        value = float(self.similarities[i, j])
        return None if np.isnan(value) else value

    def __repr__(self) -> str:
        return one_line(type(self).__name__, self._facts())

    def _facts(self) -> dict[str, Any]:
        return {"n_items": len(self.similarities)}


class Raters(FromMatrix):
    """People who rate pairs from 1 to 10, and differ: a rating divided by 10 is what is told.

    Every rating of a pair is by another rater, each of whom has a bias, and an error at every
    rating. A rating depends on the seed, the pair and how often the pair was rated, not on the
    order of the pairs.

    Parameters
    ----------
    similarities : array-like, shape (n_items, n_items)
        The truth, from 0 to 1; NaN is unknown.
    n_raters : int
        How many raters there are, at least 1.
    disagreement : float
        Standard deviation of the raters' biases; 0: they agree.
    noise : float
        Standard deviation of the error of a rating; 0: each rater repeats himself.
    price : float
        What a rating costs.
    random_state : int
        The seed.
    """

    def __init__(
        self,
        similarities: npt.ArrayLike,
        *,
        n_raters: int = 20,
        disagreement: float = 0.1,
        noise: float = 0.2,
        price: float = 1.0,
        random_state: int = 0,
    ) -> None:
        super().__init__(similarities)
        if n_raters < 1 or disagreement < 0 or noise < 0:
            raise MethodError("there must be a rater, and no spread may be below 0")
        self.noise, self.price, self.random_state = noise, price, random_state
        self._biases = np.random.default_rng(random_state).normal(0.0, disagreement, n_raters)
        self._n_ratings: dict[Pair, int] = {}

    def __call__(self, i: int, j: int) -> float | None:
        """Return one more rating of the pair."""
        truth = super().__call__(i, j)
        if truth is None:
            return None
        pair = Pair(i, j).unordered
        n_ratings = self._n_ratings[pair] = self._n_ratings.get(pair, 0) + 1
        rng = np.random.default_rng([self.random_state, *pair, n_ratings])
        rating = truth + rng.choice(self._biases) + rng.normal(0.0, self.noise)
        return float(np.clip(np.round(10 * rating), 1, 10)) / 10

    def _facts(self) -> dict[str, Any]:
        own = {"n_raters": len(self._biases), "noise": self.noise, "price": self.price}
        return super()._facts() | own | {"random_state": self.random_state}


class Costly:
    """Similarities from a function that takes long or costs money; every pair is computed once.

    Parameters
    ----------
    function : callable
        Takes two positions, or two of `things`; returns a number from 0 to 1, or None.
    things : sequence, optional
        What the function is given in place of positions.
    price : float
        What each pair costs that is computed, at least 0.
    limit : float, optional
        What may be spent: more is refused with `CostLimit` before it is begun. None: any amount.
    workers : int
        How many threads evaluate a batch side by side, which suits HTTP calls and other programs.
    executor : concurrent.futures.Executor, optional
        Evaluates batches in place of threads.

    Examples
    --------
    >>> def shared(a, b):
    ...     return len(set(a) & set(b)) / 10
    >>> oracle = Costly(shared, things=["abc", "bcd", "xyz"], limit=2)
    >>> oracle.many([(0, 1), (1, 2), (1, 0)]), oracle.cost
    ([0.2, 0.0, 0.2], 2.0)
    """

    def __init__(
        self,
        function: Callable[[Any, Any], float | None],
        things: Any = None,
        *,
        price: float = 1.0,
        limit: float | None = None,
        workers: int = 4,
        executor: Executor | None = None,
    ) -> None:
        if not price >= 0 or workers < 1:
            raise MethodError(f"price must be at least 0 and workers 1; got {price} and {workers}")
        self.function, self.things = function, things
        self.price, self.limit = price, limit
        self.workers, self.executor = workers, executor
        self._known: dict[Pair, float | None] = {}

    @property
    def cost(self) -> float:
        """What has been spent so far."""
        return self.price * len(self._known)

    def __call__(self, i: int, j: int) -> float | None:
        """Return how alike two items are; free if it was computed before."""
        return self.many([(i, j)])[0]

    def many(self, pairs: Sequence[tuple[int, int]]) -> list[float | None]:
        """Return how alike several pairs are, computed side by side.

        Raises
        ------
        CostLimit
            If those that are new would cost more than is left; none of them is computed then.
        """
        wanted = [Pair(*pair).unordered for pair in pairs]
        new = [pair for pair in dict.fromkeys(wanted) if pair not in self._known]
        cost = self.price * len(new)
        if self.limit is not None and self.cost + cost > self.limit * (1 + 1e-12):
            raise CostLimit(
                f"{len(new)} more would cost {cost:g}, but of {self.limit:g} "
                f"only {self.limit - self.cost:g} is left; raise the limit to go on"
            )
        self._known.update(zip(new, self._compute(new), strict=True))
        return [self._known[pair] for pair in wanted]

    def _compute(self, pairs: list[Pair]) -> list[float | None]:
        one, other = ([self._thing(pair[side]) for pair in pairs] for side in (0, 1))
        if self.executor is not None:
            return list(self.executor.map(self.function, one, other))
        if len(pairs) < 2 or self.workers == 1:
            return list(map(self.function, one, other))
        with ThreadPoolExecutor(self.workers) as pool:
            return list(pool.map(self.function, one, other))

    def _thing(self, item: int) -> Any:
        return item if self.things is None else self.things[item]

    def __repr__(self) -> str:
        facts = {"function": self.function, "price": self.price, "limit": self.limit}
        return one_line(type(self).__name__, facts | {"cost": self.cost})
