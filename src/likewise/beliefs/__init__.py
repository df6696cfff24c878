"""Beliefs: between what people said and what follows from it, who is probably wrong where."""

from likewise.beliefs.consistency import consistent_groups
from likewise.beliefs.doubts import Doubts
from likewise.beliefs.error_rates import ErrorRates, Intervals
from likewise.beliefs.inference import Inference
from likewise.beliefs.one_person import beliefs_of_one
from likewise.beliefs.one_sided import OneSided
from likewise.beliefs.posterior import Beliefs
from likewise.beliefs.verification import VerificationQuestion, VerificationQuestions
from likewise.beliefs.votes import Votes

__all__ = [
    "Beliefs",
    "Doubts",
    "ErrorRates",
    "Inference",
    "Intervals",
    "OneSided",
    "VerificationQuestion",
    "VerificationQuestions",
    "Votes",
    "beliefs_of_one",
    "consistent_groups",
]
