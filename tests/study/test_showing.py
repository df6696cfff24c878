"""A study as notebooks and programs see it: frames, lines, with-blocks, figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from sklearn.model_selection import GridSearchCV

import likewise as lw
from likewise import clusterers as cl
from likewise.errors import DataError
from likewise.items import Items
from likewise.stores.sql import SqlStore
from likewise.testing._blobs import blobs

X = np.array([[0.0], [0.1], [5.0], [5.1]])


def test_the_frame_holds_everything_in_the_pile_with_its_group() -> None:
    items = Items(features=X, ids=["a", "b", "c", "d"], copies={2: ["c2"]})
    study = lw.Study(items, n_clusters=2)
    study.tell(("a", "c"), "different")
    study.name("c", "large")
    frame = study.to_frame()
    assert list(frame.columns) == ["id", "group", "name", "confidence"]
    assert frame.id.tolist() == ["a", "b", "c", "c2", "d"]
    np.testing.assert_array_equal(frame.group, study.labels_[[0, 1, 2, 2, 3]])
    assert frame.set_index("id").name["c2"] == "large"
    np.testing.assert_array_equal(frame.confidence, study.confidence_[[0, 1, 2, 2, 3]])


def test_studies_of_similarities_have_a_frame_too() -> None:
    study = lw.SimilarityStudy(3)
    study.tell((0, 1), 0.9)
    assert study.to_frame().id.tolist() == ["0", "1", "2"]


def test_a_line_says_what_it_is_and_computes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    study = lw.Study(Items.of(X, ids=["<b>", "c", "d", "e"]), random_state=4)
    monkeypatch.setattr(lw.Study, "_fit", lambda *_: pytest.fail("nothing needs a fit here"))
    assert repr(study).startswith("Study(n_items=4, method='auto', n_clusters=None, random_state=4")
    assert "n_answers=0" in repr(study)
    assert "<th>n_items</th><td>4</td>" in study._repr_html_()
    assert repr(study.items) == "Items(n_items=4, n_features=1, ids=['<b>', 'c', 'd', '…'])"
    assert "<b>" not in study.items._repr_html_()
    assert repr(lw.oracles.Noisy([0, 1, 1], 0.1)) == (
        "Noisy(n_items=3, n_classes=2, error_rate=0.1, random_state=0)"
    )


def test_a_run_says_what_came_of_it() -> None:
    run = lw.run(X, lw.oracles.FromLabels([0, 0, 1, 1]), n_clusters=2, budget=9)
    assert repr(run).startswith("Run(study=Study(n_items=4")
    assert "ari=1.0" in repr(run)
    assert "<th>ari</th><td>1.0</td>" in run._repr_html_()


def test_a_with_block_closes_the_store_and_the_study_can_go_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    closed: list[SqlStore] = []
    monkeypatch.setattr(SqlStore, "close", lambda store: closed.append(store))
    with lw.Study(X, store=tmp_path / "s.likewise.db") as study:
        study.tell((0, 1), "same")
        assert closed == []
    assert closed == [study.store]
    monkeypatch.undo()
    study.close()
    study.tell((0, 2), "different")
    assert study.n_answers == 2


def test_a_study_and_a_run_can_be_drawn_as_they_are() -> None:
    run = lw.run(X, lw.oracles.FromLabels([0, 0, 1, 1]), n_clusters=2, budget=9)
    run.study.name(0, "small")
    legend = lw.plots.map(run.study).get_legend()
    assert legend is not None
    assert [text.get_text() for text in legend.get_texts()] == ["group 1", "small"]
    by_run, by_name = lw.plots.curve(run), lw.plots.curve({"auto": [run, run.curve]})
    for axes in (by_run, by_name):
        assert np.asarray(axes.lines[0].get_ydata())[-1] == 1.0
    assert by_run.get_legend() is None
    alike = lw.Study(Items.from_affinity(np.eye(4)[[0, 0, 1, 1]] @ np.eye(4)[[0, 0, 1, 1]].T))
    assert len(lw.plots.map(alike).collections) >= 1
    nothings: list[Any] = [{}, 7, {"a": []}]
    for nothing in nothings:
        with pytest.raises(DataError):
            lw.plots.curve(nothing)


ABLE = [cl.COPKMeans, cl.PCKMeans, cl.MPCKMeans, cl.Xing, cl.KASP, cl.RASP]


@pytest.mark.parametrize("build", ABLE)
def test_rows_that_come_later_go_to_the_nearest_cluster(build: Any) -> None:
    pile = blobs()
    fitted = build(n_clusters=3, random_state=0).fit(pile.X)
    np.testing.assert_array_equal(fitted.predict(pile.X + 1e-6), fitted.labels_)
    with pytest.raises(ValueError, match="2 features"):
        fitted.predict([[1.0]])


def test_the_learned_metric_is_what_rows_are_measured_by() -> None:
    pile = blobs()
    whole = cl.Xing(n_clusters=3, metric="full").fit(pile.X, **pile.links())
    away = pile.X[:, None] - whole.cluster_centers_
    squares = np.einsum("nki,ij,nkj->nk", away, whole.metric_, away)
    np.testing.assert_array_equal(whole.predict(pile.X), squares.argmin(axis=1))


def test_a_metric_of_each_cluster_is_what_rows_are_measured_by() -> None:
    pile = blobs()
    fitted = cl.MPCKMeans(n_clusters=3, per_cluster=True).fit(pile.X, **pile.links())
    by_hand = [
        ((pile.X - centre) ** 2 * form).sum(axis=1) - np.log(form).sum()
        for centre, form in zip(fitted.cluster_centers_, fitted.metric_, strict=True)
    ]
    np.testing.assert_array_equal(fitted.predict(pile.X), np.argmin(by_hand, axis=0))


def test_a_grid_search_finds_the_number_of_clusters() -> None:
    pile = blobs()
    search = GridSearchCV(
        cl.PCKMeans(random_state=0),
        {"n_clusters": [2, 3, 5]},
        scoring="adjusted_rand_score",
        cv=3,
    ).fit(pile.X, pile.kinds)
    assert search.best_params_ == {"n_clusters": 3}


SEEDED = [
    cl.COPKMeans, cl.PCKMeans, cl.MPCKMeans, cl.Xing, cl.KASP, cl.E2CP, cl.SpectralLearning,
    cl.SpectralGraphTransducer, cl.LinkedAffinityPropagation, cl.AugmentedMetric,
    lambda **settings: cl.COPRF(n_trees=5, **settings),
]  # fmt: skip


@pytest.mark.parametrize("build", SEEDED)
def test_an_estimator_takes_its_seed_as_scikit_learn_does(build: Any) -> None:
    pile = blobs()
    one, two = (
        build(n_clusters=3, random_state=np.random.RandomState(5)).fit(pile.X).labels_
        for _ in range(2)
    )
    np.testing.assert_array_equal(one, two)
    assert len(build(n_clusters=3, random_state=None).fit(pile.X).labels_) == len(pile.X)


def test_the_frame_of_a_study_of_a_frame_is_in_its_order() -> None:
    table = pd.DataFrame({"a": [1.0, 9.0, 2.0]}, index=["x", "y", "z"])
    assert lw.Study(table).to_frame().id.tolist() == ["x", "y", "z"]
