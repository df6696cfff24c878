"""Answers that come late: into another study, about rows that are gone, or twice."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from likewise.journal.pairs import Pair
from likewise.piles import begin_study, read_pile, resume_study
from likewise.study import Study
from likewise.study.item_keys import OtherItem, item_at, item_key, question_id
from likewise.web.security import Access
from web.conftest import Open, about, ask, grown, pile, tell

ROWS = [f"row-{k},{10 * (k % 3) + k / 100},{k % 5}" for k in range(12)]


class Table:
    """A table in a file that changes, and its study after each change."""

    def __init__(self, folder: Path, named: bool) -> None:
        self.path, self.store = folder / "things.csv", folder / "things.likewise.db"
        self.id_column = "name" if named else None
        self.rows = list(ROWS)

    def opened(self) -> Study:
        """The study of the rows as they are now."""
        self.path.write_text("\n".join(["name,size,colour", *self.rows]) + "\n")
        drop = () if self.id_column else ("name",)
        found = read_pile(self.path, id_column=self.id_column, drop=drop)
        if not self.store.exists():
            return begin_study(found, self.store)
        return resume_study(found, self.store)[0]


def names(study: Study, pair: Any) -> set[str]:
    """Which rows a pair is about, whatever their positions."""
    assert study.items.rows is not None
    return {str(study.items.rows[item]["size"]) for item in pair}


@pytest.fixture(params=[True, False], ids=["by name", "by number"])
def table(tmp_path: Path, request: pytest.FixtureRequest) -> Table:
    return Table(tmp_path, request.param)


def test_an_answer_to_another_study_is_refused_and_told_which_this_is(opened: Open) -> None:
    items, _ = pile()
    here, there = Study(items), Study(items)
    reply = tell(opened(here), about(there, 0, 1), "same")
    assert reply.status_code == 409
    assert reply.json()["study"] == here.identity
    assert "another study" in reply.json()["detail"]
    assert here.n_answers == 0


def test_an_answer_that_comes_after_a_row_was_deleted_is_about_the_rows_that_were_shown(
    opened: Open, table: Table
) -> None:
    before = table.opened()
    kept, lost = about(before, 5, 8), about(before, 2, 8)
    expected = names(before, (5, 8))
    del table.rows[2]
    after = table.opened()
    client = opened(after)
    reply = tell(client, kept, "different")
    assert reply.status_code == 201
    assert names(after, reply.json()["pair"]) == expected
    refused = tell(client, lost, "same")
    assert refused.status_code == 409
    assert "no longer in the pile" in refused.json()["detail"]
    assert "study" not in refused.json()
    assert after.n_answers == 1


def test_an_answer_about_a_row_that_was_changed_is_refused(opened: Open, tmp_path: Path) -> None:
    table = Table(tmp_path, named=True)
    before = table.opened()
    changed, same = about(before, 2, 8), about(before, 3, 8)
    table.rows[2] = "row-2,77,1"
    client = opened(table.opened())
    refused = tell(client, changed, "same")
    assert refused.status_code == 409
    assert "something else" in refused.json()["detail"]
    assert tell(client, same, "same").status_code == 201


def test_a_late_click_on_a_group_is_about_the_rows_that_were_shown(
    opened: Open, table: Table
) -> None:
    before = table.opened()
    before.tell((0, 1), "different")
    key = {k: item_key(before.items, k) for k in range(12)}
    expected = [names(before, (5, k)) for k in (0, 1)]
    body = {"group": "new", "item": key[5], "among": [key[0], key[1]], "study": before.identity}
    del table.rows[2]
    after = table.opened()
    client = opened(after)
    for gone in ({"item": key[2]}, {"among": [key[0], key[2]]}, {"member": key[2]}):
        assert client.post("/api/placements", json={**body, **gone}).status_code == 409
    elsewhere = client.post("/api/placements", json={**body, "study": "abc"})
    assert (elsewhere.status_code, elsewhere.json()["study"]) == (409, after.identity)
    assert after.n_answers == 1
    answers = client.post("/api/placements", json=body).json()["answers"]
    assert [names(after, one["pair"]) for one in answers] == expected


def test_late_edits_of_groups_are_about_the_rows_that_were_shown(
    opened: Open, table: Table
) -> None:
    before = table.opened()
    key = {k: item_key(before.items, k) for k in range(12)}
    expected = names(before, (5,))
    del table.rows[2]
    after = table.opened()
    client = opened(after)
    for path in ("merge", "split", "not-here"):
        body = {"items": [key[2], key[5]], "study": before.identity}
        assert client.post(f"/api/groups/{path}", json=body).status_code == 409
        assert client.post(f"/api/groups/{path}", json={**body, "study": "a"}).status_code == 409
    assert after.n_answers == 0
    client.post("/api/groups/name", json={"item": key[5], "name": "five"})
    assert names(after, after.named) == expected


def test_an_answer_of_another_study_is_not_taken_back_in_its_place(
    client: TestClient, study: Study
) -> None:
    kept = tell(client, (0, 1), "same").json()
    path = f"/api/answers/{kept['id']}"
    other = client.delete(path, params={"study": Study(pile()[0]).identity})
    assert (other.status_code, other.json()["study"]) == (409, study.identity)
    assert study.n_answers == 1
    mine = kept["question"].partition(".")[0]
    assert client.delete(path, params={"study": mine}).status_code == 200


def test_a_picture_is_that_of_the_item_that_was_shown(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    key = item_key(study.items, 3)
    by_key = client.get("/media/0", params={"key": key}).content
    assert by_key == client.get("/media/3").content != client.get("/media/0").content
    assert client.get("/media/0", params={"key": "0-abc"}).status_code == 409


def test_two_positions_are_no_question(client: TestClient, study: Study) -> None:
    assert tell(client, "3-4", "same").status_code == 422
    assert tell(client, about(study, 3, 3), "same").status_code == 422
    assert study.n_answers == 0


def test_what_is_no_longer_asked_need_not_be_skipped(client: TestClient) -> None:
    other = Study(pile()[0])
    assert ask(client, skip=about(other, 0, 1)) == ask(client)


def test_every_item_is_found_by_its_key_and_no_made_up_key_finds_one(study: Study) -> None:
    items = study.items
    for position in range(len(items)):
        assert item_at(items, item_key(items, position)) == position
        assert item_at(items, position) == position
    for made_up in ("30-abc", "0-abc", f"1-{items.fingerprint_of(0)}"):
        with pytest.raises(OtherItem):
            item_at(items, made_up)
    assert question_id(study, Pair(0, 1)) != question_id(study, Pair(1, 0))


# -- one name, two answers ---------------------------------------------------------------------


def test_another_answer_under_the_same_client_id_is_refused(
    client: TestClient, study: Study
) -> None:
    first = tell(client, about(study, 0, 1), "same", client_id="abc")
    others = [
        tell(client, about(study, 0, 1), "different", client_id="abc"),
        tell(client, about(study, 0, 2), "same", client_id="abc"),
        tell(client, about(study, 0, 1), "same", who="Bob", client_id="abc"),
    ]
    assert [reply.status_code for reply in others] == [409] * 3
    assert "client_id" in others[0].json()["detail"]
    assert [str(answer) for answer in study.answers] == ["#0: 0 = 1"]
    again = tell(client, about(study, 1, 0), "same", client_id="abc")
    assert (again.status_code, again.json()["id"]) == (201, first.json()["id"])


def test_another_click_under_the_same_client_id_is_refused(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    item = next(k for k in range(30) if study.constraints.representative_of(k) is None)
    shown = list(study.constraints.representatives[:2])
    body = {"item": item, "group": "new", "among": shown, "client_id": "abc", "annotator": "Ada"}
    first = client.post("/api/placements", json=body)
    assert client.post("/api/placements", json=body).json() == first.json()
    n_answers = study.n_answers
    free = next(k for k in range(30) if k != item and k not in study.constraints.representatives)
    for other in ({"item": free}, {"member": shown[0], "group": 0}, {"annotator": "Bob"}):
        refused = client.post("/api/placements", json={**body, **other})
        assert refused.status_code == 409, other
    assert tell(client, about(study, 0, 1), "same", client_id="abc").status_code == 409
    assert study.n_answers == n_answers


# -- all or nothing ----------------------------------------------------------------------------


def test_of_a_refused_request_that_sends_items_away_nothing_is_kept(opened: Open) -> None:
    study, _ = grown()
    client = opened(study)
    labels = study.labels_
    bound = study.constraints.representatives[0]
    mates = [k for k in range(30) if labels[k] == labels[bound]]
    guessed = next(k for k in mates if study.constraints.representative_of(k) is None)
    known = next(k for k in mates if study.constraints.representative_of(k) == bound != k)
    before = [str(answer) for answer in study.answers]
    refused = client.post("/api/groups/not-here", json={"items": [guessed, known]})
    assert refused.status_code == 409
    assert [str(answer) for answer in study.answers] == before
    missing = client.post("/api/groups/not-here", json={"items": [guessed, 99]})
    assert missing.status_code == 422
    everybody = client.post("/api/groups/not-here", json={"items": mates, "force": True})
    assert (everybody.status_code, "would stay" in everybody.json()["detail"]) == (422, True)
    assert [str(answer) for answer in study.answers] == before
    done = client.post("/api/groups/not-here", json={"items": [guessed, known], "force": True})
    assert done.status_code == 201
    after = study.labels_
    assert after[bound] not in (after[guessed], after[known])


def test_a_server_that_wants_to_be_left_alone_says_for_how_long(opened: Open, study: Study) -> None:
    client = opened(study, access=Access(token="right-token"))
    wrong = {"authorization": "Bearer wrong-token"}
    replies = [client.get("/api/study", headers=wrong) for _ in range(11)]
    assert [reply.status_code for reply in replies] == [401] * 10 + [429]
    assert replies[-1].headers["retry-after"] == "60"
