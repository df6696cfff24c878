"""Items that can be seen in several ways, of what there is of each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse as sp

from likewise.errors import DataError
from likewise.features.feature_views import FeatureViews
from likewise.items.digests import content_fingerprint, digest
from likewise.items.labelling import numbered

if TYPE_CHECKING:
    from likewise.items.items import Items


def made_of_views(made: Mapping[str, Items], weights: Mapping[str, float]) -> dict[str, Any]:
    """Return the fields of items of which each view was made into items by itself."""
    if not made:
        raise DataError("there is no view; give at least one, by its name")
    if unknown := sorted(set(weights) - set(made)):
        raise DataError(
            f"there is no view {unknown[0]!r} to be weighted; there are {', '.join(made)}"
        )
    if any(not 0 <= weight < np.inf for weight in weights.values()):
        raise DataError("the weight of a view must be a number from 0 on")
    lengths = {name: len(items) for name, items in made.items()}
    if len(set(lengths.values())) > 1:
        found = ", ".join(f"{name} has {n}" for name, n in lengths.items())
        raise DataError(f"every view needs a row for each item, in one order, but {found}")
    blocks = {name: _dense(name, items) for name, items in made.items()}
    if len(blocks) == 1:
        (only,) = made.values()
        return {name: getattr(only, name) for name in only.__dataclass_fields__}
    views = FeatureViews.of(blocks, weights)
    (n,) = set(lengths.values())
    # Recognised by all that is known of them, whichever views count.
    rows = np.round(np.hstack([*blocks.values()]), 6) + 0.0
    digests = [digest(row.tobytes()) for row in rows]
    shown = {
        name: next((found for one in made.values() if (found := getattr(one, name))), None)
        for name in ("rows", "texts", "pictures")
    }
    return {
        "features": views.whole,
        "views": views,
        "ids": next((one.ids for one in made.values() if one.ids != numbered(n)), numbered(n)),
        **shown,
        "digests": digests,
        "content": content_fingerprint(digests),
        "notes": [note for one in made.values() for note in one.notes],
    }


def _dense(name: str, items: Items) -> Any:
    """Return the features of one view."""
    if items.features is None:
        raise DataError(f"the view {name!r} needs features, not how alike the items are")
    if sp.issparse(items.features):
        raise DataError(
            f"the view {name!r} is a sparse matrix; reduce it first, for example by truncated SVD"
        )
    return items.features
