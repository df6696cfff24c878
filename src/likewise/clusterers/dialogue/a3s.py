"""A3S: over-cluster by calibrated pair probabilities, then merge and purify by asking leaders."""

from __future__ import annotations

import warnings
from itertools import chain, zip_longest
from math import sqrt
from typing import ClassVar, NamedTuple

import numpy as np
from sklearn.cluster import KMeans
from sklearn.exceptions import ConvergenceWarning

from likewise._seeds import seed_from
from likewise.clusterers.base import check_at_least_one
from likewise.clusterers.dialogue._led_clusters import LedClusters, Ranked
from likewise.clusterers.dialogue._pair_probabilities import PairProbabilities
from likewise.clusterers.dialogue._repair_tasks import (
    Attach,
    Check,
    Merge,
    Repair,
    Settle,
    Task,
)
from likewise.clusterers.dialogue._super_instances import SuperInstances
from likewise.clusterers.dialogue.base import Completed, DialogueClusterer, State, Step, Steps
from likewise.errors import MethodError

_SMALL = 2  # clusters of at most so many items are asked about once more after the rounds
_NO_PAIRS = np.empty((0, 2), dtype=np.int64)


class _Progress(NamedTuple):
    """Where the dialogue is."""

    clusters: LedClusters
    tasks: tuple[Task, ...] = ()  # left of the present round
    n_planned: int = 0  # rounds
    settles: bool = False  # whether the present round is the last


class A3S(DialogueClusterer):
    """Adaptive active aggregation and splitting: repair an over-clustering by asking leaders.

    P(same) of neighbours is calibrated on a rough k-means: the falling function of the distance
    that says best which neighbours are in one part. Clusters are then made of it, usually more than
    there are kinds, by moves of single items that raise the summed log odds of pairs in one
    cluster. Each has a leader, the member of most log odds.

    A round ranks pairs of neighbouring clusters by P(same) × fall of the clustering's entropy if
    they were merged. Before the leaders of two are compared each cluster has to pass a test of
    purity: it is compact, or a doubtful member is the same as its leader. One that fails twice is
    taken apart by at most 20 questions. After `n_rounds` rounds clusters of one or two items are
    compared with the likeliest other; there the published method ends. This one goes on as long as
    it is asked to: rounds of merges take turns with the items least sure of their cluster, each
    asked against its leader and, if different, those of the three likeliest other clusters.

    Parameters
    ----------
    n_clusters : int or None, default=None
        Into how many parts the rough k-means cuts the items; None is √n.
    n_neighbours : int, default=20
        How many neighbours of each item are looked at.
    min_compactness : float, default=0.5
        From which mean P(same) of its middling pairs a cluster counts as pure without a question.
    n_rounds : int, default=3
        Rounds of merges before small clusters have their turn.
    random_state : int, default=0
        The seed; equal seeds give equal results.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        The cluster of each item, 0 to `n_clusters_` - 1.
    n_clusters_ : int
        How many clusters there are.
    question_ : tuple of two int, or None
        The pair whose verdict the dialogue wants next; None when it is at its end.

    References
    ----------
    Deng et al.: A3S, a general active clustering method with pairwise constraints, 2024.

    Examples
    --------
    >>> X = [[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]]
    >>> model = A3S(n_clusters=2).fit(X)
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    >>> model.question_
    (0, 3)
    """

    finds_n_clusters: ClassVar[bool] = True

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        n_neighbours: int = 20,
        min_compactness: float = 0.5,
        n_rounds: int = 3,
        random_state: int = 0,
    ) -> None:
        super().__init__(n_clusters=n_clusters, random_state=random_state)
        self.n_neighbours = n_neighbours
        self.min_compactness = min_compactness
        self.n_rounds = n_rounds

    def _check_parameters(self, n_features: int) -> None:
        check_at_least_one(n_neighbours=self.n_neighbours, n_rounds=self.n_rounds)
        if not 0 <= self.min_compactness <= 1:
            raise MethodError(
                f"min_compactness must be between 0 and 1 but got {self.min_compactness}"
            )

    def dialogue(self, instances: SuperInstances, state: State = None) -> Steps:
        """Carry out task after task, round after round, until everything is known."""
        pairs = instances.once("pair probabilities", lambda: self._calibrate(instances.X))
        at: _Progress = state or _Progress(LedClusters.of(pairs))
        while True:
            yield Step(_NO_PAIRS, Completed(at.clusters.leader_of, at))
            while not at.tasks:
                if at.settles:
                    return
                at = self._next_round(pairs, at)
            task, *later = at.tasks
            clusters = at.clusters.copy()
            first = yield from task.carry_out(Repair(pairs, clusters, self.min_compactness))
            at = at._replace(clusters=clusters, tasks=(*first, *later))

    def _calibrate(self, X: np.typing.NDArray[np.float64]) -> PairProbabilities:
        """Return P(same) by distance, as a rough k-means suggests it."""
        n_parts = self.n_clusters if self.n_clusters is not None else round(sqrt(len(X)))
        with warnings.catch_warnings():
            # Copies, and differences too small for k-means to see: fewer parts will do.
            warnings.simplefilter("ignore", ConvergenceWarning)
            parts = KMeans(
                n_parts, n_init=1, random_state=seed_from(self.random_state)
            ).fit_predict(X)
        return PairProbabilities(X, parts.astype(np.int64), self.n_neighbours)

    def _next_round(self, pairs: PairProbabilities, at: _Progress) -> _Progress:
        """Plan what is done next; when nothing is left in doubt, whatever is still open."""
        clusters = at.clusters
        merges, sizes = clusters.merges(pairs), clusters.sizes
        n_tasks = max(1, int((sizes > 1).sum()))
        tasks: tuple[Task, ...]
        if at.n_planned < self.n_rounds:
            tasks = _best_merges(merges, n_tasks)
        elif at.n_planned == self.n_rounds:
            tasks = _attachments(merges.where(sizes[merges.pairs[:, 0]] <= _SMALL))
        else:
            checks = map(Check, clusters.least_sure(pairs, n_tasks).tolist())
            both = zip_longest(_best_merges(merges, n_tasks), checks)
            tasks = tuple(task for task in chain.from_iterable(both) if task is not None)
        settles = not tasks and at.n_planned > self.n_rounds
        if settles:
            tasks = tuple(map(Settle, np.flatnonzero(sizes).tolist()))
        return at._replace(tasks=tasks, n_planned=at.n_planned + 1, settles=settles)


def _best_merges(merges: Ranked, n: int) -> tuple[Merge, ...]:
    """Return the n likeliest merges, those that gain most first."""
    likeliest = merges.best(merges.chance, n)
    return tuple(Merge(a, b) for a, b in likeliest.best(likeliest.gain).pairs.tolist())


def _attachments(merges: Ranked) -> tuple[Attach, ...]:
    """Return for every first cluster the likeliest second one, the likeliest of all first."""
    pairs = merges.best(merges.chance).pairs
    first = np.unique(pairs[:, 0], return_index=True)[1]
    return tuple(Attach(a, b) for a, b in pairs[np.sort(first)].tolist())
