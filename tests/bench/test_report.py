"""The report: well-formed, self-contained, safe to open, and the numbers in it are right."""

from __future__ import annotations

import math
import re
import sys
from collections.abc import Iterable
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from likewise import datasets
from likewise.bench.bounds import placing_questions
from likewise.bench.experiment import Task
from likewise.bench.report import write_report
from likewise.bench.report.costs import families, growth
from likewise.bench.report.figures import cliques, critical_difference, curves, score_range
from likewise.bench.report.figures import growth as growth_figure
from likewise.bench.report.limits import with_limits
from likewise.bench.report.line_labels import spread
from likewise.bench.report.rows import COLUMNS, METRICS, REFERENCE, checked
from likewise.bench.report.style import SOFT, MethodStyles, drawing
from likewise.bench.report.summary import ConditionSummary, parts_of, runs_of
from likewise.errors import DataError, MissingExtra

VOID = {"meta", "br", "link", "img", "hr", "input"}


class Page(HTMLParser):
    """Notes tags that do not match, every address, every id, and the text outside of styles."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.open: list[str] = []
        self.mismatched: list[str] = []
        self.addresses: list[str] = []
        self.tags: set[str] = set()
        self.ids: list[str] = []
        self.text = ""
        self.feed(path.read_text(encoding="utf-8"))
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.add(tag)
        for name, value in attrs:
            if name in ("src", "href", "xlink:href", "srcset", "action"):
                self.addresses.append(value or "")
            if name == "id":
                self.ids.append(value or "")
            assert not name.startswith("on")
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if not self.open or self.open.pop() != tag:
            self.mismatched.append(tag)

    def handle_data(self, data: str) -> None:
        if "style" not in self.open:
            self.text += " " + data


def results(
    methods: Iterable[str] = ("good", "fair", "poor"),
    data: Iterable[str] = ("one", "two"),
    *,
    seeds: int = 2,
    noise: float = 0.0,
) -> pd.DataFrame:
    """Ramps from 0 to a height that each method has, a little apart between seeds."""
    rows: list[dict[str, object]] = []
    for k, method in enumerate(methods):
        for j, name in enumerate(data):
            for seed in range(seeds):
                for questions in (0, 10, 20):
                    score = (0.9 - 0.2 * k + 0.001 * seed) * questions / 20
                    rows.append(
                        {
                            **dict.fromkeys(COLUMNS, score),
                            "experiment": "trial", "method": method, "version": "1.2.3",
                            "data": name, "n": 100 * (j + 1), "d": 4, "k": 3, "k_known": True,
                            "seed": seed, "noise": noise, "questions": questions,
                            "seconds_asking": 0.01 * questions, "seconds_fitting": 0.0,
                            "seconds": 0.02 * questions * (j + 1), "peak_memory": 120.0 + k,
                            "threads": 1, "status": "ok", "reason": "",
                        }
                    )  # fmt: skip
    return pd.DataFrame(rows)


def written(frame: pd.DataFrame, folder: Path, title: str = "A trial") -> Page:
    page = Page(write_report(frame, folder, title=title))
    assert page.mismatched == []
    assert page.open == []
    assert len(page.ids) == len(set(page.ids))
    assert not [a for a in page.addresses if re.match(r"(?i)\s*(https?:|//|data:|javascript:)", a)]
    assert not page.tags & {"script", "iframe", "img", "link", "object"}
    for address in page.addresses:
        if not address.startswith("#"):
            assert (folder / address).is_file()
    return page


def test_the_page_stands_alone_and_every_figure_is_a_file_beside_it(tmp_path: Path) -> None:
    frame = pd.concat([results(["good", "poor"]), results(["good", "poor"], noise=0.1)])
    page = written(frame, tmp_path / "new" / "folder")
    text = (tmp_path / "new" / "folder" / "index.html").read_text(encoding="utf-8")
    assert "prefers-color-scheme: dark" in text
    assert "@import" not in text
    figures = {path.stem for path in (tmp_path / "new" / "folder").glob("*.png")}
    assert figures == {path.stem for path in (tmp_path / "new" / "folder").glob("*.svg")}
    assert {"time", "memory", "ranks-part-1", "curves-one-part-2"} <= figures
    assert "var(--c0)" in text
    assert "10 % of answers wrong" in page.text


def test_the_numbers_are_those_of_the_results(tmp_path: Path) -> None:
    page = written(results(), tmp_path)
    # Ramps to 0.9, 0.7 and 0.5 have half of that as area; ranks are 1, 2 and 3 on both sets.
    for number in ("0.450", "0.350", "0.250", "1.00", "2.00", "3.00", "0 / 0 / 2"):
        assert number in page.text
    assert "χ² = 4.00" in page.text
    # Critical difference of 3 methods on 2 sets: 2.343 sqrt(12 / 12).
    assert "less than 2.34 ranks" in page.text
    assert "100 items, 3 groups; 100 answers would prove them all" in page.text
    assert "1.2.3" in page.text
    # Areas of .4505 against .3505: the same on both sets, so the bootstrap has nothing to vary.
    assert "1.29 times that of the best other method (95 % interval 1.29 to 1.29)" in page.text
    assert "p, by Holm" in page.text


def test_what_cannot_be_beaten_is_told_where_the_data_can_be_read(tmp_path: Path) -> None:
    task = Task("random", "iris", 0, (20,))
    known = results(["random", "urasc"], ["iris"]).assign(settings=task.settings, k=3, n=150)
    _, truth = datasets.load("iris")
    frame = with_limits(known)
    assert set(frame["placing"]) == {placing_questions(truth)}
    assert frame["bits"].between(5, 60).all()
    page = written(frame, tmp_path)
    least = math.ceil(frame["bits"].iloc[0])
    # Answers at least, to prove all, without features, at worst.
    assert re.search(rf"150\s+4\s+3\s+20\s+{least}\s+150\s+248\s+297", page.text)
    assert with_limits(known.assign(settings="")).equals(frame.assign(settings=""))
    unknown = with_limits(known.assign(settings="", data="not here"))
    assert unknown[["bits", "placing"]].isna().all().all()


def test_questions_to_a_level_say_on_how_many_sets_it_was_reached() -> None:
    frame = results(["good"], ["one", "two", "three"])
    frame.loc[(frame["data"] == "one") & (frame["questions"] == 10), "ari"] = 0.85
    frame.loc[frame["data"] == "three", "ari"] = 0.1
    (row,) = parts(frame)[0].summary()
    assert row["levels"][0] == {"median": 15.0, "sets": 2, "of": 3}
    assert row["levels"][2] == {"median": None, "sets": 0, "of": 3}


def parts(frame: pd.DataFrame) -> list[ConditionSummary]:
    rows = checked(frame)
    return parts_of(rows, runs_of(rows))


def test_a_single_method_on_a_single_set_with_a_single_seed_is_a_report(tmp_path: Path) -> None:
    page = written(results(["only"], ["one"], seeds=1), tmp_path)
    assert "only" in page.text
    assert "told apart" not in page.text
    assert "0.450" in page.text


def test_hostile_names_are_shown_and_not_obeyed(tmp_path: Path) -> None:
    method, data = "<script>alert(1)</script>", '"><img src=x onerror=alert(1)> $x^2$ {{ 7*7 }}'
    frame = results([method, "../&amp;", "{% raw %}"], [data, "/etc/passwd"])
    frame.loc[frame["seed"] == 1, ["status", "reason"]] = ["stopped", "<b>time</b> {{ 1 }}"]
    page = written(frame, tmp_path, title="<h1>title</h1>")
    assert method in page.text
    assert data in page.text
    assert "<b>time</b> {{ 1 }}" in page.text
    assert "<h1>title</h1>" in page.text
    assert all(path.parent == tmp_path for path in tmp_path.rglob("*"))


def test_failed_and_stopped_runs_are_listed_with_their_reasons(tmp_path: Path) -> None:
    frame = results()
    poor = frame["method"] == "poor"
    failed = frame[poor & (frame["data"] == "one") & (frame["questions"] == 0)].copy()
    failed[["ari", "nmi", "seconds", "n", "d", "k", "questions"]] = np.nan
    failed["status"], failed["reason"] = "failed", "MemoryError: too large"
    frame = pd.concat([frame[~(poor & (frame["data"] == "one"))], failed])
    slow = (frame["method"] == "fair") & (frame["seed"] == 0) & (frame["data"] == "two")
    frame = frame[~(slow & (frame["questions"] > 10))]
    frame.loc[slow, ["status", "reason"]] = ["stopped", "600 s are over"]
    page = written(frame, tmp_path)
    assert "MemoryError: too large" in page.text
    assert "600 s are over" in page.text
    (part,) = parts(frame)
    assert part.ranks["poor"] == 3.0
    # Half way up at 10 questions, and there it stays: (0.35 / 2 + 0.35) / 2.
    runs = part.runs.set_index(["method", "data", "seed"])
    assert runs.loc[("fair", "two", 0), "area"] == pytest.approx(0.2625)


def test_a_method_that_failed_everywhere_ranks_last(tmp_path: Path) -> None:
    frame = results(data=["one"])
    scores = ["ari", "seconds", "seconds_asking", "seconds_fitting", "peak_memory"]
    frame.loc[frame["method"] == "good", scores] = np.nan
    frame.loc[frame["method"] == "good", "status"] = "failed"
    written(frame, tmp_path)
    assert parts(frame)[0].ranks.to_dict() == {"fair": 1.0, "poor": 2.0, "good": 3.0}


def test_the_omniscient_is_shown_and_not_ranked(tmp_path: Path) -> None:
    frame = results([REFERENCE, "good", "fair"], ["one"])
    page = written(frame, tmp_path)
    assert "knows the truth" in page.text
    assert REFERENCE in page.text
    assert REFERENCE not in parts(frame)[0].ranks.index


def test_sets_that_differ_in_size_only_show_growth(tmp_path: Path) -> None:
    page = written(results(["a", "b"], ["blobs(n=100, d=2)", "blobs(n=200, d=2)"]), tmp_path)
    # Twice the items took twice the time.
    assert "Exponents: a 1.00, b 1.00" in page.text
    assert (tmp_path / "growth-blobs-d-2.svg").is_file()


def test_rows_carried_forward_do_not_make_a_question_cheaper() -> None:
    frame = results(["good"], ["one"], seeds=1)
    frame.loc[frame["questions"] == 20, "seconds"] = 0.2
    assert runs_of(checked(frame))["ms"].to_list() == [pytest.approx(20.0)]


def test_more_methods_than_colours_stay_apart(tmp_path: Path) -> None:
    names = [f"method {k}" for k in range(4)] + [
        f"long name of method number {k}" for k in range(6)
    ]
    page = written(results(names, ["one"]), tmp_path)
    assert "thin grey lines are the 3 others" in page.text
    look = MethodStyles(names)
    assert [look.number(name) for name in names] == [*range(7), None, None, None]
    assert len({str(look.line(name)) for name in names[:7]}) == 7


def test_versions_of_one_method_are_methods_of_their_own() -> None:
    older = results(["good"]).assign(version="1.0.0")
    assert set(parts(pd.concat([results(["good"]), older]))[0].ranks.index) == {
        "good 1.0.0",
        "good 1.2.3",
    }


def test_incomplete_results_are_refused(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="lack the columns ari, reason"):
        write_report(results().drop(columns=["ari", "reason"]), tmp_path, title="")
    with pytest.raises(DataError, match="no results"):
        write_report(results().iloc[:0], tmp_path, title="")
    with pytest.raises(DataError, match="nothing can be compared"):
        write_report(results([REFERENCE]), tmp_path, title="")


def test_a_missing_package_is_named_with_what_to_install(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtra, match=r"matplotlib is not installed.*likewise\[plots\]"):
        write_report(results(), tmp_path, title="")


def test_labels_are_moved_apart_and_stay_inside() -> None:
    assert spread([1.0, 1.0, 1.0], gap=0.1, low=0.0, high=1.0) == pytest.approx([0.8, 0.9, 1.0])
    assert spread([-5.0], gap=0.1, low=0.0, high=1.0) == [0.0]


def test_bars_join_all_that_lie_within_reach_of_each_other() -> None:
    assert cliques([1.0, 1.2, 1.4, 3.0], 0.5) == [(0, 2)]
    assert cliques([1.0, 2.0, 3.0], 0.5) == []


def without_scores(frame: pd.DataFrame, reason: str) -> pd.DataFrame:
    """The results had every run failed, as the runner records it: one row, few columns."""
    first = frame[frame["questions"] == 0].drop(columns=[*METRICS, "seconds_asking"])
    return first.assign(n=-1, d=-1, k=-1, status="failed", reason=reason)


def test_when_every_run_failed_the_commonest_reason_is_the_message(tmp_path: Path) -> None:
    common = without_scores(results(["a", "b"]), "pip found no such package")
    rare = without_scores(results(["c"], ["one"], seeds=1), "too large")
    for frame in (pd.concat([common, rare]), pd.concat([common, rare, results([REFERENCE])])):
        with pytest.raises(DataError, match=r"every run failed \(9 in all\)") as told:
            write_report(frame, tmp_path / "page", title="")
        assert "8: pip found no such package" in str(told.value)
        assert "\n" not in str(told.value)
    with pytest.raises(DataError, match="the reason of all of them: pip found"):
        write_report(common, tmp_path / "page", title="")
    assert not (tmp_path / "page").exists()


def test_what_only_some_kinds_of_run_measure_may_be_missing(tmp_path: Path) -> None:
    frame = results().drop(columns=["seconds_asking", "seconds_fitting", "jaccard"])
    assert "0.450" in written(frame, tmp_path).text


def test_a_run_that_failed_at_once_is_neither_quick_nor_small(tmp_path: Path) -> None:
    frame = results(["good", "poor"], ["one"])
    poor = without_scores(results(["poor"], ["one"]), "no memory").assign(
        questions=10, seconds=1e-3
    )
    page = written(pd.concat([frame[frame["method"] == "good"], poor]), tmp_path)
    assert "-1" not in page.text
    assert "Growth with the number of items" not in page.text
    runs = runs_of(checked(pd.concat([frame[frame["method"] == "good"], poor])))
    assert runs.loc[runs["method"] == "poor", "ms"].isna().all()


def test_the_memory_of_a_public_tool_is_not_that_of_our_side() -> None:
    frame = results(["good", "poor"], ["one"])
    frame["kind"] = np.where(frame["method"] == "poor", "peer", "questions")
    memory = runs_of(checked(frame)).groupby("method")["memory"].max()
    assert memory["good"] == 120.0
    assert np.isnan(memory["poor"])


def texts(figure: Figure) -> dict[str, tuple[float, float]]:
    """Every text of a figure's axes with its left and right end, as shares of the figure."""
    canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    (axes,) = figure.axes
    boxes = {text.get_text(): text.get_window_extent() for text in axes.texts}
    width = figure.bbox.width
    return {words: (box.x0 / width, box.x1 / width) for words, box in boxes.items()}


