"""The contract of a feature model: texts or pictures in, a vector for each out.

A model fits `TextModel`, `PictureModel` or both; no class has to be inherited. A package offers
one as an entry point of the group `likewise.feature_models`: the name of the entry is what is
given to `--model` or `load_items(model=...)`, its value a class, or a function without arguments,
that builds the model.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol, runtime_checkable

import numpy.typing as npt


@runtime_checkable
class TextModel(Protocol):
    """A model of texts. Building it must be cheap; what is large is loaded by the first call."""

    # How the vectors are made, with a version: those computed under the same key are used again.
    cache_key: str

    def embed_texts(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a row of finite numbers per text, (len(texts), d); near means alike.

        A text's vector must not depend on the texts beside it, of which there are at most 32.
        """


@runtime_checkable
class PictureModel(Protocol):
    """A model of pictures. Building it must be cheap; what is large is loaded by the first call."""

    # How the vectors are made, with a version: those computed under the same key are used again.
    cache_key: str

    def embed_pictures(self, pictures: Sequence[Any]) -> npt.ArrayLike:
        """Return a row of finite numbers per picture, (len(pictures), d); near means alike.

        Pictures are Pillow images, upright, RGB, at most 1024 pixels wide and high, at most 32 at
        once. Files that cannot be read never get here.
        """


@runtime_checkable
class RemoteModel(Protocol):
    """A model of texts or pictures that sends them somewhere else, and so has to be allowed to."""

    sends_to: str  # who gets them, for the sentence that says so before anything is sent
    send: bool  # whether it is allowed: False until `--send`, or whoever builds it, says so


FeatureModel = TextModel | PictureModel
