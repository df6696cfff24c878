"""Several studies in one server, each at a port of its own."""

from __future__ import annotations

import re
import signal
import socket
from pathlib import Path
from typing import Any

import httpx
import pytest
from typer.testing import CliRunner

from likewise.cli.app import app
from likewise.cli.commands.annotation import serve
from likewise.cli.pile_source import piles_in
from likewise.errors import MethodError
from likewise.study import Study
from likewise.web.several import serve_several
from web.conftest import TABLE, running, visiting


@pytest.mark.slow
def test_each_pile_has_a_link_a_store_and_a_token_of_its_own(tmp_path: Path) -> None:
    (tmp_path / "one.csv").write_text(TABLE)
    (tmp_path / "other.csv").write_text("\n".join(TABLE.splitlines()[:9]) + "\n")
    words = ("serve", "one.csv", "other.csv", "--port", "0", "--invite", "Ada")
    with running(*words, folder=tmp_path) as (child, first):
        assert child.stdout is not None
        said = [child.stdout.readline() for _ in range(3)]
        assert said[0].startswith("one.csv, for Ada: ")
        assert said[1].startswith("other.csv: ")
        assert said[2].startswith("other.csv, for Ada: ")
        second = re.findall(r"http://\S+", said[1])[0]
        with visiting(first) as client:
            assert client.get("/api/study").json()["name"] == "one.csv"
            question = client.get("/api/question", params={"annotator": "Ada"}).json()
            body = {"question": question["id"], "verdict": "same", "annotator": "Ada"}
            assert client.post("/api/answers", json=body).status_code == 201
        with visiting(second) as client:
            study = client.get("/api/study").json()
            assert (study["name"], study["items"], study["answers"]) == ("other.csv", 8, 0)
        # The token of one opens no other.
        there, token = httpx.URL(second), httpx.URL(first).params["token"]
        reply = httpx.get(
            there.copy_with(path="/api/study", query=None),
            headers={"Authorization": f"Bearer {token}"},
            timeout=60,
        )
        assert reply.status_code == 401
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=60) in (0, 130, -signal.SIGINT)
    for name, answers in (("one", 1), ("other", 0)):
        status = CliRunner().invoke(app, ["status", str(tmp_path / f"{name}.csv"), "--json"])
        assert f'"answers": {answers}' in status.output


def test_what_only_one_pile_can_have_is_refused_in_a_sentence(tmp_path: Path) -> None:
    one, other = tmp_path / "one.csv", tmp_path / "other.csv"
    one.write_text(TABLE)
    other.write_text(TABLE)
    for words, sentence in (
        ([str(other), "--store", str(tmp_path / "s.likewise.db")], "--store is for one pile"),
        ([str(other), "--gold", str(one)], "--gold is for one pile"),
        ([str(one)], "named twice"),
        ([str(tmp_path / "nowhere.csv")], "there is no file"),
    ):
        result = CliRunner().invoke(app, ["serve", str(one), *words, "--port", "0"])
        assert result.exit_code == 2
        assert sentence in " ".join(result.output.split())
    assert not list(tmp_path.glob("*.likewise.*"))


def test_a_folder_of_begun_studies_is_all_of_them(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("b.csv", "a.csv", "never begun.csv"):
        (tmp_path / name).write_text(TABLE)
    assert piles_in(tmp_path) == []
    for name in ("b", "a", "pile is gone"):
        Study([[0.0], [1.0]], store=tmp_path / f"{name}.likewise.db")
    assert piles_in(tmp_path) == [tmp_path / "a.csv", tmp_path / "b.csv"]
    assert piles_in(tmp_path / "a.csv") == []
    served: list[Path] = []
    monkeypatch.setattr(
        serve, "serve_pages", lambda ones, *_, **__: served.extend(one.path for one in ones)
    )
    result = CliRunner().invoke(app, ["serve", str(tmp_path), "--port", "0"])
    assert result.exit_code == 0
    assert "holds 2 begun studies" in result.output
    assert served == [tmp_path / "a.csv", tmp_path / "b.csv"]


def test_ports_that_there_are_not_are_told_in_a_sentence() -> None:
    studies = [(Study([[0.0], [1.0]]), {"name": name}) for name in "ab"]
    with pytest.raises(MethodError, match="choose a smaller --port"):
        serve_several(studies, port=65_535)
    settings: dict[str, Any] = {
        "host": "127.0.0.1", "token": None, "access_file": None, "demand_token": True,
        "invite": (), "trusted_hosts": (), "proxies": (), "overlap": 1, "gold_every": 0,
        "prices": {}, "lease_seconds": 60.0, "pile": None, "guest": None,
        "on_note": lambda _: None,
    }  # fmt: skip
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        with pytest.raises(MethodError, match="choose another --port"):
            serve_several(studies, port=taken.getsockname()[1], **settings)
