"""Whether a pile of texts is in English, which our models of texts know best."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from typing import Any

from likewise.features.minilm import tokenizer
from likewise.features.texts import LONGEST, readable

_LOOKED_AT = 400  # texts, spread over the pile
_SPOKEN_OF = 0.3  # share of the texts that is worth a sentence
_BROKEN = 0.3  # share of a foreign text's tokens that are pieces of words, at least
_COMMON = 0.05  # share of an English text's tokens that are among the words below, at least
_WORDS = frozenset(
    [
        "the",
        "of",
        "and",
        "to",
        "is",
        "that",
        "for",
        "it",
        "with",
        "be",
        "by",
        "this",
        "are",
        "from",
        "or",
        "have",
        "not",
        "they",
        "which",
        "you",
        "but",
        "all",
        "their",
        "can",
        "has",
        "there",
        "more",
        "when",
        "would",
        "how",
        "my",
        "if",
        "what",
        "was",
        "were",
        "your",
        "about",
        "out",
        "up",
        "does",
        "will",
        "we",
        "our",
        "its",
        "than",
        "into",
        "using",
        "why",
        "should",
        "could",
        "between",
        "after",
        "without",
        "where",
        "who",
    ]
)


@cache
def _words() -> Any:
    return tokenizer()


def about_language(texts: Sequence[str]) -> list[str]:
    """Return a sentence if many texts seem not to be in English, else nothing.

    A text counts as foreign if the vocabulary of English breaks many of its words into pieces, and
    hardly any of the commonest English words is in it; jargon is broken, too, but has those words.
    """
    step = -(-len(texts) // _LOOKED_AT) or 1
    sample = texts[::step]
    try:
        share = sum(map(is_foreign, sample)) / max(len(sample), 1)
    except ImportError:  # without the tokeniser there is no model of English either
        return []
    if share < _SPOKEN_OF:
        return []
    return [
        f"about {share:.0%} of the texts seem not to be in English, which the models that come "
        "with likewise are made for; a model of many languages may bring kinds together better, "
        "see likewise models"
    ]


def is_foreign(text: str) -> bool:
    """Return whether a text seems to be in another language than English.

    >>> is_foreign("where is the key to my car"), is_foreign("wo ist der Schlüssel meines Wagens")
    (False, True)
    """
    found = _words().encode(readable(text)[:LONGEST], add_special_tokens=False).tokens
    tokens = [one for one in found if one[0].isalnum() or one.startswith("##") or one == "[UNK]"]
    if not tokens:
        return False
    broken = sum(one.startswith("##") or one == "[UNK]" for one in tokens)
    common = sum(one in _WORDS for one in tokens)
    return broken > _BROKEN * len(tokens) and common < _COMMON * len(tokens)
