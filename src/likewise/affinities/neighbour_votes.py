"""What an item's neighbours say about the cluster it belongs to."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.items import Matrix


def neighbour_votes(affinity: Matrix, labels: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """Return P(cluster | item): each cluster's share of the item's similarities, (n, n_clusters).

    The nonparametric model of URASC (eq. 9). An item without neighbours is sure of its own label.

    >>> W = np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 0.0], [1.0, 0.0, 0.0]])
    >>> neighbour_votes(W, np.array([0, 0, 1]))
    array([[0.75, 0.25],
           [1.  , 0.  ],
           [1.  , 0.  ]])
    """
    n = len(labels)
    one_hot = sp.csr_matrix((np.ones(n), (np.arange(n), labels)))
    votes = affinity @ one_hot
    votes = np.asarray(votes.todense() if sp.issparse(votes) else votes)
    total = votes.sum(axis=1, keepdims=True)
    alone = total.ravel() <= 0
    votes = votes / np.where(total > 0, total, 1.0)
    votes[alone, labels[alone]] = 1.0
    return votes


def strongest_edges(affinity: Matrix, n_neighbours: int) -> sp.csr_matrix:
    """Return each row's `n_neighbours` largest entries; rows with fewer keep what they have.

    >>> strongest_edges(np.array([[0.0, 3.0, 1.0], [3.0, 0.0, 2.0], [1.0, 2.0, 0.0]]), 1).toarray()
    array([[0., 3., 0.],
           [3., 0., 0.],
           [0., 2., 0.]])
    """
    graph = sp.csr_matrix(affinity)
    row = np.repeat(np.arange(graph.shape[0]), np.diff(graph.indptr))
    order = np.lexsort((graph.indices, -graph.data, row))
    rank = np.arange(graph.nnz) - graph.indptr[row]
    kept = order[rank < n_neighbours]
    return sp.csr_matrix((graph.data[kept], (row[kept], graph.indices[kept])), graph.shape)
