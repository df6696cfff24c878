"""`likewise demo` and `likewise serve`, as a shell runs them."""

from __future__ import annotations

import re
import signal
import socket
import threading
import time
from contextlib import suppress
from pathlib import Path

import httpx
import pytest
import uvicorn
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from likewise.cli.app import app
from likewise.errors import MethodError
from likewise.study import Study
from likewise.web import serve
from likewise.web.address import is_loopback
from likewise.web.app import create_app
from likewise.web.port import listen_for, own_port
from likewise.web.security.header_timeout import HeaderTimeoutProtocol
from web.conftest import TABLE, running, visiting


@pytest.mark.slow
def test_a_table_is_served_and_every_answer_is_kept_beside_it(tmp_path: Path) -> None:
    (tmp_path / "things.csv").write_text(TABLE)
    with running("serve", "things.csv", "--port", "0", folder=tmp_path) as (child, url):
        with visiting(url) as client:
            assert client.get("/").status_code == 200
            study = client.get("/api/study").json()
            assert (study["name"], study["items"], study["kind"]) == ("things.csv", 12, "rows")
            question = client.get("/api/question", params={"annotator": "Ada"}).json()
            body = {"question": question["id"], "verdict": "same", "annotator": "Ada"}
            assert client.post("/api/answers", json=body).status_code == 201
        child.send_signal(signal.SIGINT)
        assert child.wait(timeout=60) in (0, 130, -signal.SIGINT)
    status = CliRunner().invoke(app, ["status", str(tmp_path / "things.csv"), "--json"])
    assert '"answers": 1' in status.output


@pytest.mark.slow
def test_the_demo_shows_digits_and_others_need_the_token(tmp_path: Path) -> None:
    words = ("demo", "--items", "40", "--no-browser", "--save", "digits.jsonl")
    with running(*words, folder=tmp_path) as (_, url), visiting(url) as client:
        picture = client.get("/media/0")
        assert picture.headers["content-type"] == "image/png"
    (tmp_path / "things.csv").write_text(TABLE)
    beyond = ("serve", "things.csv", "--port", "0", "--host", "0.0.0.0")
    with running(*beyond, folder=tmp_path) as (_, url):
        port = re.search(r":(\d+)/\?token=(\S{20,})", url)
        assert port is not None
        here = f"http://127.0.0.1:{port[1]}"
        assert httpx.get(f"{here}/api/study", timeout=60).status_code == 401
        carried = {"authorization": f"Bearer {port[2]}"}
        assert httpx.get(f"{here}/api/study", headers=carried, timeout=60).status_code == 200


def test_whoever_sends_the_head_of_a_request_too_slowly_is_cut_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("likewise.web.security.header_timeout.HEADER_SECONDS", 0.5)
    app, began = create_app(Study([[0.0], [1.0], [5.0]])), time.monotonic()
    with socket.socket() as listening:
        listening.bind(("127.0.0.1", 0))
        config = uvicorn.Config(
            app, log_level="critical", http=HeaderTimeoutProtocol, timeout_keep_alive=3
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        where = listening.getsockname()
        slow, silent, late = (socket.create_connection(where) for _ in range(3))
        late.sendall(b"GET /static/icon.svg HTTP/1.1\r\nhost: x\r\n\r\n")
        assert late.recv(12) == b"HTTP/1.1 200"
        for one in (slow, late):
            one.sendall(b"GET / HTTP/1.1\r\nhost:")
        with httpx.Client(base_url=f"http://{where[0]}:{where[1]}") as usual:
            for _ in range(4):  # between requests one may pause
                assert usual.get("/static/icon.svg").status_code == 200
                time.sleep(0.3)
        for one in (slow, silent, late):
            one.settimeout(30)
            with suppress(ConnectionResetError):
                while one.recv(4096):
                    pass
            one.close()
        assert time.monotonic() - began < 25
        server.should_exit = True
        thread.join(timeout=20)


def test_a_port_in_use_is_told_in_a_sentence() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        with pytest.raises(MethodError, match="choose another --port"):
            serve(Study([[0.0], [1.0]]), port=port, open_browser=False)
    with pytest.raises(MethodError, match="overlap"):
        serve(Study([[0.0], [1.0]]), overlap=-1, open_browser=False)


def test_a_study_has_a_port_of_its_own_and_says_when_another_program_is_there() -> None:
    identity, told = Study([[0.0], [1.0]]).identity, list[str]()
    with listen_for(identity, "127.0.0.1", None, told.append) as first:
        first.listen()
        assert first.getsockname()[1] == own_port(identity)
        assert told == []
        with listen_for(identity, "127.0.0.1", None, told.append) as second:
            port = second.getsockname()[1]
    assert port != own_port(identity)
    assert f"port {own_port(identity)}, which is this pile's own, is taken" in told[0]
    assert f"port {port}" in told[0]
    with listen_for(identity, "127.0.0.1", None, told.append) as again:
        assert again.getsockname()[1] == own_port(identity)
    assert len(told) == 1


@given(st.text("0123456789abcdef", min_size=1, max_size=32))
def test_own_ports_lie_below_those_of_outgoing_connections(identity: str) -> None:
    assert 20_000 <= own_port(identity) < 32_000


@pytest.mark.slow
def test_a_pile_is_started_at_the_same_port_again(tmp_path: Path) -> None:
    (tmp_path / "things.csv").write_text(TABLE)
    found = []
    for _ in range(2):
        with running("start", "things.csv", "--no-browser", folder=tmp_path) as (_, url):
            found.append(re.search(r":(\d+)/", url)[1])  # type: ignore[index]
    assert found[0] == found[1]


def test_what_counts_as_this_computer() -> None:
    assert all(map(is_loopback, ("localhost", "127.0.0.1", "127.8.8.8", "::1")))
    assert not any(map(is_loopback, ("0.0.0.0", "::", "192.168.1.5", "example.org", "")))
