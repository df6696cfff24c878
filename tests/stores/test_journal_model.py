"""Stories of programs that answer, take back, grow and restart, held to a plain dictionary.

`python -m benchmarks.server.journal_model` tells thousands of them.
"""

from __future__ import annotations

from itertools import count
from pathlib import Path

from benchmarks.server.journal_model import check, machine

from likewise.stores import MemoryItemStore
from likewise.testing.postgres import PostgresServer


def test_in_memory_it_is_what_the_dictionary_says() -> None:
    check(machine(MemoryItemStore, n_programs=1), n_stories=40, n_steps=30)


def test_two_programs_on_a_file_of_lines_agree_with_the_dictionary(tmp_path: Path) -> None:
    numbers = count()
    model = machine(lambda: str(tmp_path / f"{next(numbers)}.jsonl"))
    check(model, n_stories=10, n_steps=20)


def test_two_programs_on_a_database_agree_with_the_dictionary(tmp_path: Path) -> None:
    numbers = count()
    check(machine(lambda: str(tmp_path / f"{next(numbers)}.db")), n_stories=4, n_steps=20)


def test_two_programs_on_a_server_agree_with_the_dictionary(postgres: PostgresServer) -> None:
    numbers = count()
    model = machine(lambda: f"{postgres.url}&study=model-{next(numbers)}")
    check(model, n_stories=2, n_steps=15)
