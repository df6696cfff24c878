"""What kind of pile the answers have shown it to be, in a sentence for the person who answers."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

FEW = 14  # groups: more are many
_UNEQUAL = 10.0  # times as many items as the usual group has: then groups are very unequal
_PARTNERED = 0.5  # share of the items alone or with one other from which most are


def sentence_about(labels: npt.NDArray[np.int64]) -> str:  # (n,), from 0
    """Say what kind of groups a pile has: pairs, few or many, equal or not.

    >>> print(sentence_about(np.repeat([0, 1, 2], [30, 40, 50])))
    These look like a few large groups: about 3, the usual one of 40 items.
    >>> print(sentence_about(np.repeat(np.arange(60), [2] * 40 + [1] * 20)))
    These look like things of which most occur once or twice: about 60, 40 of them more than once.
    >>> print(sentence_about(np.repeat([0, 1, 2], [300, 10, 8])))
    These look like groups of very unequal size: about 3, the largest with 94 % of the items.
    """
    sizes = np.bincount(labels)
    usual, n_groups = float(np.median(sizes)), len(sizes)
    if sizes[sizes <= 2].sum() >= _PARTNERED * len(labels):
        kind = (
            f"things of which most occur once or twice: about {n_groups:,}, "
            f"{int((sizes > 1).sum()):,} of them more than once"
        )
    elif n_groups == 1:
        kind = "a single group"
    elif sizes.max() >= _UNEQUAL * usual:
        share = sizes.max() / len(labels)
        kind = (
            f"groups of very unequal size: about {n_groups:,}, the largest with "
            f"{100 * share:.0f} % of the items"
        )
    else:
        many = "a few large groups" if n_groups <= FEW else "many groups"
        kind = f"{many}: about {n_groups:,}, the usual one of {usual:,.0f} items"
    return f"These look like {kind}."
