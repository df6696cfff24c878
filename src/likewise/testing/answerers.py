"""What every answerer of a package must do, as tests; pytest is needed.

An answerer of your own keeps the contract when this passes:

    class TestMyAnswerer(AnswererContract):
        @pytest.fixture
        def build(self):
            return MyAnswerer
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from likewise.answerers import Program, answer
from likewise.items import Items
from likewise.journal.pairs import Verdict
from likewise.study import Study

_TEXTS = ["a red apple", "the green apple", "one blue car", "a red car", "", "grüne Äpfel 🍏"]
Build = Callable[[], Program]


class AnswererContract:
    """What every answerer must do.

    Provide the fixture `build`, a class or a function without arguments that builds the answerer,
    as an entry point of `likewise.answerers` names one; and `items`, if it cannot answer about six
    short texts.
    """

    @pytest.fixture
    def items(self) -> Items:
        """Make a pile that it can answer about."""
        X = np.arange(2.0 * len(_TEXTS)).reshape(-1, 2)
        return Items.of(X, texts=_TEXTS)

    def test_its_name_does_not_change(self, build: Build) -> None:
        assert build().name.strip()
        assert build().name == build().name

    def test_who_answers_about_a_pile_has_a_name_too(self, build: Build, items: Items) -> None:
        assert build().about(items, "a study").name.strip()

    def test_it_costs_nothing_or_something(self, build: Build, items: Items) -> None:
        assert getattr(build().about(items, "a study"), "price", 0.0) >= 0

    def test_every_pair_gets_an_answer(self, build: Build, items: Items) -> None:
        answerer = build().about(items, "a study")
        for i in range(len(items)):
            for j in range(i + 1, len(items)):
                Verdict.of(answerer(i, j))

    def test_a_study_that_it_answers_ends(self, build: Build, items: Items) -> None:
        study = Study(items, method="random-items")
        session = answer(study, build(), budget=20)
        assert not session.failed, session.reason
        assert session.answers
        assert {one.who for one in study.answers} == {build().name}
