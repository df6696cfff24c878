"""The bench, entered by the door that a shell uses."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from likewise.cli.app import app

EXPERIMENT = """
name = "tiny"
[[runs]]
methods = ["random-items", "nothing"]
data = ["moons"]
checkpoints = [0, 3]
seeds = 2
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("tiny.toml").write_text(EXPERIMENT)
    return tmp_path


def likewise(*words: str) -> Result:
    return CliRunner().invoke(app, list(words))


def test_an_experiment_is_run_once_and_failures_are_told(folder: Path) -> None:
    first = likewise("bench", "run", "tiny.toml", "--jobs", "1")
    assert first.exit_code == 0
    assert "4 runs, 4 of them now; results are in tiny.parquet" in first.stdout
    assert first.stderr.count("there is no method 'nothing'") == 1  # once for all runs it fails
    assert "2 runs did not end well" in first.stdout
    assert "4 runs, 0 of them now" in likewise("bench", "run", "tiny.toml").stdout


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("run", "missing.toml"), "no experiment file"),
        (("run", "tiny.toml", "--out", "a.csv"), "ends in .parquet"),
        (("paper", "nobody"), "there is no paper 'nobody'"),
        (("speed", "--sizes", "many"), "--sizes must be numbers"),
        (("speed", "--method", "urasq"), "did you mean 'urasc'"),
    ],
)
def test_mistakes_are_answered_with_a_sentence(
    folder: Path, words: tuple[str, ...], sentence: str
) -> None:
    result = likewise("bench", *words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert "Traceback" not in result.output


def test_speed_prints_a_row_per_method(folder: Path) -> None:
    words = ["--method", "random-items", "--sizes", "40,80", "--questions", "3", "--rounds", "1"]
    result = likewise("bench", "speed", *words)
    assert result.exit_code == 0
    assert "random-items" in result.stdout
    assert "cold eigsh" in result.stdout


def test_a_report_is_one_page_about_all_results_given(folder: Path) -> None:
    likewise("bench", "run", "tiny.toml", "--jobs", "1")
    result = likewise(
        "bench", "report", "tiny.parquet", "--out", "page", "--title", "A <first> look"
    )
    assert result.exit_code == 0, result.output
    page = Path("page/index.html").read_text()
    assert "A &lt;first&gt; look" in page
    assert "random-items" in page
    assert "no method" in page
    missing = likewise("bench", "report", "none.parquet")
    assert missing.exit_code == 2
    assert "run the experiment first" in missing.stderr


def test_a_report_about_nothing_but_failures_is_one_sentence(folder: Path) -> None:
    Path("bad.toml").write_text(
        'name = "bad"\n[[runs]]\nmethods = ["urasq"]\n'
        'data = [{name = "blobs", n = 30}]\ncheckpoints = [0, 5]\nseeds = 2\n'
    )
    assert likewise("bench", "run", "bad.toml", "--jobs", "1").exit_code == 0
    result = likewise("bench", "report", "bad.parquet")
    assert result.exit_code == 2
    told = " ".join(result.stderr.split())
    assert "every run failed (2 in all)" in told
    assert "did you mean 'urasc'" in told
