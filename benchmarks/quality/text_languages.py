"""What becomes of texts that are not in English.

Run with `python -m benchmarks text_languages`; LIKEWISE_DATA names the folder with
`gnad_german.csv`, articles and their departments; the messages are those of Sphinx.
"""

from __future__ import annotations

import os
import re
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import sphinx
from sklearn.neighbors import NearestNeighbors

from benchmarks.quality.text_features import FEATURES, told, vote
from benchmarks.tables import markdown, write_table
from likewise.features.text_views import text_features
from likewise.items.digests import digest

ARTICLES, MESSAGES, LANGUAGES = 300, 150, ("fr", "es")
_MESSAGE = re.compile(r'^msgid ((?:".*"\n)+)msgstr ((?:".*"\n)+)', re.M)
_CODE = re.compile(r"%\S+|:\w+:|`[^`]*`|\{[^}]*\}")  # the same in every language


def main() -> None:
    """Write a row per kind of features."""
    table = pd.read_csv(Path(os.environ["LIKEWISE_DATA"]) / "gnad_german.csv")
    table = table.drop_duplicates("text").sample(ARTICLES, random_state=0)
    truth = np.unique(table["label"], return_inverse=True)[1]
    texts, languages = messages()
    rows = []
    for kind in FEATURES:
        X = features(kind, list(table["text"]))
        figures = [vote(X, truth), told(X, truth), *mixing(features(kind, texts), languages)]
        rows.append([kind, *(f"{figure:.2f}" for figure in figures)])
    header = ["features", "German news: vote", "k-means"]
    header += ["messages: own language", "translation"]
    write_table("text_languages", markdown(header, rows))


def features(kind: str, texts: list[str]) -> npt.NDArray[np.float64]:
    """Return the features of a pile, without what is said about them."""
    return text_features(kind, texts, [digest(text.encode()) for text in texts])[0]


def messages() -> tuple[list[str], npt.NDArray[np.int64]]:
    """Return messages in English, the same in each other language, and the language of each."""
    found = [translations(language) for language in LANGUAGES]
    keys = [key for key in found[0] if all(key in one for one in found) and len(key) > 25]
    keys = keys[:MESSAGES]
    texts = [*keys, *(one[key] for one in found for key in keys)]
    cleaned = [_CODE.sub("", text) for text in texts]
    return cleaned, np.repeat(np.arange(1 + len(LANGUAGES)), len(keys))


def translations(language: str) -> dict[str, str]:
    """Return the messages of Sphinx in this language, by the English ones."""
    path = Path(sphinx.__file__).parent / "locale" / language / "LC_MESSAGES" / "sphinx.po"
    found = {}
    for pair in _MESSAGE.findall(path.read_text(encoding="utf-8")):
        english, other = ("".join(re.findall(r'"(.*)"', lines)) for lines in pair)
        if len(other) > 25 and other != english:
            found[english] = other
    return found


def mixing(X: npt.NDArray[np.float64], languages: npt.NDArray[np.int64]) -> tuple[float, float]:
    """Return how often near messages are of one language, and the nearest is the translation."""
    near = NearestNeighbors(n_neighbors=11).fit(X).kneighbors(X, return_distance=False)[:, 1:]
    own = float((languages[near] == languages[:, None]).mean())
    n = int((languages == 0).sum())
    english = NearestNeighbors(n_neighbors=1).fit(X[:n])
    nearest = english.kneighbors(X[n:], return_distance=False)[:, 0]
    return own, float((nearest == np.arange(len(X) - n) % n).mean())
