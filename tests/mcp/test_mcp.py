"""Agents in a study: the protocol, what they may do, and a program started as they start it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import likewise as lw
from likewise.errors import AnswerError
from likewise.mcp import Rights, StudyTools, ToolServer

TEXTS = [f"a {kind} number {k}" for k in range(6) for kind in ("plum", "saw")]


def study(**more: Any) -> lw.Study:
    X = np.c_[np.arange(12) % 2 * 5.0, np.random.default_rng(0).random(12)]
    return lw.Study(lw.Items.of(X, texts=TEXTS), method="random-items", **more)


class Agent:
    """Somebody who speaks the protocol."""

    def __init__(self, study: lw.Study, **rights: Any) -> None:
        self.server = ToolServer(StudyTools(study, Rights(**rights)).tools(), "be careful")

    def send(self, method: str, **params: Any) -> dict[str, Any]:
        message = {"jsonrpc": "2.0", "id": 7, "method": method, "params": params}
        reply = self.server.reply(json.dumps(message))
        assert reply is not None
        found: dict[str, Any] = json.loads(reply)
        assert (found["jsonrpc"], found["id"]) == ("2.0", 7)
        return found

    def call(self, tool: str, **arguments: Any) -> tuple[bool, Any]:
        result = self.send("tools/call", name=tool, arguments=arguments)["result"]
        said = result["content"][0]["text"]
        return result["isError"], said if result["isError"] else json.loads(said)


def test_an_agent_groups_a_pile_within_its_budget() -> None:
    served = study()
    agent = Agent(served, who="bot", budget=8)
    given = 0
    while True:
        _, found = agent.call("ask", n=3)
        for question in found["questions"]:
            one, other = (item["text"].split()[1] for item in question["items"])
            verdict = "same" if one == other else "different"
            failed, said = agent.call("answer", question=question["question"], verdict=verdict)
            if failed:
                assert said == "all 8 answers that you may give are given"
                assert given == served.n_answers == 8
                assert {a.who for a in served.answers} == {"bot"}
                assert all(a.by_program for a in served.answers)
                assert agent.call("status")[1]["answers_left"] == 0
                # Taken back, they are still given; so are they for another session.
                agent.call("take_back", answer=0)
                assert agent.call("status")[1]["answers_left"] == 0
                assert StudyTools(served, Rights("bot", budget=8)).n_given == 8
                return
            given += 1


def test_groups_are_read_with_members_and_names() -> None:
    served = study()
    served.tell((0, 2), "same", who="Ada")
    served.name(0, "fruit")
    agent = Agent(served, may_answer=False)
    _, found = agent.call("groups")
    assert sum(group["size"] for group in found["groups"]) == 12
    (named,) = [group for group in found["groups"] if group["name"] == "fruit"]
    _, members = agent.call("group", group=named["group"], limit=2)
    assert len(members["members"]) == 2
    assert members["of"] == named["size"]
    assert members["members"][0]["text"] in TEXTS
    assert agent.call("group", group=99) == (
        True,
        "there is no group 99; `groups` lists those there are",
    )


def test_who_may_only_look_cannot_answer() -> None:
    agent = Agent(study(), may_answer=False)
    names = [tool["name"] for tool in agent.send("tools/list")["result"]["tools"]]
    assert names == ["status", "groups", "group", "ask"]
    refused = agent.send("tools/call", name="answer", arguments={})["error"]
    assert refused["code"] == -32602
    assert "there is no tool 'answer'; there are status, groups" in refused["message"]


def test_an_agent_takes_back_its_own_answers_only() -> None:
    served = study()
    served.tell((0, 1), "different", who="Ada")
    agent = Agent(served, who="bot")
    assert agent.call("take_back", answer=0) == (True, "answer 0 is not yours")
    _, found = agent.call("ask")
    question = found["questions"][0]["question"]
    _, kept = agent.call("answer", question=question, verdict="unsure")
    again = agent.call("answer", question=question, verdict="same")
    assert again == (True, "you have answered this question already; take it back to change it")
    assert agent.call("take_back", answer=kept["answer"])[0] is False
    assert served.n_answers == 1


def test_an_agent_marks_what_a_person_should_look_at() -> None:
    served = study()
    agent = Agent(served, who="bot")
    assert agent.call("needs_review", item=1, note="odd") == (False, {"item": 1, "to_review": 1})
    assert (served.reviews[1].note, served.reviews[1].who) == ("odd", "bot")
    assert agent.call("status")[1]["to_review"] == 1
    assert served.n_answers == 0


def test_what_others_answered_meanwhile_is_taken_in(tmp_path: Path) -> None:
    here = study(store=tmp_path / "s.db")
    agent = Agent(here)
    other = study(store=tmp_path / "s.db")
    other.tell((0, 1), "different", who="Ada")
    assert agent.call("status")[1]["answers"] == 1
    here.close()
    other.close()


def test_pictures_come_with_the_questions() -> None:
    shades = [np.full((8, 8), 20 * k, dtype=np.uint8) for k in range(6)]
    served = lw.Study(lw.Items.of(np.arange(6.0)[:, None], pictures=shades), method="random-items")
    content = Agent(served).send("tools/call", name="ask", arguments={"n": 1})["result"]["content"]
    assert [part["type"] for part in content] == ["text", "text", "image", "text", "image"]
    assert content[2]["mimeType"].startswith("image/")


@pytest.mark.parametrize(
    ("tool", "arguments", "problem"),
    [
        ("ask", {"n": 0}, "n must lie between 1 and 20 but got 0"),
        ("ask", {"n": "many"}, "n must be a number from 0 on but got 'many'"),
        ("answer", {"question": "x", "verdict": "same"}, "'x' is no question that was asked"),
        ("answer", {"verdict": "same"}, "None is no question that was asked"),
        ("group", {}, "group must be a number from 0 on but got None"),
        ("take_back", {"answer": 5}, "there is no answer 5 to take back"),
        ("needs_review", {"item": 99}, "an item must lie between 0 and"),
        ("needs_review", {"item": 1, "note": 5}, "note must be a text but got 5"),
    ],
)
def test_bad_arguments_are_told_in_a_sentence(
    tool: str, arguments: dict[str, Any], problem: str
) -> None:
    failed, said = Agent(study()).call(tool, **arguments)
    assert failed
    assert problem in said


def test_a_wrong_verdict_is_refused() -> None:
    agent = Agent(study())
    question = agent.call("ask")[1]["questions"][0]["question"]
    failed, said = agent.call("answer", question=question, verdict="maybe")
    assert failed
    assert "'same', 'different' or 'unsure'" in said


def test_the_protocol_is_spoken() -> None:
    agent = Agent(study())
    hello = agent.send("initialize", protocolVersion="2024-11-05", capabilities={})["result"]
    assert hello["protocolVersion"] == "2024-11-05"
    assert hello["serverInfo"]["name"] == "likewise"
    assert hello["instructions"] == "be careful"
    later = agent.send("initialize", protocolVersion="2099-01-01")["result"]
    assert later["protocolVersion"] == "2025-06-18"
    server = agent.server
    assert server.reply('{"jsonrpc": "2.0", "method": "notifications/initialized"}') is None
    assert agent.send("resources/list")["error"]["code"] == -32601
    assert agent.send("tools/call", name="ask", arguments={"m": 1})["error"]["code"] == -32602
    for line, code in (("{", -32700), ("[]", -32600), ('{"id": 1}', -32600)):
        reply = server.reply(line)
        assert reply is not None
        assert json.loads(reply)["error"]["code"] == code
    bad = server.reply('{"id": 1, "method": "ping", "params": [1]}')
    assert bad is not None
    assert json.loads(bad)["error"]["code"] == -32602


def test_rights_are_checked() -> None:
    with pytest.raises(AnswerError, match="budget must be at least 1 answer but got 0"):
        Rights(budget=0)
    with pytest.raises(AnswerError, match="an agent needs a name"):
        Rights(who=" ")


def test_a_program_starts_it_and_nothing_comes_between_the_messages(tmp_path: Path) -> None:
    table = tmp_path / "things.csv"
    table.write_text("name,size\n" + "".join(f"n{k},{k % 4}\n" for k in range(12)))
    messages = [
        {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": {}},
        {"jsonrpc": "2.0", "method": "notifications/initialized"},
        {"jsonrpc": "2.0", "id": 2, "method": "tools/call", "params": {"name": "ask"}},
    ]
    done = subprocess.run(
        [sys.executable, "-m", "likewise", "mcp", "things.csv", "--method", "random-items"],
        input="".join(json.dumps(one) + "\n" for one in messages),
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=240,
        check=True,
    )
    replies = [json.loads(line) for line in done.stdout.splitlines()]
    assert [reply["id"] for reply in replies] == [1, 2]
    assert json.loads(replies[1]["result"]["content"][0]["text"])["questions"]
    assert "goes to its model" in done.stderr
