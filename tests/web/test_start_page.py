"""The start page over HTTP: who may use it, what it lists, and how far a pile is read."""

from __future__ import annotations

import stat
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from burst_files import burst_folder
from likewise.cli.commands._pile_opener import SourceOpener
from likewise.web.security import Access
from likewise.web.start import Choice, Opening, RecentPiles, create_start_app
from likewise.web.start.folders import find_dropped, list_folder
from likewise.web.start.reading import Reading
from likewise.web.start.session import StartSession
from web.conftest import TABLE

_PATIENCE = 180.0  # seconds; machines are shared, and a first question may be compiled
Start = Callable[..., tuple[StartSession, TestClient]]


@pytest.fixture
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A user's home, with a table in it."""
    (tmp_path / "home").mkdir()
    (tmp_path / "home" / "things.csv").write_text(TABLE)
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.setenv("LIKEWISE_HOME", str(tmp_path / "own"))
    return tmp_path / "home"


@pytest.fixture
def start(home: Path) -> Iterator[Start]:
    """Runs start pages, and gives clients that own them."""
    with ExitStack() as stack:

        def run(**settings: Any) -> tuple[StartSession, TestClient]:
            recent = RecentPiles(home.parent / "own" / "recent.json")
            opener = settings.pop("opener", SourceOpener())
            session = StartSession(Access(token="owner"), recent, opener, **settings)
            client = TestClient(
                create_start_app(session),
                base_url="http://127.0.0.1:8000",
                client=("127.0.0.1", 4000),
            )
            stack.enter_context(client)
            assert client.get("/", params={"token": "owner"}).status_code == 200
            return session, client

        yield run


def until(client: TestClient, *states: str) -> dict[str, Any]:
    """Wait until the start page has one of these states."""
    patience = time.monotonic() + _PATIENCE
    while (found := client.get("/api/start").json())["state"] not in states:
        assert time.monotonic() < patience, found
        time.sleep(0.02)
    return dict(found)


def test_a_pile_is_chosen_read_and_answered_at_the_same_address(start: Start, home: Path) -> None:
    _, client = start()
    assert client.get("/api/start").json()["state"] == "choosing"
    assert "start.js" in client.get("/").text
    place = client.get("/api/start/folder").json()
    assert (place["path"], place["files"]) == (str(home), ["things.csv"])
    path = str(home / "things.csv")
    look = client.get("/api/start/look", params={"path": path}).json()
    assert (look["kind"], look["count"], look["answers"]) == ("table", 12, None)
    body = {"path": path, "drop": ["name"], "groups": [2, 5]}
    assert client.post("/api/start/open", json=body).status_code == 202
    found = until(client, "ready", "failed")
    assert found["state"] == "ready", found
    assert "app.js" in client.get("/").text
    study = client.get("/api/study").json()
    assert (study["items"], study["role"], study["n_clusters"]) == (12, "owner", [2, 5])
    assert client.get("/api/question", params={"annotator": "me"}).status_code == 200
    assert Path(look["kept"]).exists()
    assert client.get("/api/folders").status_code == 200
    assert client.post("/api/start/open", json=body).status_code == 422  # one at a time


def test_notes_name_no_options_of_the_command_line(start: Start, home: Path) -> None:
    (home / "sizes.csv").write_text("mm,g\n" + "".join(f"{k},{900 * k**2}\n" for k in range(12)))
    _, client = start()
    client.post("/api/start/open", json={"path": str(home / "sizes.csv")})
    found = until(client, "ready", "failed")
    assert any("every column" in note for note in found["notes"]), found
    assert not any("--" in note for note in found["notes"]), found


def test_a_recent_pile_goes_on_with_what_counted(start: Start, home: Path) -> None:
    path = str(home / "things.csv")
    _, first = start()
    first.post("/api/start/open", json={"path": path, "drop": ["name"], "groups": 3})
    until(first, "ready")
    session, second = start()
    assert [one["name"] for one in second.get("/api/start/recent").json()] == ["things.csv"]
    look = second.get("/api/start/look", params={"path": path}).json()
    assert look["answers"] == 0
    second.post("/api/start/open", json={"path": path, "groups": 7})
    assert until(second, "ready", "failed")["state"] == "ready"
    assert second.get("/api/study").json()["n_clusters"] == 3
    assert stat.S_IMODE(session.recent.path.stat().st_mode) == 0o600


def test_bursts_are_stacks_where_that_was_chosen_also_the_next_time(
    start: Start, home: Path
) -> None:
    path = str(burst_folder(home / "photos"))
    _, first = start()
    first.post("/api/start/open", json={"path": path, "stacks": True})
    found = until(first, "ready", "failed")
    assert any("they are 2 stacks" in note for note in found["notes"]), found
    assert first.get("/api/study").json()["items"] == 6
    _, second = start()
    second.post("/api/start/open", json={"path": path})
    assert until(second, "ready", "failed")["state"] == "ready"
    assert second.get("/api/study").json()["items"] == 6


def test_a_bad_file_is_said_and_another_can_be_chosen(start: Start, home: Path) -> None:
    _, client = start()
    (home / "bad.csv").write_text("size\n1\n")
    client.post("/api/start/open", json={"path": str(home / "bad.csv")})
    found = until(client, "failed")
    assert "at least 2 items" in found["sentence"]
    client.post("/api/start/open", json={"path": str(home / "things.csv")})
    assert until(client, "ready", "failed")["state"] == "ready"


