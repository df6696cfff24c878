from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from likewise.features.base import FeatureModel
from likewise.features.minilm import MiniLMModel
from likewise.features.pictures.looks import EdgesTextureColour
from likewise.features.pictures.mobilenet import MobileNet
from likewise.features.pictures.photographs import Photographs
from likewise.features.texts import WordLlamaModel
from likewise.testing import FeatureModelContract


class TestWordLlama(FeatureModelContract):
    @pytest.fixture
    def build(self) -> Callable[[], FeatureModel]:
        return WordLlamaModel


class TestOursOfPictures(FeatureModelContract):
    @pytest.fixture(params=[EdgesTextureColour, MobileNet, Photographs])
    def build(self, request: pytest.FixtureRequest) -> Callable[[], FeatureModel]:
        model: Callable[[], FeatureModel] = request.param
        return model


class TestMiniLM(FeatureModelContract):
    @pytest.fixture
    def build(self) -> Callable[[], FeatureModel]:
        return MiniLMModel


class PlainModel:
    """A class of nobody's, for texts and for pictures."""

    cache_key = "lengths and colours 1"

    def embed_texts(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return how long each text is."""
        return [[float(len(text))] for text in texts]

    def embed_pictures(self, pictures: Sequence[Any]) -> npt.ArrayLike:
        """Return the mean colour of each picture."""
        return [np.asarray(picture).mean(axis=(0, 1)) for picture in pictures]


class TestPlainModel(FeatureModelContract):
    @pytest.fixture
    def build(self) -> Callable[[], FeatureModel]:
        return PlainModel
