"""The two-step strategy: its pairs are the least certain of the first clustering, and stay so."""

from __future__ import annotations

import numpy as np
import pytest

import likewise as lw
from likewise.errors import MethodError
from likewise.items import Items
from likewise.strategies.pairs.two_step import least_certain


def test_pairs_between_clusters_that_touch_come_before_all_others() -> None:
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.normal(centre, 1, (30, 2)) for centre in (0, 3, 60)])
    pairs = least_certain(X, 3, 50, 0)
    assert len(pairs) == 90 * 89 // 2
    far = pairs >= 60
    assert not (far[:300, 0] ^ far[:300, 1]).any()  # who is far from all others is no question
    assert len(np.unique(pairs, axis=0)) == len(pairs)


def test_the_questions_do_not_depend_on_the_answers() -> None:
    X, _ = lw.datasets.load("iris")
    asked = []
    for answer in (True, False):
        study = lw.Study(X, method="aqm-two-step", n_clusters=3, random_state=2)
        seen = []
        for _ in range(6):
            question = study.ask()
            assert question is not None
            seen.append(question.pair)
            study.tell(question, answer)
        asked.append(seen)
    assert asked[0][0] == asked[1][0]
    in_order = [(p.i, p.j) for p in asked[1]]
    ranked = [
        tuple(sorted(pair)) for pair in least_certain(
            np.asarray(lw.Items.of(X).features), 3, 50, study.view.first_item
        ).tolist()
    ]  # fmt: skip
    places = [ranked.index(tuple(sorted(pair))) for pair in in_order]
    assert places == sorted(places)
    assert places[-1] < 40  # but for what follows from the answers, they are the first ones


def test_items_without_features_are_refused_with_a_way_out() -> None:
    items = Items.from_affinity(np.ones((4, 4)) - np.eye(4))
    with pytest.raises(MethodError, match="features"):
        lw.Study(items, method="aqm-two-step").ask()
