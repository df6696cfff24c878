"""The page in a notebook: question and groups below a cell, drawn by the same modules.

A notebook has no server to speak to. The modules ask for paths as they do in a browser, the widget
carries each request to Python, and the same application answers it there.
"""

from __future__ import annotations

import asyncio
import base64
import re
import threading
from importlib.resources import files
from typing import Any

from likewise.errors import MissingExtra
from likewise.study import Study

_STATIC = files("likewise.web") / "static"
_IMPORT = re.compile(r'from "\./([a-z]+)\.js"')


def widget(study: Study) -> Any:
    """Return a widget for Jupyter, VS Code, Colab or marimo that asks questions about a study.

    Parameters
    ----------
    study
        The study; answers given in the widget are recorded in it at once.

    Raises
    ------
    MissingExtra
        If anywidget is not installed.
    """
    try:
        import anywidget
    except ImportError as error:
        raise MissingExtra(
            'a widget needs anywidget; install it with pip install "likewise[notebook]"'
        ) from error

    class StudyWidget(anywidget.AnyWidget):
        """Carries requests of the page to the application, and its replies back."""

        _esm = bundle_module("notebook")
        _css = scope_css(_stylesheets())

    shown = StudyWidget()
    bridge = AppBridge(study)

    def reply(_: Any, content: dict[str, Any], __: Any) -> None:
        bridge.submit(content, shown.send)

    shown.on_msg(reply)
    shown.bridge = bridge
    return shown


class AppBridge:
    """The application without a server: requests are answered in a thread of its own.

    Requests and replies are plain dicts, as the widget's messages carry them.
    """

    def __init__(self, study: Study) -> None:
        from likewise.web.app import create_app

        self.app = create_app(study)
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()

    def submit(self, request: dict[str, Any], send: Any) -> None:
        """Answer a request in the background; call `send` with the reply, which has its id."""

        async def work() -> None:
            send({"id": request.get("id"), **await self.request(request)})

        asyncio.run_coroutine_threadsafe(work(), self._loop)

    async def request(self, request: dict[str, Any]) -> dict[str, Any]:
        """Return the reply to a request.

        Parameters
        ----------
        request
            `method`, `path` with its query, and `body`, which is sent as JSON unless None.

        Returns
        -------
        dict
            `status`, `content` as text, where a picture is a data URL, and `later`: in how many
            seconds to ask again, "" if there is no need.
        """
        import json

        path, _, query = str(request["path"]).partition("?")
        body = b"" if request.get("body") is None else json.dumps(request["body"]).encode()
        scope = {
            "type": "http", "method": request["method"], "path": path, "raw_path": path.encode(),
            "query_string": query.encode(), "scheme": "http", "http_version": "1.1",
            "root_path": "", "client": ("notebook", 0), "server": ("notebook", 0),
            "headers": [
                (b"host", b"notebook"), (b"content-type", b"application/json"),
                (b"content-length", str(len(body)).encode()),
            ],
        }  # fmt: skip
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            return {"type": "http.request", "body": body, "more_body": False}

        async def collect(message: Any) -> None:
            sent.append(message)

        await self.app(scope, receive, collect)
        content = b"".join(message.get("body", b"") for message in sent)
        headers = dict(sent[0]["headers"])
        kind = headers.get(b"content-type", b"").decode()
        if kind.startswith("image/"):
            text = f"data:{kind};base64,{base64.b64encode(content).decode()}"
        else:
            text = content.decode()
        later = headers.get(b"retry-after", b"").decode()
        return {"status": sent[0]["status"], "content": text, "later": later}

    def close(self) -> None:
        """Close the service of the study and end the thread."""
        self.app.state.service.close()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


def bundle_module(entry: str) -> str:
    """Return a module of the page with all it imports as one text.

    Imported modules become data URLs, since a notebook serves no files.
    """
    made: dict[str, str] = {}

    def address(name: str) -> str:
        if name not in made:
            encoded = base64.b64encode(linked(name).encode()).decode()
            made[name] = f"data:text/javascript;base64,{encoded}"
        return made[name]

    def linked(name: str) -> str:
        text = (_STATIC / f"{name}.js").read_text(encoding="utf-8")
        return _IMPORT.sub(lambda found: f'from "{address(found[1])}"', text)

    return linked(entry)


def _stylesheets() -> str:
    """Return all that the page's views look by."""
    return "\n".join(
        (_STATIC / name).read_text(encoding="utf-8") for name in ("style.css", "notes.css")
    )


def scope_css(css: str) -> str:
    """Return the page's style with what it says of the whole page applied to the widget alone."""
    css = re.sub(r"^html \{.*\}$", "", css, flags=re.MULTILINE)
    css = re.sub(r"^(\s*):root", r"\1.likewise", css, flags=re.MULTILINE)
    return re.sub(r"^body \{", ".likewise {", css, flags=re.MULTILINE)
