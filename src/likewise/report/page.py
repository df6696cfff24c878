"""The report as a whole: what is known, how sure it is, and what the groups look like."""

from __future__ import annotations

from importlib.resources import files

import numpy as np

from likewise._version import __version__
from likewise.quality import Advice, advise, shares_as_predicted
from likewise.report import drawings
from likewise.report.groups import Group, cards, groups_of
from likewise.report.markup import percent, tag, text
from likewise.study import Study
from likewise.views.map_layout import layout


def report(study: Study, title: str = "A pile in groups") -> str:
    """The report as HTML, complete in itself: styles, drawings and pictures are inside.

    >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
    >>> html = report(study, "Four <numbers>")
    >>> html.startswith("<!doctype html>"), "<h1>Four &lt;numbers&gt;</h1>" in html
    (True, True)
    """
    advice, groups = advise(study), groups_of(study)
    body = [
        drawings.SHAPES,
        _header(study, title, advice),
        '<main id="main">',
        _standing(study, advice),
        _disputes(study),
        _section("Groups", _key(groups), tag("div", cards(study, groups), class_="groups")),
        _map(study, groups),
        "</main>",
        tag("footer", _origin(study)),
    ]
    style = files("likewise.report").joinpath("report.css").read_text(encoding="utf-8")
    head = (
        '<meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">'
        # Nothing may be loaded from anywhere, whatever a pile holds.
        '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'; '
        "img-src data:; style-src 'unsafe-inline'\">"
        f"<title>{text(title)}</title><style>{style}</style>"
    )
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}</head><body>{"".join(body)}</body></html>\n'
    )


def _header(study: Study, title: str, advice: Advice) -> str:
    pile = f"{len(study.items):,} items in {advice.groups} groups, by {advice.answers:,} answers"
    return tag(
        "header", tag("p", "likewise", class_="brand"), tag("h1", text(title)), tag("p", pile)
    )


def _standing(study: Study, advice: Advice) -> str:
    parts = [tag("p", text(advice.sentence), class_="advice")]
    if advice.right is not None and advice.low is not None and advice.high is not None:
        parts += [
            tag(
                "p",
                tag("strong", percent(advice.right)),
                f" expected in the right group, likely {percent(advice.low)} "
                f"to {percent(advice.high)}",
                class_="expected",
            ),
            drawings.band(advice.right, advice.low, advice.high),
        ]
    facts = (
        ("answers", f"{advice.answers:,}"),
        ("pairs settled by inference", f"{advice.settled_pairs:,}"),
        ("latest answers foreseen", percent(advice.as_predicted)),
        ("gain of 50 more answers", "—" if advice.gain is None else f"{advice.gain:.1%}"),
    )
    listed = "".join(tag("div", tag("dt", name), tag("dd", value)) for name, value in facts)
    curve = tag(
        "figure",
        tag("figcaption", "Answers foreseen, of the latest 20"),
        drawings.curve(shares_as_predicted(study)),
    )
    return tag("section", tag("div", *parts, tag("dl", listed)), curve, class_="standing")


def _disputes(study: Study) -> str:
    disputes = study.disputes()
    if not disputes:
        return ""
    told = (tag("li", text(dispute.describe(study.items.ids))) for dispute in disputes)
    return _section("Answers that contradict each other", tag("ul", *told))


def _key(groups: list[Group]) -> str:
    """All groups by name and size at a glance."""
    largest = max(len(group.members) for group in groups)
    entries = (
        tag(
            "li",
            drawings.sign(group.rank),
            tag("span", text(group.name, 60), class_="called"),
            tag("span", class_="bar", style=f"--share:{len(group.members) / largest:.3f}"),
            tag("span", f"{len(group.members):,}", class_="number"),
        )
        for group in groups
    )
    return tag("ul", *entries, class_="key")


def _map(study: Study, groups: list[Group]) -> str:
    ranks = {group.label: group.rank for group in groups}
    names = {group.label: group.name for group in groups}
    rng = np.random.default_rng(study.random_state)
    places = layout(study.items, study.random_state)
    drawn = drawings.map_of(places, study.labels_, ranks, names, rng)
    return _section(
        "Map", tag("p", "Items that are alike lie near each other.", class_="quiet"), drawn
    )


def _origin(study: Study) -> str:
    known = "unknown" if study.n_clusters is None else str(study.n_clusters)
    last = study.answers[-1].when if study.answers else ""
    when = f"; last answer {text(last[:16].replace('T', ' '))} UTC" if last else ""
    return tag(
        "p",
        f"Made by likewise {text(__version__)}: method {text(study.method)}, "
        f"number of groups given: {known}, seed {study.random_state}{when}.",
    )


def _section(heading: str, *inside: str) -> str:
    return tag("section", tag("h2", heading), *inside)
