"""A language model answers: whatever its server does, nothing is lost and nothing paid twice."""

from __future__ import annotations

import base64
import io
import json
import signal
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from threading import Event
from typing import Any

import numpy as np
import pytest

import likewise as lw
from likewise.answerers import LanguageModel, TokenPrice
from likewise.answerers.chat_endpoint import KEY
from likewise.answerers.prompts import ItemPrompt, ItemPrompts, PairAsked, Prompt
from likewise.answerers.replies import answers_in
from likewise.errors import CostLimit, DataError, MethodError
from likewise.study.loop import Outcome
from likewise.testing import ChatServer, chat_server

FRUIT = ("apple", "pear", "plum", "cherry", "grape", "peach")
TOOLS = ("hammer", "saw", "drill", "pliers", "wrench", "chisel")
TEXTS = [f"a {word} number {k}" for k in range(3) for word in (*FRUIT, *TOOLS)]
TRUTH = [int(any(word in text for word in TOOLS)) for text in TEXTS]


def judge(one: str, other: str) -> str:
    kinds = [any(word in text for word in TOOLS) for text in (one, other)]
    return "same" if kinds[0] == kinds[1] else "different"


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ChatServer]:
    monkeypatch.delenv(KEY, raising=False)
    monkeypatch.setenv("LIKEWISE_CACHE", str(tmp_path / "cache"))
    with chat_server(judge) as served:
        yield served


def model_of(server: ChatServer, **settings: Any) -> LanguageModel:
    settings = {"model": "small", "send": True, "sleep": lambda seconds: None, **settings}
    return LanguageModel(base_url=server.address, **settings)


def study_of(**settings: Any) -> lw.Study:
    rng = np.random.default_rng(0)
    X = np.c_[TRUTH, rng.random(len(TRUTH))]
    return lw.Study(lw.Items.of(X, texts=TEXTS), method="random-items", **settings)


# --- answering -----------------------------------------------------------------------------------


def test_a_model_groups_a_pile_and_its_answers_are_signed(server: ChatServer) -> None:
    study = study_of()
    done = lw.answerers.answer(study, model_of(server, price=(1.0, 2.0)), budget=200)
    assert done.outcome is Outcome.NOTHING_LEFT
    assert lw.metrics.ari(TRUTH, study.labels_) == 1.0
    assert {one.who for one in study.answers} == {"small"}
    assert all(one.by_program for one in study.answers)
    paid = sum(TokenPrice(1.0, 2.0).cost(*tokens, 0) for tokens in server.tokens)
    assert sum(one.cost for one in study.answers) == pytest.approx(paid)
    assert done.tally.cost == pytest.approx(paid)
    assert done.tally.calls == len(server.tokens) < done.questions


def test_items_are_placed_among_the_groups_that_are_known(server: ChatServer) -> None:
    study = study_of()
    done = lw.answerers.answer(study, model_of(server), budget=80, kind="place")
    assert lw.metrics.ari(TRUTH, study.labels_) == 1.0
    assert done.questions < len(TEXTS) + 5
    assert any("To which group" in json.dumps(body) for body in server.bodies)


@pytest.mark.parametrize(
    "faults",
    [
        ["429", "500", "503"],
        ["half", "half"],
        ["nonsense", "", "nonsense"],
        ["shuffled"] * 3,
        ["broken"],
        ["refusal"],
        ["no schema"],
        ["silent"],
    ],
    ids=lambda faults: faults[0],
)
def test_whatever_goes_wrong_on_the_way_every_question_gets_its_own_answer(
    server: ChatServer, faults: list[str]
) -> None:
    server.faults = faults
    study = study_of()
    done = lw.answerers.answer(study, model_of(server, swapped=0.0), budget=30)
    assert done.outcome is Outcome.BUDGET_SPENT, done.reason
    assert done.questions == 30
    for one in study.answers:
        i, j = one.pair
        assert one.verdict.value == judge(TEXTS[i], TEXTS[j])
    # What was replied to in full and could be read is never asked again.
    replied = [pair for call in server.replied for pair in call]
    lost = Counter(map(frozenset, replied)) - Counter(set(map(frozenset, replied)))
    assert not lost


def test_a_slow_server_is_asked_again_and_the_lost_call_counts_in_full(server: ChatServer) -> None:
    server.faults, server.delay = ["slow"], 0.6
    study = study_of()
    model = model_of(server, timeout=0.2, price=(1.0, 1.0), swapped=0.0)
    done = lw.answerers.answer(study, model, budget=5)
    assert done.questions == 5
    told = sum(TokenPrice(1.0, 1.0).cost(*tokens, 0) for tokens in server.tokens[-1:])
    assert done.tally.cost > told  # nobody knows whether the first call was paid for


