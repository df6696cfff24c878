"""What memory a study takes in a server that has several.

Run with `python -m benchmarks memory`. A server gets one study more, three times, each of 50
Gaussian groups in 32 dimensions, with the first question chosen and one that follows; the memory
that the program holds is looked at after each. The first brings the program itself, so the table
has what the second and third add.
"""

from __future__ import annotations

import asyncio
import gc
import subprocess
import sys
from pathlib import Path

import numpy as np

from benchmarks.tables import keep_row
from likewise.bench.provenance import commit
from likewise.journal.pairs import Pair
from likewise.study import Study
from likewise.web.service import StudyService

SIZES = (10_000, 100_000)
HEADER = ["items", "rows, MiB", "program and first study, MiB", "each further study, MiB", "commit"]


def main() -> None:
    """Write a row for every size."""
    for n in SIZES:
        words = [sys.executable, "-m", "benchmarks.server.memory", str(n)]
        said = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout
        first, _, third = map(float, said.split())
        row = [f"{n:,}", f"{n * 32 * 8 / 2**20:.0f}", f"{first:.0f}", f"{(third - first) / 2:.0f}"]
        keep_row("memory", HEADER, [*row, commit()], 1)


def measure(n: int) -> list[float]:
    """Return what the program holds after each of three studies, MiB."""
    held, kept = [], []
    for seed in range(3):
        rng = np.random.default_rng(seed)
        y = rng.integers(50, size=n)
        X = rng.normal(0, 3, (50, 32))[y] + 3 * rng.normal(size=(n, 32))
        service = StudyService(Study(X))
        kept.append(service)

        async def ask(service: StudyService = service) -> None:
            question = await service.question("ada", lambda _, pair: pair)
            assert isinstance(question, Pair)
            service.study.tell(question, "same")
            service.dispatcher.invalidate()
            await service.question("ada", lambda _, pair: pair)

        asyncio.run(ask())
        del X
        gc.collect()
        lines = Path("/proc/self/status").read_text().splitlines()
        held.append(float(next(one for one in lines if one.startswith("VmRSS")).split()[1]) / 1024)
    for service in kept:
        service.close()
    return held


if __name__ == "__main__":
    if sys.argv[1:]:
        sys.stdout.write(" ".join(map(str, measure(int(sys.argv[1])))) + "\n")
    else:
        main()
