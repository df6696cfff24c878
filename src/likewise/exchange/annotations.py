"""What was noted beside the answers, as whoever writes groups to files needs it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from likewise.study import Study


@dataclass(frozen=True)
class Annotations:
    """Collections of groups, further groups of items, marks for review.

    Parameters
    ----------
    collections : mapping of int to tuple of str
        By the number of a group, the collection it lies in, the outermost level first.
    also : mapping of int to sequence of int
        By item, the numbers of further groups it belongs to.
    columns : mapping of str to sequence of str
        The same and what is to be reviewed as columns, a cell per item; only those in use.
    """

    collections: Mapping[int, tuple[str, ...]] = field(default_factory=dict)
    also: Mapping[int, Sequence[int]] = field(default_factory=dict)
    columns: Mapping[str, Sequence[str]] = field(default_factory=dict)

    @classmethod
    def of(cls, study: Any, labels: npt.NDArray[np.int64]) -> Annotations:
        """Return those of a study whose labels are these; a study of similarities has none.

        Examples
        --------
        >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
        >>> study.collect(0, "animals")
        >>> Annotations.of(study, study.labels_).columns["collection"][0]
        'animals'
        """
        if not isinstance(study, Study):
            return cls()
        columns = study.annotation_columns(labels)
        return cls(study.collections_by(labels), study.also_by(labels), columns)


NONE = Annotations()
