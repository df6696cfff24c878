"""Answers that contradict each other."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
from fastapi.testclient import TestClient

from likewise.study import Study
from web.conftest import Open, about, pile, tell


def test_a_contradiction_is_told_with_its_loop_and_ends_when_one_side_goes(
    client: TestClient, study: Study
) -> None:
    for pair, verdict in (((0, 1), "same"), ((1, 2), "same"), ((0, 2), "different")):
        kept = tell(client, about(study, *pair), verdict).json()
    assert kept["disputed"]
    (dispute,) = client.get("/api/disputes").json()["disputes"]
    assert {a["id"] for a in dispute["answers"]} == {0, 1, 2}
    assert dispute["answers"][0]["disputed"]
    assert {card["item"] for card in dispute["items"]} == {0, 1, 2}
    client.delete("/api/answers/1")
    assert client.get("/api/disputes").json()["disputes"] == []


def test_many_contradictions_come_page_by_page(client: TestClient, study: Study) -> None:
    for k in range(4):
        tell(client, about(study, k, k + 1), "same")
    for pair in ((0, 2), (0, 3), (0, 4), (1, 3), (1, 4)):
        assert tell(client, about(study, *pair), "different").json()["disputed"]
    whole = client.get("/api/disputes").json()
    assert whole["n_disputes"] == len(whole["disputes"]) == 5
    page = client.get("/api/disputes", params={"offset": 3, "limit": 1}).json()
    assert page["n_disputes"] == 5
    assert page["disputes"] == whole["disputes"][3:4]
    assert client.get("/api/disputes", params={"offset": 9}).json()["disputes"] == []
    assert client.get("/api/disputes", params={"limit": 501}).status_code == 422


def test_what_hangs_on_one_answer_is_asked_until_the_mistake_comes_to_light(opened: Open) -> None:
    items, truth = pile()
    study = Study(items)
    client = opened(study)
    assert client.get("/api/verification").status_code == 204
    chains = [np.flatnonzero(truth == kind)[:4].tolist() for kind in (0, 1)]
    for chain in chains:
        for pair in pairwise(chain):
            tell(client, about(study, *pair), "same")
    tell(client, about(study, chains[0][0], chains[1][0]), "same")  # a slip
    for _ in range(6):
        found = client.get("/api/verification")
        if found.status_code == 204 or client.get("/api/disputes").json()["n_disputes"]:
            break
        i, j = found.json()["pair"]
        tell(client, found.json()["id"], "same" if truth[i] == truth[j] else "different")
    (dispute,) = client.get("/api/disputes").json()["disputes"]
    assert 6 in [answer["id"] for answer in dispute["answers"]]
