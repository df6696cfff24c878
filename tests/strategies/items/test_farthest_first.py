"""Explore and consolidate, on the worked example of its card."""

from __future__ import annotations

import numpy as np

import likewise as lw

X = [[0.0], [1.0], [10.0], [11.0], [20.0]]
TRUTH = [0, 0, 1, 1, 2]
# The seed whose first item is the first.
SEED = next(s for s in range(100) if np.random.default_rng(s).integers(len(X)) == 0)


def answered(study: lw.Study, n: int) -> list[lw.Pair]:
    asked = []
    for _ in range(n):
        question = study.ask()
        assert question is not None
        asked.append(question.pair)
        study.tell(question, TRUTH[question.pair.i] == TRUTH[question.pair.j])
    return asked


def test_exploring_goes_to_what_is_farthest_from_everything_seen() -> None:
    study = lw.Study(X, method="ffqs", n_clusters=3, random_state=SEED)
    asked = answered(study, 3)
    assert [pair.i for pair in asked] == [4, 2, 2]
    assert asked[0].j == 0
    assert {asked[1].j, asked[2].j} == {0, 4}
    # k (k - 1) / 2 questions, and all three groups are known.
    assert sorted(study.constraints.representatives) == [0, 2, 4]


def test_items_explored_together_are_far_from_each_other_too() -> None:
    study = lw.Study(X, method="ffqs", random_state=SEED)
    assert [question.pair.i for question in study.ask(2)] == [4, 2]


def test_what_follows_exploring_is_somebody_elses_choice() -> None:
    from likewise.strategies import FarthestFirst, Placing

    class Last:
        def rank(
            self, view: object, candidates: np.ndarray[tuple[int], np.dtype[np.int64]], n: int,
            rng: object,
        ) -> list[int]:  # fmt: skip
            return [int(i) for i in candidates[::-1][:n]]

    explore_last = lw.Recipe("", lambda: Placing(FarthestFirst(then=Last())))
    study = lw.Study(X, method=explore_last, n_clusters=3, random_state=SEED)
    answered(study, 3)
    question = study.ask()
    assert question is not None
    assert question.pair.i == 3