LONG = ["icgui:spectral-closest", "asc:npu-mpckmeans", "asc:minmax-pckmeans", "urasc"]


def test_long_names_are_whole_and_inside_the_figure() -> None:
    frame = results(LONG, ["blobs(n=100)", "blobs(n=200)"])
    (part,) = parts(frame)
    look = MethodStyles(LONG)
    with drawing():
        (family,) = families(part.runs).values()
        drawn = [
            curves(part, "blobs(n=100)", look),
            critical_difference(part, look),
            growth_figure("blobs", growth(family, LONG), look),
        ]
        for figure in drawn:
            found = texts(figure)
            for name in LONG:
                (words,) = [words for words in found if words.startswith(name)]
                assert found[words][0] >= 0
                assert found[words][1] <= 1
        assert "urasc  n^1.00" in found


def test_with_many_methods_the_best_seven_stand_out(tmp_path: Path) -> None:
    names = [f"method-{k}" for k in range(19)]
    frame = results(reversed(names), ["one"], seeds=1)
    (part,) = parts(frame)
    best = [str(name) for name in part.ranks.index]
    assert best == names[::-1]
    with drawing():
        (axes,) = curves(part, "one", MethodStyles(best)).axes
    assert {text.get_text() for text in axes.texts} == set(best[:7])
    grey = [line for line in axes.get_lines() if line.get_color() == SOFT]
    assert len(grey) == 12
    assert all(line.get_linewidth() < 1 for line in grey)
    page = written(frame, tmp_path)
    assert "The 7 methods with the best mean ranks by area under the curve" in page.text
    assert "12 others: " + ", ".join(best[7:]) in page.text


def test_an_interval_is_drawn_when_there_are_seeds_enough() -> None:
    for seeds, shaded in ((2, 0), (5, 1)):
        (part,) = parts(results(["good"], ["one"], seeds=seeds))
        with drawing():
            (axes,) = curves(part, "one", MethodStyles(["good"])).axes
        assert len(axes.collections) == shaded


def test_the_best_of_every_row_is_marked() -> None:
    frame = results(["good", "fair"], ["one", "two"])
    frame.loc[(frame["method"] == "good") & (frame["data"] == "two"), "ari"] = np.nan
    rows = parts(frame)[0].by_set()
    assert [[best for _, best in row["cells"]] for row in rows] == [[True, False], [False, True]]


def test_the_axis_of_scores_shows_what_is_there() -> None:
    assert score_range(-0.003, 0.02) == (-0.01, 0.31)
    assert score_range(0.99, 1.0) == (0.69, 1.01)
    assert score_range(np.inf, -np.inf) == (-0.03, 1.03)
    for low, high in ((-0.2, 0.4), (0.0, 1.0), (0.29, 0.31)):
        bottom, top = score_range(low, high)
        assert bottom <= low < high <= top
