"""Names, edits, answers that travel, audits and reports, by the door that a shell uses."""

from __future__ import annotations

import json
from pathlib import Path

import pandas as pd
import pytest
from typer.testing import CliRunner, Result

from likewise.cli.app import app

FRUIT = """\
id,size,sweet
a1,1,9
a2,1.1,9.1
a3,1.2,9.2
b1,8,1
b2,8.1,1.1
b3,8.2,1.2
"""


@pytest.fixture
def fruit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A table in the current folder about which one thing is known: a1 differs from b1."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    Path("fruit.csv").write_text(FRUIT)
    Path("first.csv").write_text("link,item,other\ncannot,a1,b1\n")
    likewise("answer", "fruit.csv", typed="stop\n")
    ran("answers", "fruit.csv", "import", "first.csv")
    return "fruit.csv"


def likewise(*words: str, typed: str = "") -> Result:
    return CliRunner().invoke(app, list(words), input=typed)


def ran(*words: str, typed: str = "") -> str:
    """What a command says that goes well."""
    result = likewise(*words, typed=typed)
    assert result.exit_code == 0, result.output
    return result.stdout


def complaint(*words: str) -> str:
    """The sentence with which a command is refused."""
    result = likewise(*words)
    assert result.exit_code == 2, result.output
    assert "Traceback" not in result.output
    assert result.stderr.startswith("likewise: ")
    return result.stderr


def groups(pile: str) -> dict[str, int]:
    rows = json.loads(ran("labels", pile, "--json"))
    return {row["id"]: row["group"] for row in rows}


def test_a_group_is_named_by_any_of_its_items(fruit: str) -> None:
    assert "called sweet ones" in ran("name", fruit, "a2", "sweet ones", "--who", "Ada")
    rows = json.loads(ran("labels", fruit, "--json"))
    assert {row["id"]: row["name"] for row in rows}["a3"] == "sweet ones"
    assert "sweet ones" in json.loads(ran("status", fruit, "--json"))["names"].values()
    ran("name", fruit, "a1", "")
    assert json.loads(ran("status", fruit, "--json"))["names"] == {}


def test_edits_say_what_they_answered_and_take_effect(fruit: str) -> None:
    assert "answer 1 (a3 ≠ a1)" in ran("not-here", fruit, "a3")
    assert groups(fruit)["a3"] != groups(fruit)["a1"]
    refused = complaint("merge", fruit, "a1", "b1")
    assert "contradicts answer 0 (a1 ≠ b1)" in refused
    said = ran("merge", fruit, "a1", "b1", "--force")
    assert "took back answer 0 (a1 ≠ b1)" in said
    assert groups(fruit)["a1"] == groups(fruit)["b1"]
    assert "nothing to do" in ran("merge", fruit, "a1", "b1")


def test_a_split_as_json(fruit: str) -> None:
    edit = json.loads(ran("split", fruit, "a2", "a3", "--json"))
    assert edit == {"answers": [1, 2, 3], "taken_back": [], "groups": 3}
    found = groups(fruit)
    assert found["a2"] == found["a3"] != found["a1"]


def test_items_that_do_not_exist_are_named_with_the_nearest_that_does(fruit: str) -> None:
    assert "no item a11; did you mean a1?" in complaint("name", fruit, "a11", "x")
    assert "ids look like a1" in complaint("not-here", fruit, "zzz")


@pytest.mark.parametrize("name", ["all.csv", "all.jsonl", "all.parquet"])
def test_answers_go_out_and_come_back_once(fruit: str, name: str) -> None:
    ran("split", fruit, "a3")
    assert ran("answers", fruit, "export", name).startswith("wrote 3 answers")
    assert "0 answers taken in, 3 were there already" in ran("answers", fruit, "import", name)
    Path("fruit.likewise.db").unlink(missing_ok=True)
    Path("fruit.likewise.jsonl").unlink(missing_ok=True)
    likewise("answer", fruit, typed="stop\n")
    result = json.loads(ran("answers", fruit, "import", name, "--json"))
    assert result == {"added": 3, "known": 0, "strangers": [], "disputes": []}


