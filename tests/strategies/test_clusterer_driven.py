"""Studies led by a dialogue: unsure answers, several people, and what was answered out of turn."""

from __future__ import annotations

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from sklearn.metrics import adjusted_rand_score

import likewise as lw
from likewise.errors import MethodError

X, TRUTH = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9]], random_state=2)


def truth(pair: lw.Pair) -> bool:
    return bool(TRUTH[pair.i] == TRUTH[pair.j])


@pytest.mark.parametrize("method", ["cobra", "cobras"])
def test_a_pair_that_nobody_can_answer_stops_neither_questions_nor_labels(method: str) -> None:
    # Kinds that k-means does not find: blobs at opposite corners belong together.
    corners, blob = make_blobs(60, centers=[[0, 0], [9, 0], [0, 9], [9, 9]], random_state=2)
    kinds = (blob == 1) | (blob == 2)
    study = lw.Study(corners, method=method)
    first = study.ask()
    assert first is not None
    for _ in range(45):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        hard = question.pair.unordered == first.pair.unordered
        study.tell(question, "unsure" if hard else bool(kinds[i] == kinds[j]))
    assert study.constraints.implied(*first.pair) is None
    assert adjusted_rand_score(kinds, study.labels_) > 0.8


def test_an_unsure_pair_comes_back_once_it_has_rested() -> None:
    study = lw.Study(X, method="cobra")
    first = study.ask()
    assert first is not None
    study.tell(first, "unsure")
    for _ in range(40):
        question = study.ask()
        if question is None or question.pair.unordered == first.pair.unordered:
            break
        # Never the same: nothing can be inferred about the first pair.
        study.tell(question, False)
    assert question is not None
    assert question.pair.unordered == first.pair.unordered
    assert study.n_answers == 1 + 20


@pytest.mark.parametrize("method", ["cobra", "cobras", "a3s", "dsl"])
@pytest.mark.parametrize("n_clusters", [3, None])
def test_answers_may_come_in_another_order_than_the_questions(
    method: str, n_clusters: int | None, seed: int
) -> None:
    study = lw.Study(X, method=method, n_clusters=n_clusters)
    rng = np.random.default_rng(seed)
    while questions := study.ask(3):
        for question in rng.permutation(np.array([q.pair for q in questions])).tolist():
            study.tell((question[0], question[1]), truth(lw.Pair(*question)))
    assert adjusted_rand_score(TRUTH, study.labels_) == 1.0
    assert study.disputes() == []


def test_a_clusterer_that_asks_nothing_is_refused() -> None:
    silent = lw.Recipe("", lw.strategies.ClustererDriven)
    with pytest.raises(MethodError, match="such as COBRAS"):
        lw.Study(X, method=silent).ask()
