"""A server on this machine that speaks OpenAI's protocol of chat completions, with all its faults.

It stands in for a language model where none is to be paid: in tests, and in examples.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread
from typing import Any

_ITEM = re.compile(r"Item (A\d+):\n?(.*?)(?=\n*(?:Item A\d+:|Questions:\n)|\Z)", re.DOTALL)
_PAIR = re.compile(r"^(q\d+): Are (A\d+) and (A\d+) ", re.MULTILINE)
_PLACE = re.compile(r"^(q\d+): To which group does (A\d+) belong: (.*), or to a new", re.MULTILINE)
_GROUP = re.compile(r"(g\d+) = \{(A\d+)")

Judge = Callable[[str, str], str]  # of two texts: same, different or unsure


@dataclass
class ChatServer:
    """What the stand-in is told to do, and what it was asked.

    Parameters
    ----------
    address : str
        What to give as `base_url`.
    judge : callable
        Says of the texts of two items what the model says of them.
    faults : list of str
        What goes wrong with the next calls, one each: "429", "500", "401" and other numbers are
        refusals; "nonsense" is no JSON; "half" breaks off within the reply; "broken" within the
        connection; "slow" comes late; "shuffled" comes in another order; "refusal" says so;
        "no schema" refuses the schema; "silent" has no usage; "" is none.
    delay : float
        Seconds that a slow reply takes.
    replied : list of list of tuple of str
        By call that was replied to in full, the two texts of every pair.
    bodies : list of dict
        All that was sent here.
    keys : list of str
        The authorisation of each call.
    tokens : list of tuple of int
        By call that was paid for, the tokens sent and received.
    """

    address: str
    judge: Judge
    faults: list[str] = field(default_factory=list)
    delay: float = 1.0
    replied: list[list[tuple[str, str]]] = field(default_factory=list)
    bodies: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    tokens: list[tuple[int, int]] = field(default_factory=list)

    @property
    def pairs(self) -> list[tuple[str, str]]:
        """All pairs that were answered, the two texts of each in alphabetical order."""
        return [(min(pair), max(pair)) for call in self.replied for pair in call]

    def reply(self, body: dict[str, Any]) -> tuple[int, dict[str, str], bytes]:
        """Return status, headers and content of the reply to a call."""
        self.bodies.append(body)
        fault = self.faults.pop(0) if self.faults else ""
        if fault.isdigit():
            message = {"error": {"message": "the model is not there"}}
            return int(fault), {"retry-after": "0"}, json.dumps(message).encode()
        if fault == "no schema" and "response_format" in body:
            message = {"error": {"message": "response_format is not supported"}}
            return 400, {}, json.dumps(message).encode()
        if fault == "slow":
            time.sleep(self.delay)
        answers, pairs = self._answers(body)
        if fault == "shuffled":
            answers = answers[::-1]
        text = json.dumps({"answers": answers})
        if fault == "half":
            text = text[: len(text) // 2]
        said = {"role": "assistant", "content": text}
        if fault == "refusal":
            said = {"role": "assistant", "content": "", "refusal": "I cannot help with that."}
        sent, received = len(json.dumps(body["messages"])) // 4, len(text) // 4
        self.tokens.append((sent, received))
        if fault not in ("refusal", "nonsense", "half", "broken"):
            self.replied.append(pairs)
        whole: dict[str, Any] = {
            "choices": [{"index": 0, "message": said, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": sent, "completion_tokens": received},
        }
        if fault == "silent":
            del whole["usage"]
        content = b"<html>busy</html>" if fault == "nonsense" else json.dumps(whole).encode()
        return (200, {"x-fault": fault}, content)

    def _answers(self, body: dict[str, Any]) -> tuple[list[dict[str, str]], list[tuple[str, str]]]:
        content = body["messages"][1]["content"]
        if not isinstance(content, str):
            content = "\n".join(part.get("text", "") for part in content)
        shown = {tag: text.strip() for tag, text in _ITEM.findall(content)}
        answers, pairs = [], []
        for name, one, other in _PAIR.findall(content):
            pairs.append((shown[one], shown[other]))
            answers.append({"id": name, "answer": self.judge(shown[one], shown[other])})
        for name, item, groups in _PLACE.findall(content):
            said = {
                group: self.judge(shown[item], shown[member])
                for group, member in _GROUP.findall(groups)
            }
            same = [group for group, verdict in said.items() if verdict == "same"]
            unsure = "unsure" if "unsure" in said.values() else "new"
            answers.append({"id": name, "answer": same[0] if same else unsure})
        return answers, pairs


@contextmanager
def chat_server(judge: Judge) -> Iterator[ChatServer]:
    """Serve a stand-in for a language model on this machine while the block runs.

    Parameters
    ----------
    judge : callable
        Says of the texts of two items "same", "different" or "unsure".

    Examples
    --------
    >>> with chat_server(lambda one, other: "same") as server:
    ...     server.address.startswith("http://127.0.0.1:")
    True
    """

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            content = self.rfile.read(int(self.headers["content-length"]))
            server.keys.append(self.headers.get("authorization", ""))
            status, headers, reply = server.reply(json.loads(content))
            self.send_response(status)
            broken = headers.get("x-fault") == "broken"
            for name, value in {**headers, "content-length": str(len(reply))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(reply[: len(reply) // 2] if broken else reply)

        def handle(self) -> None:
            """Answer one call; whoever has hung up meanwhile is not waited for."""
            try:
                super().handle()
            except OSError:
                self.close_connection = True

        def log_message(self, *args: object) -> None:
            """Keep quiet."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as httpd:
        server = ChatServer(f"http://127.0.0.1:{httpd.server_address[1]}/v1", judge)
        thread = Thread(target=httpd.serve_forever, args=(0.01,))
        thread.start()
        try:
            yield server
        finally:
            httpd.shutdown()
            thread.join()
