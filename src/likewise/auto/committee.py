"""Groups by a committee of experts that the answers themselves give their say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Self

import numpy as np
import numpy.typing as npt
from scipy.special import expit, logit
from sklearn.base import BaseEstimator, ClusterMixin
from sklearn.utils.validation import validate_data

from likewise.affinities import Gaussian
from likewise.affinities.base import Links
from likewise.auto._seed_groups import SeedGroups
from likewise.auto.experts import Opinion, Seeds
from likewise.auto.experts.base import Array
from likewise.auto.stacking import sharpened, sharpness, stacked_weights
from likewise.auto.structure import PRIOR, PileStructure
from likewise.clusterers.base import FitsOn, check_n_clusters
from likewise.clusterers.links import Labels, LinkedGroups, labels_respecting_links
from likewise.errors import MethodError
from likewise.items import Matrix

_GROWTH = 1.12  # the slow experts are asked again when there are so many times more seeds
_MOST_NEW = 0.98
_LEAST = 1e-3  # shares of walks below this are all alike
# The share of the chance of a new group that remains where there are seeds nearby.
_NEW_AFTER_ALL = 0.2


@dataclass(frozen=True)
class _Heard:
    """What the slow experts said, and about which seeds."""

    seeds: Seeds
    opinions: dict[str, Opinion]


class Committee(ClusterMixin, BaseEstimator):  # type: ignore[misc]
    """Items that answers have placed are the seeds from which experts judge all the others.

    Every expert (see `likewise.auto.experts`) says how likely each group is. They are weighted by
    what each would have said about the seeds themselves had it not known them (stacking), so that
    the answers decide which idea of likeness counts. Where no seed is near, a part of the pile
    counts as a group of its own for as long as the answers make new groups likely (Good and
    Turing's estimate over cells of the pile); with `n_clusters` given and found, never.

    `probabilities_[i, g]` is how likely item i belongs to group g, `newness_[i]` that it belongs
    to none of them; `weights_` how much each expert counts. No link is contradicted.

    `experts` names those that sit in the committee, None all of "walks", "neighbours", "tree",
    "islands", "forest", "clouds" and "features". With `adaptive=False` they count what they count
    at the beginning, whatever the answers say; with `sharpening=False` their mean is taken as it
    is; with `presuming=False` no item is presumed to belong to the only group it is not known to
    differ from (see `SeedGroups`).

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
    newness_: Array  # (n,)
    held_out_: Array  # (seeds, groups): the same for the seeds had they not been placed
    weights_: dict[str, float]
    opinions_: dict[str, Array]  # (n, groups) by each expert
    seeds_: Seeds
    sharpness_: float  # the power that the experts' mean was raised to
    undecided_: npt.NDArray[np.bool_]  # (n,): items set apart from some groups, but not from all
    presumed_: dict[int, float]  # seeds that are so by elimination, and how likely that is right
    structure_: PileStructure
    own_: npt.NDArray[np.bool_]  # (n,): labelled by their cell, for want of a likely group
    _heard: _Heard | None

    def __init__(
        self,
        *,
        n_clusters: int | None = None,
        experts: Sequence[str] | None = None,
        adaptive: bool = True,
        sharpening: bool = True,
        presuming: bool = True,
        random_state: int = 0,
    ) -> None:
        self.n_clusters = n_clusters
        self.experts = experts
        self.adaptive = adaptive
        self.sharpening = sharpening
        self.presuming = presuming
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
        """Group items known by features, by how alike neighbours are, or by both.

        `affinity`, a neighbour graph, is made of the rows of X where it is not given; X may be
        None where it is. `start`, a fit of the same items with fewer links, saves asking the slow
        experts.
        """
        if affinity is None:
            X = validate_data(self, X, ensure_min_samples=2, dtype=np.float64)
            affinity = Gaussian(n_neighbours=15).fit(X).affinity_
        n = affinity.shape[0]
        unknown = set(self.experts or ()) - set(PRIOR)
        if unknown:
            raise MethodError(
                f"there is no expert {sorted(unknown)[0]!r}; there are {', '.join(PRIOR)}"
            )
        if self.n_clusters is not None:
            check_n_clusters(self.n_clusters, n)
        known = start.structure_ if start is not None else None
        if known is None or known.features is not X or known.graph is not affinity:
            known = PileStructure(X, affinity, self.random_state)
        self.structure_ = known
        links = LinkedGroups.of(n, must_link, cannot_link)
        self._find_seeds(links)
        heard = self._listen(start)
        self._weigh(heard)
        self._settle(links)
        self._label(links)
        return self

    # -- what is known ---------------------------------------------------------------------

    def _find_seeds(self, links: LinkedGroups) -> None:
        """Which groups stand, and their members."""
        self._standing = SeedGroups(links, self.n_clusters, self.presuming)
        self.undecided_ = self._standing.undecided
        items, groups, chance = self._standing.members
        self.presumed_ = {int(i): float(c) for i, c in zip(items, chance, strict=True) if c < 1}
        if not len(items):  # the first item that will be asked about
            cells = self.structure_.finest_cells(self.n_clusters)
            items, groups = cells.centres[[cells.sizes.argmax()]], np.zeros(1, dtype=np.int64)
        self.seeds_ = Seeds(items, groups, max(len(self._standing.numbers), 1))

    # -- what the experts say ----------------------------------------------------------------

    def _listen(self, start: Committee | None) -> dict[str, Opinion]:
        """All opinions on the present seeds; the slow experts' may rest on fewer seeds."""
        seeds, land = self.seeds_, self.structure_
        self._heard = None
        sitting = PRIOR if self.experts is None else self.experts
        quick = {name: land.quick[name] for name in sitting if name in land.quick}
        heard = {name: expert.opinion(seeds) for name, expert in quick.items()}
        if seeds.n_groups < 2 or not set(sitting) & set(land.slow):
            return heard or {"walks": land.walks.opinion(seeds)}
        earlier = start._heard if start is not None and start.structure_ is land else None
        kept = _carried_over(earlier, seeds) if earlier is not None else None
        if kept is not None:
            self._heard = earlier
            return {**heard, **kept}
        slow = {name: land.slow[name].opinion(seeds) for name in sitting if name in land.slow}
        self._heard = _Heard(seeds, slow)
        return {**heard, **slow}

    def _weigh(self, heard: dict[str, Opinion]) -> None:
        """One opinion from all."""
        seeds = self.seeds_
        sizes = np.bincount(seeds.groups, minlength=seeds.n_groups)
        # Nobody could have foreseen the only seed of a group.
        judged = np.flatnonzero(sizes[seeds.groups] > 1)
        chances = np.array([o.held_out[judged, seeds.groups[judged]] for o in heard.values()])
        prior = np.array([PRIOR[name] for name in heard])
        weights = stacked_weights(chances if self.adaptive else chances[:, :0], prior)
        self.weights_ = dict(zip(heard, weights.tolist(), strict=True))
        self.opinions_ = {name: opinion.everyone for name, opinion in heard.items()}
        pairs = list(zip(weights, heard.values(), strict=True))
        self.probabilities_ = np.asarray(sum(w * opinion.everyone for w, opinion in pairs))
        self.held_out_ = np.asarray(sum(w * opinion.held_out for w, opinion in pairs))
        self._modest = self.probabilities_
        self.sharpness_ = 1.0
        if not self.sharpening:
            return
        # Seeds that nobody could have foreseen are a warning that much is unknown.
        foreseen = len(judged) / len(seeds.items)
        self.sharpness_ = sharpness(self.held_out_[judged], seeds.groups[judged]) ** foreseen**2
        self.probabilities_ = sharpened(self.probabilities_, self.sharpness_)
        self.held_out_ = sharpened(self.held_out_, self.sharpness_)

    # -- what follows ------------------------------------------------------------------------

    def _settle(self, links: LinkedGroups) -> None:
        """Make room for groups not found yet, and respect what items are known to differ from."""
        seeds = self.seeds_
        self.chance_of_new_ = 0.0 if self._standing.all_found else self._good_turing()
        unseen, away = self._away()
        self.newness_ = self._newness(unseen, away)
        # Where nobody was asked, joining a group takes more than being closest to it. How sharply
        # known groups are told apart says nothing of that.
        new = np.where(unseen, self.chance_of_new_, self.newness_)
        joining = self._modest.max(axis=1) * (1 - new)
        self._far = (unseen | (away > 0.5)) & (joining < 0.5)
        self.probabilities_ *= (1 - self.newness_)[:, None]
        # Groups that an item is known to differ from are none of its own; the more of them the
        # likelier is another that has not been found.
        touched = np.flatnonzero(links.group >= 0)
        if len(touched):
            differs = self._standing.differing(touched)
            self._spread_differences(touched, differs)
            self.probabilities_[touched] = np.where(differs, 0.0, self.probabilities_[touched])
            least = _NEW_AFTER_ALL * self.chance_of_new_
            self.newness_[touched] = np.maximum(self.newness_[touched], least)
            at = np.searchsorted(touched, seeds.items)
            self.held_out_ = np.where(differs[at], 0.0, self.held_out_)
        total = self.probabilities_.sum(axis=1) + self.newness_
        lost = total <= 1e-12
        self.newness_ = np.where(lost, 1.0, self.newness_ / np.where(lost, 1.0, total))
        self.probabilities_ /= np.where(lost, 1.0, total)[:, None]

    def _newness(self, unseen: npt.NDArray[np.bool_], away: Array) -> Array:  # (n,)
        """How likely each item is of a new group.

        Where nobody was asked as likely as Good and Turing say, and more so where walks lead away
        from placed items more than is usual there.
        """
        newness = self.chance_of_new_ * away
        if unseen.any():
            leading = logit(np.clip(away[unseen], _LEAST, 1 - _LEAST))
            newness[unseen] = expit(logit(self.chance_of_new_) + leading - leading.mean())
        return newness

    def _spread_differences(
        self,
        touched: Labels,
        differs: npt.NDArray[np.bool_],  # (touched,), (touched, groups)
    ) -> None:
        """What an item of a cell without seeds differs from, the others there likely do as well.

        By Laplace's rule: after m of them the next is of that group with one chance in m + 1 of
        what was thought.
        """
        if self.chance_of_new_ == 0:
            return
        cells = self.structure_.finest_cells(self.n_clusters)
        seen = np.isin(np.arange(len(cells.sizes)), cells.of_item[self.seeds_.items])
        counts = np.zeros((len(seen), differs.shape[1]))
        np.add.at(counts, cells.of_item[touched], differs)
        counts[seen] = 0.0
        left = self.probabilities_ / (1 + counts[cells.of_item])
        self.newness_ += (self.probabilities_ - left).sum(axis=1)
        self.probabilities_ = left

    def _away(self) -> tuple[npt.NDArray[np.bool_], Array]:  # (n,), (n,) in [0, 1]
        """Which items are in cells without seeds, and how likely walks end there, not at seeds."""
        cells, walks = self.structure_.finest_cells(self.n_clusters), self.structure_.walks
        seen = np.unique(cells.of_item[self.seeds_.items])
        unseen = np.setdiff1d(np.arange(len(cells.sizes)), seen)
        if not len(unseen):
            return np.zeros(len(cells.of_item), dtype=bool), np.zeros(len(cells.of_item))
        known = walks.ends_at(self.seeds_.items).sum(axis=1)
        there = walks.ends_at(cells.centres[unseen]).sum(axis=1)
        return np.isin(cells.of_item, unseen), there / np.maximum(known + there, 1e-300)

    def _good_turing(self) -> float:
        """The chance that a cell nobody was asked about holds a new group.

        Good and Turing's estimate: as likely as groups seen in one cell only are among the cells.
        """
        seeds = self.seeds_
        cell = self.structure_.finest_cells(self.n_clusters).of_item
        pairs = np.unique(np.stack([seeds.groups, cell[seeds.items]]), axis=1)
        once = int((np.bincount(pairs[0]) == 1).sum())
        n_cells = len(np.unique(pairs[1]))
        return min((once + 0.5) / (n_cells + 2), _MOST_NEW)

    def _label(self, links: LinkedGroups) -> None:
        seeds = self.seeds_
        n = len(self.newness_)
        best = self.probabilities_.argmax(axis=1)
        chance = self.probabilities_[np.arange(n), best]
        cell = self.structure_.cells(self.n_clusters).of_item
        # An item joins a group if that is right more often than not, else it stays with its cell;
        # one that is known to differ from likelier groups, and has no such cell, is alone.
        self.own_ = self._far
        apart = (links.group >= 0) & (chance < 0.5) & ~self.own_
        labels = np.where(self.own_, seeds.n_groups + cell, best)
        if not self._standing.all_found:
            alone = np.flatnonzero(apart)
            labels[alone] = seeds.n_groups + int(cell.max()) + 1 + links.group[alone]
            chance = np.where(self.own_ | apart, self.newness_, chance)
        if links.n_groups:
            labels[seeds.items] = seeds.groups
            chance[seeds.items] = [self.presumed_.get(i, 1.0) for i in seeds.items.tolist()]
        else:
            labels = cell
        self.labels_ = labels_respecting_links(labels, links)
        self.n_clusters_ = int(self.labels_.max()) + 1
        self.confidence_ = np.clip(chance, 0.0, 1.0)

    # -- for those who ask --------------------------------------------------------------------

    def outlook(self, item: int) -> tuple[Array, float]:
        """How likely the item belongs to each group but its own, and to none of them.

        The group that an item is only presumed to belong to is not its own yet.
        """
        at = self._seed_number(item)
        if at is None:
            return self.probabilities_[item].copy(), float(self.newness_[item])
        if item in self.presumed_:
            chance = self.presumed_[item]
            return chance * (np.arange(self.seeds_.n_groups) == self.seeds_.groups[at]), 1 - chance
        chances = self.held_out_[at] * (np.arange(self.seeds_.n_groups) != self.seeds_.groups[at])
        new = max(_NEW_AFTER_ALL * self.chance_of_new_, 1e-9)
        total = float(chances.sum()) + new
        return chances / total, new / total

    def same_probability(self, i: int, j: int) -> float:
        """How likely two items are of one kind."""
        one, other = self._seed_number(i), self._seed_number(j)
        if other is not None:
            return float(self.outlook(i)[0][self.seeds_.groups[other]])
        if one is not None:
            return float(self.probabilities_[j, self.seeds_.groups[one]])
        return float(self.probabilities_[i] @ self.probabilities_[j])

    def _seed_number(self, item: int) -> int | None:
        at = int(np.searchsorted(self.seeds_.items, item))
        found = at < len(self.seeds_.items) and self.seeds_.items[at] == item
        return at if found else None


def _carried_over(heard: _Heard, seeds: Seeds) -> dict[str, Opinion] | None:
    """Earlier opinions in the present numbering of groups; None when it is time to ask again."""
    before = heard.seeds
    if len(seeds.items) >= _GROWTH * len(before.items) or seeds.n_groups != before.n_groups:
        return None
    at = np.searchsorted(seeds.items, before.items)
    at = np.minimum(at, len(seeds.items) - 1)
    if not np.array_equal(seeds.items[at], before.items):
        return None
    pairs = np.unique(np.stack([seeds.groups[at], before.groups]), axis=1)
    if pairs.shape[1] != seeds.n_groups or len(np.unique(pairs[1])) != seeds.n_groups:
        return None
    columns = pairs[1]  # pairs are sorted by the present number
    carried = {}
    for name, opinion in heard.opinions.items():
        # What was said about a seed of today before it was one is not the wiser for it.
        held_out = opinion.everyone[seeds.items]
        held_out[at] = opinion.held_out
        carried[name] = Opinion(opinion.everyone[:, columns], held_out[:, columns])
    return carried
