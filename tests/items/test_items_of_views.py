"""Items that can be seen in several ways."""

from __future__ import annotations

from typing import Any

import numpy as np
import pandas as pd
import pytest

from likewise import Items
from likewise.errors import DataError
from likewise.features.feature_views import FeatureViews


def test_every_view_is_made_as_items_are() -> None:
    frame = pd.DataFrame({"id": ["a", "b", "c"], "size": [1.0, 2.0, 9.0]})
    pile = Items.from_views({"looks": np.eye(3), "columns": frame, "text": ["x y", "y z", "z a"]})
    assert pile.views is not None
    assert list(pile.views.blocks) == ["looks", "columns", "text"]
    assert pile.ids == ["a", "b", "c"]
    assert list(pile.texts or ()) == ["x y", "y z", "z a"]


def test_a_pile_is_recognised_whichever_views_count() -> None:
    pile = Items.from_views({"a": np.eye(4), "b": np.arange(8.0).reshape(4, 2)})
    other = pile.switched(["a"])
    assert other.fingerprint() == pile.fingerprint()
    assert other.fingerprint_of(2) == pile.fingerprint_of(2)
    assert other.switched(()).features is pile.features
    changed = Items.from_views({"a": np.eye(4), "b": np.arange(1.0, 9.0).reshape(4, 2) ** 2})
    assert changed.fingerprint() != pile.fingerprint()


def test_one_view_is_plain_items() -> None:
    alone, plain = Items.from_views({"a": np.eye(4)}), Items.of(np.eye(4))
    assert alone.views is None
    assert alone.fingerprint() == plain.fingerprint()
    assert plain.switched(["a"]) is plain


def test_weights_are_shares_of_variance_and_nought_is_left_out() -> None:
    rng = np.random.default_rng(0)
    a, b, c = (rng.normal(size=(30, 2)) for _ in range(3))
    views = FeatureViews.of({"a": a, "b": 9 * b, "c": c}, {"a": 3.0, "c": 0.0})
    assert views.whole.var(axis=0).sum() == pytest.approx(4.0, rel=1e-3)
    assert views.whole.shape[1] == 4
    assert views.mixture(["a", "b"]) is c  # all that is on
    assert views.mixture(["a", "b", "c"]) is views.whole


def test_some_of_the_items_keep_their_views() -> None:
    pile = Items.from_views({"a": np.eye(4), "b": np.arange(8.0).reshape(4, 2)}).switched(["a"])
    some = pile.take(np.array([3, 1]))
    assert some.views is not None
    assert some.off == {"a"}
    np.testing.assert_array_equal(some.views.blocks["a"], pile.views.blocks["a"][[3, 1]])  # type: ignore[union-attr]


@pytest.mark.parametrize(
    ("views", "weights", "sentence"),
    [
        ({}, {}, "there is no view; give at least one"),
        ({"a": np.eye(3), "b": np.eye(4)}, {}, "but a has 3, b has 4"),
        ({"a": np.eye(3)}, {"b": 1.0}, "there is no view 'b' to be weighted; there are a"),
        ({"a": np.eye(3), "b": np.eye(3)}, {"b": -1.0}, "must be a number from 0 on"),
        ({"a": np.eye(3), "b": Items.from_affinity(np.eye(3))}, {}, "the view 'b' needs features"),
    ],
)
def test_what_cannot_be_views_is_refused(
    views: dict[str, Any], weights: dict[str, float], sentence: str
) -> None:
    with pytest.raises(DataError, match=sentence):
        Items.from_views(views, weights=weights)


def test_columns_beside_a_text_count_only_as_answers_have_it() -> None:
    texts = ["a red apple pie", "cherry cake", "new brakes", "a fast car", "an old engine"]
    frame = pd.DataFrame({"text": texts, "price": [1.0, 2.0, 90.0, 80.0, 70.0]})
    pile = Items.of(frame)
    assert pile.views is not None
    assert list(pile.views.blocks) == ["words", "sentences", "columns"]
    assert pile.views.weights["columns"] == 0
    np.testing.assert_array_equal(pile.features, Items.of(texts).features)
    assert "the other columns count as far as answers show" in pile.notes[0]
