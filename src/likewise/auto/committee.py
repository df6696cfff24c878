"""The clusterer of `auto`: experts whose weights are learned from the answers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from likewise.affinities import Gaussian
from likewise.affinities.base import Links
from likewise.auto._new_groups import NewGroups
from likewise.auto._seed_groups import SeedGroups
from likewise.auto.experts import Prediction, Seeds
from likewise.auto.experts.base import Array
from likewise.auto.stacking import calibration_power, raised, stacked_weights
from likewise.auto.structure import PRIOR_WEIGHTS, PileStructure
from likewise.clusterers.base import FitsOn, check_n_clusters
from likewise.clusterers.links import Labels, LinkedGroups, labels_respecting_links
from likewise.errors import MethodError
from likewise.items import Matrix

_GROWTH = 1.12  # periodic experts predict again when there are so many times more seeds


@dataclass(frozen=True)
class _PeriodicPredictions:
    """The last predictions of the periodic experts, and the seeds they were made from."""

    seeds: Seeds
    by_expert: dict[str, Prediction]


class Committee(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Clusters a pile by experts that predict groups from the items already linked.

    Items that links tie into groups are seeds. Every expert (see `likewise.auto.experts`) predicts
    the groups of all items from them; the experts are weighted by how well they predict seeds that
    were held out (stacking), so that the answers decide which model of similarity counts. Where no
    seed is near, a cell of the pile stays a group of its own for as long as the answers make new
    groups likely (Good-Turing). No link is contradicted.

    Parameters
    ----------
    n_clusters : int or None
        The number of groups where it is known. Once so many are found nothing is new any more;
        with None their number follows from the answers and the pile.
    experts : sequence of str or None
        Names of the experts, of "pagerank", "neighbours" (PageRank of short walks), "ward",
        "components", "forest", "gaussian" and "diagonal". None takes all; "components" takes part
        only where the pile falls into separate ones.
    stacking : bool
        Whether weights are learned. With False the experts keep their prior weights.
    calibrate : bool
        Whether the weighted mean is raised to the power under which the seeds were likeliest. With
        False it is taken as it is, which is underconfident.
    elimination : bool
        Whether an item that differs from all groups but one is assigned to that one once a new
        group is unlikely (see `SeedGroups`).
    random_state : int
        Seed of the forest and of whatever is drawn to reduce large piles.

    Attributes
    ----------
    labels_ : ndarray of shape (n,)
        Groups, numbered from 0.
    n_clusters_ : int
        How many there are.
    confidence_ : ndarray of shape (n,)
        How likely each label is right.
    probabilities_ : ndarray of shape (n, groups)
        How likely each item belongs to each seed group.
    new_group_probability_ : ndarray of shape (n,)
        How likely it belongs to none of them; with `probabilities_` rows sum to one.
    held_out_ : ndarray of shape (seeds, groups)
        The probabilities of seeds had they not been seeds.
    weights_ : dict of str to float
        The weight of each expert; they sum to one.
    expert_probabilities_ : dict of str to ndarray of shape (n, groups)
        What each expert predicts.
    calibration_power_ : float
        The power that the weighted mean was raised to.
    good_turing_ : float
        The probability that a cell without seeds holds a new group.
    seeds_ : Seeds
        The items whose group is known. Without links, the item that is to be asked about first.
    by_elimination_ : dict of int to float
        Seeds that were assigned by elimination, and how likely that is right.
    partly_compared_ : ndarray of bool of shape (n,)
        Linked items not known to belong to, or differ from, every group.
    labelled_by_cell_ : ndarray of bool of shape (n,)
        Items that have the label of their cell because no group is likely enough.
    structure_ : PileStructure
        The experts and cells of the pile, handed on to the next fit.

    Examples
    --------
    >>> X = np.array([[0.0], [0.1], [0.2], [5.0], [5.1], [5.2]])
    >>> model = Committee().fit(X, must_link=[(0, 1), (3, 4)], cannot_link=[(0, 3)])
    >>> model.labels_
    array([0, 0, 0, 1, 1, 1])
    """

    fits_on: ClassVar[FitsOn] = "both"
    finds_n_clusters: ClassVar[bool] = True

    labels_: Labels
    n_clusters_: int
    confidence_: Array  # (n,)
    probabilities_: Array  # (n, groups)
    new_group_probability_: Array  # (n,)
    held_out_: Array  # (seeds, groups)
    weights_: dict[str, float]
    expert_probabilities_: dict[str, Array]  # (n, groups) each
    calibration_power_: float
    good_turing_: float
    seeds_: Seeds
    by_elimination_: dict[int, float]
    partly_compared_: npt.NDArray[np.bool_]  # (n,)
    labelled_by_cell_: npt.NDArray[np.bool_]  # (n,)
    structure_: PileStructure

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        experts: Sequence[str] | None = None,
        stacking: bool = True,
        calibrate: bool = True,
        elimination: bool = True,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.experts = experts
        self.stacking = stacking
        self.calibrate = calibrate
        self.elimination = elimination
        self.random_state = random_state

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: Committee | None = None,
        affinity: Matrix | None = None,
    ) -> Self:
        """Cluster items known by their features, by the affinity of neighbours, or by both.

        `affinity`, a neighbour graph, is made of the rows of X where it is not given; X may be
        None where it is. `start`, a fit of the same items with fewer links, saves computing their
        structure and asking the periodic experts again.
        """
        if affinity is None:
            X = validate_data(self, X, ensure_min_samples=2, dtype=np.float64)
            affinity = Gaussian(n_neighbours=15).fit(X).affinity_
        n = affinity.shape[0]
        unknown = set(self.experts or ()) - set(PRIOR_WEIGHTS)
        if unknown:
            raise MethodError(
                f"there is no expert {sorted(unknown)[0]!r}; there are {', '.join(PRIOR_WEIGHTS)}"
            )
        if self.n_clusters is not None:
            check_n_clusters(self.n_clusters, n)
        known = start.structure_ if start is not None else None
        if known is None or known.features is not X or known.graph is not affinity:
            known = PileStructure(X, affinity, self.random_state)
        self.structure_ = known
        links = LinkedGroups.of(n, must_link, cannot_link)
        self._seed_groups = SeedGroups(links, self.n_clusters, self.elimination)
        self._find_seeds()
        self._stack(self._predictions(start))
        self._add_new_groups()
        self._exclude_different(links)
        self._label(links)
        return self

    def _find_seeds(self) -> None:
        """Set the seeds; without links, the centre of the largest cell."""
        self.partly_compared_ = self._seed_groups.partly_compared
        items, groups, probability = self._seed_groups.members
        pairs = zip(items.tolist(), probability.tolist(), strict=True)
        self.by_elimination_ = {item: p for item, p in pairs if p < 1}
        if not len(items):
            cells = self.structure_.finest_cells(self.n_clusters)
            items, groups = cells.centres[[cells.sizes.argmax()]], np.zeros(1, dtype=np.int64)
        n_groups = max(len(self._seed_groups.linked_groups), 1)
        self.seeds_ = Seeds(items, groups, n_groups)

    # -- experts -----------------------------------------------------------------------------

    def _predictions(self, start: Committee | None) -> dict[str, Prediction]:
        """Ask all experts; the periodic ones' predictions may rest on fewer seeds."""
        seeds, structure = self.seeds_, self.structure_
        self._periodic: _PeriodicPredictions | None = None
        names = PRIOR_WEIGHTS if self.experts is None else self.experts
        found = {
            name: structure.incremental[name].predict(seeds)
            for name in names
            if name in structure.incremental
        }
        periodic = [name for name in names if name in structure.periodic]
        if seeds.n_groups < 2 or not periodic:
            return found or {"pagerank": structure.pagerank.predict(seeds)}
        if start is not None and start.structure_ is structure and start._periodic is not None:
            earlier = _carried_over(start._periodic, seeds)
            if earlier is not None:
                self._periodic = start._periodic
                return {**found, **earlier}
        new = {name: structure.periodic[name].predict(seeds) for name in periodic}
        self._periodic = _PeriodicPredictions(seeds, new)
        return {**found, **new}

    def _stack(self, predictions: dict[str, Prediction]) -> None:
        """Weight the experts by their held-out predictions, and calibrate their mean."""
        seeds = self.seeds_
        sizes = np.bincount(seeds.groups, minlength=seeds.n_groups)
        # The only seed of a group cannot be predicted without it.
        judged = np.flatnonzero(sizes[seeds.groups] > 1)
        likelihoods = np.array(
            [p.held_out[judged, seeds.groups[judged]] for p in predictions.values()]
        )
        prior = np.array([PRIOR_WEIGHTS[name] for name in predictions])
        weights = stacked_weights(likelihoods if self.stacking else likelihoods[:, :0], prior)
        self.weights_ = dict(zip(predictions, weights.tolist(), strict=True))
        self.expert_probabilities_ = {name: p.probabilities for name, p in predictions.items()}
        pairs = list(zip(weights, predictions.values(), strict=True))
        self.probabilities_ = np.asarray(sum(w * p.probabilities for w, p in pairs))
        self.held_out_ = np.asarray(sum(w * p.held_out for w, p in pairs))
        self._uncalibrated = self.probabilities_
        self.calibration_power_ = 1.0
        if not self.calibrate:
            return
        # Seeds that nobody could have predicted are a warning that much is unknown.
        share = len(judged) / len(seeds.items)
        power = calibration_power(self.held_out_[judged], seeds.groups[judged])
        self.calibration_power_ = power**share**2
        self.probabilities_ = raised(self.probabilities_, self.calibration_power_)
        self.held_out_ = raised(self.held_out_, self.calibration_power_)

    # -- probabilities and labels ------------------------------------------------------------

    def _add_new_groups(self) -> None:
        """Give groups that have no seeds their share of the probability."""
        cells = self.structure_.finest_cells(self.n_clusters)
        all_found = self._seed_groups.all_found
        self._new_groups = NewGroups(cells, self.structure_.pagerank, self.seeds_, all_found)
        self.good_turing_ = self._new_groups.rate
        self.new_group_probability_ = self._new_groups.probability()
        # In an unexplored cell, joining a group takes more than being closest to it. How well
        # known groups are told apart says nothing of that: hence before calibration, and with
        # the rate of the cell, not that of the item.
        unexplored = self._new_groups.unexplored
        new = np.where(unexplored, self.good_turing_, self.new_group_probability_)
        joining = self._uncalibrated.max(axis=1) * (1 - new)
        remote = unexplored | (self._new_groups.unexplored_share > 0.5)
        self.labelled_by_cell_ = remote & (joining < 0.5)
        self.probabilities_ = self.probabilities_ * (1 - self.new_group_probability_)[:, None]

    def _exclude_different(self, links: LinkedGroups) -> None:
        """Exclude groups that items are known to differ from; the more, the likelier a new one."""
        linked = np.flatnonzero(links.group >= 0)
        new = self.new_group_probability_
        if len(linked):
            differs = self._seed_groups.differing(linked)
            left = self._new_groups.spread_differences(self.probabilities_, linked, differs)
            new = new + (self.probabilities_ - left).sum(axis=1)
            left[linked] = np.where(differs, 0.0, left[linked])
            new[linked] = np.maximum(new[linked], self._new_groups.rate_among_seeds)
            at = np.searchsorted(linked, self.seeds_.items)
            self.held_out_ = np.where(differs[at], 0.0, self.held_out_)
            self.probabilities_ = left
        total = self.probabilities_.sum(axis=1) + new
        nothing = total <= 1e-12
        self.new_group_probability_ = np.where(nothing, 1.0, new / np.where(nothing, 1.0, total))
        self.probabilities_ /= np.where(nothing, 1.0, total)[:, None]

    def _label(self, links: LinkedGroups) -> None:
        """Label each item by its likeliest group if that is likelier than not, else by its cell."""
        seeds, by_cell = self.seeds_, self.labelled_by_cell_
        n = len(by_cell)
        best = self.probabilities_.argmax(axis=1)
        confidence = self.probabilities_[np.arange(n), best]
        cell = self.structure_.cells(self.n_clusters).labels
        labels = np.where(by_cell, seeds.n_groups + cell, best)
        if not self._seed_groups.all_found:
            # One that differs from its likely groups, and has no cell without seeds, is alone.
            alone = (links.group >= 0) & (confidence < 0.5) & ~by_cell
            labels[alone] = seeds.n_groups + int(cell.max()) + 1 + links.group[alone]
            confidence = np.where(by_cell | alone, self.new_group_probability_, confidence)
        if links.n_groups:
            labels[seeds.items] = seeds.groups
            known = [self.by_elimination_.get(item, 1.0) for item in seeds.items.tolist()]
            confidence[seeds.items] = known
        else:
            labels = cell
        self.labels_ = labels_respecting_links(labels, links)
        self.n_clusters_ = int(self.labels_.max()) + 1
        self.confidence_ = np.clip(confidence, 0.0, 1.0)

    # -- for strategies ----------------------------------------------------------------------

    def placement(self, item: int) -> tuple[Array, float]:
        """Return how likely "same" is for an item against each group, and against none.

        For a seed these are its held-out probabilities of all groups but its own. A group that it
        has by elimination only is not its own yet.
        """
        at = self._seed_index(item)
        if at is None:
            return self.probabilities_[item].copy(), float(self.new_group_probability_[item])
        own = np.arange(self.seeds_.n_groups) == self.seeds_.groups[at]
        if item in self.by_elimination_:
            probability = self.by_elimination_[item]
            return probability * own, 1 - probability
        probabilities = self.held_out_[at] * ~own
        new = max(self._new_groups.rate_among_seeds, 1e-9)
        total = float(probabilities.sum()) + new
        return probabilities / total, new / total

    def same_probability(self, i: int, j: int) -> float:
        """Return how likely two items belong to one group."""
        one, other = self._seed_index(i), self._seed_index(j)
        if other is not None:
            return float(self.placement(i)[0][self.seeds_.groups[other]])
        if one is not None:
            return float(self.probabilities_[j, self.seeds_.groups[one]])
        return float(self.probabilities_[i] @ self.probabilities_[j])

    def _seed_index(self, item: int) -> int | None:
        """Return where an item is among the seeds, None if it is not."""
        at = int(np.searchsorted(self.seeds_.items, item))
        found = at < len(self.seeds_.items) and self.seeds_.items[at] == item
        return at if found else None


def _carried_over(earlier: _PeriodicPredictions, seeds: Seeds) -> dict[str, Prediction] | None:
    """Return earlier predictions in today's numbering of groups; None when they are too old.

    They are kept while all earlier seeds still are seeds, groups are the same but for their
    numbers, and the number of seeds has not grown by `_GROWTH`.
    """
    before = earlier.seeds
    if len(seeds.items) >= _GROWTH * len(before.items) or seeds.n_groups != before.n_groups:
        return None
    at = np.searchsorted(seeds.items, before.items)
    at = np.minimum(at, len(seeds.items) - 1)
    if not np.array_equal(seeds.items[at], before.items):
        return None
    pairs = np.unique(np.stack([seeds.groups[at], before.groups]), axis=1)
    if pairs.shape[1] != seeds.n_groups or len(np.unique(pairs[1])) != seeds.n_groups:
        return None
    columns = pairs[1]  # pairs are sorted by today's number
    carried = {}
    for name, prediction in earlier.by_expert.items():
        # A seed that is new since then was not known to the experts: it is held out as it is.
        held_out = prediction.probabilities[seeds.items]
        held_out[at] = prediction.held_out
        carried[name] = Prediction(prediction.probabilities[:, columns], held_out[:, columns])
    return carried
