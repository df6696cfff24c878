"""A study of similarities while it is served: who is shown which pair, and what is known."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

import numpy as np

from likewise.errors import AnswerError
from likewise.items import Items
from likewise.journal.pairs import Measurement, Pair
from likewise.study import SimilarityStudy
from likewise.views.thumbnails import Thumbnails
from likewise.web.rating.schemas import MOST, RaterOut, RatingProgressOut

T = TypeVar("T")

_LEASE_SECONDS = 120.0  # that a pair is kept for somebody who looks at it
_LOOKED_AT = 8  # pairs among which one is sought that a person has not rated yet
_REMEMBERED = 10_000  # ratings that may be sent again


class RatingService:
    """Owns a study of similarities; every request goes through here, one at a time.

    Parameters
    ----------
    study
        The study; nobody else may write to it from this process while it is served.
    items
        What is rated.
    name
        What the page calls it.
    price
        What a rating costs.
    clock
        Monotonic seconds; replaced in tests.
    """

    def __init__(
        self,
        study: SimilarityStudy,
        items: Items,
        *,
        name: str = "",
        price: float = 1.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.study, self.items, self.name, self.price = study, items, name or "likewise", price
        self.thumbnails = Thumbnails(items)
        self._clock = clock
        self._leases: dict[str, tuple[Pair, float]] = {}
        self._by_client_id: dict[str, Measurement] = {}
        self._thread = ThreadPoolExecutor(1, "likewise-rating")

    def close(self) -> None:
        """Stop computing; whatever was acknowledged is on the disk already."""
        self._thread.shutdown(cancel_futures=True)

    async def run(self, work: Callable[..., T], *args: Any) -> T:
        """Run something in the thread in which the study may be touched."""
        return await asyncio.wrap_future(self._thread.submit(work, *args))

    def question(self, who: str) -> Pair | None:
        """Lease the pair most worth a look to somebody; None when all are rated.

        Nobody is shown what another one looks at. Where pairs are rated several times, a person is
        shown one again only if nothing else is left.
        """
        now = self._clock()
        others = [
            pair for other, (pair, until) in self._leases.items() if other != who and until > now
        ]
        found = self.study.ask(_LOOKED_AT, pending=others)
        mine = {one.pair.unordered for one in self.study.measurements if one.who == who}
        fresh = [one for one in found if one.unordered not in mine]
        pair = next(iter(fresh or found), None)
        self._leases.pop(who, None)
        if pair is not None:
            self._leases[who] = pair, now + _LEASE_SECONDS
        return pair

    def tell(
        self,
        pair: Pair,
        rating: int | None,
        *,
        who: str,
        seconds: float | None,
        client_id: str,
    ) -> Measurement:
        """Record a rating, or that a pair cannot be judged; what is sent again is kept once."""
        if client_id in self._by_client_id:
            return self._by_client_id[client_id]
        if rating is None:
            kept = self.study.unavailable(pair, who=who)
        else:
            value = (rating - 1) / (MOST - 1)
            kept = self.study.tell(pair, value, cost=self.price, who=who, seconds=seconds)
        if client_id:
            self._by_client_id[client_id] = kept
            while len(self._by_client_id) > _REMEMBERED:
                del self._by_client_id[next(iter(self._by_client_id))]
        return kept

    def undo(self, who: str) -> Measurement:
        """Take back the last rating of a person."""
        for one in reversed(self.study.measurements):
            if one.who == who:
                return self.study.retract(one.id, who=who)
        raise AnswerError("there is no rating of yours to take back")

    def progress(self) -> RatingProgressOut:
        """Return how far it is: how much is measured, what it cost, and what to expect of it."""
        study = self.study
        kept = study.measurements
        rated = {one.pair.unordered for one in kept if one.value is not None}
        n_pairs = study.n * (study.n - 1) // 2
        repeats = Counter(Counter(one.pair.unordered for one in kept).values())
        return RatingProgressOut(
            name=self.name,
            items=study.n,
            groups=study.n_clusters,
            pairs=n_pairs,
            rated=len(rated),
            share=len(rated) / n_pairs,
            ratings=study.n_measurements,
            repeated=sum(count for times, count in repeats.items() if times > 1),
            repeats=study.max_repeats,
            not_judged=sum(one.value is None for one in kept),
            cost=study.cost,
            whole_cost=n_pairs * self.price,
            expected_error=study.expected_error_,
            raters=raters(kept),
        )


def raters(kept: list[Measurement]) -> list[RaterOut]:
    """Return what each person did, and how far off others they are where both rated a pair."""
    values: dict[Pair, list[tuple[str, float]]] = defaultdict(list)
    for one in kept:
        if one.value is not None:
            values[one.pair.unordered].append((one.who, 1 + (MOST - 1) * one.value))
    off: dict[str, list[float]] = defaultdict(list)
    for said in values.values():
        for who, value in said:
            off[who] += [abs(value - other) for name, other in said if name != who]
    by_rater: dict[str, list[Measurement]] = defaultdict(list)
    for one in kept:
        by_rater[one.who].append(one)
    return [
        RaterOut(
            name=who,
            ratings=sum(one.value is not None for one in mine),
            not_judged=sum(one.value is None for one in mine),
            seconds=_mean([one.seconds for one in mine if one.seconds is not None]),
            apart=_mean(off[who]),
        )
        for who, mine in by_rater.items()
    ]


def _mean(values: list[float]) -> float | None:
    return float(np.mean(values)) if values else None
