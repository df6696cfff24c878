"""The page itself: one HTML file that needs nothing else, figures as files beside it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from likewise.report.templating import environment

if TYPE_CHECKING:
    import pandas as pd
    from jinja2 import Template
    from matplotlib.figure import Figure

    from likewise.bench.report.look import Look
    from likewise.bench.report.summary import ConditionSummary

_HERE = Path(__file__).parent


def write_report(results: pd.DataFrame, folder: str | Path, *, title: str) -> Path:
    """Write `index.html` and the figures into a folder, made if missing; the page's path.

    `results` has a row per checkpoint of each run, with the columns in `rows.COLUMNS`. Rows of
    the method "omniscient" are shown as what is possible and not ranked. The page loads nothing
    from anywhere and runs no script.
    """
    template = _template()
    from likewise.bench.report import look as looks
    from likewise.bench.report import rows, summary

    frame = rows.checked(results)
    runs = summary.runs_of(frame)
    parts = summary.parts_of(frame, runs)
    methods = _by_rank(parts)
    look = looks.Look(methods)
    target = Path(folder)
    target.mkdir(parents=True, exist_ok=True)
    with looks.drawing():
        gallery = _Gallery(target)
        several = len(parts) > 1
        told = [
            _part(part, look, gallery, f"part {k}" if several else "")
            for k, part in enumerate(parts, start=1)
        ]
        cost = _costs(runs, methods, look, gallery)
    page = template.render(
        title=title,
        facts=summary.facts(frame, runs),
        parts=told,
        cost=cost,
        mishaps=summary.mishaps(runs),
        look=look,
        metrics=[name.replace("_", " ") for name in rows.METRICS],
        levels=summary.LEVELS,
        reference=rows.REFERENCE,
        grey=[name for name in methods if look.number(name) is None],
        enough_seeds=summary.ENOUGH_SEEDS,
    )
    path = target / "index.html"
    path.write_text(page, encoding="utf-8")
    return path


class _Gallery:
    """Keeps figures under names that are fit for files and used once."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.names: set[str] = set()

    def hang(self, figure: Figure, *words: str) -> dict[str, str]:
        """The markup of a figure, and the name of its files."""
        from likewise.bench.report.keeping import keep

        plain = re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")[:70]
        name, k = plain, 2
        while name in self.names:
            name, k = f"{plain}-{k}", k + 1
        self.names.add(name)
        return {"svg": keep(figure, self.folder, name), "file": name}


def _part(part: ConditionSummary, look: Look, gallery: _Gallery, number: str) -> dict[str, Any]:
    from likewise.bench.report import figures

    sets = part.sets
    diagram = None
    if part.critical_difference is not None:
        drawn = figures.critical_difference(part, look)
        diagram = gallery.hang(drawn, "ranks", number)
    return {
        "condition": part.condition,
        "summary": part.summary(),
        "friedman": part.friedman,
        "critical_difference": part.critical_difference,
        "n_sets": len(part.table),
        "best": str(part.ranks.index[0]),
        "diagram": diagram,
        "panels": [
            row
            | gallery.hang(figures.curves(part, row["data"], look), "curves", row["data"], number)
            for row in sets
        ],
        "sets": sets,
        "best_sets": part.best_sets(),
        "by_set": part.by_set(),
        "scores": part.scores(),
    }


def _costs(runs: pd.DataFrame, methods: list[str], look: Look, gallery: _Gallery) -> dict[str, Any]:
    from likewise.bench.report import costs, figures

    medians = runs.groupby(["method", "data"])[["ms", "memory"]].median()
    time = figures.spots(medians["ms"], methods, look, label="milliseconds per question")
    memory = figures.spots(medians["memory"], methods, look, label="peak memory, MiB")
    families = []
    for name, rows in costs.families(runs).items():
        lines = costs.growth(rows, methods)
        drawn = gallery.hang(figures.growth(name, lines, look), "growth", name)
        families.append({"name": name, "lines": lines} | drawn)
    return {
        "rows": costs.costs(runs, methods),
        "time": gallery.hang(time, "time") if time else None,
        "memory": gallery.hang(memory, "memory") if memory else None,
        "families": families,
    }


def _by_rank(parts: list[ConditionSummary]) -> list[str]:
    """All methods, the best mean rank over all parts first."""
    ranks: dict[str, list[float]] = {}
    for part in parts:
        for name, rank in part.ranks.items():
            ranks.setdefault(str(name), []).append(float(rank))
    return sorted(ranks, key=lambda name: sum(ranks[name]) / len(ranks[name]))


def _template() -> Template:
    """Return the template of the page, with the filters that only it needs."""
    made = environment(_HERE)
    filters: dict[str, Callable[..., str]] = {
        "fixed": _fixed, "short_number": _short_number, "p": _p_value, "duration": _duration,
    }  # fmt: skip
    made.filters.update(filters)
    return made.get_template("page.html.j2")


def _fixed(value: float | None, digits: int = 3) -> str:
    """A number with so many decimals; a dash where there is none."""
    return "–" if value is None or math.isnan(value) else f"{value:.{digits}f}"


def _short_number(value: float | None) -> str:
    """Three figures that count; thousands apart.

    >>> _short_number(0.012345), _short_number(12.0), _short_number(12345.6)
    ('0.0123', '12', '12 346')
    """
    if value is None or math.isnan(value):
        return "–"
    return f"{value:,.0f}".replace(",", " ") if abs(value) >= 100 else f"{value:.3g}"


def _p_value(value: float) -> str:
    """A probability as papers write it.

    >>> _p_value(0.00001), _p_value(0.04321)
    ('p < 0.001', 'p = 0.043')
    """
    if math.isnan(value):
        return "p not defined"
    return "p < 0.001" if value < 0.001 else f"p = {value:.3f}"


def _duration(seconds: float) -> str:
    """Seconds as a person would say them.

    >>> _duration(42), _duration(600), _duration(9000)
    ('42 s', '10 min', '2.5 h')
    """
    if seconds < 120:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
