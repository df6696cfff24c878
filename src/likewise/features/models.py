"""Features by a model the user names: one of a package, sentence-transformers, or timm."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._plugins import Plugins
from likewise.errors import DataError, MissingExtra
from likewise.features.base import FeatureModel, PictureModel, TextModel
from likewise.features.cache import Progress, Vectors, cached
from likewise.features.images import Unreadable, open_picture
from likewise.features.texts import readable

_BATCH = 32
_SIDE = 512  # pixels that a picture has at least, if it has so many

_plugins: Plugins[Callable[[], FeatureModel]] = Plugins(
    "likewise.feature_models",
    kind="a class or a function without arguments that builds a feature model",
    accepts=callable,
    reserved=("tf-idf", "wordllama"),
)


def embed_texts(
    model: str, texts: Sequence[str], digests: Sequence[bytes], progress: Progress | None = None
) -> npt.NDArray[np.float64]:
    """Return a vector per text, by the model of this name."""
    built = text_model(model)

    def compute(missing: list[int]) -> Iterator[tuple[int, npt.NDArray[np.float32]]]:
        for part in _batches(missing):
            vectors = built.embed_texts([readable(texts[k]) for k in part])
            yield from zip(part, _checked(model, vectors, len(part)), strict=True)

    found = cached(built.cache_key, digests, compute, progress)
    return np.array([found[k] for k in range(len(texts))], dtype=np.float64)


def embed_pictures(
    model: str, paths: Sequence[Path], digests: Sequence[bytes], progress: Progress | None = None
) -> dict[int, npt.NDArray[np.float32]]:
    """Return a vector per picture that can be read, by the model of this name."""
    built = picture_model(model)

    def compute(missing: list[int]) -> Iterator[tuple[int, npt.NDArray[np.float32] | None]]:
        for part in _batches(missing):
            pictures = {}
            for k in part:
                try:
                    pictures[k] = open_picture(paths[k], _SIDE)
                except Unreadable:
                    yield k, None
            if pictures:
                vectors = built.embed_pictures(list(pictures.values()))
                yield from zip(pictures, _checked(model, vectors, len(pictures)), strict=True)

    return cached(built.cache_key, digests, compute, progress)


def text_model(name: str) -> TextModel:
    """Return the model of this name: that of a package, else of sentence-transformers.

    Raises
    ------
    DataError
        If a package's model of this name cannot be used, or not for texts.
    """
    model = _of_package(name)
    if model is None:
        return SentenceTransformerModel(name)
    if not isinstance(model, TextModel):
        raise DataError(f"the model {name!r} is not for texts: it lacks cache_key or embed_texts")
    return model


def picture_model(name: str) -> PictureModel:
    """Return the model of this name: that of a package, else of timm.

    Raises
    ------
    DataError
        If a package's model of this name cannot be used, or not for pictures.
    """
    model = _of_package(name)
    if model is None:
        return TimmModel(name)
    if not isinstance(model, PictureModel):
        raise DataError(
            f"the model {name!r} is not for pictures: it lacks cache_key or embed_pictures"
        )
    return model


class SentenceTransformerModel:
    """A model of sentence-transformers; fits `TextModel`.

    Parameters
    ----------
    name : str
        Its name on the Hugging Face hub, or a folder.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cache_key = f"sentence-transformers:{name}"
        self._encoder: Any = None

    def embed_texts(self, texts: Sequence[str]) -> npt.ArrayLike:
        """Return a vector of length one per text."""
        if self._encoder is None:
            self._encoder = _sentence_transformer(self.name)
        vectors: npt.ArrayLike = self._encoder.encode(
            list(texts), normalize_embeddings=True, show_progress_bar=False
        )
        return vectors


class TimmModel:
    """A model of timm; fits `PictureModel`.

    Parameters
    ----------
    name : str
        Its name in timm.
    """

    def __init__(self, name: str) -> None:
        self.name = name
        self.cache_key = f"timm:{name}"
        self._loaded: tuple[Any, Any, Any] | None = None

    def embed_pictures(self, pictures: Sequence[Any]) -> npt.ArrayLike:
        """Return a vector of length one per picture."""
        if self._loaded is None:
            self._loaded = _timm(self.name)
        network, prepare, torch = self._loaded
        vectors = []
        for picture in pictures:
            with torch.inference_mode():
                vector = network(prepare(picture).unsqueeze(0))[0].float().numpy()
            vectors.append(vector / max(float(np.linalg.norm(vector)), 1e-12))
        return np.array(vectors)


def _batches(positions: list[int]) -> Iterator[list[int]]:
    return (positions[first : first + _BATCH] for first in range(0, len(positions), _BATCH))


def _of_package(name: str) -> FeatureModel | None:
    """Build the model that a package offers; None if none does."""
    build = _plugins.get(name)
    if build is None:
        if problem := _plugins.problem(name):
            raise DataError(problem)
        return None
    try:
        return build()
    except Exception as error:  # whatever went wrong inside, it is this model
        raise DataError(_not_loaded(name, error)) from error


def _checked(model: str, vectors: npt.ArrayLike, n: int) -> Vectors:
    """Return the vectors as an array, or raise `DataError` if they are not `n` finite rows."""
    array = np.asarray(vectors, dtype=np.float32)
    if array.ndim != 2 or len(array) != n or not np.isfinite(array).all():
        raise DataError(
            f"the model {model!r} must return {n} rows of finite numbers, but an array of shape "
            f"{array.shape} came"
        )
    return array


def _sentence_transformer(model: str) -> Any:
    try:
        from sentence_transformers import SentenceTransformer
    except ImportError as error:
        raise MissingExtra(
            f"the model {model!r} needs sentence-transformers; install it with "
            "pip install sentence-transformers, or leave --model out"
        ) from error
    try:
        return SentenceTransformer(model)
    except Exception as error:  # whatever went wrong inside, it is this model
        raise DataError(_not_loaded(model, error)) from error


def _timm(model: str) -> tuple[Any, Any, Any]:
    try:
        import timm
        import torch
    except ImportError as error:
        raise MissingExtra(
            f"the model {model!r} needs timm; install it with pip install timm, "
            "or leave --model out"
        ) from error
    try:
        network = timm.create_model(model, pretrained=True, num_classes=0).eval()
        prepare = timm.data.create_transform(**timm.data.resolve_model_data_config(network))
    except Exception as error:  # whatever went wrong inside, it is this model
        raise DataError(_not_loaded(model, error)) from error
    return network, prepare, torch


def _not_loaded(model: str, error: Exception) -> str:
    reason = str(error).strip().splitlines()[0] if str(error).strip() else type(error).__name__
    return f"the model {model!r} cannot be loaded ({reason}); check its name, or leave --model out"
