"""The graph of measured pairs, and its leading eigenvectors."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.similarity.graph import CLOSED, SimilarityGraph
from likewise.similarity.grouping import CutSettings, group
from likewise.similarity.laplacian import SMALL, Laplacian, LaplacianSpectrum, lowest_eigenpairs

Looks = list[tuple[int, int, float]]


def empty(n: int) -> SimilarityGraph:
    none = np.array([], dtype=np.int64)
    return SimilarityGraph.of(n, none, none, np.array([]), none)


def dense(graph: SimilarityGraph) -> npt.NDArray[np.float64]:
    W = np.zeros((graph.n, graph.n))
    W[np.repeat(np.arange(graph.n), np.diff(graph.starts)), graph.columns] = graph.weights
    return W


@given(
    st.lists(
        st.tuples(st.integers(0, 7), st.integers(0, 7), st.floats(0.0, 1.0)).filter(
            lambda look: look[0] != look[1]
        )
    )
)
def test_one_by_one_equals_all_at_once(looks: Looks) -> None:
    graph = empty(8)
    last: dict[tuple[int, int], float] = {}
    for i, j, weight in looks:
        graph = graph.with_pair(i, j, weight, 1)
        last[min(i, j), max(i, j)] = weight
    pairs = np.array(sorted(last), dtype=np.int64).reshape(-1, 2)
    weights = np.array([last[i, j] for i, j in pairs.tolist()])
    ones = np.ones(len(pairs), dtype=np.int64)
    at_once = SimilarityGraph.of(8, pairs[:, 0], pairs[:, 1], weights, ones)
    for one, other in zip(vars(graph).values(), vars(at_once).values(), strict=True):
        if one is graph.component and any(w == 0 for w in last.values()):
            continue  # a pair may have been connected before its weight became 0
        np.testing.assert_array_equal(one, other)


@given(st.integers(2, 12), st.integers(0, 10**6))
def test_open_pairs_are_all_those_not_known(n: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    i, j = np.triu_indices(n, 1)
    known = rng.random(len(i)) < rng.random()
    graph = SimilarityGraph.of(
        n, i[known], j[known], np.ones(known.sum()), np.ones(known.sum(), dtype=np.int64)
    )
    ranked = [graph.open_pair(rank) for rank in range(int((~known).sum()))]
    assert ranked == list(zip(i[~known].tolist(), j[~known].tolist(), strict=True))


def test_a_pair_never_to_be_offered_has_no_weight_but_is_known() -> None:
    graph = empty(3).with_pair(0, 1, 0.5, 1).with_closed(1, 2).with_closed(0, 1)
    assert graph.component.tolist() == [0, 0, 2]
    assert dense(graph)[0, 1] == 0.5
    assert graph.times.tolist() == [CLOSED] * 4
    assert graph.n_known == 2


@pytest.mark.parametrize("normalised", [False, True])
def test_eigenpairs_stay_exact_over_hundreds_of_updates(normalised: bool, seed: int) -> None:
    n, rng = SMALL + 30, np.random.default_rng(seed)
    truth = np.arange(n) % 2
    graph = empty(n)
    for i in range(1, n):  # a chain: barely connected
        graph = graph.with_pair(i - 1, i, 0.3, 1)
    spectrum: LaplacianSpectrum | None = None
    checked = 0
    for step in range(400):
        i, j = rng.choice(n, 2, replace=False).tolist()
        same = truth[i] == truth[j]
        graph = graph.with_pair(i, j, float(rng.beta(5, 2) if same else rng.beta(2, 5)), 1)
        laplacian = Laplacian.of(graph, normalised=normalised)
        spectrum = lowest_eigenpairs(laplacian, 2, start=spectrum)
        if step % 20 == 0:
            values, vectors = np.linalg.eigh(laplacian.dense())
            np.testing.assert_allclose(spectrum.values, values[1:3], rtol=1e-8)
            turned = vectors[:, 1:3] * np.sign((vectors[:, 1:3] * spectrum.vectors).sum(axis=0))
            scale = np.abs(turned).max()
            np.testing.assert_allclose(spectrum.vectors, turned, atol=1e-8 * scale)
            checked += 1
    assert checked == 20


@pytest.mark.parametrize("start", [1, 4])
def test_a_start_that_has_become_another_eigenvector_is_left(start: int) -> None:
    rng = np.random.default_rng(0)
    n = SMALL + 20
    i, j = np.triu_indices(n, 1)
    some = rng.random(len(i)) < 0.2
    ones = np.ones(some.sum(), dtype=np.int64)
    graph = SimilarityGraph.of(n, i[some], j[some], rng.random(some.sum()), ones)
    laplacian = Laplacian.of(graph, normalised=False)
    values, vectors = np.linalg.eigh(laplacian.dense())
    wrong = LaplacianSpectrum(values[[1 + start]], vectors[:, [1 + start]])
    found = lowest_eigenpairs(laplacian, 1, start=wrong)
    assert found.values[0] == pytest.approx(values[1], rel=1e-9)


def test_a_graph_in_pieces_is_cut_between_them() -> None:
    for n in (10, SMALL + 12):
        graph = empty(n)
        half = n // 2
        for i in range(1, n):
            if i != half:
                graph = graph.with_pair(i - 1, i, 1.0, 1)
        assert not graph.connected
        labels = group(graph, CutSettings(2)).labels
        assert labels.tolist() == [0] * half + [1] * (n - half)


@pytest.mark.parametrize("n", [2, 5, SMALL + 5])
def test_items_of_which_nothing_is_known_can_be_grouped(n: int) -> None:
    labels = group(empty(n), CutSettings(2)).labels
    assert set(labels.tolist()) == {0, 1}


@pytest.mark.parametrize("splitting", ["recursive", "vectors"])
@pytest.mark.parametrize("laplacian", ["unnormalised", "normalised"])
def test_clear_groups_are_found(splitting: str, laplacian: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    n, k = 60, 4
    truth = rng.permutation(n) % k
    i, j = np.triu_indices(n, 1)
    # Cutting again and again needs groups that fall apart one cut at a time.
    nested = np.where(truth[i] // 2 == truth[j] // 2, 0.3, 0.05)
    between = nested if splitting == "recursive" else 0.05
    weights = np.where(truth[i] == truth[j], 0.9, between) + rng.uniform(0, 0.05, len(i))
    graph = SimilarityGraph.of(n, i, j, weights, np.ones(len(i), dtype=np.int64))
    labels = group(graph, CutSettings(k, laplacian, splitting)).labels
    together = truth[:, None] == truth
    assert ((labels[:, None] == labels) == together).all()
