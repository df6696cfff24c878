"""Export and import of answers."""

from __future__ import annotations

from pathlib import Path

from likewise.exchange.files import read_records, write_records
from likewise.exchange.imported import Imported, take_in
from likewise.exchange.records import AnswerRecord
from likewise.study import Study


def export_answers(
    study: Study, path: str | Path, *, layout: str = "answers", raw_cells: bool = False
) -> int:
    """Write the answers that stand; return how many those were.

    Parameters
    ----------
    study : Study
        Whose answers. Items go by their own ids.
    path : str or Path
        Its ending says how it is written. A file that is there is replaced.
    layout : {"answers", "links", "dedupe", "splink", "label-studio", "argilla"}
        All that is known of each answer (.csv, .jsonl or .parquet), must- and cannot-links alone
        (.csv or .json), the training file of dedupe (.json), the clerical labels of splink (.csv),
        tasks of Label Studio or records of Argilla (.json), a pair each.
    raw_cells : bool
        Whether cells of a .csv that a spreadsheet would run as a formula are kept as they are.
        Otherwise an apostrophe is put in front, which `import_answers` takes away.

    Raises
    ------
    MethodError, DataError
        If there is no such layout, or the ending does not go with it.
    StoreError
        If the file cannot be written.
    """
    ids = study.items.ids
    records = [
        AnswerRecord(
            item=ids[answer.pair.i],
            other=ids[answer.pair.j],
            verdict=answer.verdict,
            answer=answer.id,
            who=answer.who,
            when=answer.when,
            seconds=answer.seconds,
            weight=answer.weight,
            same_probability=answer.same_probability,
            model_version=answer.model_version,
        )
        for answer in study.answers
    ]
    return write_records(records, Path(path), layout, study.items, raw_cells=raw_cells)


def import_answers(study: Study, path: str | Path, *, who: str = "") -> Imported:
    """Take in answers from any file that `export_answers` writes; all of them, or none on error.

    So does the reply to a questionnaire (`report.questionnaire`), signed by whoever gave it.

    An answer that the study has already (the same about the same pair, by the same person at the
    same time where the file says so) is not taken in again. Answers that contradict others are
    kept and listed, as those that a person gives.

    Parameters
    ----------
    study : Study
        Who takes them in.
    path : str or Path
        The file; its layout is recognised.
    who : str
        Signs what nobody has signed.

    Returns
    -------
    Imported
        What was new, what was known, what could not be used.

    Raises
    ------
    DataError
        If the file cannot be read; the message names the line.
    """
    return take_in(study, read_records(Path(path), study), path, who=who)
