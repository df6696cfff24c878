"""What is drawn, looked at as text."""

from __future__ import annotations

import io
import unicodedata

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.console import Console, RenderableType

from likewise.cli.formatting import safe
from likewise.cli.terminal import digits_page, pair_page, side_by_side
from likewise.cli.terminal.digits_page import DigitsPage
from likewise.cli.terminal.keys import KEYS, Action, action_of, line_reader
from likewise.cli.terminal.keys import _after_escape as after_escape
from likewise.cli.terminal.loop import OpenQuestion
from likewise.cli.terminal.pair_page import PairLayout, PairPage
from likewise.cli.terminal.pictures import draw, has_greys
from likewise.cli.terminal.side_by_side import RowComparison
from likewise.cli.terminal.widgets import curve, key_line
from likewise.datasets import load
from likewise.study import Study

SIZES = [(40, 12), (80, 24), (120, 40), (200, 60)]


def terminal(width: int, height: int, color_system: str | None = "truecolor") -> Console:
    return Console(
        width=width,
        height=height,
        force_terminal=True,
        color_system=color_system,  # type: ignore[arg-type]
        no_color=color_system is None,
        file=io.TextIOWrapper(io.BytesIO(), encoding="utf-8"),
        legacy_windows=False,
    )


def printed(console: Console, page: RenderableType) -> list[str]:
    """The lines of a page, without colours."""
    lines = console.render_lines(page, console.options.update(height=None), pad=False)
    return ["".join(segment.text for segment in line) for line in lines]


# -- text --------------------------------------------------------------------------------------


@settings(deadline=None, max_examples=50)
@given(st.text())
def test_text_made_safe_cannot_steer_a_terminal(text: str) -> None:
    shown = safe(text)
    assert all(c == "\n" or unicodedata.category(c) not in ("Cc", "Cs") for c in shown)
    assert safe(shown) == shown


def test_gaps_are_shown_as_gaps() -> None:
    assert [safe(None), safe(float("nan")), safe(0), safe("")] == ["—", "—", "0", ""]


@settings(deadline=None, max_examples=50)
@given(st.lists(st.floats(-1, 2), max_size=300), st.integers(2, 50), st.integers(1, 9))
def test_a_curve_never_leaves_its_place(values: list[float], width: int, height: int) -> None:
    lines = curve(values, width, height)
    assert len(lines) == height
    assert all(len(line.plain) <= width for line in lines)


def test_a_curve_rises_with_its_values() -> None:
    (line,) = curve(list(np.linspace(0, 1, 100)), 20)
    assert line.plain == "".join(sorted(line.plain))
    assert (line.plain[0], line.plain[-1]) == ("▁", "█")


# -- keys --------------------------------------------------------------------------------------


def test_no_key_means_two_things() -> None:
    keys = [key for keys in KEYS.values() for key in keys]
    assert len(keys) == len(set(keys))


def test_the_line_of_keys_fits_a_terminal_of_80_columns() -> None:
    assert len(key_line().plain) < 80


def test_lines_are_read_as_keys_and_words() -> None:
    read = line_reader(io.StringIO("S\n \ndifferent\r\n\nU\n"))
    keys = [read() for _ in range(6)]
    assert keys == ["S", "space", "different", "", "U", None]
    assert [action_of(key) for key in keys if key is not None] == [
        Action.SAME,
        Action.UNSURE,
        Action.DIFFERENT,
        None,
        Action.UNDO,
    ]


@pytest.mark.parametrize(
    ("code", "key"),
    [
        ("", "esc"),
        ("[C", "right"),
        ("[D", "left"),
        ("OC", "right"),
        ("[A", "up"),
        ("[1;2B", "down"),
        ("[3~", ""),
        ("x", ""),
        ("[", ""),
    ],
)
def test_codes_after_an_escape_are_named(code: str, key: str) -> None:
    coming = list(code)
    assert after_escape(lambda seconds: bool(coming), lambda: coming.pop(0)) == key
    assert coming == []


# -- pictures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("colour", [True, False])
@pytest.mark.parametrize(("width", "height"), [(6, 4), (16, 8), (24, 12), (32, 16)])
def test_a_picture_has_the_size_it_was_given(width: int, height: int, colour: bool) -> None:
    lines = draw(np.random.default_rng(0).random((8, 8)), width, height, colour=colour)
    assert [len(line.plain) for line in lines] == [width] * height


def test_ink_is_dark_where_there_is_no_colour() -> None:
    image = np.zeros((8, 8))
    image[:, 4:] = 1.0
    (line, *_) = draw(image, 8, 4, colour=False)
    assert line.plain == "    @@@@"


