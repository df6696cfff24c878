"""Groups that may be one."""

from __future__ import annotations

import numpy as np

import likewise as lw
from likewise.quality.merge_hints import merge_hints


def split_in_two() -> lw.Study:
    """A round pile of which two groups were made, and one that lies apart."""
    rng = np.random.default_rng(0)
    X = np.vstack([rng.normal(size=(40, 2)), rng.normal(size=(20, 2)) + 30])
    return lw.Study(X, n_clusters=3)


def test_only_groups_that_nobody_has_told_apart_are_mentioned() -> None:
    study = split_in_two()
    study.tell((0, 45), "different")
    for hint in merge_hints(study):
        one, other = (int(np.flatnonzero(study.labels_ == label)[0]) for label in hint.groups)
        assert study.constraints.implied(one, other) is None
        assert max(one, other) < 40  # what lies apart is no part of the pile
        assert "items could be in either" in hint.reason
        study.tell((one, other), "different")
    assert len(merge_hints(study)) <= 3


def test_nothing_is_said_before_the_first_answer() -> None:
    assert merge_hints(split_in_two()) == []
