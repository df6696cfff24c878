"""`auto`, the default method: a committee of experts, weighted by the answers.

The flow of one refit:

1. **Parts.** The pile is cut into parts as fine as the answers show the groups to be.
2. **Groups.** The links tie items together into seed groups: items whose group is known. A part
   without any that likely joins none of them is a provisional group, its centre a seed.
3. **Experts.** Each expert predicts every item's group from the seeds, by its own model of
   similarity, and every seed's group as if that seed had been held out.
4. **Stacking.** Weights are learned from the held-out predictions; the weighted mean is
   calibrated by raising it to a power.
5. **Labels.** The likeliest group that an item is not known to differ from; the unsure follow
   their neighbours.
6. **Question.** Whether two groups are one, a part is, or where an item belongs: what is expected
   to put most items right.

=====================  =========================================================================
file                   what it holds
=====================  =========================================================================
`committee`            `Committee`, the estimator: all steps but the last, in order
`stacked_experts`      `StackedExperts`: experts are asked, weighted, calibrated (steps 3 and 4)
`structure`            `PileStructure`: what is computed from the pile once, before any answer
`structures`           `PileStructures`: one for every weighting of several views, none made twice
`cells`                `Cells`: Ward cells and the components of the cell graph
`connections`          `Connections`: edges between parts, beyond what their height says (step 1)
`merge_model`          `MergeModel`: how likely two parts are one group (step 1)
`parts`                `Parts`: the pile cut as the answers have it (step 1)
`_seed_groups`         which linked items count as a group (step 2)
`provisional_groups`   `ProvisionalGroups`: groups without seeds, and which may be one (step 2)
`experts/`             the experts: PageRank (of each view, too), Ward tree, trees, Gaussians
`stacking`             weights of the experts and power calibration (step 4)
`_unsure_items`        items that follow their surer neighbours (step 5)
`_told_number`         which groups are one, the number of groups being told (step 5)
`_fewer_groups`        a given number of groups at its word (step 5)
`expected_gain`        `ExpectedGain`, the strategy (step 6)
`_explanation`         the sentence that says why a pair is asked
`records/`             rows that are duplicates of each other: a model of pairs instead of groups
`by_kind_of_pile`      `ByKindOfPile`, the strategy for either kind of pile, and their clusterers
=====================  =========================================================================
"""

from likewise.auto.by_kind_of_pile import ByKindOfPile, clusterer_for, representatives_for
from likewise.auto.committee import Committee
from likewise.auto.expected_gain import ExpectedGain

__all__ = [
    "ByKindOfPile",
    "Committee",
    "ExpectedGain",
    "clusterer_for",
    "representatives_for",
]
