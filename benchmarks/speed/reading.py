"""Many pictures and texts that nobody has read: the first question, and when all are there.

Run with `python -m benchmarks reading`, or `python -m benchmarks.speed.reading texts 100000` for
one kind and number. Pictures are drawn (coloured shapes on noise, 128 pixels wide), texts are
sentences of words of ten kinds; nothing is in the cache. As `likewise start` does, a sample is read
and asked about; then the rest is computed ahead into the cache, block by block, as the process
beside the server does, and the whole pile is opened with what the cache holds. A hundred questions
are answered by the truth: once as the page does it, where what later questions need is prepared
while somebody looks at one (`Study.prepare`; everybody looks long enough here, and the longest that
took is said), and once in a program that prepares nothing. Processor seconds are of all cores;
memory is the peak of each step, in a program of its own. Compiled loops, which a program loads once
(half a second), are loaded before questions are timed.
"""

from __future__ import annotations

import json
import subprocess
import sys
import threading
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter, process_time
from typing import Any

import numpy as np

import likewise as lw
from benchmarks.quality.piles import empty_cache
from benchmarks.tables import keep_row
from likewise.bench.memory import peak_memory
from likewise.bench.provenance import commit
from likewise.piles import begin_study, read_pile
from likewise.piles.load import compute_ahead
from likewise.study._background import AHEAD

PILES = (("pictures", 10_000), ("texts", 100_000))
KINDS, QUESTIONS = 10, 100
STEPS = ("sample", "rest", "whole", "unprepared")
HEADER = [
    "items", "kind", "sample", "first question: processor s", "wall s",
    "rest computed: processor s", "peak memory, MiB", "whole pile opened and asked: processor s",
    "next question, ms", "19 of 20 within, ms", "prepared meanwhile: at most, ms",
    "peak memory, MiB", "unprepared: 19 of 20 within, ms", "at most, ms", "commit",
]  # fmt: skip


def main(piles: tuple[tuple[str, int], ...] = PILES) -> None:
    """Write a row for every pile."""
    for kind, n in piles:
        with TemporaryDirectory() as folder, empty_cache():
            path = pictures(Path(folder), n) if kind == "pictures" else texts(Path(folder), n)
            first, rest, whole, bare = (_apart(step, path) for step in STEPS)
        row = [
            f"{n:,}", kind, f"{first['items']:,}", f"{first['processor']:.1f}",
            f"{first['wall']:.1f}", f"{rest['processor']:.0f}", f"{rest['memory']:,.0f}",
            f"{whole['processor']:.1f}", f"{whole['median']:.0f}", f"{whole['high']:.0f}",
            f"{whole['beside']:,.0f}", f"{whole['memory']:,.0f}",
            f"{bare['high']:.0f}", f"{bare['most']:,.0f}", commit(),
        ]  # fmt: skip
        keep_row("reading", HEADER, row, 2)


def _apart(step: str, path: Path) -> dict[str, Any]:
    """Return what a step gives in a program of its own."""
    words = [sys.executable, "-m", "benchmarks.speed.reading", "step", step, str(path)]
    said = subprocess.run(words, stdout=subprocess.PIPE, check=True, text=True).stdout
    found: dict[str, Any] = json.loads(said.splitlines()[-1])
    return found


def measure(step: str, path: Path) -> dict[str, Any]:
    """Return times and memory of one step."""
    began, at = perf_counter(), process_time()
    spent, beside = [0.0], [0.0]
    n_items = 0
    with peak_memory() as peak:
        if step == "rest":
            compute_ahead(path)
        else:
            pile = read_pile(path, quick=step == "sample")
            study = begin_study(pile, None)
            question, n_items = study.ask(), len(pile.items)
        used, wall = process_time() - at, perf_counter() - began
        if step in ("whole", "unprepared"):
            _load_compiled_loops()
            spent.clear()
            while question is not None and len(spent) < QUESTIONS:
                i, j = (path_kind(study.items, k) for k in question.pair)
                asked = process_time()
                if step == "whole":
                    study.prepare()
                    _wait_until_prepared()
                answered = process_time()
                beside.append(1000 * (answered - asked))
                study.tell(question, i == j)
                question = study.ask()
                spent.append(1000 * (process_time() - answered))
    median, high = np.quantile(spent, [0.5, 0.95])
    return {
        "items": n_items, "processor": used, "wall": wall, "memory": peak[0],
        "median": median, "high": high, "most": max(spent), "beside": max(beside),
    }  # fmt: skip


def _wait_until_prepared() -> None:
    """Look at a question until nothing is computed beside it."""
    while found := [one for one in threading.enumerate() if one.name == AHEAD]:
        for one in found:
            one.join()


def _load_compiled_loops() -> None:
    """Answer in a small study, so that no question is timed with what is loaded once."""
    X = np.random.default_rng(0).normal(size=(60, 4)) + 5 * (np.arange(60) % 3)[:, None]
    lw.run(X, lw.oracles.FromLabels(np.arange(60) % 3), budget=12)


def path_kind(items: Any, k: int) -> int:
    """Return the kind of an item; its name, or its line, ends in it."""
    return int(items.ids[k].removesuffix(".png")) % KINDS


def texts(folder: Path, n: int) -> Path:
    """Write sentences, a line each, whose number tells their kind."""
    rng = np.random.default_rng(0)
    letters = np.array(list("abcdefghilmnoprstu"))
    words = ["".join(rng.choice(letters, rng.integers(3, 8))) for _ in range(4_000)]
    own = np.array(words[: 60 * KINDS]).reshape(KINDS, 60)
    lines = []
    for k in range(1, n + 1):
        said = [*rng.choice(own[k % KINDS], 6), *rng.choice(words, 6)]
        rng.shuffle(said)
        lines.append(" ".join(said))
    path = folder / "lines.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


def pictures(folder: Path, n: int) -> Path:
    """Draw pictures, whose names tell their kind."""
    from PIL import Image, ImageDraw

    rng = np.random.default_rng(0)
    place = folder / "pictures"
    place.mkdir()
    for k in range(n):
        picture = Image.fromarray(rng.integers(0, 120, (128, 128, 3), dtype=np.uint8))
        kind = k % KINDS
        colour = tuple(int(c) for c in np.array([kind * 25, 255 - kind * 25, kind % 3 * 100]))
        x, y, r = (int(v) for v in rng.integers([30, 30, 15], [90, 90, 30]))
        draw = ImageDraw.Draw(picture)
        shape = draw.ellipse if kind % 2 else draw.rectangle
        shape((x - r, y - r, x + r, y + r), fill=colour)
        picture.save(place / f"{k}.png", compress_level=1)
    return place


if __name__ == "__main__":
    if sys.argv[1:2] == ["step"]:
        sys.stdout.write(json.dumps(measure(sys.argv[2], Path(sys.argv[3]))) + "\n")
    elif sys.argv[1:]:
        main(((sys.argv[1], int(sys.argv[2])),))
    else:
        main()
