"""Rows as Parquet: a small file per task while an experiment runs, one file afterwards."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise._extras import require_package
from likewise.bench.provenance import COLUMNS, Provenance
from likewise.errors import DataError

if TYPE_CHECKING:
    import pandas as pd

    from likewise.bench.experiment import Task

_ORDER = ["data", "method", "k_known", "noise", "seed", "key", "questions"]


class Results:
    """The results of one experiment, in NAME.parquet and the folder NAME.parts beside it.

    Every task is written when it is done, under its key; nothing written is ever rewritten until
    `gather` puts all parts into the one file. An interruption loses the tasks under way and no
    other.

    Parameters
    ----------
    path : path
        The one file; it need not exist, and its name must end in .parquet.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if self.path.suffix != ".parquet":
            raise DataError(f"results go to a file that ends in .parquet, not {str(path)!r}")
        self.parts = self.path.with_suffix(".parts")

    def provenance(self) -> dict[str, Provenance]:
        """Return where the rows of each task come from, by the task's key.

        Tasks whose data were missing are left out: the data may be there now.
        """
        frame = self.frame()
        if frame is None:
            return {}
        firsts = frame[frame["n"] >= 0].drop_duplicates("key")
        columns = (firsts[name] for name in ("key", "commit", "code_hash", "data_hash"))
        return {key: Provenance(*origin) for key, *origin in zip(*columns, strict=True)}

    def add(self, task: Task, rows: list[dict[str, Any]]) -> None:
        """Keep the rows of a task; whole, or not at all."""
        import pandas as pd

        self.parts.mkdir(parents=True, exist_ok=True)
        part = self.parts / f"{task.key}.parquet"
        _write(pd.DataFrame([{"key": task.key, **row} for row in rows]), part)

    def frame(self) -> pd.DataFrame | None:
        """Return all rows so far, in the same order whoever finished first; None without any.

        Rows written before provenance was kept have it empty. `attrs["title"]` is the title of the
        experiment, where the file has one.
        """
        import pandas as pd

        files = sorted(self.parts.glob("*.parquet")) if self.parts.is_dir() else []
        frames = [_read(file) for file in files]
        title = {}
        if self.path.exists():
            again = {file.stem for file in files}  # what was done again replaces what was there
            gathered = _read(self.path)
            title = gathered.attrs
            frames.insert(0, gathered[~gathered["key"].isin(again)])
        if not frames:
            return None
        frame = pd.concat(frames, ignore_index=True).sort_values(_ORDER, ignore_index=True)
        for name in COLUMNS:
            frame[name] = frame[name].fillna("") if name in frame else ""
        frame.attrs = title
        return frame

    def gather(self, *, title: str = "") -> None:
        """Put everything into the one file and remove the parts.

        A file that holds the same rows and title already is left as it is.
        """
        frame = self.frame()
        if frame is None:
            return
        frame.attrs = {"title": title} if title else frame.attrs
        write_rows(frame, self.path)
        for part in self.parts.glob("*.parquet") if self.parts.is_dir() else ():
            part.unlink()
        if self.parts.is_dir():
            self.parts.rmdir()


def write_rows(frame: pd.DataFrame, path: Path) -> bool:
    """Write a frame as Parquet unless the file holds just that; return whether it was written."""
    if path.exists():
        there = _read(path)
        if there.attrs == frame.attrs and there.equals(frame):
            return False
    path.parent.mkdir(parents=True, exist_ok=True)
    _write(frame, path)
    return True


def _write(frame: pd.DataFrame, path: Path) -> None:
    """Write the whole file or nothing."""
    require_package("pyarrow")
    unfinished = path.with_suffix(".tmp")
    frame.to_parquet(unfinished, index=False, compression="zstd")
    os.replace(unfinished, path)


def _read(path: Path) -> pd.DataFrame:
    import pandas as pd

    require_package("pyarrow")
    try:
        return pd.read_parquet(path)
    except (OSError, ValueError) as error:
        raise DataError(f"{path} is no Parquet file of results: {error}; remove it") from error
