"""The study: determinism, restarts, taking back, disputes, bad input."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt
import pandas as pd
import pytest
from sklearn.datasets import make_blobs

import likewise as lw
from likewise.errors import AnswerError, DataError, LikewiseError, MethodError, StoreError

Array = npt.NDArray[np.float64]


@pytest.fixture(scope="module")
def wine() -> tuple[Array, npt.NDArray[np.int64]]:
    return lw.datasets.load("wine")


def blobs(seed: int, n: int = 60, k: int = 3) -> tuple[Array, npt.NDArray[np.int64]]:
    return lw.datasets.load("blobs", n=n, n_clusters=k, spread=1.5, random_state=seed)


def answer_all(study: lw.Study, y: npt.NDArray[np.int64], budget: int = 10_000) -> list[lw.Pair]:
    asked: list[lw.Pair] = []
    while len(asked) < budget and (question := study.ask()) is not None:
        asked.append(question.pair)
        study.tell(question, bool(y[question.pair.i] == y[question.pair.j]))
    return asked


@pytest.mark.slow
@pytest.mark.parametrize("n_clusters", [None, 3])
def test_the_same_question_follows_after_a_restart_at_every_point(
    tmp_path: Path, wine: tuple[Array, npt.NDArray[np.int64]], n_clusters: int | None
) -> None:
    X, y = wine
    path = tmp_path / "wine.likewise.jsonl"
    study = lw.Study(X, method="urasc", n_clusters=n_clusters, store=path)
    in_the_middle = 0
    for _ in range(100):
        question = study.ask()
        reopened = lw.Study.open(path, X)
        assert question is not None
        assert reopened.ask() == question
        in_the_middle += study.placing is not None
        if study.n_answers % 10 == 0:
            np.testing.assert_array_equal(reopened.labels_, study.labels_)
        study.tell(question, bool(y[question.pair.i] == y[question.pair.j]))
    assert in_the_middle > 5


def test_looking_at_labels_on_the_way_does_not_change_the_questions(seed: int) -> None:
    X, y = blobs(seed)
    quiet, watched = (lw.Study(X, random_state=seed) for _ in range(2))
    for _ in range(40):
        one, other = quiet.ask(), watched.ask()
        assert one == other
        if one is None:
            break
        truth = bool(y[one.pair.i] == y[one.pair.j])
        quiet.tell(one, truth)
        watched.tell(one, truth)
        assert len(watched.labels_) == len(X)


def test_undo_brings_back_the_question_and_the_labels(seed: int) -> None:
    X, y = blobs(seed)
    study = lw.Study(X, random_state=seed)
    answer_all(study, y, budget=25)
    history = []
    for _ in range(10):
        history.append((study.ask(), study.labels_))
        study.undo()
    assert study.n_answers == 15
    for question, labels in reversed(history):
        asked = study.ask()
        assert asked is not None
        study.tell(asked, bool(y[asked.pair.i] == y[asked.pair.j]))
        assert study.ask() == question
        np.testing.assert_array_equal(study.labels_, labels)


def test_a_complete_study_has_the_groups_the_answers_mean(seed: int) -> None:
    X, y = blobs(seed, n=40, k=4)
    for n_clusters in (None, 4):
        study = lw.Study(X, n_clusters=n_clusters, random_state=seed)
        answer_all(study, y)
        assert lw.metrics.ari(y, study.labels_) == 1.0
        assert study.confidence_.min() == 1.0


def test_with_the_number_of_groups_known_the_last_group_is_never_asked_about(seed: int) -> None:
    X, y = blobs(seed, n=30, k=2)
    study = lw.Study(X, n_clusters=2, random_state=seed)
    answer_all(study, y)
    # Two groups known: one question settles an item. Before that every item costs one as well.
    assert study.n_answers == len(X) - 1


def test_labels_never_contradict_an_undisputed_answer(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, _ = blobs(seed)
    study = lw.Study(X, method="random", n_clusters=3, random_state=seed)
    for _ in range(80):
        i, j = (int(v) for v in rng.choice(len(X), 2, replace=False))
        study.tell((i, j), bool(rng.random() < 0.4))
    disputed = {dispute.answer.id for dispute in study.disputes()}
    assert disputed
    labels = study.labels_
    for answer in study.answers:
        if answer.id not in disputed:
            together = labels[answer.pair.i] == labels[answer.pair.j]
            assert together == (answer.verdict is lw.Verdict.SAME)


def test_an_unsure_pair_rests_but_its_item_stays_a_candidate(seed: int) -> None:
    X, y = blobs(seed, n=40)
    study = lw.Study(X, random_state=seed)
    answer_all(study, y, budget=12)
    question = study.ask()
    assert question is not None
    study.tell(question, "unsure")
    asked: list[lw.Pair] = []
    while (following := study.ask()) is not None and len(asked) < 15:
        asked.append(following.pair.unordered)
        study.tell(following, bool(y[following.pair.i] == y[following.pair.j]))
    assert question.pair.unordered not in asked
    answer_all(study, y)
    assert lw.metrics.ari(y, study.labels_) == 1.0


def test_only_unsure_answers_end_politely() -> None:
    study = lw.Study([[0.0], [1.0], [5.0]])
    for _ in range(50):
        question = study.ask()
        if question is None:
            break
        study.tell(question, "unsure")
    assert study.labels_.shape == (3,)


@pytest.mark.parametrize("method", ["urasc", "random", "ffqs", "random-items"])
def test_permuting_labels_of_the_truth_changes_nothing(method: str, seed: int) -> None:
    X, y = blobs(seed)
    renamed = (y + 1) % 3
    one, other = (
        lw.run(X, lw.oracles.FromLabels(labels), method=method, budget=20, random_state=seed)
        for labels in (y, renamed)
    )
    assert [a.pair for a in one.study.answers] == [a.pair for a in other.study.answers]
    np.testing.assert_array_equal(one.labels_, other.labels_)


def test_several_questions_at_once_differ_and_begin_with_the_single_one(seed: int) -> None:
    X, y = blobs(seed)
    study = lw.Study(X, random_state=seed)
    answer_all(study, y, budget=9)
    single, several = study.ask(), study.ask(5)
    assert several[0] == single
    assert len({question.pair.unordered for question in several}) == 5
    rest = study.ask(3, pending=[several[0].pair])
    assert several[0].pair.i not in {question.pair.i for question in rest}


def test_confidence_lies_between_0_and_1_and_is_full_for_placed_items(seed: int) -> None:
    X, y = blobs(seed)
    study = lw.Study(X, random_state=seed)
    asked = answer_all(study, y, budget=15)
    confidence = study.confidence_
    assert ((confidence >= 0) & (confidence <= 1)).all()
    assert confidence[asked[0].j] == 1.0


def test_disputed_items_are_not_called_certain() -> None:
    study = lw.Study([[0.0], [1.0], [5.0], [6.0]])
    for pair, said in [((0, 1), True), ((1, 2), True), ((0, 2), False)]:
        study.tell(pair, said)
    (dispute,) = study.disputes()
    assert [answer.id for answer in dispute.chain] == [0, 1]
    assert study.confidence_[[0, 1, 2]].max() == 0.5
    study.retract(0)
    assert study.disputes() == []


@pytest.mark.parametrize(
    ("make", "expected"),
    [
        (lambda: lw.Items.of(np.zeros((5, 2))), 5),
        (lambda: np.ones((4, 3)), 4),
        (lambda: [[1.0], [1.0], [2.0], [2.0], [2.0]], 5),
        (lambda: pd.DataFrame({"a": [1, 2, 3], "b": ["x", "y", "x"]}), 3),
        (lambda: lw.Items.from_affinity(np.eye(4) + np.eye(4)[::-1]), 4),
        (lambda: lw.Items.from_distances(1.0 - np.eye(3)), 3),
        (lambda: [[0.0], [1.0]], 2),
    ],
)
def test_odd_piles_are_asked_about_to_the_end(make: object, expected: int) -> None:
    study = lw.Study(make())  # type: ignore[operator]
    truth = np.arange(expected) % 2
    answer_all(study, truth)
    assert lw.metrics.ari(truth, study.labels_) == 1.0


def test_a_journal_of_other_items_or_settings_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "a.likewise.jsonl"
    lw.Study([[0.0], [1.0], [2.0]], store=path)
    with pytest.raises(StoreError, match="other items"):
        lw.Study.open(path, [[0.0], [1.0], [3.0]])
    with pytest.raises(StoreError, match="other items"):
        lw.Study([[0.0], [1.0]], store=path)
    with pytest.raises(StoreError, match="random_state=0, not 1"):
        lw.Study([[0.0], [1.0], [2.0]], store=path, random_state=1)
    with pytest.raises(DataError, match="give them again"):
        lw.Study.open(path)
    with pytest.raises(StoreError, match="no study"):
        lw.Study.open(tmp_path / "b.likewise.jsonl", [[0.0], [1.0]])


def test_a_study_with_the_same_settings_goes_on_where_it_was(tmp_path: Path) -> None:
    path = tmp_path / "a.likewise.jsonl"
    X = [[0.0], [1.0], [2.0]]
    lw.Study(X, store=path).tell((0, 1), "same", who="Ada", seconds=2.5)
    again = lw.Study(X, store=path)
    assert [(a.who, a.seconds, a.pair) for a in again.answers] == [("Ada", 2.5, (0, 1))]


@pytest.mark.parametrize(
    ("settings", "error"),
    [
        ({"method": "urasq"}, "did you mean 'urasc'"),
        ({"n_clusters": 0}, "between 1 and"),
        ({"n_clusters": 4}, "between 1 and"),
        ({"random_state": -1}, "negative"),
    ],
)
def test_wrong_settings_are_explained(settings: dict[str, object], error: str) -> None:
    with pytest.raises(MethodError, match=error):
        lw.Study([[0.0], [1.0], [2.0]], **settings)  # type: ignore[arg-type]


def test_wrong_answers_are_explained_and_nothing_is_recorded() -> None:
    study = lw.Study([[0.0], [1.0], [2.0]])
    for pair, said in [((0, 0), "same"), ((0, 3), "same"), ((0, 1), "maybe"), ((0, 1), 1)]:
        with pytest.raises(AnswerError):
            study.tell(pair, said)  # type: ignore[call-overload]
    with pytest.raises(AnswerError, match="no answer to take back"):
        study.undo()
    with pytest.raises(LikewiseError):
        study.ask(0)
    assert study.n_answers == 0


def test_numpy_numbers_are_welcome_as_settings(tmp_path: Path) -> None:
    path = tmp_path / "a.likewise.jsonl"
    X = np.array([[0.0], [1.0], [5.0], [6.0]])
    n_clusters, seed = np.int64(2), np.int64(3)
    study = lw.Study(X, store=path, n_clusters=n_clusters, random_state=seed)  # type: ignore[arg-type]
    study.tell((np.int64(0), np.int64(1)), np.bool_(True), seconds=float(np.float32(1)))  # type: ignore[call-overload]
    assert lw.Study.open(path, X).answers == study.answers


@pytest.mark.parametrize(
    "X", [[[1e200, 1.0], [-2e200, 5.0]], np.array([[1 + 2j], [2.0]]), [["a"], ["b"]]]
)
def test_numbers_that_cannot_be_compared_are_refused(X: object) -> None:
    with pytest.raises(DataError):
        lw.Study(X)


def test_tiny_numbers_are_no_trouble() -> None:
    assert len(lw.Study([[1e-200, 1.0], [2e-200, 5.0]]).labels_) == 2


def test_a_journal_whose_name_no_file_can_have_is_refused() -> None:
    with pytest.raises(StoreError, match="cannot be opened"):
        lw.Study([[0.0], [1.0]], store="a\0.jsonl")


def test_a_wrong_answer_is_the_most_doubtful() -> None:
    X, kinds = make_blobs(60, centers=3, cluster_std=1.0, random_state=1)
    study = lw.Study(X, method="random", n_clusters=3, random_state=0)
    assert study.doubtful() == []  # nothing to compare with yet
    pairs = np.random.default_rng(0).permutation(60).reshape(-1, 2).tolist()
    pairs += np.random.default_rng(1).permutation(60).reshape(-1, 2).tolist()
    for i, j in pairs:
        study.tell((i, j), bool(kinds[i] == kinds[j]))
    sound = {doubt.answer.id for doubt in study.doubtful()}
    i, j = next((i, j) for i, j in pairs if kinds[i] != kinds[j])
    wrong = study.tell((i, j), "same")
    doubts = study.doubtful()
    assert wrong.id in {doubt.answer.id for doubt in doubts} - sound
    assert [doubt.probability for doubt in doubts] == sorted(
        (doubt.probability for doubt in doubts), reverse=True
    )
    assert all(doubt.probability > 0.5 for doubt in doubts)


def test_items_without_features_are_doubted_by_their_embedding() -> None:
    X, kinds = make_blobs(40, centers=2, random_state=1)
    alike = np.exp(-((X[:, None] - X[None]) ** 2).sum(axis=2) / 20)
    study = lw.Study(lw.Items.from_affinity(alike), n_clusters=2)
    for i in range(20):
        study.tell((i, i + 20), bool(kinds[i] == kinds[i + 20]))
    assert study.doubtful() == []


def test_a_name_is_kept_in_one_way_of_writing() -> None:
    study = lw.Study(np.arange(6.0)[:, None])
    study.tell((0, 1), "same", who=" A\u200bda ", client_id="one")
    assert study.tell((0, 1), "same", who="Ada", client_id="one") == study.answers[0]
    assert [answer.who for answer in study.answers] == ["Ada"]
    with pytest.raises(AnswerError, match="mixes"):
        study.tell((0, 2), "same", who="\u0410da")
    assert study.n_answers == 1
