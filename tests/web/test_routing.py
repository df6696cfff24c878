"""Who of several people gets what: by what answers cost, and how often they are wrong."""

from __future__ import annotations

from pathlib import Path

import pytest
from typer.testing import CliRunner

from likewise.beliefs import Beliefs, Doubts
from likewise.cli.app import app
from likewise.errors import MethodError
from likewise.journal.pairs import Answer, AnswerDraft, Pair, Question, Verdict
from likewise.study import Study
from likewise.web.dispatcher import Dispatcher
from likewise.web.people.checks import WORTH_IT
from likewise.web.people.routing import Routing
from web.conftest import Open, ask, grown, pile, tell


def test_hard_questions_go_to_whoever_costs_more() -> None:
    study = Study(pile()[0])
    dispatcher = Dispatcher(study, prices={"expert": 1.0, "Bob": 0.01}, lease_seconds=60)
    likely = [0.97, 0.5, 0.9, 0.6, 0.02]
    ready = [Question(Pair(2 * k, 2 * k + 1), p) for k, p in enumerate(likely)]
    for who in ("expert", "Bob"):
        dispatcher.offer(who)  # both are there
    dispatcher.refill(0, ready)
    taken = {who: dispatcher.offer(who) for who in ("expert", "Bob", "stranger")}
    assert taken == {"expert": ready[1], "Bob": ready[4], "stranger": ready[0]}
    (kept,) = dispatcher.record([_draft(ready[1], "expert")])
    assert isinstance(kept, Answer)
    assert (kept.cost, kept.same_probability) == (1.0, 0.5)


def _draft(question: Question, who: str) -> AnswerDraft:
    return AnswerDraft(question.pair, Verdict.SAME, who=who, client_id=f"{who}-{question.pair}")


def test_without_prices_questions_come_as_they_were_chosen() -> None:
    routing = Routing({})
    routing.present = {"Ada", "Bob"}
    ready = [Question(Pair(0, 1), 0.5), Question(Pair(2, 3), 0.9), Question(Pair(4, 5), 0.6)]
    assert routing.in_order("Ada", ready) == ready
    assert routing.settles("Ada", 1)


def test_whoever_is_dear_decides_what_two_have_left_open() -> None:
    routing = Routing({"expert": 1.0})
    routing.present = {"expert", "Ada", "Bob"}
    assert [routing.settles("expert", n) for n in (1, 2)] == [False, True]
    assert [routing.settles("Bob", n) for n in (1, 2)] == [True, False]
    routing.present = {"Ada", "Bob"}  # without him they go on
    assert routing.settles("Bob", 2)


def test_whoever_is_often_wrong_settles_nothing_while_others_are_there() -> None:
    said = [
        Answer(3 * k + n, Pair(2 * k, 2 * k + 1), verdict, who=who)
        for k in range(20)
        for n, (who, verdict) in enumerate(
            [
                ("Ada", Verdict.SAME),
                ("Bob", Verdict.SAME),
                ("troll", Verdict.SAME if k % 2 else Verdict.DIFFERENT),
            ]
        )
    ]
    routing = Routing({})
    routing.follow(Doubts(Beliefs.of(said), cautious=False))
    routing.present = {"Ada", "troll"}
    assert routing.settles("Ada", 2)
    assert not routing.settles("troll", 2)
    routing.present = {"troll"}
    assert routing.settles("troll", 2)


def test_the_expert_is_asked_about_a_dispute_of_the_cheap_and_the_money_adds_up(
    opened: Open,
) -> None:
    study, truth = grown(24, who="Ada")
    for one in study.answers[:8]:
        study.tell(one.pair, one.verdict, who="Bob")
    slip = study.answers[20]
    wrong = "same" if slip.verdict is Verdict.DIFFERENT else "different"
    study.tell(slip.pair, wrong, who="Bob")  # type: ignore[call-overload]
    client = opened(study, overlap=WORTH_IT, prices={"expert": 2.5})
    assert ask(client, "Cem") is not None  # somebody cheap is there, too
    asked = []
    for _ in range(8):
        question = ask(client, "expert")
        assert question is not None
        i, j = question["pair"]
        asked.append(Pair(i, j).unordered)
        said = "same" if truth[i] == truth[j] else "different"
        assert tell(client, question["id"], said, who="expert").status_code == 201
    assert slip.pair.unordered in asked
    people = {one["name"]: one for one in client.get("/api/people").json()["people"]}
    assert people["expert"]["errors"]["cost"] == 8 * 2.5
    assert people["Ada"]["errors"]["cost"] == 0.0


def test_a_placement_is_paid_once(opened: Open) -> None:
    study, _ = grown(12, who="Ada")
    client = opened(study, prices={"Ada": 0.5})
    placed = study.constraints.placed()
    item = int((~placed).nonzero()[0][0])
    reply = client.post("/api/placements", json={"item": item, "group": "new", "annotator": "Ada"})
    assert reply.status_code == 201
    assert sum(answer.cost for answer in study.answers) == 0.5


@pytest.mark.parametrize("price", [-1.0, float("inf"), float("nan")])
def test_a_price_that_is_none_is_refused(price: float) -> None:
    with pytest.raises(MethodError, match="what an answer of Ada costs is at least 0"):
        Routing({"Ada": price})


@pytest.mark.parametrize("typed", ["Ada", "Ada:", ":1", "Ada:free", "Ada:-1", "Ada:inf"])
def test_a_price_that_cannot_be_read_is_one_sentence(tmp_path: Path, typed: str) -> None:
    table = tmp_path / "table.csv"
    table.write_text("name,size\n" + "".join(f"n{k},{k % 4}\n" for k in range(12)))
    done = CliRunner().invoke(app, ["serve", str(table), "--paid", typed])
    assert done.exit_code == 2
    assert f"--paid is a name and a price, like Ada:0.50, not {typed!r}" in " ".join(
        done.output.split()
    )
    assert len(list(tmp_path.iterdir())) == 1  # nothing was begun
