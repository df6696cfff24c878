"""Templates for HTML that is written to files; whatever comes from a pile is escaped here."""

from __future__ import annotations

import unicodedata
from pathlib import Path

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

_HERE = Path(__file__).parent / "templates"
_UNPRINTABLE = ("Cc", "Cs", "Co", "Cn")  # control characters and what has no meaning


def environment(*folders: Path) -> Environment:
    """Return an environment that escapes everything and refuses unknown names.

    Parameters
    ----------
    folders
        Where templates are sought first; those of this package come last.

    Returns
    -------
    jinja2.Environment
        With the filters `percent`, `thousands` and `shortened`; `printable` is applied to every
        value that a template prints.
    """
    made = Environment(
        loader=FileSystemLoader([*folders, _HERE]),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        finalize=printable,
    )
    made.filters.update(percent=percent, thousands=thousands, shortened=shortened)
    return made


def printable(value: object) -> str:
    """Return what is shown of a value: a dash for nothing, a sign for each unprintable character.

    Markup is ready and stays as it is.

    >>> printable("a \\x00"), printable(None), printable(float("nan"))
    ('a �', '—', '—')
    """
    if isinstance(value, Markup):
        return value
    text = "—" if value is None or value != value else str(value)  # NaN differs from itself
    return "".join(
        c if c in "\n\t" or unicodedata.category(c) not in _UNPRINTABLE else "�" for c in text
    )


def shortened(value: object, longest: int) -> str:
    """Return a value as text of at most so many characters, with an ellipsis where it is cut.

    >>> shortened("a long story", 6), shortened(None, 6)
    ('a long…', '—')
    """
    text = printable(value)
    return text if len(text) <= longest else text[:longest].rstrip() + "…"


def percent(share: float | None, digits: int = 0) -> str:
    """Return a share in percent, a dash if there is none.

    >>> percent(0.934), percent(0.934, 1), percent(None)
    ('93%', '93.4%', '—')
    """
    return "—" if share is None else f"{share:.{digits}%}"


def thousands(number: int) -> str:
    """Return a whole number with its thousands apart.

    >>> thousands(12345)
    '12,345'
    """
    return f"{number:,}"
