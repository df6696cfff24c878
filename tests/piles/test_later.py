"""Items that come later: the groups they are given, and what is refused."""

from __future__ import annotations

import csv
import io
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from typer.testing import CliRunner

from likewise.cli.app import app
from likewise.errors import DataError
from likewise.piles import begin_study, read_pile, table_files
from likewise.piles.later import read_later
from likewise.study import Study


def wines(n: int, seed: int) -> pd.DataFrame:
    """Return cheap white and dear red wines, one after the other."""
    rng, kind = np.random.default_rng(seed), np.arange(n) % 2
    price = np.where(kind, 60, 8) + rng.normal(size=n)
    return pd.DataFrame({"price": price, "colour": np.where(kind, "red", "white")})


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "wines.csv"
    wines(60, 0).to_csv(path, index=False)
    with begin_study(read_pile(path), tmp_path / "wines.likewise.db", n_clusters=2) as study:
        study.tell((0, 2), "same")
        study.tell((0, 1), "different")
        study.name(0, "white")
    return path


def labels(*args: object) -> tuple[int, str]:
    found = CliRunner().invoke(app, ["labels", *map(str, args)])
    return found.exit_code, found.output


def test_the_command_labels_new_rows_and_marks_a_new_kind(table: Path) -> None:
    odd = pd.DataFrame({"price": [900.0], "colour": ["green"]})
    pd.concat([wines(4, 1), odd]).to_csv(table.parent / "new.csv", index=False)
    before = table.with_suffix(".likewise.db").read_bytes()
    out = table.parent / "out.csv"
    assert labels(table, "--predict", table.parent / "new.csv", "--out", out)[0] == 0
    rows = list(csv.DictReader(io.StringIO(out.read_text())))
    assert [row["name"] for row in rows[:4]] == ["white", "", "white", ""]
    assert rows[4]["new_kind"] == "True"
    assert table.with_suffix(".likewise.db").read_bytes() == before


@pytest.mark.parametrize(
    ("name", "content", "sentence"),
    [
        ("one.csv", "price\n3\n", "no column 'colour'"),
        ("word.csv", "price,colour\ndear,red\n", "holds numbers"),
        ("none.csv", "price,colour\n", "no row"),
        ("lines.txt", "a text\n", "holds lines of text"),
        ("missing.csv", None, "there is no file"),
    ],
)
def test_what_does_not_fit_is_refused(
    table: Path, name: str, content: str | None, sentence: str
) -> None:
    path = table.parent / name
    if content is not None:
        path.write_text(content)
    pile = read_pile(table)
    with pytest.raises(DataError, match=sentence):
        Study(pile.items).assign(read_later(path, pile).given)


def test_vectors_are_brought_into_the_units_of_the_pile(tmp_path: Path) -> None:
    numbers = np.column_stack([wines(60, 0)["price"], np.arange(60) / 1000])
    np.save(tmp_path / "old.npy", numbers)
    np.save(tmp_path / "new.npy", numbers[:3])
    pile = read_pile(tmp_path / "old.npy")
    study = Study(pile.items, n_clusters=2)
    later = read_later(tmp_path / "new.npy", pile)
    found = study.assign(later.given)
    np.testing.assert_array_equal(found.groups, study.labels_[:3])
    assert not found.new_kind.any()
    with pytest.raises(DataError, match="npy"):
        read_later(tmp_path, pile)


def test_about_one_known_item_in_twenty_is_taken_for_a_new_kind() -> None:
    rng = np.random.default_rng(0)
    study = Study(rng.normal(size=(300, 2)) + 20 * (np.arange(300) % 2)[:, None], n_clusters=2)
    new = rng.normal(size=(1000, 2)) + 20 * (np.arange(1000) % 2)[:, None]
    assert 0.02 < study.assign(new).new_kind.mean() < 0.1
    assert study.assign(new + 8.0).new_kind.all()


def test_texts_come_with_their_model(tmp_path: Path) -> None:
    lines = [f"the cat purred {k}" for k in range(9)] + [
        f"stock markets fell {k}" for k in range(9)
    ]
    (tmp_path / "old.txt").write_text("\n".join(lines))
    (tmp_path / "new.txt").write_text("a cat purred\n\nmarkets fell\n")
    pile = read_pile(tmp_path / "old.txt", model="tf-idf")
    study = Study(pile.items, n_clusters=2)
    study.tell((0, 9), "different")
    later = read_later(tmp_path / "new.txt", pile)
    assert later.ids == ["1", "3"]
    assert study.predict(later.given).tolist() == [study.labels_[0], study.labels_[9]]


def test_more_new_rows_than_are_labelled_at_once_are_refused(
    table: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wines(60, 1).to_csv(table.parent / "new.csv", index=False)
    pile = read_pile(table)
    monkeypatch.setattr(table_files, "_MOST_ROWS", 50)
    with pytest.raises(DataError, match=r"new\.csv has more rows than are labelled at once; split"):
        read_later(table.parent / "new.csv", pile)
