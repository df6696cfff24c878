"""A pile that grows or shrinks while it is served: no 503, and what is new is asked about."""

from __future__ import annotations

import time
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from likewise.piles import begin_study, read_partitioned, read_pile, resume_study
from likewise.piles.ahead import ReadingCount
from likewise.piles.signature import pile_signature
from likewise.study import Study
from likewise.web.growth import WatchedPile
from likewise.web.service import StudyService
from web.conftest import Open, ask, tell

ROWS = "name,size\n" + "".join(f"n{k},{k % 3 * 5 + k / 10}\n" for k in range(9))


@pytest.fixture
def table(tmp_path: Path) -> Path:
    path = tmp_path / "table.csv"
    path.write_text(ROWS)
    return path


def resumed(table: Path) -> Study:
    return resume_study(read_pile(table, id_column="name"), table.with_suffix(".db"))[0]


def begun(table: Path) -> Study:
    return begin_study(read_pile(table, id_column="name"), table.with_suffix(".db"))


def watched(table: Path) -> WatchedPile:
    return WatchedPile(lambda: pile_signature(table), lambda: resumed(table), seconds=0.02)


def test_a_server_whose_pile_another_program_found_grown_goes_on(opened: Open, table: Path) -> None:
    client = opened(begun(table))
    question = ask(client)
    assert question is not None
    table.write_text(ROWS + "new,7\n")
    other = resumed(table)
    other.tell((9, 0), "same")
    assert tell(client, question["id"], "different").status_code == 201
    assert ask(client) is not None
    assert client.get("/api/study").json()["items"] == 9
    assert other.refresh() == 1


def test_a_server_takes_in_by_itself_what_its_pile_gains(opened: Open, table: Path) -> None:
    client = opened(begun(table), pile=watched(table))
    question = ask(client)
    assert question is not None
    table.write_text(ROWS + "new,7\n")
    deadline = time.monotonic() + 60
    while client.get("/api/study").json()["items"] == 9:
        assert time.monotonic() < deadline
    # What was asked before is still what is answered.
    assert tell(client, question["id"], "different").status_code == 201
    assert [row["id"] for row in client.get("/api/labels").json()][-1] == "new"
    assert ask(client) is not None
    kept = resumed(table)
    assert kept.n_answers == 1
    assert {kept.items.ids[k] for k in kept.answers[0].pair} == {
        card["id"] for card in question["items"]
    }


def test_rows_join_that_bring_no_item_of_their_own(opened: Open, tmp_path: Path) -> None:
    folder, store = tmp_path / "rows", tmp_path / "rows.db"
    folder.mkdir()
    X = np.random.default_rng(0).normal(size=(420, 2)) + 9.0 * (np.arange(420) % 2)[:, None]
    frame = pd.DataFrame(X, columns=["a", "b"])
    frame[:400].to_parquet(folder / "m.parquet", index=False)
    study = begin_study(read_partitioned(folder, 8), store)
    pile = WatchedPile(
        lambda: pile_signature(folder),
        lambda: resume_study(read_partitioned(folder, 8), store)[0],
        seconds=0.02,
    )
    client = opened(study, pile=pile)
    question = ask(client)
    assert question is not None
    frame[400:].to_parquet(folder / "p.parquet", index=False)
    deadline = time.monotonic() + 60
    while (shown := client.get("/api/study").json())["rows"] == 400:
        assert time.monotonic() < deadline
    assert (shown["rows"], shown["items"]) == (420, 8)
    assert len(client.get("/api/export/csv").text.splitlines()) == 421
    assert tell(client, question["id"], "different").status_code == 201


def test_a_copy_that_comes_later_is_written_with_the_others(opened: Open, table: Path) -> None:
    client = opened(begun(table), pile=watched(table))
    table.write_text(ROWS + "twin,10.2\n")
    deadline = time.monotonic() + 60
    while "twin" not in client.get("/api/export/csv").text:
        assert time.monotonic() < deadline
    assert client.get("/api/study").json()["items"] == 9


def test_what_has_left_the_pile_stays_with_the_server_until_it_ends(
    opened: Open, table: Path
) -> None:
    client = opened(begun(table), pile=watched(table))
    question = ask(client)
    assert question is not None
    lines = ROWS.splitlines(keepends=True)
    table.write_text("".join([*lines[:2], *lines[3:]]))
    deadline = time.monotonic() + 60
    while len(resumed(table).items) != 8:
        assert time.monotonic() < deadline
    assert tell(client, question["id"], "different").status_code == 201
    assert client.get("/api/study").json()["items"] == 9


