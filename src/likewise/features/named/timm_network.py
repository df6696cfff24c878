"""Networks of timm, by their names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.features.named.family import Family, not_loaded, require, version_of


class TimmModel:
    """A model of timm; fits `PictureModel`.

    Parameters
    ----------
    name : str
        Its name in timm.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cache_key = f"timm {version_of('timm')}:{name}"
        self._loaded: tuple[Any, Any, Any] | None = None

    def embed_pictures(self, pictures: Sequence[Any]) -> npt.ArrayLike:
        """Return a vector of length one per picture."""
        if self._loaded is None:
            self._loaded = _load(self.name)
        network, prepare, torch = self._loaded
        vectors = []
        for picture in pictures:
            with torch.inference_mode():
                vector = network(prepare(picture).unsqueeze(0))[0].float().numpy()
            vectors.append(vector / max(float(np.linalg.norm(vector)), 1e-12))
        return np.array(vectors)


def _load(model: str) -> tuple[Any, Any, Any]:
    timm, torch = require("timm", "timm", model), require("torch", "timm", model)
    try:
        network = timm.create_model(model, pretrained=True, num_classes=0).eval()
        prepare = timm.data.create_transform(**timm.data.resolve_model_data_config(network))
    except Exception as error:  # whatever went wrong inside, it is this model
        raise not_loaded(model, error) from error
    return network, prepare, torch


FAMILY = Family(
    prefix="timm",
    build=TimmModel,
    serves="pictures",
    module="timm",
    package="timm",
    name="NAME",
    summary="networks for photographs, hundreds of them; downloaded once",
)
