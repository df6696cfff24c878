"""What holds for every clusterer that asks."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from sklearn.datasets import load_iris
from sklearn.utils.estimator_checks import parametrize_with_checks

from interviews import Interview, blobs
from likewise.clusterers import A3S, COBRA, COBRAS, DSL, DialogueClusterer

DIALOGUES: list[type[DialogueClusterer]] = [COBRA, COBRAS, A3S, DSL]


def finer_than_asked_for(estimator: DialogueClusterer) -> dict[str, str]:
    """Return the check that asks for at most `n_clusters` clusters, where there are more first."""
    begins_finer = {"check_clustering": "it begins with a fine clustering"}
    return begins_finer if isinstance(estimator, A3S) else {}


@parametrize_with_checks(  # type: ignore[untyped-decorator]
    [make() for make in DIALOGUES], expected_failed_checks=finer_than_asked_for
)
def test_all_are_estimators_as_scikit_learn_wants_them(estimator: Any, check: Any) -> None:
    check(estimator)


@settings(max_examples=25)
@given(st.data(), st.sampled_from(DIALOGUES))
def test_truthful_answers_to_the_end_give_the_truth(
    data: st.DataObject, make: type[DialogueClusterer]
) -> None:
    n = data.draw(st.integers(2, 14))
    truth = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    # Few values: many items have the same features and yet need not be the same.
    values = data.draw(st.lists(st.integers(0, 4), min_size=n, max_size=n))
    talk = Interview(make, np.array(values)[:, None], truth).answer(n * n)
    assert talk.model.question_ is None
    assert list(talk.model.open_pairs()) == []
    assert talk.score == 1.0
    assert len(talk.said) <= n * (n - 1) // 2


@pytest.mark.parametrize("make", DIALOGUES)
@pytest.mark.parametrize("random_state", [0, 1])
def test_a_fit_that_goes_on_from_another_is_the_fit_from_scratch(
    make: type[DialogueClusterer], random_state: int
) -> None:
    X, truth = load_iris(return_X_y=True)
    X, truth = X[::3], truth[::3]
    talk = Interview(lambda: make(random_state=random_state), X, truth)
    for _ in range(10):
        talk.answer(4)
        links: dict[str, Any] = {"must_link": talk.must, "cannot_link": talk.cannot}
        scratch = make(random_state=random_state).fit(X.copy(), **links)
        assert scratch.question_ == talk.model.question_
        np.testing.assert_array_equal(scratch.labels_, talk.model.labels_)


@pytest.mark.parametrize("make", DIALOGUES)
def test_a_start_with_other_links_or_items_does_no_harm(make: type[DialogueClusterer]) -> None:
    X, truth = blobs()
    far = Interview(make, X, truth).answer(20)
    few: dict[str, Any] = {"must_link": far.must[1:4], "cannot_link": far.cannot[1:2]}
    scratch = make().fit(far.X.copy(), **few)
    for start in (far.model, make(random_state=7).fit(far.X), make().fit(far.X[::-1].copy())):
        warm = make().fit(far.X, **few, start=start)
        assert warm.question_ == scratch.question_
        np.testing.assert_array_equal(warm.labels_, scratch.labels_)


@pytest.mark.parametrize("make", DIALOGUES)
@settings(max_examples=40)
@given(data=st.data())
def test_labels_never_contradict_a_link(make: type[DialogueClusterer], data: st.DataObject) -> None:
    n = data.draw(st.integers(2, 14))
    hidden = data.draw(st.lists(st.integers(0, 3), min_size=n, max_size=n))
    item = st.integers(0, n - 1)
    linked = data.draw(st.lists(st.tuples(item, item).filter(lambda p: p[0] != p[1]), max_size=20))
    must = [(i, j) for i, j in linked if hidden[i] == hidden[j]]
    cannot = [(i, j) for i, j in linked if hidden[i] != hidden[j]]
    X = np.random.default_rng(n).normal(size=(n, 2))
    model = make(n_clusters=2).fit(X, must_link=must, cannot_link=cannot)
    labels = model.labels_
    assert all(labels[i] == labels[j] for i, j in must)
    assert all(labels[i] != labels[j] for i, j in cannot)
    assert set(labels.tolist()) == set(range(model.n_clusters_))


@pytest.mark.parametrize("make", DIALOGUES)
def test_items_without_any_difference_are_asked_about_all_the_same(
    make: type[DialogueClusterer],
) -> None:
    talk = Interview(make, np.zeros((8, 2)), [0] * 8).answer()
    assert len(talk.said) == 7
    assert talk.score == 1.0


@pytest.mark.parametrize("make", DIALOGUES)
@pytest.mark.parametrize(("offset", "step"), [(1.0, 2.3e-16), (1e8, 1.5e-8), (0.0, 1e-200)])
def test_differences_too_small_for_k_means_do_not_stop_the_dialogue(
    make: type[DialogueClusterer], offset: float, step: float
) -> None:
    X = offset + step * np.arange(40.0).reshape(-1, 1)
    assert len(np.unique(X)) > 1
    kinds = [i % 2 for i in range(40)]
    assert Interview(make, X, kinds).answer(800).score == 1.0
