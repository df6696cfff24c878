"""Rows as Parquet: a small file per task while an experiment runs, one file afterwards."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.errors import DataError, MissingExtra

if TYPE_CHECKING:
    import pandas as pd

    from likewise.bench.experiment import Task


class Results:
    """The results of one experiment, in NAME.parquet and the folder NAME.parts beside it.

    Every task is written when it is done, under its key; nothing written is ever rewritten until
    `gather` puts all parts into the one file. An interruption loses the tasks under way and no
    other.
    """

    def __init__(self, path: str | Path) -> None:
        self.path = Path(path)
        if self.path.suffix != ".parquet":
            raise DataError(f"results go to a file that ends in .parquet, not {str(path)!r}")
        self.parts = self.path.with_suffix(".parts")

    def done(self) -> set[str]:
        """The keys of the tasks there are results of; data that were missing may be there now."""
        frame = self.frame()
        return set() if frame is None else set(frame.loc[frame["n"] >= 0, "key"])

    def add(self, task: Task, rows: list[dict[str, Any]]) -> None:
        """Keep the rows of a task; whole, or not at all."""
        import pandas as pd

        self.parts.mkdir(parents=True, exist_ok=True)
        part = self.parts / f"{task.key}.parquet"
        unfinished = part.with_suffix(".tmp")
        _write(pd.DataFrame([{"key": task.key, **row} for row in rows]), unfinished)
        os.replace(unfinished, part)

    def frame(self) -> pd.DataFrame | None:
        """All rows so far, in the same order whoever finished first; None when there are none."""
        import pandas as pd

        files = sorted(self.parts.glob("*.parquet")) if self.parts.is_dir() else []
        frames = [_read(file) for file in files]
        if self.path.exists():
            again = {file.stem for file in files}  # what was done again replaces what was there
            gathered = _read(self.path)
            frames.insert(0, gathered[~gathered["key"].isin(again)])
        if not frames:
            return None
        order = ["data", "method", "k_known", "noise", "seed", "key", "questions"]
        return pd.concat(frames, ignore_index=True).sort_values(order, ignore_index=True)

    def gather(self) -> None:
        """Put everything into the one file and remove the parts."""
        frame = self.frame()
        if frame is None:
            return
        unfinished = self.path.with_suffix(".tmp")
        self.path.parent.mkdir(parents=True, exist_ok=True)
        _write(frame, unfinished)
        os.replace(unfinished, self.path)
        for part in self.parts.glob("*.parquet") if self.parts.is_dir() else ():
            part.unlink()
        if self.parts.is_dir():
            self.parts.rmdir()


def _write(frame: pd.DataFrame, path: Path) -> None:
    try:
        frame.to_parquet(path, index=False)
    except ImportError as error:
        raise MissingExtra("the bench needs pyarrow; install likewise[bench]") from error


def _read(path: Path) -> pd.DataFrame:
    import pandas as pd

    try:
        return pd.read_parquet(path)
    except ImportError as error:
        raise MissingExtra("the bench needs pyarrow; install likewise[bench]") from error
    except (OSError, ValueError) as error:
        raise DataError(f"{path} is no Parquet file of results: {error}; remove it") from error
