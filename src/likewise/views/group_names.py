"""What groups are called."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from likewise.study import Study


def label_names(study: Study, labels: npt.NDArray[np.int64]) -> dict[int, str]:
    """Return the names that people gave, by label.

    `labels` are the study's, given so that nothing is fitted again. Where named groups have
    become one, the latest name counts.
    """
    found = {int(labels[item]): name for item, name in study.named.items()}
    return {label: name for label, name in found.items() if name}


def known_name(study: Study, item: int) -> str:
    """Return the name of the items known to be the same as this one, "" if they have none."""
    component = study.constraints.component
    found = ""
    for anchor, name in study.named.items():
        if component(anchor) == component(item):
            found = name
    return found
