"""The number of groups: a number, a range, or nothing; kept, read again, refused in a sentence."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import MethodError, StoreError
from likewise.journal import Opened, from_record, to_record
from likewise.journal.group_number import checked_number, exact_number, nearest_number

X = np.repeat(np.arange(12.0), 3)[:, None]


@given(st.integers(-3, 40), st.integers(-3, 40), st.integers(2, 30))
def test_a_range_is_two_numbers_that_items_can_have(low: int, high: int, n: int) -> None:
    if 1 <= low <= high <= n:
        found = checked_number((low, high), n)
        assert found == ((low, high) if low < high else low)
        assert exact_number(found) == (None if low < high else low)
        assert low <= nearest_number(found, 7) <= high
    else:
        with pytest.raises(MethodError, match=r"^a range of n_clusters must be two whole numbers"):
            checked_number((low, high), n)


@pytest.mark.parametrize("given", [(5,), (1, 2, 3), ("a", "b"), (2.5, 4)])
def test_what_is_no_range_gets_a_sentence(given: Any) -> None:
    with pytest.raises(MethodError, match="must be two whole numbers from 1 to the number of"):
        lw.Study(X, n_clusters=given)


@given(st.integers(1, 50), st.integers(1, 50))
def test_a_journal_keeps_the_range(one: int, other: int) -> None:
    low, high = sorted((one, other + 50))
    opened = Opened(200, "", "auto", (low, high), 0)
    assert from_record(json.loads(json.dumps(to_record(opened)))) == opened


@pytest.mark.parametrize("written", [[5], [20, 5], [0, 3], ["1", "2"], [1, 2, 3], [3, 3]])
def test_a_journal_with_another_range_is_refused(written: list[Any]) -> None:
    record = {**to_record(Opened(200, "", "auto", (5, 20), 0)), "n_clusters": written}
    with pytest.raises(StoreError, match="n_clusters"):
        from_record(record)


@pytest.mark.parametrize("name", ["study.db", "study.jsonl"])
def test_a_study_goes_on_with_its_range(tmp_path: Path, name: str) -> None:
    study = lw.Study(X, n_clusters=[np.int64(5), 20], store=tmp_path / name)  # type: ignore[arg-type]
    assert study.n_clusters == (5, 20)
    again = lw.Study.open(tmp_path / name, X)
    assert again.n_clusters == (5, 20)
    assert again.view.n_clusters is None
    assert again.ask() == study.ask()


@pytest.mark.parametrize(("method", "expected"), [("auto", 6), ("urasc", 5), ("asc", 2)])
def test_every_method_can_be_given_a_range(method: str, expected: int) -> None:
    numbers = (2, 5) if method == "asc" else (5, 20)  # for two groups
    study = lw.Study(X, method=method, n_clusters=numbers)
    assert study.clustering_.n_clusters_ == expected


def test_with_one_group_nothing_is_asked() -> None:
    for method in ("auto", "urasc", "random"):
        study = lw.Study(X, method=method, n_clusters=1)
        assert study.ask() is None
