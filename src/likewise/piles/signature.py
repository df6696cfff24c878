"""Whether a pile may have changed, without reading it."""

from __future__ import annotations

import os
from pathlib import Path

from likewise.partitions._addresses import is_aside
from likewise.partitions.discover import PARTITIONED


def pile_signature(path: Path) -> tuple[object, ...]:
    """Return what differs once a file was written, or a file came into a folder or left it.

    Of a folder only the folders are looked at, so that it costs little however many files it
    holds: a picture that is written over in place goes unnoticed. Files of rows are few, and are
    looked at one by one: a large one is there long before all of it is. Empty if the pile is not
    there.

    >>> pile_signature(Path("no such pile"))
    ()
    """
    try:
        if not path.is_dir():
            return _of_file(path.stat())
        folders = tuple(os.stat(folder).st_mtime_ns for folder, _, _ in sorted(os.walk(path)))
        return folders + _of_rows(path)
    except OSError:
        return ()


def _of_rows(folder: Path) -> tuple[object, ...]:
    """Return what tells the files of rows in a folder from others; nothing if it holds pictures."""
    found = []
    with os.scandir(folder) as entries:
        for one in entries:
            if is_aside(one.name):
                continue
            if not one.name.lower().endswith((*PARTITIONED, ".npy")):
                return ()
            found.append((one.name, *_of_file(one.stat())))
    return tuple(sorted(found))


def _of_file(status: os.stat_result) -> tuple[int, int]:
    return status.st_mtime_ns, status.st_size
