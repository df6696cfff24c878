"""Models of sentence-transformers, by their names on the Hugging Face hub or in a folder."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy.typing as npt

from likewise.features.named.family import Family, not_loaded, require, version_of


class SentenceTransformerModel:
    """A model of sentence-transformers; fits `TextModel`.

    Parameters
    ----------
    name : str
        Its name on the Hugging Face hub, with `@REVISION` behind it if it is to stay the same, or a
        folder.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cache_key = f"sentence-transformers {version_of('sentence-transformers')}:{name}"
        self._encoder: Any = None

    def embed_texts(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a vector of length one per text."""
        if self._encoder is None:
            self._encoder = _load(self.name)
        vectors: npt.ArrayLike = self._encoder.encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False
        )
        return vectors


def _load(model: str) -> Any:
    package = require("sentence_transformers", "sentence-transformers", model)
    name, _, revision = model.partition("@")
    try:
        return package.SentenceTransformer(name, revision=revision or None)
    except Exception as error:  # whatever went wrong inside, it is this model
        raise not_loaded(model, error) from error


FAMILY = Family(
    prefix="sentence-transformers",
    build=SentenceTransformerModel,
    serves="texts",
    module="sentence_transformers",
    package="sentence-transformers",
    name="NAME",
    summary="sentence models of the Hugging Face hub, many languages; downloaded once",
)
