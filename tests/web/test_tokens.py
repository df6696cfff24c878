"""Tokens: who is let in, what a token may be, and that it survives a restart."""

from __future__ import annotations

import asyncio
import json
import os
import socket
import stat
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi.testclient import TestClient
from hypothesis import given
from hypothesis import strategies as st
from starlette.types import Message, Receive, Scope, Send
from typer.testing import CliRunner

from likewise.cli.app import app as command
from likewise.errors import MethodError, StoreError
from likewise.study import Study
from likewise.web import serve
from likewise.web.address import address, link
from likewise.web.app import create_app
from likewise.web.security import Access, SecurityMiddleware
from web.conftest import TABLE, Open, pile, running, visiting

ANSWER = {"question": "0-1", "verdict": "same", "annotator": "Ada", "client_id": "a"}


def test_without_the_token_nothing_is_told(opened: Open, study: Study) -> None:
    client = opened(study, access=Access(token="right"))
    for path in ("/", "/api/study", "/media/0", "/openapi.json", "/static/app.js"):
        reply = client.get(path)
        assert reply.status_code == 401
        assert "right" not in reply.text
    assert client.post("/api/answers", json=ANSWER).status_code == 401


def test_the_link_with_the_token_leaves_a_cookie_that_scripts_cannot_read(
    opened: Open, study: Study
) -> None:
    client = opened(study, access=Access(token="right"))
    reply = client.get("/?token=right")
    assert reply.status_code == 200
    assert 'content="0; url=/"' in reply.text
    cookie = reply.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    assert "secure" not in cookie
    assert "right" not in cookie
    assert list(client.cookies) == ["likewise_8000"]
    assert client.get("/api/study").json()["role"] == "owner"
    bare = opened(study, access=Access(token="right"))
    reply = bare.get("/api/study", headers={"authorization": "Bearer right"})
    assert reply.status_code == 200


def test_guessing_tokens_is_slowed_down_and_forgiven_after_a_minute() -> None:
    now = [0.0]
    reached: list[str] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope["path"])
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    guard = SecurityMiddleware(app, access=Access(token="right"), clock=lambda: now[0])

    def status(token: str, address: str = "10.0.0.1") -> int:
        return asyncio.run(_status(guard, f"token={token}", address))

    guesses = [status(f"guess-{k}") for k in range(15)]
    assert guesses == [401] * 10 + [429] * 5
    assert status("right") == 429
    assert status("right", "10.0.0.2") == 200
    now[0] = 61.0
    assert status("right") == 200
    assert len(reached) == 2


async def _status(guard: SecurityMiddleware, query: str, address: str) -> int:
    scope: dict[str, Any] = {
        "type": "http", "method": "GET", "path": "/api/study", "client": (address, 1),
        "query_string": query.encode(), "headers": [(b"host", b"x")],
    }  # fmt: skip
    sent: list[Message] = []

    async def receive() -> Message:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def send(message: Message) -> None:
        sent.append(message)

    await guard(scope, receive, send)
    return int(sent[0]["status"])


def test_addresses_cannot_be_made_up_to_go_on_guessing() -> None:
    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b""})

    guard = SecurityMiddleware(app, access=Access(token="right"), clock=lambda: 0.0)
    guesses = [asyncio.run(_status(guard, f"token={k}", f"10.0.{k}.1")) for k in range(120)]
    assert guesses == [401] * 100 + [429] * 20


def test_whoever_is_in_is_not_locked_out_by_who_guesses(opened: Open, study: Study) -> None:
    client = opened(study, access=Access(token="right"))
    client.get("/?token=right")
    bare = TestClient(client.app, base_url="http://127.0.0.1:8000")
    assert [bare.get(f"/?token={k}").status_code for k in range(11)] == [401] * 10 + [429]
    assert bare.get("/?token=right").status_code == 429
    assert client.get("/api/study").status_code == 200


def test_a_cookie_of_another_server_is_refused_but_is_no_guess(opened: Open, study: Study) -> None:
    client = opened(study, access=Access(token="right"))
    client.cookies.set("likewise_8000", "of-yesterday")
    client.cookies.set("odd", 'a "b', domain="127.0.0.1")
    assert {client.get("/api/study").status_code for _ in range(15)} == {401}
    assert client.get("/?token=right").status_code == 200


def test_servers_on_two_ports_do_not_take_each_others_cookie(study: Study) -> None:
    cookies: list[str] = []
    for port in (8001, 8002):
        app = create_app(study, access=Access(token="right"))
        with TestClient(app, base_url=f"http://127.0.0.1:{port}") as client:
            client.get("/?token=right")
            cookies += client.cookies
    assert cookies == ["likewise_8001", "likewise_8002"]


# -- what may be a token -----------------------------------------------------------------------


