"""A study: items, a journal of answers, and everything computed from the two."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from importlib import import_module
from itertools import takewhile
from typing import Any, Self, cast

import numpy as np
import numpy.typing as npt

from likewise._seeds import RandomState, seed_from
from likewise._version import __version__
from likewise.affinities.forest.inconsistency import Doubt, doubtful
from likewise.affinities.neighbour_votes import neighbour_votes
from likewise.beliefs import Inference
from likewise.clusterers import Clusterer, MetricLearner
from likewise.errors import AnswerError, DataError
from likewise.items import Items
from likewise.items.out_of_sample import PredictedGroups, assign_new_items, encode_new_items
from likewise.journal import Answered, Event, Opened, OpenedSimilarities, Retracted
from likewise.journal.events import new_identity, timestamp
from likewise.journal.group_number import NumberOfGroups, checked_number, exact_number
from likewise.journal.pairs import Answer, Changes, Pair, Question, Verdict
from likewise.journal.state import Journal
from likewise.methods import Recipe, groups_for, named_recipe, recipe_begun_with
from likewise.stores.stored_journal import StoredJournal
from likewise.strategies import Forecaster, View, same_probability
from likewise.study import known_items
from likewise.study.answerers import copy_without
from likewise.study.base import Where
from likewise.study.fit_cache import FitCache
from likewise.study.pickled import pack, unpack
from likewise.study.positions import positions
from likewise.study.reduction.reduced import InnerStudy, Reduction
from likewise.study.verification import VerifyingStudy

# A pair answered "unsure" is not asked again before this many more answers.
_REST = 20
# How many answers back an item counts as being in the middle of its placing.
_RECENT = 64


class Study(VerifyingStudy):
    """Groups items by asking about pairs of them: `ask` proposes, `tell` records.

    All that is known of the groups is computed from the items and the journal of answers: the same
    items, settings and answers give the same next question, also after the study is opened again.

    Parameters
    ----------
    X : array, sparse matrix, table, texts or Items
        The items, a row each; at least two. `Items.of` says what may be given.
    method : str or Recipe
        A name from `likewise.METHODS`, or a recipe of your own; the journal keeps its name.
    n_clusters : int or tuple of two int, optional
        The number of groups if it is known, from 1 to the number of items. It is taken at its
        word: once so many groups are found, an item that differs from all but one belongs to that
        one; with 1 nothing is asked. A range, (5, 20), is a guess: `auto` expects a number within
        it until answers say otherwise, for other methods the number stays unknown, but those that
        need one take one from the range. None: it is found out.
    random_state : int, RandomState, Generator or None
        The seed of all that is random; of a generator its next draw, of None any. It is kept.
    store : str, Path, Store, StoredJournal or None
        Where the journal is kept; None is in memory. If it holds a study of the same items and
        settings already, that goes on.

    Attributes
    ----------
    items : Items
        What is grouped.
    recipe : Recipe
        What the method is made of.
    labels_ : array of int, shape (n_items,)
        The group of every item.
    confidence_ : array of float, shape (n_items,)
        How sure each label is.
    names_ : dict of int to str
        The names of groups, by label.
    clustering_ : Clusterer
        The fitted clusterer.

    Raises
    ------
    DataError
        If the items cannot be compared.
    MethodError
        If there is no such method, or a setting is out of its range.
    StoreError
        If the store cannot be used, or holds another study.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0], [5.1]], n_clusters=2)
    >>> truth = [0, 0, 1, 1]
    >>> while (question := study.ask()) is not None:
    ...     i, j = question.pair
    ...     _ = study.tell(question, truth[i] == truth[j])
    >>> study.labels_
    array([0, 0, 1, 1])
    >>> study.n_answers
    3
    """

    _noun, _subject = "answer", "an answer"
    _constructor = "Study(X, store=...)"

    def __init__(
        self,
        X: Any,
        *,
        method: str | Recipe = "auto",
        n_clusters: NumberOfGroups = None,
        random_state: RandomState = 0,
        store: Where = None,
    ) -> None:
        stored = StoredJournal.read(store)
        items = known_items.known_by_numbers(Items.of(X), stored)
        name, recipe = named_recipe(method)
        n_clusters = groups_for(method, checked_number(n_clusters, len(items)))
        settings = (name, n_clusters, seed_from(random_state))
        wanted = Opened(len(items), items.fingerprint(), *settings, new_identity())
        self._begin(stored, wanted, any_seed=random_state is None)
        self._set_up(items, recipe)
        known_items.remember_rows(items, self.store)
        if items.off and not self._state.n_switched:
            self.switch_views(off=items.off)

    @classmethod
    def open(cls, store: Where, X: Any = None, *, method: str | Recipe | None = None) -> Study:
        """Go on with a study that was begun earlier, on the same items.

        Parameters
        ----------
        store : str, Path, Store or StoredJournal
            Where its journal is kept; it is read once.
        X : array, sparse matrix, data frame or Items
            The items, given again. Rows in parts may be more by now, where a database keeps it.
        method : str or Recipe, optional
            The recipe it was begun with, if that has no name in `likewise.METHODS`; another
            method than the journal's is refused.
        """
        stored = cls._read(store)
        if X is None:
            raise DataError("this journal only refers to its items; give them again")
        X, stored = known_items.in_order_of_journal(X, stored)
        study = cls.__new__(cls)
        study._attach(stored)
        opened = study._state.opened
        study._set_up(known_items.recognised(X, opened), recipe_begun_with(opened.method, method))
        return study

    def __getstate__(self) -> dict[str, Any]:
        """Return a copy in memory: what is told to it after unpickling stays in the copy."""
        return pack(self)

    def __setstate__(self, state: dict[str, Any]) -> None:
        unpack(self, state)

    @classmethod
    def _replay(cls, events: Sequence[Event]) -> Journal:
        return Journal.replay(events)

    @classmethod
    def _difference(
        cls, found: Opened | OpenedSimilarities, wanted: Opened | OpenedSimilarities
    ) -> str:
        if found.fingerprint != wanted.fingerprint:
            return (
                f"the journal belongs to {found.n_items} other items than the {wanted.n_items} "
                "given; give the items it was begun with or choose another file (a study of rows "
                "in parts to which others have come goes on by Study.open)"
            )
        return super()._difference(found, wanted)

    def _set_up(self, items: Items, recipe: Recipe) -> None:
        """Prepare what the settings of the journal ask for."""
        self._items, self.recipe = items.switched(self._state.off), recipe
        self._state.restrict(len(items))
        self._n_grown_at_opening = self._state.n_grown
        opened = self._state.opened
        self.method, self.n_clusters = opened.method, opened.n_clusters
        self.random_state = opened.random_state
        self._inference = Inference()
        self._strategy = recipe.strategy()
        self._compare_anew(self._items)

    def _compare_anew(self, items: Items) -> None:
        super()._compare_anew(items)
        settings = (self.method, self.n_clusters, self.random_state)
        self._fit_cache = FitCache(items, self.recipe, *settings)
        self._reduction: Reduction | None = None
        self._is_reduced: bool | None = None  # None: nobody has looked yet

    @property
    def _fits(self) -> FitCache:
        """What was computed of the items by the views that count."""
        assert self.items is self._items  # looking at them takes in what was switched
        return self._fit_cache

    # -- large piles -------------------------------------------------------------------------

    @property
    def reduced(self) -> Study:
        """The study that is computed on: of a large pile one of its representatives, else itself.

        It is made anew as answers come. Its items have other numbers, and it is only to be read.
        """
        inner = self._inner
        return self if inner is None else inner.study

    def stands_for(self) -> npt.NDArray[np.int64]:  # (len(self.reduced.items),)
        """Return for how many items each one stands that is computed on: itself, or more."""
        return np.ones(len(self.items), int) if (one := self._inner) is None else one.stands_for()

    @property
    def _inner(self) -> InnerStudy | None:
        """The study of representatives after the answers so far; None where all items are."""
        items = self.items  # looking at them takes in what was switched
        if self._is_reduced is None:
            choose = self.recipe.representatives
            wanted = None if choose is None else choose(items, self.n_clusters)
            self._is_reduced = wanted is not None
            if wanted is not None:
                self._reduction = Reduction(items, wanted, self.random_state)
        if self._reduction is None:
            return None
        return self._reduction.inner_after(self, self._state.answers)

    def prepare(self) -> None:
        """Begin what a later question would wait for, in a thread; call it while somebody looks."""
        if self._inner is None or self._reduction is None:
            return self._fits.prepare(self._state.answers, self.constraints)
        return self._reduction.prepare(self, self._state.answers)

    def _never_reduced(self) -> None:
        """Compute on all items, however many there are."""
        self._is_reduced, self._reduction = False, None

    def _share_reduction(self, other: Study) -> None:
        """Take over what another study of the same items has found of representatives."""
        self._is_reduced = other._is_reduced
        self._reduction = None if other._reduction is None else other._reduction.copy()

    def distances(self, items: Any, others: Any) -> npt.NDArray[np.float64]:  # (items, others)
        """Return how far some items are from others, by their positions."""
        if self._inner is not None and self._reduction is not None:
            return self._reduction.distances(items, others)
        return self.view.affinity.distances(items, others)

    # -- asking ------------------------------------------------------------------------------

    def _propose(self, n: int, pending: frozenset[Pair]) -> list[Question]:
        if self.n_clusters == 1:
            return []  # all are the same, as was said
        inner = self._inner
        if inner is not None:
            found = inner.study._propose(n, inner.pending(pending))
            return [inner.outward(question) for question in found]
        view = self._view(pending)
        rng = np.random.default_rng([self.random_state, self.n_answers])
        pairs = self._strategy.propose(view, n, rng)
        pace = self.pace
        return [
            Question(pair, self._forecast(view, pair), pace.of_pair(self._looks[[*pair]]))
            for pair in pairs
        ]

    # -- answering ---------------------------------------------------------------------------

    def record(self, make: Callable[[], Changes]) -> list[Answer]:
        """Keep several answers and retractions in one piece, all of them or none.

        Parameters
        ----------
        make
            Returns the changes, as the study is when it is called. When another program has
            written meanwhile, that is taken in and `make` is called again, so it must look at the
            study anew.

        Returns
        -------
        list of Answer
            The new answers. A draft whose `client_id` the journal knows makes none.
        """

        def events() -> list[Answered | Retracted]:
            changes, now = make(), timestamp()
            unknown = [
                draft for draft in changes.drafts if draft.client_id not in self._state.by_client_id
            ]
            for draft in unknown:
                self.require_pair(*draft.pair)
            step = self._state.steps.next_number if changes.is_step else None
            return [
                *(Retracted(answer_id, now, changes.who, step) for answer_id in changes.retracted),
                *(
                    Answered(draft.answer(answer_id, now, __version__), step)
                    for answer_id, draft in enumerate(unknown, start=self._state.next_id)
                ),
            ]

        kept = self._record(events)
        return [event.answer for event in kept if isinstance(event, Answered)]

    def require_item(self, item: int) -> None:
        """Refuse a position at which there is no item."""
        if not 0 <= item < len(self.items):
            raise AnswerError(
                f"an item must lie between 0 and {len(self.items) - 1}, not at {item}"
            )

    @property
    def n_pile_changes(self) -> int:
        """How often other programs have found, since this was opened, that the pile is another.

        The study goes on with the items it has; opened again, it has the others too.
        """
        return self._state.n_grown - self._n_grown_at_opening

    def find(self, number: int) -> Answer:
        """Return the answer with this id, also if it says nothing about the items at hand."""
        for one in (*reversed(self._state.answers), *reversed(self._state.whole.answers)):
            if one.id == number:
                return one
        return super().find(number)

    @property
    def _n_items(self) -> int:
        return len(self.items)

    def _originals(self) -> Iterable[tuple[str, int]]:
        return self.items.originals()

    # -- what is known -----------------------------------------------------------------------

    def without(self, *who: str) -> Self:
        """Return a copy in memory without the answers of these people: what if they had not come.

        Examples
        --------
        >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
        >>> _ = study.tell((0, 1), "different", who="Bob"), study.tell((0, 1), "same", who="Ada")
        >>> study.without("Bob").n_answers
        1
        """
        return copy_without(self, who)

    def doubtful(self) -> list[Doubt]:
        """Return the answers that look wrong beside the others, the most doubtful first.

        With fewer than five answers of a kind there is nothing to compare with, and none.
        """
        X = positions(self.reduced)
        told = self.reduced._state.answers
        original = {answer.id: answer for answer in self._state.answers}
        found = doubtful(X, told, random_state=self.random_state)
        return [replace(one, answer=original[one.answer.id]) for one in found]

    @property
    def labels_(self) -> npt.NDArray[np.int64]:  # (n,)
        """The group of every item; no undisputed answer is contradicted."""
        inner = self._inner
        if inner is not None:
            return inner.labels_and_confidence()[0].copy()
        return self._fit().labels_.copy()

    def predict(self, X: Any) -> npt.NDArray[np.int64]:  # (rows of X,)
        """Return the groups of items that were not in the study.

        `X` holds items like those the study was begun with: rows, texts, files of pictures. Its
        answers and its groups stay as they are.
        """
        return self.assign(X).groups

    def assign(self, X: Any) -> PredictedGroups:
        """Return the groups of items that were not in the study, how sure, and which fit nowhere.

        Examples
        --------
        >>> import numpy as np
        >>> numbers = np.concatenate([np.arange(20) / 100, 5 + np.arange(20) / 100])
        >>> study = Study(numbers[:, None])
        >>> found = study.assign([[0.05], [9.0]])
        >>> found.groups.tolist() == [study.labels_[0], study.labels_[-1]], found.new_kind.tolist()
        (True, [False, True])
        """
        return self.assign_encoded(*encode_new_items(self.items, X))

    def assign_encoded(self, old: Any, new: Any, as_fitted: bool) -> PredictedGroups:
        """Return the same of items of which `encode_new_items` has made features."""
        inner = self._inner
        if inner is not None:
            return inner.study.assign_encoded(inner.taken(old), new, as_fitted)
        model = self.clustering_ if as_fitted else None
        return assign_new_items(old, new, self.labels_, self.confidence_, model)

    @property
    def named(self) -> dict[int, str]:
        """The names of groups, by the item that each was given to; the latest last."""
        return dict(self._state.names)

    @property
    def names_(self) -> dict[int, str]:
        """The names of groups, by label; where named groups have become one, the latest name."""
        labels, named = self.labels_, {}
        for item, name in self._state.names.items():
            named[int(labels[item])] = name
        return {label: name for label, name in sorted(named.items()) if name}

    @property
    def clustering_(self) -> Any:
        """The fitted clusterer, with what it has learned: `feature_weights_`, say, of a metric.

        Of a large pile it is that of the representatives, `reduced`.
        """
        return self.reduced._fit()

    @property
    def confidence_(self) -> npt.NDArray[np.float64]:  # (n,) in [0, 1]
        """How sure each label is: 1 for items placed by answers, 0.5 where answers disagree."""
        inner = self._inner
        if inner is not None:
            return inner.labels_and_confidence()[1].copy()
        fitted = self._fit()
        confidence = getattr(fitted, "confidence_", None)
        if confidence is None:
            affinity = self._fits.affinity_after(self._state.answers, self.constraints).affinity_
            votes = neighbour_votes(affinity, fitted.labels_)
            confidence = votes[np.arange(len(votes)), fitted.labels_]
        confidence = confidence.copy()
        confidence[self.constraints.placed()] = 1.0
        loops = ((dispute.answer, *dispute.chain) for dispute in self.disputes())
        confidence[[item for loop in loops for answer in loop for item in answer.pair]] = 0.5
        return confidence

    @property
    def view(self) -> View:
        """All that a strategy is given to see; to be read, not changed.

        Of a large pile it is that of the representatives, `reduced`.
        """
        return self.reduced._view(frozenset())

    @property
    def seconds_fitting(self) -> float:
        """Time spent on affinities and clusterings, of all the computing."""
        return self.reduced._fits.seconds

    def widget(self) -> Any:
        """Return a widget for notebooks, which shows question and groups as the page does."""
        # By name: the study does not know of the page, it only opens it.
        return import_module("likewise.web.widget").widget(self)

    # -- computing ---------------------------------------------------------------------------

    def _view(self, pending: frozenset[Pair]) -> View:
        answers = self._state.answers
        # What a program was unsure about is asked at once: a person may know.
        deferred = [
            a.pair.unordered
            for a in answers[-_REST:]
            if a.verdict is Verdict.UNSURE and not a.by_program
        ]
        first = int(np.random.default_rng(self.random_state).integers(len(self.items)))
        return View(
            features=self.items.features,
            affinity=self._fits.affinity_after(answers, self.constraints),
            constraints=self.constraints,
            n_clusters=exact_number(self.n_clusters),
            first_item=first,
            pending=pending,
            deferred=frozenset(deferred),
            recent=tuple(answer.pair.i for answer in reversed(answers[-_RECENT:])),
            fit=self._fit,
            metric=self._learned if self._fits.learns_metric else None,
        )

    def _forecast(self, view: View, pair: Pair) -> float:
        if isinstance(self._strategy, Forecaster):
            return self._strategy.same_probability(view, pair)
        return same_probability(view, pair)

    def _fit(self) -> Clusterer:
        return self._fits.clustering_after(self._state.answers, self.constraints)

    def _learned(self) -> MetricLearner:
        """Return the clustering from before the item being placed was first asked about."""
        answers, known = self._state.answers, self.constraints
        item = answers[-1].pair.i if answers else -1
        if not answers or known.component(item) in map(known.component, known.representatives):
            return cast(MetricLearner, self._fit())
        about_it = takewhile(lambda answer: answer.pair.i == item, reversed(answers))
        before = answers[: len(answers) - sum(1 for _ in about_it)]
        return cast(MetricLearner, self._fits.clustering_after(before, known))
