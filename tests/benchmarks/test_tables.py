"""What tables say: means with standard errors, and every published figure beside ours."""

from __future__ import annotations

import math

import pandas as pd
import pytest

pytest.importorskip("benchmarks", reason="the experiments are not in a wheel")

from benchmarks.methods import patient_tools
from benchmarks.methods.comparison import best_two, with_error
from benchmarks.papers import coprf_trees
from benchmarks.papers.coprf_variants import BASE, DATA, table
from benchmarks.papers.missed import FORMS, RIVALS, is_missed, paper_of
from benchmarks.tables import mean_and_error, with_best_mean_bold

from likewise.bench import papers


def test_the_best_mean_is_bold_with_its_error() -> None:
    none = pd.Series(dtype=float)
    runs = [pd.Series([0.5, 0.7]), pd.Series([0.25]), none]
    assert with_best_mean_bold(runs, digits=2) == ["**0.60 ± 0.10**", "0.25", ""]
    assert with_best_mean_bold([none]) == [""]
    assert mean_and_error(pd.Series([1.0, 3.0]), digits=1, sign="+") == "+2.0 ± 1.0"


def test_areas_have_errors_in_thousandths_where_there_are_seeds() -> None:
    assert with_error(0.6543, 0.0126) == "0.654 (13)"
    assert with_error(0.6543, math.nan) == "0.654"
    scores = pd.Series({"a": 0.1, "b": math.nan, "c": 0.3})
    assert best_two(scores, pd.Series({"a": 0.002, "c": math.nan})) == ["c 0.300", "a 0.100 (2)"]
    assert best_two(scores) == ["c 0.300", "a 0.100"]


@pytest.mark.parametrize("name", FORMS)
def test_forms_of_a_method_are_held_to_the_figures_of_the_method(name: str) -> None:
    paper, forms = paper_of(name), FORMS[name]
    told = paper.published[~paper.published["method"].isin([*forms])]
    assert len(told) == len(papers.load(name).published)
    for form, method in forms.items():
        mine = paper.published[paper.published["method"] == form]
        theirs = told[told["method"] == method]
        assert 0 < len(mine) <= len(theirs)
        assert set(mine["published"]) <= set(theirs["published"])
        run_on = {task.data_name for task in paper.experiment.tasks if task.method == form}
        assert set(mine["data"]) <= run_on


def test_figures_set_beside_data_that_stand_in_are_not_to_be_reached() -> None:
    told = paper_of("sgt").published
    assert len(told) == 48
    assert not set(told["data"]) & {task.data_name for task in papers.load("sgt").experiment.tasks}
    as_printed = {"metric": "dollars", "published": 70.0, "ours": 70.2}
    assert not is_missed(as_printed)
    assert is_missed({"metric": "ari", "published": 0.5, "ours": 0.499})


def test_the_rivals_are_held_to_what_is_published_of_them() -> None:
    assert set(paper_of(RIVALS).published["method"]) == {"quire", "pknn"}


def test_a_part_left_out_is_set_beside_the_whole_trial_by_trial() -> None:
    rows = pd.DataFrame(
        [
            {"variant": variant, "data": data, "seed": seed, "area": 1.0 + seed - less}
            for variant, less in ((BASE, 0.0), ("all pairs", 0.5))
            for data in DATA
            for seed in (0, 2)
        ]
    )
    lines = table(rows).splitlines()
    assert lines[3].startswith(f"| {BASE} | 2.00 ± 1.00 |")
    assert lines[4].endswith("| 1.50 ± 1.00 | -0.50 ± 0.00 |")
    partly = rows[(rows["variant"] == BASE) | (rows["data"] == DATA[0])]
    assert table(partly).splitlines()[4].endswith("| 1.50 ± 1.00 |  |  |  |  |  |  |")


def test_a_tool_that_was_stopped_is_not_the_best_within_a_minute() -> None:
    quick = pd.DataFrame(
        [
            ("iris", "auto", 0, 0.9, "ok"),
            ("iris", "cobras-ts", 0, 0.8, "stopped"),
            ("iris", "asc:ffqs-pckmeans", 0, 0.5, "ok"),
            ("wine", "cobras-ts", 0, 0.7, "ok"),
        ],
        columns=["data", "method", "seed", "area", "status"],
    )
    patient = pd.DataFrame(
        [
            ("iris", "asc:ffqs-mpckmeans", 0, 0.6, "ok"),
            ("iris", "asc:ffqs-mpckmeans", 1, 0.8, "stopped"),
            ("wine", "asc:ffqs-mpckmeans", 0, 0.75, "ok"),
            ("wine", "asc:npu-mpckmeans", 0, 0.25, "ok"),
        ],
        columns=quick.columns,
    )
    assert patient_tools.table(quick, patient).splitlines()[2:] == [
        "| iris | asc:ffqs-pckmeans 0.500 | 0.700 (100), 1 of 2 did not end |  |",
        "| wine | cobras-ts 0.700 | 0.750 | asc:npu-mpckmeans 0.250 |",
    ]


def test_more_trees_are_set_beside_fewer_trial_by_trial() -> None:
    few, many = coprf_trees.TREES
    rows = pd.DataFrame(
        [
            {"method": "coprf", "data": data, "noise": 0.0, "n_trees": n, "seed": seed,
             "area": 1.0 + seed + (n == many) / 2}
            for data in DATA for seed in (0, 2) for n in (few, many)
        ]
    )  # fmt: skip
    one = {**rows.iloc[0].to_dict(), "seed": 3, "area": 9.0}  # without its forest of many trees
    lines = coprf_trees.table(pd.concat([rows, pd.DataFrame([one])])).splitlines()
    assert [line.split(" | ")[2:4] for line in lines[3:6]] == [
        [str(few), "2.00 ± 1.00"], [str(many), "2.50 ± 1.00"], ["more", "+0.50 ± 0.00"]
    ]  # fmt: skip
