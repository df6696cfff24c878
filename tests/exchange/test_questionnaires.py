"""A questionnaire in one file: what it holds, and what comes of the reply."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from typer.testing import CliRunner

import likewise as lw
from likewise.cli.app import app
from likewise.errors import DataError, MethodError
from likewise.exchange import import_answers
from likewise.report import questionnaire

TEXTS = [f"text {k} </script><b>{k % 2}</b>" for k in range(20)]


def study_of(texts: list[str] = TEXTS) -> lw.Study:
    X = np.random.default_rng(0).random((len(texts), 2))
    return lw.Study(lw.Items.of(X, texts=texts), method="random-items")


def data_in(html: str) -> dict[str, Any]:
    found = re.search(r'<script type="application/json" id="data">(.*?)</script>', html, re.DOTALL)
    assert found is not None
    data: dict[str, Any] = json.loads(found[1])
    return data


def reply_to(html: str, verdict: str = "same", who: str = "Bob") -> dict[str, Any]:
    data = data_in(html)
    when = [f"2026-01-01T10:00:{k:02d}Z" for k in range(len(data["questions"]))]
    answers = [
        {"question": one["id"], "verdict": verdict, "seconds": 1.5, "when": when[k]}
        for k, one in enumerate(data["questions"])
    ]
    return {"questionnaire": 1, "study": data["study"], "who": who, "answers": answers}


def kept(tmp_path: Path, reply: Any) -> Path:
    path = tmp_path / "answers-Bob.json"
    path.write_text(json.dumps(reply))
    return path


def test_a_reply_is_taken_in_once_under_the_name_of_whoever_gave_it(tmp_path: Path) -> None:
    study = study_of()
    path = kept(tmp_path, reply_to(questionnaire(study, n=6), "different"))
    first, again = import_answers(study, path), import_answers(study, path)
    assert len(first.added) == again.known == 6
    assert not again.added
    assert {(one.who, one.seconds) for one in study.answers} == {("Bob", 1.5)}


def test_one_question_in_five_checks_what_others_have_said(tmp_path: Path) -> None:
    study = study_of()
    for k in range(10):
        study.tell((k, k + 10), "same", who="Ada")
    asked = data_in(questionnaire(study, n=10, who="Bob"))["questions"]
    known = {one.pair.unordered for one in study.answers}
    pairs = [lw.Pair(*map(int, one["items"])).unordered for one in asked]
    assert sum(pair in known for pair in pairs) == 2
    mine = data_in(questionnaire(study, n=10, who="Ada"))
    assert mine["who"] == "Ada"
    assert not any(lw.Pair(*map(int, one["items"])).unordered in known for one in mine["questions"])


def test_nothing_of_the_pile_is_html_and_nothing_is_loaded() -> None:
    html = questionnaire(study_of(), "<i>Which?</i>", n=5)
    assert "<b>" not in html
    assert "&lt;i&gt;Which?" in html
    assert html.count("</script>") == 2
    assert "http://" not in html
    assert "https://" not in html
    assert "default-src 'none'" in html


def test_pictures_are_inside_the_file() -> None:
    pixels = np.zeros((30, 40, 3), dtype=np.uint8)
    items = lw.Items.of(np.random.default_rng(0).random((6, 2)), pictures=[pixels] * 6)
    shown = data_in(questionnaire(lw.Study(items, method="random"), n=2))["items"]
    assert all(one["picture"].startswith("data:image/") for one in shown.values())


def test_an_answer_about_an_item_that_has_changed_is_left_out(tmp_path: Path) -> None:
    study = study_of()
    reply = reply_to(questionnaire(study, n=4))
    first = reply["answers"][0]
    first["question"] = first["question"][:-1] + ("0" if first["question"][-1] != "0" else "1")
    result = import_answers(study, kept(tmp_path, reply))
    assert len(result.added) == 3
    assert "an item that has changed since" in result.strangers


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            {"study": "x", "answers": [{"question": "x.0-1.1-2", "verdict": "same"}]},
            "another study",
        ),
        ({"answers": None}, "no list of answers"),
        ({"answers": [3]}, "must name its question"),
        ({"answers": [{"question": "x", "verdict": "same"}]}, "there is no question 'x'"),
        ({"questionnaire": 2}, "newer likewise"),
    ],
)
def test_a_reply_that_cannot_be_used_is_one_sentence_and_nothing_is_taken_in(
    tmp_path: Path, change: dict[str, Any], sentence: str
) -> None:
    study = study_of()
    reply = {**reply_to(questionnaire(study, n=3)), **change}
    with pytest.raises(DataError, match=sentence):
        import_answers(study, kept(tmp_path, reply))
    assert study.n_answers == 0


def test_an_unknown_verdict_is_one_sentence(tmp_path: Path) -> None:
    study = study_of()
    with pytest.raises(DataError, match="answer 1"):
        import_answers(study, kept(tmp_path, reply_to(questionnaire(study, n=3), "maybe")))


def test_there_is_none_where_nothing_is_left_to_ask() -> None:
    study = lw.Study([[0.0], [1.0]])
    study.tell((0, 1), "same", who="Ada")
    with pytest.raises(DataError, match="nothing is left"):
        questionnaire(study, who="Ada")
    with pytest.raises(MethodError, match="at least 1"):
        questionnaire(study_of(), n=0)


def test_the_command_writes_one_and_reads_the_reply(tmp_path: Path) -> None:
    pile = tmp_path / "notes.txt"
    pile.write_text("\n".join(f"a note about {w} {k}" for k in range(6) for w in ("tea", "tax")))
    run = CliRunner().invoke

    def typed(*words: str) -> list[str]:
        return [words[0], str(pile), *words[1:]]

    # Nobody has answered yet: what the colleague says may be the first that is known.
    page = tmp_path / "for-bob.html"
    wrote = run(app, typed("answers", "export", str(page), "--questions", "5", "--who", "Bob"))
    assert wrote.exit_code == 0, wrote.output
    reply = kept(tmp_path, reply_to(page.read_text(encoding="utf-8")))
    taken = run(app, typed("answers", "import", str(reply)))
    assert taken.exit_code == 0, taken.output
    assert taken.output.startswith("5 answers taken in")
    wrong = run(app, typed("answers", "export", str(tmp_path / "q.csv"), "--as", "questionnaire"))
    assert wrong.exit_code == 2
    assert "written to .html" in wrong.output
