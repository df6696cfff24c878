"""Tasks that buy labels: halves, doubling, and what texts and classes they take."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from likewise.bench import papers
from likewise.bench.experiment import Task
from likewise.bench.runner import attempt
from likewise.bench.task_data import load
from likewise.bench.tasks.labels import LEARNERS
from likewise.errors import DataError


@pytest.mark.parametrize("method", ["alg1", "alg2-kernel", "svm", "sgt-squares"])
def test_labels_double_until_half_of_the_items_are_labelled(method: str) -> None:
    task = Task(method, "breast_cancer", 0, (1,), kind="labels")
    rows = attempt(task)[1]
    assert {row["status"] for row in rows} == {"ok"}
    counts = [row["questions"] for row in rows]
    assert counts == ([1, 284] if method == "alg1" else [2**k for k in range(9)] + [284])
    assert rows[-1]["final_auc"] > 0.95
    assert -1 <= rows[-1]["alc"] <= 1
    assert all("alc" not in row for row in rows[:-1])


def test_more_than_two_classes_and_unknown_learners_are_said_to_be_wrong() -> None:
    three = attempt(Task("svm", "iris", 0, (1,), kind="labels"))[1]
    assert three[0]["status"] == "failed"
    assert "positive" in three[0]["reason"]
    unknown = attempt(Task("nobody", "breast_cancer", 0, (1,), kind="labels"))[1]
    assert "alg2" in unknown[0]["reason"]


def test_classes_become_two_and_texts_become_numbers(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = ["text,label"]
    lines += [f"a {animal} runs {k},animals" for k, animal in enumerate(["cat", "dog", "cow"] * 3)]
    lines += [f"stocks {what} again {k},money" for k, what in enumerate(["fell", "rose"] * 4)]
    lines += [f"rain and {what} {k},weather" for k, what in enumerate(["wind", "snow"] * 4)]
    (tmp_path / "notes.csv").write_text("\n".join(lines))
    monkeypatch.setenv("LIKEWISE_DATA", str(tmp_path))
    settings = (("classes", "0-2"), ("features", "tfidf-lsa"), ("positive", 2))
    X, truth, _ = load(Task("svm", "notes", 0, (1,), kind="labels", data_settings=settings))
    assert truth.tolist() == [0] * 9 + [1] * 8
    assert len(X) == 17
    # Rounded to six digits, so that they are the same on every machine.
    np.testing.assert_allclose(np.linalg.norm(X, axis=1), 1, atol=2e-6)
    with pytest.raises(DataError, match="text"):
        load(Task("svm", "iris", 0, (1,), data_settings=(("features", "tfidf-lsa"),)))


def test_the_paper_is_there_like_the_others() -> None:
    paper = papers.load("sgt", quick=True)
    assert {task.method for task in paper.experiment.tasks} <= set(LEARNERS)
    told, ran = paper.published, {task.data_name for task in paper.experiment.tasks}
    stands_in = told["reference"].str.contains("another set")
    assert set(told[stands_in].data) <= ran
    # Of the paper's own data, which are not to be had, there is every cell: two figures, three
    # learners, eight sets.
    own = told[~stands_in]
    assert len(own) == own.groupby(["data", "method", "metric"]).ngroups == 2 * 3 * 8
    assert not set(own.data) & ran


def test_raw_items_are_left_in_their_units() -> None:
    from likewise.bench.tasks.base import items_of

    X = np.random.default_rng(0).normal(size=(30, 2)) * [1.0, 1000.0]
    as_usual = items_of(Task("svm", "x", 0, (1,)), X).features
    raw = items_of(Task("svm", "x", 0, (1,), scaling="raw"), X).features
    np.testing.assert_array_equal(raw, X)
    assert np.asarray(as_usual).std(axis=0).max() < 2
