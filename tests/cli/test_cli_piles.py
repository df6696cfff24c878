"""`likewise start` on piles of every kind, entered by the door that a shell uses."""

from __future__ import annotations

import csv
import json
import re
import sys
from io import StringIO
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from PIL import Image
from rich.console import Console
from rich.text import Text
from typer.testing import CliRunner, Result

from likewise.cli.app import app
from likewise.cli.terminal import side_by_side
from likewise.cli.terminal.keys import Action
from likewise.cli.terminal.loop import OpenQuestion, answer_loop
from likewise.cli.terminal.side_by_side import (
    PictureComparison,
    TextComparison,
    highlight_differences,
)
from likewise.exchange.group_folders import folder_name
from likewise.piles.glance import glance
from likewise.stores import JsonLinesStore
from likewise.study import Study


def likewise(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(words), input=typed)


def refused(*words: str) -> str:
    """The sentence with which a command is refused."""
    result = likewise(*words)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert result.stderr.count("\n") == 1
    return result.stderr


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Six pictures in two folders, one of them twice."""
    monkeypatch.chdir(tmp_path)
    rng = np.random.default_rng(0)
    for k in range(6):
        pixels = rng.integers(0, 255, (20, 20, 3), dtype=np.uint8)
        Path("photos", "ab"[k % 2]).mkdir(parents=True, exist_ok=True)
        Image.fromarray(pixels).save(Path("photos", "ab"[k % 2], f"{k}.png"))
    Path("photos", "b", "0.png").write_bytes(Path("photos", "a", "0.png").read_bytes())
    return Path("photos")


def test_a_folder_of_pictures_is_started_answered_and_labelled(photos: Path) -> None:
    first = likewise("start", "photos", "--terminal", typed="d\ns\n")
    assert first.exit_code == 0, first.output
    assert (
        "photos: 6 pictures, compared by what is on them, edges, texture and colour."
        in first.stdout
    )
    assert "1 picture is exactly equal to another" in first.stdout
    assert "Every answer is kept in photos.likewise.db." in first.stdout
    assert "likewise start photos   goes on" in first.stdout
    again = likewise("start", "photos", "--terminal")
    assert "2 answers so far." in again.stdout
    rows = list(csv.DictReader(likewise("labels", "photos").stdout.splitlines()))
    assert sorted(row["id"] for row in rows) == sorted(
        [*(f"{'ab'[k % 2]}/{k}.png" for k in range(6)), "b/0.png"]
    )
    group = {row["id"]: row["group"] for row in rows}
    assert group["a/0.png"] == group["b/0.png"]
    assert set(rows[0]) == {"id", "group", "name", "confidence"}


def test_the_question_left_open_comes_first_next_time(photos: Path) -> None:
    def asked(output: str) -> list[str]:
        found = re.findall(r"^ ?([ab]/\d\.png) .*?([ab]/\d\.png)", output, re.MULTILINE)
        return [" ".join(pair) for pair in found]

    first = likewise("start", "photos", "--terminal", typed="d\ns\nd\n")
    again = likewise("start", "photos", "--terminal")
    assert asked(again.stdout) == asked(first.stdout)[-1:]


def test_a_journal_of_lines_that_is_there_goes_on_being_used(photos: Path) -> None:
    Path("t.csv").write_text("a,b\n1,x\n2,y\n5,z\n")
    likewise("answer", "t.csv", typed="d\n")
    assert Path("t.likewise.jsonl").exists()
    went_on = likewise("start", "t.csv", "--terminal", typed="d\n")
    assert "1 answer so far." in went_on.stdout
    assert not Path("t.likewise.db").exists()
    assert len(JsonLinesStore("t.likewise.jsonl").read()) == 3


def test_new_files_are_asked_about_after_the_next_start(photos: Path) -> None:
    likewise("start", "photos", "--terminal", typed="s\n" * 5)
    assert "Nothing is left to ask." in likewise("start", "photos", "--terminal").stdout
    Image.new("RGB", (9, 9), "red").save("photos/new.png")
    Path("photos/a/2.png").unlink()
    grown = likewise("start", "photos", "--terminal", typed="d\n")
    assert "1 picture is new." in grown.stdout
    assert "1 picture is gone; the answers about them are kept." in grown.stdout
    assert "new.png" in grown.stdout
    assert "6 answers in all" in grown.stdout or "5 answers in all" in grown.stdout
    ids = [row["id"] for row in json.loads(likewise("labels", "photos", "--json").stdout)]
    assert "new.png" in ids
    assert "a/2.png" not in ids
    assert json.loads(likewise("status", "photos", "--json").stdout)["items"] == 6


def test_labels_are_written_in_the_form_the_name_ends_in(photos: Path) -> None:
    likewise("start", "photos", "--terminal", typed="d\ns\n")
    for name in ("g.csv", "g.parquet", "g.json"):
        assert likewise("labels", "photos", "--out", name).exit_code == 0
    tables = [
        pd.read_csv("g.csv", keep_default_na=False),
        pd.read_parquet("g.parquet"),
        pd.read_json("g.json"),
    ]
    for table in tables[1:]:
        pd.testing.assert_frame_equal(table, tables[0], check_dtype=False)
    assert "not as .xlsx" in refused("labels", "photos", "--out", "g.xlsx")


@pytest.mark.parametrize("more", [(), ("--predict", "photos")])
def test_a_place_that_nothing_can_be_written_to_is_refused_before_the_groups_are_found(
    photos: Path, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]
) -> None:
    likewise("start", "photos", "--terminal", typed="d\ns\n")

    def never(*_: object, **__: object) -> None:
        raise AssertionError("the pile was read")

    monkeypatch.setattr("likewise.cli.pile_source.PileSource.read", never)
    assert "not as .xlsx" in refused("labels", "photos", "--out", "g.xlsx", *more)
    said = refused("labels", "photos", "--out", "nowhere/g.csv", *more)
    assert "there is no folder nowhere; make it first" in said


def test_pictures_are_sorted_into_folders_and_nothing_is_overwritten(photos: Path) -> None:
    likewise("start", "photos", "--terminal", typed="d\ns\n")
    result = likewise("labels", "photos", "--copy-to", "sorted")
    assert result.exit_code == 0
    assert result.stdout == ""
    rows = json.loads(likewise("labels", "photos", "--json").stdout)
    copied = sorted(path for path in Path("sorted").rglob("*") if path.is_file())
    assert len(copied) == 7
    for row in rows:
        content = Path("photos", row["id"]).read_bytes()
        folder = Path("sorted", str(row["group"]))
        assert any(path.read_bytes() == content for path in folder.iterdir())
    assert "not empty" in refused("labels", "photos", "--copy-to", "sorted")
    assert "in the pile itself" in refused("labels", "photos", "--copy-to", "photos/sorted")
    assert likewise("labels", "photos", "--link-to", "links").exit_code == 0
    linked = sorted(path for path in Path("links").rglob("*") if path.is_symlink())
    assert [link.relative_to("links") for link in linked] == [
        copy.relative_to("sorted") for copy in copied
    ]
    Path("t.csv").write_text("a,b\n1,x\n2,y\n5,z\n")
    likewise("start", "t.csv", "--terminal", typed="d\n")
    assert likewise("labels", "t.csv", "--copy-to", "other").exit_code == 0
    rows = json.loads(likewise("labels", "t.csv", "--json").stdout)
    for row in rows:
        with Path("other", f"{row['group']}.csv").open() as file:
            assert row["id"] in [one["item"] for one in csv.DictReader(file)]
    assert "no files to link to" in refused("labels", "t.csv", "--link-to", "links")
    np.save("v.npy", np.eye(3))
    likewise("start", "v.npy", "--terminal", typed="d\n")
    assert "only pictures that are files" in refused("labels", "v.npy", "--copy-to", "vectors")


@pytest.mark.parametrize("name", ["", "cats", "../../etc", "a/b\\c", "x" * 500, "...", "con:*?"])
def test_folders_of_groups_stay_where_they_belong(name: str) -> None:
    folder = folder_name(3, name)
    assert folder.startswith("3")
    assert not {"/", "\\", ":", "*"} & set(folder)
    assert len(folder) < 100


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("t.txt", "one red car\ntwo blue cars\nthree green trees\n", "3 texts, compared by their"),
        ("t.csv", "text\none red car\ntwo blue cars\nno car here\n", "the texts in text"),
        ("t.jsonl", '{"a": 1}\n{"a": 2}\n{"a": 5}\n', "3 rows, compared by a"),
        ("t.tsv", "a\tb\n1\tx\n2\ty\n5\tz\n", "3 rows, compared by a, b"),
    ],
)
def test_files_of_every_kind_are_started(photos: Path, name: str, content: str, said: str) -> None:
    Path(name).write_text(content)
    result = likewise("start", name, "--terminal", typed="d\nk\n")
    assert result.exit_code == 0, result.output
    assert said in result.stdout
    assert "1 answer in all" in result.stdout
    assert likewise("labels", name).stdout.count("\n") == 4
    assert likewise("rate", name, typed="7\n").exit_code == 0


def test_vectors_are_started_and_shown_as_numbers(photos: Path) -> None:
    np.save("v.npy", np.random.default_rng(0).normal(size=(6, 3)))
    result = likewise("start", "v.npy", "--terminal", typed="d\n")
    assert "6 vectors, compared by 3 numbers each" in result.stdout
    assert "vector" in result.stdout


def test_options_are_repeated_in_what_to_type_next(photos: Path) -> None:
    np.save("f.npy", np.random.default_rng(0).normal(size=(7, 3)))
    result = likewise("start", "photos", "--features", "f.npy", "--terminal", typed="d\n")
    assert "compared by the vectors in f.npy" in result.stdout
    assert "likewise labels photos --features f.npy" in result.stdout


def test_without_answers_they_say_how_to_begin(photos: Path) -> None:
    assert "begin with: likewise start photos" in refused("labels", "photos")


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("start", "nowhere"), "there is no file nowhere"),
        (("start", "empty"), "there are no pictures in empty"),
        (("start", "photos", "--text", "a"), "has no columns to choose from"),
        (("start", "photos", "--model", "no-such-net"), "the model 'no-such-net'"),
        (("start", "/"), "is the root of a disk"),
    ],
)
def test_a_pile_that_cannot_be_used_is_refused(
    photos: Path, words: tuple[str, ...], said: str
) -> None:
    Path("empty").mkdir()
    if words[1] == "/" and sys.platform == "win32":
        pytest.skip("disks have other names there")
    assert said in refused(*words, "--terminal")
    assert not list(Path().glob("*.likewise.db"))


# -- skipping ----------------------------------------------------------------------------------


def test_a_skipped_question_is_put_off_and_nothing_is_recorded(photos: Path) -> None:
    study = Study([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    seen = []
    coming = iter([Action.SKIP, Action.SKIP, Action.STOP])

    def respond(asked: OpenQuestion) -> Action:
        seen.append(asked)
        return next(coming)

    answer_loop(study, respond)
    pairs = [asked.question.pair.unordered for asked in seen]
    assert len(set(pairs)) == 3
    assert seen[1].note.startswith("Put off")
    assert study.n_answers == 0


def test_skipped_questions_come_back_when_nothing_else_is_left(photos: Path) -> None:
    study = Study([[0.0], [5.0]])
    answers = iter([Action.SKIP, Action.SKIP, Action.SAME])
    answer_loop(study, lambda asked: next(answers))
    assert study.n_answers == 1


# -- looks -------------------------------------------------------------------------------------


def test_words_that_differ_are_marked() -> None:
    left, right = highlight_differences("The red car, parked", "the blue car parked")
    assert [left.plain[span.start : span.end] for span in left.spans] == ["red", ","]
    assert [right.plain[span.start : span.end] for span in right.spans] == ["blue"]
    assert highlight_differences("same words", "same words")[0].spans == []
    assert (
        highlight_differences("nothing at all in common", "with these other words")[0].spans == []
    )


@pytest.mark.parametrize(("width", "height"), [(80, 24), (40, 12), (200, 60)])
@pytest.mark.parametrize("shape", [(10, 300), (300, 10), (50, 50)])
def test_pictures_fit_the_room(
    monkeypatch: pytest.MonkeyPatch,
    width: int,
    height: int,
    shape: tuple[int, int],
) -> None:
    console = Console(width=width, height=height, color_system="truecolor", force_terminal=True)
    monkeypatch.setattr(side_by_side, "out", console)
    pixels = np.random.default_rng(0).integers(0, 255, (*shape, 3), dtype=np.uint8)
    shown = PictureComparison([pixels, pixels]).render(0, 1, (Text("one"), Text("two")), height - 5)
    lines = console.render_lines(shown, console.options.update(height=None))
    assert len(lines) <= height - 5
    assert all(sum(segment.cell_length for segment in line) <= width for line in lines)


def test_a_picture_that_is_gone_is_no_accident(photos: Path) -> None:
    shown = PictureComparison([Path("gone.png"), Path("photos/a/0.png")])
    console = Console(width=80, file=None, record=True)
    console.print(shown.render(0, 1, (Text("one"), Text("two")), None))
    assert "[there is no such file]" in console.export_text()


def test_texts_cannot_move_the_cursor() -> None:
    console = Console(width=80, record=True, force_terminal=True)
    texts = TextComparison(["\x1b[2Jgone", "<b>\u202ebold</b>"])
    console.print(texts.render(0, 1, (Text("one"), Text("two")), None))
    text = console.export_text()
    assert "\x1b[2J" not in text
    assert "\u202e" not in text
    assert "<b>" in text


@pytest.fixture
def parts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Two files of numbers in two kinds."""
    monkeypatch.chdir(tmp_path)
    Path("parts").mkdir()
    for k in range(2):
        near = np.random.default_rng(k).normal(size=(60, 3))
        rows = pd.DataFrame(near + 9 * (np.arange(60) % 2)[:, None], columns=list("abc"))
        rows.assign(key=[f"{k}-{i}" for i in range(60)]).to_parquet(f"parts/{k}.parquet")
    return Path("parts")


