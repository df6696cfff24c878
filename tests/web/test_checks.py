"""Second opinions where they are worth it, and known answers by which people are checked."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from likewise.errors import DataError
from likewise.exchange import import_gold
from likewise.journal.pairs import PROGRAM, Pair, Verdict
from likewise.quality.advice import advise
from likewise.quality.unsettled import Unsettled
from likewise.study import Study
from likewise.web.people.checks import WORTH_IT, Checks
from likewise.web.people.opinions import Opinions
from likewise.web.people.routing import Routing
from web.conftest import Open, ask, grown, pile, tell


def verdict_of(truth: Any, pair: Any) -> str:
    i, j = pair
    return "same" if truth[i] == truth[j] else "different"


def gold_file(folder: Path, truth: Any, n: int = 6) -> Path:
    pairs = [(k, k + 1) for k in range(n)]
    lines = [f"photo-{i:02}.png,photo-{j:02}.png,{verdict_of(truth, (i, j))}" for i, j in pairs]
    path = folder / "gold.csv"
    path.write_text("\n".join(["item,other,verdict", *lines]))
    return path


def test_known_answers_are_mixed_in_and_never_revealed(opened: Open, tmp_path: Path) -> None:
    items, truth = pile()
    study = Study(items, method="random-items")
    taken = import_gold(study, gold_file(tmp_path, truth))
    assert (len(taken.added), taken.known) == (6, 0)
    assert import_gold(study, gold_file(tmp_path, truth)).known == 6  # they are there once
    known = {answer.pair.unordered for answer in study.answers}
    client = opened(study, gold_every=3)
    seen = 0
    for _ in range(12):
        question = ask(client, "Ada")
        assert question is not None
        is_gold = Pair(*question["pair"]).unordered in known
        seen += is_gold
        assert question.keys() == {**question}.keys()
        said = verdict_of(truth, question["pair"])
        if is_gold:  # she is wrong about all of these, and hears nothing of it
            said = "same" if said == "different" else "different"
        reply = tell(client, question["id"], said).json()
        assert not (is_gold and reply["disputed"])
        assert "gold" not in str(reply)
    assert seen == 4
    found = client.get("/api/people").json()
    (ada,) = found["people"]  # who gave the known answers is nobody
    assert found["gold"] == 6
    assert (ada["errors"]["gold"], ada["errors"]["gold_right"]) == (4, 0.0)
    assert ada["errors"]["high"] > 0.4
    # What is known to be right is believed.
    assert all(
        study.constraints.implied(*answer.pair) is answer.verdict
        for answer in study.answers
        if answer.is_gold
    )


def test_a_known_answer_comes_once_in_so_many_questions() -> None:
    checks = Checks(overlap=1, gold_every=4, routing=Routing({}))
    study = Study(pile()[0])
    for k in range(8):
        study.tell((k, k + 1), "same", client_id=f"program:gold:{k}", who="gold")
    checks.follow(study, 0)
    said = Opinions.of(study.answers)
    at = []
    for turn in range(24):
        offered = next(checks.pairs_for("Ada", said, 0), None)
        if offered is not None:
            at.append(turn)
            assert checks.is_wanted(offered, "Ada", said)
        pair = offered or Pair(20, 100 + turn)
        said.add(pair, "Ada", Verdict.SAME)
    assert len(at) == 6
    assert {turn // 4 for turn in at} == set(range(6))
    assert len({turn % 4 for turn in at}) > 1  # nobody can count to four


def test_known_answers_are_no_second_opinions() -> None:
    study = Study(pile()[0])
    for k in range(3):
        study.tell((k, k + 1), "same", client_id=f"program:gold:{k}", who="gold")
    study.tell((10, 11), "same", who="Bob")
    said = Opinions.of(study.answers)
    said.add(Pair(20, 21), "Ada", Verdict.SAME)
    for overlap in (WORTH_IT, 2):
        checks = Checks(overlap=overlap, gold_every=1000, routing=Routing({}))
        checks.follow(study, 0)
        said.add(Pair(20, 22), "Ada", Verdict.SAME)  # every other question
        assert Pair(10, 11) in list(checks.pairs_for("Ada", said, 0))
        assert not any(map(checks.is_gold, checks.pairs_for("Ada", said, 0)))


@given(
    st.lists(
        st.tuples(st.integers(0, 3), st.integers(4, 6), st.sampled_from("abc"), st.booleans()),
        max_size=30,
    )
)
def test_opinions_are_counted_as_if_all_were_looked_at(
    told: list[tuple[int, int, str, bool]],
) -> None:
    said, by_pair = Opinions(), dict[Pair, dict[str, Verdict]]()
    for i, j, who, same in told:
        verdict = Verdict.SAME if same else Verdict.DIFFERENT
        said.add(Pair(j, i), who, verdict)
        by_pair.setdefault(Pair(i, j), {})[who] = verdict
    assert dict(said.items()) == by_pair
    for who in "abc":
        answered = [one for one in by_pair.values() if who in one]
        assert said.n_pairs(who) == len(answered)
        assert said.n_compared(who) == sum(len(one) > 1 for one in answered)
        unseen = {pair: len(one) for pair, one in by_pair.items() if who not in one}
        assert sorted(said.unseen_by(who)) == sorted(unseen)
        few = sorted(pair for pair, n in unseen.items() if n < 2)
        assert sorted(said.unseen_by(who, fewer_than=2)) == few
        assert [unseen[pair] for pair in said.unseen_by(who)] == sorted(unseen.values())


def test_somebody_else_is_asked_where_an_answer_is_in_doubt(opened: Open) -> None:
    study, truth = grown(24, who="Ada")
    for one in study.answers[:8]:  # Bob is known, and agrees
        study.tell(one.pair, one.verdict, who="Bob")
    slip = study.answers[20]
    wrong = "same" if slip.verdict is Verdict.DIFFERENT else "different"
    study.tell(slip.pair, wrong, who="Bob")  # type: ignore[call-overload]
    client = opened(study, overlap=WORTH_IT)
    asked = []
    for _ in range(8):
        question = ask(client, "Cem")
        assert question is not None
        asked.append(Pair(*question["pair"]).unordered)
        tell(client, question["id"], verdict_of(truth, question["pair"]), who="Cem")
    assert slip.pair.unordered in asked
    assert study.constraints.implied(*slip.pair) is slip.verdict
    # Ada has answered everything that is in doubt: she gets something new.
    question = ask(client, "Ada")
    assert question is None or Pair(*question["pair"]).unordered not in {
        answer.pair.unordered for answer in study.answers if answer.who == "Ada"
    }


def test_a_person_alone_is_asked_nothing_twice(opened: Open) -> None:
    study, truth = grown(6, who="Ada")
    client = opened(study, overlap=WORTH_IT)
    for _ in range(5):
        question = ask(client, "Ada")
        assert question is not None
        tell(client, question["id"], verdict_of(truth, question["pair"]))
    pairs = [answer.pair.unordered for answer in study.answers]
    assert len(pairs) == len(set(pairs))


def test_people_answer_some_of_what_a_program_has_whatever_the_overlap(opened: Open) -> None:
    people, truth = grown(24)
    study = Study(people.items)
    for one in people.answers:
        study.tell(one.pair, one.verdict, who="small", client_id=f"{PROGRAM}{one.id}")
    assert all(answer.by_program for answer in study.answers)
    theirs = {answer.pair.unordered for answer in study.answers}
    unknown = advise(study)
    assert "small, a program, gave" in unknown.sentence
    assert (unknown.right, unknown.gain, unknown.questions_left) == (None, None, None)
    client = opened(study)  # nobody repeats another person's question
    asked = []
    for _ in range(14):
        question = ask(client, "Ada")
        if question is None:
            break
        asked.append(Pair(*question["pair"]).unordered in theirs)
        tell(client, question["id"], verdict_of(truth, question["pair"]), who="Ada")
    assert 3 <= sum(asked) < len(asked) - sum(asked)  # until it is known to be some good
    assert "a program" not in advise(study).sentence
    assert advise(study).right is not None
    before = {answer.pair.unordered for answer in study.answers}
    question = ask(client, "Bob")
    assert question is None or Pair(*question["pair"]).unordered not in before


def test_contradictions_that_are_settled_by_others_keep_nobody() -> None:
    study, _ = grown(30, who="Ada")
    for one in study.answers:
        study.tell(one.pair, one.verdict, who="Bob")
    slip = study.answers[3]
    wrong = "same" if slip.verdict is Verdict.DIFFERENT else "different"
    study.tell(slip.pair, wrong, who="Cem")  # type: ignore[call-overload]
    assert study.n_disputes == 1
    assert Unsettled.of(study).n_disputes == 0
    assert Unsettled.of(study.without("Bob")).n_disputes == 1  # one word against another


def test_gold_about_other_items_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "gold.csv"
    path.write_text("item,other,verdict\nx,y,same\n")
    with pytest.raises(DataError, match=r"gold.csv has no answer, same or different, about items"):
        import_gold(Study(pile()[0]), path)
