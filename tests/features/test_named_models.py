"""Models of other packages, by family and name, run against stand-ins for those packages."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Sequence
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
from PIL import Image

from likewise import load_items
from likewise.errors import DataError, MissingExtra
from likewise.features import models
from likewise.features.named import FAMILIES
from pile_files import paint_photos

TEXTS, PICTURES = ["one", "three"], [Image.new("RGB", (4, 4), c) for c in ("red", "blue")]


class Tensor(np.ndarray):
    """An array with the few methods of torch that are used."""

    def float(self) -> Tensor:
        return self

    def numpy(self) -> np.ndarray:
        return np.asarray(self)

    def unsqueeze(self, axis: int) -> Tensor:
        return np.expand_dims(self, axis).view(Tensor)


def tensor(values: Any) -> Tensor:
    return np.asarray(values, dtype=np.float32).view(Tensor)


def lengths(texts: list[str]) -> Tensor:
    return tensor([[len(text), 1.0] for text in texts])


def colours(picture: Any) -> Tensor:
    return tensor(np.asarray(picture).mean(axis=(0, 1)) + 1)


def install(monkeypatch: pytest.MonkeyPatch, name: str, **parts: Any) -> None:
    module = ModuleType(name)
    for part, value in parts.items():
        setattr(module, part, value)
    monkeypatch.setitem(sys.modules, name, module)


def install_torch(monkeypatch: pytest.MonkeyPatch) -> None:
    def stack(parts: list[Tensor]) -> Tensor:
        return np.stack(parts).view(Tensor)

    install(monkeypatch, "torch", inference_mode=contextlib.nullcontext, stack=stack)


def test_sentence_transformers(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class SentenceTransformer:
        def __init__(self, name: str, *, revision: str | None) -> None:
            asked.append((name, revision))
            if name == "missing":
                raise OSError("no such repository\nand much more")

        def encode(self, texts: list[str], **options: bool) -> np.ndarray:
            assert options == {"normalize_embeddings": True, "show_progress_bar": False}
            return lengths(texts)

    install(monkeypatch, "sentence_transformers", SentenceTransformer=SentenceTransformer)
    for name in ("small", "sentence-transformers:small", "sentence-transformers:small@v2"):
        np.testing.assert_array_equal(models.text_model(name).embed_texts(TEXTS), [[3, 1], [5, 1]])
    assert asked == [("small", None), ("small", None), ("small", "v2")]
    keys = [models.text_model(name).cache_key for name in ("small", "small@v2", "other")]
    assert len(set(keys)) == 3
    with pytest.raises(
        DataError, match=r"'missing' cannot be loaded \(no such repository\); check"
    ):
        models.text_model("missing").embed_texts(TEXTS)


def test_timm(monkeypatch: pytest.MonkeyPatch) -> None:
    class Network:
        def eval(self) -> Network:
            return self

        def __call__(self, batch: Tensor) -> Tensor:
            assert batch.shape == (1, 3)
            return batch

    def create_model(name: str, *, pretrained: bool, num_classes: int) -> Network:
        assert (name, pretrained, num_classes) == ("net", True, 0)
        return Network()

    data = SimpleNamespace(
        create_transform=lambda size: colours, resolve_model_data_config=lambda net: {"size": 4}
    )
    install_torch(monkeypatch)
    install(monkeypatch, "timm", create_model=create_model, data=data)
    for name in ("net", "timm:net"):
        vectors = np.asarray(models.picture_model(name).embed_pictures(PICTURES))
        assert vectors.argmax(axis=1).tolist() == [0, 2]
        np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1, rtol=1e-5)


def test_open_clip_is_for_texts_and_for_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []
    network = SimpleNamespace(encode_text=lengths, encode_image=lambda batch: batch)
    network.eval = lambda: network

    def create(name: str, *, pretrained: str | None) -> tuple[Any, Any, Any]:
        asked.append((name, pretrained))
        return network, None, colours

    install_torch(monkeypatch)
    install(
        monkeypatch,
        "open_clip",
        create_model_and_transforms=create,
        get_tokenizer=lambda name: lambda texts: texts,
    )
    vectors = np.asarray(models.text_model("open_clip:ViT/web").embed_texts(TEXTS))
    np.testing.assert_allclose(vectors[:, 0] / vectors[:, 1], [3, 5], rtol=1e-5)
    seen = np.asarray(models.picture_model("open_clip:hf-hub:a/b").embed_pictures(PICTURES))
    assert seen.argmax(axis=1).tolist() == [0, 2]
    assert asked == [("ViT", "web"), ("hf-hub:a/b", None)]


def test_fastembed_is_for_texts_and_for_pictures(monkeypatch: pytest.MonkeyPatch) -> None:
    class TextEmbedding:
        def __init__(self, name: str) -> None:
            if name != "small":
                raise ValueError(f"Model {name} is not supported")

        def embed(self, texts: list[str]) -> Any:
            return iter(lengths(texts))

    class ImageEmbedding(TextEmbedding):
        def embed(self, pictures: list[Any]) -> Any:
            return map(colours, pictures)

    install(monkeypatch, "fastembed", TextEmbedding=TextEmbedding, ImageEmbedding=ImageEmbedding)
    model = models.text_model("fastembed:small")
    np.testing.assert_array_equal(model.embed_texts(TEXTS), [[3, 1], [5, 1]])
    assert np.asarray(models.picture_model("fastembed:small").embed_pictures(PICTURES)).shape == (
        2,
        3,
    )
    with pytest.raises(DataError, match="Model other is not supported"):
        models.text_model("fastembed:other").embed_texts(TEXTS)


@pytest.mark.parametrize("prefix", ["sentence-transformers", "timm", "open_clip", "fastembed"])
def test_a_family_that_is_not_installed_says_how_to_install_it(
    prefix: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    family = FAMILIES[prefix]
    monkeypatch.setitem(sys.modules, family.module, None)
    (tmp_path / "t.txt").write_text("one\ntwo\n")
    pile = tmp_path / "t.txt" if "texts" in family.serves else paint_photos(tmp_path / "photos")
    with pytest.raises(MissingExtra) as error:
        load_items(pile, model=f"{prefix}:name")
    assert f"install it with pip install {family.package}, or leave" in str(error.value)


def test_a_model_can_be_given_instead_of_its_name(tmp_path: Path) -> None:
    class Loud:
        cache_key = "loud 1"

        def embed_texts(self, texts: Sequence[str]) -> Any:
            return [[float(text.count("!")), 1.0] for text in texts]

    (tmp_path / "t.txt").write_text("one\ntwo!\nthree!!\n")
    X = np.asarray(load_items(tmp_path / "t.txt", model=Loud()).features)
    assert X[:, 0].tolist() == [0, 1, 2]
    with pytest.raises(DataError, match="the model 'Loud' is not for pictures"):
        load_items(paint_photos(tmp_path / "photos"), model=Loud())


def test_ours_are_for_texts_only(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="the model 'minilm' is not for pictures"):
        load_items(paint_photos(tmp_path / "photos"), model="minilm")
