"""What every method must do, as tests of a small study; pytest is needed.

A strategy of your own keeps the contract when this passes:

    MINE = Recipe("what it does", MyStrategy)

    class TestMine(StrategyContract):
        @pytest.fixture
        def method(self):
            return MINE
"""

from __future__ import annotations

from functools import cache
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt
import pytest
from sklearn.datasets import make_blobs

from likewise.journal.constraints import Constraints
from likewise.journal.group_number import exact_number
from likewise.journal.pairs import Answer, Pair, Question, Verdict
from likewise.methods import Recipe, named_recipe
from likewise.stores import MemoryStore
from likewise.study import Study

_CENTRES = [[0, 0], [4, 0], [0, 4]]


class _Step(NamedTuple):
    """A question of a study, with what was known and which pairs were answered before it."""

    question: Question
    known: Verdict | None
    answered: frozenset[Pair]


@cache
def _pile(method: str | Recipe) -> tuple[npt.NDArray[np.float64], npt.NDArray[np.int64]]:
    """Return fifteen items of three kinds, or two, that overlap, so that answers are needed."""
    centres = _CENTRES[: named_recipe(method)[1].most_groups]
    X, kinds = make_blobs(15, centers=centres, cluster_std=1.5, random_state=1)
    return X, kinds


def _n_groups(method: str | Recipe) -> int:
    return int(_pile(method)[1].max()) + 1


def _study(method: str | Recipe, n_clusters: int | None, store: Any = None) -> Study:
    X = _pile(method)[0]
    return Study(X, method=method, n_clusters=n_clusters, random_state=5, store=store)


def _truth(study: Study, pair: Pair) -> Verdict:
    kinds = _pile(study.recipe)[1]
    return Verdict.SAME if kinds[pair.i] == kinds[pair.j] else Verdict.DIFFERENT


def _play(study: Study) -> list[_Step]:
    """Answer truthfully until nothing is left to ask; at most once per pair there is."""
    steps: list[_Step] = []
    n = len(study.items)
    while len(steps) <= n * (n - 1) // 2 and (question := study.ask()) is not None:
        answered = frozenset(answer.pair.unordered for answer in study.answers)
        steps.append(_Step(question, study.constraints.implied(*question.pair), answered))
        study.tell(question, _truth(study, question.pair))
    return steps


@cache
def _played(method: str | Recipe, n_clusters: int | None) -> tuple[Study, list[_Step]]:
    """Return a finished study, shared between tests: to be looked at, not changed."""
    study = _study(method, n_clusters)
    return study, _play(study)


def _assert_independent(study: Study, pairs: list[Pair]) -> None:
    """Check that the pairs are open, close no circle over the groups, and decide no other.

    A single answer may decide no other pair at all; several together none by transitivity. That
    they may by elimination, when the number of groups is known, is the price of asking ahead.
    """
    known = _known(study, exact_number(study.n_clusters))
    for pair in pairs:
        assert known.implied(*pair) is None, f"{pair} follows from the answers"
    group = {component: component for component in set(known.components().tolist())}
    for i, j in pairs:
        a, b = group[known.component(i)], group[known.component(j)]
        assert a != b, f"{pairs} close a circle"
        group = {component: b if root == a else root for component, root in group.items()}
    for one in pairs:
        others = [pair for pair in pairs if pair != one]
        for verdict in (Verdict.SAME, Verdict.DIFFERENT):
            known.add(Answer(1000, one, verdict))
            for other in others:
                assert known.implied(*other) is None, f"{one} {verdict} decides {other}"
            known.pop()
        by_transitivity = _known(study, None)
        for number, other in enumerate(others, start=1000):
            by_transitivity.add(Answer(number, other, _truth(study, other)))
        assert by_transitivity.implied(*one) is None, f"{others} decide {one}"


def _known(study: Study, n_groups: int | None) -> Constraints:
    """Return what follows from the answers of a study, as constraints of their own."""
    return Constraints.of(study.constraints.n_items, study.answers, n_groups)


