"""`/api/folders`: for the owner at this computer alone, with a preview, and never over anything."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from fastapi.testclient import TestClient
from PIL import Image

from likewise.study import Study
from likewise.web.security import Access
from web.conftest import Open, pile


@pytest.fixture
def photos(tmp_path: Path) -> Path:
    folder = tmp_path / "photos"
    folder.mkdir()
    return folder


@pytest.fixture
def study(photos: Path) -> Study:
    items, _ = pile()
    for name in items.ids:
        Image.new("L", (4, 4)).save(photos / name)
    study = Study(replace(items, pictures=[photos / name for name in items.ids]))
    study.tell((0, 1), "different")
    study.name(0, "cats / dogs")
    return study


@pytest.fixture
def here(opened: Open, study: Study, photos: Path) -> TestClient:
    return opened(study, sorts_beside=photos)


def test_the_preview_is_what_is_written_with_the_numbers_of_the_page(
    here: TestClient, photos: Path
) -> None:
    preview = here.get("/api/folders").json()
    to = Path(preview["to"])
    assert (to, preview["trouble"]) == (photos.with_name("photos sorted"), "")
    assert not to.exists()
    made = here.post("/api/folders", json={"to": str(to)})
    assert (made.status_code, made.json()) == (201, {"to": str(to), "files": 30})
    for group in preview["groups"]:
        assert len(list((to / group["name"]).iterdir())) == group["files"]
        assert all((to / group["name"] / name).is_file() for name in group["examples"])
    for row in here.get("/api/labels").json():
        folder = next(to.glob(f"{row['group']} *" if row["name"] else str(row["group"])))
        assert (folder / row["id"]).is_file()
    assert any(group["name"].endswith("cats - dogs") for group in preview["groups"])


def test_a_second_time_another_folder_is_suggested_and_the_first_refused(
    here: TestClient, photos: Path
) -> None:
    first = here.get("/api/folders").json()["to"]
    here.post("/api/folders", json={"to": first, "how": "link"})
    assert here.get("/api/folders").json()["to"] == f"{first} 2"
    assert "is not empty" in here.get("/api/folders", params={"to": first}).json()["trouble"]
    for to, said in (
        (first, "is not empty"),
        (str(photos / "in"), "lies in the pile itself"),
        ("sorted", "the whole path"),
        ("", "the whole path"),
        (str(photos.parent / "no" / "such"), "there is no folder 'no'"),
        ("~nobody-of-this-name/x", "give the whole path"),
    ):
        refused = here.post("/api/folders", json={"to": to})
        assert refused.status_code == 422
        assert said in refused.json()["detail"]
        assert str(photos.parent) not in refused.json()["detail"]


def test_only_the_owner_writes_and_only_at_this_computer(
    opened: Open, study: Study, photos: Path
) -> None:
    access = Access(token="owner")
    app = opened(study, access=access, sorts_beside=photos).app
    ada = TestClient(app, base_url="http://127.0.0.1:8000")
    ada.get("/", params={"token": access.invite("Ada")})
    elsewhere = opened(study)
    for client in (ada, elsewhere):
        assert client.get("/api/folders").status_code == 403
        body = {"to": str(photos.with_name("sorted"))}
        assert client.post("/api/folders", json=body).status_code == 403
    foreign = {"sec-fetch-site": "cross-site", "authorization": "Bearer owner"}
    stranger = TestClient(app, base_url="http://127.0.0.1:8000")
    assert stranger.get("/api/folders", headers=foreign).status_code == 403
    assert stranger.get("/api/folders").status_code == 401
    assert not photos.with_name("sorted").exists()


def test_a_pile_without_files_says_so(opened: Open, tmp_path: Path) -> None:
    client = opened(Study([[0.0], [1.0], [5.0]]), sorts_beside=tmp_path / "x.npy")
    refused = client.get("/api/folders")
    assert refused.status_code == 404
    assert "as a list" in refused.json()["detail"]
