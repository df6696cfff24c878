"""Data sets that are drawn: by the papers' recipes, and the usual shapes."""

from __future__ import annotations

import math
import numbers
from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError

Labels = npt.NDArray[np.int64]
Dataset = tuple[npt.NDArray[np.float64], Labels]  # X (n, d), y (n,) coded 0 to k - 1


def aqm_simulation(
    *,
    random_state: int = 0,
    n: int = 300,
    informative: int = 5,
    noise: int = 30,
    n_clusters: int = 5,
    separation: float = 3.0,
    rotate: bool = False,
    mix: bool = False,
) -> Dataset:
    """Draw a few features that make the clusters, and many that are clustered but mean nothing.

    Cluster k, of n / K items, is N(c e_k, I) in the informative features; in the others each item
    is N(c e_j, I) or N(-c e_j, I), with j and the sign drawn for that item; c is `separation`. At
    the defaults k-means alone has an ARI of about 0.7. The paper's tables start far lower: its text
    does not speak of it, but the scripts its authors have published mix the features (`mix`).

    Parameters
    ----------
    random_state : int
        The seed.
    n : int
        How many items; clusters are of equal size, up to one item.
    informative, noise : int
        How many features mean something, and how many do not.
    n_clusters : int
        At most `informative`; the paper has them equal.
    separation : float
        How far a cluster is from the origin, in standard deviations; at 0 there are no clusters.
    rotate : bool
        Turn all features by one random orthogonal matrix, so that no single one is informative.
    mix : bool
        Multiply them by the symmetric root of a random Wishart matrix instead, which also stretches
        and shrinks them.

    References
    ----------
    Deng, Yuan, Fu and Qu, "Query-Augmented Active Metric Learning", section 6.2, tables 1 and 2.
    """
    require_whole(0, noise=noise)
    require_real(separation=separation)
    rng = np.random.default_rng(random_state)
    y = _balanced(n, n_clusters, rng)
    # Every cluster has an axis of its own.
    require_whole(n_clusters, informative=informative)
    X = rng.normal(size=(n, informative + noise))
    X[np.arange(n), y] += separation
    if noise:
        peaks = informative + rng.integers(noise, size=n)
        X[np.arange(n), peaks] += separation * rng.choice([-1.0, 1.0], size=n)
    if rotate:
        # The signs make the orthogonal factor uniform: QR alone prefers some directions.
        q, r = np.linalg.qr(rng.normal(size=(X.shape[1], X.shape[1])))
        X = X @ (q * np.sign(np.diag(r)))
    if mix:
        gaussian = rng.normal(size=(X.shape[1], X.shape[1]))
        # The singular values of G are the roots of the eigenvalues of G Gᵀ.
        u, root, _ = np.linalg.svd(gaussian)
        X = X @ (u * root) @ u.T
    return X, y


def aqm_sphere(
    *,
    random_state: int = 0,
    n: int = 250,
    informative: int = 100,
    noise: int = 400,
    n_clusters: int = 5,
    radius: float = 5.0,
    stretch: bool = False,
) -> Dataset:
    """Draw the same paper's high-dimensional setting, table 3: cluster centres on a sphere.

    Centre i has the spherical angles i pi / K, the last one doubled. The paper does not say where
    i starts, nor what the irrelevant features are: here i is 0 to K - 1, and each item is
    N(radius e_j, I) in the irrelevant features, with j drawn for that item.

    Parameters
    ----------
    random_state, n, informative, noise, n_clusters
        As for `aqm_simulation`; `n_clusters` may exceed `informative`.
    radius : float
        That of the sphere; at 0 there are no clusters.
    stretch : bool
        Multiply every feature by a length of its own, |N(1, 1)|. The text does not speak of it, but
        the scripts that its authors have published do so; it means something only where columns
        are taken as they are.
    """
    require_whole(2, informative=informative)
    require_whole(0, noise=noise)
    require_real(radius=radius)
    rng = np.random.default_rng(random_state)
    y = _balanced(n, n_clusters, rng)
    X = rng.normal(size=(n, informative + noise))
    angles = np.tile(np.pi * np.arange(n_clusters) / n_clusters, (informative - 1, 1)).T
    angles[:, -1] *= 2
    ones = np.ones((n_clusters, 1))
    sines = np.cumprod(np.hstack([ones, np.sin(angles)]), axis=1)
    X[:, :informative] += radius * (sines * np.hstack([np.cos(angles), ones]))[y]
    if noise:
        X[np.arange(n), informative + rng.integers(noise, size=n)] += radius
    if stretch:
        X *= np.abs(rng.normal(1.0, 1.0, size=X.shape[1]))
    return X, y