def test_a_refused_item_goes_to_a_person(server: ChatServer) -> None:
    server.judge = lambda one, other: "unsure" if "plum" in one + other else judge(one, other)
    study = study_of(n_clusters=2)
    done = lw.answerers.answer(study, model_of(server), budget=500)
    assert done.outcome is Outcome.NOTHING_LEFT
    assert done.unsure > 0
    question = study.ask()
    assert question is not None
    assert any("plum" in TEXTS[item] for item in question.pair)


def test_a_model_that_always_says_same_is_stopped(server: ChatServer) -> None:
    server.judge = lambda one, other: "same"
    rng = np.random.default_rng(0)
    X = rng.random((200, 2))
    texts = [f"text {k}" for k in range(200)]
    study = lw.Study(lw.Items.of(X, texts=texts), method="random")
    done = lw.answerers.answer(study, model_of(server), budget=190)
    assert done.outcome is Outcome.ORACLE_FAILED
    assert "has said 'same'" in done.reason
    assert len(study.answers) == done.questions < 190  # kept all the same


def test_both_orders_of_a_sample_are_asked_and_a_model_of_two_minds_is_unsure(
    server: ChatServer,
) -> None:
    server.judge = lambda one, other: "same" if one < other else "different"
    done = lw.answerers.answer(study_of(), model_of(server, swapped=1.0), budget=10)
    assert done.unsure == 10
    assert done.tally.swapped == done.tally.changed == 10


# --- money ---------------------------------------------------------------------------------------


def test_answers_that_were_paid_for_are_free_ever_after(server: ChatServer) -> None:
    first, again = study_of(), study_of()
    lw.answerers.answer(first, model_of(server, price=0.01), budget=30)
    n_calls = len(server.bodies)
    done = lw.answerers.answer(again, model_of(server, price=0.01), budget=30)
    assert len(server.bodies) == n_calls
    assert done.tally.remembered == 30
    assert done.tally.cost == 0.0
    assert [one.verdict for one in again.answers] == [one.verdict for one in first.answers]


@pytest.mark.parametrize("change", ["instructions", "model", "contents"])
def test_another_question_is_not_taken_for_the_one_that_was_answered(
    server: ChatServer, change: str
) -> None:
    lw.answerers.answer(study_of(), model_of(server), budget=5)
    settings = {"instructions": {"instructions": "by colour"}, "model": {"model": "large"}}
    study = study_of()
    if change == "contents":
        X = np.asarray(study.items.features)
        items = lw.Items.of(X, texts=[text + "!" for text in TEXTS], scaling="none")
        study = lw.Study(items, method="random-items")
    done = lw.answerers.answer(study, model_of(server, **settings.get(change, {})), budget=5)
    assert done.tally.remembered == 0


@pytest.mark.parametrize("price", [0.02, (20.0, 50.0)], ids=["answers", "tokens"])
def test_a_budget_is_never_exceeded_whatever_the_server_does(
    server: ChatServer, price: float | tuple[float, float], seed: int
) -> None:
    rng = np.random.default_rng(seed)
    kinds = ["", "half", "nonsense", "broken", "429", "silent", "refusal"]
    server.faults = rng.choice(kinds, 400).tolist()
    study, limit = study_of(), 0.2
    model = model_of(server, price=price, budget=lw.Money(limit), questions_per_call=5)
    for _ in range(6):  # also when it is tried again and again
        done = lw.answerers.answer(study, model, budget=400)
        if done.outcome is Outcome.COST_LIMIT:
            break
    if isinstance(price, tuple):
        paid = sum(TokenPrice.of(price).cost(*tokens, 0) for tokens in server.tokens)
        assert paid <= limit
    assert sum(one.cost for one in study.answers) <= limit + 1e-9
    assert done.outcome in (Outcome.COST_LIMIT, Outcome.NOTHING_LEFT, Outcome.ORACLE_FAILED)


def test_what_is_left_of_the_money_is_spent_in_smaller_calls(server: ChatServer) -> None:
    model = model_of(server, price=0.01, budget=lw.Money(0.13), questions_per_call=10, swapped=0.0)
    done = lw.answerers.answer(study_of(), model, budget=400)
    assert done.outcome is Outcome.COST_LIMIT
    assert (done.questions, done.tally.calls) == (13, 3)  # ten, two of five, one of two
    assert done.reason == "the next call may cost up to 0.01, and of 0.13 there are 0 left; " + (
        "allow more to go on"
    )


def test_a_dry_run_sends_nothing_and_is_about_right(server: ChatServer) -> None:
    model = model_of(server, price=(1.0, 2.0), send=False, swapped=0.0)
    guess = lw.answerers.estimate(study_of(), model, budget=60)
    assert not server.bodies
    done = lw.answerers.answer(
        study_of(), model_of(server, price=(1.0, 2.0), swapped=0.0), budget=60
    )
    assert guess.questions == 60
    assert abs(guess.calls - done.tally.calls) <= 2
    assert done.tally.cost / 2 < guess.cost < 2 * done.tally.cost
    assert done.tally.cost < guess.most