def test_reading_that_is_stopped_ends_and_leaves_the_choice(start: Start, home: Path) -> None:
    reached, ended = threading.Event(), threading.Event()

    class Slow(SourceOpener):
        def open(self, choice: Choice) -> Opening:
            opening = super().open(choice)

            def read(progress: Callable[[int, int], None]) -> Any:
                try:
                    for k in range(1, 100_000):
                        progress(k, 100_000)
                        if k > 3:
                            reached.set()
                        time.sleep(0.01)
                finally:
                    ended.set()

            return Opening(**{**vars(opening), "read": read})

    _, client = start(opener=Slow())
    body = {"path": str(home / "things.csv")}
    client.post("/api/start/open", json=body)
    assert reached.wait(_PATIENCE)
    found = client.get("/api/start").json()
    assert (found["state"], found["of"]) == ("reading", 100_000)
    assert found["seconds_left"] > 1
    assert client.post("/api/start/open", json=body).status_code == 422
    assert client.post("/api/start/stop", json={}).json()["state"] == "choosing"
    assert ended.wait(_PATIENCE)


def test_time_left_follows_the_pace_and_begins_anew_with_every_stage(home: Path) -> None:
    now = 0.0
    opening = SourceOpener().open(Choice(home / "things.csv"))
    reading = Reading(opening, lambda _: None, clock=lambda: now)
    seen = []
    told = ((1, 0, 10), (9, 2, 10), (10, 6, 10), (11, 0, 20), (12, 10, 20), (13, 15, 20))
    for seconds, done, of in told:
        now = float(seconds)
        reading._tell(done, of)
        seen.append(reading.progress.seconds_left)
    # A pace is known from the second count on: the first waits for what has to be loaded.
    assert seen == [None, None, 1.0, None, None, 1.0]


# -- who may -------------------------------------------------------------------------------------

_PATHS = ("/api/start/recent", "/api/start/folder", "/api/start/look?path=/")


def test_folders_are_shown_to_the_owner_at_this_computer_alone(start: Start, home: Path) -> None:
    session, client = start()
    app = client.app
    bodies = {"open": {"path": str(home / "things.csv")}, "stop": {},
              "find": {"name": "things.csv", "files": []}}  # fmt: skip

    def refused(status: int, *, address: str = "127.0.0.1", **headers: str) -> None:
        other = TestClient(app, base_url="http://127.0.0.1:8000", client=(address, 1))
        other.headers.update({name.replace("_", "-"): value for name, value in headers.items()})
        replies = [other.get(path) for path in _PATHS]
        replies += [other.post(f"/api/start/{name}", json=body) for name, body in bodies.items()]
        assert [reply.status_code for reply in replies] == [status] * len(replies)
        assert not any(str(home) in reply.text for reply in replies)

    mine = "Bearer owner"
    refused(401)
    refused(403, authorization=mine, sec_fetch_site="cross-site")
    refused(403, authorization=mine, origin="http://evil.example")
    refused(421, authorization=mine, host="evil.example")
    refused(403, authorization=f"Bearer {session.access.invite('Ada')}")
    refused(403, authorization=mine, address="192.168.1.7")
    refused(401, authorization="Bearer guess")
    assert session.reading is None
    form = {"content-type": "text/plain", "authorization": mine}
    stranger = TestClient(app, base_url="http://127.0.0.1:8000", client=("127.0.0.1", 1))
    assert stranger.post("/api/start/open", content=b"{}", headers=form).status_code == 415


def test_who_is_invited_to_a_study_gets_no_folders(start: Start, home: Path) -> None:
    _, client = start()
    client.post("/api/start/open", json={"path": str(home / "things.csv")})
    until(client, "ready")
    invited = client.post("/api/people", json={"name": "Ada"}).json()["link"]
    ada = TestClient(client.app, base_url="http://127.0.0.1:8000", client=("127.0.0.1", 1))
    assert ada.get("/", params={"token": invited.partition("token=")[2]}).status_code == 200
    assert ada.get("/api/study").json()["role"] == "answerer"
    for path in ("/api/start", *_PATHS):  # her token opens the study, not the start page
        assert ada.get(path).status_code == 401


def test_links_and_hidden_entries_are_not_listed(home: Path) -> None:
    (home / "photos").mkdir()
    (home / "photos" / "a.png").write_text("x")
    (home / ".secret").mkdir()
    (home / "out").symlink_to("/")
    (home / "table.csv").symlink_to("/etc/passwd")
    (home / "loop").symlink_to(home / "loop")
    place = list_folder(home)
    assert (place.folders, place.files, place.others) == (["photos"], ["things.csv"], 4)
    (home.parent / "way").symlink_to(home / "photos")
    followed = list_folder(home.parent / "way")
    assert (followed.path, followed.pictures) == (home / "photos", 1)


@pytest.mark.parametrize(
    ("path", "said"),
    [
        ("relative/path", "the whole path"),
        ("/no/such/folder", "cannot be looked into"),
        ("things.csv", "the whole path"),
        ("~nobody-of-this-name", "the whole path"),
    ],
)
def test_a_path_that_leads_nowhere_is_said(start: Start, path: str, said: str) -> None:
    _, client = start()
    reply = client.get("/api/start/folder", params={"path": path})
    assert reply.status_code == 422
    assert said in reply.json()["detail"]


def test_what_is_dropped_is_found_by_name_and_sizes(start: Start, home: Path) -> None:
    _, client = start()
    size = (home / "things.csv").stat().st_size

    def found(name: str, size: int) -> str:
        body = {"name": name, "files": [{"name": name, "size": size}]}
        return str(client.post("/api/start/find", json=body).json()["path"])

    assert found("things.csv", size) == str(home / "things.csv")
    assert found("things.csv", size + 1) == ""
    assert found("../home/things.csv", size) == ""
    (home / "Desktop").mkdir()
    (home / "Desktop" / "things.csv").write_text(TABLE)
    assert find_dropped("things.csv", [("things.csv", size)], []) is None  # which of the two?
