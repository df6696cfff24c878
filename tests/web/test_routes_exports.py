"""`/api/export` and `/api/unsure`: the result as a file, and what to look at before."""

from __future__ import annotations

import csv
import io
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from fastapi.testclient import TestClient

from likewise.partitions import load_partitioned
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


def test_of_rows_in_parts_the_group_of_every_row_is_saved(opened: Open, tmp_path: Path) -> None:
    X = np.random.default_rng(0).normal(size=(90, 2)) + 9.0 * (np.arange(90) % 2)[:, None]
    frame = pd.DataFrame(X, columns=["a", "b"]).assign(id=[f"=r{k}" for k in range(90)])
    for k in range(3):
        frame[k * 30 : k * 30 + 30].to_parquet(tmp_path / f"{k}.parquet", index=False)
    study = Study(load_partitioned(tmp_path, 8, n_jobs=1), n_clusters=2)
    study.name(0, "first")
    client = opened(study)
    assert client.get("/api/study").json()["rows"] == 90
    reply = client.get("/api/export/csv")
    assert reply.headers["content-disposition"] == 'attachment; filename="groups.csv"'
    rows = list(csv.DictReader(io.StringIO(reply.text)))
    assert list(rows[0]) == ["item", "group", "name", "confidence"]
    assert [row["item"] for row in rows] == [f"'=r{k}" for k in range(90)]
    assert len({(k % 2, row["group"]) for k, row in enumerate(rows)}) == 2
    assert {row["name"] for row in rows} == {"first", ""}
    for form in ("json", "parquet"):
        refused = client.get(f"/api/export/{form}")
        assert refused.status_code == 404
        assert "the groups of 90 rows are saved as CSV here" in refused.json()["detail"]
    (tmp_path / "1.parquet").unlink()
    refused = client.get("/api/export/csv")  # before anything is sent
    assert refused.status_code == 404
    assert "is gone; put it back" in refused.json()["detail"]


def test_items_that_stand_for_themselves_alone_have_no_rows_beside(table: TestClient) -> None:
    assert table.get("/api/study").json()["rows"] is None


def test_the_least_sure_items_come_first(table: TestClient) -> None:
    sure = {row["item"]: row["confidence"] for row in table.get("/api/labels").json()}
    found = table.get("/api/unsure", params={"limit": 5}).json()
    assert [one["confidence"] for one in found] == sorted(sure.values())[: len(found)]
    assert all(one["confidence"] < 1 for one in found)
