"""What is prepared beside the questions changes none of them."""

from __future__ import annotations

import threading
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likewise as lw
from likewise.affinities import Gaussian, LearnedMixture
from likewise.auto.structure import PileStructure
from likewise.methods import METHODS, Recipe
from likewise.strategies import Placing, RandomItems
from likewise.study._background import AHEAD

N_ITEMS, N_ANSWERS = 240, 40


def several_views() -> tuple[lw.Items, np.ndarray[Any, Any]]:
    """Return items of which answers show one view of three to count."""
    rng = np.random.default_rng(0)
    kinds = rng.integers(4, size=N_ITEMS)
    telling = rng.normal(0, 2.0, (4, 5))[kinds] + rng.normal(size=(N_ITEMS, 5))
    others = {name: rng.normal(size=(N_ITEMS, 5)) for name in ("noise", "more noise")}
    return lw.Items.from_views({"telling": telling, **others}), kinds


def wait_until_prepared() -> None:
    while ahead := [one for one in threading.enumerate() if one.name == AHEAD]:
        for one in ahead:
            one.join()


def answered(study: lw.Study, kinds: Any, *, prepares: bool, waits: bool = True) -> list[Any]:
    """Answer truthfully up to a number of answers, and return the pairs asked about."""
    pairs = []
    while study.n_answers < N_ANSWERS and (question := study.ask()) is not None:
        if prepares:
            study.prepare()
        if waits:
            wait_until_prepared()
        i, j = question.pair
        pairs.append((i, j))
        study.tell(question, bool(kinds[i] == kinds[j]))
    return pairs


@pytest.mark.parametrize("waits", [True, False])
def test_questions_and_groups_are_the_same_prepared_or_not(waits: bool) -> None:
    items, kinds = several_views()
    plain, prepared = lw.Study(items), lw.Study(several_views()[0])
    expected = answered(plain, kinds, prepares=False)
    assert answered(prepared, kinds, prepares=True, waits=waits) == expected
    assert np.array_equal(prepared.labels_, plain.labels_)
    assert np.array_equal(prepared.confidence_, plain.confidence_)


def test_a_study_that_was_prepared_asks_the_same_when_opened_again(tmp_path: Path) -> None:
    items, kinds = several_views()
    study = lw.Study(items, store=tmp_path / "kept.jsonl")
    answered(study, kinds, prepares=True)
    again = lw.Study.open(tmp_path / "kept.jsonl", several_views()[0])
    assert again.ask() == study.ask()
    assert np.array_equal(again.labels_, study.labels_)


def test_other_weights_count_without_anybody_waiting(monkeypatch: pytest.MonkeyPatch) -> None:
    items, kinds = several_views()
    made_by: list[str] = []
    make = PileStructure.__init__

    def noting(self: PileStructure, *args: Any, **settings: Any) -> None:
        made_by.append(threading.current_thread().name)
        make(self, *args, **settings)

    monkeypatch.setattr(PileStructure, "__init__", noting)
    study = lw.Study(items)
    study.ask()
    made_by.clear()
    answered(study, kinds, prepares=True)
    assert study.view.affinity.weights_["telling"] > 0.5  # type: ignore[attr-defined]
    assert made_by
    assert set(made_by) == {AHEAD}


def test_weights_change_after_doublings_by_answers_from_before() -> None:
    items, kinds = several_views()
    study = lw.Study(items)
    weights = []
    for _ in range(N_ANSWERS):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(kinds[i] == kinds[j]))
        weights.append(study.view.affinity.weights_)  # type: ignore[attr-defined]
    changed = [n + 1 for n in range(1, N_ANSWERS) if weights[n] != weights[n - 1]]
    assert set(changed) <= {16, 32}
    assert items.views is not None
    must, cannot = study.constraints.links_after(24)
    literal = LearnedMixture(items.views, n_neighbours=15)
    literal.fit(items.features, must_link=must, cannot_link=cannot)
    assert weights[-1] == literal.weights_


class Failing(Gaussian):
    """A kernel that learns eight answers ahead and fails in any thread but the main one."""

    learns = True

    def learned_from(self, n_answers: int) -> int:
        return 8 if n_answers >= 16 else 0

    def fit(self, X: Any, y: Any = None, **links: Any) -> Any:
        if threading.current_thread().name == AHEAD:
            raise MemoryError
        return super().fit(X, **links)


def test_what_fails_ahead_of_time_is_computed_when_it_is_needed() -> None:
    recipe = METHODS["auto"]
    mine = Recipe(
        "fails ahead", recipe.strategy, recipe.clusterer, lambda items: Failing(n_neighbours=15)
    )
    X, kinds = lw.datasets.load("blobs", n=120, n_clusters=4)
    study = lw.Study(X, method=mine)
    assert len(answered(study, kinds, prepares=True)) >= 16
    plain = lw.Study(X, method=mine)
    assert answered(plain, kinds, prepares=False) == [tuple(a.pair) for a in study.answers]


def test_methods_without_anything_to_prepare_do_not_mind() -> None:
    X, kinds = lw.datasets.load("blobs", n=60, n_clusters=3)
    parts = Recipe("random", lambda: Placing(RandomItems()))
    study = lw.Study(X, method=parts, n_clusters=3)
    answered(study, kinds, prepares=True)
    assert not [one for one in threading.enumerate() if one.name == AHEAD]
