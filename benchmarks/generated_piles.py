"""Piles drawn from a seed each, of every kind that people have: what `quality.fuzz` runs on.

A pile's parameters follow from its seed, and the pile from its parameters, so that a number is
enough to get a bad one back. Shapes take turns, so that any few seeds in a row hold all of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

Array = npt.NDArray[np.float64]
Labels = npt.NDArray[np.int64]
Random = np.random.Generator

FEWEST, MOST = 100, 600  # items
MOST_KINDS = {"blobs": 40, "elongated": 20, "rings": 8, "sphere": 300, "pairs": 300}
SHAPES = tuple(MOST_KINDS)
MOST_UNEVEN = 99.0  # the largest kind against the smallest
_ALONE = 6  # every so many piles of a shape have a single kind
_UP_TO_TWICE = 0.85  # kinds per item where most things occur once or twice


@dataclass(frozen=True)
class GeneratedPile:
    """What a pile is drawn by.

    Attributes
    ----------
    seed : int
        All else follows from it.
    shape : str
        Of the kinds: round blobs; elongated ones; rings and half-moons; directions, as embeddings
        have them; or records of which most occur once or twice.
    n_items, n_kinds : int
        How many there are.
    unevenness : float
        How many times larger the largest kind is than the smallest.
    n_features, n_noise : int
        Columns that mean something, and columns that mean nothing.
    width : float
        How wide a kind is; at 1 neighbours overlap.
    copies : float
        Share of the items that are the copy of another one of their kind.
    n_clumps : int
        Of how many clumps, anywhere, a kind consists.
    strays : float
        Share of the items that look like those of any other kind.
    """

    seed: int
    shape: str
    n_items: int
    n_kinds: int
    unevenness: float
    n_features: int
    n_noise: int
    width: float
    copies: float
    n_clumps: int
    strays: float

    @classmethod
    def of(cls, seed: int) -> GeneratedPile:
        """Draw the parameters."""
        rng = np.random.default_rng([seed, 0])
        shape = SHAPES[seed % len(SHAPES)]
        n_items = _whole(rng, FEWEST, MOST)
        fewest, most = _n_kinds(shape, n_items)
        alone = seed // len(SHAPES) % _ALONE == _ALONE - 1
        n_features = 2 if shape == "rings" else _whole(rng, *_FEATURES[shape])
        return cls(
            seed=seed,
            shape=shape,
            n_items=n_items,
            n_kinds=1 if alone else _whole(rng, fewest, most),
            unevenness=MOST_UNEVEN ** max(0.0, float(rng.uniform(-0.5, 1.0))),
            n_features=n_features,
            n_noise=int(rng.integers(0, 2 * n_features + 1)) if rng.random() < 0.4 else 0,
            width=float(rng.uniform(*_WIDTHS[shape])),
            copies=float(rng.uniform(0.0, 0.3)) if rng.random() < 0.3 else 0.0,
            n_clumps=int(rng.integers(2, 6)) if rng.random() < _SCATTERED[shape] else 1,
            strays=float(rng.uniform(0.0, 0.2)) if rng.random() < 0.25 else 0.0,
        )

    def draw(self) -> tuple[Array, Labels]:
        """Return the items, in random order, and the kind of each."""
        rng = np.random.default_rng([self.seed, 1])
        kinds = np.repeat(np.arange(self.n_kinds), self._sizes())
        clumps = kinds
        if self.n_clumps > 1:
            clumps = self.n_clumps * kinds + rng.integers(0, self.n_clumps, len(kinds))
        X = _DRAWN[self.shape](clumps, self, rng)
        if self.strays:
            astray = np.flatnonzero(rng.random(len(X)) < self.strays)
            X[astray] = X[rng.permutation(astray)]
        if self.n_noise:
            noise = rng.normal(scale=X.std(), size=(len(X), self.n_noise))
            X = np.concatenate([X, noise], axis=1)
        for item in np.flatnonzero(rng.random(len(X)) < self.copies):
            X[item] = X[rng.choice(np.flatnonzero(kinds == kinds[item]))]
        order = rng.permutation(len(X))
        return np.ascontiguousarray(X[order]), kinds[order]

    @property
    def n_centres(self) -> int:
        """How many clumps there are in all."""
        return self.n_kinds * self.n_clumps

    def _sizes(self) -> Labels:
        """Return how many items each kind has, at least one, in a geometric row."""
        place = np.linspace(1.0, 0.0, self.n_kinds) if self.n_kinds > 1 else np.ones(1)
        weights = self.unevenness**place
        ends = np.cumsum(weights) / weights.sum() * (self.n_items - self.n_kinds)
        return np.asarray(np.diff(np.round(ends).astype(np.int64), prepend=0) + 1)


def _n_kinds(shape: str, n_items: int) -> tuple[int, int]:
    """Return the fewest and the most kinds that so many items of a shape are of."""
    if shape == "pairs":
        return n_items // 2, min(MOST_KINDS[shape], int(_UP_TO_TWICE * n_items))
    return 10 if shape == "sphere" else 2, min(MOST_KINDS[shape], n_items // 2)


def _whole(rng: Random, low: int, high: int) -> int:
    """Return a whole number between two, as likely from 2 to 4 as from 20 to 40."""
    return int(np.exp(rng.uniform(np.log(low), np.log(high + 1))))


def _blobs(clumps: Labels, pile: GeneratedPile, rng: Random) -> Array:
    centres = _centres(pile, rng)
    return centres[clumps] + _spread(pile) * rng.normal(size=(len(clumps), pile.n_features))


def _elongated(clumps: Labels, pile: GeneratedPile, rng: Random) -> Array:
    """Return kinds up to ten times as long as they are thick, each its own way."""
    X = _centres(pile, rng)[clumps]
    for clump in range(pile.n_centres):
        inside = clumps == clump
        lengths = np.exp(rng.uniform(np.log(0.2), np.log(2.0), size=pile.n_features))
        turn = np.linalg.qr(rng.normal(size=(pile.n_features, pile.n_features)))[0]
        noise = rng.normal(size=(int(inside.sum()), pile.n_features))
        X[inside] += _spread(pile) * (noise * lengths) @ turn
    return X


def _rings(clumps: Labels, pile: GeneratedPile, rng: Random) -> Array:
    """Return kinds by twos: one ring inside another, or two half-moons hand in hand."""
    turn = rng.uniform(0.0, 2 * np.pi, size=len(clumps))
    second, place = clumps % 2, clumps // 2
    moons = bool(rng.random() < 0.5)
    if moons:
        turn = turn / 2 + np.pi * second
    radius = np.where(second == 1, 1.0, 1.0 if moons else 2.2)
    X = radius[:, None] * np.column_stack([np.cos(turn), np.sin(turn)])
    if moons:
        X += np.column_stack([second, 0.5 * second])
    X += 5.5 * np.column_stack([place % 2, place // 2])
    return np.asarray(X + pile.width * rng.normal(size=X.shape))


def _sphere(clumps: Labels, pile: GeneratedPile, rng: Random) -> Array:
    """Return directions, those of a kind around its own."""
    centres = _unit(rng.normal(size=(pile.n_centres, pile.n_features)))
    around = rng.normal(size=(len(clumps), pile.n_features)) / np.sqrt(pile.n_features)
    return _unit(centres[clumps] + pile.width * around)


def _pairs(clumps: Labels, pile: GeneratedPile, rng: Random) -> Array:
    """Return records of which some were written down twice, a little differently."""
    centres = rng.normal(size=(pile.n_centres, pile.n_features))
    return centres[clumps] + pile.width * rng.normal(size=(len(clumps), pile.n_features))


def _centres(pile: GeneratedPile, rng: Random) -> Array:
    return rng.normal(size=(pile.n_centres, pile.n_features))


def _spread(pile: GeneratedPile) -> float:
    """Return the standard deviation of a kind that is `width` times as wide as kinds are apart.

    Many centres in few dimensions are closer than few in many.
    """
    return float(0.5 * pile.width * pile.n_centres ** (-1.0 / pile.n_features))


def _unit(rows: Array) -> Array:
    return np.asarray(rows / np.linalg.norm(rows, axis=1, keepdims=True))


_FEATURES = {"blobs": (2, 20), "elongated": (2, 10), "sphere": (16, 64), "pairs": (4, 16)}
_SCATTERED = {"blobs": 0.4, "elongated": 0.4, "rings": 0.0, "sphere": 0.2, "pairs": 0.0}
_WIDTHS = {
    "blobs": (0.4, 1.6),
    "elongated": (0.4, 1.6),
    "rings": (0.03, 0.25),
    "sphere": (0.4, 1.4),
    "pairs": (0.02, 0.4),
}
_DRAWN: dict[str, Callable[[Labels, GeneratedPile, Random], Array]] = {
    "blobs": _blobs,
    "elongated": _elongated,
    "rings": _rings,
    "sphere": _sphere,
    "pairs": _pairs,
}
