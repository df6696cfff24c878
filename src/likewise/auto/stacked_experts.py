"""What every committee of experts does: ask them, weight them by the answers, calibrate."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from likewise.affinities import Gaussian
from likewise.affinities.base import Links, checked_links
from likewise.auto._seed_groups import SeedGroups
from likewise.auto.experts import Prediction, Seeds
from likewise.auto.experts.base import Array, Expert, Positions
from likewise.auto.stacking import calibration_power, raised, stacked_weights
from likewise.auto.structure import PRIOR_WEIGHTS, PileStructure, prior_weight, view_of
from likewise.auto.structures import PileStructures
from likewise.clusterers.base import FitsOn
from likewise.clusterers.links import Labels, LinkedGroups
from likewise.errors import MethodError
from likewise.items import Matrix
from likewise.journal.group_number import NumberOfGroups, checked_number, exact_number

# Experts compare every item with every seed. Of more seeds than make so many comparisons they are
# told as many of every group, and at least so many in all; the others are held out for good.
_MOST_COMPARISONS = 5_000_000
_FEWEST_SEEDS = 500
_GROWTH = 1.12  # periodic experts predict again when there are so many times more seeds


@dataclass(frozen=True)
class _PeriodicPredictions:
    """The last predictions of the periodic experts, and the seeds they are made from."""

    seeds: Seeds
    experts: dict[str, Expert]

    @cached_property
    def by_expert(self) -> dict[str, Prediction]:
        """What each predicts; computed when it is used, which that of a mere start may never be."""
        return {name: expert.predict(self.seeds) for name, expert in self.experts.items()}

    def suits(self, seeds: Seeds) -> bool:
        """Return whether less than an eighth of these seeds is new."""
        new = ~np.isin(seeds.items, self.seeds.items)
        return bool(new.sum() <= (_GROWTH - 1) * len(self.seeds.items))


class StackedExperts(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Predicts the groups of all items from seeds, by experts that the answers give their say.

    A committee says which groups there are (`_find_groups`) and how the experts' mean becomes
    probabilities (`_exclude_different`) and labels (`_label`).
    """

    fits_on: ClassVar[FitsOn] = "both"
    finds_n_clusters: ClassVar[bool] = True
    takes_range: ClassVar[bool] = True

    labels_: Labels
    n_clusters_: int
    confidence_: Array  # (n,)
    probabilities_: Array  # (n, groups)
    new_group_probability_: Array  # (n,)
    held_out_: Array  # (seeds, groups)
    weights_: dict[str, float]
    expert_probabilities_: dict[str, Array]  # (n, groups) each
    calibration_power_: float
    seeds_: Seeds
    told_: Seeds
    by_elimination_: dict[int, float]
    partly_compared_: npt.NDArray[np.bool_]  # (n,)
    structure_: PileStructure
    _structures: PileStructures
    _periodic: _PeriodicPredictions | None

    def __init__(
        self,
        *,
        n_clusters: NumberOfGroups = None,
        experts: Sequence[str] | None = None,
        stacking: bool = True,
        calibrate: bool = True,
        elimination: bool = True,
        random_state: int = 0,
        views: Mapping[str, Matrix] | None = None,
    ) -> None:
        self.n_clusters = n_clusters
        self.experts = experts
        self.stacking = stacking
        self.calibrate = calibrate
        self.elimination = elimination
        self.random_state = random_state
        self.views = views

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: Self | None = None,
        affinity: Matrix | None = None,
    ) -> Self:
        """Cluster items known by their features, by the affinity of neighbours, or by both.

        `affinity`, a neighbour graph, is made of the rows of X where it is not given; X may be
        None where it is. `start`, a fit of the same items with fewer links, saves computing their
        structure and asking the periodic experts again.
        """
        links = self._prepare(X, must_link, cannot_link, start, affinity)
        self._stack(self._predictions(start))
        self._exclude_different(links)
        self._label(links)
        return self

    def fit_start(
        self,
        X: Any,
        y: Any = None,
        *,
        must_link: Links = None,
        cannot_link: Links = None,
        start: Self | None = None,
        affinity: Matrix | None = None,
    ) -> Self:
        """Find what a later fit takes from its `start`: structure and periodic predictions.

        It is then no committee to ask anything, but takes less time and memory.
        """
        self._prepare(X, must_link, cannot_link, start, affinity)
        found = any(name in self.structure_.incremental for name in self._names)
        self._periodic = self._periodic_predictions(start, has_others=found)
        return self.as_start()

    def as_start(self) -> Self:
        """Return what a later fit takes from this one, without all that it does not."""
        bare = type(self)(**self.get_params())
        bare.structure_, bare._structures = self.structure_, self._structures
        bare._periodic = self._periodic
        return bare

    def prepare(self) -> None:
        """Ask the experts of single views, which are needed once there are links; they keep it."""
        for expert in self.structure_.one_views.values():
            expert.predict(self.told_)

    def _prepare(
        self,
        X: Any,
        must_link: Links,
        cannot_link: Links,
        start: Self | None,
        affinity: Matrix | None,
    ) -> LinkedGroups:
        """Set structure, seeds and groups; return all that follows from the links."""
        if affinity is None:
            X = validate_data(self, X, ensure_min_samples=2, dtype=np.float64)
            affinity = Gaussian(n_neighbours=15).fit(X).affinity_
        n = affinity.shape[0]
        self._check_parameters(n)
        self._structures = PileStructures() if start is None else start._structures
        self.structure_ = self._structures.of(X, affinity, self.random_state, self.views)
        links = LinkedGroups.of(n, must_link, cannot_link)
        self._seed_groups = SeedGroups(links, exact_number(self.n_clusters), self.elimination)
        same = checked_links(must_link, n, "must_link")
        self._find_groups(links, same, checked_links(cannot_link, n, "cannot_link"))
        self.told_ = self.judged_by.at_most(max(_MOST_COMPARISONS // n, _FEWEST_SEEDS))
        return links

    def _check_parameters(self, n: int) -> None:
        """Raise `MethodError` for an unknown expert or a number of groups that cannot be."""
        unknown = set(self.experts or ()) - set(PRIOR_WEIGHTS)
        if unknown:
            raise MethodError(
                f"there is no expert {sorted(unknown)[0]!r}; there are {', '.join(PRIOR_WEIGHTS)}"
            )
        checked_number(self.n_clusters, n)

    @abstractmethod
    def _find_groups(self, links: LinkedGroups, same: Positions, different: Positions) -> None:
        """Set the seeds, and whatever else there is to say of groups before the experts do."""

    @abstractmethod
    def _exclude_different(self, links: LinkedGroups) -> None:
        """Set the probabilities: those of groups that items are known to differ from are 0."""

    @abstractmethod
    def _label(self, links: LinkedGroups) -> None:
        """Set labels and confidence."""

    @abstractmethod
    def same_probability(self, i: int, j: int) -> float:
        """Return how likely two items belong to one group."""

    @property
    @abstractmethod
    def judged_by(self) -> Seeds:
        """The seeds by which the experts judge: those of the known groups, and maybe others."""

    def _set_seeds(self, items: Positions, groups: Positions, probability: Array) -> None:
        """Set the seeds and which of them are assigned by elimination."""
        pairs = zip(items.tolist(), probability.tolist(), strict=True)
        self.by_elimination_ = {item: p for item, p in pairs if p < 1}
        self.seeds_ = Seeds(items, groups, len(self._seed_groups.linked_groups))

    # -- experts -----------------------------------------------------------------------------

    @property
    def _names(self) -> Sequence[str]:
        """The experts: those asked for, else all; views have theirs once there are answers."""
        if self.experts is not None:
            return self.experts
        if not len(self.seeds_.items):
            return list(PRIOR_WEIGHTS)
        of_views = [name for name in self.structure_.periodic if view_of(name) is not None]
        return [*PRIOR_WEIGHTS, *of_views]

    def _predictions(self, start: Self | None) -> dict[str, Prediction]:
        """Ask all experts; the periodic ones' predictions may rest on fewer seeds."""
        seeds, structure = self.told_, self.structure_
        found = {
            name: structure.incremental[name].predict(seeds)
            for name in self._names
            if name in structure.incremental
        }
        self._periodic = self._periodic_predictions(start, has_others=bool(found))
        if self._periodic is None:
            return found or {"pagerank": structure.pagerank.predict(seeds)}
        if self._periodic.seeds is seeds:
            return {**found, **self._periodic.by_expert}
        return {**found, **_carried_over(self._periodic, seeds, list(found.values()))}

    def _periodic_predictions(
        self, start: Self | None, *, has_others: bool
    ) -> _PeriodicPredictions | None:
        """Ask the periodic experts, or return what they said when there were fewer seeds.

        Earlier predictions are carried over to today's groups by what experts say who are not
        periodic, and so only where there are such others.
        """
        seeds, structure = self.told_, self.structure_
        names = [name for name in self._names if name in structure.periodic]
        if seeds.n_groups < 2 or not names:
            return None
        earlier = start._periodic if start is not None and start.structure_ is structure else None
        if earlier is not None and has_others and earlier.suits(seeds):
            return earlier
        return _PeriodicPredictions(seeds, {name: structure.periodic[name] for name in names})

    def _stack(self, predictions: dict[str, Prediction]) -> None:
        """Weight the experts by their held-out predictions, and calibrate their mean."""
        seeds, known = self.told_, self.seeds_
        sizes = np.bincount(known.groups, minlength=seeds.n_groups)
        # The only seed of a group cannot be predicted without it.
        judged = np.flatnonzero(sizes[seeds.groups] > 1)
        likelihoods = np.array(
            [p.held_out[judged, seeds.groups[judged]] for p in predictions.values()]
        )
        prior = np.array([prior_weight(name) for name in predictions])
        weights = stacked_weights(likelihoods if self.stacking else likelihoods[:, :0], prior)
        self.weights_ = dict(zip(predictions, weights.tolist(), strict=True))
        self.expert_probabilities_ = {name: p.probabilities for name, p in predictions.items()}
        pairs = list(zip(weights, predictions.values(), strict=True))
        everywhere = np.asarray(sum(w * p.probabilities for w, p in pairs))
        held_out = np.asarray(sum(w * p.held_out for w, p in pairs))
        self._uncalibrated = everywhere
        self.calibration_power_ = 1.0
        if self.calibrate:
            # Seeds that nobody could have predicted are a warning that much is unknown.
            share = len(judged) / max(len(seeds.items), 1)
            power = calibration_power(held_out[judged], seeds.groups[judged])
            self.calibration_power_ = power**share**2
            everywhere = raised(everywhere, self.calibration_power_)
            held_out = raised(held_out, self.calibration_power_)
        self._calibrated = everywhere
        self.held_out_ = everywhere[known.items][:, : known.n_groups]
        of_known = np.isin(seeds.items, known.items)
        at = np.searchsorted(known.items, seeds.items[of_known])
        self.held_out_[at] = held_out[of_known][:, : known.n_groups]

    def _known_confidence(self) -> list[float]:
        """Return how likely the group of every seed is right."""
        return [self.by_elimination_.get(item, 1.0) for item in self.seeds_.items.tolist()]

    def _seed_index(self, item: int) -> int | None:
        """Return where an item is among the seeds, None if it is not."""
        at = int(np.searchsorted(self.seeds_.items, item))
        found = at < len(self.seeds_.items) and self.seeds_.items[at] == item
        return at if found else None


def _carried_over(
    earlier: _PeriodicPredictions,
    seeds: Seeds,
    meanwhile: Sequence[Prediction],
) -> dict[str, Prediction]:
    """Return earlier predictions for today's groups.

    A group has the probabilities of all earlier ones whose first seed belongs to it now. What
    earlier groups have that are no more goes to the others; groups that are new since then have
    the mean of what other experts predict `meanwhile`.
    """
    before = earlier.seeds
    at = np.minimum(np.searchsorted(seeds.items, before.items), len(seeds.items) - 1)
    still = seeds.items[at] == before.items
    groups, first = np.unique(before.groups[still], return_index=True)
    moved = np.zeros((before.n_groups, seeds.n_groups))
    moved[groups, seeds.groups[at[still]][first]] = 1.0
    unknown = moved.sum(axis=0) == 0
    complete = not unknown.any() and len(groups) == before.n_groups
    fill = np.mean([p.probabilities[:, unknown] for p in meanwhile], axis=0)
    carried = {}
    for name, prediction in earlier.by_expert.items():
        probabilities = _moved(prediction.probabilities, moved)
        held_out = _moved(prediction.held_out[still], moved)
        if not complete:
            probabilities = _filled(probabilities, unknown, fill)
            held_out = _filled(held_out, unknown, fill[before.items[still]])
        # A seed that is new since then was not known to the experts: it is held out as it is.
        without = probabilities[seeds.items]
        without[at[still]] = held_out
        carried[name] = Prediction(probabilities, without)
    return carried


def _moved(rows: Array, moved: Array) -> Array:
    """Return `rows @ moved`; where no two groups became one, that is other columns."""
    if (moved.sum(axis=0) > 1).any():
        return np.asarray(rows @ moved)
    found = rows[:, moved.argmax(axis=0)]
    found[:, ~moved.any(axis=0)] = 0.0
    return found


def _filled(rows: Array, unknown: npt.NDArray[np.bool_], fill: Array) -> Array:
    """Return rows that sum to one, with the given probabilities in the unknown columns."""
    total = rows.sum(axis=1, keepdims=True)
    even = np.where(unknown, 0.0, 1.0) / max(float((~unknown).sum()), 1.0)
    known = np.divide(rows, total, out=np.tile(even, (len(rows), 1)), where=total > 0)
    filled = known * (1 - fill.sum(axis=1, keepdims=True))
    filled[:, unknown] = fill
    return np.asarray(filled / filled.sum(axis=1, keepdims=True))
