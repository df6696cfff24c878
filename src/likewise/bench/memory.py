"""The most memory this process has held while something ran."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path


@contextmanager
def peak_memory() -> Iterator[list[float]]:
    """Append the MiB at the peak of the with-block to the list it yields, when it ends.

    Linux can forget an earlier peak; elsewhere the peak of the whole process is given.
    """
    peak: list[float] = []
    with suppress(OSError):
        Path("/proc/self/clear_refs").write_text("5")
    try:
        yield peak
    finally:
        peak.append(_peak_so_far())


def _peak_so_far() -> float:
    with suppress(OSError, StopIteration):
        lines = Path("/proc/self/status").read_text().splitlines()
        return float(next(line for line in lines if line.startswith("VmHWM")).split()[1]) / 1024
    try:
        import resource
    except ImportError:  # Windows
        return float("nan")
    most = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return most / 1024**2 if sys.platform == "darwin" else most / 1024
