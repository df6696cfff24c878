"""Features of a pile of texts: by words and by sentences together, or by one model."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress

import numpy as np
import numpy.typing as npt

from likewise.errors import MissingExtra
from likewise.features import models
from likewise.features.base import FeatureModel
from likewise.features.cache import Progress
from likewise.features.feature_views import FeatureViews
from likewise.features.languages import about_language
from likewise.features.texts import tf_idf

MIXED, TF_IDF = "mixed", "tf-idf"
# What `mixed` is made of, by what each view is called: neither is the better on every pile.
VIEWS = {"words": "wordllama", "sentences": "minilm"}

Floats = npt.NDArray[np.float64]


def text_features(
    model: str | FeatureModel | None,
    texts: Sequence[str],
    digests: Sequence[bytes],
    progress: Progress | None = None,
) -> tuple[Floats, list[str]]:
    """Return features of the texts, (n, d), and sentences about them; as `text_views`."""
    views, notes = text_views(model, texts, digests, progress)
    return views.whole, notes


def text_views(
    model: str | FeatureModel | None,
    texts: Sequence[str],
    digests: Sequence[bytes],
    progress: Progress | None = None,
) -> tuple[FeatureViews, list[str]]:
    """Return views of the texts, and sentences about them for the user.

    Parameters
    ----------
    model : str, feature model or None
        None and "mixed" are the views of `VIEWS` together; "tf-idf" counts words; anything else is
        a model, or the name of one.
    texts : sequence of str
        The pile.
    digests : sequence of bytes
        Of each text, by which vectors are cached.
    progress : callable, optional
        Called with how many vectors are done, of how many.
    """
    notes = _about_empty(texts)
    if model == TF_IDF:
        return FeatureViews.of({"words": tf_idf(texts)}), notes
    if model is not None and model != MIXED:
        if model in VIEWS.values():
            notes += about_language(texts)
        return FeatureViews.of({"text": models.embed_texts(model, texts, digests, progress)}), notes
    found = {}
    for view, name in VIEWS.items():
        try:
            found[view] = models.embed_texts(name, texts, digests, progress)
        except ImportError as error:
            notes.append(_about_missing(name, error))
    if not found:
        return FeatureViews.of({"words": tf_idf(texts)}), notes
    return FeatureViews.of(found, unit_rows=True), notes + about_language(texts)


def compute_ahead(
    model: str | FeatureModel | None, texts: Sequence[str], digests: Sequence[bytes]
) -> None:
    """Compute into the cache what is slow about features of texts."""
    for name in _slow_models(model):
        with suppress(ImportError):  # texts are compared without it
            models.text_vectors(name, texts, digests)


def computed_before(model: str | FeatureModel | None, digests: Sequence[bytes]) -> list[bool]:
    """Return for each text whether nothing slow is left to do about it."""
    found = [models.computed_before(name, digests, of="texts") for name in _slow_models(model)]
    return [all(one) for one in zip(*found, strict=True)] if found else [True] * len(digests)


def _slow_models(model: str | FeatureModel | None) -> list[str | FeatureModel]:
    """Return the models whose vectors are kept because they take long."""
    if model is None or model == MIXED:
        return list(VIEWS.values())
    return [] if model == TF_IDF else [model]


def _about_missing(model: str, error: ImportError) -> str:
    reason = str(error) if isinstance(error, MissingExtra) else f"{model} is not installed"
    return f"texts are compared without {model}: {reason}"


def _about_empty(texts: Sequence[str]) -> list[str]:
    """Return a sentence about texts without a letter or digit, which no model can tell apart."""
    n = sum(not any(map(str.isalnum, text)) for text in texts)
    if n == 0:
        return []
    subject = "1 text holds" if n == 1 else f"{n:,} texts hold"
    return [f"{subject} no word to compare by, and could belong to any group"]
