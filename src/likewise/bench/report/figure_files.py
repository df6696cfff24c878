"""Figures as files, PNG and SVG, and as markup for the page.

In the page every colour becomes a CSS variable, so that figures follow the light or dark theme.
Names are drawn as they are: matplotlib's own mathematics is switched off, and it escapes markup.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import TYPE_CHECKING

from likewise.bench.report.style import COLOURS, INK, RULE, SOFT

if TYPE_CHECKING:
    from matplotlib.figure import Figure

_THEME = {INK: "--ink", SOFT: "--soft", RULE: "--rule"} | {
    colour.lower(): f"--c{k}" for k, colour in enumerate(COLOURS)
}


def write_figure_files(figure: Figure, folder: Path, name: str) -> str:
    """Write the figure's two files; return its markup for the page."""
    import matplotlib

    with matplotlib.rc_context({"svg.hashsalt": name}):
        figure.savefig(folder / f"{name}.png", dpi=160, facecolor="white")
        unsigned = dict.fromkeys(("Date", "Creator", "Format", "Type"))
        path = folder / f"{name}.svg"
        figure.savefig(path, facecolor="white", metadata=unsigned)
    return _inline(path.read_text(encoding="utf-8"), name)


def _inline(svg: str, name: str) -> str:
    """Return the markup for a page: no preamble, no fixed size, ids of its own, theme colours."""
    svg = svg[svg.index("<svg") :]
    # The first patch is the figure's white ground: in the page, the page's own shows through.
    for unwanted in ("<metadata>.*?</metadata>", "<style.*?</style>", '<g id="patch_1">.*?</g>'):
        svg = re.sub(unwanted, "", svg, count=1, flags=re.S)
    head, body = svg.split(">", 1)
    head = re.sub(r'\s(width|height)="[^"]*"', "", head)
    # Only inside tags: a name that happens to look like an id or a colour is text.
    return f'{head} aria-hidden="true">' + re.sub(
        r"<[^>]*>", lambda tag: _themed(tag.group(), name), body
    )


def _themed(tag: str, name: str) -> str:
    tag = re.sub(r'\bid="', f'id="{name}-', tag)
    tag = re.sub(r'(href="#|url\(#)', rf"\g<1>{name}-", tag)
    for colour, variable in _THEME.items():
        tag = tag.replace(colour, f"var({variable})")
    return tag
