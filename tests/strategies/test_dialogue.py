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
    study = lw.Study(X, method=method)
    first = study.ask()
    assert first is not None
    n_unsure = 0
    for _ in range(60):
        question = study.ask()
        if question is None:  # all but that pair is known
            break
        if question.pair.unordered == first.pair.unordered:
            study.tell(question, "unsure")
            n_unsure += 1
        else:
            study.tell(question, truth(question.pair))
    assert n_unsure >= 1
    assert adjusted_rand_score(TRUTH, study.labels_) > 0.9


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


@pytest.mark.parametrize("method", ["cobra", "cobras"])
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
    lw.METHODS["silent"] = lw.Recipe("", lw.strategies.Dialogue)
    try:
        with pytest.raises(MethodError, match="such as COBRAS"):
            lw.Study(X, method="silent").ask()
    finally:
        del lw.METHODS["silent"]
