"""Data sets by name: items, and the grouping that a simulated person has in mind.

A name is looked up in three places, in this order: the sets that come with scikit-learn, the
generators below, and the files `NAME.csv` (a header row, numbers, `label` as the last column) in
the folder that the environment variable LIKEWISE_DATA names. `-` and `_` mean the same in a name.
"""

from __future__ import annotations

import csv
import difflib
import inspect
import math
import numbers
import os
from array import array
from collections.abc import Callable, Iterator
from pathlib import Path

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError

Labels = npt.NDArray[np.int64]
Dataset = tuple[npt.NDArray[np.float64], Labels]  # X (n, d), y (n,) coded 0 to k - 1

_BUNDLED = ("iris", "wine", "breast_cancer", "digits")


def load(name: str, /, *, random_state: int = 0, **params: object) -> Dataset:
    """The data set called `name` as (X, y): float64 features, and labels coded 0 to k - 1.

    Generators take `params` and the seed; all other sets are fixed. Labels of a file are coded in
    their sorted order, by value where all of them are numbers. Rows keep the order of the file.

    >>> X, y = load("two-gaussians", n=50, separation=4.0, random_state=1)
    >>> X.shape, np.bincount(y).tolist()
    ((50, 2), [25, 25])
    """
    if not isinstance(name, str):
        raise DataError(f"the name of a data set must be a string, got {name!r}")
    if ".." in name or "/" in name or "\\" in name:
        raise DataError(f"{name!r} is a path; give the name alone, without a folder or '.csv'")
    generator = GENERATORS.get(name.replace("_", "-"))
    bundled = name.replace("-", "_") in _BUNDLED
    path = None if bundled or generator else _find(name)
    accepted = [*inspect.signature(generator).parameters][1:] if generator else []
    if unknown := sorted(params.keys() - set(accepted)):
        takes = "it takes " + ", ".join(accepted) if accepted else "it is fixed and takes none"
        raise DataError(f"{name!r} has no parameter {unknown[0]!r}; {takes}")
    _whole(0, random_state=random_state)
    if generator:
        return generator(random_state=random_state, **params)
    return _read(path) if path else _sklearn(f"load_{name.replace('-', '_')}", return_X_y=True)


def names() -> list[str]:
    """Every name that `load` accepts here and now; files that hold text are left out.

    >>> names()[:5]
    ['iris', 'wine', 'breast_cancer', 'digits', 'aqm-simulation']
    """
    built_in = [*_BUNDLED, *GENERATORS]
    hidden = {name.replace("-", "_") for name in built_in}
    found = {name: path for name, path in _files().items() if name.replace("-", "_") not in hidden}
    return built_in + [name for name, path in found.items() if _is_numeric(path)]


def aqm_simulation(
    *,
    random_state: int = 0,
    n: int = 300,
    informative: int = 5,
    noise: int = 30,
    n_clusters: int = 5,
    separation: float = 3.0,
    rotate: bool = False,
) -> Dataset:
    """A few features that make the clusters, and many that are clustered too but mean nothing.

    Cluster k, of n / K items, is N(c e_k, I) in the informative features; in the others each item
    is N(c e_j, I) or N(-c e_j, I), with j and the sign drawn for that item; c is `separation`.
    The paper has `n_clusters` = `informative`. `rotate` turns all features by one random
    orthogonal matrix, so that no single one is informative any more. At the defaults k-means alone
    has an ARI of about 0.7; the paper's tables start far lower, so they must rest on harder data.

    Deng, Yuan, Fu and Qu, "Query-Augmented Active Metric Learning", section 6.2, tables 1 and 2.
    """
    _whole(0, noise=noise)
    _real(separation=separation)
    rng = np.random.default_rng(random_state)
    y = _balanced(n, n_clusters, rng)
    # Every cluster has an axis of its own.
    _whole(n_clusters, informative=informative)
    X = rng.normal(size=(n, informative + noise))
    X[np.arange(n), y] += separation
    if noise:
        peaks = informative + rng.integers(noise, size=n)
        X[np.arange(n), peaks] += separation * rng.choice([-1.0, 1.0], size=n)
    if rotate:
        # The signs make the orthogonal factor uniform: QR alone prefers some directions.
        q, r = np.linalg.qr(rng.normal(size=(X.shape[1], X.shape[1])))
        X = X @ (q * np.sign(np.diag(r)))
    return X, y


def aqm_sphere(
    *,
    random_state: int = 0,
    n: int = 250,
    informative: int = 100,
    noise: int = 400,
    n_clusters: int = 5,
    radius: float = 5.0,
) -> Dataset:
    """The same paper's high-dimensional setting, table 3: cluster centres on a sphere.

    Centre i has the spherical angles i pi / K, the last one doubled. The paper does not say where
    i starts, nor what the irrelevant features are: here i is 0 to K - 1, and each item is
    N(radius e_j, I) in the irrelevant features, with j drawn for that item.
    """
    _whole(2, informative=informative)
    _whole(0, noise=noise)
    _real(radius=radius)
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
    return X, y


def two_gaussians(
    *, random_state: int = 0, n: int = 200, separation: float = 3.0, d: int = 2
) -> Dataset:
    """Two spherical Gaussians of variance 1, their means `separation` apart on the first axis.

    The synthetic sets of the IU-RED paper, section 6.1, which scales them to the unit cube.
    """
    _whole(1, d=d)
    _real(separation=separation)
    rng = np.random.default_rng(random_state)
    y = _balanced(n, 2, rng)
    X = rng.normal(size=(n, d))
    X[:, 0] += separation * (y - 0.5)
    return X, y


def moons(*, random_state: int = 0, n: int = 200, noise: float = 0.05) -> Dataset:
    """Two interleaved half circles; `noise` is the standard deviation around them."""
    _whole(2, n=n)
    _real(noise=noise)
    return _sklearn("make_moons", random_state, n_samples=n, noise=noise)


