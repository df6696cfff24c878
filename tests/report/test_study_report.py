"""The report: complete in itself, escaped, the same whatever labels are called."""

from __future__ import annotations

import re
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from jinja2 import UndefinedError

import likewise as lw
from likewise.report import report
from likewise.report.drawings import COLOURS, map_drawing, predicted_curve
from likewise.report.groups import groups_of
from likewise.report.templating import environment

VOID = {"meta", "img", "line", "circle", "use", "path", "rect", "polyline", "br"}


class Parsed(HTMLParser):
    """Checks that every element is closed in its turn, and keeps what matters."""

    def __init__(self, html: str) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str | None]]] = []
        self.words = ""
        self.feed(html)
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))
        if tag not in VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] != "style":
            self.words += data

    def of(self, tag: str) -> list[dict[str, str | None]]:
        return [attributes for name, attributes in self.tags if name == tag]


HOSTILE = "<script>alert(1)</script>\"'&\x00\x1b[31m"


def answered(X: object, kinds: list[int], n: int = 6) -> lw.Study:
    study = lw.Study(X, method="ffqs")
    for _ in range(n):
        question = study.ask()
        if question is None:
            break
        i, j = question.pair
        study.tell(question, kinds[i] == kinds[j])
    return study


def drawing(macro: str, geometry: object) -> str:
    """What the template makes of a drawing's geometry."""
    drawings = environment().get_template("drawings.svg.j2").module
    return str(getattr(drawings, macro)(geometry))


def numbers(n: int = 12) -> np.ndarray[tuple[int, int], np.dtype[np.float64]]:
    return np.array([[float(k // 4) * 9 + 0.1 * k, 0.3 * k] for k in range(n)])


KINDS = [k // 4 for k in range(12)]


def test_a_table_is_shown_by_its_rows_and_everything_is_escaped() -> None:
    frame = pd.DataFrame(
        {"x": numbers()[:, 0], HOSTILE.replace("\x00", ""): [HOSTILE.replace("\x00", "")] * 12}
    )
    study = answered(replace(lw.Items.of(frame), ids=[f"{HOSTILE}{k}" for k in range(12)]), KINDS)
    study.name(0, "<i>cats & dogs</i>")
    study.tell((0, 4), "same")
    study.tell((0, 4), "different")
    html = report(study, HOSTILE)
    parsed = Parsed(html)
    assert "script" not in [tag for tag, _ in parsed.tags]
    assert not re.search("[\x00\x1b]", html)
    assert "<i>cats & dogs</i>" in parsed.words
    assert "contradicts" in parsed.words
    assert parsed.of("html")[0]["lang"] == "en"


def test_nothing_is_fetched_from_anywhere(tmp_path: Path) -> None:
    from PIL import Image

    pixels = [np.full((6, 8, 3), 20 * k, dtype=np.uint8) for k in range(11)]
    path = tmp_path / "one.jpg"
    Image.fromarray(pixels[0]).save(path)
    broken = tmp_path / "broken.png"
    broken.write_bytes(b"no picture")
    pictures: list[Path | np.ndarray] = [path, broken, *pixels[1:]]
    study = answered(replace(lw.Items.of(numbers()), pictures=pictures), KINDS)
    parsed = Parsed(report(study))
    sources = [image["src"] or "" for image in parsed.of("img")]
    assert sources
    assert all(re.match(r"data:image/(png|jpeg);base64,", source) for source in sources)
    assert all(image.get("alt") for image in parsed.of("img"))
    for tag, attributes in parsed.tags:
        assert tag not in ("script", "link", "iframe")
        for name, value in attributes.items():
            assert not name.startswith("on")
            assert name != "href" or (value or "").startswith("#")
    assert "no picture" in parsed.words or len(sources) == 12
    policy = [meta["content"] or "" for meta in parsed.of("meta") if "http-equiv" in meta]
    assert policy[0].startswith("default-src 'none'")


def test_texts_are_quoted() -> None:
    texts = [f"story number {k} " + "x" * 300 for k in range(12)]
    study = answered(replace(lw.Items.of(numbers()), texts=texts), KINDS)
    words = Parsed(report(study)).words
    assert "story number 0" in words
    assert "x" * 250 not in words


@pytest.mark.parametrize("n", [0, 1, 2])
def test_early_studies_have_a_report_too(n: int) -> None:
    assert "Too early to tell" in Parsed(report(answered(numbers(), KINDS, n))).words


def test_drawings_say_in_words_what_they_show() -> None:
    parsed = Parsed(report(answered(numbers(), KINDS, 12)))
    drawn = [svg for svg in parsed.of("svg") if svg.get("role") == "img"]
    assert len(drawn) == 2
    assert all(svg["aria-label"] for svg in drawn)
    assert [len(re.findall("<h1", report(answered(numbers(), KINDS))))] == [1]


def test_groups_are_ranked_by_size_and_named_where_a_person_did() -> None:
    study = answered(np.vstack([numbers(), [[0.0, 0.1]]]), [*KINDS, 0], 40)
    study.name(5, "middle")
    found = groups_of(study)
    assert [len(group.members) for group in found] == [5, 4, 4]
    assert [group.name for group in found if not group.name.startswith("Group ")] == ["middle"]
    assert all(group.n_placed == len(group.members) for group in found)


def test_many_items_and_groups_stay_light_and_told_apart(seed: int) -> None:
    rng = np.random.default_rng(seed)
    labels = np.arange(20_000) % 30
    places = rng.integers(0, 10_000, (20_000, 2))
    drawn = drawing("map", map_drawing(places, labels, {k: f"g{k}" for k in range(30)}, rng))
    assert len(drawn) < 300_000
    marks = set(re.findall(r'<g class="(c\d)"><use href="#(\w+)"', drawn))
    assert len(marks) == 30  # no two groups have both colour and shape in common
    assert {colour for colour, _ in marks} == {f"c{k}" for k in range(COLOURS)}


def test_a_curve_needs_two_answers() -> None:
    assert "too few" in drawing("curve", predicted_curve([1.0]))
    assert "50% at answer 2" in drawing("curve", predicted_curve([1.0, 0.5]))


def test_text_keeps_lines_and_shows_gaps() -> None:
    template = environment().from_string("{% for value in values %}{{ value }}|{% endfor %}")
    assert template.render(values=["a\nb", float("nan"), None, 0]) == "a\nb|—|—|0|"


def test_markup_is_escaped_once_and_unknown_names_are_errors() -> None:
    macro = "{% macro bold(value) %}<b>{{ value }}</b>{% endmacro %}"
    made = environment().from_string(macro + "{{ bold(value) }}{{ value|shortened(3) }}")
    assert made.render(value="<&\x1b>") == "<b>&lt;&amp;�&gt;</b>&lt;&amp;�…"
    with pytest.raises(UndefinedError):
        environment().from_string("{{ missing }}").render()
