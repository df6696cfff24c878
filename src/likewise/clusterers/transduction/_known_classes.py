"""What answers say of classes: groups that differ pairwise, and which items belong to them."""

from __future__ import annotations

import numpy as np

from likewise.clusterers.kmeans.centres import differing_groups
from likewise.clusterers.links import Labels, LinkedGroups


def known_classes(links: LinkedGroups) -> Labels:  # (n,)
    """Return the class of every item that links place, 0, 1, …, and -1 for the others.

    Classes are groups of linked items that all differ from one another, numbered by their first
    item. A group that may or may not be one of them is none.

    >>> links = LinkedGroups.of(6, [(0, 4), (1, 5)], [(0, 1), (2, 1)])
    >>> known_classes(links)
    array([ 0,  1, -1, -1,  0,  1])
    """
    chosen = sorted(differing_groups(links, links.n_groups))
    number = np.full(links.n_groups + 1, -1, dtype=np.int64)  # the last for items without a group
    for name, group in enumerate(chosen):
        number[group] = name
    return np.asarray(number[links.group])