def test_a_pile_that_cannot_be_read_just_now_does_no_harm(
    opened: Open, table: Path, caplog: pytest.LogCaptureFixture
) -> None:
    client = opened(begun(table), pile=watched(table))
    table.write_text("")
    deadline = time.monotonic() + 60
    while "cannot be taken in" not in caplog.text:
        assert ask(client) is not None
        assert time.monotonic() < deadline
    table.write_text(ROWS + "new,7\n")
    while client.get("/api/study").json()["items"] == 9:
        assert time.monotonic() < deadline


def test_a_pile_that_could_not_be_read_is_tried_again(
    opened: Open, table: Path, caplog: pytest.LogCaptureFixture
) -> None:
    tries: list[float] = []

    def reopen() -> Study:
        tries.append(time.monotonic())
        if len(tries) < 4:
            raise PermissionError("the disk is away")
        return resumed(table)

    pile = WatchedPile(lambda: pile_signature(table), reopen, seconds=0.02)
    client = opened(begun(table), pile=pile)
    table.write_text(ROWS + "new,7\n")
    deadline = time.monotonic() + 60
    while client.get("/api/study").json()["items"] == 9:
        assert time.monotonic() < deadline
    assert caplog.text.count("cannot be taken in: the disk is away") == 1
    assert tries[2] - tries[1] >= 0.04
    assert tries[3] - tries[2] >= 0.08


def test_a_file_that_comes_slowly_is_taken_in_once_it_is_whole(
    opened: Open, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    folder, store = tmp_path / "rows", tmp_path / "rows.db"
    folder.mkdir()
    X = np.random.default_rng(0).normal(size=(120, 2))
    pd.DataFrame(X, columns=["a", "b"]).to_parquet(folder / "m.parquet", index=False)
    whole = (folder / "m.parquet").read_bytes()
    study = begin_study(read_partitioned(folder, 8), store)
    pile = WatchedPile(
        lambda: pile_signature(folder),
        lambda: resume_study(read_partitioned(folder, 8), store)[0],
        seconds=0.02,
    )
    client = opened(study, pile=pile)
    with (folder / "p.parquet").open("wb") as file:
        file.write(whole[:900])
        file.flush()
        deadline = time.monotonic() + 60
        while "cannot be read as Parquet" not in caplog.text:
            assert time.monotonic() < deadline
        file.write(whole[900:])
    while client.get("/api/study").json()["rows"] == 120:
        assert time.monotonic() < deadline


def test_the_signature_tells_what_came_or_left(tmp_path: Path) -> None:
    folder = tmp_path / "pile"
    (folder / "a").mkdir(parents=True)
    before = pile_signature(folder)
    (folder / "a" / "1.txt").write_text("one")
    assert pile_signature(folder) != before
    file = folder / "a" / "1.txt"
    before = pile_signature(file)
    file.write_text("another")
    assert pile_signature(file) != before
    rows = tmp_path / "rows"
    rows.mkdir()
    (rows / "_SUCCESS").touch()
    part = rows / "1.parquet"
    part.write_bytes(b"half")
    before = pile_signature(rows)
    with part.open("ab") as more:
        more.write(b" of it")
    assert pile_signature(rows) != before


def test_the_rest_of_a_pile_joins_as_it_is_read(opened: Open, table: Path) -> None:
    class Reading:
        done = stopped = False
        count = ReadingCount(0, 0, None)

        def is_done(self) -> bool:
            return self.done

        def stop(self) -> None:
            self.stopped = True

        def progress(self) -> ReadingCount:
            return self.count

    reading = Reading()
    twice = ROWS + "".join(f"m{k},{20 + k}\n" for k in range(9))
    all_of_it = twice + "last,40\n"
    pile = WatchedPile(
        lambda: pile_signature(table),
        lambda: resumed(table),
        seconds=0.02,
        read_rest=lambda: reading,
        reopen_so_far=lambda: resumed(table),
    )
    client = opened(begun(table), pile=pile)
    question = ask(client)
    assert question is not None
    deadline = time.monotonic() + 60
    table.write_text(twice)
    reading.count = ReadingCount(17, 19, 4.0)  # fewer than twice as many are not worth it
    told = {"done": 17, "of": 19, "seconds_left": 4.0}
    while (shown := client.get("/api/study").json())["reading"] != told:
        assert time.monotonic() < deadline
    assert shown["items"] == 9
    reading.count = ReadingCount(18, 19, 3.0)
    while client.get("/api/study").json()["items"] == 9:
        assert time.monotonic() < deadline
    # What was asked on the sample is answered on what is there now.
    assert tell(client, question["id"], "different").status_code == 201
    table.write_text(all_of_it)
    reading.done = True
    while (shown := client.get("/api/study").json())["reading"] is not None:
        assert time.monotonic() < deadline
    assert shown["items"] == 19  # once nothing is being read any more, all are there
    assert reading.stopped
    assert ask(client) is not None
    service: StudyService = client.app.state.service  # type: ignore[attr-defined]
    assert service.study.n_answers == 1
