"""The report of a study: what is known, how sure it is, and what the groups look like."""

from __future__ import annotations

import numpy as np

from likewise._version import __version__
from likewise.journal.group_number import described_number
from likewise.quality import advise, shares_as_predicted
from likewise.report.drawings import map_drawing, predicted_curve
from likewise.report.groups import group_cards, groups_of
from likewise.report.templating import environment
from likewise.study import Study
from likewise.views.map_layout import layout

_MOST_CARDS = 60  # groups shown with their members; further ones are counted


def report(study: Study, title: str = "A pile in groups") -> str:
    """Return the report as HTML, complete in itself: styles, drawings and pictures are inside.

    Parameters
    ----------
    study
        The study; the report of one without answers says that it is too early to tell.
    title
        The heading of the report.

    Returns
    -------
    str
        An HTML document that loads nothing and runs no script. Of many groups the largest 60 are
        shown with their members, of many items a sample of 4000 is drawn on the map.

    Examples
    --------
    >>> study = Study([[0.0], [0.1], [5.0], [5.1]])
    >>> html = report(study, "Four <numbers>")
    >>> html.startswith("<!doctype html>"), "<h1>Four &lt;numbers&gt;</h1>" in html
    (True, True)
    """
    advice, groups = advise(study), groups_of(study)
    rest = groups[_MOST_CARDS:]
    names = {group.label: group.name for group in groups}
    places = layout(study.items, study.random_state)
    rng = np.random.default_rng(study.random_state)
    return (
        environment()
        .get_template("study.html.j2")
        .render(
            title=title,
            version=__version__,
            study=study,
            number_of_groups=described_number(study.n_clusters),
            advice=advice,
            curve=predicted_curve(shares_as_predicted(study)),
            disputes=[dispute.describe(study.items.ids) for dispute in study.disputes()],
            groups=groups,
            cards=group_cards(study, groups[:_MOST_CARDS]),
            n_more_groups=len(rest),
            n_more_items=sum(len(group.members) for group in rest),
            map=map_drawing(places, study.labels_, names, rng),
            last_answer=study.answers[-1].when[:16].replace("T", " ") if study.answers else "",
        )
    )
