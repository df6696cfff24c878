"""Ratings from 1 to 10, by the loop and by the door that a shell uses."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from likewise.cli.app import app
from likewise.cli.terminal.keys import Action, RatingResponse
from likewise.cli.terminal.loop import OpenRating, RespondRating, rating_loop
from likewise.study import SimilarityStudy
from likewise.study.loop import Outcome

POTS = "id,shape,clay\np1,bowl,red\np2,bowl,red\np3,jar,grey\np4,jar,grey\n"


@pytest.fixture
def pots(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    Path("pots.csv").write_text(POTS)
    return Path("pots.csv")


def likewise(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(words), input=typed)


def feed(said: Iterable[RatingResponse | None], seen: list[OpenRating]) -> RespondRating:
    coming = iter(said)

    def respond(asked: OpenRating) -> RatingResponse | None:
        seen.append(asked)
        return next(coming, None)

    return respond


def test_ratings_are_recorded_in_tenths() -> None:
    study = SimilarityStudy(4)
    assert rating_loop(study, feed([7, 10, Action.STOP], [])) is Outcome.STOPPED
    assert [m.value for m in study.measurements] == [0.7, 1.0]
    assert all(m.seconds is not None for m in study.measurements)


def test_undo_brings_the_same_pair_back() -> None:
    study, seen = SimilarityStudy(4), list[OpenRating]()
    ending = rating_loop(study, feed([3, 4, Action.UNDO, Action.UNDO, Action.UNDO], seen))
    assert ending is Outcome.NO_MORE_INPUT
    pairs = [asked.pair for asked in seen]
    assert pairs == [pairs[0], pairs[1], pairs[2], pairs[1], pairs[0], pairs[0]]
    assert seen[3].note == "Taken back: 4."
    assert seen[5].note == "There is no rating to take back."


def test_a_pair_that_cannot_be_compared_is_not_shown_again() -> None:
    study, seen = SimilarityStudy(4), list[OpenRating]()
    ending = rating_loop(study, feed([Action.UNSURE] * 6, seen))
    assert ending is Outcome.NOTHING_LEFT
    assert len({asked.pair.unordered for asked in seen}) == 6
    assert study.n_measurements == 0


def test_a_sitting_ends_with_its_budget() -> None:
    study = SimilarityStudy(4)
    assert rating_loop(study, feed([5] * 9, []), budget=3) is Outcome.BUDGET_SPENT
    assert study.n_measurements == 3


def test_a_sitting_goes_on_where_it_stopped(pots: Path) -> None:
    first = likewise("rate", str(pots), typed="2\n9\nstop\n")
    assert first.exit_code == 0, first.output
    assert "How alike are these, 1 to 10?" in first.stdout
    assert "pots.ratings.jsonl" in first.stdout
    again = likewise("rate", str(pots), typed="eleven\n11\n?\n10\nundo\nquit\n")
    assert again.exit_code == 0
    assert "2 ratings so far." in again.stdout
    assert again.stdout.count("Please rate from 1 to 10") == 2
    assert "Taken back: 10." in again.stdout
    study = SimilarityStudy.open("pots.ratings.jsonl")
    assert [m.value for m in study.measurements] == [0.2, 0.9]


def test_rated_rows_are_grouped(pots: Path) -> None:
    study = SimilarityStudy(4)
    typed = ""
    while (pair := study.ask()) is not None:
        rating = 9 if pair.i // 2 == pair.j // 2 else 1
        typed += f"{rating}\n"
        study.tell(pair, rating / 10)
    done = likewise("rate", str(pots), typed=typed)
    assert "Every pair has been rated." in done.stdout
    assert "2 groups, of 2 and 2" in done.stdout
    table = likewise("labels", str(pots), "--ratings").stdout
    assert [row["group"] for row in csv.DictReader(io.StringIO(table))] == ["0", "0", "1", "1"]
    listed = json.loads(likewise("labels", str(pots), "--ratings", "--json").stdout)
    assert [row["id"] for row in listed] == ["p1", "p2", "p3", "p4"]


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (["rate", "pots.csv", "--seed", "3"], "was begun with --seed 0"),
        (["rate", "pots.csv", "--drop", "clay"], "other items"),
        (["rate", "pots.csv", "--budget", "0"], "--budget must be at least 1"),
        (["rate", "pots.csv", "--page", "--budget", "3"], "--budget is for rating in the terminal"),
        (["labels", "pots.csv"], "nobody has answered"),
    ],
)
def test_what_does_not_fit_is_refused(pots: Path, words: list[str], sentence: str) -> None:
    assert likewise("rate", str(pots), typed="5\n").exit_code == 0
    result = likewise(*words)
    assert result.exit_code == 2
    assert sentence in result.stderr
    assert result.stderr.count("\n") == 1


def test_ratings_that_were_never_begun_are_missed(pots: Path) -> None:
    result = likewise("labels", str(pots), "--ratings")
    assert result.exit_code == 2
    assert "nobody has rated anything in pots.csv yet" in result.stderr