def test_contradictions_of_an_import_are_told(fruit: str) -> None:
    Path("more.json").write_text('{"must_link": [["a1", "b1"]]}')
    said = ran("answers", fruit, "import", "more.json")
    assert "answer 1 (a1 = b1) contradicts answer 0 (a1 ≠ b1)" in said
    assert "contradict each other" in ran("status", fruit)


def test_dedupe_and_links_are_written(fruit: str) -> None:
    ran("answers", fruit, "export", "training.json", "--as", "dedupe")
    assert set(json.loads(Path("training.json").read_text())) == {"distinct", "match"}
    ran("answers", fruit, "export", "links.csv", "--as", "links")
    assert pd.read_csv("links.csv").to_dict("list") == {
        "link": ["cannot"],
        "item": ["a1"],
        "other": ["b1"],
    }


def test_the_pile_is_never_written_over(fruit: str) -> None:
    assert "choose another file" in complaint("answers", fruit, "export", fruit)
    assert "choose another file" in complaint("report", fruit, "--out", fruit)
    assert Path(fruit).read_text() == FRUIT


def test_an_audit_asks_random_pairs_and_tells_the_bound(fruit: str) -> None:
    said = ran("audit", fruit, "--pairs", "6", typed="unsure\nundo\nskip\nstop\n")
    assert "Taken back" in said
    before = json.loads(ran("status", fruit, "--json"))["answers"]
    said = ran("audit", fruit, "--pairs", "4", typed="different\n" * 4)
    assert "random pairs were wrong: at most" in said
    after = json.loads(ran("status", fruit, "--json"))["answers"]
    assert 2 <= after - before <= 4  # they are answers too; what is known is not asked
    assert "only 15 pairs" in complaint("audit", fruit, "--pairs", "16")


def test_status_says_when_to_stop(fruit: str) -> None:
    facts = json.loads(ran("status", fruit, "--json"))
    assert facts["may_stop"] is False
    assert facts["advice"].startswith("Too early to tell")
    assert "Too early to tell" in ran("status", fruit)
    for item in ("a2", "a3"):
        ran("merge", fruit, "a1", item)
    for item in ("b2", "b3"):
        ran("merge", fruit, "b1", item)
    facts = json.loads(ran("status", fruit, "--json"))
    assert facts["may_stop"] is True
    assert facts["right"] == 1.0


def test_the_report_is_one_file(fruit: str) -> None:
    ran("report", fruit, "--out", "fruit.html", "--title", "Sweet & sour")
    html = Path("fruit.html").read_text(encoding="utf-8")
    assert "<h1>Sweet &amp; sour</h1>" in html
    assert "cannot be written" in complaint("report", fruit, "--out", "nowhere/x.html")


def test_views_are_listed_and_switched(tmp_path: Path) -> None:
    file = tmp_path / "cars.csv"
    file.write_text("text,price\na red car,1\na blue car,2\nan old engine,30\nnew brakes,40\n")
    pile = str(file)
    everything = {"words": True, "sentences": True, "columns": True}
    assert json.loads(ran("views", pile, "--json")) == everything
    assert not list(tmp_path.glob("*.db"))  # who only looks begins nothing
    ran("views", pile, "--off", "words", "--off", "columns", "--who", "Ada")
    assert json.loads(ran("views", pile, "--json")) == everything | {
        "words": False,
        "columns": False,
    }
    assert "there is no view 'smell'" in complaint("views", pile, "--off", "smell")
    assert "one view at least must count" in complaint("views", pile, "--off", "sentences")
    assert "columns" in ran("views", pile, "--on", "columns")


@pytest.mark.parametrize("refused", [["--off", "smell"], ["--on", "smell"], ["--off", "words"]])
def test_a_switch_that_is_refused_begins_no_study(tmp_path: Path, refused: list[str]) -> None:
    file = tmp_path / "cars.csv"
    file.write_text("text,price\na red car,1\na blue car,2\nan old engine,30\nnew brakes,40\n")
    others = ["--off", "sentences", "--off", "columns"]
    assert "view" in complaint("views", str(file), *refused, *others)
    assert list(tmp_path.iterdir()) == [file]


