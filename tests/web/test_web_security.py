"""Attacks that the server must survive, each tried."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from PIL import Image
from starlette.types import Message, Receive, Scope, Send

from likewise.study import Study
from likewise.web import app as web_app
from likewise.web.security import SecurityMiddleware, bodies
from web.conftest import Open, about, pile

ANSWER = {"question": "0-1", "verdict": "same", "annotator": "Ada", "client_id": "a"}


@pytest.mark.parametrize(
    "path",
    [
        "/media/../../etc/passwd",
        "/media/..%2f..%2fetc%2fpasswd",
        "/media/%2e%2e%2f%2e%2e%2fetc%2fpasswd",
        "/media//etc/passwd",
        "/static/../app.py",
        "/static/..%2fapp.py",
        "/static/%2e%2e/app.py",
        "/media/-1",
        "/media/99999",
        "/media/0x1",
        "/media/1?size=-5",
        "/media/1?size=999999999",
    ],
)
def test_no_path_leads_out_of_the_pile(client: TestClient, path: str) -> None:
    reply = client.get(path)
    assert 400 <= reply.status_code < 500
    assert "root:" not in reply.text
    assert "FastAPI" not in reply.text


def test_pictures_carry_nothing_but_pixels(opened: Open, tmp_path: Path) -> None:
    path = tmp_path / "secret-place.jpg"
    exif = Image.Exif()
    exif[0x010E] = "taken at home"
    exif[0x0112] = 6  # to be turned by a quarter
    Image.new("RGB", (300, 100), "red").save(path, exif=exif)
    items = replace(pile()[0], pictures=[path] * 30)
    reply = opened(Study(items)).get("/media/3", params={"size": 64})
    assert reply.headers["content-type"] == "image/jpeg"
    assert b"taken at home" not in reply.content
    (tmp_path / "sent.jpg").write_bytes(reply.content)
    with Image.open(tmp_path / "sent.jpg") as sent:
        assert sent.height == 64
        assert sent.width < 30


def test_a_decompression_bomb_and_a_damaged_file_are_refused(
    opened: Open, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("LIKEWISE_PICTURE_MEMORY", "1")
    bomb, damaged = tmp_path / "bomb.png", tmp_path / "damaged.png"
    Image.new("L", (4000, 4000)).save(bomb)
    Image.new("L", (50, 50)).save(damaged)
    damaged.write_bytes(damaged.read_bytes()[:60])
    client = opened(Study(replace(pile()[0], pictures=[bomb, damaged] * 15)))
    for item, said in ((0, "too large, 4000 × 4000 pixels"), (1, "damaged")):
        reply = client.get(f"/media/{item}")
        assert reply.status_code == 404
        assert said in reply.json()["detail"]
        assert str(tmp_path) not in reply.text


@pytest.mark.parametrize("kind", ["EPS", "PPM", "TGA", "PCX"])
def test_readers_of_other_formats_are_never_tried_whatever_a_file_is_called(
    opened: Open, tmp_path: Path, kind: str
) -> None:
    disguised = tmp_path / "holiday.jpg"
    Image.new("RGB", (20, 20)).save(disguised, kind)
    reply = opened(Study(replace(pile()[0], pictures=[disguised] * 30))).get("/media/0")
    assert reply.status_code == 404
    assert "cannot be shown: not a picture" in reply.json()["detail"]


@pytest.mark.parametrize(
    "headers",
    [
        {"origin": "http://evil.example"},
        {"origin": "http://127.0.0.1:9999"},
        {"origin": "null"},
        {"sec-fetch-site": "cross-site"},
        {"sec-fetch-site": "same-site"},
    ],
)
def test_another_site_cannot_write(client: TestClient, headers: dict[str, str]) -> None:
    assert client.post("/api/answers", json=ANSWER, headers=headers).status_code == 403
    assert client.delete("/api/answers/0", headers=headers).status_code == 403
    assert client.get("/api/study").json()["answers"] == 0


def test_the_own_page_can_write(client: TestClient, study: Study) -> None:
    headers = {"origin": "http://127.0.0.1:8000", "sec-fetch-site": "same-origin"}
    body = {**ANSWER, "question": about(study, 0, 1)}
    assert client.post("/api/answers", json=body, headers=headers).status_code == 201


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]
)
def test_what_a_form_on_another_site_can_send_is_refused(client: TestClient, kind: str) -> None:
    body = b'{"question": "0-1", "verdict": "same"}'
    reply = client.post("/api/answers", content=body, headers={"content-type": kind})
    assert reply.status_code == 415


def test_a_name_that_an_attacker_points_here_is_refused(opened: Open, study: Study) -> None:
    client = opened(study, hosts=["127.0.0.1", "localhost"])
    assert client.get("/api/study").status_code == 200
    assert client.get("/api/study", headers={"host": "localhost:8000"}).status_code == 200
    for host in ("evil.example", "127.0.0.1.evil.example", "[::1", "", "a b"):
        assert client.get("/api/study", headers={"host": host}).status_code == 421


# -- sizes, slowness, content ------------------------------------------------------------------


def test_an_oversized_body_is_refused_whether_its_length_is_told_or_not(
    client: TestClient,
) -> None:
    big = b'{"question": "' + b"1" * 100_000 + b'"}'
    kind = {"content-type": "application/json"}
    assert client.post("/api/answers", content=big, headers=kind).status_code == 413

    def in_pieces() -> Any:
        for start in range(0, len(big), 1000):
            yield big[start : start + 1000]

    reply = client.post("/api/answers", content=in_pieces(), headers=kind)
    assert 400 <= reply.status_code < 500
    assert client.get("/api/study").json()["answers"] == 0


def test_a_body_that_never_ends_is_not_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(bodies, "_BODY_SECONDS", 0.05)
    ended: list[Message] = []

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        ended.append(await receive())

    async def trickle() -> Message:
        await asyncio.sleep(60)
        raise AssertionError("nobody should wait this long")

    async def send(message: Message) -> None:
        raise AssertionError(message)

    scope = {"type": "http", "method": "POST", "path": "/api/answers", "headers": [
        (b"content-type", b"application/json")]}  # fmt: skip
    asyncio.run(SecurityMiddleware(app)(scope, trickle, send))
    assert ended == [{"type": "http.disconnect"}]


def test_every_reply_forbids_foreign_scripts(client: TestClient) -> None:
    for path in ("/", "/api/study", "/media/0", "/nowhere", "/static/app.js"):
        headers = client.get(path).headers
        policy = headers["content-security-policy"]
        assert "default-src 'none'" in policy
        assert "script-src 'self'" in policy
        assert "unsafe" not in policy
        assert headers["x-content-type-options"] == "nosniff"


def test_the_page_names_nothing_outside_itself() -> None:
    folder = Path(web_app.__file__).parent / "static"
    texts = {path.name: path.read_text(encoding="utf-8") for path in folder.iterdir()}
    assert {"page.html", "app.js", "style.css"} <= texts.keys()
    for name, text in texts.items():
        foreign = text.replace("http://www.w3.org/2000/svg", "")
        assert "http://" not in foreign, name
        assert "https://" not in foreign, name
        assert "innerHTML" not in text, name
        assert "eval(" not in text, name


def test_errors_tell_a_sentence_and_no_trace(
    opened: Open, study: Study, monkeypatch: pytest.MonkeyPatch
) -> None:
    from likewise.web.app import create_app

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("secret detail")

    monkeypatch.setattr("likewise.web.dispatcher.Dispatcher.offer", broken)
    with TestClient(
        create_app(study), base_url="http://127.0.0.1:8000", raise_server_exceptions=False
    ) as client:
        reply = client.get("/api/question", params={"annotator": "Ada"})
    assert reply.status_code == 500
    assert "secret" not in reply.text
    assert "Traceback" not in reply.text


@pytest.mark.parametrize(
    "body",
    [
        {"question": "0-0", "verdict": "same"},
        {"question": "0-4000", "verdict": "same"},
        {"question": "../x", "verdict": "same"},
        {"verdict": "maybe"},
        {"verdict": "same", "annotator": "x" * 101},
        {"verdict": "same", "annotator": "a\nb"},
        {"verdict": "same", "client_id": "a:b"},
        {"verdict": "same", "seconds": -1},
    ],
)
def test_nonsense_is_refused_with_a_sentence(
    client: TestClient, study: Study, body: dict[str, Any]
) -> None:
    reply = client.post("/api/answers", json={"question": about(study, 0, 1), **body})
    assert reply.status_code == 422
    assert reply.json()["detail"]
    assert client.get("/api/study").json()["answers"] == 0


def test_thumbnails_are_kept_but_not_without_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    from likewise.views.thumbnails import Thumbnails

    monkeypatch.setattr("likewise.views.thumbnails._KEPT", 2000)
    rng = np.random.default_rng(0)
    noise = [rng.integers(0, 255, (40, 40), dtype=np.uint8) for _ in range(30)]
    media = Thumbnails(replace(pile()[0], pictures=noise))
    first = media.picture(0, 40)
    assert media.picture(0, 40) is first
    for item in range(30):
        media.picture(item, 40)
    assert media.picture(0, 40) == first
    assert media.picture(0, 40) is not first