@pytest.mark.parametrize("token", ["€", "a b", "a&b=c#d%20+é", "日本語", '"quoted";x', "%41"])
def test_any_token_works_in_link_header_and_cookie(opened: Open, study: Study, token: str) -> None:
    client = opened(study, access=Access(token=token))
    entered = client.get(link("http://127.0.0.1:8000", token))
    assert entered.status_code == 200
    assert client.get("/api/study").status_code == 200
    bare = opened(study, access=Access(token=token))
    carried = {"authorization": b"Bearer " + token.encode()}
    assert bare.get("/api/study", headers=carried).status_code == 200  # type: ignore[arg-type]


@given(st.text())
def test_a_token_works_or_is_refused_with_a_sentence(token: str) -> None:
    refused = not token.strip() or token != token.strip() or not token.isprintable()
    if refused or len(token) > 256:
        with pytest.raises(MethodError, match="the token"):
            Access(token=token)
        return
    access = Access(token=token)
    found = httpx.URL(link("http://127.0.0.1:8000", token)).params["token"]
    assert access.holder_of(found) is not None
    assert access.holder_of(found + "x") is None
    assert access.holder_of("") is None


@pytest.mark.parametrize(
    ("words", "variable"),
    [
        (["--token", ""], None),
        (["--token", "  "], None),
        (["--token", "a\nb"], None),
        (["--token", "x" * 300], None),
        (["--token-file", "empty"], None),
        (["--token-file", "absent"], None),
        (["--token", "a", "--token-file", "empty"], None),
        (["--no-token", "--token", "a"], None),
        (["--no-token", "--host", "0.0.0.0"], None),
        (["--trusted-host", "https://photos.example.org/"], None),
        (["--behind-proxy", "proxy.example.org"], None),
        ([], ""),
    ],
)
def test_what_cannot_be_used_never_opens_the_server(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: list[str], variable: str | None
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: pytest.fail("it serves"))
    (tmp_path / "things.csv").write_text(TABLE)
    (tmp_path / "empty").write_text("\n")
    if variable is not None:
        monkeypatch.setenv("LIKEWISE_TOKEN", variable)
    ended = CliRunner().invoke(command, ["serve", "things.csv", "--port", "0", *words])
    assert ended.exit_code == 2, ended.output
    assert any(word in ended.output for word in ("token", "trusted host", "proxy"))
    assert "Traceback" not in ended.output


def test_the_token_comes_from_the_option_a_file_or_the_environment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("uvicorn.Server.run", lambda *_, **__: None)
    (tmp_path / "things.csv").write_text(TABLE)
    (tmp_path / "secret").write_text("from a file\n")
    monkeypatch.setenv("LIKEWISE_TOKEN", "from €")

    def said(*words: str) -> str:
        ended = CliRunner().invoke(command, [*words, "--port", "0", "--no-browser"])
        assert ended.exit_code == 0, ended.output
        return ended.output

    assert "/?token=typed" in said("serve", "things.csv", "--token", "typed")
    assert "/?token=from%20a%20file" in said("serve", "things.csv", "--token-file", "secret")
    for words in (["serve", "things.csv"], ["start", "things.csv"], ["demo", "--items", "20"]):
        assert "/?token=from%20%E2%82%AC" in said(*words)
    assert "?token" not in said("serve", "things.csv", "--no-token")


def test_links_name_the_computer_and_carry_the_token() -> None:
    assert address("::1", 80) == "http://[::1]:80/"
    assert "0.0.0.0" not in address("0.0.0.0", 80)
    assert link("https://photos.example.org", "t") == "https://photos.example.org/?token=t"
    assert link(address("127.0.0.1", 80), None) == "http://127.0.0.1:80/"


# -- the file that keeps them ------------------------------------------------------------------


def test_tokens_survive_a_restart_in_a_file_for_one_user(tmp_path: Path) -> None:
    path = tmp_path / "new" / "pile.likewise.access"
    first = Access(path=path)
    ada = first.invite("Ada")
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    again = Access(path=path)
    assert (again.token, again.invited) == (first.token, {"Ada": ada})
    owner, invited = again.holder_of(first.token), again.holder_of(ada)
    assert owner is not None
    assert invited is not None
    assert owner.is_owner
    assert (invited.name, invited.is_owner) == ("Ada", False)
    for visitor in (owner, invited):
        assert again.holder_of_cookie(first.cookie_for(visitor)) == visitor


def test_another_token_of_the_owner_shuts_out_who_had_the_first(tmp_path: Path) -> None:
    path = tmp_path / "access"
    first = Access(path=path)
    owner = first.holder_of(first.token)
    assert owner is not None
    ada, cookie = first.invite("Ada"), first.cookie_for(owner)
    given_now = Access(token="another", path=path)
    assert given_now.holder_of(first.token) is None
    assert given_now.holder_of_cookie(cookie) is None
    assert given_now.holder_of(ada) is not None