def two_gaussians(
    *, random_state: int = 0, n: int = 200, separation: float = 3.0, d: int = 2
) -> Dataset:
    """Draw two spherical Gaussians of variance 1, means `separation` apart on the first axis.

    Parameters
    ----------
    random_state, n : int
        The seed, and how many items in both together.
    separation : float
        At 0 the two are one, at 6 hardly an item is on the wrong side.
    d : int
        How many features; all but the first mean nothing.

    References
    ----------
    The synthetic sets of the IU-RED paper, section 6.1, which scales them to the unit cube.
    """
    require_whole(1, d=d)
    require_real(separation=separation)
    rng = np.random.default_rng(random_state)
    y = _balanced(n, 2, rng)
    X = rng.normal(size=(n, d))
    X[:, 0] += separation * (y - 0.5)
    return X, y


def moons(*, random_state: int = 0, n: int = 200, noise: float = 0.05) -> Dataset:
    """Draw two interleaved half circles; `noise` is the standard deviation around them."""
    require_whole(2, n=n)
    require_real(noise=noise)
    return fetched("make_moons", random_state, n_samples=n, noise=noise)


def circles(
    *, random_state: int = 0, n: int = 200, noise: float = 0.05, factor: float = 0.5
) -> Dataset:
    """Draw a circle of radius `factor`, below 1, inside one of radius 1; `noise` as for `moons`."""
    require_whole(2, n=n)
    require_real(noise=noise, factor=factor)
    if factor >= 1:
        raise DataError(f"factor must be below 1, the radius of the outer circle; got {factor}")
    return fetched("make_circles", random_state, n_samples=n, noise=noise, factor=factor)


def blobs(
    *, random_state: int = 0, n: int = 300, n_clusters: int = 3, d: int = 2, spread: float = 1.0
) -> Dataset:
    """Draw Gaussians of deviation `spread` around uniform centres in the cube [-10, 10]^d."""
    require_whole(1, d=d, n_clusters=n_clusters)
    require_whole(n_clusters, n=n)
    require_real(spread=spread)
    shape = {"n_samples": n, "centers": n_clusters, "n_features": d}
    return fetched("make_blobs", random_state, **shape, cluster_std=spread)


GENERATORS: dict[str, Callable[..., Dataset]] = {
    "aqm-simulation": aqm_simulation,
    "aqm-sphere": aqm_sphere,
    "two-gaussians": two_gaussians,
    "moons": moons,
    "circles": circles,
    "blobs": blobs,
}


def require_whole(least: int, **values: object) -> None:
    """Refuse a value that is not a whole number, or too small."""
    for name, value in values.items():
        if not isinstance(value, numbers.Integral) or value < least:
            raise DataError(f"{name} must be a whole number of at least {least}, got {value!r}")


def require_real(**values: object) -> None:
    """Refuse a value that is not a finite number of at least 0."""
    for name, value in values.items():
        if not isinstance(value, numbers.Real) or not math.isfinite(value) or value < 0:
            raise DataError(f"{name} must be a number of at least 0, got {value!r}")


def _balanced(n: int, n_clusters: int, rng: np.random.Generator) -> Labels:
    """Draw labels of clusters of equal size, up to one item, in random order."""
    require_whole(1, n_clusters=n_clusters)
    require_whole(n_clusters, n=n)
    return rng.permutation(np.arange(n, dtype=np.int64) % n_clusters)


def fetched(function: str, seed: int | None = None, **arguments: object) -> Dataset:
    """Load a set from scikit-learn, imported here because it is slow to load."""
    import sklearn.datasets

    if seed is not None:
        # Its seeds have 32 bits, numpy's have no limit.
        arguments["random_state"] = seed % 2**32
    X, y = getattr(sklearn.datasets, function)(**arguments)
    return np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.int64)
