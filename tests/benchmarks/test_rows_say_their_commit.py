"""Every row behind a table of the documentation carries the commit that it was computed with."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
import pytest

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
# Rows from before that was kept, or of a tree with changes; the pages that show them say so.
EARLIER = {"second_looks", "text_features"}
NAMES = sorted(path.stem for path in RESULTS.glob("*.parquet"))


def without_commit(name: str) -> int:
    commits = pd.read_parquet(RESULTS / f"{name}.parquet", columns=["commit"])["commit"]
    return int((~commits.fillna("").str.fullmatch("[0-9a-f]{12}")).sum())


@pytest.mark.skipif(not NAMES, reason="results are not in an sdist")
@pytest.mark.parametrize("name", NAMES)
def test_rows_say_their_commit(name: str) -> None:
    assert (without_commit(name) > 0) == (name in EARLIER)