def test_an_invitation_can_be_withdrawn_while_another_program_serves(tmp_path: Path) -> None:
    path = tmp_path / "access"
    serving = Access(path=path)
    ada = Access(path=path).invite("Ada")
    visitor = serving.holder_of(ada)
    assert visitor is not None
    cookie = serving.cookie_for(visitor)
    Access(path=path).withdraw("Ada")
    assert serving.holder_of(ada) is None
    assert serving.holder_of_cookie(cookie) is None
    with pytest.raises(LookupError, match="nobody called Ada"):
        serving.withdraw("Ada")
    assert Access(path=path).invite("Ada") != ada


def test_two_programs_that_begin_at_once_agree_on_one_token(tmp_path: Path) -> None:
    path = tmp_path / "access"
    first = Access(path=path)
    late = {"event": "made", "token": "late", "secret": "late"}
    with path.open("a") as file:
        file.write(json.dumps(late) + "\n")
    assert Access(path=path).token == first.token


@pytest.mark.parametrize("mode", [0o644, 0o660, 0o604])
def test_a_file_that_others_can_read_is_not_trusted(tmp_path: Path, mode: int) -> None:
    path = tmp_path / "access"
    Access(path=path)
    path.chmod(mode)
    with pytest.raises(StoreError, match="other users have access"):
        Access(path=path)


def test_a_link_that_somebody_laid_there_is_not_followed(tmp_path: Path) -> None:
    (tmp_path / "theirs").write_text("")
    (tmp_path / "access").symlink_to(tmp_path / "theirs")
    with pytest.raises(StoreError, match="cannot be opened"):
        Access(path=tmp_path / "access")


@pytest.mark.parametrize(
    "text",
    [
        "{",
        "[1]\n",
        '{"event": 3}\n',
        "\xff",
        "3",
        '{"event": "made"}',
        '{"event": "withdrawn", "name": "Ada"}',
        '{"event": "made", "token": 1, "secret": "x"}',
    ],
)
def test_a_file_with_something_else_in_it_is_refused(tmp_path: Path, text: str) -> None:
    path = tmp_path / "access"
    descriptor = os.open(path, os.O_CREAT | os.O_WRONLY, 0o600)
    os.write(descriptor, text.encode("latin-1"))
    os.close(descriptor)
    with pytest.raises(StoreError, match="something else"):
        Access(path=path)


def test_a_file_that_is_emptied_while_it_is_used_lets_nobody_else_in(tmp_path: Path) -> None:
    path = tmp_path / "access"
    serving = Access(path=path)
    path.write_text("")
    owner = serving.holder_of(serving.token)
    assert owner is not None
    assert serving.holder_of_cookie(serving.cookie_for(owner)) == owner
    assert serving.holder_of("") is None


@pytest.mark.slow
def test_who_was_in_is_in_after_a_restart_on_the_same_port(tmp_path: Path) -> None:
    (tmp_path / "things.csv").write_text(TABLE)
    words = ["serve", "things.csv", "--port", "0"]
    with running(*words, folder=tmp_path) as (_, first), visiting(first) as client:
        assert client.get("/api/study").status_code == 200
        cookies, port = client.cookies, httpx.URL(first).port
    here = f"http://127.0.0.1:{port}/api/study"
    with running(*words[:-1], str(port), folder=tmp_path) as (_, again):
        assert again == first
        with httpx.Client(cookies=cookies, timeout=60) as client:
            assert client.get(here).status_code == 200
        # Nobody was named as a proxy, so nobody is believed about where a guess comes from.
        guesses = [
            httpx.get(here, params={"token": k}, headers={"x-forwarded-for": f"10.0.0.{k}"})
            for k in range(12)
        ]
        assert [reply.status_code for reply in guesses] == [401] * 10 + [429] * 2
    kept = tmp_path / "things.likewise.access"
    assert stat.S_IMODE(kept.stat().st_mode) == 0o600


def test_a_server_beyond_this_computer_cannot_go_without_a_token() -> None:
    with pytest.raises(MethodError, match="needs a token"):
        serve(Study(pile()[0]), host="0.0.0.0", demand_token=False, open_browser=False)


def test_what_cannot_be_served_is_refused_before_the_pile_is_read(tmp_path: Path) -> None:
    (tmp_path / "things.csv").write_text("name,a\nx,1\ny,2\n")
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        for words, sentence in (
            (["--host", "0.0.0.0", "--no-token"], "needs a token"),
            (["--no-token", "--invite", "Ada"], "asks nobody for a token"),
            (["--invite", " "], "an invitation needs a name"),
            (["--port", str(taken.getsockname()[1])], "choose another --port"),
        ):
            found = CliRunner().invoke(command, ["serve", str(tmp_path / "things.csv"), *words])
            assert found.exit_code == 2
            assert sentence in " ".join(found.output.split())
    assert [path.name for path in tmp_path.iterdir()] == ["things.csv"]
