"""The bench, entered by the door that a shell uses."""

from __future__ import annotations

from pathlib import Path

import pandas as pd
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
    assert likewise("bench", "run", "bad.toml", "--jobs", "1").exit_code == 1
    assert likewise("bench", "run", "bad.toml", "--jobs", "1").exit_code == 1  # nothing new
    result = likewise("bench", "report", "bad.parquet")
    assert result.exit_code == 2
    told = " ".join(result.stderr.split())
    assert "every run failed (2 in all)" in told
    assert "did you mean 'urasc'" in told


PILE = "a,b,label\n0,0,x\n0,1,x\n5,5,y\n5,6,y\n9,0,z\n9,1,z\n"
OWN = (
    'name = "own"\ntitle = "Our <own> pile"\n[[runs]]\nmethods = ["random-items"]\n'
    'data = ["data/pile.csv"]\ncheckpoints = [0, 3]\nseeds = 2\n'
)


@pytest.fixture
def own(folder: Path) -> Path:
    (folder / "data").mkdir()
    (folder / "data" / "pile.csv").write_text(PILE)
    (folder / "own.toml").write_text(OWN)
    return folder


def test_data_that_changed_are_run_again_and_told(own: Path) -> None:
    run = ("bench", "run", "own.toml", "--jobs", "1")
    assert "2 runs, 2 of them now" in likewise(*run).stdout
    assert "2 runs, 0 of them now" in likewise(*run).stdout
    assert "2 runs, 2 of them now" in likewise(*run, "--force").stdout
    (own / "data" / "pile.csv").write_text(PILE.rpartition("9,1")[0])
    kept = likewise(*run, "--keep-old")
    assert "2 runs of other data, kept" in kept.stderr
    assert "2 runs, 0 of them now" in kept.stdout
    again = likewise(*run)
    assert "2 runs of other data, run again" in again.stderr
    assert "2 runs, 2 of them now" in again.stdout


def test_the_title_of_an_experiment_is_that_of_its_page(own: Path) -> None:
    likewise("bench", "run", "own.toml", "--jobs", "1")
    assert likewise("bench", "report", "own.parquet").exit_code == 0
    page = Path("own/index.html").read_text()
    assert "<h1>Our &lt;own&gt; pile</h1>" in page
    assert "Not all of this is known" not in page


def test_a_page_tells_what_is_out_of_date(own: Path) -> None:
    likewise("bench", "run", "own.toml", "--jobs", "1")
    (own / "data" / "pile.csv").write_text(PILE.rpartition("9,1")[0])
    likewise("bench", "report", "own.parquet")
    page = Path("own/index.html").read_text()
    assert "Not all of this is known" in page
    assert "other data: 2 runs, random-items" in page
    frame = pd.read_parquet("own.parquet").drop(columns="commit")
    frame.to_parquet("own.parquet")
    likewise("bench", "report", "own.parquet")
    assert "unknown code and data: 2 runs" in Path("own/index.html").read_text()
