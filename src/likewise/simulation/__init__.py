"""Studies that run by themselves: oracles answer, and the curve shows what the answers bought."""

from likewise.simulation.budget import Money
from likewise.simulation.pair_run import Run, run
from likewise.simulation.planning import PlannedAnswerer, plan
from likewise.simulation.similarity_run import SimilarityOracle, SimilarityRun, run_similarity

__all__ = [
    "Money",
    "PlannedAnswerer",
    "Run",
    "SimilarityOracle",
    "SimilarityRun",
    "plan",
    "run",
    "run_similarity",
]
