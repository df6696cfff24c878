"""Which data sets there are, which are missing, and fetching the missing ones from OpenML.

Data sets are never shipped. Those of scikit-learn and the generators are always there; the others
are CSV files in the folder that LIKEWISE_DATA names. What is fetched is held against the size it
should have before it is kept.
"""

from __future__ import annotations

import csv
import json
import os
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any
from urllib.error import URLError
from urllib.parse import urljoin
from urllib.request import urlopen

from likewise import datasets
from likewise.errors import DataError

OPENML = "https://www.openml.org/"
_SECONDS = 60  # for one answer of the server


@dataclass(frozen=True)
class DatasetEntry:
    """A data set at OpenML: its number there, and the size it must have."""

    number: int  # at OpenML
    rows: int
    features: int
    classes: int


OPENML_SETS = {
    "balance_scale": DatasetEntry(11, 625, 4, 3),
    "glass": DatasetEntry(41, 214, 9, 6),
    "ionosphere": DatasetEntry(59, 351, 34, 2),
    "letter_recognition": DatasetEntry(6, 20000, 16, 26),
    "parkinsons": DatasetEntry(1488, 195, 22, 2),
    "pendigits": DatasetEntry(32, 10992, 16, 10),
    "pima_diabetes": DatasetEntry(37, 768, 8, 2),
    "segmentation_full": DatasetEntry(36, 2310, 19, 7),
    "sonar": DatasetEntry(40, 208, 60, 2),
    "waveform_noise40": DatasetEntry(60, 5000, 40, 3),
}


def listing() -> list[dict[str, Any]]:
    """Return every data set that is there or could be: name, whether it is here, its origin."""
    here = set(datasets.names())
    rows = [{"data": name, "here": True, "from": _origin(name)} for name in sorted(here)]
    rows += [
        {"data": name, "here": False, "from": f"OpenML {entry.number}, can be fetched"}
        for name, entry in sorted(OPENML_SETS.items())
        if name not in here
    ]
    return rows


def fetch(name: str, *, server: str = OPENML, folder: Path | None = None) -> Path:
    """Bring a missing data set from OpenML into the folder of data sets."""
    if name not in OPENML_SETS:
        raise DataError(f"{name!r} cannot be fetched; these can: {', '.join(sorted(OPENML_SETS))}")
    where = folder or _data_folder()
    entry = OPENML_SETS[name]
    described = json.loads(_get(urljoin(server, f"api/v1/json/data/{entry.number}")))
    about = described.get("data_set_description", {})
    if "url" not in about:
        raise DataError(f"OpenML does not say where data set {entry.number} ({name}) is kept")
    rows = _rows(_get(urljoin(server, about["url"])), about.get("default_target_attribute"))
    _check(name, entry, rows)
    path = where / f"{name}.csv"
    unfinished = path.with_suffix(".tmp")
    with unfinished.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    os.replace(unfinished, path)
    return path


def _data_folder() -> Path:
    named = os.environ.get("LIKEWISE_DATA")
    if not named:
        raise DataError("set LIKEWISE_DATA to the folder where data sets are to be kept")
    folder = Path(named)
    if not folder.is_dir():
        raise DataError(f"LIKEWISE_DATA names {folder}, which is no folder; make it first")
    return folder


def _origin(name: str) -> str:
    if name in datasets.GENERATORS:
        return "generator"
    folder = os.environ.get("LIKEWISE_DATA")
    return "LIKEWISE_DATA" if folder and (Path(folder) / f"{name}.csv").exists() else "scikit-learn"


def _get(address: str) -> str:
    try:
        with urlopen(address, timeout=_SECONDS) as answer:
            content: bytes = answer.read()
    except (URLError, OSError, ValueError) as error:
        raise DataError(f"{address} cannot be reached: {error}; try again later") from error
    return content.decode("utf-8", errors="replace")


def _rows(text: str, target: str | None) -> list[list[str]]:
    """Return the rows of an ARFF file, header first and the target last, under the name "label"."""
    from scipy.io import arff

    try:
        values, meta = arff.loadarff(StringIO(text))
    except (arff.ArffError, ValueError, NotImplementedError, StopIteration) as error:
        raise DataError(f"the file that OpenML sent cannot be read: {error}") from error
    names = meta.names()
    target = target if target in names else names[-1]
    order = [name for name in names if name != target] + [target]
    return [[*order[:-1], "label"], *([_as_text(row[name]) for name in order] for row in values)]


def _as_text(value: Any) -> str:
    return value.decode() if isinstance(value, bytes) else repr(float(value))


def _check(name: str, entry: DatasetEntry, rows: list[list[str]]) -> None:
    found = (len(rows) - 1, len(rows[0]) - 1, len({row[-1] for row in rows[1:]}))
    wanted = (entry.rows, entry.features, entry.classes)
    if found != wanted:
        raise DataError(
            f"what OpenML sent for {name} has (rows, features, classes) {found} and not {wanted}; "
            "it was not kept"
        )
