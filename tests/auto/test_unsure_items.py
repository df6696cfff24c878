"""Unsure items follow their surer neighbours, and only they do."""

from __future__ import annotations

import numpy as np

from likewise.auto._unsure_items import groups_by_neighbours, unsure_items
from likewise.auto.experts.pagerank import PersonalisedPageRank


def test_a_group_of_which_nothing_is_sure_stays_as_it_is() -> None:
    labels = np.repeat([0, 1], [6, 4])
    confidence = np.repeat([0.9, 0.3], [6, 4])
    open_items = np.ones(10, dtype=bool)
    assert not len(unsure_items(labels, confidence, open_items))
    confidence[5] = 0.3
    assert unsure_items(labels, confidence, open_items).tolist() == [5]
    open_items[5] = False
    assert not len(unsure_items(labels, confidence, open_items))
    assert not len(unsure_items(labels, confidence, np.zeros(10, dtype=bool)))


def test_neighbours_and_experts_agree_on_a_group() -> None:
    # Item 0 is a neighbour of 1 and 2, of groups 1 and 2; item 5 has no neighbours.
    graph = np.zeros((6, 6))
    for i, j in ((0, 1), (0, 2), (1, 3), (2, 4)):
        graph[i, j] = graph[j, i] = 1.0
    graph[5, 5] = 1.0
    pagerank = PersonalisedPageRank(graph, damping=0.9)
    labels = np.array([0, 1, 2, 1, 2, 0])
    probabilities = np.full((6, 3), 0.3)
    probabilities[0] = [0.5, 0.3, 0.2]
    confidence = np.full(6, 0.8)

    def of(*unsure: int) -> list[int]:
        items = np.array(unsure)
        found = groups_by_neighbours(items, probabilities, labels, confidence, pagerank)
        return [int(group) for group in found]

    assert of(0, 5) == [1, 0]  # not 0, which no neighbour has; without neighbours as before
    probabilities[0] = [0.5, 0.1, 0.4]
    assert of(0) == [2]
    labels[2] = 7  # alone: has no vote
    assert of(0) == [1]
