"""Every row of a table of the documentation carries a commit that can be looked up."""

from __future__ import annotations

import io
import re
import subprocess
import tomllib
from functools import cache
from pathlib import Path

import pandas as pd
import pytest

RESULTS = Path(__file__).parents[2] / "benchmarks" / "results"
REWRITTEN = RESULTS / "rewritten_commits.toml"
# Rows from before that was kept, or of a tree with changes; the pages that show them say so.
EARLIER = {"text_features"}
NAMES = sorted(path.stem for path in RESULTS.glob("*.parquet"))
TABLES = sorted(path.name for path in RESULTS.glob("*.md") if "| commit" in path.read_text("utf-8"))
FILES = [*(f"{name}.parquet" for name in NAMES), *TABLES]
DIGITS = 12
COMMIT = f"[0-9a-f]{{{DIGITS}}}"

pytestmark = pytest.mark.skipif(not NAMES, reason="results are not in an sdist")


def git(*words: str) -> bytes:
    return subprocess.run(["git", "-C", RESULTS, *words], capture_output=True, check=True).stdout


@pytest.fixture(scope="module")
def history() -> frozenset[str]:
    """All commits that lead to the one checked out."""
    try:
        if git("rev-parse", "--is-shallow-repository").strip() == b"true":
            pytest.skip("a shallow clone")
        # Somebody else's repository, in which this one merely lies, does not track the rows.
        git("ls-files", "--error-unmatch", f"{NAMES[0]}.parquet")
    except (OSError, subprocess.CalledProcessError):
        pytest.skip("no history here")
    return frozenset(line[:DIGITS] for line in git("rev-list", "HEAD").decode().split())


@cache
def commits(name: str) -> frozenset[str]:
    """What the rows of today name."""
    return named_in(name, (RESULTS / name).read_bytes())


def named_in(name: str, content: bytes) -> frozenset[str]:
    return frozenset(cell for cell in cells(name, content) if re.fullmatch(COMMIT, cell))


def cells(name: str, content: bytes) -> list[str]:
    """The commit of every row, of a file of rows or a table; "" of a row without one."""
    if name.endswith(".parquet"):
        named = pd.read_parquet(io.BytesIO(content), columns=["commit"])["commit"]
        return [str(cell) for cell in named.fillna("")]
    header, _, *rows = (
        [cell.strip() for cell in line.strip("|").split("|")]
        for line in content.decode().splitlines()
    )
    column = header.index("commit")
    return [row[column] if column < len(row) else "" for row in rows]


def rewritten() -> dict[str, str]:
    return tomllib.loads(REWRITTEN.read_text(encoding="utf-8"))


def without_commit(name: str) -> int:
    named = cells(name, (RESULTS / name).read_bytes())
    return sum(not re.fullmatch(COMMIT, cell) for cell in named)


@pytest.mark.parametrize("name", FILES)
def test_rows_say_their_commit(name: str) -> None:
    assert (without_commit(name) > 0) == (name.removesuffix(".parquet") in EARLIER)


@pytest.mark.parametrize("name", FILES)
def test_the_commit_is_in_the_history_or_known_to_be_rewritten(
    name: str, history: frozenset[str]
) -> None:
    assert commits(name) - history - rewritten().keys() == set()


def test_rewritten_commits_are_those_that_rows_name_and_the_history_lacks(
    history: frozenset[str],
) -> None:
    named = frozenset[str]().union(*(commits(name) for name in FILES))
    assert rewritten().keys() == named - history


def test_a_rewritten_commit_landed_with_the_one_beside_it(history: frozenset[str]) -> None:
    for landed in sorted(set(rewritten().values())):
        assert landed in history
        brought = in_files_changed_by(landed, landed) - in_files_changed_by(landed, f"{landed}^")
        beside_it = {old for old, new in rewritten().items() if new == landed}
        assert beside_it <= brought


def in_files_changed_by(changing: str, state: str) -> frozenset[str]:
    """What rows of one state name, in the files that a commit changes."""
    kinds = ("*.parquet", "*.md")
    changed = git("diff", "--name-only", "--relative", f"{changing}^", changing, "--", *kinds)
    there = set(git("ls-tree", "--name-only", state, "./").decode().split())
    named = frozenset[str]()
    for name in changed.decode().split():
        content = git("show", f"{state}:./{name}") if name in there else b""
        if content and (name.endswith(".parquet") or b"| commit" in content):
            named |= named_in(name, content)
    return named
