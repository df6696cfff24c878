"""`auto`, the default method: a committee of experts, weighted by the answers.

The flow of one refit:

1. **Seeds.** The links tie items together into seed groups: items whose group is known.
2. **Experts.** Each expert predicts every item's group from the seeds, by its own model of
   similarity, and every seed's group as if that seed had been held out.
3. **Stacking.** Weights are learned from the held-out predictions; the weighted mean is
   calibrated by raising it to a power.
4. **Probabilities.** Groups not found yet get their share (a Good-Turing estimate over cells of
   the pile), and groups that an item is known to differ from get none.
5. **Labels.** The likeliest group where it is likelier than not, the item's cell elsewhere.
6. **Question.** The item of largest expected gain is asked against its likeliest group.

====================  ==========================================================================
file                  what it holds
====================  ==========================================================================
`committee`           `Committee`, the estimator: steps 1 to 5 in order
`_seed_groups`        which linked items count as a group (step 1)
`structure`           `PileStructure`: what is computed from the pile once, before any answer
`cells`               `Cells`: Ward cells and the components of the cell graph
`experts/`            the experts: PageRank, Ward tree, graph components, extra trees, Gaussians
`stacking`            weights of the experts and power calibration (step 3)
`_new_groups`         the probability of groups without seeds (step 4)
`expected_gain`       `ExpectedGain`, the strategy (step 6)
`_explanation`        the sentence that says why a pair is asked
====================  ==========================================================================
"""

from likewise.auto.committee import Committee
from likewise.auto.expected_gain import ExpectedGain

__all__ = [
    "Committee",
    "ExpectedGain",
]
