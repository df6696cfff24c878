"""Editing groups: names, merging, splitting, sending away, and taking all of that back."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import likewise as lw
from likewise.errors import AnswerError, Contradiction
from likewise.journal.pairs import Verdict
from likewise.study.edits import Edit, merge, not_here, split, take_back

# Three heaps on a line, far apart.
X = np.array([[0.0], [0.2], [0.4], [10.0], [10.2], [10.4], [20.0], [20.2], [20.4]])


def three_groups(store: Path | None = None) -> lw.Study:
    """A study in which one item of each heap is known to differ from the others."""
    study = lw.Study(X, method="ffqs", store=store)
    for pair in ((0, 3), (0, 6), (3, 6)):
        study.tell(pair, "different")
    return study


def together(study: lw.Study, *items: int) -> bool:
    return len(set(study.labels_[list(items)].tolist())) == 1


def test_merging_groups_that_were_told_apart_names_the_answers_it_contradicts() -> None:
    study = three_groups()
    with pytest.raises(Contradiction, match=r"answer 2 \(3 ≠ 6\); take back"):
        merge(study, 4, 7)
    assert study.n_answers == 3


def test_a_forced_merge_makes_one_group_and_takes_back_what_it_contradicts() -> None:
    study = three_groups()
    edit = merge(study, 4, 7, who="Ada", force=True)
    assert [answer.id for answer in edit.retracted] == [2]
    assert {answer.who for answer in edit} == {"Ada"}
    assert together(study, 3, 4, 6, 7)
    assert not together(study, 0, 3)
    assert study.disputes() == []
    assert len(set(study.labels_.tolist())) == 2


def test_a_merge_of_unanswered_items_needs_one_answer() -> None:
    study = lw.Study(X, method="ffqs")
    assert [str(answer) for answer in merge(study, 0, 8)] == ["#0: 0 = 8"]
    assert together(study, 0, 8)


def test_merging_what_is_known_to_be_one_says_nothing() -> None:
    study = three_groups()
    study.tell((0, 1), "same")
    assert merge(study, 0, 1) == []
    assert study.n_answers == 4


def test_split_makes_a_group_of_its_own() -> None:
    study = three_groups()
    edit = split(study, [4, 5])
    assert len(edit) == 4  # together, and apart from each of three groups
    assert together(study, 4, 5)
    labels = study.labels_
    assert (labels == labels[4]).sum() == 2
    assert len(study.constraints.representatives) == 4


def test_split_may_take_out_the_item_by_which_the_group_was_found() -> None:
    study = three_groups()
    (parted, *_) = split(study, [3])
    assert parted.pair.j in (4, 5)
    assert not together(study, *parted.pair)


def test_split_may_pick_from_several_groups() -> None:
    study = three_groups()
    split(study, [1, 4])
    labels = study.labels_
    assert together(study, 1, 4)
    assert (labels == labels[1]).sum() == 2


def test_split_against_an_earlier_same_is_refused_unless_forced() -> None:
    study = three_groups()
    study.tell((3, 4), "same")
    with pytest.raises(Contradiction, match=r"answer 3 \(3 = 4\)"):
        split(study, [4])
    split(study, [4], force=True)
    assert not together(study, 3, 4)
    assert study.disputes() == []


def test_split_of_items_told_apart_is_refused_unless_forced() -> None:
    study = three_groups()
    with pytest.raises(Contradiction, match=r"answer 0 \(0 ≠ 3\)"):
        split(study, [0, 3])
    split(study, [0, 3], force=True)
    assert together(study, 0, 3)


def test_an_item_that_does_not_belong_leaves_its_group() -> None:
    study = three_groups()
    assert [str(answer) for answer in not_here(study, 5)] == ["#3: 5 ≠ 3"]
    assert not together(study, 3, 5)
    study.tell((1, 0), "same")
    with pytest.raises(Contradiction, match=r"answer 4 \(1 = 0\)"):
        not_here(study, 1)
    not_here(study, 1, force=True)
    assert not together(study, 0, 1)


def test_the_kind_of_an_item_leaves_with_it() -> None:
    study = three_groups()
    study.tell((4, 5), "same")
    not_here(study, 5)
    assert together(study, 4, 5)
    assert not together(study, 3, 4)


def test_edits_that_cannot_be_are_explained() -> None:
    study = lw.Study([[0.0], [1.0], [9.0]], method="ffqs", n_clusters=2)
    study.tell((0, 2), "different")
    with pytest.raises(AnswerError, match="alone in its group"):
        not_here(study, 2)
    with pytest.raises(AnswerError, match="one that stays"):
        split(study, [0, 1, 2])
    with pytest.raises(AnswerError, match="one that stays"):
        split(study, [])
    with pytest.raises(AnswerError, match="two different items"):
        merge(study, 1, 1)
    for item in (-1, 3):
        with pytest.raises(AnswerError, match="between 0 and 2"):
            not_here(study, item)
    # With two groups given, an item that is in neither cannot be.
    with pytest.raises(Contradiction, match="given number of groups"):
        split(study, [1])
    assert study.n_answers == 1


@pytest.mark.parametrize(
    "change",
    [
        lambda study: merge(study, 4, 7, force=True),
        lambda study: split(study, [4, 5]),
        lambda study: not_here(study, 5),
    ],
)
def test_an_edit_is_taken_back_as_a_whole_and_survives_a_restart(
    tmp_path: Path, change: Callable[[lw.Study], Edit]
) -> None:
    study = three_groups(tmp_path / "a.jsonl")
    said, labels = known(study), study.labels_
    edit = change(study)
    again = lw.Study.open(tmp_path / "a.jsonl", X)
    assert again.answers == study.answers
    np.testing.assert_array_equal(again.labels_, study.labels_)
    assert again.ask() == study.ask()
    undone = take_back(study, edit)
    assert known(study) == said
    assert lw.metrics.ari(labels, study.labels_) == 1.0
    take_back(study, undone)  # and again
    assert known(study) == known(again)


def test_undo_brings_back_what_a_forced_merge_took_back() -> None:
    study = three_groups()
    before, labels = study.answers, study.labels_
    assert merge(study, 4, 7, force=True).retracted
    study.undo()
    assert study.answers == before  # the same answers, by the same people, in the same order
    np.testing.assert_array_equal(study.labels_, labels)
    study.undo()  # and goes on with what came before the merge
    assert study.answers == before[:-1]


def known(study: lw.Study) -> set[tuple[lw.Pair, Verdict]]:
    return {(answer.pair.unordered, answer.verdict) for answer in study.answers}


@settings(max_examples=40)
@given(
    st.lists(
        st.tuples(st.integers(0, 8), st.integers(0, 8), st.booleans()).filter(
            lambda said: said[0] != said[1]
        ),
        max_size=12,
    ),
    st.sets(st.integers(0, 8), min_size=1, max_size=4),
    st.sampled_from(["merge", "split", "not_here"]),
)
def test_a_forced_edit_always_takes_effect(
    said: list[tuple[int, int, bool]], picked: set[int], kind: str
) -> None:
    study = lw.Study(X, method="random")
    for i, j, same in said:
        study.tell((i, j), same)
    items = sorted(picked)
    first, last = items[0], (items[0] + 4) % 9
    before = study.labels_
    group = np.flatnonzero(before == before[first])
    n_disputes = len(study.disputes())
    if kind == "merge":
        merge(study, first, last, force=True)
        assert study.constraints.implied(first, last) is Verdict.SAME
        assert together(study, first, last)
    elif kind == "split":
        split(study, items, force=True)
        assert together(study, *items)
        components = study.constraints.components()
        assert set(np.flatnonzero(components == components[first]).tolist()) == picked
        assert study.constraints.representative_of(first) is not None
    elif len(group) > 1:
        not_here(study, first, force=True)
        after = study.labels_
        assert (after[group] != after[first]).any()
    assert len(study.disputes()) <= n_disputes


@given(
    st.lists(
        st.tuples(st.integers(0, 8), st.integers(0, 8), st.booleans()).filter(
            lambda said: said[0] != said[1]
        ),
        max_size=12,
    ),
    st.sets(st.integers(0, 8), min_size=1, max_size=4),
    st.booleans(),
)
def test_several_items_leave_their_groups_together_or_not_at_all(
    said: list[tuple[int, int, bool]], leaving: set[int], force: bool
) -> None:
    study = lw.Study(X, method="random")
    for i, j, same in said:
        study.tell((i, j), same)
    before, groups = known(study), study.labels_
    try:
        not_here(study, *leaving, force=force)
    except AnswerError:
        assert known(study) == before
        return
    for item in leaving:
        group = set(np.flatnonzero(groups == groups[item]).tolist())
        implied = [study.constraints.implied(item, other) for other in group - leaving]
        assert Verdict.DIFFERENT in implied


def test_a_name_follows_the_item_it_was_given_to(tmp_path: Path) -> None:
    study = three_groups(tmp_path / "a.jsonl")
    study.name(4, " cats ", who="Ada")
    study.name(7, "dogs")
    label = study.labels_
    assert study.names_ == {int(label[4]): "cats", int(label[7]): "dogs"}
    question = study.ask()
    again = lw.Study.open(tmp_path / "a.jsonl", X)
    assert again.names_ == study.names_
    assert again.ask() == question  # a name is no answer
    split(study, [4])
    assert study.names_[int(study.labels_[4])] == "cats"
    assert int(study.labels_[3]) not in study.names_


def test_of_two_groups_that_become_one_the_later_name_stays() -> None:
    study = three_groups()
    study.name(3, "cats")
    study.name(6, "dogs")
    study.name(3, "all the cats")
    edit = merge(study, 3, 6, force=True)
    assert study.names_ == {int(study.labels_[3]): "all the cats"}
    take_back(study, edit)
    assert sorted(study.names_.values()) == ["all the cats", "dogs"]


def test_an_empty_name_takes_the_name_away() -> None:
    study = three_groups()
    study.name(3, "cats")
    study.name(4, "")
    assert study.names_ == {}


def test_odd_names_are_refused_and_nothing_is_recorded() -> None:
    study = three_groups()
    for name in ("two\nlines", "a\0b", "\x1b[31m"):
        with pytest.raises(AnswerError, match="one line"):
            study.name(0, name)
    with pytest.raises(AnswerError, match="between 0 and 8"):
        study.name(9, "cats")
    assert study.names_ == {}


def test_an_edit_looks_again_when_somebody_else_was_quicker(tmp_path: Path) -> None:
    one = three_groups(tmp_path / "a.db")
    other = lw.Study.open(tmp_path / "a.db", X)
    other.retract(2)
    other.tell((3, 6), "same")
    assert merge(one, 3, 6) == []  # what it contradicted is gone, what it wants is there
    assert one.answers == other.answers
