"""Tasks that ask any kind of question, and the report's figure over a person's minutes."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

from likewise.bench.experiment import Task
from likewise.bench.report import write_report
from likewise.bench.runner import attempt


def rows_of(method: str) -> pd.DataFrame:
    task = Task(method, "iris", 0, (0, 5, 15), kind="minutes", k_known=False)
    return pd.DataFrame(attempt(task)[1])


@pytest.fixture(scope="module")
def found() -> pd.DataFrame:
    rows = [rows_of(f"auto:{kind}") for kind in ("pair", "place")]
    return pd.concat(rows, ignore_index=True).assign(experiment="kinds")


def test_questions_of_a_kind_are_counted_in_minutes(found: pd.DataFrame) -> None:
    for _, rows in found.groupby("method"):
        assert set(rows["status"]) == {"ok"}
        assert rows["questions"].tolist() == [0, 5, 15]
        assert rows["minutes"].is_monotonic_increasing
        assert rows["minutes"].iloc[0] == 0 < rows["minutes"].iloc[1]
    last = found[found["questions"] == 15].set_index("method")["ari"].astype(float)
    # A place says more than a pair, so that its answers are more than its questions.
    assert last["auto:place"] >= last["auto:pair"]


@pytest.mark.parametrize("method", ["auto", "auto:triplet", "nobody:best"])
def test_what_is_no_method_and_kind_is_said_to_be_wrong(method: str) -> None:
    (row,) = attempt(Task(method, "iris", 0, (5,), kind="minutes"))[1]
    assert row["status"] == "failed"
    assert ("METHOD:KIND" if "nobody" not in method else "no method") in row["reason"]


def test_the_report_draws_both(found: pd.DataFrame, tmp_path: Path) -> None:
    page = write_report(found, tmp_path, title="Kinds").read_text(encoding="utf-8")
    assert "The same over a person’s time" in page
    assert (tmp_path / "minutes-iris.svg").exists()
    without = write_report(found.drop(columns="minutes"), tmp_path / "old", title="Kinds")
    assert "a person’s time" not in without.read_text(encoding="utf-8")
