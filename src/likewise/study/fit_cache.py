"""What a study computes from items and answers: the affinity once, a clustering per answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from concurrent.futures import Future
from contextlib import contextmanager
from copy import copy
from dataclasses import dataclass
from hashlib import blake2b
from operator import attrgetter
from time import perf_counter
from typing import Any, cast

import numpy as np
import scipy.sparse as sp

from likewise.affinities import Affinity
from likewise.affinities.base import LearnsAhead, Links
from likewise.clusterers import Clusterer, MetricLearner, PreparesStart, Requirements
from likewise.errors import MethodError
from likewise.items import Items
from likewise.journal.constraints import Constraints
from likewise.journal.group_number import NumberOfGroups, exact_number, nearest_number
from likewise.journal.pairs import Answer
from likewise.methods import Recipe
from likewise.study._background import in_background

# FitCache build on fits after multiples of this many answers; see lengths_before.
_STRIDE = 16

# By what a fit is recognised: the number of answers it rests on, and a digest of their ids.
Key = tuple[int, bytes]
Fitted = tuple[dict[Key, Affinity], dict[Key, Clusterer], dict[Key, Clusterer]]

_NO_EFFECT = np.iinfo(np.int64).min  # stands for the id of an answer that is overruled


@dataclass(frozen=True)
class Ahead:
    """An affinity that is being fitted, and clustered by, before it counts.

    Parameters
    ----------
    key : tuple
        By what it will be recognised.
    n_answers : int
        How many answers were clustered by.
    affinity : Affinity or None
        It, where an earlier thread has fitted it.
    working : Future
        It, once the thread is done.
    """

    key: Key
    n_answers: int
    affinity: Affinity | None
    working: Future[Affinity]

    def affinity_of(self, key: Key) -> Affinity | None:
        """Return the affinity if it is recognised by this, and could be fitted."""
        if key != self.key:
            return None
        if self.affinity is not None:
            return self.affinity
        # What has failed fails again where it is needed, if it was not by chance.
        return None if self.working.exception() is not None else self.working.result()


class FitCache:
    """The clusterings of one study; the one asked for last and those it builds on are kept.

    Every fit starts from an earlier one, which depends on the answers alone (`lengths_before`), so
    that a study opened again finds the same groups bit for bit.

    Attributes
    ----------
    seconds : float
        Time spent on affinities and clusterings.
    """

    def __init__(
        self,
        items: Items,
        recipe: Recipe,
        method: str,
        n_clusters: NumberOfGroups,
        random_state: int,
    ) -> None:
        self.items, self.recipe = items, recipe
        self.n_clusters, self.random_state = n_clusters, random_state
        self.seconds = 0.0  # spent on affinities and clusterings
        clusterer = recipe.clusterer(n_clusters=1, random_state=0)
        self._required = Requirements.of(clusterer)
        _require_suitable(method, self._required, items)
        self.learns_metric = isinstance(clusterer, MetricLearner)
        # Both by the answers they rest on.
        self._affinities: dict[Key, Affinity] = {}
        self._clusterings: dict[Key, Clusterer] = {}
        # What those build on, where a clusterer can tell what of an earlier fit is needed.
        self._prepares_start = isinstance(clusterer, PreparesStart)
        self._starts: dict[Key, Clusterer] = {}
        self._latest: tuple[Key, Clusterer | None] = (0, b""), None
        self._is_prepared = False  # what is needed from the first answer on
        self._ahead: Ahead | None = None  # begun before it counts

    def copy(self) -> FitCache:
        """Return a cache with all that was computed so far, that leaves this one as it is."""
        other = copy(self)
        other.fitted = self.fitted
        return other

    @property
    def fitted(self) -> Fitted:
        """The affinities and clusterings that are kept, and what clusterings build on."""
        return dict(self._affinities), dict(self._clusterings), dict(self._starts)

    @fitted.setter
    def fitted(self, fitted: Fitted) -> None:
        self._affinities, self._clusterings, self._starts = fitted

    def affinity_after(
        self, answers: Sequence[Answer], known: Constraints | None = None
    ) -> Affinity:
        """Return the fitted affinity; one that learns does so with every 16th answer.

        `known` is as of `clustering_after`.
        """
        affinity = self.recipe.affinity(self.items)
        (key,) = _keys(answers, known, [_learned_from(affinity, len(answers))])
        if key not in self._affinities:
            with self._timed():
                found = None if self._ahead is None else self._ahead.affinity_of(key)
                if found is None:
                    links = _links(known or self._known(answers), key[0])
                    found = affinity.fit(self.items.data, **links)
                self._affinities[key] = found
        return self._affinities[key]

    def prepare(self, answers: Sequence[Answer], known: Constraints) -> None:
        """Begin in another thread what a later clustering will rest on; this returns soon.

        Before the first answer that is whatever the clusterer needs from then on; later, if there
        is one, an affinity that will count some answers from now on. A clustering is made of it
        for what is computed on the way, and again with every further answer. Whoever needs the
        affinity before it is there waits for that thread.
        """
        n, affinity, ahead = len(answers), self.recipe.affinity(self.items), self._ahead
        if n == 0 and not self._is_prepared:
            self._is_prepared = True
            first = self.clustering_after(answers, known)
            if isinstance(first, PreparesStart):
                in_background(first.prepare)
        length = _next_learned_from(affinity, n)
        if length is None or not self._prepares_start:
            return
        (key,) = _keys(answers, known, [length])
        if ahead is not None and ahead.key != key:
            ahead = None
        if ahead is not None and (ahead.n_answers == n or not ahead.working.done()):
            return
        # All that answers change, in this thread: the next one may come before the other is done.
        start = self.clustering_after(answers, known)
        links, learned = _links(known, n), _links(known, length)
        n_clusters = self._number_of_groups(known.n_representatives_after(n))
        earlier = None if ahead is None else ahead.affinity_of(key)

        def work() -> Affinity:
            found = affinity.fit(self.items.data, **learned) if earlier is None else earlier
            self._fit_on(found, n_clusters, links, start)
            return found

        self._ahead = Ahead(key, n, earlier, in_background(work))

    def clustering_after(
        self, answers: Sequence[Answer], known: Constraints | None = None
    ) -> Clusterer:
        """Return the groups after these answers, the same whatever was computed before.

        `known`, what follows from these answers or from more that begin with them, saves finding
        it out again.
        """
        keys = _keys(answers, known, lengths_before(len(answers)))
        last = keys[-1]
        if last not in self._clusterings:
            chain = {key: answers[: key[0]] for key in keys}
            self._keep_affinities(answers, known, lengths_before(len(answers)))
            # Where another fit only saves work, and changes nothing, any will do: the latest.
            resumes = not self._required.start_changes_labels
            if resumes:
                chain = {last: answers}
            earlier, self._clusterings = self._clusterings, {}
            start = self._latest[1] if resumes else None
            known = known or self._known(answers)
            starts, self._starts = self._starts, {}
            for key, so_far in chain.items():
                if key == last or not self._prepares_start:
                    start = earlier[key] if key in earlier else self._fit(so_far, known, start)
                    self._clusterings[key] = start
                else:
                    if key in earlier:
                        starts[key] = _as_start(earlier[key])
                    elif key not in starts:
                        starts[key] = self._fit(so_far, known, start, only_start=True)
                    start = self._starts[key] = starts[key]
        self._latest = last, self._clusterings[last]
        return self._clusterings[last]

    def warm_started_clustering(self, answers: Sequence[Answer], known: Constraints) -> Clusterer:
        """Return the groups after these answers, by one fit that starts from the one made last.

        Quicker, but what is found depends a little on what was computed before.
        """
        before, start = self._latest
        keys = _keys(answers, known, sorted({min(before[0], len(answers)), len(answers)}))
        if start is None or before not in keys:
            return self.clustering_after(answers, known)
        if before != keys[-1]:
            lengths = [n for n, _ in self._clusterings if n <= len(answers)]
            self._keep_affinities(answers, known, [*lengths, len(answers)])
            self._latest = keys[-1], self._fit(answers, known, start)
        return cast(Clusterer, self._latest[1])

    def _keep_affinities(
        self, answers: Sequence[Answer], known: Constraints | None, lengths: list[int]
    ) -> None:
        """Forget the affinities but those before any answer, and after so many of these."""
        affinity = self.recipe.affinity(self.items)
        learned = sorted({0, *(_learned_from(affinity, n) for n in lengths)})
        kept = set(_keys(answers, known, learned))
        self._affinities = {key: one for key, one in self._affinities.items() if key in kept}

    def _known(self, answers: Sequence[Answer]) -> Constraints:
        return Constraints.of(len(self.items), answers, exact_number(self.n_clusters))

    def _fit(
        self,
        answers: Sequence[Answer],
        known: Constraints,
        start: Clusterer | None,
        *,
        only_start: bool = False,
    ) -> Clusterer:
        """Fit after the first of the answers that `known` rests on."""
        on_features = self._required.fits_on == "features"
        affinity = None if on_features else self.affinity_after(answers, known)
        n_clusters = self._number_of_groups(known.n_representatives_after(len(answers)))
        links = _links(known, len(answers))
        with self._timed():
            return self._fit_on(affinity, n_clusters, links, start, only_start=only_start)

    def _fit_on(
        self,
        affinity: Affinity | None,
        n_clusters: NumberOfGroups,
        links: dict[str, Links],
        start: Clusterer | None,
        *,
        only_start: bool = False,
    ) -> Clusterer:
        """Fit to what is known of the items, by this affinity, and to these links."""
        clusterer = self._clusterer(n_clusters, links, start)
        if type(start) is not type(clusterer):
            start = None
        fits_on = self._required.fits_on
        graph = None if affinity is None else affinity.affinity_
        # One that learns from the answers may have found better features, too.
        both = getattr(affinity, "features_", self.items.features)
        data = {"features": self.items.data, "affinity": graph, "both": both}
        also: dict[str, Any] = {"affinity": graph} if fits_on == "both" else {}
        # A clusterer that was handed over to need not know how to prepare a start.
        bare = only_start and isinstance(clusterer, PreparesStart)
        fit = cast(Any, clusterer).fit_start if bare else clusterer.fit
        found: Clusterer = fit(data[fits_on], **links, start=start, **also)
        return found

    def _clusterer(
        self, n_clusters: NumberOfGroups, links: dict[str, Links], start: Clusterer | None
    ) -> Clusterer:
        """Return the clusterer that is right for the pile, as far as the answers have shown."""
        recipe, build = self.recipe, self.recipe.clusterer
        if recipe.hand_over is not None:
            must, cannot = links["must_link"], links["cannot_link"]
            build = recipe.hand_over(self.items, n_clusters, must, cannot, start) or build
        return build(n_clusters=n_clusters, random_state=self.random_state)

    def _number_of_groups(self, n_found: int) -> NumberOfGroups:
        """Return the number of groups for a clusterer when so many are found."""
        if self._required.takes_range:
            return self.n_clusters
        exact = exact_number(self.n_clusters)
        if exact is not None or self._required.finds_n_clusters:
            return exact
        return min(nearest_number(self.n_clusters, max(2, n_found)), len(self.items))

    @contextmanager
    def _timed(self) -> Iterator[None]:
        began = perf_counter()
        yield
        self.seconds += perf_counter() - began


def _keys(answers: Sequence[Answer], known: Constraints | None, lengths: list[int]) -> list[Key]:
    """Return by what fits after so many of these answers are recognised; `lengths` ascend."""
    ids = np.fromiter(map(attrgetter("id"), answers), np.int64, len(answers))
    if known is not None and known.overruled:
        ids[np.isin(ids, list(known.overruled))] = _NO_EFFECT
    digest, begin, keys = blake2b(digest_size=16), 0, list[Key]()
    for length in lengths:
        digest.update(ids[begin:length].tobytes())
        begin = length
        keys.append((length, digest.digest()))
    return keys


def _learned_from(affinity: Affinity, n_answers: int) -> int:
    """Return from how many of so many answers an affinity learns."""
    if not affinity.learns:
        return 0
    if isinstance(affinity, LearnsAhead):
        return affinity.learned_from(n_answers)
    return n_answers - n_answers % _STRIDE


def _next_learned_from(affinity: Affinity, n_answers: int) -> int | None:
    """Return from how many answers an affinity will learn next; None if not all are there yet."""
    now = _learned_from(affinity, n_answers)
    later = (_learned_from(affinity, n) for n in range(n_answers + 1, 2 * n_answers + _STRIDE + 1))
    length = next((length for length in later if length > now), None)
    return None if length is None or length > n_answers else length


def _as_start(fit: Clusterer) -> Clusterer:
    """Return what a later fit needs of one, where its clusterer can tell."""
    return cast(Clusterer, fit.as_start()) if isinstance(fit, PreparesStart) else fit


def _links(known: Constraints, n_answers: int) -> dict[str, Links]:
    must_link, cannot_link = known.links_after(n_answers)
    return {"must_link": must_link, "cannot_link": cannot_link}


def lengths_before(n_answers: int) -> list[int]:
    """Return after how many answers fits are made for one after `n_answers`, itself included.

    First the last multiple of 16, then lengths that clear one binary digit after the other: few
    fits even in a long study, some of them recent, and all depend on the answers alone, so that a
    study opened again computes bit for bit what it would have.

    >>> lengths_before(300)
    [0, 256, 288, 300]
    """
    lengths = [n_answers]
    while lengths[-1]:
        last = lengths[-1]
        lengths.append(last - last % _STRIDE if last % _STRIDE else last & (last - 1))
    return lengths[::-1]


def _require_suitable(method: str, required: Requirements, items: Items) -> None:
    """Raise a `MethodError` for items that a method's clusterer cannot be given."""
    if required.fits_on != "features":
        return
    if items.features is None:
        raise MethodError(
            f"the method {method!r} needs features, but only how alike the items are is known; "
            "use a spectral method such as 'urasc'"
        )
    if sp.issparse(items.features) and not required.accepts_sparse:
        raise MethodError(
            f"the method {method!r} needs a dense array; reduce the features first, "
            "for example by truncated SVD, or use a spectral method such as 'urasc'"
        )
