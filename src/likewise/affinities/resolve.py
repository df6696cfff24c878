"""What a clusterer's parameter `affinity` stands for."""

from __future__ import annotations

from typing import Any

from likewise.affinities.base import Affinity, Links
from likewise.affinities.kernels import Gaussian
from likewise.affinities.precomputed import PrecomputedAffinity
from likewise.errors import MethodError
from likewise.items import Matrix


def resolve_affinity(
    affinity: Affinity | str | None,
    X: Any,
    *,
    must_link: Links = None,
    cannot_link: Links = None,
) -> Matrix:
    """Return the affinity matrix of the rows of X; None is the self-tuning neighbour graph.

    Links reach an affinity that learns from them and no other.
    """
    if affinity is None:
        affinity = Gaussian()
    elif affinity == "precomputed":
        affinity = PrecomputedAffinity()
    elif isinstance(affinity, str):
        raise MethodError(f"affinity must be an affinity, 'precomputed' or None, not {affinity!r}")
    if affinity.learns:
        return affinity.fit(X, must_link=must_link, cannot_link=cannot_link).affinity_
    return affinity.fit(X).affinity_


def depends_on_links(affinity: Affinity | str | None) -> bool:
    """Return whether other links give another affinity matrix."""
    return not isinstance(affinity, str) and affinity is not None and affinity.learns