def test_a_pile_with_one_view_says_what_it_is(fruit: str) -> None:
    assert "has one view only: its rows are compared by" in ran("views", fruit)


def test_items_are_marked_for_review_and_cleared_by_anybody(fruit: str) -> None:
    assert ran("review", fruit) == "nothing needs review\n"
    assert ran("review", fruit, "a2", "--note", "ripe?", "--who", "Ada") == "a2: ripe? (Ada)\n"
    assert "a2: ripe? (Ada)" in ran("status", fruit)
    found = json.loads(ran("status", fruit, "--json"))["reviews"]
    assert found == [{"id": "a2", "note": "ripe?", "who": "Ada"}]
    rows = {row["id"]: row for row in json.loads(ran("labels", fruit, "--json"))}
    assert (rows["a2"]["review"], rows["a1"]["review"]) == ("ripe?", "")
    assert ran("review", fruit, "a2", "--clear", "--who", "Bob") == "nothing needs review\n"
    assert "the mark for review is back" in ran("undo", fruit, "--who", "Bob")
    (again,) = json.loads(ran("review", fruit, "--json"))
    assert (again["id"], again["who"]) == ("a2", "Ada")
    assert "say which items" in complaint("review", fruit, "--clear")
    assert "not both" in complaint("review", fruit, "a2", "--clear", "--note", "x")
    assert "did you mean a2" in complaint("review", fruit, "aa2")


def test_groups_are_collected_and_items_belong_to_several(fruit: str) -> None:
    ran("name", fruit, "a1", "apples")
    ran("collect", fruit, "a1", "food / fruit")
    ran("collect", fruit, "b1", "food")
    assert "2 groups of food are in eatable" in ran("collect", fruit, "food", "eatable", "--rename")
    assert "b2 belongs to the group of a1, too" in ran("also", fruit, "b2", "a1")
    labels = pd.read_csv(ran_to(fruit, "--out", "groups.csv")).set_index("id")
    assert labels.loc["a3", "collection"] == "eatable / fruit"
    assert labels["also"].tolist()[4] == labels["group"].tolist()[0]
    ran("labels", fruit, "--copy-to", "sorted")
    a, b = labels.loc[["a1", "b1"], "group"]
    inner = Path("sorted/eatable/fruit") / f"{a} apples.csv"
    assert pd.read_csv(inner)["item"].tolist() == ["a1", "a2", "a3", "b2"]
    assert pd.read_csv(Path("sorted/eatable") / f"{b}.csv")["item"].tolist() == ["b1", "b2", "b3"]
    assert "it is noted, and counts when" in ran("also", fruit, "a2", "a1")
    assert "any more" in ran("also", fruit, "b2", "a2", "--remove")
    assert "nothing to do" in ran("also", fruit, "b2", "a2", "--remove")
    assert "in a collection 'food'" in complaint("collect", fruit, "food", "x", "--rename")
    ran("collect", fruit, "b1", "")
    assert json.loads(ran("status", fruit, "--json"))["collections"] == {str(a): "eatable / fruit"}


def ran_to(pile: str, option: str, target: str) -> str:
    ran("labels", pile, option, target)
    return target


def test_notes_travel_like_answers(fruit: str) -> None:
    ran("review", fruit, "a2", "--note", "ripe?", "--who", "Ada")
    assert "wrote 1 note " in ran("answers", fruit, "export", "notes.jsonl", "--as", "notes")
    ran("review", fruit, "a2", "--clear")
    assert "1 note taken in" in ran("answers", fruit, "import", "notes.jsonl")
    found = json.loads(ran("answers", fruit, "import", "notes.jsonl", "--json"))
    assert found == {"added": 0, "known": 1, "strangers": []}
    assert ran("review", fruit) == "a2: ripe? (Ada)\n"
