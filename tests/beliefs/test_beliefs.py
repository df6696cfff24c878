"""What is believed of several people's answers: error rates, culprits, studies, what if."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise.beliefs import Beliefs, ErrorRates, Inference, Votes
from likewise.beliefs.inference import estimated_after
from likewise.errors import AnswerError
from likewise.journal.constraints import Constraints
from likewise.journal.pairs import Answer, Pair, Verdict
from likewise.study.branch import Branch

Said = Sequence[tuple[str, tuple[int, int], str]]


def answers(said: Said, weights: dict[str, float] | None = None) -> list[Answer]:
    return [
        Answer(k, Pair(*pair), Verdict.of(v), who=who, weight=(weights or {}).get(who, 1.0))
        for k, (who, pair, v) in enumerate(said)
    ]


def votes_of(truth: Any, errors: dict[str, float], n: int, seed: int) -> list[Answer]:
    """Everybody answers `n` random pairs, each wrong at his own rate."""
    rng, found = np.random.default_rng(seed), list[Answer]()
    for _ in range(n):
        i, j = (int(k) for k in rng.choice(len(truth), 2, replace=False))
        for who, error in errors.items():
            same = bool(truth[i] == truth[j]) ^ bool(rng.random() < error)
            verdict = Verdict.SAME if same else Verdict.DIFFERENT
            found.append(Answer(len(found), Pair(i, j), verdict, who=who))
    return found


def test_one_good_answerer_outvotes_two() -> None:
    # Accuracies .9, .8 and .6 and votes same, different, different: odds 9 · 1/4 · 2/3 = 1.5.
    said = answers([("a", (0, 1), "same"), ("b", (0, 1), "different"), ("c", (0, 1), "different")])
    votes = Votes.of(said)
    rates = ErrorRates(np.array([0.1, 0.2, 0.4]), np.array([0.1, 0.2, 0.4]))
    assert np.exp(rates.evidence(votes).sum()) == pytest.approx(1.5)


def test_a_person_who_repeats_himself_has_one_vote_and_who_says_both_has_none() -> None:
    votes = Votes.of(
        answers([("a", (0, 1), "same"), ("a", (1, 0), "same"), ("b", (0, 1), "unsure")])
    )
    assert (len(votes.same), votes.people) == (1, ("a",))
    both = answers([("a", (0, 1), "same"), ("a", (0, 1), "different"), ("b", (2, 3), "same")])
    assert Beliefs.of(both).overruled(both) == {1}  # the first stands, as where one answers alone


def test_error_rates_and_their_intervals_are_found(seed: int) -> None:
    truth = np.arange(60) % 3
    errors = {"good": 0.03, "fair": 0.15, "poor": 0.35}
    found = Beliefs.of(votes_of(truth, errors, 150, seed))
    share_same = 19 / 59  # of random pairs
    shares = share_same * found.rates.same + (1 - share_same) * found.rates.different
    np.testing.assert_allclose(shares, list(errors.values()), atol=0.09)
    assert (np.diff(shares) > 0).all()
    assert (found.intervals.low < found.intervals.high).all()


def test_somebody_whom_nobody_has_checked_has_a_wide_interval() -> None:
    said = answers([("a", (i, i + 1), "same") for i in range(20)] + [("b", (30, 31), "same")])
    bounds = Beliefs.of(said).intervals
    assert bounds.high[0] - bounds.low[0] > 0.1
    assert bounds.high[1] > 0.7


def test_a_troll_who_comes_first_is_overruled() -> None:
    said: list[tuple[str, tuple[int, int], str]] = []
    for pair in [(0, 1), (2, 3), (4, 5), (0, 2)]:
        right = "different" if pair == (0, 2) else "same"
        wrong = "same" if right == "different" else "different"
        said += [("troll", pair, wrong), ("Ada", pair, right), ("Bob", pair, right)]
    kept = answers(said)
    found = Beliefs.of(kept)
    assert found.overruled(kept) == {0, 3, 6, 9}
    assert found.rates.same[0] > 0.15 > found.rates.same[1]


def test_weight_is_trust_in_advance() -> None:
    said: Said = [("a", (0, 1), "same"), ("b", (0, 1), "different")]
    for weight, overruled in ((0.01, {0}), (1.0, {1}), (50.0, {1})):
        kept = answers(said, {"a": weight})
        assert Beliefs.of(kept).overruled(kept) == overruled


def test_the_likeliest_culprit_is_overruled_and_still_shown() -> None:
    # 1 = 2 was said once, by somebody; 0 = 1 and 0 ≠ 2 twice, by others.
    said: Said = [
        ("c", (1, 2), "same"),
        ("a", (0, 1), "same"),
        ("b", (0, 1), "same"),
        ("a", (0, 2), "different"),
        ("b", (0, 2), "different"),
    ]
    study = lw.Study([[0.0], [0.1], [0.2], [9.0]])
    for who, pair, verdict in said:
        study.tell(pair, Verdict.of(verdict), who=who)
    assert study.constraints.implied(1, 2) is Verdict.DIFFERENT
    (dispute,) = study.disputes()
    assert dispute.answer.id == 0
    assert {a.verdict for a in dispute.chain} == {Verdict.SAME, Verdict.DIFFERENT}
    assert study.n_disputes == 1
    assert [a.verdict.value for a in study.answers] == [v for _, _, v in said]
    labels = study.labels_
    assert labels[0] == labels[1] != labels[2]
    assert study.confidence_[1] == 0.5
    # Taken back one by one, everything is as if they had never come.
    for _ in range(4):
        study.undo()
    assert study.constraints.implied(1, 2) is Verdict.SAME
    assert study.n_disputes == 0


def test_one_person_alone_costs_nothing_and_changes_nothing() -> None:
    said: Said = [("", (0, 1), "same"), ("", (1, 2), "different"), ("", (0, 2), "same")]
    known = Constraints.of(3, answers(said))
    assert Inference().constraints(known) is known
    assert [a.id for a in known.disputed] == [2]


def test_what_is_believed_depends_on_the_answers_alone(seed: int) -> None:
    truth = np.arange(24) % 3
    kept = votes_of(truth, {"a": 0.1, "b": 0.2, "c": 0.3}, 100, seed)
    known, gradually = Constraints(24), Inference()
    for answer in kept:
        known.add(answer)
        gradually.constraints(known)
    at_once = Inference().constraints(Constraints.of(24, kept))
    slowly = gradually.constraints(known)
    assert slowly.overruled == at_once.overruled
    assert slowly.answers == at_once.answers == kept
    np.testing.assert_array_equal(slowly.must_link, at_once.must_link)
    assert [str(d) for d in slowly.disputes()] == [str(d) for d in at_once.disputes()]
    assert len(slowly.disputes()) == slowly.n_disputes > 0


@given(seed=st.integers(0, 10**6), n=st.integers(256, 340), back=st.integers(0, 60))
@settings(max_examples=10)
def test_between_two_estimates_too_it_depends_on_the_answers_alone(
    seed: int, n: int, back: int
) -> None:
    kept = votes_of(np.arange(24) % 3, {"a": 0.1, "b": 0.2, "c": 0.3}, n, seed)
    known, gradually = Constraints(24), Inference()
    for answer in kept:
        known.add(answer)
        gradually.constraints(known)
    for _ in range(back):  # some are taken back, and others come in their place
        known.pop()
    for answer in kept[n - back // 2 :]:
        known.add(answer)
    at_once = Inference().constraints(Constraints.of(24, known.answers))
    slowly = gradually.constraints(known)
    assert slowly.overruled == at_once.overruled
    assert slowly.answers == at_once.answers == known.answers
    np.testing.assert_array_equal(slowly.components(), at_once.components())


def test_long_studies_are_believed_anew_now_and_then() -> None:
    for n in range(256, 6000, 37):
        assert n - n // 16 - 1 <= estimated_after(n) <= n


def test_answers_between_two_estimates_count_at_once() -> None:
    truth = np.arange(40) % 2
    kept = votes_of(truth, {"a": 0.0, "b": 0.0}, 500, 0)
    n = estimated_after(len(kept) + 3)
    assert n < len(kept) + 3
    wrong = "different" if truth[38] == truth[2] else "same"
    right = "same" if wrong == "different" else "different"
    later = answers([("c", (2, 38), wrong), ("a", (2, 38), right), ("b", (2, 38), right)])
    kept += [Answer(1000 + a.id, a.pair, a.verdict, who=a.who) for a in later]
    believed = Inference().constraints(Constraints.of(40, kept))
    assert 1000 in believed.overruled
    assert believed.implied(2, 38) is Verdict.of(right)


def test_a_branch_follows_and_assumes_with_several_people() -> None:
    X, y = (array[::10] for array in lw.datasets.load("iris"))
    study = lw.Study(X, method="urasc", n_clusters=3)
    for k in range(14):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(y[i] == y[j]) ^ (k % 5 == 4), who=f"p{k % 3}")
        study.tell(question.pair, bool(y[i] == y[j]), who=f"p{(k + 1) % 3}")
    branch = Branch.of(study)
    question = study.ask()
    assert question == branch.ask()
    assert question is not None
    with branch.assuming(question.pair, Verdict.DIFFERENT):
        foreseen = branch.ask()
        assert branch.constraints.implied(*question.pair) is Verdict.DIFFERENT
    assert branch.ask() == question
    branch.follow(study.answers)
    np.testing.assert_array_equal(branch.labels_, study.labels_)
    assert foreseen is None or foreseen.pair.unordered != question.pair.unordered


def test_the_table_of_answerers_and_what_if(seed: int) -> None:
    X, y = (array[::5] for array in lw.datasets.load("iris"))
    study = lw.Study(X, method="random-items", n_clusters=3)
    for answer in votes_of(y, {"a": 0.05, "b": 0.1, "troll": 0.5}, 40, seed):
        study.tell(answer.pair, answer.verdict, who=answer.who, seconds=2.0, cost=0.25)
    study.tell((0, 1), "unsure", who="shy")
    table = study.answerers_.set_index("who")
    columns = ["answers", "error_same", "error_different", "low", "high"]
    more = ["agreement", "says_same", "one_sided", "gold", "gold_right", "cost", "seconds"]
    assert list(table.columns) == [*columns, *more]
    assert table.answers.tolist() == [40, 40, 40, 1]
    assert table.cost.tolist() == [10, 10, 10, 0]
    assert table.seconds["a"] == 80
    assert table.low["troll"] > table.low["a"]
    assert table.agreement["troll"] < table.agreement["a"]
    assert np.isnan(table.error_same["shy"])
    before = study.answers
    other = study.without("troll", "shy")
    assert {a.who for a in other.answers} == {"a", "b"}
    assert other.answers == [a for a in before if a.who in ("a", "b")]
    alone = lw.Study(X, method="random-items", n_clusters=3)
    for answer in other.answers:
        alone.tell(answer.pair, answer.verdict, who=answer.who)
    np.testing.assert_array_equal(other.labels_, alone.labels_)
    other.tell((0, 2), "same")
    assert study.answers == before
    with pytest.raises(AnswerError, match="nobody called 'x' has answered; those who have are 'a'"):
        study.without("x")


def test_second_opinions_are_about_what_is_least_sure() -> None:
    study = lw.Study(np.arange(8.0)[:, None])
    study.tell((0, 1), "same", who="a")
    study.tell((0, 1), "same", who="b")
    study.tell((2, 3), "same", who="a")
    study.tell((4, 5), "same", who="a")
    study.tell((4, 5), "different", who="b")
    pairs = [question.pair for question in study.second_opinions()]
    assert pairs == [(4, 5), (2, 3), (0, 1)]
    assert [question.pair for question in study.second_opinions(who="b")] == [(2, 3)]


def test_a_cost_below_zero_is_refused() -> None:
    with pytest.raises(AnswerError, match="cost must be at least 0 but got -1"):
        lw.Study([[0.0], [1.0]]).tell((0, 1), "same", cost=-1)
