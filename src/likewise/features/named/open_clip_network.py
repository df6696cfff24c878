"""Networks of open_clip, which see pictures and read texts alike."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.features.named.family import Family, not_loaded, require, version_of


class OpenClipModel:
    """A model of open_clip; fits `TextModel` and `PictureModel`.

    Parameters
    ----------
    name : str
        The network and the data that it was trained with: "ViT-B-32/laion2b_s34b_b79k". The latter
        may be left out for names that imply it, such as those that begin with "hf-hub:".
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cache_key = f"open_clip {version_of('open_clip_torch')}:{name}"
        self._loaded: tuple[Any, Any, Any, Any] | None = None

    def embed_texts(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a vector of length one per text."""
        network, _, tokenise, torch = self._load()
        with torch.inference_mode():
            return _of_length_one(network.encode_text(tokenise(list(texts))))

    def embed_pictures(self, pictures: Sequence[Any]) -> npt.ArrayLike:
        """Return a vector of length one per picture."""
        network, prepare, _, torch = self._load()
        with torch.inference_mode():
            prepared = torch.stack([prepare(picture) for picture in pictures])
            return _of_length_one(network.encode_image(prepared))

    def _load(self) -> tuple[Any, Any, Any, Any]:
        if self._loaded is None:
            self._loaded = _load(self.name)
        return self._loaded


def _load(model: str) -> tuple[Any, Any, Any, Any]:
    open_clip = require("open_clip", "open_clip_torch", model)
    torch = require("torch", "open_clip_torch", model)
    architecture, data = model, None
    if ":" not in model and "/" in model:
        architecture, _, data = model.partition("/")
    try:
        network, _, prepare = open_clip.create_model_and_transforms(architecture, pretrained=data)
        return network.eval(), prepare, open_clip.get_tokenizer(architecture), torch
    except Exception as error:  # whatever went wrong inside, it is this model
        raise not_loaded(model, error) from error


def _of_length_one(vectors: Any) -> npt.NDArray[np.float32]:
    array = vectors.float().numpy()
    scaled: npt.NDArray[np.float32] = array / np.linalg.norm(array, axis=1, keepdims=True)
    return scaled


FAMILY = Family(
    prefix="open_clip",
    build=OpenClipModel,
    serves="texts and pictures",
    module="open_clip",
    package="open_clip_torch",
    name="NETWORK/DATA",
    summary="CLIP: pictures by what they show, not by how they look; downloaded once",
)
