"""Text for HTML: whatever comes from a pile is escaped here and nowhere else."""

from __future__ import annotations

import unicodedata
from html import escape

_UNSEEN = ("Cc", "Cs", "Co", "Cn")  # control characters and what has no meaning


def text(value: object, longest: int | None = None) -> str:
    """A value as HTML text, shortened if need be; what cannot be shown becomes a question mark.

    >>> text("<b> & \\x00", None), text("a long story", 6)
    ('&lt;b&gt; &amp; �', 'a long…')
    """
    shown = "—" if value is None or value != value else str(value)  # NaN differs from itself
    if longest is not None and len(shown) > longest:
        shown = shown[:longest].rstrip() + "…"
    visible = (c if c in "\n\t" or unicodedata.category(c) not in _UNSEEN else "�" for c in shown)
    return escape("".join(visible), quote=True)


def tag(name: str, *inside: str, **attributes: object) -> str:
    """An element around HTML that is ready; attributes are escaped, `_` in their names is `-`.

    >>> tag("p", "Hello", class_="big", aria_label='"x"')
    '<p class="big" aria-label="&quot;x&quot;">Hello</p>'
    """
    said = "".join(
        f' {key.rstrip("_").replace("_", "-")}="{text(value)}"'
        for key, value in attributes.items()
        if value is not None
    )
    return f"<{name}{said}>{''.join(inside)}</{name}>"


def percent(share: float | None) -> str:
    """A share in whole percent.

    >>> percent(0.934), percent(None)
    ('93%', '—')
    """
    return "—" if share is None else f"{share:.0%}"
