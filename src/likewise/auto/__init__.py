"""The default method: a committee of experts that answers weigh, and the gain of questions."""

from likewise.auto.committee import Committee
from likewise.auto.expected_gain import ExpectedGain

__all__ = [
    "Committee",
    "ExpectedGain",
]
