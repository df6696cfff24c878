"""What texts are about, as numbers: word vectors that come with a package, or tf-idf."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise._extras import extra_explained
from likewise.errors import DataError
from likewise.features.tfidf import tfidf_lsa

KIND = "wordllama-1"
LONGEST = 4_000  # characters of a text that are looked at; what it is about shows by then
_COLUMNS = 100  # of tf-idf, after reduction


class WordLlamaModel:
    """The mean of the vectors of a text's words, by wordllama; fits `TextModel`."""

    cache_key = KIND

    def __init__(self) -> None:
        self._model: Any = None

    def embed_texts(self, texts: Sequence[str]) -> npt.NDArray[np.float32]:
        """Return a vector of length one per text; zeros for one without a single word."""
        if self._model is None:
            self._model = _wordllama()
        return _of_length_one(self._model.embed([readable(text)[:LONGEST] for text in texts]))


def tf_idf(texts: Sequence[str]) -> npt.NDArray[np.float64]:  # (n, d), rows of length one
    """Weigh the words a text uses oftener than others do, reduced to a hundred columns."""
    short = [readable(text)[:LONGEST] for text in texts]
    try:
        return tfidf_lsa(short, n_components=_COLUMNS, sublinear=True)
    except DataError:  # not one word in all of them
        return np.zeros((len(texts), 1))


def readable(text: str) -> str:
    """Return the text without what a tokeniser chokes on: NUL, and halves of surrogate pairs.

    >>> readable("a\\x00b\\ud800c")
    'a b?c'
    """
    return text.replace("\0", " ").encode("utf-8", "replace").decode("utf-8")


def _of_length_one(vectors: Any) -> npt.NDArray[np.float32]:
    """Scale the rows to length one; those without a single word stay zero."""
    array: npt.NDArray[np.float32] = np.nan_to_num(np.asarray(vectors, dtype=np.float32))
    lengths = np.linalg.norm(array, axis=1, keepdims=True)
    return np.asarray(array / np.where(lengths > 0, lengths, 1), dtype=np.float32)


def _wordllama() -> Any:
    # Importing it switches on the log messages of every library; that is for programs to decide.
    root = logging.getLogger()
    level, handlers = root.level, root.handlers[:]
    try:
        with extra_explained():
            import wordllama
    finally:
        root.level, root.handlers[:] = level, handlers

    package = Path(wordllama.__file__).parent  # its weights are in its wheel
    return wordllama.WordLlama.load(cache_dir=package, disable_download=True)
