"""Features by a model the user names: sentence-transformers for texts, timm for pictures."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError, MissingExtra
from likewise.features.cache import Progress, cached
from likewise.features.images import Unreadable, open_picture
from likewise.features.texts import readable

_BATCH = 32


def embed_texts(
    model: str, texts: Sequence[str], digests: Sequence[bytes], progress: Progress | None = None
) -> npt.NDArray[np.float64]:
    """Compute a vector per text by a sentence-transformers model."""

    def compute(missing: list[int]) -> Iterator[tuple[int, npt.NDArray[np.float32]]]:
        if not missing:  # then the model need not be loaded
            return
        encoder = _sentence_transformer(model)
        for first in range(0, len(missing), _BATCH):
            part = missing[first : first + _BATCH]
            vectors = encoder.encode(
                [readable(texts[k]) for k in part],
                normalize_embeddings=True,
                show_progress_bar=False,
            )
            yield from zip(part, np.asarray(vectors, dtype=np.float32), strict=True)

    found = cached(f"sentence-transformers:{model}", digests, compute, progress)
    return np.array([found[k] for k in range(len(texts))], dtype=np.float64)


def embed_pictures(
    model: str, paths: Sequence[Path], digests: Sequence[bytes], progress: Progress | None = None
) -> dict[int, npt.NDArray[np.float32]]:
    """Compute a vector per picture that can be read by a timm model."""

    def compute(missing: list[int]) -> Iterator[tuple[int, npt.NDArray[np.float32] | None]]:
        if not missing:
            return
        network, prepare, torch = _timm(model)
        for k in missing:
            try:
                picture = prepare(open_picture(paths[k], 512)).unsqueeze(0)
            except Unreadable:
                yield k, None
                continue
            with torch.inference_mode():
                vector = network(picture)[0].float().numpy()
            yield k, vector / max(float(np.linalg.norm(vector)), 1e-12)

    return cached(f"timm:{model}", digests, compute, progress)


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
