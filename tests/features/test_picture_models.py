"""What is seen on pictures: as torch computes it, and told apart where looks do not help."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from benchmarks.mobilenet_weights import EXPECTED, pictures
from PIL import Image, ImageDraw

from likewise import load_items
from likewise.features.models import picture_model
from likewise.features.pictures import mobilenet
from likewise.features.pictures._kernels import activate, depthwise
from likewise.features.pictures.photographs import Photographs
from pile_files import paint_photos

Floats = npt.NDArray[np.float32]


def test_the_weights_are_those_that_were_converted() -> None:
    found = hashlib.sha256(mobilenet.WEIGHTS.read_bytes()).hexdigest()
    assert found == "160ce7afecb8640238f702351e0eba6c125c8f6a50b00801259c7f1acf93de34"


def test_the_network_computes_what_torch_does() -> None:
    with np.load(EXPECTED) as file:
        expected = file["vectors"].astype(np.float64)
    for picture, wanted in zip(pictures(), expected, strict=True):
        standardised = mobilenet.standardised(Image.fromarray(picture))
        seen = mobilenet.forward(standardised).astype(np.float64)
        cosine = seen @ wanted / np.linalg.norm(seen) / np.linalg.norm(wanted)
        assert cosine > 0.998


@pytest.mark.parametrize("stride", [1, 2])
def test_depthwise_convolution_is_its_formula(seed: int, stride: int) -> None:
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(6, 8, 5)).astype(np.float32)
    weights = rng.normal(size=(3, 3, 5)).astype(np.float32)
    bias = rng.normal(size=5).astype(np.float32)
    out = np.empty((4 // stride, 6 // stride, 5), dtype=np.float32)
    depthwise(x, weights, bias, stride, out)
    for row, column, channel in np.ndindex(out.shape):
        near = x[row * stride : row * stride + 3, column * stride : column * stride + 3, channel]
        wanted = np.clip((near * weights[:, :, channel]).sum() + bias[channel], 0, 6)
        assert out[row, column, channel] == pytest.approx(wanted, abs=1e-5)


def test_activation_adds_the_bias_and_clips_inside_the_border(seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, bias = (rng.normal(scale=5, size=shape).astype(np.float32) for shape in ((3, 4, 2), (2,)))
    out = np.zeros((5, 6, 2), dtype=np.float32)
    activate(x, bias, out)
    np.testing.assert_allclose(out[1:-1, 1:-1], np.clip(x + bias, 0, 6), atol=1e-6)
    assert out.sum() == pytest.approx(out[1:-1, 1:-1].sum())


def shape(kind: str, seed: int) -> Any:
    """Return a disk or a square of random size, place and colours."""
    rng = np.random.default_rng(seed)
    inside, outside = (tuple(map(int, rng.integers(0, 256, 3))) for _ in range(2))
    left, top, side = (int(number) for number in rng.integers((10, 10, 40), (50, 50, 100)))
    picture = Image.new("RGB", (160, 160), outside)
    draw = ImageDraw.Draw(picture)
    paint = draw.ellipse if kind == "disk" else draw.rectangle
    paint((left, top, left + side, top + side), fill=inside)
    return picture


def test_what_is_on_a_picture_counts_whatever_its_place_and_colour() -> None:
    kinds = ["disk", "square"] * 20
    vectors = np.asarray(Photographs().embed_pictures([shape(k, s) for s, k in enumerate(kinds)]))
    features = Photographs().reduced(vectors)
    apart = np.linalg.norm(features[:, None] - features[None], axis=2)
    np.fill_diagonal(apart, np.inf)
    nearest = apart.argmin(axis=1)
    right = np.mean([kinds[k] == kinds[near] for k, near in enumerate(nearest)])
    assert right >= 0.8


def test_models_of_ours_go_by_name(tmp_path: Path) -> None:
    folder = paint_photos(tmp_path / "photos")
    default, named = load_items(folder), load_items(folder, model="photographs")
    np.testing.assert_array_equal(default.data, named.data)
    plain = load_items(folder, model="edges-texture-colour")
    assert plain.data.shape != (6, 1280)
    assert load_items(folder, model="mobilenet").data.shape == (6, 1280)
    keys = {
        picture_model(name).cache_key
        for name in ("mobilenet", "edges-texture-colour", "photographs")
    }
    assert len(keys) == 3
