"""Groups that share a label: those likelier one than two, never those known to differ."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from likewise.auto import Committee
from likewise.auto.provisional_groups import _joined


@settings(max_examples=60, deadline=None)
@given(st.integers(1, 9), st.integers(0, 2**16), st.integers(1, 5))
def test_groups_share_a_label_only_if_likely_one_and_not_known_to_differ(
    n: int, seed: int, at_least: int
) -> None:
    rng = np.random.default_rng(seed)
    chance = np.tril(rng.random((n, n)), -1)
    chance = chance + chance.T + np.eye(n)
    differ = np.tril(rng.random((n, n)) < 0.2, -1)
    differ = differ | differ.T
    labels = _joined(np.where(differ, 0.0, chance), differ, at_least)
    assert labels.min() == 0
    assert len(np.unique(labels)) == labels.max() + 1 >= min(n, at_least)
    for label in np.unique(labels):
        members = np.flatnonzero(labels == label)
        assert not differ[np.ix_(members, members)].any()
    if labels.max() + 1 > at_least:
        for a in np.unique(labels):
            for b in range(a):
                between = np.ix_(labels == a, labels == b)
                likely = np.where(differ, 0.0, chance)[between].mean()
                assert differ[between].any() or likely <= 0.5 + 1e-9


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 9), st.integers(0, 2**16), st.integers(0, 9), st.integers(1, 9))
def test_groups_that_answers_have_founded_share_no_label_but_to_keep_a_number(
    n: int, seed: int, n_founded: int, number: int
) -> None:
    rng = np.random.default_rng(seed)
    chance = np.tril(rng.random((n, n)), -1)
    chance = chance + chance.T + np.eye(n)
    differ = np.zeros((n, n), dtype=bool)
    labels = _joined(chance, differ, 1, n_founded=n_founded)
    founded = labels[:n_founded]
    assert len(np.unique(founded)) == len(founded)
    # Of too many those are joined, too: any two may be one here.
    assert _joined(chance, differ, 1, number, n_founded).max() + 1 <= number


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 7), st.integers(0, 2**16), st.integers(1, 4))
def test_to_keep_a_number_labels_are_joined_that_stand_out_or_cost_the_fewest_items(
    n: int, seed: int, number: int
) -> None:
    rng = np.random.default_rng(seed)
    chance = np.tril(rng.uniform(0.02, 0.7, (n, n)), -1)
    chance = chance + chance.T + np.eye(n)
    differ = np.tril(rng.random((n, n)) < 0.2, -1)
    differ = differ | differ.T
    n_items = rng.integers(1, 20, n)
    merging = np.where(differ, 0.0, chance)
    labels = np.arange(n)
    while (found := labels.max() + 1) > number:
        means, smaller = {}, {}
        for a in range(found):
            for b in range(a + 1, found):
                between = np.ix_(labels == a, labels == b)
                if not differ[between].any():
                    means[a, b] = merging[between].mean()
                    smaller[a, b] = min(n_items[labels == a].sum(), n_items[labels == b].sum())
        if not means:
            break
        if max(means.values()) <= 0.5:
            means = _with_as_many_joins(means, found - number)
        a, b = max(means, key=lambda pair: means[pair])
        if means[a, b] <= 0.5:
            a, b = min(means, key=lambda pair: smaller[pair] * (1 - 2 * means[pair]))
        labels[labels == b] = a
        labels = np.unique(labels, return_inverse=True)[1]
    joined = _joined(merging, differ, number, at_most=number, n_items=n_items)
    assert joined.tolist() == labels.tolist()


def _with_as_many_joins(
    chances: dict[tuple[int, int], float], n_joins: int
) -> dict[tuple[int, int], float]:
    """Return chances whose sum along the spanning tree of the likeliest is a number, written out.

    The odds of all are multiplied by one factor, of which the logarithm is halved in on.
    """
    tree, component = [], {group: group for pair in chances for group in pair}
    for pair in sorted(chances, key=lambda pair: -chances[pair]):
        one, other = (component[group] for group in pair)
        if one != other:
            tree.append(chances[pair])
            component = {g: one if c == other else c for g, c in component.items()}

    def raised(chance: float, factor: float) -> float:
        return chance * factor / (chance * factor + 1 - chance)

    if len(tree) <= n_joins:
        return chances
    low, high = 0.0, 50.0
    for _ in range(100):
        middle = (low + high) / 2
        enough = sum(raised(chance, np.exp(middle)) for chance in tree) >= n_joins
        low, high = (low, middle) if enough else (middle, high)
    return {pair: raised(chance, np.exp(high)) for pair, chance in chances.items()}


def test_parts_that_edges_hold_together_share_a_label_but_stay_groups_to_ask_about() -> None:
    rng = np.random.default_rng(3)
    X = rng.normal(size=(120, 2)) * [6.0, 0.4]
    model = Committee(random_state=0).fit(X)
    joined = model.groups_.joined(1)
    assert model.n_clusters_ == joined.max() + 1
    assert model.label_probabilities_.shape == (120, model.n_clusters_)
    assert model.label_probabilities_.sum(axis=1) == pytest.approx(
        1 - np.maximum(1 - model.provisional_probabilities_.sum(axis=1), 0)
    )
    assert model.likeliest_group.max() + 1 <= len(joined)
