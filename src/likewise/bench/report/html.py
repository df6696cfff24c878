"""The page itself: one HTML file that needs nothing else, figures as files beside it."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.bench.report import costs, figures, rows, style, summary
from likewise.bench.report.figure_files import write_figure_files
from likewise.bench.report.style import MethodStyles
from likewise.bench.report.summary import ConditionSummary
from likewise.report.templating import environment

if TYPE_CHECKING:
    import pandas as pd
    from jinja2 import Template
    from matplotlib.figure import Figure

_HERE = Path(__file__).parent


def write_report(results: pd.DataFrame, folder: str | Path, *, title: str) -> Path:
    """Write `index.html` and the figures into a folder; return the page's path.

    The page loads nothing from anywhere and runs no script.

    Parameters
    ----------
    results : DataFrame
        A row per checkpoint of each run, with the columns in `rows.COLUMNS`. Rows of the method
        "omniscient" are shown as what is possible and not ranked. A column `state`, as
        `provenance.with_states` adds it, tells which runs are out of date; without it all count as
        of unknown provenance.
    folder : path
        Where to write; made if missing.
    title : str
        The heading of the page.

    Returns
    -------
    Path
        Of the page.

    Raises
    ------
    DataError
        When there are no results, or none with labels.
    """
    frame = rows.checked(results)
    runs = summary.runs_of(frame)
    parts = summary.parts_of(frame, runs)
    methods = _by_rank(parts)
    styles = MethodStyles(methods)
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    with style.drawing():
        files = _FigureFolder(target)
        several = len(parts) > 1
        shown = [
            _part(part, styles, files, f"part {k}" if several else "")
            for k, part in enumerate(parts, start=1)
        ]
        cost = _costs(runs, methods, styles, files)
    page = _template().render(
        title=title,
        overview=summary.overview(frame, runs),
        parts=shown,
        cost=cost,
        unfinished=summary.unfinished(runs),
        styles=styles,
        metrics=[name.replace("_", " ") for name in rows.METRICS],
        levels=summary.LEVELS,
        reference=rows.REFERENCE,
        grey=[name for name in methods if styles.number(name) is None],
        enough_seeds=summary.ENOUGH_SEEDS,
    )
    path = target / "index.html"
    path.write_text(page, encoding="utf-8")
    return path


class _FigureFolder:
    """A folder for figures, under names that are fit for files and used once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: set[str] = set()

    def add(self, figure: Figure, *words: str) -> dict[str, str]:
        """Write a figure's files; return its markup and the name of the files."""
        plain = re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")[:70]
        name, k = plain, 2
        while name in self.names:
            name, k = f"{plain}-{k}", k + 1
        self.names.add(name)
        return {"svg": write_figure_files(figure, self.folder, name), "file": name}


def _part(
    part: ConditionSummary, styles: MethodStyles, files: _FigureFolder, number: str
) -> dict[str, Any]:
    sets = part.sets
    diagram = None
    if part.critical_difference is not None:
        drawn = figures.critical_difference(part, styles)
        diagram = files.add(drawn, "ranks", number)
    return {
        "condition": part.condition,
        "summary": part.summary(),
        "friedman": part.friedman,
        "critical_difference": part.critical_difference,
        "n_sets": len(part.table),
        "best": str(part.ranks.index[0]),
        "ratios": part.ratios,
        "diagram": diagram,
        "panels": [
            row
            | files.add(figures.curves(part, row["data"], styles), "curves", row["data"], number)
            for row in sets
        ],
        "over_minutes": [
            {"data": row["data"]} | files.add(over, "minutes", row["data"], number)
            for row in sets
            if (over := figures.minutes(part, row["data"], styles)) is not None
        ],
        "sets": sets,
        "best_sets": part.best_sets(),
        "by_set": part.by_set(),
        "scores": part.scores(),
    }


def _costs(
    runs: pd.DataFrame, methods: list[str], styles: MethodStyles, files: _FigureFolder
) -> dict[str, Any]:
    medians = runs.groupby(["method", "data"])[["ms", "memory"]].median()
    time = figures.dot_plot(medians["ms"], methods, styles, label="milliseconds per question")
    memory = figures.dot_plot(medians["memory"], methods, styles, label="peak memory, MiB")
    families = []
    for name, family in costs.families(runs).items():
        lines = costs.growth(family, methods)
        drawn = files.add(figures.growth(name, lines, styles), "growth", name)
        families.append({"name": name, "lines": lines} | drawn)
    return {
        "rows": costs.costs(runs, methods),
        "time": files.add(time, "time") if time else None,
        "memory": files.add(memory, "memory") if memory else None,
        "families": families,
    }


def _by_rank(parts: list[ConditionSummary]) -> list[str]:
    """Return all methods, the best mean rank over all parts first."""
    ranks: dict[str, list[float]] = {}
    for part in parts:
        for name, rank in part.ranks.items():
            ranks.setdefault(str(name), []).append(float(rank))
    return sorted(ranks, key=lambda name: sum(ranks[name]) / len(ranks[name]))


def _template() -> Template:
    """Return the page's template, in the environment of all reports."""
    made = environment(_HERE)
    made.filters.update(fixed=_fixed, short_number=_short_number, p=_p_value, duration=_duration)
    return made.get_template("bench.html.j2")


def _fixed(value: float | None, digits: int = 3) -> str:
    """Return a number with so many decimals; a dash where there is none."""
    return "–" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def _short_number(value: float | None) -> str:
    """Return a number with three significant digits; thousands apart.

    >>> _short_number(0.012345), _short_number(12.0), _short_number(12345.6)
    ('0.0123', '12', '12 346')
    """
    if value is None or math.isnan(value):
        return "–"
    return f"{value:,.0f}".replace(",", " ") if abs(value) >= 100 else f"{value:.3g}"


def _p_value(value: float) -> str:
    """Return a probability as papers write it.

    >>> _p_value(0.00001), _p_value(0.04321)
    ('p < 0.001', 'p = 0.043')
    """
    if math.isnan(value):
        return "p not defined"
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def _duration(seconds: float) -> str:
    """Return seconds in the unit a person would use.

    >>> _duration(42), _duration(600), _duration(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
