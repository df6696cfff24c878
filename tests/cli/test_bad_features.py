"""What cannot be compared, entered by the door that a shell uses: one sentence, nothing begun."""

from __future__ import annotations

from pathlib import Path

import onnxruntime
import pytest
from PIL import Image
from typer.testing import CliRunner

from likewise.cli.app import app

_ONNX = Path(onnxruntime.__file__).parent / "datasets"  # small models that come with it


@pytest.fixture
def texts(tmp_path: Path) -> str:
    file = tmp_path / "lines.txt"
    file.write_text("Your invoice for March\nLunch on Friday?\nYour invoice for April\n")
    return str(file)


@pytest.fixture
def pictures(tmp_path: Path) -> str:
    folder = tmp_path / "photos"
    folder.mkdir()
    for colour in ("red", "green", "blue"):
        Image.new("RGB", (64, 48), colour).save(folder / f"{colour}.png")
    return str(folder)


def refused(*words: str) -> str:
    """The sentence that a command is refused with; nothing is left beside the pile."""
    beside = Path(words[1]).parent
    before = sorted(beside.iterdir())
    done = CliRunner().invoke(app, list(words))
    assert done.exit_code == 2, done.output
    assert sorted(beside.iterdir()) == before
    (sentence,) = done.stderr.strip().splitlines()
    return sentence


def noticed(file: Path) -> str:
    """What is said about a pile of texts before its first question."""
    done = CliRunner().invoke(app, ["answer", str(file)], input="q\n")
    assert done.exit_code == 0, done.output
    return " ".join(done.output.split())


def test_a_pile_of_faces_without_faces(pictures: str) -> None:
    assert "no face was found in" in refused("answer", pictures, "--faces")


def test_a_model_that_is_not_installed(texts: str) -> None:
    assert "install it with pip install" in refused("answer", texts, "--model", "no-such-model")


def test_a_model_that_cannot_be_loaded(texts: str, tmp_path: Path) -> None:
    broken = tmp_path / "broken.onnx"
    broken.write_bytes(b"no model at all")
    assert "cannot be run: it is damaged" in refused("answer", texts, "--model", str(broken))


def test_an_onnx_file_of_another_kind(texts: str, pictures: str) -> None:
    numbers, arrays = str(_ONNX / "logreg_iris.onnx"), str(_ONNX / "sigmoid.onnx")
    assert "is not a model of texts: it takes" in refused("answer", texts, "--model", numbers)
    assert "is not a model of pictures: it takes" in refused("answer", pictures, "--model", arrays)


def test_a_model_of_texts_for_pictures(pictures: str) -> None:
    assert "is not for pictures" in refused("answer", pictures, "--model", "minilm")


def test_texts_in_several_languages_are_said(tmp_path: Path) -> None:
    file = tmp_path / "mixed.txt"
    file.write_text(
        "the cat sat on the mat\nle chat est assis sur le tapis depuis longtemps\n"
        "die Katze sitzt auf der Matte und schläft\ndie Rechnung ist noch nicht bezahlt worden\n"
    )
    assert "of the texts seem not to be in English" in noticed(file)


def test_empty_texts_are_said(tmp_path: Path) -> None:
    file = tmp_path / "empty.csv"
    file.write_text('id,text\n1,\n2,...\n3,hello there\n4,good morning\n5,"  "\n')
    assert "3 texts hold no word to compare by" in noticed(file)


def test_nothing_but_empty_texts(tmp_path: Path) -> None:
    file = tmp_path / "nothing.csv"
    file.write_text("id,text\n1,\n2,\n3,\n")
    assert "grouping needs at least 2 items that differ" in refused("answer", str(file))