def test_a_folder_of_parts_is_studied_by_representatives(parts: Path) -> None:
    how = ("--representatives", "12", "--id", "key")
    begun = likewise("start", "parts", *how, "--terminal", "--budget", "1", typed="s\n")
    assert begun.exit_code == 0, begun.output
    assert "12 representatives, compared by a, b, c" in begun.output
    assert "they stand for 120 rows" in begun.output
    assert json.loads(likewise("status", "parts", *how, "--json").stdout)["answers"] == 1
    assert "name a folder with --out" in refused("labels", "parts", *how)
    written = likewise("labels", "parts", *how, "--out", "groups")
    assert written.exit_code == 0, written.output
    rows = pd.read_parquet("groups")
    assert sorted(rows["id"]) == sorted(f"{k}-{i}" for k in range(2) for i in range(60))
    written = likewise("labels", "parts", *how, "--out", "groups.csv")
    assert written.exit_code == 0, written.output
    table = pd.read_csv("groups.csv")
    assert list(table) == ["id", "group", "name", "confidence"]
    assert dict(zip(table["id"], table["group"], strict=True)) == dict(
        zip(rows["id"], rows["group"], strict=True)
    )
    assert "name a folder with --out" in refused("labels", "parts", *how, "--out", "groups.json")
    for folders in ("--copy-to", "--link-to"):
        said = refused("labels", "parts", *how, "--out", "some.csv", folders, "sorted")
        assert "a file per group is not written of" in said
    assert not Path("some.csv").exists()
    assert not Path("groups.json").exists()


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_labels_are_not_written_among_parts(parts: Path, kind: str) -> None:
    if kind == "csv":
        for one in list(parts.iterdir()):
            pd.read_parquet(one).to_csv(one.with_suffix(".csv"), index=False)
            one.unlink()
    how = ("--id", "key")
    begun = likewise("start", "parts", *how, "--terminal", "--budget", "1", typed="s\n")
    assert begun.exit_code == 0, begun.output
    before = {one.name: one.read_bytes() for one in parts.iterdir()}
    for out in ("parts", "parts/groups", "parts/groups.csv", "parts/1.csv"):
        said = refused("labels", "parts", *how, "--out", out)
        assert "in the folder of the pile" in said or "made from" in said
    pd.DataFrame({"a": [0], "b": [0], "c": [0], "key": ["x"]}).to_csv("new.csv")
    said = refused("labels", "parts", *how, "--predict", "new.csv", "--out", "parts/new.csv")
    assert "in the folder of the pile" in said
    assert {one.name: one.read_bytes() for one in parts.iterdir()} == before


