"""What is believed of every item, whatever the method, and what placing it would put right."""

from __future__ import annotations

from functools import cached_property
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise.affinities.neighbour_votes import neighbour_votes
from likewise.strategies.base import View

Array = npt.NDArray[np.float64]

_DAMPING = 0.9
_STEPS = 40  # after so many a walk has ended with a probability of 98.5 %
_SAMPLED = 16  # known items whose share of the walks is measured


@runtime_checkable
class SeedBeliefs(Protocol):
    """A clusterer that says how likely items belong to the groups of its seeds.

    Any other is served by the votes of neighbours.
    """

    seeds_: Any  # `items`, ascending, and their `groups`
    probabilities_: Array  # (n, groups)
    new_group_probability_: Array  # (n,)


class GroupBeliefs:
    """How likely every item belongs to every present group, and how much depends on it.

    Parameters
    ----------
    view : View
        Of the study.

    Attributes
    ----------
    labels : ndarray of shape (n,)
        The present groups.

    Examples
    --------
    >>> import likewise as lw
    >>> study = lw.Study([[0.0], [0.1], [5.0], [5.1]])
    >>> _ = study.tell((0, 2), "different")
    >>> GroupBeliefs(study.view).memberships.argmax(axis=1)
    array([0, 0, 1, 1])
    """

    def __init__(self, view: View) -> None:
        self.view = view
        self.labels = view.clustering.labels_

    @cached_property
    def memberships(self) -> Array:  # (n, groups), rows sum to one
        """How likely each item belongs to each group; placed items are certain."""
        model: Any = self.view.clustering
        found = neighbour_votes(self.view.affinity.affinity_, self.labels)
        if isinstance(model, SeedBeliefs):
            found = self._of_seeds(model, found)
        known = self.view.placed
        found[known] = 0.0
        found[known, self.labels[known]] = 1.0
        return np.asarray(found / found.sum(axis=1, keepdims=True))

    def _of_seeds(self, model: SeedBeliefs, votes: Array) -> Array:
        """Return the clusterer's own beliefs; neighbours say which of the groups without seeds."""
        seeds, labels = model.seeds_, self.labels
        column = np.zeros(model.probabilities_.shape[1], dtype=np.int64)
        column[seeds.groups] = labels[seeds.items]
        others = votes.copy()
        others[:, column] = 0.0
        total = others.sum(axis=1, keepdims=True)
        own = np.eye(votes.shape[1])[labels]
        others = np.where(total > 0, others / np.where(total > 0, total, 1.0), own)
        found = model.new_group_probability_[:, None] * others
        np.add.at(found.T, column, model.probabilities_.T)
        return np.asarray(np.maximum(found, 1e-9))

    @cached_property
    def errors(self) -> Array:  # (n,)
        """How likely the label of each item is wrong."""
        return np.asarray(1.0 - self.memberships.max(axis=1))

    @cached_property
    def spread(self) -> Array:  # (n,)
        """How many other items placing each one is expected to put right.

        That is e_i Σ_j s_ji e_j, with e the errors and s_ji the share of i among the known items
        at which random walks from j end.
        """
        known = np.flatnonzero(self.view.placed).tolist() or [self.view.first_item]
        is_known = np.zeros(len(self.labels))
        is_known[known] = 1.0
        at_known = self._ends(is_known)
        sample = known[:: max(1, len(known) // _SAMPLED)][:_SAMPLED]
        each = np.zeros((len(self.labels), len(sample)))
        each[sample, np.arange(len(sample))] = 1.0
        alone = self._ends(each)
        # What walks that reach a known item find there: what they will find at another one.
        usual = float((alone**2).sum() / alone.sum())
        starts = self.errors / (at_known + usual)
        return np.asarray(self.errors * self._ends(starts, backwards=True))

    def _ends(self, values: Array, *, backwards: bool = False) -> Array:
        """Return Σ_j R_ij v_j, where walks from i end at j with probability R_ij; or its transpose.

        A walk ends at each step with the probability 0.1.
        """
        walk = self._walk.T if backwards else self._walk
        total, step = np.zeros_like(values), (1 - _DAMPING) * values
        for _ in range(_STEPS):
            total = total + step
            step = _DAMPING * (walk @ step)
        return np.asarray(total)

    @cached_property
    def _walk(self) -> sp.csr_matrix:
        """The transition probabilities of a random walk on the affinities."""
        graph = sp.csr_matrix(self.view.affinity.affinity_)
        degree = np.asarray(graph.sum(axis=1)).ravel()
        return sp.csr_matrix(sp.diags_array(1 / np.where(degree > 0, degree, 1.0)) @ graph)
