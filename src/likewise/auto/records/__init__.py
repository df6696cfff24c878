"""Rows that are duplicates of each other: what `auto` does with such a pile.

====================  ==========================================================================
file                  what it holds
====================  ==========================================================================
`handing_over`        whether a pile is one of duplicates, by itself and by the answers
`record_linkage`      `RecordLinkage`, the estimator: all that follows, in order
`compared_pairs`      `ComparedPairs`: the pairs that were compared, and what is known of them
`pair_model`          `PairModel`: how likely two rows are the same
`rivals`              `Rivals`: what speaks against a pair because others go better together
`partition`           the groups under which pairs are likeliest
`pair_questions`      `PairQuestions`: which pairs to ask
====================  ==========================================================================
"""

from likewise.auto.records.handing_over import linkage_for
from likewise.auto.records.pair_questions import PairQuestions
from likewise.auto.records.record_linkage import RecordLinkage

__all__ = ["PairQuestions", "RecordLinkage", "linkage_for"]
