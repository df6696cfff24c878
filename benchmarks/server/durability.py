"""Kills programs, and servers, while answers are written: is an acknowledged one ever lost?

    python -m benchmarks.server.durability [KILLS]

On SQLite, on PostgreSQL (every tenth time the server is killed too) and on a text file; then two
programs answer 500 times each in one study. It stops at the first answer that is lost, doubled or
changed, so a table means that none was.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable
from itertools import count, pairwise
from pathlib import Path

from benchmarks.tables import markdown, write_table
from likewise.testing.durability import answer_side_by_side, kill_while_answering
from likewise.testing.postgres import postgres_server


def main(kills: int = 1000) -> None:
    """Kill, look, and write down that nothing was lost; an AssertionError says what was."""
    numbers = count()
    rows: list[list[str]] = []
    with tempfile.TemporaryDirectory() as folder, postgres_server() as server:
        deaths: list[int] = []

        def kill_server(killed: int) -> None:
            if killed % 10 == 9:
                server.kill()
                server.start()
                deaths.append(killed)

        places: dict[str, Callable[[], str]] = {
            "SQLite": lambda: str(Path(folder) / f"{next(numbers)}.db"),
            "PostgreSQL": lambda: f"{server.url}&study={next(numbers)}",
            "text file": lambda: str(Path(folder) / f"{next(numbers)}.jsonl"),
        }
        for name, fresh in places.items():
            began = time.perf_counter()
            on_server = name == "PostgreSQL"
            toll = kill_while_answering(
                fresh, kills, disturb=kill_server if on_server else lambda _: None
            )
            answers = answer_side_by_side(fresh())
            turns = sum(one.who != other.who for one, other in pairwise(answers))
            in_flight = toll.kept - toll.acknowledged
            figures = (toll.kills, len(deaths), toll.acknowledged, in_flight, len(answers), turns)
            rows.append([name, *map(str, figures)])
            deaths.clear()
            sys.stderr.write(f"{rows[-1]} in {time.perf_counter() - began:.0f} s\n")
    header = [
        "store", "programs killed", "servers killed", "answers acknowledged",
        "kept, not yet acknowledged", "answers of two programs", "turns",
    ]  # fmt: skip
    write_table("durability", markdown(header, rows))


if __name__ == "__main__":
    main(*(int(kills) for kills in sys.argv[1:2]))