def test_a_folder_of_parts_is_known_as_such(parts: Path) -> None:
    how = ("--id", "key")
    begun = likewise("start", "parts", *how, "--terminal", "--budget", "1", typed="s\n")
    assert begun.exit_code == 0, begun.output
    assert "120 representatives" in begun.output
    assert "are read as one pile" in begun.output
    assert likewise("labels", "parts", *how, "--out", "groups.csv").exit_code == 0
    assert len(pd.read_csv("groups.csv")) == 120
    assert [one.name for one in glance(parts).columns] == ["a", "b", "c", "key"]
    assert "no pictures in parts" in refused("start", "parts", "--stacks")
    for k in range(2):
        pd.read_parquet(f"parts/{k}.parquet").to_csv(f"parts/{k}.csv", index=False)
    assert "no pictures in parts" in refused("start", "parts")  # of two kinds
    for k in range(2):
        Path(f"parts/{k}.parquet").unlink()
    again = likewise("start", "parts", *how, "--terminal", "--budget", "1", typed="s\n")
    assert "1 answer so far" in again.output  # the same rows in files of another kind
    Path("parts/1.csv").unlink()
    assert "no pictures in parts" in refused("start", "parts")  # one file is a pile by itself


def test_parts_in_folders_are_refused_with_what_to_do(parts: Path) -> None:
    Path("days/day=1").mkdir(parents=True)
    parts.rename("days/day=2")
    said = refused("start", "days")
    assert "no pictures in days" in said
    assert "a folder of their own, without folders in it" in said
    assert "jpg" not in said


