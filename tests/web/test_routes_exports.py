"""`/api/export` and `/api/unsure`: the result as a file, and what to look at before."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pandas as pd
import pytest
from fastapi.testclient import TestClient

from likewise.study import Study
from web.conftest import Open, pile


@pytest.fixture
def table(opened: Open) -> TestClient:
    items, _ = pile()
    rows = [{"colour": "=red" if k else "blue", "group": k % 3} for k in range(30)]
    study = Study(replace(items, pictures=None, rows=rows, copies={0: ["copy.png"]}))
    study.tell((0, 1), "different")
    study.name(0, "first")
    return opened(study)


def test_all_forms_have_the_piles_columns_and_the_numbers_of_the_page(table: TestClient) -> None:
    pages = {row["id"]: row for row in table.get("/api/labels").json()}
    text = table.get("/api/export/csv").text
    as_csv = list(csv.DictReader(io.StringIO(text)))
    as_json = table.get("/api/export/json").json()
    parquet = table.get("/api/export/parquet")
    as_parquet = pd.read_parquet(io.BytesIO(parquet.content)).to_dict("records")
    assert len(as_csv) == len(as_json) == len(as_parquet) == 31
    columns = ["item", "colour", "group", "likewise group", "name", "confidence"]
    assert list(as_csv[0]) == list(as_json[0]) == list(as_parquet[0]) == columns
    for one, other, third in zip(as_csv, as_json, as_parquet, strict=True):
        page = pages[one["item"]]
        assert int(one["likewise group"]) == other["likewise group"] == page["group"]
        assert third["likewise group"] == page["group"]
        assert one["name"] == other["name"] == page["name"]
    assert as_csv[2]["colour"] == "'=red"  # no spreadsheet runs it
    assert as_json[2]["colour"] == "=red"
    assert as_csv[1]["item"] == "copy.png"


def test_the_least_sure_items_come_first(table: TestClient) -> None:
    sure = {row["item"]: row["confidence"] for row in table.get("/api/labels").json()}
    found = table.get("/api/unsure", params={"limit": 5}).json()
    assert [one["confidence"] for one in found] == sorted(sure.values())[: len(found)]
    assert all(one["confidence"] < 1 for one in found)