@pytest.mark.parametrize(
    ("system", "expected"), [("truecolor", True), ("256", True), ("standard", False), (None, False)]
)
def test_grey_needs_a_terminal_with_enough_colours(system: str | None, expected: bool) -> None:
    assert has_greys(terminal(80, 24, system)) is expected


def demo_moment(answers: int) -> tuple[DigitsPage, OpenQuestion]:
    """The demo after some truthful answers."""
    X, y = load("digits")
    X, y = X[:80], y[:80]
    study = Study(X)
    for _ in range(answers):
        question = study.ask()
        assert question is not None
        i, j = question.pair
        study.tell(question, bool(y[i] == y[j]))
    question = study.ask()
    assert question is not None
    page = DigitsPage([row.reshape(8, 8) / 16 for row in X], limit=100, colour=True)
    return page, OpenQuestion(study, question, "A note.", [0.5, 0.75])


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("answers", [0, 45])
def test_the_demo_fits_any_terminal(
    monkeypatch: pytest.MonkeyPatch, width: int, height: int, answers: int
) -> None:
    console = terminal(width, height)
    monkeypatch.setattr(digits_page, "out", console)
    page, asked = demo_moment(answers)
    lines = printed(console, page.render(asked))
    assert len(lines) <= height
    assert max(map(len, lines)) <= width
    assert any("Same kind, or different?" in line for line in lines)
    assert "different" in lines[-1]


def test_the_demo_keeps_its_place_while_groups_appear(monkeypatch: pytest.MonkeyPatch) -> None:
    console = terminal(80, 24)
    monkeypatch.setattr(digits_page, "out", console)
    moments = [demo_moment(answers) for answers in (0, 3, 30)]
    assert {len(printed(console, page.render(asked))) for page, asked in moments} == {24}


# -- rows --------------------------------------------------------------------------------------


def watch_at(monkeypatch: pytest.MonkeyPatch, console: Console) -> None:
    """Let pages be drawn on this terminal."""
    for module in (pair_page, side_by_side):
        monkeypatch.setattr(module, "out", console)


def row_moment(table: list[dict[str, object]]) -> tuple[PairPage, OpenQuestion]:
    study = Study([[float(k)] for k in range(len(table))])
    question = study.ask()
    assert question is not None
    names = [f"row {k}" for k in range(len(table))]
    return PairPage(PairLayout("t.csv", RowComparison(table), names)), OpenQuestion(
        study, question, "", []
    )


def test_rows_stand_side_by_side(monkeypatch: pytest.MonkeyPatch) -> None:
    console = terminal(80, 24)
    watch_at(monkeypatch, console)
    page, asked = row_moment([{"colour": "red", "n": 1}, {"colour": "blue", "n": 1}])
    lines = printed(console, page.render(asked, 0))
    head, colour, n = lines[2:5]
    assert colour.startswith(" colour  ")
    assert colour.index("red" if "red" in colour[:40] else "blue") == head.index("row")
    assert n.count("1") == 2


def test_equal_cells_are_dimmed(monkeypatch: pytest.MonkeyPatch) -> None:
    console = terminal(80, 24)
    watch_at(monkeypatch, console)
    page, asked = row_moment([{"a": "alike", "b": "one"}, {"a": "alike", "b": "two"}])
    segments = [s for line in console.render_lines(page.render(asked, 0)) for s in line]
    dimmed = {s.text.strip(): bool(s.style and s.style.dim) for s in segments}
    assert (dimmed["alike"], dimmed["one"], dimmed["two"]) == (True, False, False)


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_long_rows_scroll_to_their_last_line(
    monkeypatch: pytest.MonkeyPatch, width: int, height: int
) -> None:
    console = terminal(width, height)
    watch_at(monkeypatch, console)
    text = "many words and no end " * 400
    table = [{"text": text + end, **{f"c{k}": 7 for k in range(50)}} for end in ("FIN", "ENDE")]
    page, asked = row_moment(list(table))
    first = printed(console, page.render(asked, 0))
    last = printed(console, page.render(asked, page.n_hidden(asked)))
    assert len(first) == len(last) == height
    assert max(map(len, first + last)) <= width
    assert any("more line" in line for line in first)
    assert any("c49" in line for line in last)
    assert not any("more line" in line for line in last)
    beyond = printed(console, page.render(asked, 10_000))
    assert beyond == last


def test_the_question_does_not_jump_between_short_and_long_rows(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    console = terminal(80, 24)
    watch_at(monkeypatch, console)
    page, asked = row_moment([{f"c{k}": k + i for k in range(12)} for i in range(2)])
    tall = len(printed(console, page.render(asked, 0)))
    page.layout.comparison = RowComparison([{"c": 1}, {"c": 2}])
    assert len(printed(console, page.render(asked, 0))) == tall
