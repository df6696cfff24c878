"""The Model Context Protocol over lines of JSON: as much of it as a server of tools needs.

The package `mcp` would bring 27 others along; what a server of tools has to say is this.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from likewise._version import __version__
from likewise.errors import LikewiseError

# Revisions whose messages about tools are those below; another is answered with the latest.
_REVISIONS = ("2025-06-18", "2025-03-26", "2024-11-05")
_NOT_JSON, _NO_REQUEST, _NO_METHOD, _BAD_PARAMETERS = -32700, -32600, -32601, -32602


@dataclass(frozen=True)
class Tool:
    """Something that an agent may call.

    Parameters
    ----------
    name, description : str
        What it is called, and what it does.
    schema : mapping
        The JSON schema of its arguments.
    call : callable
        Takes the arguments by name and returns the parts of the reply.
    """

    name: str
    description: str
    schema: Mapping[str, Any]
    call: Callable[..., list[dict[str, Any]]] = field(repr=False)


class _RequestError(Exception):
    """A request that cannot be met, with the protocol's number for why."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class ToolServer:
    """Answers the messages of one agent.

    Parameters
    ----------
    tools : iterable of Tool
        What may be called.
    instructions : str
        What an agent is told at the beginning.

    Examples
    --------
    >>> ToolServer([]).reply('{"jsonrpc": "2.0", "id": 1, "method": "ping"}')
    '{"jsonrpc": "2.0", "id": 1, "result": {}}'
    """

    def __init__(self, tools: Iterable[Tool], instructions: str = "") -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._instructions = instructions

    def serve(self, lines: Iterable[str], write: Callable[[str], object]) -> None:
        """Answer line by line until no more come."""
        for line in lines:
            if line.strip() and (reply := self.reply(line)) is not None:
                write(reply + "\n")

    def reply(self, line: str) -> str | None:
        """Return the reply to a message as a line of JSON; None to what wants none."""
        number: Any = None
        try:
            try:
                message = json.loads(line)
            except ValueError:
                raise _RequestError(_NOT_JSON, "a message is one line of JSON") from None
            if not isinstance(message, dict) or not isinstance(message.get("method"), str):
                raise _RequestError(_NO_REQUEST, "a message is an object with a method")
            if "id" not in message:
                return None  # a notification
            number = message["id"]
            parameters = message.get("params") or {}
            if not isinstance(parameters, dict):
                raise _RequestError(_BAD_PARAMETERS, "params must be an object")
            content: dict[str, Any] = {"result": self._result(message["method"], parameters)}
        except _RequestError as error:
            content = {"error": {"code": error.code, "message": str(error)}}
        return json.dumps({"jsonrpc": "2.0", "id": number, **content})

    def _result(self, method: str, parameters: dict[str, Any]) -> dict[str, Any]:
        if method == "initialize":
            wanted = parameters.get("protocolVersion")
            return {
                "protocolVersion": wanted if wanted in _REVISIONS else _REVISIONS[0],
                "capabilities": {"tools": {}},
                "serverInfo": {"name": "likewise", "version": __version__},
                "instructions": self._instructions,
            }
        if method == "ping":
            return {}
        if method == "tools/list":
            return {
                "tools": [
                    {"name": one.name, "description": one.description, "inputSchema": one.schema}
                    for one in self._tools.values()
                ]
            }
        if method == "tools/call":
            return self._call(parameters.get("name"), parameters.get("arguments") or {})
        raise _RequestError(_NO_METHOD, f"there is no method {method!r}")

    def _call(self, name: Any, arguments: Any) -> dict[str, Any]:
        tool = self._tools.get(name) if isinstance(name, str) else None
        if tool is None:
            known = ", ".join(self._tools)
            raise _RequestError(_BAD_PARAMETERS, f"there is no tool {name!r}; there are {known}")
        allowed = tool.schema["properties"]
        unknown = [key for key in arguments if key not in allowed] if arguments else []
        if not isinstance(arguments, dict) or unknown:
            takes = ", ".join(allowed) or "nothing"
            raise _RequestError(_BAD_PARAMETERS, f"{name} takes {takes}, not {arguments}")
        # What goes wrong inside a tool is for the agent to read, not for its program.
        try:
            return {"content": tool.call(**arguments), "isError": False}
        except LikewiseError as error:
            return {"content": [text(str(error))], "isError": True}


def text(words: str) -> dict[str, Any]:
    """Return a part of a reply that is text."""
    return {"type": "text", "text": words}
