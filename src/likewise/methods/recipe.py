"""What a method is made of, and the builders that most methods share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import scipy.sparse as sp

from likewise.affinities import (
    Affinity,
    Cosine,
    Gaussian,
    GaussianOfDistances,
    LearnedMixture,
    PrecomputedAffinity,
    ScreenedForest,
)
from likewise.affinities.base import Links
from likewise.clusterers import Clusterer, SpectralLearning
from likewise.errors import MethodError
from likewise.items import Items
from likewise.journal.group_number import NumberOfGroups
from likewise.strategies import Strategy

HandOver = Callable[[Items, NumberOfGroups, Links, Links, Any], Callable[..., Clusterer] | None]


def neighbour_graph(items: Items) -> Affinity:
    """Return the affinity that suits what is known of the items: a sparse graph of neighbours."""
    if items.affinity is not None:
        return PrecomputedAffinity()
    if items.distances is not None:
        return GaussianOfDistances()
    return Cosine() if sp.issparse(items.features) else Gaussian()


def close_neighbours(items: Items) -> Affinity:
    """Return the affinity of `neighbour_graph` with fewer neighbours, 15, where features allow."""
    affinity = neighbour_graph(items)
    return affinity.set_params(n_neighbours=15) if isinstance(affinity, Gaussian) else affinity


def close_neighbours_by_views(items: Items) -> Affinity:
    """Return the same; of items with several views, one that learns how much each counts."""
    if items.views is None or len(items.views_on) < 2:
        return close_neighbours(items)
    return LearnedMixture(items.views, off=items.off, n_neighbours=15)


def constraint_forest(items: Items) -> Affinity:
    """Return the affinity of the clusterer `COPRF`, with 100 trees and 20 neighbours."""
    require_dense_features(items)
    return ScreenedForest(n_trees=100, n_neighbours=20)


def require_dense_features(items: Items) -> None:
    """Refuse items that no forest can be grown on."""
    if items.features is None or sp.issparse(items.features):
        raise MethodError(
            "a forest needs features in a dense array; reduce sparse ones first, for example by "
            "truncated SVD, or use a method such as 'urasc'"
        )


def spectral_learning(**settings: Any) -> Clusterer:
    """Return spectral learning on the affinity, with eigenvectors to spare for differentiating."""
    return SpectralLearning(affinity="precomputed", n_extra=10, **settings)


@dataclass(frozen=True)
class Recipe:
    """What a method is made of: functions that build fresh parts for each study.

    Parameters
    ----------
    summary : str
        What the method asks about, in a few words; `likewise methods` prints it.
    strategy : callable
        Takes nothing, returns a `Strategy`; a class of strategies will do.
    clusterer : callable
        Takes `n_clusters` and `random_state` by name, returns a `Clusterer`; a class of clusterers
        will do.
    affinity : callable
        Takes the `Items`, returns an `Affinity` that suits them; it may raise `MethodError` for
        items it cannot be used with.
    reference : str
        The paper, "Authors: Title, year"; empty if there is none.
    most_groups : int or None
        For methods that cannot tell more groups apart: what they take as the number of groups
        when none is given. None is no limit.
    name : str
        What a journal calls the method; a recipe of `METHODS` has the name it is listed under.
    hand_over : callable or None
        For methods that group some piles by another clusterer: takes the `Items`, the number of
        groups, must- and cannot-links and the fit with fewer answers (None before the first), and
        returns what builds that clusterer, or None where the usual one is right.
    representatives : callable or None
        For methods that would take long with many items: takes the `Items` and the number of
        groups, and returns how many items stand for all, or None where all are computed on.

    Examples
    --------
    >>> from likewise.clusterers import PCKMeans
    >>> from likewise.strategies import MinMax, Placing
    >>> mine = Recipe("farthest first, PCK-means", lambda: Placing(MinMax()), PCKMeans)
    >>> type(mine.clusterer(n_clusters=3, random_state=0)).__name__
    'PCKMeans'
    """

    summary: str
    strategy: Callable[[], Strategy]
    clusterer: Callable[..., Clusterer] = spectral_learning
    affinity: Callable[[Items], Affinity] = neighbour_graph
    reference: str = ""
    most_groups: int | None = None
    name: str = "custom"
    hand_over: HandOver | None = None
    representatives: Callable[[Items, NumberOfGroups], int | None] | None = None

    def __post_init__(self) -> None:
        for name in ("summary", "reference", "name"):
            if not isinstance(getattr(self, name), str):
                raise MethodError(f"a recipe's {name} must be a text, got {getattr(self, name)!r}")
        for name in ("strategy", "clusterer", "affinity", "hand_over", "representatives"):
            if name in ("hand_over", "representatives") and getattr(self, name) is None:
                continue
            if not callable(getattr(self, name)):
                raise MethodError(
                    f"a recipe's {name} must be a function that builds one (or its class), "
                    f"got {getattr(self, name)!r}"
                )
