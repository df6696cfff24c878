"""Tests of placing an item by one gesture."""

from __future__ import annotations

import pytest

import likewise as lw
from likewise.errors import AnswerError
from likewise.journal import AnswerDraft, Changes, Pair, Verdict


@pytest.fixture
def study() -> lw.Study:
    """Three groups on a line, of which answers know two."""
    study = lw.Study([[0.0], [0.1], [5.0], [5.1], [9.0], [9.1]])
    study.tell((0, 2), "different")
    return study


def test_an_item_joins_a_group_by_one_answer_and_differs_from_those_offered(
    study: lw.Study,
) -> None:
    edit = lw.edits.place(study, 4, 2, among=[0, 2, 4], who="Ada", seconds=1.5)
    assert [str(answer) for answer in edit] == ["#1: 4 = 2"]  # that 4 ≠ 0 follows
    assert (edit[0].who, edit[0].seconds) == ("Ada", 1.5)


def test_a_group_of_its_own_differs_from_all_that_are_known(study: lw.Study) -> None:
    edit = lw.edits.place(study, 4, seconds=2.0)
    assert [str(answer) for answer in edit] == ["#1: 4 ≠ 2", "#2: 4 ≠ 0"]
    assert [answer.seconds for answer in edit] == [2.0, None]
    assert study.constraints.placed().tolist() == [True, False, True, False, True, False]


def test_a_placement_sent_again_is_kept_once(study: lw.Study) -> None:
    first = lw.edits.place(study, 4, client_id="click")
    assert lw.edits.place(study, 4, client_id="click") == first
    assert study.n_answers == 3


def test_a_placement_is_taken_back_in_one_piece(study: lw.Study) -> None:
    lw.edits.take_back(study, lw.edits.place(study, 4))
    assert [str(answer) for answer in study.answers] == ["#0: 0 ≠ 2"]


def test_a_placement_that_contradicts_is_kept_as_a_dispute(study: lw.Study) -> None:
    lw.edits.place(study, 0, 2)
    assert [str(dispute.answer) for dispute in study.disputes()] == ["#1: 0 = 2"]


def test_no_item_is_placed_beside_itself(study: lw.Study) -> None:
    with pytest.raises(AnswerError, match="two different items"):
        lw.edits.place(study, 4, 4)
    assert study.n_answers == 1


def test_drafts_are_kept_in_one_piece_and_known_ones_left_out(study: lw.Study) -> None:
    known = study.tell((0, 1), "same", client_id="a")
    drafts = [
        AnswerDraft(Pair(2, 3), Verdict.SAME, client_id="b", same_probability=0.7),
        AnswerDraft(Pair(0, 1), Verdict.DIFFERENT, client_id="a"),
    ]
    (kept,) = study.record(lambda: Changes(drafts, retracted=[0]))
    assert (kept.id, kept.pair, kept.model_version) == (2, Pair(2, 3), lw.__version__)
    assert kept.when
    assert study.answers == [known, kept]


def test_a_draft_without_weight_is_refused() -> None:
    with pytest.raises(AnswerError, match="weight must be above 0 but got 0"):
        AnswerDraft(Pair(0, 1), Verdict.SAME, weight=0)