def test_files_that_come_into_a_folder_of_parts_join(parts: Path) -> None:
    how = ("--representatives", "12", "--id", "key")
    begun = likewise("start", "parts", *how, "--terminal", "--budget", "3", typed="s\nd\ns\n")
    assert begun.exit_code == 0, begun.output
    rows = pd.DataFrame(np.random.default_rng(2).normal(size=(60, 3)), columns=list("abc"))
    rows = rows + 9 * np.array([1, -1, 1])
    rows.assign(key=[f"new-{i}" for i in range(60)]).to_parquet("parts/00.parquet")
    said = likewise("status", "parts", *how).output  # it only looks
    assert "representatives are new" in said
    assert "nothing was written" in said
    again = likewise("start", "parts", *how, "--terminal", "--budget", "1", typed="d\n")
    assert again.exit_code == 0, again.output
    assert "3 answers so far" in again.output
    assert "representatives are new" in again.output
    status = json.loads(likewise("status", "parts", *how, "--json").stdout)
    assert status["answers"] == 4
    assert status["items"] > 12
    for out in ("first", "second"):
        assert likewise("labels", "parts", *how, "--out", out).exit_code == 0
    first, second = (pd.read_parquet(out).set_index("id") for out in ("first", "second"))
    pd.testing.assert_frame_equal(first, second)
    assert len(first) == 180
    groups = first["group"]
    assert groups["new-0"] not in {groups["0-0"], groups["0-1"]}
    for k in range(2):
        Path(f"parts/{k}.parquet").unlink()
    Path("parts/00.parquet").unlink()
    rows.sample(frac=0.5, random_state=0).add(40).assign(key="other").to_parquet("parts/z.parquet")
    assert "other items than" in refused("status", "parts", *how)


