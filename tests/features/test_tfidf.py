"""Texts as vectors, against the pipeline written out."""

from __future__ import annotations

import numpy as np
import pytest

from likewise.errors import DataError, MethodError
from likewise.features.tfidf import tfidf_lsa, vectors_of

CATS = ["the cat sat", "a cat and a kitten", "the kitten slept", "cat sleeps on mat"]
MONEY = ["stocks fell on monday", "bonds and stocks rose", "markets fell", "stocks rose again"]


def test_rows_are_the_leading_singular_vectors_of_tf_idf_at_length_one() -> None:
    texts = CATS + MONEY
    words = sorted({word for text in texts for word in text.split()})
    counts = np.array([[text.split().count(word) for word in words] for text in texts], float)
    idf = np.log((1 + len(texts)) / (1 + (counts > 0).sum(axis=0))) + 1
    weights = counts * idf
    weights /= np.linalg.norm(weights, axis=1, keepdims=True)
    left, size, _ = np.linalg.svd(weights)
    expected = left[:, :3] * size[:3]
    expected /= np.linalg.norm(expected, axis=1, keepdims=True)
    found = tfidf_lsa(texts, n_components=3)
    np.testing.assert_allclose(np.abs(found), np.abs(expected), atol=1e-6)
    np.testing.assert_allclose(found @ found.T, expected @ expected.T, atol=1e-6)


def test_texts_about_the_same_are_closer_and_the_result_repeats() -> None:
    vectors = vectors_of(CATS + MONEY, "tfidf-lsa")
    np.testing.assert_allclose(np.linalg.norm(vectors, axis=1), 1.0)
    alike = vectors @ vectors.T
    assert alike[:4, :4].mean() > alike[:4, 4:].mean()
    np.testing.assert_array_equal(vectors, vectors_of(CATS + MONEY))


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(MethodError, match=r"no pipeline 'tf-lsa'.* there is 'tfidf-lsa'"):
        vectors_of(CATS, "tf-lsa")
    with pytest.raises(DataError, match="no words"):
        tfidf_lsa(["", "..."])
    with pytest.raises(MethodError, match="n_components must be at least 1"):
        tfidf_lsa(CATS, n_components=0)
