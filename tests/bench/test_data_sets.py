"""Data sets: what is here, and fetching what is not, from a stand-in for OpenML."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread

import pytest

from likewise import datasets
from likewise.bench import data_sets
from likewise.errors import DataError

ARFF = """\
@relation balance
@attribute class {L, B, R}
@attribute weight numeric
@attribute distance numeric
@data
L,1,2.5
B,2,2
R,3,1
"""


@pytest.fixture
def server(tmp_path: Path) -> Iterator[str]:
    """A server that speaks as much of OpenML's language as is needed."""
    site = tmp_path / "site"
    (site / "api/v1/json/data").mkdir(parents=True)
    about = {"url": "/files/balance.arff", "default_target_attribute": "class"}
    (site / "api/v1/json/data/11").write_text(json.dumps({"data_set_description": about}))
    (site / "files").mkdir()
    (site / "files/balance.arff").write_text(ARFF)

    class Quiet(SimpleHTTPRequestHandler):
        def log_message(self, format: str, *args: object) -> None:  # noqa: A002
            pass

    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(site))) as httpd:
        Thread(target=httpd.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{httpd.server_address[1]}/"
        httpd.shutdown()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    kept = tmp_path / "data"
    kept.mkdir()
    monkeypatch.setenv("LIKEWISE_DATA", str(kept))
    return kept


def test_a_fetched_set_can_be_loaded_and_is_listed_as_here(
    server: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(data_sets.OPENML_SETS, "balance_scale", data_sets.DatasetEntry(11, 3, 2, 3))
    before = {row["data"]: row["here"] for row in data_sets.listing()}
    assert before["balance_scale"] is False
    assert before["iris"] is True
    data_sets.fetch("balance_scale", server=server)
    X, y = datasets.load("balance_scale")
    assert X.tolist() == [[1.0, 2.5], [2.0, 2.0], [3.0, 1.0]]
    assert len(set(y.tolist())) == 3
    after = {row["data"]: row for row in data_sets.listing()}
    assert after["balance_scale"] == {
        "data": "balance_scale", "here": True, "from": "LIKEWISE_DATA"
    }  # fmt: skip


def test_a_set_of_another_size_is_not_kept(server: str, folder: Path) -> None:
    with pytest.raises(DataError, match=r"\(3, 2, 3\) and not \(625, 4, 3\)"):
        data_sets.fetch("balance_scale", server=server)
    assert list(folder.iterdir()) == []


def test_a_server_that_does_not_answer_is_reported(server: str, folder: Path) -> None:
    with pytest.raises(DataError, match="cannot be reached"):
        data_sets.fetch("sonar", server=server)


def test_a_file_that_is_no_arff_is_reported(server: str, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "site/files/balance.arff").write_text("<html>busy</html>")
    with pytest.raises(DataError, match=r"cannot be read|and not"):
        data_sets.fetch("balance_scale", server=server)


def test_without_a_folder_nothing_is_fetched(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("LIKEWISE_DATA", raising=False)
    with pytest.raises(DataError, match="set LIKEWISE_DATA"):
        data_sets.fetch("sonar")
    with pytest.raises(DataError, match="cannot be fetched"):
        data_sets.fetch("faces")
