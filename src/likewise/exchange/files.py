"""The files in which answers travel: CSV, JSON lines, Parquet, links, other tools' tables."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

from likewise.errors import DataError, MethodError, MissingExtra, StoreError
from likewise.exchange import argilla, dedupe, label_studio, questionnaires, splink
from likewise.exchange.records import COLUMNS, AnswerRecord
from likewise.exchange.spreadsheet_cells import csv_text, plain
from likewise.features.regular_files import read_regular
from likewise.items import Items
from likewise.journal.pairs import Verdict
from likewise.study import Study

# By layout, which kinds of file can hold it.
FORMATS = {
    "answers": (".csv", ".jsonl", ".parquet"),
    "links": (".csv", ".json"),
    "dedupe": (".json",),
    "splink": (".csv",),
    "label-studio": (".json",),
    "argilla": (".json",),
}
_LINKS = {Verdict.SAME: "must", Verdict.DIFFERENT: "cannot"}
_ALL = ("answers", "splink", "label-studio", "argilla")  # layouts that have a word for "unsure"
_VERDICTS = {link: verdict for verdict, link in _LINKS.items()}


def write_records(
    records: Sequence[AnswerRecord],
    path: Path,
    layout: str,
    items: Items,
    *,
    raw_cells: bool = False,
) -> int:
    """Write answers to a file; how many of them the layout can hold."""
    if layout not in FORMATS:
        raise MethodError(f"there is no layout {layout!r}; there are {', '.join(FORMATS)}")
    if path.suffix not in FORMATS[layout]:
        raise DataError(
            f"{layout} are written to {' or '.join(FORMATS[layout])}, not to {path.name!r}"
        )
    if layout not in _ALL:
        records = [one for one in records if one.verdict in _LINKS]
    kept: bytes
    if layout == "dedupe":
        kept = _json(dedupe.training(records, items))
    elif layout == "label-studio":
        kept = _json(label_studio.tasks(records, items))
    elif layout == "argilla":
        kept = _json(argilla.records(records, items))
    elif layout == "splink":
        rows = splink.rows(records, path.stem)
        kept = csv_text(splink.COLUMNS, rows, raw_cells=raw_cells).encode()
    elif layout == "links" and path.suffix == ".json":
        kept = _json(
            {
                f"{link}_link": [[one.item, one.other] for one in records if one.verdict is verdict]
                for verdict, link in _LINKS.items()
            }
        )
    elif layout == "links":
        links = [(_LINKS[r.verdict], r.item, r.other) for r in records]
        kept = csv_text(("link", "item", "other"), links, raw_cells=raw_cells).encode()
    elif path.suffix == ".jsonl":
        lines = (json.dumps(one.record(), ensure_ascii=False) + "\n" for one in records)
        kept = "".join(lines).encode()
    elif path.suffix == ".csv":
        answers = [list(one.record().values()) for one in records]
        kept = csv_text(COLUMNS, answers, raw_cells=raw_cells).encode()
    else:
        kept = _parquet(records)
    try:
        path.write_bytes(kept)
    except OSError as error:
        raise StoreError(f"{path} cannot be written: {error.strerror}") from error
    return len(records)


def read_records(path: Path, study: Study) -> list[AnswerRecord]:
    """Read the answers in a file, whichever layout it has."""
    items = study.items
    readers: dict[str, Callable[[bytes, str, Items], list[AnswerRecord]]] = {
        ".csv": _from_csv,
        ".jsonl": _from_lines,
        ".json": lambda content, name, items: _from_json(content, name, items, study),
        ".parquet": _from_parquet,
    }
    if path.suffix not in readers:
        raise DataError(f"answers are read from {', '.join(readers)} but got {path.name!r}")
    try:
        content = read_regular(path)
    except OSError as error:
        raise DataError(f"{path} cannot be read: {error.strerror}") from error
    try:
        return readers[path.suffix](content, str(path), items)
    except UnicodeDecodeError as error:
        raise DataError(f"{path} is not UTF-8; save it as UTF-8 first") from error
    except DataError:
        raise
    except RecursionError as error:
        raise DataError(f"{path} cannot be read: it is nested too deeply") from error
    # What is nested or typed otherwise than answers are fails in many ways.
    except (csv.Error, ValueError, TypeError, AttributeError, OverflowError) as error:
        raise DataError(f"{path} cannot be read: {error}") from error


def _from_csv(content: bytes, name: str, items: Items) -> list[AnswerRecord]:
    reader = csv.DictReader(io.StringIO(content.decode("utf-8-sig"), newline=""))
    known = items.position()
    records = [
        (_as_exported(record, known), f"{name}, line {reader.line_num}") for record in reader
    ]
    if "link" in (reader.fieldnames or ()):
        records = [(_from_link(record, where), where) for record, where in records]
    records = [(_from_splink(record, where), where) for record, where in records]
    return [AnswerRecord.of(record, where) for record, where in records]


def _as_exported(record: dict[str, Any], known: Mapping[str, int]) -> dict[str, Any]:
    """Return a record without the apostrophes that keep spreadsheets from running its cells."""
    return {
        name: plain(cell) if isinstance(cell, str) and cell not in known else cell
        for name, cell in record.items()
    }


def _from_splink(record: dict[str, Any], where: str) -> dict[str, Any]:
    """Return a clerical label of splink as an answer; anything else as it is."""
    if not splink.is_label(record):
        return record
    try:
        return splink.as_answer(record)
    except (TypeError, ValueError) as error:
        raise DataError(
            f"{where}: a clerical_match_score must be a number from 0 to 1 but is "
            f"{record['clerical_match_score']!r}"
        ) from error


def _from_link(record: dict[str, Any], where: str) -> dict[str, Any]:
    link = str(record["link"]).strip().lower()
    if link not in _VERDICTS:
        raise DataError(f"{where}: a link must be 'must' or 'cannot' but is {record['link']!r}")
    return {**record, "verdict": _VERDICTS[link].value}


def _from_lines(content: bytes, name: str, items: Items) -> list[AnswerRecord]:
    records = []
    for number, line in enumerate(content.decode().splitlines(), start=1):
        if line.strip():
            record = json.loads(line)
            if not isinstance(record, dict):
                raise DataError(f"{name}, line {number}: an answer must be a JSON object")
            records.append(AnswerRecord.of(record, f"{name}, line {number}"))
    return records


def _from_json(content: bytes, name: str, items: Items, study: Study) -> list[AnswerRecord]:
    data = json.loads(content)
    if questionnaires.is_reply(data):
        return questionnaires.from_reply(data, study, name)
    if isinstance(data, dict) and data.keys() & {"match", "distinct"}:
        return dedupe.from_training(data, items, name)
    if isinstance(data, dict) and data.keys() & {"must_link", "cannot_link"}:
        return [
            _from_pair(pair, verdict, f"{name}, {link}_link {number}")
            for verdict, link in _LINKS.items()
            for number, pair in enumerate(data.get(f"{link}_link") or ())
        ]
    if label_studio.is_tasks(data):
        return label_studio.from_tasks(data, name)
    if argilla.is_records(data):
        return argilla.from_records(data, name)
    raise DataError(
        f"{name} must hold 'must_link' and 'cannot_link', dedupe's 'match' and 'distinct', tasks "
        "of Label Studio or records of Argilla"
    )


def _from_pair(pair: Any, verdict: Verdict, where: str) -> AnswerRecord:
    if not (isinstance(pair, list) and len(pair) == 2):
        raise DataError(f"{where}: a link must be a list of two ids but is {pair!r}")
    return AnswerRecord.of({"item": pair[0], "other": pair[1], "verdict": verdict.value}, where)


def _from_parquet(content: bytes, name: str, items: Items) -> list[AnswerRecord]:
    import pandas as pd

    try:
        frame = pd.read_parquet(io.BytesIO(content))
    except ImportError as error:
        raise MissingExtra("Parquet needs pyarrow; install it, or use .csv or .jsonl") from error
    except (ValueError, OSError) as error:  # pyarrow's errors are one or the other
        raise DataError(f"{name} cannot be read as Parquet: {error}") from error
    records = frame.rename(columns=str).astype(object).to_dict("records")
    return [
        AnswerRecord.of(_from_splink(cast(Any, record), f"{name}, row {k}"), f"{name}, row {k}")
        for k, record in enumerate(records)
    ]


def _parquet(records: Sequence[AnswerRecord]) -> bytes:
    import pandas as pd

    frame = pd.DataFrame([one.record() for one in records], columns=list(COLUMNS))
    for column in ("seconds", "same_probability", "weight"):
        frame[column] = frame[column].astype("float64")  # a column of gaps keeps its kind
    buffer = io.BytesIO()
    try:
        frame.to_parquet(buffer, index=False)
    except ImportError as error:
        raise MissingExtra("Parquet needs pyarrow; install it, or use .csv or .jsonl") from error
    return buffer.getvalue()


def _json(data: Any) -> bytes:
    return (json.dumps(data, indent=2, ensure_ascii=False, default=str) + "\n").encode()