def circles(
    *, random_state: int = 0, n: int = 200, noise: float = 0.05, factor: float = 0.5
) -> Dataset:
    """A circle of radius `factor`, below 1, inside one of radius 1; `noise` as for `moons`."""
    _whole(2, n=n)
    _real(noise=noise, factor=factor)
    if factor >= 1:
        raise DataError(f"factor must be below 1, the radius of the outer circle; got {factor}")
    return _sklearn("make_circles", random_state, n_samples=n, noise=noise, factor=factor)


def blobs(
    *, random_state: int = 0, n: int = 300, n_clusters: int = 3, d: int = 2, spread: float = 1.0
) -> Dataset:
    """Gaussians of standard deviation `spread` around uniform centres in the cube [-10, 10]^d."""
    _whole(1, d=d, n_clusters=n_clusters)
    _whole(n_clusters, n=n)
    _real(spread=spread)
    shape = {"n_samples": n, "centers": n_clusters, "n_features": d}
    return _sklearn("make_blobs", random_state, **shape, cluster_std=spread)


GENERATORS: dict[str, Callable[..., Dataset]] = {
    "aqm-simulation": aqm_simulation,
    "aqm-sphere": aqm_sphere,
    "two-gaussians": two_gaussians,
    "moons": moons,
    "circles": circles,
    "blobs": blobs,
}


def _whole(least: int, **values: object) -> None:
    for name, value in values.items():
        if not isinstance(value, numbers.Integral) or value < least:
            raise DataError(f"{name} must be a whole number of at least {least}, got {value!r}")


def _real(**values: object) -> None:
    for name, value in values.items():
        if not isinstance(value, numbers.Real) or not math.isfinite(value) or value < 0:
            raise DataError(f"{name} must be a number of at least 0, got {value!r}")


def _balanced(n: int, n_clusters: int, rng: np.random.Generator) -> Labels:
    """Clusters of equal size, up to one item, in random order."""
    _whole(1, n_clusters=n_clusters)
    _whole(n_clusters, n=n)
    return rng.permutation(np.arange(n, dtype=np.int64) % n_clusters)


def _sklearn(function: str, seed: int | None = None, **arguments: object) -> Dataset:
    """A set from scikit-learn, imported here because it is slow to load."""
    import sklearn.datasets

    if seed is not None:
        # Its seeds have 32 bits, numpy's have no limit.
        arguments["random_state"] = seed % 2**32
    X, y = getattr(sklearn.datasets, function)(**arguments)
    return np.asarray(X, dtype=np.float64), np.asarray(y, dtype=np.int64)


def _files() -> dict[str, Path]:
    folder = os.environ.get("LIKEWISE_DATA")
    found = sorted(Path(folder).expanduser().glob("[!.]*.csv")) if folder else []
    return {path.stem: path for path in found if path.is_file()}


def _find(name: str) -> Path:
    """The file of that name, else one whose name differs in `-` and `_` only."""
    files = _files()
    for stem in [name, *files]:
        if stem in files and stem.replace("-", "_") == name.replace("-", "_"):
            return files[stem]
    close = difflib.get_close_matches(name.lower(), known := names()) or known
    raise DataError(
        f"no data set is called {name!r}; choose from {', '.join(close)}, or set LIKEWISE_DATA to "
        f"the folder that holds {name}.csv (now {os.environ.get('LIKEWISE_DATA') or 'not set'})"
    )


def _is_numeric(path: Path) -> bool:
    try:
        return any(True for _ in _rows(path))
    except DataError:
        return False


def _read(path: Path) -> Dataset:
    cells, labels = array("d"), []
    for values, label in _rows(path):
        cells.extend(values)
        labels.append(label)
    if not labels:
        raise DataError(f"{path} has a header but no rows; each item needs one")
    try:
        order = sorted(set(labels), key=lambda label: (float(label), label))
    except ValueError:
        order = sorted(set(labels))
    code = {label: position for position, label in enumerate(order)}
    X = np.array(cells, dtype=np.float64).reshape(len(labels), -1)
    return X, np.array([code[label] for label in labels], dtype=np.int64)


def _rows(path: Path) -> Iterator[tuple[list[float], str]]:
    """The features and the label of each row; whatever is wrong is reported with its line."""
    line = 1
    try:
        with path.open(newline="", encoding="utf-8-sig") as file:
            reader = csv.reader(file, strict=True)
            header = next(reader, [])
            if len(header) < 2 or header[-1].strip() != "label":
                raise DataError(f"{path} needs a header that ends in 'label', got {header[-3:]}")
            for row in filter(None, reader):
                line, label = reader.line_num, row[-1].strip()
                if len(row) != len(header) or label in ("", "nan"):
                    raise DataError(
                        f"{path}, line {line}: expected {len(header)} cells, the last one a label; "
                        f"got {len(row)}, the last one {label!r}; is the file cut short?"
                    )
                cells = zip(header[:-1], row[:-1], strict=True)
                yield [_number(path, line, *cell) for cell in cells], label
    except (OSError, UnicodeDecodeError, csv.Error) as error:
        raise DataError(f"{path} cannot be read after line {line}: {error}") from error


def _number(path: Path, line: int, column: str, cell: str) -> float:
    try:
        value = float(cell.strip() or "nan")
    except ValueError:
        raise DataError(
            f"{path.stem!r} holds text in column {column!r} (line {line}: {cell[:30]!r}), not "
            f"numbers only; it can be loaded as items with likewise.load_items({str(path)!r})"
        ) from None
    if not math.isfinite(value):
        raise DataError(f"{path}, line {line}: column {column!r} needs a number, got {cell!r}")
    return value
