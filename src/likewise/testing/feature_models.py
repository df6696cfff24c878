"""What every feature model must do, as tests; pytest is needed.

A model of your own keeps the contract when this passes:

    class TestMyModel(FeatureModelContract):
        @pytest.fixture
        def build(self):
            return MyModel
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from likewise.features.base import FeatureModel, PictureModel, TextModel

_TEXTS = ["a red apple", "", "grüne Äpfel 🍏", "one\ntwo\t three " * 500, "a red apple"]
_TOLERANCE = 2e-3  # vectors are kept in half precision
Build = Callable[[], FeatureModel]
Embed = Callable[[Sequence[Any]], npt.ArrayLike]


class FeatureModelContract:
    """What every feature model must do, for texts, for pictures, or for both.

    Provide the fixture `build`, a class or a function without arguments that builds the model, as
    an entry point of `likewise.feature_models` names one.
    """

    def test_it_is_for_texts_or_for_pictures(self, build: Build) -> None:
        assert isinstance(build(), TextModel | PictureModel)

    def test_its_cache_key_is_a_name_that_does_not_change(self, build: Build) -> None:
        assert isinstance(build().cache_key, str)
        assert build().cache_key.strip()
        assert build().cache_key == build().cache_key

    def test_texts_become_vectors(self, build: Build) -> None:
        _assert_embeds(_text_embedder(build), _text_embedder(build), _TEXTS)

    def test_pictures_become_vectors(self, build: Build) -> None:
        _assert_embeds(_picture_embedder(build), _picture_embedder(build), _pictures())


def _text_embedder(build: Build) -> Embed:
    model = build()
    if not isinstance(model, TextModel):
        pytest.skip("it is not for texts")
    return model.embed_texts


def _picture_embedder(build: Build) -> Embed:
    model = build()
    if not isinstance(model, PictureModel):
        pytest.skip("it is not for pictures")
    return model.embed_pictures


def _pictures() -> list[Any]:
    """Return Pillow images of several sizes; the last is equal to the first."""
    from PIL import Image

    rng = np.random.default_rng(0)
    sizes = [(64, 48), (1, 1), (1024, 3), (200, 200), (64, 48)]
    arrays = [rng.integers(0, 256, (height, width, 3)) for width, height in sizes]
    arrays[-1] = arrays[0]
    return [Image.fromarray(array.astype(np.uint8)) for array in arrays]


def _assert_embeds(embed: Embed, embed_again: Embed, items: Sequence[Any]) -> None:
    """Check rows, that they repeat, and that they do not depend on the items beside them."""
    vectors = np.asarray(embed(items), dtype=np.float64)
    assert vectors.ndim == 2
    assert len(vectors) == len(items)
    assert vectors.shape[1] > 0
    assert np.isfinite(vectors).all()
    np.testing.assert_allclose(vectors[0], vectors[-1], atol=_TOLERANCE)
    np.testing.assert_allclose(np.asarray(embed_again(items)), vectors, atol=_TOLERANCE)
    alone = np.concatenate([np.asarray(embed([item])) for item in items])
    np.testing.assert_allclose(alone, vectors, atol=_TOLERANCE)
