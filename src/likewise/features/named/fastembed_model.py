"""Models of fastembed, which runs them without torch."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.features.named.family import Family, not_loaded, require, version_of


class FastembedModel:
    """A model of fastembed; fits `TextModel` and `PictureModel`, whichever its name is one of.

    Parameters
    ----------
    name : str
        Its name among those that fastembed lists.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cache_key = f"fastembed {version_of('fastembed')}:{name}"
        self._loaded: dict[str, Any] = {}

    def embed_texts(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a vector per text."""
        return self._embed("TextEmbedding", texts)

    def embed_pictures(self, pictures: Sequence[Any]) -> npt.ArrayLike:
        """Return a vector per picture."""
        return self._embed("ImageEmbedding", pictures)

    def _embed(self, kind: str, items: Sequence[Any]) -> npt.ArrayLike:
        if kind not in self._loaded:
            package = require("fastembed", "fastembed", self.name)
            try:
                self._loaded[kind] = getattr(package, kind)(self.name)
            except Exception as error:  # whatever went wrong inside, it is this model
                raise not_loaded(self.name, error) from error
        return np.array(list(self._loaded[kind].embed(list(items))))


FAMILY = Family(
    prefix="fastembed",
    build=FastembedModel,
    serves="texts and pictures",
    module="fastembed",
    package="fastembed",
    name="NAME",
    summary="models that need no torch, many languages; downloaded once",
)