def test_a_run_with_several_answerers_may_have_a_model_among_them(server: ChatServer) -> None:
    items = study_of().items
    people: list[Any] = [
        lw.answerers.Simulated("expert", TRUTH, error=0.0, price=1.0),
        model_of(server, price=0.01),
    ]
    run = lw.run(items, answerers=people, budget=lw.Money(1.3), method="random-items")
    table = run.study.answerers_.set_index("who")
    assert table.cost.sum() <= 1.3
    assert table.answers["small"] > table.answers["expert"]


def test_a_model_may_be_the_only_oracle(server: ChatServer) -> None:
    run = lw.run(study_of().items, model_of(server), budget=20, batch=10, method="random-items")
    assert {one.who for one in run.study.answers} == {"small"}
    assert len(server.bodies) <= 6


# --- a program that is killed --------------------------------------------------------------------


_PROGRAM = """
import sys, json, numpy as np, likewise as lw
address, store, texts = sys.argv[1], sys.argv[2], json.loads(sys.argv[3])
X = np.random.default_rng(0).random((len(texts), 2))
study = lw.Study(lw.Items.of(X, texts=texts), method="random", store=store)
model = lw.answerers.LanguageModel(
    base_url=address, model="small", send=True, price=(10.0, 10.0), budget=lw.Money(1.0),
    swapped=0.3, questions_per_call=10,
)
lw.answerers.answer(study, model, budget=60)
"""


def test_killed_in_the_middle_it_goes_on_and_nothing_is_paid_twice(
    server: ChatServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = tmp_path / "s.jsonl"
    command = [sys.executable, "-c", _PROGRAM, server.address, str(store), json.dumps(TEXTS)]
    usual, killed = server.judge, Event()

    def judged(one: str, other: str) -> str:
        if len(server.bodies) == 4 and not killed.is_set():
            killed.set()
            program.kill()  # while its call is under way
        return usual(one, other)

    server.judge = judged
    program = subprocess.Popen(command)
    assert program.wait(120) == -signal.SIGKILL
    kept = store.read_text().count('"answered"')
    assert kept >= 10
    lost = server.replied.pop()  # nobody heard this reply; it may be asked for again
    assert lost
    monkeypatch.setattr(sys, "argv", command[2:])
    exec(_PROGRAM, {})
    assert store.read_text().count('"answered"') > kept
    orders = [pair for call in server.replied for pair in call]
    assert len(orders) == len(set(orders))  # in no order was any pair asked twice
    with sqlite3.connect(tmp_path / "cache" / "answers.db") as database:
        in_ledger = database.execute("SELECT TOTAL(cost) FROM calls").fetchone()[0]
    paid = sum(TokenPrice(10.0, 10.0).cost(*tokens, 0) for tokens in server.tokens)
    assert paid <= in_ledger + 1e-9  # the call that was lost is in it


# --- what is sent, and what is not ---------------------------------------------------------------


def test_nothing_is_sent_unless_it_is_allowed(server: ChatServer) -> None:
    done = lw.answerers.answer(study_of(), model_of(server, send=False), budget=5)
    assert "allow it with --send" in done.reason
    assert not server.bodies


def test_what_is_sent_is_said_before_it_is(
    server: ChatServer, caplog: pytest.LogCaptureFixture
) -> None:
    lw.answerers.answer(study_of(), model_of(server), budget=5)
    (said,) = [record.getMessage() for record in caplog.records if "are sent" in record.message]
    assert "texts" in said
    assert "127.0.0.1" in said


def test_the_key_is_in_the_header_and_nowhere_else(
    server: ChatServer,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    caplog.set_level("DEBUG")
    monkeypatch.setenv(KEY, "sk-very-secret")
    server.faults = ["500", "401"]
    study = study_of(store=tmp_path / "s.jsonl")
    model = model_of(server)
    done = lw.answerers.answer(study, model, budget=5)
    assert f"valid key into the environment variable {KEY}" in done.reason
    lw.answerers.answer(study, model, budget=5)
    assert server.keys[0] == "Bearer sk-very-secret"
    written = [path for path in tmp_path.rglob("*") if path.is_file()]
    assert written
    assert not any(b"sk-very-secret" in path.read_bytes() for path in written)
    assert "sk-very-secret" not in caplog.text + repr(model) + done.reason


def test_the_cache_holds_no_item_and_no_instruction(server: ChatServer, tmp_path: Path) -> None:
    lw.answerers.answer(study_of(), model_of(server, instructions="by purpose"), budget=5)
    kept = (tmp_path / "cache" / "answers.db").read_bytes()
    assert b"apple" not in kept
    assert b"purpose" not in kept


def test_pictures_are_reduced_and_rows_are_read() -> None:
    from PIL import Image

    pixels = np.zeros((400, 800, 3), dtype=np.uint8)
    items = lw.Items.of(np.eye(3), pictures=[pixels] * 3, texts=["one", "two", "three"])
    card = ItemPrompts(items, 64)[0]
    assert card.text == "one"
    head, _, content = card.picture.partition(",")
    assert head == "data:image/jpeg;base64"
    with Image.open(io.BytesIO(base64.b64decode(content))) as image:
        assert max(image.size) == 64
    prompt = Prompt.of([PairAsked(card, ItemPrompt("row: 1"))], "by size")
    kinds = [part["type"] for part in prompt.messages[1]["content"]]
    assert kinds == ["text", "image_url", "text", "text"]
    assert "by size" in prompt.messages[0]["content"]


def test_items_that_are_numbers_alone_cannot_be_shown(server: ChatServer) -> None:
    with pytest.raises(DataError, match="numbers only"):
        lw.answerers.answer(lw.Study(np.eye(4)), model_of(server), budget=3)


# --- bad input -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"base_url": "localhost:11434"}, "needs the address of its server"),
        ({"base_url": ""}, "needs the address of its server"),
        ({"base_url": "https://me:secret@host/v1"}, "no password"),
        ({"model": ""}, "needs the name"),
        ({"questions_per_call": 0}, "at least 1"),
        ({"swapped": 2.0}, "between 0 and 1"),
        ({"timeout": 0.0}, "above 0"),
        ({"picture_size": 4}, "between 16 and 2048"),
        ({"price": -1.0}, "at least 0"),
        ({"price": (1.0,)}, "two per million"),
        ({"price": "cheap"}, "two per million"),
        ({"budget": lw.Money(1.0)}, "needs a price"),
    ],
)
def test_a_setting_that_cannot_be_is_refused(settings: dict[str, Any], sentence: str) -> None:
    sound: dict[str, Any] = {"base_url": "http://localhost:1/v1", "model": "small"}
    with pytest.raises((DataError, MethodError), match=sentence):
        LanguageModel(**{**sound, **settings})


