"""Where `likewise start` finds the page in the browser."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from importlib.util import find_spec
from typing import TYPE_CHECKING

from likewise.cli.consoles import say

if TYPE_CHECKING:
    from likewise.study import Study


def page() -> Callable[[Study, str], None] | None:
    """What serves a study, by its name, until somebody stops it; None without such a part."""
    if find_spec("likewise.web") is None:
        return None

    def serve(study: Study, name: str) -> None:
        import_module("likewise.web").serve(
            study, name=name, say=lambda url: say(f"{url}   (Ctrl-C stops; nothing is lost)")
        )

    return serve
