"""Every method and every public tool on eighteen data sets: who needs the fewest answers, where.

Run with `python -m benchmarks comparison`; comparison.toml says what is run. LIKEWISE_DATA must
hold the UCI sets; the public tools are installed into environments of their own when first wanted.
"""

from __future__ import annotations

from math import nan
from pathlib import Path

import pandas as pd

from benchmarks.rows import rows_of
from benchmarks.tables import RESULTS, markdown, write_table
from likewise.bench.experiment import Experiment
from likewise.bench.paired import ratio_to_best_per_set, ratio_to_best_single
from likewise.bench.peers import PEERS
from likewise.bench.report import with_limits, write_report
from likewise.bench.report.rows import checked
from likewise.bench.report.summary import ConditionSummary, parts_of, runs_of

# Data sets that were looked at while `auto` or another method was changed; docs/results/looks.md
# is the log. A set that is not in it would be a measure of how methods do elsewhere.
LOOKED_AT = frozenset(
    {
        "iris", "wine", "breast_cancer", "digits", "sonar", "ionosphere", "glass", "bupa_liver",
        "pima_diabetes", "parkinsons", "segmentation_train210", "cho_yeast_genes", "balance_scale",
        "leaf_uci", "meu_mobile_9users", "urban_land_cover", "aqm-simulation", "moons",
    }
)  # fmt: skip


def main() -> None:
    """Write the report, and the tables that the documentation shows."""
    experiment = Experiment.read(Path(__file__).with_name("comparison.toml"))
    rows = rows_of(experiment)
    rows = with_limits(rows)
    write_report(rows, RESULTS / "comparison", title=experiment.title)
    write_tables(rows)


def write_tables(rows: pd.DataFrame) -> None:
    """Write what the documentation shows of the results."""
    frame = checked(rows)
    (part,) = parts_of(frame, runs_of(frame))
    for name, table in (
        ("ranks", ranks), ("areas", areas), ("paired", paired), ("ratios", ratios),
        ("limits", limits),
    ):  # fmt: skip
        write_table(f"comparison_{name}", table(part))


def ranks(part: ConditionSummary) -> str:
    """Return a line per method, best mean rank first."""
    lines = []
    for line in part.summary():
        versus = line["versus"]
        record = f"{versus.wins} / {versus.ties} / {versus.losses}" if versus else ""
        ended = ", ".join(f"{line[how]} {how}" for how in ("failed", "stopped") if line[how])
        area, rank, ms = f"{line['area']:.3f}", f"{line['rank']:.1f}", f"{line['ms']:.0f}"
        lines.append([line["method"], rank, area, record, ms, ended])
    header = ["method", "mean rank", "mean area", "won / tied / lost against the first"]
    return markdown([*header, "ms per question", "runs that did not end well"], lines)


def areas(part: ConditionSummary) -> str:
    """Return a line per data set: the best methods here, the best public tools, the reference.

    With standard errors over seeds in thousandths, as 0.654 (12). A tool that was stopped, or
    failed, on a set does not count as the best or the second there.
    """
    possible = {line["data"]: line["possible"] for line in part.sets}
    ours = part.table[[name for name in part.table if name not in PEERS]]
    theirs = part.table[[name for name in part.table if name in PEERS]]
    errors = part.runs.groupby(["data", "method"])["area"].sem()
    broken = part.runs[part.runs["status"] != "ok"].groupby("data")["method"].agg(set)
    lines = []
    for data in part.table.index:
        ended = broken.get(data, set())
        finished = theirs.loc[data].drop([name for name in theirs if name in ended])
        tools = [*best_two(finished, errors[data]), "", ""][:2]
        cells = [*best_two(ours.loc[data], errors[data]), *tools]
        cells.append(str(len(theirs.columns) - len(finished)))
        known = "" if pd.isna(possible[data]) else f"{possible[data]:.3f}"
        auto = with_error(part.table.loc[data, "auto"], errors[data]["auto"])
        lines.append([str(data), auto, *cells, known])
    header = ["data", "auto", "best here", "second", "best public tool that ended", "second"]
    return markdown([*header, "tools that did not end", "omniscient"], lines)


def best_two(scores: pd.Series, errors: pd.Series | None = None) -> list[str]:
    """Return the two largest with their names, and with their standard errors where there are."""
    top = scores.dropna().sort_values(ascending=False, kind="stable")[:2]
    spread = {} if errors is None else errors.to_dict()
    return [f"{name} {with_error(score, spread.get(name, nan))}" for name, score in top.items()]


def with_error(score: float, error: float) -> str:
    """Return an area, and its standard error in thousandths where there are several seeds.

    >>> with_error(0.654, 0.0123), with_error(0.5, float("nan"))
    ('0.654 (12)', '0.500')
    """
    return f"{score:.3f}" if pd.isna(error) else f"{score:.3f} ({1000 * error:.0f})"


def paired(part: ConditionSummary) -> str:
    """Return the method of the best rank against each other one: Wilcoxon, Holm, differences."""
    lines = [
        [
            name,
            f"{test.difference:+.3f} ({test.low:+.3f} to {test.high:+.3f})",
            f"{test.p_value:.4f}",
            f"{test.adjusted:.4f}",
            "yes" if test.adjusted < 0.05 else "",
        ]
        for name, test in part.paired.items()
    ]
    best = str(part.ranks.index[0])
    header = [f"{best} against", "mean difference of areas (95 %)", "p", "p by Holm", "below 5 %"]
    return markdown(header, lines)


def ratios(part: ConditionSummary) -> str:
    """Return how far the method of the best rank is ahead, over all sets and over some of them."""
    best = str(part.ranks.index[0])
    looked = [name for name in part.table.index if name in LOOKED_AT]
    lines = []
    for sets, table in (
        ("all", part.table),
        ("looked at while a method was changed", part.table.loc[looked]),
        ("not looked at", part.table.drop(index=looked)),
    ):
        if table.empty:
            lines.append([sets, "0", "", ""])
            continue
        both = ratio_to_best_single(table, best), ratio_to_best_per_set(table, best)
        cells = [f"{one.value:.2f} ({one.low:.2f} to {one.high:.2f})" for one in both]
        lines.append([sets, str(len(table)), *cells])
    return markdown(
        ["sets", "number", "to the best other method", "to the best on each set"], lines
    )


def limits(part: ConditionSummary) -> str:
    """Return how many answers there must be, and how many it takes without features."""
    lines = [
        [str(line["data"])]
        + [
            "" if line[name] is None else str(line[name])
            for name in ("n", "k", "least", "proof", "placing", "worst")
        ]
        for line in part.sets
    ]
    header = ["data", "items", "groups", "answers at least", "that prove all", "without features"]
    return markdown([*header, "at worst"], lines)
