"""The compiled split search and trees, held against Algorithm 1 written out in Python."""

from __future__ import annotations

from fractions import Fraction
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from likewise.affinities.forest._kernels import best_cut
from likewise.affinities.forest._trees import ClosedLinks, GivenLinks, TrainingRows, Tree

Ints = npt.NDArray[np.int32]
Cut = tuple[int, int, int, int, Fraction]


def literal_best_cut(
    codes: Ints,
    features: Ints,
    rows: Ints,
    node: dict[str, Any],
    single: bool,
    everyone: Ints | None = None,
    running: bool = False,
) -> Cut:
    """Algorithm 1, every cut tried and every link looked at, in exact arithmetic.

    `running` is its function `validate` to the letter, which raises the number of cannot-links to
    respect as it goes; otherwise most of them come first. Where `rows` are a sample of `everyone`
    in the node, only they make cuts and count for the gain.
    """
    weight, data_weight = node["weight"].tolist(), node["data_weight"].tolist()

    def concentration(part: list[int]) -> Fraction:  # rows × (1 - Gini impurity)
        total, data = sum(weight[r] for r in part), sum(data_weight[r] for r in part)
        return Fraction(data**2 + (total - data) ** 2, total)

    def n_parted(links: Ints, left: set[int]) -> int:
        return sum((i in left) != (j in left) for i, j in links.tolist())

    best: Cut = (-1, 0, 0, 0, Fraction(0))
    even: tuple[int, Cut] = (0, best)
    max_cls = 0
    judges = rows.tolist()
    for feature in features.tolist():
        column = codes[feature].tolist()
        values = sorted({column[r] for r in judges})
        for low, high in pairwise(values):
            left = [r for r in judges if column[r] <= low]
            right = [r for r in judges if column[r] > low]
            smaller = min(sum(weight[r] for r in side) for side in (left, right))
            goes_left = {
                r for r in (rows if everyone is None else everyone).tolist() if column[r] <= low
            }
            if smaller < node["min_leaf"] or n_parted(node["must"], goes_left):
                continue
            parted = n_parted(node["cannot"], goes_left)
            gain = concentration(left) + concentration(right) - concentration(judges)
            if running:
                if parted >= max_cls:
                    max_cls = parted
                    if gain > best[4]:
                        best = (feature, low, high, parted, gain)
            elif (parted, gain) > (best[3], best[4]):
                best = (feature, low, high, parted, gain)
            if smaller > even[0]:
                even = (smaller, (feature, low, high, 0, Fraction(0)))
    return even[1] if best[0] < 0 and single else best


def random_node(rng: np.random.Generator) -> tuple[Ints, Ints, Ints, dict[str, Any]]:
    """A node as small as leaves are or as large as roots, with few or many values and links."""
    n_all = int(rng.integers(5, 80))
    # Few of many values are sorted, others counted.
    n_codes = int(rng.choice([2, 5, n_all]))
    d = int(rng.integers(1, 5))
    codes = rng.integers(n_codes, size=(d, n_all)).astype(np.int32)
    rows = rng.choice(n_all, size=int(rng.integers(2, min(n_all, 30) + 1)), replace=False).astype(
        np.int32
    )
    weight = rng.integers(1, 4, size=n_all).astype(np.int32)
    # Mostly data rows: pure nodes, in which nothing is gained, should be frequent.
    data_weight = np.where(rng.random(n_all) < rng.choice([0.5, 0.9, 1.0]), weight, 0)

    def links(most: int) -> Ints:
        return rng.choice(rows, size=(int(rng.integers(most + 1)), 2)).astype(np.int32)

    node = {
        "weight": weight,
        "data_weight": data_weight.astype(np.int32),
        "must": links(int(rng.choice([0, 2, 10]))),
        "cannot": links(int(rng.choice([0, 3, 20]))),
        "min_leaf": int(rng.choice([1, 1, 3])),
    }
    return codes, rng.permutation(d).astype(np.int32), rows, node


def fast_best_cut(
    codes: Ints,
    features: Ints,
    rows: Ints,
    node: dict[str, Any],
    single: bool,
    *,
    sampled: bool,
    running: bool = False,
) -> tuple[int, int, int, int, float]:
    """What the compiled search finds; it leaves its counters at zero."""
    counts = np.zeros((4, codes.shape[1] + 1), dtype=np.int32)
    place = np.empty(codes.shape[1], dtype=np.int32)
    switches = (single, running)
    arguments: list[Any] = [
        codes, features, rows, *node.values(), *switches, place, counts, sampled,
    ]  # fmt: skip
    found: tuple[int, int, int, int, float] = best_cut(*arguments)
    assert not counts.any()
    return found


