"""Bursts of photographs are one item each, until somebody takes a stack apart."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

import likewise as lw
from burst_files import burst_folder, photograph
from likewise.cli.app import app
from likewise.errors import AnswerError, DataError
from likewise.exchange.group_folders import plan_folders, write_folders
from likewise.features.pictures.bursts import burst_stacks
from likewise.piles import begin_study, read_pile, resume_study, stacks_apart


@pytest.fixture
def photos(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    return burst_folder(tmp_path / "photos")


def stacks(items: lw.Items) -> dict[str, list[str]]:
    return {items.ids[k]: [name for name, _ in others] for k, others in items.stacks.items()}


def test_what_was_taken_within_seconds_and_looks_alike_is_one(photos: Path) -> None:
    pile = read_pile(photos, stacks=True, model="edges-texture-colour")
    assert stacks(pile.items) == {"a0.jpg": ["a1.jpg", "a2.jpg", "a3.jpg"], "b0.jpg": ["b1.jpg"]}
    assert len(pile.items) == 6
    assert any("6 photographs taken within seconds look alike: they are 2 stacks" in note
               for note in pile.notes)  # fmt: skip
    assert "a0.jpg (one of 4)" in pile.names()
    assert sorted(name for name, _ in pile.items.originals()) == sorted(
        path.name for path in photos.iterdir()
    )
    plain = read_pile(photos, model="edges-texture-colour")
    assert len(plain.items) == 10
    assert not plain.items.stacks


def test_a_stack_goes_to_one_folder_by_its_own_files(photos: Path, tmp_path: Path) -> None:
    items = read_pile(photos, stacks=True, model="edges-texture-colour").items
    plan = plan_folders(items, list(range(6)), {}, [1.0] * 6)
    write_folders(plan, tmp_path / "sorted")
    folder = tmp_path / "sorted" / "0"
    assert sorted(path.name for path in folder.iterdir()) == [f"a{k}.jpg" for k in range(4)]
    assert (folder / "a2.jpg").read_bytes() == (photos / "a2.jpg").read_bytes()


def test_a_stack_that_is_taken_apart_stays_apart_and_keeps_its_answers(
    photos: Path, tmp_path: Path
) -> None:
    def read() -> lw.piles.Pile:
        model = "edges-texture-colour"
        apart = stacks_apart(tmp_path / "study.db")
        return read_pile(photos, stacks=True, apart=apart, model=model)

    study = begin_study(
        read_pile(photos, stacks=True, model="edges-texture-colour"), tmp_path / "study.db"
    )
    study.tell(("a0.jpg", "b0.jpg"), "different")
    with pytest.raises(AnswerError, match=r"later\.jpg is no stack"):
        study.unstack("later.jpg")
    with pytest.raises(AnswerError, match="cannot follow a pile that changes"):
        lw.Study(study.items).unstack("a0.jpg")
    study.unstack("a0.jpg", who="Ada")
    assert study.n_to_unstack == 1
    study, pile = resume_study(read(), tmp_path / "study.db")
    assert stacks(study.items) == {"b0.jpg": ["b1.jpg"]}
    assert any("3 pictures are new" in note for note in pile.changes)
    assert study.n_to_unstack == 0
    position = study.items.position()
    pair = position["a0.jpg"], position["b0.jpg"]
    assert study.constraints.implied(*pair) is lw.Verdict.DIFFERENT
    assert str(study.last_step()) == "the stack is one again when the pile is read next"
    study.undo(who="Ada")
    study, pile = resume_study(read(), tmp_path / "study.db")
    assert "a0.jpg" in stacks(study.items)
    assert pile.changes == []  # they are there, in the stack
    assert study.n_answers == 1


def test_who_joins_a_burst_later_does_not_take_the_place_of_who_is_known(photos: Path) -> None:
    photograph(photos / "a.jpg", 1, "2024:05:01 11:59:59", shake=1)
    model = "edges-texture-colour"
    assert "a.jpg" in stacks(read_pile(photos, stacks=True, model=model).items)
    known = read_pile(photos, stacks=True, model=model, known={"a0.jpg": ""})
    assert stacks(known.items)["a0.jpg"] == ["a.jpg", "a1.jpg", "a2.jpg", "a3.jpg"]


def test_only_photographs_are_stacked(photos: Path, tmp_path: Path) -> None:
    (tmp_path / "words.txt").write_text("one\ntwo\n")
    with pytest.raises(DataError, match="only photographs"):
        read_pile(tmp_path / "words.txt", stacks=True)
    for path in photos.iterdir():
        if not path.name.startswith("a"):
            path.unlink()
    alone = read_pile(photos, stacks=True, model="edges-texture-colour")
    assert len(alone.items) == 4
    assert any("one burst" in note for note in alone.notes)
    (photos / "a1.jpg").write_bytes(b"damaged")
    files = sorted(photos.iterdir())
    assert burst_stacks(files, [path.read_bytes()[:9] for path in files]) == [[0, 2, 3]]


def test_by_the_shell_a_stack_is_said_asked_about_as_one_and_taken_apart(photos: Path) -> None:
    def likewise(*words: str) -> str:
        result = CliRunner().invoke(
            app, [*words, "--model", "edges-texture-colour"], input="stop\n"
        )
        assert result.exit_code == 0, result.output
        return result.output

    said = likewise("start", str(photos), "--terminal", "--stacks")
    assert "they are 2 stacks" in said
    rows = json.loads(likewise("labels", str(photos), "--stacks", "--json"))
    assert len(rows) == 10
    groups = {row["id"]: row["group"] for row in rows}
    assert len({groups[f"a{k}.jpg"] for k in range(4)}) == 1
    assert "stack of 4 photographs" in likewise("unstack", str(photos), "a2.jpg")
    assert json.loads(likewise("status", str(photos), "--stacks", "--json"))["items"] == 9
