"""Answerers: people who are simulated, and programs that answer; what they cost is kept."""

from likewise.answerers.answering import CostEstimate, ProgramSession, answer, estimate
from likewise.answerers.asked_model import AskedModel, Tally
from likewise.answerers.language_model import LanguageModel
from likewise.answerers.ledger import Ledger, TokenPrice
from likewise.simulation.answerers import Answerer, Program, Simulated
from likewise.simulation.offered_answerers import offered_answerer

__all__ = [
    "Answerer",
    "AskedModel",
    "CostEstimate",
    "LanguageModel",
    "Ledger",
    "Program",
    "ProgramSession",
    "Simulated",
    "Tally",
    "TokenPrice",
    "answer",
    "estimate",
    "offered_answerer",
]
