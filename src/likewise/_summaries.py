"""What a study is, in one line, and in a table for notebooks; nothing is computed for it."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from typing import Any


def one_line(name: str, facts: Mapping[str, Any]) -> str:
    """Return a line like those of scikit-learn's estimators.

    >>> one_line("Study", {"n_items": 4, "method": "auto"})
    "Study(n_items=4, method='auto')"
    """
    return f"{name}({', '.join(f'{fact}={value!r}' for fact, value in facts.items())})"


def html_table(name: str, facts: Mapping[str, Any]) -> str:
    """Return the facts as a table with a row each, all of it escaped.

    >>> html_table("Study", {"store": "a<b"})
    '<table><caption>Study</caption><tr><th>store</th><td>a&lt;b</td></tr></table>'
    """
    rows = "".join(
        f"<tr><th>{escape(fact)}</th><td>{escape(str(value))}</td></tr>"
        for fact, value in facts.items()
    )
    return f"<table><caption>{escape(name)}</caption>{rows}</table>"
