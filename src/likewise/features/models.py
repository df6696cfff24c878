"""Features by the name of a model: our own, one of a package, or one of a family of models."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import numpy as np
import numpy.typing as npt

from likewise._plugins import Plugins
from likewise.errors import DataError
from likewise.features.base import FeatureModel, PictureModel, RemoteModel, TextModel
from likewise.features.cache import Progress, Vectors, cached, in_cache
from likewise.features.decoding import TooLarge, Unreadable
from likewise.features.feature_views import FeatureViews
from likewise.features.images import open_picture
from likewise.features.minilm import MiniLMModel
from likewise.features.named import FAMILIES
from likewise.features.named.family import not_loaded
from likewise.features.pictures import EdgesTextureColour, MobileNet, Photographs
from likewise.features.pictures.threads import in_threads
from likewise.features.texts import WordLlamaModel, readable

_BATCH = 32
_SMALL = 32 * 2**20  # bytes that a picture may take where several threads decode at once
_LATER = object()  # in place of a picture: too large to be decoded beside others
_SIDE = 512  # pixels that a picture has at least, if it has so many
_FOR_TEXTS, _FOR_PICTURES = "sentence-transformers", "timm"  # families of names without a prefix

_log = logging.getLogger(__name__)

PICTURES = "photographs"  # what pictures are compared by unless somebody names another model
OURS: dict[str, Callable[[], FeatureModel]] = {
    "minilm": MiniLMModel,
    "wordllama": WordLlamaModel,
    PICTURES: Photographs,
    "mobilenet": MobileNet,
    "edges-texture-colour": EdgesTextureColour,
}
plugins: Plugins[Callable[[], FeatureModel]] = Plugins(
    "likewise.feature_models",
    kind="a class or a function without arguments that builds a feature model",
    accepts=callable,
    reserved=("mixed", "tf-idf", *OURS),
)


def embed_texts(
    model: str | FeatureModel,
    texts: Sequence[str],
    digests: Sequence[bytes],
    progress: Progress | None = None,
) -> npt.NDArray[np.float64]:
    """Return a vector per text, by this model or the model of this name."""
    found = text_vectors(model, texts, digests, progress)
    return np.array([found[k] for k in range(len(texts))], dtype=np.float64)


def text_vectors(
    model: str | FeatureModel,
    texts: Sequence[str],
    digests: Sequence[bytes],
    progress: Progress | None = None,
) -> dict[int, npt.NDArray[np.float32]]:
    """Return the vectors of the texts by position; those not in the cache are computed into it."""
    built = text_model(model)

    def compute(missing: list[int]) -> Iterator[tuple[int, npt.NDArray[np.float32]]]:
        if missing and isinstance(built, RemoteModel):
            _require_consent(built, len(missing))
        for part in _batches(missing):
            vectors = built.embed_texts([readable(texts[k]) for k in part])
            yield from zip(part, _checked(model, vectors, len(part)), strict=True)

    return cached(built.cache_key, digests, compute, progress)


def embed_pictures(
    model: str | FeatureModel,
    paths: Sequence[Path],
    digests: Sequence[bytes],
    progress: Progress | None = None,
) -> tuple[list[int], FeatureViews]:
    """Return which of the pictures can be read, and their views by this model or of this name.

    A model may have more than `PictureModel` asks for: `side`, the pixels that it needs, and
    `views` or `reduced`, which make views or features of all vectors of a pile.
    """
    built = picture_model(model)
    found = _seen(model, built, paths, digests, progress)
    read = sorted(found)
    vectors = np.array([found[k] for k in read])
    if read and hasattr(built, "views"):
        return read, built.views(vectors)
    made = built.reduced(vectors) if read and hasattr(built, "reduced") else vectors
    return read, FeatureViews.of({"looks": np.asarray(made, dtype=np.float64)})


def picture_vectors(
    model: str | FeatureModel,
    paths: Sequence[Path],
    digests: Sequence[bytes],
    progress: Progress | None = None,
) -> dict[int, npt.NDArray[np.float32]]:
    """Return what a model finds in each picture that can be read, by position.

    What is not in the cache is computed into it.
    """
    return _seen(model, picture_model(model), paths, digests, progress)


def _seen(
    model: str | FeatureModel,
    built: PictureModel,
    paths: Sequence[Path],
    digests: Sequence[bytes],
    progress: Progress | None,
) -> dict[int, npt.NDArray[np.float32]]:
    side = getattr(built, "side", _SIDE)

    def compute(missing: list[int]) -> Iterator[tuple[int, npt.NDArray[np.float32] | None]]:
        if missing and isinstance(built, RemoteModel):
            _require_consent(built, len(missing))
        for part in _batches(missing):
            opened = _opened([paths[k] for k in part], side)
            pictures = {k: one for k, one in zip(part, opened, strict=True) if one is not None}
            yield from ((k, None) for k in part if k not in pictures)
            if pictures:
                vectors = built.embed_pictures(list(pictures.values()))
                yield from zip(pictures, _checked(model, vectors, len(pictures)), strict=True)

    return cached(built.cache_key, digests, compute, progress)


def computed_before(
    model: str | FeatureModel, digests: Sequence[bytes], *, of: Literal["texts", "pictures"]
) -> list[bool]:
    """Return for each text or picture whether its vector by this model is in the cache."""
    built = text_model(model) if of == "texts" else picture_model(model)
    there = in_cache(built.cache_key, set(digests))
    return [digest in there for digest in digests]


def _opened(paths: Sequence[Path], side: int) -> Iterator[Any]:  # Pillow images
    """Open pictures, None for those unreadable: small ones all at once, large ones one by one."""

    def in_a_thread(path: Path) -> Any:
        try:
            return open_picture(path, side, most=_SMALL)
        except TooLarge:
            return _LATER
        except Unreadable:
            return None

    def alone(path: Path) -> Any:
        try:
            return open_picture(path, side)
        except Unreadable:
            return None

    for path, picture in zip(paths, in_threads(in_a_thread, paths), strict=True):
        yield alone(path) if picture is _LATER else picture


def text_model(model: str | FeatureModel) -> TextModel:
    """Return a model of texts: the one given, or that of this name.

    Raises
    ------
    DataError
        If there is no such model, it cannot be used, or it is not for texts.
    """
    built = build(model, family=_FOR_TEXTS) if isinstance(model, str) else model
    if not isinstance(built, TextModel):
        raise DataError(
            f"the model {name_of(model)!r} is not for texts: it lacks cache_key or embed_texts"
        )
    return built


def picture_model(model: str | FeatureModel) -> PictureModel:
    """Return a model of pictures: the one given, or that of this name.

    Raises
    ------
    DataError
        If there is no such model, it cannot be used, or it is not for pictures.
    """
    built = build(model, family=_FOR_PICTURES) if isinstance(model, str) else model
    if not isinstance(built, PictureModel):
        raise DataError(
            f"the model {name_of(model)!r} is not for pictures: it lacks cache_key or "
            "embed_pictures"
        )
    return built


def build(name: str, *, family: str | None = None) -> FeatureModel | None:
    """Build the model of this name: ours, a package's, a family's `PREFIX:NAME` or an ONNX file.

    Parameters
    ----------
    name : str
        As it is given to `--model`.
    family : str, optional
        Of which family a name without a prefix is; without one, None is returned for such names.

    Raises
    ------
    DataError
        If a package's model of this name cannot be built, or the name is none for its family.
    """
    maker = OURS.get(name) or plugins.get(name)
    if maker is not None:
        try:
            return maker()
        except Exception as error:  # whatever went wrong inside, it is this model
            raise not_loaded(name, error) from error
    if problem := plugins.problem(name):
        raise DataError(problem)
    prefix, _, rest = name.partition(":")
    if prefix in FAMILIES and rest:
        return FAMILIES[prefix].build(rest)
    if name.lower().endswith(".onnx"):
        return FAMILIES["onnx"].build(name)
    return None if family is None else FAMILIES[family].build(name)


def name_of(model: str | FeatureModel) -> str:
    """Return what to call a model in a sentence.

    >>> name_of("minilm"), name_of(MiniLMModel())
    ('minilm', 'MiniLMModel')
    """
    return model if isinstance(model, str) else type(model).__name__


def _require_consent(model: RemoteModel, n: int) -> None:
    """Say what is about to leave this machine, or refuse where nobody has allowed it."""
    items = f"{n:,} item{'s' if n != 1 else ''}"
    if not model.send:
        raise DataError(
            f"{items} of the pile would be sent to {model.sends_to}; allow it with --send (in "
            "Python: with a model that is built with send=True), or leave --model out"
        )
    _log.warning("%s of the pile are sent to %s now", items, model.sends_to)


def _batches(positions: list[int]) -> Iterator[list[int]]:
    return (positions[first : first + _BATCH] for first in range(0, len(positions), _BATCH))


def _checked(model: str | FeatureModel, vectors: npt.ArrayLike, n: int) -> Vectors:
    """Return the vectors as an array, or raise `DataError` if they are not `n` finite rows."""
    array = np.asarray(vectors, dtype=np.float32)
    if array.ndim != 2 or len(array) != n or not np.isfinite(array).all():
        raise DataError(
            f"the model {name_of(model)!r} must return {n} rows of finite numbers, but an array of "
            f"shape {array.shape} came"
        )
    return array
