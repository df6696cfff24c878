"""Questions about one item: what naming its class implies, costs and takes back."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import AnswerError
from likewise.study.edits import ask_class, take_back, tell_class

Labels = npt.NDArray[np.int64]


def pile(n: int = 30, k: int = 3) -> tuple[npt.NDArray[np.float64], Labels]:
    return lw.datasets.load("blobs", n=n, n_clusters=k, spread=2.0, random_state=1)


@settings(max_examples=20)
@given(
    st.lists(st.sampled_from(["ant", "bee", "cat"]), min_size=2, max_size=12),
    st.randoms(use_true_random=False),
)
def test_naming_everything_gives_the_named_groups_in_any_order(
    names: list[str], rng: object
) -> None:
    X = np.arange(float(len(names)))[:, None]
    study = lw.Study(X)
    order = list(range(len(names)))
    rng.shuffle(order)  # type: ignore[attr-defined]
    for item in order:
        tell_class(study, item, names[item])
    for i in range(len(names)):
        for j in range(i):
            expected = lw.Verdict.SAME if names[i] == names[j] else lw.Verdict.DIFFERENT
            assert study.constraints.implied(i, j) is expected
    assert not study.disputes()
    if len(set(names)) > 1:
        assert [study.names_[label] for label in study.labels_.tolist()] == names


@pytest.mark.parametrize("method", ["auto", "sgt", "svm", "cobras", "random"])
@pytest.mark.parametrize("n_clusters", [None, 3])
def test_every_item_is_asked_at_most_once_and_all_are_placed(
    method: str, n_clusters: int | None
) -> None:
    X, y = pile()
    study = lw.Study(X, method=method, n_clusters=n_clusters)
    asked: list[int] = []
    while (item := ask_class(study)) is not None:
        asked.append(item)
        tell_class(study, item, f"kind {y[item]}")
    assert len(asked) == len(set(asked)) <= len(X)
    assert lw.metrics.ari(y, study.labels_) == 1.0


def test_a_run_counts_items_and_needs_fewer_questions_than_pairs() -> None:
    X, y = pile(60, 4)
    budget = 1000
    by_class = lw.run(X, lw.oracles.Classes(y), method="random-items", budget=budget)
    by_pair = lw.run(X, lw.oracles.FromLabels(y), method="random-items", budget=budget)
    assert by_class.n_questions == 60
    assert by_class.n_questions < by_pair.n_questions
    assert by_class.curve.ari.iloc[-1] == 1.0
    assert list(by_class.curve.questions) == sorted(by_class.curve.questions)
    assert set(by_class.study.names_.values()) == {"0", "1", "2", "3"}


def test_the_same_item_is_asked_about_after_a_restart(tmp_path: Path) -> None:
    X, y = pile()
    path = tmp_path / "pile.likewise.jsonl"
    study = lw.Study(X, method="sgt", store=path)
    for _ in range(12):
        item = ask_class(study)
        again = lw.Study.open(path, X)
        assert item is not None
        assert ask_class(again) == item
        assert again.named == study.named
        tell_class(study, item, str(y[item]))


def test_one_item_named_is_one_group_with_a_name() -> None:
    X, _ = pile()
    study = lw.Study(X)
    first = ask_class(study)
    assert first is not None
    assert tell_class(study, first, "ant") == []
    second = ask_class(study)
    assert second not in (None, first)
    assert [str(a) for a in tell_class(study, int(second or 0), "bee")] == [
        f"#0: {second} ≠ {first}"
    ]


def test_what_was_named_can_be_taken_back_in_one_piece() -> None:
    study = lw.Study(np.arange(6.0)[:, None])
    for item, name in enumerate(["ant", "bee", "cat"]):
        tell_class(study, item, name)
    before = study.answers
    told = tell_class(study, 3, "dog")
    assert len(told) == 3
    take_back(study, told)
    assert study.answers == before


def test_a_name_that_contradicts_answers_is_a_dispute_and_names_nothing() -> None:
    study = lw.Study(np.arange(6.0)[:, None])
    tell_class(study, 0, "ant")
    study.tell((0, 1), "same")
    tell_class(study, 1, "bee")
    assert len(study.disputes()) == 1
    assert set(study.named.values()) == {"ant"}


def test_a_class_without_name_and_an_item_that_is_not_there_are_refused() -> None:
    study = lw.Study(np.arange(6.0)[:, None])
    with pytest.raises(AnswerError, match="needs a name"):
        tell_class(study, 0, "  ")
    with pytest.raises(AnswerError, match="between 0 and 5"):
        tell_class(study, 6, "ant")
