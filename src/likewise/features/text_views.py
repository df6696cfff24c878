"""Features of a pile of texts: by words and by sentences together, or by one model."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from likewise.errors import MissingExtra
from likewise.features import models
from likewise.features.base import FeatureModel
from likewise.features.cache import Progress
from likewise.features.languages import about_language
from likewise.features.scaling import weighted_blocks
from likewise.features.texts import tf_idf

MIXED, TF_IDF = "mixed", "tf-idf"
VIEWS = ("wordllama", "minilm")  # what `mixed` is made of: neither is the better on every pile
_COLUMNS = 64  # of the mixture; chosen beside the weights of the views, see docs/results

Floats = npt.NDArray[np.float64]


def text_features(
    model: str | FeatureModel | None,
    texts: Sequence[str],
    digests: Sequence[bytes],
    progress: Progress | None = None,
) -> tuple[Floats, list[str]]:
    """Return features of the texts, (n, d), and sentences about them for the user.

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
        return tf_idf(texts), notes
    if model is not None and model != MIXED:
        if model in VIEWS:
            notes += about_language(texts)
        return models.embed_texts(model, texts, digests, progress), notes
    found = []
    for view in VIEWS:
        try:
            found.append(models.embed_texts(view, texts, digests, progress))
        except ImportError as error:
            notes.append(_about_missing(view, error))
    if not found:
        return tf_idf(texts), notes
    return mixture(found), notes + about_language(texts)


def mixture(views: Sequence[npt.NDArray[np.floating]]) -> Floats:  # each (n, d) -> (n, at most 64)
    """Put views side by side with equal weight, and turn them onto their main directions.

    Rows are of length one, as those of the views are; a single view is returned as it is.
    """
    if len(views) == 1:
        return np.asarray(views[0], dtype=np.float64)
    whole = np.hstack(views).astype(np.float32)
    turned = weighted_blocks(whole, [view.shape[1] for view in views], most_columns=_COLUMNS)
    lengths = np.linalg.norm(turned, axis=1, keepdims=True)
    return np.asarray(turned / np.where(lengths > 0, lengths, 1))


def _about_missing(view: str, error: ImportError) -> str:
    reason = str(error) if isinstance(error, MissingExtra) else f"{view} is not installed"
    return f"texts are compared without {view}: {reason}"


def _about_empty(texts: Sequence[str]) -> list[str]:
    """Return a sentence about texts without a letter or digit, which no model can tell apart."""
    n = sum(not any(map(str.isalnum, text)) for text in texts)
    if n == 0:
        return []
    subject = "1 text holds" if n == 1 else f"{n:,} texts hold"
    return [f"{subject} no word to compare by, and could belong to any group"]
