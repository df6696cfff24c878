"""Folders of photographs as piles of faces, and labels that say who is on which photograph."""

from __future__ import annotations

import csv
import io
import shutil
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import likewise as lw
from face_photographs import Corners, corners
from likewise.cli.app import app
from likewise.errors import DataError
from likewise.features.regions import PictureRegion
from likewise.piles import face_files, read_pile
from likewise.views.thumbnails import Thumbnails

PEOPLE = {"a.png": ("red", "blue"), "b.png": ("red",), "c.png": ("blue", "lime"), "d.png": ()}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Four photographs: three people, on one of them nobody."""
    photos = tmp_path / "photos"
    photos.mkdir()
    for name, colours in PEOPLE.items():
        corners(photos / name, *colours)
    return photos


@pytest.fixture(autouse=True)
def stand_in(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the command line find faces without a network."""
    monkeypatch.setattr(face_files, "DlibFaces", Corners)


def test_every_face_is_an_item_with_the_photograph_it_is_on(folder: Path) -> None:
    shutil.copy(folder / "b.png", folder / "copy.png")
    (folder / "torn.jpg").write_bytes(b"no picture")
    pile = read_pile(folder, faces=Corners())
    assert pile.items.ids == ["a.png#1", "a.png#2", "b.png#1", "c.png#1", "c.png#2"]
    assert pile.items.copies == {2: ["copy.png#1"]}
    assert pile.noun == "face"
    assert pile.items.rows is not None
    assert pile.items.rows[1]["photograph"] == "a.png"
    said = "; ".join(pile.notes)
    assert "torn.jpg (not a picture, or damaged)" in said
    assert "no face was found on 1 photograph: d.png" in said
    assert pile.items.pictures is not None
    assert isinstance(pile.items.pictures[0], PictureRegion)
    content, kind = Thumbnails(pile.items).picture(1, 64)
    assert kind == "image/jpeg"
    assert content
    same = lw.load_items(folder, faces=True)
    assert same.fingerprint() == pile.items.fingerprint()


def test_a_study_of_faces_goes_on_when_photographs_come(folder: Path, tmp_path: Path) -> None:
    from likewise.piles import begin_study, resume_study

    store = tmp_path / "faces.db"
    with begin_study(read_pile(folder, faces=True), store) as study:
        study.tell((0, 2), "same")
    corners(folder / "0 first.png", "yellow")
    again, pile = resume_study(read_pile(folder, faces=True), store)
    with again:
        assert pile.items.ids[0] == "a.png#1"
        assert pile.items.ids[-1] == "0 first.png#1"
        assert again.constraints.implied(0, 2) is lw.Verdict.SAME


def test_photographs_are_exported_by_who_is_on_them(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "b.png", folder / "copy.png")
    typed = CliRunner()
    arguments = [str(folder), "--faces"]
    begun = typed.invoke(
        app, ["answer", *arguments, "--clusters", "3", "--budget", "9"], input="d\n" * 9
    )
    assert begun.exit_code == 0, begun.output
    assert (tmp_path / "photos.faces.likewise.jsonl").exists()
    labels = typed.invoke(app, ["labels", *arguments])
    rows = list(csv.DictReader(io.StringIO(labels.stdout)))
    assert {row["id"]: row["photograph"] for row in rows}["c.png#2"] == "c.png"
    who = {row["id"]: row["group"] for row in rows}
    listed = typed.invoke(app, ["labels", *arguments, "--photographs"])
    people = {row["photograph"]: row for row in csv.DictReader(io.StringIO(listed.stdout))}
    assert list(people) == ["a.png", "b.png", "c.png", "copy.png"]
    assert people["a.png"]["groups"] == "; ".join(dict.fromkeys((who["a.png#1"], who["a.png#2"])))
    copied = typed.invoke(app, ["labels", *arguments, "--copy-to", str(tmp_path / "people")])
    assert copied.exit_code == 0, copied.output
    there = {(p.parent.name, p.name) for p in (tmp_path / "people").glob("*/*")}
    assert there == {(who[row["id"]], row["photograph"]) for row in rows}


def test_faces_where_there_can_be_none_is_one_sentence(folder: Path, tmp_path: Path) -> None:
    for name in ("a.png", "b.png", "c.png"):
        corners(folder / name)
    done = CliRunner().invoke(app, ["answer", str(folder), "--faces"])
    assert done.exit_code == 2
    assert "no face was found in" in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1
    table = tmp_path / "t.csv"
    table.write_text("a,b\n1,2\n3,4\n")
    with pytest.raises(DataError, match="on the photographs of a folder"):
        lw.load_items(table, faces=True)
    with pytest.raises(DataError, match="a model of their own"):
        lw.load_items(folder, faces=True, model="mobilenet")
    done = CliRunner().invoke(app, ["labels", str(folder), "--photographs"])
    assert done.exit_code == 2
    assert "goes with --faces" in done.stderr


def test_features_of_faces_are_those_of_the_model(folder: Path) -> None:
    items = lw.load_items(folder, faces=True)
    assert items.features is not None
    np.testing.assert_allclose(np.asarray(items.features)[0], [1, 0, 0], atol=0.01)