class StrategyContract:
    """What every method must do, with the number of groups known and unknown.

    Provide the fixture `method`, a `Recipe` or a name in `likewise.METHODS`. Finished studies are
    shared between tests, so let it be the same recipe each time.
    """

    @pytest.fixture(params=[True, False], ids=["groups known", "groups unknown"])
    def n_clusters(self, method: str | Recipe, request: pytest.FixtureRequest) -> int | None:
        """Return the number of groups that the study is told."""
        return _n_groups(method) if request.param else None

    def test_a_question_is_about_two_items_of_the_pile(
        self, method: str | Recipe, n_clusters: int | None
    ) -> None:
        study, steps = _played(method, n_clusters)
        assert steps
        for (i, j), chance in ((s.question.pair, s.question.same_probability) for s in steps):
            assert i != j
            assert {i, j} <= set(range(len(study.items)))
            assert 0 < chance < 1

    def test_what_follows_from_the_answers_is_never_asked(
        self, method: str | Recipe, n_clusters: int | None
    ) -> None:
        for step in _played(method, n_clusters)[1]:
            assert step.known is None

    def test_an_answered_pair_is_never_asked_again(
        self, method: str | Recipe, n_clusters: int | None
    ) -> None:
        for step in _played(method, n_clusters)[1]:
            assert step.question.pair.unordered not in step.answered

    def test_the_study_ends_with_the_groups_that_were_meant(
        self, method: str | Recipe, n_clusters: int | None
    ) -> None:
        study, _ = _played(method, n_clusters)
        assert study.ask() is None
        assert study.ask(3) == []
        renamed = set(zip(_pile(method)[1].tolist(), study.labels_.tolist(), strict=True))
        n_groups = _n_groups(method)
        assert len(renamed) == n_groups
        assert {label for _, label in renamed} == set(range(n_groups))

    def test_equal_seeds_and_answers_give_equal_questions(
        self, method: str | Recipe, n_clusters: int | None
    ) -> None:
        again = _play(_study(method, n_clusters))
        assert again == _played(method, n_clusters)[1]

    def test_a_study_opened_again_goes_on_with_the_same_question(
        self, method: str | Recipe, n_clusters: int | None
    ) -> None:
        store = MemoryStore()
        study = _study(method, n_clusters, store)
        for step in _played(method, n_clusters)[1][:6]:
            study.tell(step.question, _truth(study, step.question.pair))
        assert Study.open(store, _pile(method)[0], method=method).ask() == study.ask()

    def test_undoing_brings_the_previous_questions_back(
        self, method: str | Recipe, n_clusters: int | None
    ) -> None:
        study = _study(method, n_clusters)
        for step in reversed(_play(study)):
            study.undo()
            assert study.ask() == step.question

    def test_questions_asked_together_do_not_answer_each_other(
        self, method: str | Recipe, n_clusters: int | None
    ) -> None:
        study = _study(method, n_clusters)
        for step in _played(method, n_clusters)[1]:
            batch = study.ask(4)
            assert 1 <= len(batch) <= 4
            assert len({question.pair.unordered for question in batch}) == len(batch)
            _assert_independent(study, [question.pair for question in batch])
            study.tell(step.question, _truth(study, step.question.pair))

    def test_pending_pairs_and_what_they_may_decide_are_left_alone(
        self, method: str | Recipe, n_clusters: int | None
    ) -> None:
        study = _study(method, n_clusters)
        for step in _played(method, n_clusters)[1][:8]:
            first = [question.pair for question in study.ask(2)]
            # A pair is the same pair whichever of its items is named first.
            pending = [Pair(j, i) for i, j in first]
            more = [question.pair for question in study.ask(2, pending=pending)]
            assert not {p.unordered for p in first} & {p.unordered for p in more}
            _assert_independent(study, [*first, *more])
            study.tell(step.question, _truth(study, step.question.pair))

    def test_an_unsure_pair_is_not_asked_again_at_once(
        self, method: str | Recipe, n_clusters: int | None
    ) -> None:
        study = _study(method, n_clusters)
        unsure: set[Pair] = set()
        for n in range(10):
            question = study.ask()
            assert question is not None
            assert question.pair.unordered not in unsure
            if n % 3 == 2:
                study.tell(question, _truth(study, question.pair))
            else:
                study.tell(question, Verdict.UNSURE)
                unsure.add(question.pair.unordered)
