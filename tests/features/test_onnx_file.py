"""Models in files of the user's own: run, cached by what they hold, refused in one sentence."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from onnx_files import INT64, write_negation, write_picture_model, write_text_model
from PIL import Image
from tokenizers import Tokenizer
from tokenizers.models import WordLevel
from tokenizers.pre_tokenizers import WhitespaceSplit

from likewise import load_items
from likewise.errors import DataError
from likewise.features.base import FeatureModel
from likewise.features.named import OnnxFileModel
from likewise.testing import FeatureModelContract

WORDS = ["?", "a", "red", "green", "apple", "one", "two", "three"]


def tokeniser(folder: Path, at_once: int | None = None) -> None:
    words = Tokenizer(WordLevel({word: k for k, word in enumerate(WORDS)}, unk_token="?"))
    words.pre_tokenizer = WhitespaceSplit()
    if at_once is not None:
        words.enable_truncation(at_once)
    words.save(str(folder / "tokenizer.json"))


@pytest.fixture
def text_file(tmp_path: Path) -> Path:
    tokeniser(tmp_path)
    return write_text_model(tmp_path / "words.onnx", np.eye(len(WORDS)))


class TestTextsOfAFile(FeatureModelContract):
    @pytest.fixture
    def build(self, text_file: Path) -> Callable[[], FeatureModel]:
        return lambda: OnnxFileModel(str(text_file))

    def test_pictures_become_vectors(self, build: Callable[[], FeatureModel]) -> None:
        with pytest.raises(DataError, match="is not a model of pictures: it takes input_ids"):
            super().test_pictures_become_vectors(build)


class TestPicturesOfAFile(FeatureModelContract):
    @pytest.fixture
    def build(self, tmp_path: Path) -> Callable[[], FeatureModel]:
        path = write_picture_model(tmp_path / "colours.onnx", 8)
        return lambda: OnnxFileModel(str(path))

    def test_texts_become_vectors(self, build: Callable[[], FeatureModel]) -> None:
        with pytest.raises(DataError, match=r"is not a model of texts: it takes pixels \(float"):
            super().test_texts_become_vectors(build)


def test_a_text_is_the_mean_of_its_tokens(text_file: Path) -> None:
    (vector,) = OnnxFileModel(str(text_file)).embed_texts(["red red apple"])
    expected = np.zeros(len(WORDS))
    expected[WORDS.index("red")], expected[WORDS.index("apple")] = 2, 1
    np.testing.assert_allclose(vector, expected / np.sqrt(5), atol=1e-6)


def test_a_long_text_is_the_mean_of_its_parts(tmp_path: Path) -> None:
    tokeniser(tmp_path, at_once=2)
    path = write_text_model(tmp_path / "words.onnx", np.eye(len(WORDS)))
    text = "red green one one apple two three"  # parts of two words: the fourth has one
    (vector,) = OnnxFileModel(str(path)).embed_texts([text])
    counts = np.array([text.split().count(word) for word in WORDS], dtype=float)
    np.testing.assert_allclose(vector, counts / np.linalg.norm(counts), atol=1e-6)
    (longer,) = OnnxFileModel(str(path)).embed_texts([text + " a" * 99])
    assert longer[WORDS.index("apple")] > 0
    assert longer[WORDS.index("a")] < longer[WORDS.index("one")]  # only four parts are looked at


@pytest.mark.parametrize("side", [5, "side"])
def test_a_picture_is_scaled_as_the_file_beside_says(tmp_path: Path, side: int | str) -> None:
    path = write_picture_model(tmp_path / "colours.onnx", side)
    settings = {"image_mean": [0.0, 0.5, 0.0], "image_std": [1.0, 0.5, 1.0]}
    (tmp_path / "preprocessor_config.json").write_text(json.dumps(settings))
    (vector,) = OnnxFileModel(str(path)).embed_pictures([Image.new("RGB", (9, 7), (255, 255, 0))])
    np.testing.assert_allclose(vector, np.array([1, 1, 0]) / np.sqrt(2), atol=1e-6)


def test_its_key_follows_everything_that_makes_the_vectors(text_file: Path) -> None:
    first = OnnxFileModel(str(text_file)).cache_key
    assert OnnxFileModel(str(text_file)).cache_key == first
    tokeniser(text_file.parent, at_once=3)
    second = OnnxFileModel(str(text_file)).cache_key
    write_text_model(text_file, 2 * np.eye(len(WORDS)))
    assert len({first, second, OnnxFileModel(str(text_file)).cache_key}) == 3


def test_a_pile_is_compared_by_the_file(text_file: Path, tmp_path: Path) -> None:
    pile = tmp_path / "lines.txt"
    pile.write_text("red apple\ngreen apple\none two\n")
    for name in (str(text_file), f"onnx:{text_file}"):
        X = np.asarray(load_items(pile, model=name).data)
        assert X.shape == (3, len(WORDS))
        assert X[0] @ X[1] > 0.4 > X[0] @ X[2]


def refused(tmp_path: Path, path: Path) -> str:
    pile = tmp_path / "lines.txt"
    pile.write_text("red apple\ngreen apple\n")
    with pytest.raises(DataError) as error:
        load_items(pile, model=str(path))
    return str(error.value)


def test_files_of_another_kind_are_refused_in_a_sentence(tmp_path: Path) -> None:
    tokeniser(tmp_path)
    assert "takes x (float, n × 4), but a model of texts takes input_ids" in refused(
        tmp_path, write_negation(tmp_path / "numbers.onnx")
    )
    assert "there is no file" in refused(tmp_path, tmp_path / "missing.onnx")
    (tmp_path / "noise.onnx").write_bytes(b"no model at all")
    assert "cannot be run: it is damaged, no ONNX model" in refused(
        tmp_path, tmp_path / "noise.onnx"
    )
    model = OnnxFileModel(str(write_negation(tmp_path / "codes.onnx", INT64, ("n", 3, 4, 4))))
    with pytest.raises(DataError, match=r"not a model of pictures: it takes x \(int64, n × 3"):
        model.embed_pictures([Image.new("RGB", (4, 4))])


def test_what_must_be_beside_a_file_is_asked_for(tmp_path: Path) -> None:
    path = write_text_model(tmp_path / "words.onnx", np.eye(len(WORDS)))
    assert "put its tokenizer.json into the same folder" in refused(tmp_path, path)
    (tmp_path / "tokenizer.json").write_text("{}")
    assert "cannot be read as a tokeniser" in refused(tmp_path, path)
    (tmp_path / "preprocessor_config.json").write_text('{"image_mean": [1]}')
    model = OnnxFileModel(str(write_picture_model(tmp_path / "colours.onnx")))
    with pytest.raises(DataError, match="must give image_mean and image_std, three numbers each"):
        model.embed_pictures([Image.new("RGB", (4, 4))])
