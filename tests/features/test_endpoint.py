"""A server of embeddings: allowed before anything is sent, asked again when busy, never trusted."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

from likewise import load_items
from likewise.cli.app import app
from likewise.errors import DataError
from likewise.features.base import FeatureModel, RemoteModel, TextModel
from likewise.features.named.endpoint import KEY, EndpointModel
from likewise.testing import FeatureModelContract

Reply = tuple[int, dict[str, str], bytes]


class Server:
    """A stand-in: it answers as it should unless told otherwise, once per fault."""

    def __init__(self, port: int) -> None:
        self.name = f"http://127.0.0.1:{port}/v1#small"
        self.faults: list[Reply] = []
        self.asked: list[dict[str, Any]] = []
        self.reply: Callable[..., Reply] = self.answer
        self.headers: list[dict[str, str]] = []

    def answer(self, path: str, headers: dict[str, str], body: dict[str, Any]) -> Reply:
        self.asked.append({"path": path, **body})
        self.headers.append(headers)
        if self.faults:
            return self.faults.pop(0)
        data = [
            {"index": k, "embedding": [float(len(text)), float(text.count("e")), 1.0]}
            for k, text in enumerate(body["input"])
        ]
        return 200, {}, json.dumps({"data": data[::-1]}).encode()  # in any order


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[Server]:
    monkeypatch.delenv(KEY, raising=False)

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            status, headers, reply = stand_in.reply(
                self.path, dict(self.headers.items()), json.loads(content)
            )
            self.send_response(status)
            for name, value in {**headers, "content-length": str(len(reply))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply)

        def log_message(self, *args: object) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        stand_in = Server(httpd.server_address[1])
        thread = Thread(target=httpd.serve_forever, args=(0.01,))
        thread.start()
        yield stand_in
        httpd.shutdown()
        thread.join()


class TestEndpoint(FeatureModelContract):
    @pytest.fixture
    def build(self, server: Server) -> Callable[[], FeatureModel]:
        return lambda: EndpointModel(server.name, send=True)


def pile(tmp_path: Path, n: int = 3) -> Path:
    path = tmp_path / "lines.txt"
    path.write_text("\n".join(f"line {'e' * k}" for k in range(n)))
    return path


def test_nothing_is_sent_unless_it_is_allowed(server: Server, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=r"3 items of the pile would be sent to 127\.0\.0\.1:\d+; "):
        load_items(pile(tmp_path), model=f"endpoint:{server.name}")
    assert server.asked == []


def test_it_is_said_before_anything_is_sent(
    server: Server, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    said_before: list[str] = []

    def listening(*given: Any) -> Reply:
        said_before.extend(caplog.messages)
        return server.answer(*given)

    server.reply = listening
    with caplog.at_level(logging.WARNING, logger="likewise"):
        load_items(pile(tmp_path), model=EndpointModel(server.name, send=True))
    assert any("3 items of the pile are sent to 127.0.0.1" in line for line in said_before)


def test_texts_are_sent_in_batches_and_only_once(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    model = EndpointModel(server.name, send=True)
    X = np.asarray(load_items(pile(tmp_path, 70), model=model).features)
    assert [len(one["input"]) for one in server.asked] == [32, 32, 6]
    assert {(one["path"], one["model"]) for one in server.asked} == {("/v1/embeddings", "small")}
    np.testing.assert_array_equal(X[:, 1], np.arange(70) + 1)
    # All are in the cache: nothing is sent, so nothing has to be allowed.
    again = load_items(pile(tmp_path, 70), model=f"endpoint:{server.name}")
    assert len(server.asked) == 3
    np.testing.assert_array_equal(again.features, X)


def test_a_busy_server_is_asked_again_ever_later(server: Server) -> None:
    waits: list[float] = []
    model = EndpointModel(server.name, send=True, sleep=waits.append)
    server.faults = [
        (429, {"retry-after": "7"}, b""),
        (500, {}, b"<html>"),
        (503, {"retry-after": "tomorrow"}, b""),
        (429, {"retry-after": "9999"}, b""),
    ]
    assert np.asarray(model.embed_texts(["one", "three"])).shape == (2, 3)
    assert waits == [7.0, 2.0, 4.0, 60.0]


def test_what_came_before_a_failure_is_kept(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    model = EndpointModel(server.name, send=True, sleep=lambda seconds: None)

    def failing(*given: Any) -> Reply:
        found = server.answer(*given)
        return found if len(server.asked) < 3 else (500, {}, b"")

    server.reply = failing
    with pytest.raises(DataError, match="answered 500 Internal Server Error 6 times; what it has"):
        load_items(pile(tmp_path, 70), model=model)
    assert len(server.asked) == 2 + 6
    server.reply = server.answer
    server.asked.clear()
    load_items(pile(tmp_path, 70), model=model)
    assert [len(one["input"]) for one in server.asked] == [6]


def vectors(*rows: object) -> bytes:
    return json.dumps(
        {"data": [{"index": k, "embedding": row} for k, row in enumerate(rows)]}
    ).encode()


@pytest.mark.parametrize(
    ("status", "reply", "said"),
    [
        (200, b"<html>welcome</html>", "sent no list of vectors"),
        (200, b'{"error": "no"}', "sent no list of vectors"),
        (200, b'{"data": 3}', "sent no list of vectors"),
        (200, b'{"data": [{"embedding": [1]}, {"embedding": [2]}]}', "sent no list of vectors"),
        (200, vectors([1, 2]), "sent vectors for 1 texts when asked for 2"),
        (200, vectors([1, 2], [3, 4], [5, 6]), "sent vectors for 3 texts when asked for 2"),
        (200, vectors([1, 2], [3]), "sent no list of vectors"),
        (200, vectors([1, 2], [3, None]), "sent vectors that are no rows of finite numbers"),
        (200, vectors([1, 2], [3, "x"]), "sent no list of vectors"),
        (200, vectors(1, 2), "sent vectors that are no rows of finite numbers"),
        (
            401,
            b"",
            f"answered 401 Unauthorized; put a valid key into the environment variable {KEY}",
        ),
        (404, b"", "answered 404 Not Found; check the address"),
        (400, b"", "answered 400 Bad Request; check the address and the name of the model"),
        (302, b"", "answered 302 Found; check the address"),
    ],
)
def test_what_a_server_should_not_say_becomes_one_sentence(
    server: Server, status: int, reply: bytes, said: str
) -> None:
    server.faults = [(status, {"location": "http://127.0.0.1:9/elsewhere"}, reply)]
    with pytest.raises(DataError) as error:
        EndpointModel(server.name, send=True).embed_texts(["one", "two"])
    assert said in str(error.value)
    assert "\n" not in str(error.value)
    assert len(server.asked) == 1  # and it is not asked again


def test_vectors_of_another_length_than_before_are_refused(server: Server) -> None:
    model = EndpointModel(server.name, send=True)
    model.embed_texts(["one"])
    server.faults = [(200, {}, vectors([1.0, 2.0]))]
    with pytest.raises(DataError, match="sent 2 numbers per text after 3"):
        model.embed_texts(["two"])


def test_a_server_that_is_not_there_is_named(server: Server) -> None:
    waits: list[float] = []
    model = EndpointModel("http://127.0.0.1:1/v1#m", send=True, sleep=waits.append)
    with pytest.raises(DataError, match=r"127\.0\.0\.1:1 could not be reached \(.*\) 6 times"):
        model.embed_texts(["one"])
    assert waits == [1.0, 2.0, 4.0, 8.0, 16.0]


def test_the_key_comes_from_the_environment_and_goes_only_where_it_is_safe(
    server: Server, monkeypatch: pytest.MonkeyPatch
) -> None:
    EndpointModel(server.name, send=True).embed_texts(["one"])
    monkeypatch.setenv(KEY, "secret")
    model = EndpointModel(server.name, send=True)
    model.embed_texts(["one"])
    assert [headers.get("Authorization") for headers in server.headers] == [None, "Bearer secret"]
    assert "secret" not in model.cache_key + model.name + model.sends_to
    with pytest.raises(DataError, match="would cross the network unencrypted"):
        EndpointModel("http://192.0.2.1/v1#m", send=True).embed_texts(["one"])


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("small", "is named endpoint:ADDRESS#MODEL"),
        ("https://host/v1", "is named endpoint:ADDRESS#MODEL"),
        ("ftp://host/v1#m", "is named endpoint:ADDRESS#MODEL"),
        ("https://[host/v1#m", "is named endpoint:ADDRESS#MODEL"),
        ("https://me:pass@host/v1#m", "must hold no password"),
        ("https://host/v1?key=1#m", "must hold no password and no question mark"),
    ],
)
def test_names_of_another_form_are_refused(name: str, said: str) -> None:
    with pytest.raises(DataError, match=said):
        EndpointModel(name)


def test_it_is_a_text_model_that_is_elsewhere() -> None:
    model = EndpointModel("https://host/v1#m")
    assert isinstance(model, TextModel)
    assert isinstance(model, RemoteModel)
    assert model.sends_to == "host"
    assert not model.send


def test_the_command_line_sends_when_told_and_not_again(
    server: Server, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    words = [str(pile(tmp_path)), "--model", f"endpoint:{server.name}"]
    began = CliRunner().invoke(app, ["answer", *words, "--send"], input="same\nquit\n")
    assert began.exit_code == 0, began.output
    assert [len(one["input"]) for one in server.asked] == [3]
    labelled = CliRunner().invoke(app, ["labels", *words])  # all is in the cache
    assert labelled.exit_code == 0, labelled.output
    assert len(server.asked) == 1
