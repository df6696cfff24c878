"""Where the items of a study lie, for what needs coordinates."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import scipy.sparse as sp

from likewise.methods import spectral_learning

if TYPE_CHECKING:
    from likewise.study.study import Study


def positions(study: Study) -> Any:  # (n, d)
    """Return the features or, where there are none or sparse ones, the affinity's eigenvectors."""
    X = study.items.features
    if X is not None and not sp.issparse(X):
        return X
    graph = study.view.affinity.affinity_
    n_groups = min(max(2, len(study.constraints.representatives)), len(study.items))
    model: Any = spectral_learning(n_clusters=n_groups, random_state=study.random_state)
    return model.fit(graph).embedding_
