"""The page in the browser, as the commands open it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from likewise.cli.consoles import say

if TYPE_CHECKING:
    from likewise.study import Study


def show_page(study: Study, name: str, **settings: Any) -> None:
    """Serve a study until Ctrl-C, and say where; `settings` are those of `likewise.web.serve`."""
    from likewise.web import serve

    serve(
        study,
        name=name,
        on_start=lambda url: say(f"{url}   (Ctrl-C stops; nothing is lost)"),
        **settings,
    )
