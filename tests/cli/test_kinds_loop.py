"""Places and sheets at a terminal."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from sklearn.datasets import make_blobs
from typer.testing import CliRunner

import likewise as lw
from likewise.cli.app import app
from likewise.cli.terminal.kinds_loop import KindsLoop
from likewise.journal.questions import PlaceQuestion, SheetQuestion
from likewise.study.loop import Outcome


class Typist:
    """Somebody who types right replies to whatever is asked."""

    def __init__(self, kind: str) -> None:
        X, self.truth = make_blobs(60, centers=3, random_state=0)
        self.study = lw.Study(X)
        self.lines: list[str] = []
        self.loop = KindsLoop(self.study, kind, self.read, self.lines.append, budget=8)

    def read(self) -> str:
        question = self.loop.ask()
        if isinstance(question, SheetQuestion) and "Where do they go?" in self.lines[-9:]:
            return self._place(question.items[0], question.members)
        if isinstance(question, SheetQuestion):
            same = self.truth[[*question.items]] == self.truth[question.items[0]]
            return " ".join(map(str, np.flatnonzero(same != np.array(question.ticked)).tolist()))
        if isinstance(question, PlaceQuestion):
            return self._place(question.item, question.members)
        assert question is not None
        return "s" if self.truth[question.pair.i] == self.truth[question.pair.j] else "d"

    def _place(self, item: int, members: tuple[int, ...]) -> str:
        same = np.flatnonzero(self.truth[[*members]] == self.truth[item])
        return str(int(same[0]) + 1) if len(same) else "n"


@pytest.mark.parametrize("kind", ["place", "sheet", "best"])
def test_typed_replies_are_kept(kind: str) -> None:
    typist = Typist(kind)
    assert typist.loop.run() is Outcome.BUDGET_SPENT
    truth, known = typist.truth, typist.study.constraints
    assert typist.study.n_answers >= 8
    assert not typist.study.n_disputes
    assert all(
        (truth[i] == truth[j]) == (known.implied(i, j) is lw.Verdict.SAME)
        for i, j in (answer.pair for answer in typist.study.answers)
    )


def test_what_is_not_understood_is_asked_again_and_undo_takes_back_a_whole_reply() -> None:
    typist = Typist("place")
    replies = iter(["17x", "99", "n", "u", "q"])
    lines = typist.lines
    loop = KindsLoop(typist.study, "place", lambda: next(replies, None), lines.append)
    assert loop.run() is Outcome.STOPPED
    assert sum("was not understood" in line for line in lines) == 2
    assert typist.study.n_answers == 0


def test_ticks_stay_when_it_is_not_understood_where_a_sheet_goes() -> None:
    typist = Typist("sheet")
    study = typist.study
    study.tell((int(np.flatnonzero(typist.truth == 0)[0]), int(typist.truth.argmax())), "different")
    sheet = next(
        sheet
        for sheet in iter(lambda: study.ask(kind="sheet"), None)
        if sheet.members or not study.tell(sheet, _belonging(typist, sheet))
    )
    replies = iter(["1", "elsewhere", "n", "q"])
    loop = KindsLoop(study, "sheet", lambda: next(replies, None), typist.lines.append)
    assert loop.run() is Outcome.STOPPED
    assert sum("was not understood" in line for line in typist.lines) == 1
    first, changed = sheet.items[:2]
    told = lw.Verdict.DIFFERENT if sheet.ticked[1] else lw.Verdict.SAME
    assert study.constraints.implied(first, changed) is told


def _belonging(typist: Typist, sheet: SheetQuestion) -> list[int]:
    same = typist.truth[[*sheet.items]] == typist.truth[sheet.items[0]]
    return [item for item, one in zip(sheet.items, same, strict=True) if one]


def test_the_command_asks_places_and_ends_with_its_input(tmp_path: Path) -> None:
    pile = tmp_path / "texts.txt"
    pile.write_text("\n".join(f"{kind} number {k}" for k in range(6) for kind in ("red", "blue")))
    done = CliRunner().invoke(app, ["answer", str(pile), "--ask", "place"], input="n\n")
    assert done.exit_code == 0, done.output
    assert "Where does this one belong?" in done.output
    assert "1 answer in all" in done.output


def test_a_language_model_is_not_asked_sheets(tmp_path: Path) -> None:
    pile = tmp_path / "texts.txt"
    pile.write_text("one\ntwo\n")
    done = CliRunner().invoke(app, ["answer", str(pile), "--ask", "sheet", "--by", "some-model"])
    assert done.exit_code == 2