@pytest.mark.parametrize(
    ("faults", "sentence"),
    [
        (["404"], "'small' is one of its models"),
        (["400"], "'small' is one of its models"),
        (["403"], "valid key"),
        (["500"] * 6, "6 times; the answers so far are kept"),
        (["nonsense"] * 3, "check that 'small' is a chat model"),
    ],
    ids=["unknown model", "bad request", "no key", "always failing", "no chat model"],
)
def test_a_server_that_does_not_answer_is_a_sentence_and_answers_are_kept(
    server: ChatServer, faults: list[str], sentence: str
) -> None:
    study = study_of()
    model = model_of(server, questions_per_call=4, swapped=0.0)
    server.faults = ["", *faults]
    done = lw.answerers.answer(study, model, budget=20)
    assert sentence in done.reason
    assert done.failed
    assert study.n_answers == 4


def test_no_server_at_all_is_a_sentence() -> None:
    model = LanguageModel(
        base_url="http://127.0.0.1:9/v1", model="x", send=True, sleep=lambda seconds: None
    )
    assert "could not be reached" in lw.answerers.answer(study_of(), model, budget=5).reason


def test_a_key_never_crosses_the_network_unencrypted(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(KEY, "sk-very-secret")
    model = LanguageModel(base_url="http://192.0.2.1/v1", model="x", send=True)
    assert "unencrypted" in lw.answerers.answer(study_of(), model, budget=5).reason


def test_the_ledger_refuses_what_could_exceed_its_limit() -> None:
    ledger = lw.answerers.Ledger(sqlite3.connect(":memory:"), "s", "m", limit=1.0)
    ledger.reserve(0.7)
    with pytest.raises(CostLimit, match=r"0\.3 left"):
        ledger.reserve(0.4)


@pytest.mark.parametrize(
    "text",
    ["", "sorry", "[]", "[1, 2]", '{"answers": 3}', '{"answers": [[]]}', "{" * 5000, "null"],
)
def test_nonsense_holds_no_answers(text: str) -> None:
    assert answers_in(text, {"q1": PairAsked(ItemPrompt("a"), ItemPrompt("b"))}) == {}


def test_what_is_answered_in_two_ways_or_was_not_asked_is_left_out() -> None:
    asked = {f"q{k}": PairAsked(ItemPrompt("a"), ItemPrompt("b")) for k in range(1, 5)}
    said = [("q1", "same"), ("q1", "different"), ("q9", "same"), ("q2", "perhaps"), ("q3", "SAME ")]
    text = json.dumps({"answers": [{"id": name, "answer": word} for name, word in said]})
    assert answers_in(f"```json\n{text}\n```", asked) == {"q3": "same"}
