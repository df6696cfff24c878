"""Texts as vectors, by the name of the pipeline that makes them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from difflib import get_close_matches

import numpy as np
import numpy.typing as npt

from likewise.errors import DataError, MethodError

Floats = npt.NDArray[np.float64]


def tfidf_lsa(
    texts: Sequence[str],
    *,
    n_components: int = 50,
    sublinear: bool = False,
    random_state: int = 0,
) -> Floats:  # (n, n_components)
    """Reduce tf-idf to its leading singular vectors, with rows brought to length one.

    Parameters
    ----------
    texts : sequence of str
        Texts without any word in common with others become rows of zeros.
    n_components : int
        How many columns; there are fewer where there are fewer texts or words.
    sublinear : bool
        Count a word that is used often less.
    random_state : int
        The seed of the decomposition.

    References
    ----------
    The preparation of Bodó, Minier and Csató (2011, section 4), known as latent semantic analysis.

    Examples
    --------
    >>> vectors = tfidf_lsa(["a red cat", "a red dog", "stocks fell", "stocks rose"])
    >>> bool(vectors[0] @ vectors[1] > vectors[0] @ vectors[2])
    True
    """
    from sklearn.decomposition import TruncatedSVD
    from sklearn.feature_extraction.text import TfidfVectorizer
    from sklearn.preprocessing import normalize

    if n_components < 1:
        raise MethodError(f"n_components must be at least 1 but got {n_components}")
    try:
        words = TfidfVectorizer(sublinear_tf=sublinear, token_pattern=r"(?u)\b\w+\b")
        weights = words.fit_transform(texts)
    except ValueError as error:
        raise DataError("the texts hold no words to compare them by") from error
    if weights.shape[1] < 2:  # a single word leaves nothing to reduce
        return np.asarray(weights.toarray(), dtype=np.float64)
    columns = min(n_components, *weights.shape)
    # Randomised: many times faster on thousands of words, and the seed makes it repeatable.
    few = TruncatedSVD(columns, random_state=random_state).fit_transform(weights)
    return np.asarray(normalize(few), dtype=np.float64)


PIPELINES: dict[str, Callable[[Sequence[str]], Floats]] = {"tfidf-lsa": tfidf_lsa}


def vectors_of(texts: Sequence[str], pipeline: str = "tfidf-lsa") -> Floats:
    """Turn texts into rows of numbers, by a pipeline of `PIPELINES`.

    >>> vectors_of(["one two", "two three"]).shape
    (2, 2)
    """
    if pipeline not in PIPELINES:
        close = get_close_matches(pipeline, PIPELINES) or sorted(PIPELINES)
        raise MethodError(f"there is no pipeline {pipeline!r} for texts; there is {close[0]!r}")
    return PIPELINES[pipeline](texts)
