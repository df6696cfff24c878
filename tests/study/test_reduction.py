"""Large piles: computed on items that stand for all, asked and labelled as items."""

from __future__ import annotations

import pickle
import threading
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import scipy.sparse as sp
from sklearn.datasets import make_blobs

import likewise as lw
from likewise.auto import by_kind_of_pile, representatives_for
from likewise.clusterers.representative_votes import nearest
from likewise.journal.pairs import Verdict
from likewise.quality import advise
from likewise.quality.doubts import answers_in_doubt
from likewise.quality.merge_hints import merge_hints
from likewise.simulation.planning import plan
from likewise.study.branch import Branch
from likewise.study.reduction import reduced as reduction
from likewise.study.reduction.representatives import choose_representatives, coordinates

REPRESENTATIVES = 60
REDUCED = replace(
    lw.METHODS["auto"], representatives=lambda items, n_clusters: REPRESENTATIVES, name="reduced"
)


def pile(seed: int, n: int = 500) -> tuple[np.ndarray, np.ndarray]:
    X, y = lw.datasets.load("blobs", n=n, n_clusters=4, d=5, spread=2.0, random_state=seed)
    return np.asarray(X), np.asarray(y)


def answered(study: lw.Study, y: np.ndarray, n: int) -> lw.Study:
    while study.n_answers < n and (question := study.ask()) is not None:
        i, j = question.pair
        study.tell(question, bool(y[i] == y[j]))
    return study


def test_few_items_are_computed_on_and_all_have_their_groups(seed: int) -> None:
    X, y = pile(seed)
    study = answered(lw.Study(X, method=REDUCED), y, 30)
    assert len(study.reduced.items) < 120
    assert study.labels_.shape == study.confidence_.shape == (500,)
    assert lw.metrics.ari(y, study.labels_) > 0.9
    assert ((study.confidence_ >= 0) & (study.confidence_ <= 1)).all()


def test_a_small_pile_is_its_own_reduction() -> None:
    X, _ = pile(0, 100)
    study = lw.Study(X)
    assert study.reduced is study


def test_answers_about_items_that_stand_for_nobody_hold_at_once(seed: int) -> None:
    X, y = pile(seed)
    study = answered(lw.Study(X, method=REDUCED), y, 5)
    inner = study._inner
    assert inner is not None
    strangers = [item for item in range(500) if not inner.holds(item)]
    one = strangers[0]
    alike = next(item for item in strangers[1:] if y[item] == y[one])
    study.tell((one, alike), "different")  # against what they look like
    assert study.labels_[one] != study.labels_[alike]
    study.undo()
    study.tell((one, alike), "same")
    assert study.labels_[one] == study.labels_[alike]


def test_labels_contradict_no_answer(seed: int) -> None:
    X, y = pile(seed)
    y = np.random.default_rng(seed).integers(3, size=len(y))  # groups that nobody can see
    study = answered(lw.Study(X, method=REDUCED), y, 80)
    labels = study.labels_
    for answer in study.answers:
        i, j = answer.pair
        assert bool(labels[i] == labels[j]) is (answer.verdict is Verdict.SAME)


def test_a_study_opened_again_asks_the_same(
    tmp_path: Path, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reduction, "_FIRST_SPLIT", 8)
    X, y = pile(seed)
    store = tmp_path / "s.likewise.jsonl"
    study = answered(lw.Study(X, method=REDUCED, store=store), y, 20)
    again = lw.Study.open(store, X, method=REDUCED)
    assert again.ask() == study.ask()
    assert (again.labels_ == study.labels_).all()


def test_a_branch_foresees_the_next_question_also_in_another_process(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reduction, "_FIRST_SPLIT", 8)
    # By its name, as the server's process finds the method again.
    monkeypatch.setattr(by_kind_of_pile, "MOST_ITEMS", 300)
    monkeypatch.setattr(by_kind_of_pile, "_REPRESENTATIVES", REPRESENTATIVES)
    X, y = pile(seed)
    study = answered(lw.Study(X), y, 11)
    assert study.reduced is not study
    question = study.ask()
    assert question is not None
    branch = pickle.loads(pickle.dumps(Branch.of(study)))
    with branch.assuming(question.pair, Verdict.DIFFERENT):  # the twelfth: a split counts
        foreseen = branch.ask()
    study.tell(question, "different")
    assert study.ask() == foreseen
    branch.follow(study.answers)
    assert (branch.labels_ == study.labels_).all()
    with branch.warm_started():
        assert branch.ask(3, pending=[question.pair])
    assert 0 < branch.same_probability(lw.Pair(0, 1)) < 1
    copy = pickle.loads(pickle.dumps(study))
    assert copy.ask() == study.ask()
    assert study.without().ask() == study.ask()


