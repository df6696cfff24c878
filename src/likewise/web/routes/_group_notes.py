"""What was noted beside the answers, as the page shows it with a group."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.items import Items
from likewise.journal import Review
from likewise.study import Study
from likewise.study.item_keys import item_key
from likewise.web.schemas import Card, NotedOut

_MOST = 24  # items of other groups that are shown with one


@dataclass(frozen=True)
class GroupNotes:
    """Collections by group; further groups and marks for review by item.

    Attributes
    ----------
    collections
        By the number of a group, the levels of its collection.
    also
        By item, the numbers of further groups.
    reviews
        By item, what is to be reviewed.
    """

    collections: Mapping[int, Sequence[str]]
    also: Mapping[int, Sequence[int]]
    reviews: Mapping[int, Review]

    @classmethod
    def of(cls, study: Study, labels: npt.NDArray[np.int64]) -> GroupNotes:
        """Return those of a study whose labels are these; only the study's thread may."""
        return cls(study.collections_by(labels), study.also_by(labels), study.reviews)

    def shown(self, items: Items, label: int, members: Sequence[int]) -> dict[str, Any]:
        """Return what is sent with a group of which these members are shown."""
        further = [item for item, groups in self.also.items() if label in groups]
        noted = {
            item_key(items, item): NotedOut(
                review=self.reviews[item].note if item in self.reviews else None,
                also=list(self.also.get(item, ())),
            )
            for item in members
            if item in self.reviews or item in self.also
        }
        return {
            "collection": list(self.collections.get(label, ())),
            "also": Card.all_of(items, further[:_MOST]),
            "noted": noted,
        }
