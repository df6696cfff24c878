"""A study: items, a journal of answers, and everything computed from the two."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import takewhile
from operator import index
from typing import Any, TypeVar, cast

import numpy as np
import numpy.typing as npt
import scipy.sparse as sp

from likewise._version import __version__
from likewise.affinities.forest.inconsistency import Doubt, doubtful
from likewise.affinities.neighbour_votes import neighbour_votes
from likewise.clusterers import Clusterer, MetricLearner
from likewise.errors import AnswerError, DataError, MethodError, StoreError
from likewise.items import Items
from likewise.items.out_of_sample import assign_new_items
from likewise.journal import Answered, Event, Named, Opened, OpenedSimilarities, Retracted
from likewise.journal.constraints import Constraints, Dispute
from likewise.journal.events import timestamp
from likewise.journal.pairs import Answer, AnswerDraft, Changes, Pair, Question, Verdict
from likewise.journal.state import Journal
from likewise.methods import (
    Recipe,
    groups_for,
    named_recipe,
    recipe_begun_with,
    spectral_learning,
)
from likewise.strategies import Forecaster, View, same_probability
from likewise.study.base import BaseStudy, Where
from likewise.study.fit_cache import FitCache

_E = TypeVar("_E", bound=Event)

# A pair answered "unsure" is not asked again before this many more answers.
_REST = 20
# How many answers back an item counts as being in the middle of its placing.
_RECENT = 64


class Study(BaseStudy[Journal, Answer, Question]):
    """Groups items by asking about pairs of them: `ask` proposes, `tell` records.

    All that is known of the groups is computed from the items and the journal of answers: the same
    items, settings and answers give the same next question, also after the study is opened again.

    Parameters
    ----------
    X : array, sparse matrix, data frame or Items
        The items, a row each; at least two.
    method : str or Recipe
        A name from `likewise.METHODS`, or a recipe of your own; the journal keeps its name.
    n_clusters : int, optional
        The number of groups if it is known, from 1 to the number of items. It is taken at its
        word: once so many groups are found, an item that differs from all but one belongs to that
        one. None: it is found out.
    random_state : int
        The seed of all that is random, at least 0.
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
        n_clusters: int | None = None,
        random_state: int = 0,
        store: Where = None,
    ) -> None:
        items = Items.of(X)
        name, recipe = named_recipe(method)
        n_clusters = groups_for(method, n_clusters)
        if n_clusters is not None and not 1 <= n_clusters <= len(items):
            raise MethodError(
                f"n_clusters must be between 1 and the number of items, {len(items)}, "
                f"but got {n_clusters}"
            )
        if random_state < 0:
            raise MethodError(f"random_state must not be negative but got {random_state}")
        known_groups = None if n_clusters is None else index(n_clusters)
        self._begin(
            store, Opened(len(items), items.fingerprint(), name, known_groups, index(random_state))
        )
        self._set_up(items, recipe)

    @classmethod
    def open(cls, store: Where, X: Any = None, *, method: str | Recipe | None = None) -> Study:
        """Go on with a study that was begun earlier, on the same items.

        Parameters
        ----------
        store : str, Path, Store or StoredJournal
            Where its journal is kept; it is read once.
        X : array, sparse matrix, data frame or Items
            The items, given again.
        method : str or Recipe, optional
            The recipe it was begun with, if that has no name in `likewise.METHODS`; another
            method than the journal's is refused.
        """
        stored = cls._read(store)
        if X is None:
            raise DataError("this journal only refers to its items; give them again")
        items = Items.of(X)
        if items.places is not None:
            stored = stored.restricted_to(items.places)
        study = cls.__new__(cls)
        study._attach(stored)
        opened = study._state.opened
        if opened.fingerprint != items.fingerprint():
            raise StoreError(
                f"the journal belongs to {opened.n_items} other items than the "
                f"{len(items)} given; give the items it was begun with"
            )
        study._set_up(items, recipe_begun_with(opened.method, method))
        return study

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
                "given; give the items it was begun with or choose another file"
            )
        return super()._difference(found, wanted)

    def _set_up(self, items: Items, recipe: Recipe) -> None:
        """Prepare what the settings of the journal ask for."""
        self.items, self.recipe = items, recipe
        opened = self._state.opened
        self.method, self.n_clusters = opened.method, opened.n_clusters
        self.random_state = opened.random_state
        self._strategy = recipe.strategy()
        self._fits = FitCache(items, recipe, self.method, self.n_clusters, self.random_state)

    # -- asking ------------------------------------------------------------------------------

    def _propose(self, n: int, pending: frozenset[Pair]) -> list[Question]:
        view = self._view(pending)
        rng = np.random.default_rng([self.random_state, self.n_answers])
        pairs = self._strategy.propose(view, n, rng)
        return [Question(pair, self._forecast(view, pair)) for pair in pairs]

    def explain(self, question: Question | Pair | tuple[int, int]) -> str:
        """Return why a pair is worth asking: what is predicted, and what depends on it."""
        i, j = question.pair if isinstance(question, Question) else question
        self.require_pair(i, j)
        view, pair = self._view(frozenset()), Pair(int(i), int(j))
        known = self._state.constraints.implied(*pair)
        if known is not None:
            return f"The answer is known: {known.value}, by what was answered before."
        if isinstance(self._strategy, Forecaster):
            return self._strategy.explain(view, pair)
        chance = self._forecast(view, pair)
        return f"These two are the same with a chance of {chance:.0%}, by the placed items nearby."

    @property
    def placing(self) -> int | None:
        """The item in the middle of being placed, None between items."""
        question = self.ask()
        if question is None or not self._state.answers:
            return None
        last = self._state.answers[-1]
        return question.pair.i if question.pair.i == last.pair.i else None

    # -- answering ---------------------------------------------------------------------------

    def tell(
        self,
        question: Question | Pair | tuple[int, int],
        verdict: Verdict | str | bool,
        *,
        who: str = "",
        seconds: float | None = None,
        weight: float = 1.0,
        client_id: str = "",
    ) -> Answer:
        """Record an answer: "same", "different" or "unsure" (True and False will do).

        Any pair may be answered, asked or not. An answer that contradicts the others is kept and
        listed by `disputes`; it changes nothing until one side is taken back.

        Parameters
        ----------
        question : Question or pair of int
            What was asked, or any two items. Only a question has a prediction to be kept.
        verdict : Verdict, str or bool
            What was answered.
        who : str
            Who answered.
        seconds : float, optional
            How long it took.
        weight : float
            How far the answerer is trusted, above 0; 1 is fully.
        client_id : str
            A name for an answer that may have to be sent twice: of several with the same one, the
            first is kept and returned.

        Returns
        -------
        Answer
            The answer as it is kept, with its id.
        """
        i, j = question.pair if isinstance(question, Question) else question
        draft = AnswerDraft(
            Pair(int(i), int(j)),
            Verdict.of(verdict),
            who=who,
            seconds=seconds,
            weight=weight,
            same_probability=question.same_probability if isinstance(question, Question) else None,
            client_id=client_id,
        )
        kept = self.record(lambda: Changes([draft]))
        return kept[0] if kept else self._state.by_client_id[client_id]

    def name(self, item: int, name: str, *, who: str = "") -> None:
        """Name the group in which an item lies; an empty name takes the group's name away.

        The name stays with the item: wherever it lies later, that group is called so.
        """
        text = name.strip()
        if not text.isprintable():
            raise AnswerError(f"a name must be one line of text but got {name!r}")
        self.require_item(item)
        self._recorder.record(lambda: [Named(int(item), text, timestamp(), who)])

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
            return [
                *(Retracted(answer_id, now) for answer_id in changes.retracted),
                *(
                    Answered(draft.answer(answer_id, now, __version__))
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

    def refresh(self) -> int:
        """Take in what other programs have recorded in the store; return how many events.

        Whatever records something does so by itself when it finds that it was overtaken.
        """
        news = super().refresh()
        self._require_same_pile()
        return news

    def _record(self, make: Callable[[], Sequence[_E]]) -> Sequence[_E]:
        def checked() -> Sequence[_E]:
            self._require_same_pile()
            return make()

        return super()._record(checked)

    def _require_same_pile(self) -> None:
        """Refuse to go on once another program has written about items that are not here."""
        if self._state.opened.n_items != len(self.items):
            raise StoreError("another program has found new items; open the study again")

    @property
    def _kept(self) -> Sequence[Answer]:
        return self._state.answers

    @property
    def _n_items(self) -> int:
        return len(self.items)

    # -- what is known -----------------------------------------------------------------------

    @property
    def answers(self) -> list[Answer]:
        """The answers that stand, oldest first."""
        return list(self._state.answers)

    @property
    def n_answers(self) -> int:
        """How many answers stand."""
        return len(self._state.answers)

    @property
    def constraints(self) -> Constraints:
        """What follows from the answers; to be read, not changed."""
        return self._state.constraints

    def answer_sent_as(self, client_id: str) -> Answer | None:
        """Return the answer with this `client_id`, also if it was taken back since."""
        return self._state.by_client_id.get(client_id)

    def disputes(self) -> list[Dispute]:
        """Return the answers that contradict others, each with the shortest such chain."""
        return self._state.constraints.disputes()

    def doubtful(self) -> list[Doubt]:
        """Return the answers that look wrong beside the others, the most doubtful first.

        With fewer than five answers of a kind there is nothing to compare with, and none.
        """
        X = self.items.features
        if X is None or sp.issparse(X):
            # Where items lie is then told by the eigenvectors of how alike they are.
            graph = self._fits.affinity_after(self._state.answers).affinity_
            n_groups = min(max(2, len(self.constraints.representatives)), len(self.items))
            model: Any = spectral_learning(n_clusters=n_groups, random_state=self.random_state)
            X = model.fit(graph).embedding_
        return doubtful(X, self._state.answers, random_state=self.random_state)

    @property
    def labels_(self) -> npt.NDArray[np.int64]:  # (n,)
        """The group of every item; no undisputed answer is contradicted."""
        return self._fit().labels_.copy()

    def predict(self, X: Any) -> npt.NDArray[np.int64]:  # (rows of X,)
        """Return the groups of items that were not in the study.

        `X` holds rows like those the study was begun with; its answers and its groups stay as they
        are.
        """
        labels: npt.NDArray[np.int64] = assign_new_items(
            self.items, self.labels_, self.clustering_, X
        )
        return labels

    @property
    def named(self) -> dict[int, str]:
        """The names of groups, by the item that each was given to; the latest last."""
        return dict(self._state.names)

    @property
    def names_(self) -> dict[int, str]:
        """The names of groups, by label; where named groups have become one, the latest name."""
        labels, named = self._fit().labels_, {}
        for item, name in self._state.names.items():
            named[int(labels[item])] = name
        return {label: name for label, name in sorted(named.items()) if name}

    @property
    def clustering_(self) -> Any:
        """The fitted clusterer, with what it has learned: `feature_weights_`, say, of a metric."""
        return self._fit()

    @property
    def confidence_(self) -> npt.NDArray[np.float64]:  # (n,) in [0, 1]
        """How sure each label is: 1 for items placed by answers, 0.5 where answers disagree."""
        fitted = self._fit()
        confidence = getattr(fitted, "confidence_", None)
        if confidence is None:
            affinity = self._fits.affinity_after(self._state.answers).affinity_
            votes = neighbour_votes(affinity, fitted.labels_)
            confidence = votes[np.arange(len(votes)), fitted.labels_]
        confidence = confidence.copy()
        confidence[self._state.constraints.placed()] = 1.0
        for dispute in self.disputes():
            for answer in (dispute.answer, *dispute.chain):
                confidence[list(answer.pair)] = 0.5
        return confidence

    @property
    def view(self) -> View:
        """All that a strategy is given to see; to be read, not changed."""
        return self._view(frozenset())

    @property
    def seconds_fitting(self) -> float:
        """Time spent on affinities and clusterings, of all the computing."""
        return self._fits.seconds

    def widget(self) -> Any:
        """Return a widget for notebooks, which shows question and groups as the page does."""
        # By name: the study does not know of the page, it only opens it.
        return import_module("likewise.web.widget").widget(self)

    # -- computing ---------------------------------------------------------------------------

    def _view(self, pending: frozenset[Pair]) -> View:
        answers = self._state.answers
        deferred = [a.pair.unordered for a in answers[-_REST:] if a.verdict is Verdict.UNSURE]
        first = int(np.random.default_rng(self.random_state).integers(len(self.items)))
        return View(
            features=self.items.features,
            affinity=self._fits.affinity_after(answers),
            constraints=self._state.constraints,
            n_clusters=self.n_clusters,
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

    def _key(self) -> tuple[int, ...]:
        return tuple(answer.id for answer in self._state.answers)

    def _fit(self) -> Clusterer:
        return self._fits.clustering_after(self._state.answers, self._state.constraints)

    def _learned(self) -> MetricLearner:
        """Return the clustering from before the item being placed was first asked about."""
        answers, known = self._state.answers, self._state.constraints
        item = answers[-1].pair.i if answers else -1
        if not answers or known.component(item) in map(known.component, known.representatives):
            return cast(MetricLearner, self._fit())
        about_it = takewhile(lambda answer: answer.pair.i == item, reversed(answers))
        before = answers[: len(answers) - sum(1 for _ in about_it)]
        return cast(MetricLearner, self._fits.clustering_after(before))
