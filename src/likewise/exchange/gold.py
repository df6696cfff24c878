"""Answers that are known to be right, by which people are checked."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from uuid import uuid4

from likewise.errors import DataError
from likewise.exchange.files import read_records
from likewise.exchange.imported import Imported, take_in
from likewise.journal.pairs import GOLD, Verdict
from likewise.study import Study

_NAME = "gold"
_WEIGHT = 100.0  # one error in two thousand


def import_gold(study: Study, path: str | Path) -> Imported:
    """Take in answers that are known to be right, by which people are checked without being told.

    They are kept under the name "gold" and count more than anybody's word.

    Parameters
    ----------
    study : Study
        Where people will be asked about these pairs.
    path : str or Path
        Any file that `import_answers` takes; who has signed the answers does not matter.

    Returns
    -------
    Imported
        As of `import_answers`.

    Raises
    ------
    DataError
        If the file cannot be read, or has no answer about items of the study.
    """
    records = [
        replace(one, who=_NAME, when="", weight=_WEIGHT, same_probability=None)
        for one in read_records(Path(path), study)
        if one.verdict is not Verdict.UNSURE
    ]
    found = take_in(study, records, path, client_id=lambda: f"{GOLD}{uuid4().hex}")
    if not (found.added or found.known):
        raise DataError(f"{path} has no answer, same or different, about items of this pile")
    return found
