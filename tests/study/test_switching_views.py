"""Several views of the items: which count, who says so, and that it is kept."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np
import pytest

import likewise as lw
from likewise.errors import MethodError
from likewise.study.branch import Branch

COLOURS, SHAPES = np.arange(60) % 3, np.arange(60) // 3 % 4


def items(seed: int = 0) -> lw.Items:
    rng = np.random.default_rng(seed)
    colour = 4 * np.eye(3)[COLOURS] + 0.3 * rng.normal(size=(60, 3))
    shape = 4 * np.eye(4)[SHAPES] + 0.3 * rng.normal(size=(60, 4))
    return lw.Items.from_views({"colour": colour, "shape": shape})


def answered(study: lw.Study, truth: np.ndarray, n: int) -> lw.Study:
    for _ in range(n):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(truth[i] == truth[j]))
    return study


@pytest.mark.parametrize(("off", "truth"), [("shape", COLOURS), ("colour", SHAPES)])
def test_what_is_left_decides_before_any_answer(off: str, truth: np.ndarray, seed: int) -> None:
    study = lw.Study(items(seed))
    study.switch_views(off=[off])
    assert lw.metrics.ari(truth, study.labels_) == 1.0


def test_answers_alone_find_out_which_view_is_meant(seed: int) -> None:
    study = answered(lw.Study(items(seed)), COLOURS, 32)
    weights = study.view.affinity.weights_  # type: ignore[attr-defined]
    assert weights["colour"] > weights["shape"]


@pytest.mark.parametrize("name", ["pile.likewise.jsonl", "pile.likewise.db"])
def test_what_was_switched_is_kept_and_all_answers_with_it(name: str, tmp_path: Path) -> None:
    pile = items()
    with lw.Study(pile, store=tmp_path / name) as study:
        answered(study, COLOURS, 4)
        study.switch_views(off=["shape"], who="ann")
        asked, labels = study.ask(), study.labels_
    with lw.Study.open(tmp_path / name, pile) as again:
        assert again.views == {"colour": True, "shape": False}
        assert (again.n_answers, again.ask()) == (4, asked)
        np.testing.assert_array_equal(again.labels_, labels)
        again.switch_views(on=["shape"])
        assert again.views == {"colour": True, "shape": True}


def test_switching_back_brings_back_the_same_question() -> None:
    study = answered(lw.Study(items()), SHAPES, 3)
    asked, labels = study.ask(), study.labels_
    study.switch_views(off=["shape"])
    assert study.items.features is not None
    assert study.items.features.shape == (60, 3)
    study.switch_views(on=["shape"])
    assert study.ask() == asked
    np.testing.assert_array_equal(study.labels_, labels)


def test_another_program_is_followed(tmp_path: Path) -> None:
    pile = items()
    first = lw.Study(pile, store=tmp_path / "a.likewise.db")
    second = lw.Study.open(tmp_path / "a.likewise.db", pile)
    first.ask()
    second.switch_views(off=["colour"])
    first.refresh()
    assert first.views == second.views
    assert first.ask() == second.ask()
    first.close()
    second.close()


def test_copies_of_a_study_see_what_it_sees() -> None:
    study = answered(lw.Study(items()), COLOURS, 3)
    study.tell((0, 1), "different", who="bob")
    study.switch_views(off=["shape"])
    branch, copy, rest = Branch.of(study), pickle.loads(pickle.dumps(study)), study.without("bob")
    there = pickle.loads(pickle.dumps(branch))
    for other in (branch, copy, there):
        assert other.ask() == study.ask()
    assert rest.views == copy.views == study.views


@pytest.mark.parametrize(
    ("switched", "sentence"),
    [
        (["smell"], "there is no view 'smell' of these items; there are colour, shape"),
        (["colour", "shape"], "one view at least must count"),
    ],
)
def test_what_cannot_be_switched_changes_nothing(switched: list[str], sentence: str) -> None:
    study = lw.Study(items())
    with pytest.raises(MethodError, match=sentence):
        study.switch_views(off=switched)
    assert len(study.store.read()) == 1


def test_a_pile_with_one_view_has_none_to_switch() -> None:
    study = lw.Study([[0.0], [1.0], [5.0]])
    assert study.views == {}
    with pytest.raises(MethodError, match="there is no view 'x' of these items; this pile has"):
        study.switch_views(off=["x"])


def test_nothing_is_written_where_nothing_changes() -> None:
    study = lw.Study(items())
    study.switch_views(on=["colour"])
    assert len(study.store.read()) == 1


def test_the_view_that_decided_is_named() -> None:
    study = answered(lw.Study(items()), COLOURS, 40)
    placed = np.flatnonzero(COLOURS == 0)
    open_pair = next(
        (int(i), int(j))
        for i in placed
        for j in placed
        if i < j and study.constraints.implied(int(i), int(j)) is None
    )
    assert "Of the views of them, colour decided: alike in it" in study.explain(open_pair)
    assert "views" not in lw.Study([[0.0], [1.0], [5.0]]).explain((0, 1))


def test_other_methods_see_the_mixture(seed: int) -> None:
    pile = items(seed)
    run = lw.run(pile.switched(["shape"]), lw.oracles.FromLabels(COLOURS), method="urasc", budget=5)
    assert run.study.items.data.shape == (60, 3)
    assert lw.Study(pile, method="urasc").items.data is pile.data