@pytest.mark.parametrize("single", [False, True])
def test_the_best_cut_is_that_of_the_literal_algorithm(single: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    outcomes = {"leaf": 0, "tie": 0, "parted": 0}
    for _ in range(2000):
        codes, features, rows, node = random_node(rng)
        found = fast_best_cut(codes, features, rows, node, single, sampled=False)
        expected = literal_best_cut(codes, features, rows, node, single)
        assert found[:4] == expected[:4]
        assert found[4] == pytest.approx(float(expected[4]), abs=1e-9)
        outcomes["leaf"] += found[0] < 0
        outcomes["parted"] += found[3] > 0
        backwards = literal_best_cut(codes, features[::-1], rows, node, single)
        outcomes["tie"] += backwards[:2] != expected[:2]
    assert min(outcomes.values()) > 50  # each of the interesting cases did come up


def test_the_running_scan_is_algorithm_1_as_printed(seed: int) -> None:
    rng = np.random.default_rng(seed)
    n_other = 0
    for _ in range(2000):
        codes, features, rows, node = random_node(rng)
        found = fast_best_cut(codes, features, rows, node, False, sampled=False, running=True)
        expected = literal_best_cut(codes, features, rows, node, False, running=True)
        assert found[:4] == expected[:4]
        assert found[4] == pytest.approx(float(expected[4]), abs=1e-9)
        n_other += literal_best_cut(codes, features, rows, node, False)[:3] != expected[:3]
    assert n_other > 50  # it is another algorithm than the one that compares all cuts


@pytest.mark.parametrize("single", [False, True])
def test_a_sampled_node_is_cut_by_the_gain_of_the_sample_and_by_all_links(
    single: bool, seed: int
) -> None:
    rng = np.random.default_rng(seed)
    n_parted = n_outside = 0
    for _ in range(2000):
        codes, features, rows, node = random_node(rng)
        sample = rows[: int(rng.integers(2, len(rows) + 1))]
        found = fast_best_cut(codes, features, sample, node, single, sampled=True)
        expected = literal_best_cut(codes, features, sample, node, single, everyone=rows)
        assert found[:2] == expected[:2]
        assert found[3] == expected[3]
        assert found[4] == pytest.approx(float(expected[4]), abs=1e-9)
        assert found[0] < 0 or found[2] == found[1] + 1
        n_parted += found[3] > 0
        n_outside += bool(found[0] >= 0 and len(sample) < len(rows))
    assert min(n_parted, n_outside) > 50


@pytest.mark.parametrize("closed", [False, True])
def test_must_linked_items_share_a_leaf_of_trees_grown_by_samples(closed: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, rows = some_rows(rng, 200)
    must, cannot = pairs(rng, 200, 30), pairs(rng, 200, 60)
    links = ClosedLinks.of(200, must, cannot) if closed else GivenLinks(must, cannot)
    n_leaves = []
    for sequence in np.random.SeedSequence(seed).spawn(20):
        bag = np.random.default_rng(sequence).integers(400, size=200)
        tree = Tree.grown(rows, links, 4, 1, True, False, 20, sequence)
        leaves = tree.leaves(X)
        seen = np.isin(must, bag).all(axis=1)
        assert (leaves[must[seen, 0]] == leaves[must[seen, 1]]).all()
        n_leaves.append(tree.n_leaves)
    assert np.median(n_leaves) > 10


def some_rows(rng: np.random.Generator, n: int = 60, d: int = 4) -> tuple[Any, TrainingRows]:
    X = rng.normal(size=(n, d)).round(1)
    return X, TrainingRows.of(X, rng)


def test_synthetic_rows_have_the_items_values_but_not_their_combinations(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = np.column_stack([np.arange(200.0), np.arange(200.0)])
    rows = TrainingRows.of(X, rng)
    np.testing.assert_array_equal(rows.codes[:, :200], np.tile(np.arange(200), (2, 1)))
    first, second = rows.codes[:, 200:]
    assert abs(np.corrcoef(first, second)[0, 1]) < 0.3
    assert 0.5 < len(np.unique(first)) / 200 < 0.75  # drawn with replacement


def pairs(rng: np.random.Generator, n: int, m: int) -> npt.NDArray[np.int64]:
    drawn: npt.NDArray[np.int64] = rng.integers(n, size=(m, 2))
    return np.asarray(drawn[drawn[:, 0] != drawn[:, 1]])


@pytest.mark.parametrize("single", [False, True])
@pytest.mark.parametrize("closed", [False, True])
def test_must_linked_items_in_the_bag_share_a_leaf(single: bool, closed: bool, seed: int) -> None:
    rng = np.random.default_rng(seed)
    X, rows = some_rows(rng)
    must, cannot = pairs(rng, 60, 30), pairs(rng, 60, 30)
    n_seen = n_out_of_bag_parted = 0
    links = ClosedLinks.of(60, must, cannot) if closed else GivenLinks(must, cannot)
    for sequence in np.random.SeedSequence(seed).spawn(50):
        bag = np.random.default_rng(sequence).integers(120, size=60)
        leaves = Tree.grown(rows, links, 2, 1, single, False, 1000, sequence).leaves(X)
        together = leaves[must[:, 0]] == leaves[must[:, 1]]
        seen = np.isin(must, bag).all(axis=1)
        assert together[seen].all()
        n_seen += int(seen.sum())
        n_out_of_bag_parted += int((~together[~seen]).sum())
    assert n_seen > 0
    assert n_out_of_bag_parted > 0  # nothing is promised for these


def test_a_tree_to_single_rows_tells_apart_all_rows_of_its_bag(seed: int) -> None:
    rng = np.random.default_rng(seed)
    X = rng.normal(size=(50, 3))
    none = np.empty((0, 2), dtype=np.int64)
    sequence = np.random.SeedSequence(seed)
    bag = np.unique(np.random.default_rng(sequence).integers(100, size=50))
    rows = TrainingRows.of(X, rng)
    # All features are tried: with one at a time, two rows may agree in it and stay together.
    tree = Tree.grown(rows, GivenLinks(none, none), 3, 1, True, False, 1000, sequence)
    items = bag[bag < 50]
    assert len(np.unique(tree.leaves(X)[items])) == len(items)
    assert tree.n_leaves == len(np.unique(rows.codes[:, bag], axis=1).T)


def test_closed_links_say_what_follows_for_the_items_of_a_bag() -> None:
    must = np.array([[0, 1], [1, 2], [5, 6]])
    cannot = np.array([[2, 5], [0, 6], [3, 4], [0, 2]])
    links, rng = ClosedLinks.of(8, must, cannot), np.random.default_rng(0)
    in_bag = np.ones(8, dtype=bool)
    in_bag[[1, 5]] = False
    seen_must, seen_cannot = links.within(in_bag, rng)
    assert seen_must.tolist() == [[0, 2]]  # by way of item 1, which is not in the bag
    assert seen_cannot.tolist() == [[0, 6], [3, 4]]  # once for two groups, never within one
    given_must, given_cannot = GivenLinks(must, cannot).within(in_bag, rng)
    assert given_must.tolist() == []
    assert given_cannot.tolist() == [[0, 6], [3, 4], [0, 2]]


def test_thresholds_part_even_neighbouring_numbers() -> None:
    X = np.array([[1.0], [np.nextafter(1.0, 2.0)]] * 20)
    rng = np.random.default_rng(0)
    cannot = np.array([[i, i + 1] for i in range(0, 40, 2)])
    none = np.empty((0, 2), dtype=np.int64)
    links = GivenLinks(none, cannot)
    seed = np.random.SeedSequence(0)
    tree = Tree.grown(TrainingRows.of(X, rng), links, 1, 1, False, False, 1000, seed)
    leaves = tree.leaves(X)
    assert (leaves[0::2] != leaves[1::2]).all()


def test_a_tree_sees_a_link_as_often_as_it_is_likely(seed: int) -> None:
    must, cannot = np.array([[0, 1]]), np.array([[2, 3], [4, 5]])
    links = GivenLinks(must, cannot, np.array([0.3]), np.array([1.0, 0.0]))
    rng = np.random.default_rng(seed)
    seen = [links.within(np.ones(6, dtype=bool), rng) for _ in range(1000)]
    assert 220 < sum(len(some) for some, _ in seen) < 380
    assert all(some.tolist() == [[2, 3]] for _, some in seen)