@pytest.mark.parametrize("kind", ["place", "sheet", "best"])
def test_other_kinds_of_question_are_about_items_too(kind: str) -> None:
    X, y = pile(1)
    study = answered(lw.Study(X, method=REDUCED), y, 12)
    inner = study._inner
    question = study.ask(kind=kind)
    assert question is not None
    assert inner is not None
    assert all(inner.holds(item) for item in question.items)
    assert max(question.items) >= len(inner.study.items)  # by the numbers of all items


def test_representatives_at_the_border_of_groups_are_split(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rng = np.random.default_rng(1)
    X = rng.uniform(-1, 1, (600, 2))
    y = (X[:, 0] > 0).astype(int)  # without a gap between the groups
    before = answered(lw.Study(X, method=REDUCED), y, 48)
    few = before._inner
    monkeypatch.setattr(reduction, "_FIRST_SPLIT", 32)
    more = before.without()._inner
    assert few is not None
    assert more is not None
    added = [item for item in range(600) if more.holds(item) and not few.holds(item)]
    assert 0 < len(added) <= 0.1 * REPRESENTATIVES
    assert np.abs(X[added, 0]).max() < 0.5


def test_a_split_that_was_prepared_is_the_one_that_counts(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reduction, "_FIRST_SPLIT", 8)
    X, y = pile(seed)
    study = answered(lw.Study(X, method=REDUCED), y, 8)
    unprepared = study.without()
    study.prepare()
    now, prepared = study.reduced, study._reduction
    assert prepared is not None
    assert prepared._ahead is not None
    made = prepared._ahead[1].result(60).inner
    answered(study, y, 11)
    assert study.reduced is now  # until then nothing is another
    answered(study, y, 12)
    assert study.reduced is not now
    assert study.reduced is made.study
    for answer in study.answers[8:]:
        unprepared.tell(answer.pair, answer.verdict)
    assert unprepared.ask() == study.ask()


def test_nobody_waits_for_a_split_before_it_counts(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reduction, "_FIRST_SPLIT", 8)
    X, y = pile(seed)
    study = answered(lw.Study(X, method=REDUCED), y, 8)
    unprepared = study.without()
    may_go_on, begin = threading.Event(), reduction.InnerStudy.of

    def slowly(*given: Any) -> reduction.InnerStudy:
        assert may_go_on.wait(60)
        return begin(*given)

    monkeypatch.setattr(reduction.InnerStudy, "of", slowly)
    study.prepare()
    answered(study, y, 11)
    branch = Branch.of(study)
    may_go_on.set()
    answered(study, y, 14)
    for answer in study.answers[8:]:
        unprepared.tell(answer.pair, answer.verdict)
    branch.follow(study.answers)
    assert unprepared.ask() == study.ask() == branch.ask()


def test_a_split_that_failed_beside_is_made_anew(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reduction, "_FIRST_SPLIT", 8)
    X, y = pile(seed)
    study = answered(lw.Study(X, method=REDUCED), y, 8)
    unprepared = study.without()
    with monkeypatch.context() as patched:
        patched.setattr(reduction.InnerStudy, "of", lambda *_: 1 / 0)
        study.prepare()
        assert study._reduction is not None
        assert study._reduction._ahead is not None
        assert isinstance(study._reduction._ahead[1].exception(60), ZeroDivisionError)
    answered(study, y, 12)
    for answer in study.answers[8:]:
        unprepared.tell(answer.pair, answer.verdict)
    assert unprepared.ask() == study.ask()


def test_a_hint_counts_items_and_not_those_that_stand_for_them(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = np.vstack([rng.normal(size=(400, 2)), rng.normal(size=(200, 2)) + 30])
    study = lw.Study(X, method=REDUCED, n_clusters=3)
    study.tell((0, 500), "different")
    assert study.stands_for().sum() == len(X)
    assert len(study.stands_for()) == len(study.reduced.items)
    sizes = np.bincount(study.labels_)
    for hint in merge_hints(study):
        between, of = (int(word) for word in hint.reason.split() if word.isdigit())
        assert between <= of
        assert of == pytest.approx(sizes[[*hint.groups]].sum(), rel=0.1)


def test_every_item_can_be_asked_about(seed: int) -> None:
    X, y = pile(seed, 60)
    method = replace(REDUCED, representatives=lambda items, n_clusters: 6)
    study = answered(lw.Study(X, method=method), y, 10_000)
    assert study.ask() is None
    assert study.constraints.placed().all()
    assert lw.metrics.ari(y, study.labels_) == 1


def test_what_is_said_about_a_study_is_said_about_a_large_one(seed: int) -> None:
    X, y = pile(seed)
    study = answered(lw.Study(X, method=REDUCED), y, 30)
    assert advise(study).answers == 30
    assert study.predict(X[:3]).tolist() == study.labels_[:3].tolist()
    assert study.explain((0, 1))
    assert study.explain((2, 3))
    assert all(doubt.answer in study.answers for doubt in study.doubtful())
    assert isinstance(merge_hints(study), list)
    assert all(doubt.answer in study.answers for doubt in answers_in_doubt(study))
    assert study.distances(np.array([0]), np.array([1, 2])).shape == (1, 2)
    assert len(plan(study, draws=1, budget=3)) > 0


def test_who_is_reduced_depends_on_the_pile() -> None:
    few, many = np.zeros((10, 2)), np.random.default_rng(0).normal(size=(20_001, 2))
    assert representatives_for(lw.Items.of(many), None) == 5_000
    assert representatives_for(lw.Items.of(many), (2, 40)) == 5_000
    assert representatives_for(lw.Items.of(many), 4_000) is None
    assert representatives_for(lw.Items.of(few + np.arange(10)[:, None]), None) is None
    graph = sp.eye_array(20_001, format="csr") * 0.0
    assert representatives_for(lw.Items(affinity=graph, ids=[]), None) is None


@pytest.mark.parametrize("kind", ["narrow", "wide", "sparse"])
def test_nearly_all_nearest_representatives_are_found(kind: str) -> None:
    rng = np.random.default_rng(0)
    X = rng.normal(size=(3000, 8)) @ rng.normal(size=(8, 80 if kind != "narrow" else 8))
    points = coordinates(sp.csr_array(X) if kind == "sparse" else X, 1000, 0)
    assert points.shape == (3000, 8 if kind == "narrow" else 50)
    chosen = choose_representatives(points, 200, 0)
    assert len(chosen) == len(set(chosen.tolist())) > 190
    found = nearest(points, points[chosen], 3)
    away = np.linalg.norm(points[:, None] - points[chosen][None], axis=2)
    hits = np.take_along_axis(away, found.positions.astype(int), axis=1)
    assert np.mean(hits <= np.sort(away, axis=1)[:, 2:3] + 1e-4) > 0.95
    np.testing.assert_allclose(found.distances, hits, atol=0.05)


def test_a_mistake_in_a_large_pile_is_looked_for_among_its_representatives() -> None:
    X, y = make_blobs(600, centers=[[0, 0], [9, 9]], random_state=0)
    study = lw.Study(X, method=REDUCED)
    one, other = (np.flatnonzero(y == kind)[:3].tolist() for kind in (0, 1))
    for pair in [*pairwise(one), *pairwise(other), (one[1], other[1])]:
        study.tell(pair, "same", weight=0.9)
    for _ in range(3):
        question = study.verification()
        assert question is not None
        i, j = question.pair
        assert {y[i], y[j]} == {0, 1}
        study.tell(question, "different", weight=0.9)
    assert lw.metrics.ari(y, study.labels_) > 0.9


def test_a_large_pile_in_single_precision_is_asked_about_as_in_double(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    X, kinds = lw.datasets.load("blobs", n=21_000, n_clusters=5, d=4)
    X = X.astype(np.float32)
    double = lw.Study(X)
    monkeypatch.setattr("likewise.items._matrices._DOUBLED", 100)
    single = lw.Study(X)
    assert single.items.features is X
    for _ in range(5):
        question = double.ask()
        assert question is not None
        assert single.ask() == question
        i, j = question.pair
        for study in (single, double):
            study.tell(question.pair, bool(kinds[i] == kinds[j]))
    assert np.array_equal(single.labels_, double.labels_)
    assert np.array_equal(single.predict(X[:5]), double.predict(X[:5]))
