"""Groups by their sizes."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:  # the command line uses it before it needs numpy
    import numpy as np
    import numpy.typing as npt


def group_sizes(labels: npt.NDArray[np.int64]) -> dict[int, int]:
    """Return how many items each group holds, by label, the largest first.

    Equal groups come in the order of their first members, so that nothing moves when only the
    numbers of the groups change.

    >>> import numpy as np
    >>> group_sizes(np.array([3, 0, 0, 2, 2, 2]))
    {2: 3, 0: 2, 3: 1}
    """
    return dict(Counter(labels.tolist()).most_common())