def test_rows_that_come_after_a_folder_of_parts_are_labelled(parts: Path) -> None:
    how = ("--representatives", "12", "--id", "key")
    likewise("start", "parts", *how, "--terminal", "--budget", "1", typed="s\n")
    pd.DataFrame({"c": [0, 9], "b": [0, 9], "a": [0, 9], "key": ["low", "high"]}).to_csv("new.csv")
    said = likewise("labels", "parts", *how, "--predict", "new.csv")
    assert said.exit_code == 0, said.output
    found = pd.read_csv(StringIO(said.stdout), index_col="id")["group"]
    likewise("labels", "parts", *how, "--out", "groups")
    groups = pd.read_parquet("groups").set_index("id")["group"]
    assert found["low"] == groups["0-0"]
    assert found["high"] == groups["0-1"]
    Path("less.csv").write_text("a,key\n1,x\n")
    assert "no column 'b'" in refused("labels", "parts", *how, "--predict", "less.csv")
    # That is told before the pile is read.
    missing = refused("labels", "not-there-either", *how, "--predict", "nowhere.csv")
    assert "no file nowhere.csv" in missing
    Path("words.csv").write_text("a,b,c,key\n1,2,three,x\n")
    assert "else than numbers" in refused("labels", "parts", *how, "--predict", "words.csv")


def test_what_does_not_go_with_representatives_is_refused(parts: Path) -> None:
    assert "column 'a'" in (
        said := refused("start", "parts", "--representatives", "12", "--text", "a")
    )
    assert "not texts; name another" in said
    assert "with --representatives" in refused("start", "parts", "--dask", "tcp://nowhere:1")
    assert "give the folder" in refused("start", "parts/*.parquet", "--representatives", "12")
