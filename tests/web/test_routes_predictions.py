"""`/api/predict`: new items get the groups that `Study.assign` would give them."""

from __future__ import annotations

import json

import numpy as np
import pandas as pd
import pytest

from likewise import Items, Study
from likewise.web.security import Access
from web.conftest import Open, pile

RNG = np.random.default_rng(0)
KINDS = np.arange(60) % 3
POINTS = RNG.normal(size=(60, 2)) + 20 * KINDS[:, None]
TEXTS = [f"{word} {k}" for k, word in enumerate(("red apple tree", "fast train station") * 12)]


def test_new_vectors_get_the_groups_of_the_study(opened: Open) -> None:
    study = Study(POINTS)
    study.tell((0, 1), "different")
    study.name(0, "low")
    new = [[0.5, -0.2], [41.0, 39.5], [500.0, 500.0]]
    reply = opened(study).post("/api/predict", json={"vectors": new})
    assert reply.status_code == 200
    told, expected = reply.json(), study.assign(new)
    assert [one["group"] for one in told] == expected.groups.tolist()
    assert [one["confidence"] for one in told] == pytest.approx(expected.confidence.tolist())
    assert [one["new_kind"] for one in told] == expected.new_kind.tolist() == [False, False, True]
    assert [one["name"] for one in told] == ["low", "", ""]
    assert study.n_answers == 1


def test_new_rows_and_texts_are_compared_as_the_old_ones(opened: Open) -> None:
    frame = pd.DataFrame(
        {"size": POINTS[:, 0], "colour": np.array(["red", "green", "blue"])[KINDS]}
    )
    study = Study(frame)
    rows = [{"size": 0.3, "colour": "red"}, {"size": 41.0, "colour": "blue"}]
    told = opened(study).post("/api/predict", json={"rows": rows}).json()
    assert [one["group"] for one in told] == study.assign(pd.DataFrame(rows)).groups.tolist()
    study = Study(TEXTS)
    told = opened(study).post("/api/predict", json={"texts": ["a red apple", "the train"]}).json()
    assert [one["group"] for one in told] == study.assign(
        ["a red apple", "the train"]
    ).groups.tolist()


def test_a_thousand_long_vectors_fit_in_one_request(opened: Open) -> None:
    features = RNG.normal(size=(60, 384)) + 20 * KINDS[:, None]
    client = opened(Study(features))
    new = np.tile(features, (17, 1))[:1000]
    told = client.post("/api/predict", json={"vectors": new.tolist()})
    assert told.status_code == 200
    assert len(told.json()) == 1000
    much = client.post("/api/predict", json={"texts": ["a" * 1000] * 20_000})
    assert much.status_code == 413
    assert "16,384 KiB at most" in much.json()["detail"]


def test_from_others_than_the_owner_less_fits_in_one_request(opened: Open) -> None:
    access = Access()
    client = opened(Study(POINTS), access=access)
    client.headers["authorization"] = f"Bearer {access.invite('Ada')}"
    much = client.post("/api/predict", json={"texts": ["a" * 1000] * 100})
    assert much.status_code == 413
    assert "64 KiB at most" in much.json()["detail"]


def test_of_many_columns_the_first_are_named(opened: Open) -> None:
    study = Study(pd.DataFrame(RNG.normal(size=(60, 12)), columns=list("abcdefghijkl")))
    reply = opened(study).post("/api/predict", json={"vectors": [[0.0] * 12]})
    assert "the columns a, b, c, d, e, f, g, h and 4 more" in reply.json()["detail"]


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ({}, "one of the three"),
        ({"texts": ["a"], "vectors": [[1.0, 2.0]]}, "one of the three"),
        ({"vectors": []}, "no new items"),
        ({"vectors": [[1.0, 2.0, 3.0]]}, "2"),
        ({"vectors": [[1.0], [1.0, 2.0]]}, ""),
        ({"vectors": [[0.0, 0.0]] * 1001}, ""),
        ({"rows": [{"a": 1}]}, ""),
        ({"texts": ["a", "b"]}, ""),
    ],
)
def test_what_cannot_be_compared_is_refused(opened: Open, body: object, said: str) -> None:
    reply = opened(Study(POINTS)).post("/api/predict", json=body)
    assert reply.status_code == 422
    assert said in json.dumps(reply.json()["detail"])


def test_items_without_features_cannot_be_compared(opened: Open) -> None:
    study = Study(Items.from_affinity(np.exp(-np.abs(POINTS[:, :1] - POINTS[:, :1].T))))
    reply = opened(study).post("/api/predict", json={"vectors": [[1.0]]})
    assert reply.status_code == 422
    assert "need features" in reply.json()["detail"]


def test_pictures_are_not_taken_by_this_way(opened: Open) -> None:
    assert opened(Study(pile()[0])).post("/api/predict", json={"texts": ["x"]}).status_code == 422
