"""People who answer by HTTP and keep to the page's rules about what may be dropped."""

from __future__ import annotations

import asyncio
from collections import Counter
from dataclasses import dataclass, field
from typing import Any
from urllib.parse import parse_qs, urlsplit

import httpx
import numpy as np

from benchmarks.server.fault_parts.checker import Given, Told

FIRST_PAUSE, LONGEST_PAUSE = 0.25, 2.0  # seconds; the page is more patient
_NEVER = (409, 422)  # understood, and refused for good
_PATIENCE = 10.0  # seconds without a reply after which a person tries again
_WRONG, _REGRETTED = 0.1, 0.05  # shares of answers


def true_verdict(ids: list[str]) -> str:
    """Return what is true of two items, which say their group at the end of their ids."""
    one, other = (name.rpartition("-")[2] for name in ids)
    return "same" if one == other else "different"


@dataclass
class Person:
    """Somebody who answers, tries again without an end, and remembers what they were told."""

    name: str
    link: str
    seed: int
    looking: float = 0.3  # seconds at a question, on average
    given: list[Given] = field(default_factory=list)
    replies: Counter[str] = field(default_factory=Counter)
    latest: str = ""  # what the latest request was, and what came of it

    async def answer(self, base: str, stop: asyncio.Event) -> None:
        """Answer until `stop`, and then until nothing waits any more."""
        rng = np.random.default_rng(self.seed)
        (token,) = parse_qs(urlsplit(self.link).query)["token"]
        carried = {"authorization": f"Bearer {token}"}
        async with httpx.AsyncClient(base_url=base, headers=carried, timeout=_PATIENCE) as client:
            while not stop.is_set():
                question = await self._call(client, "GET", "/api/question", stop)
                if question is None or question.status_code != 200:
                    await asyncio.sleep(FIRST_PAUSE)
                    continue
                await asyncio.sleep(float(rng.gamma(4.0, self.looking / 4.0)))
                await self._send(client, question.json(), rng)
                last = self.given[-1]
                if last.answer_id is not None and rng.random() < _REGRETTED:
                    await self._take_back(client, last)

    async def _send(
        self, client: httpx.AsyncClient, question: dict[str, Any], rng: np.random.Generator
    ) -> None:
        ids = [card["id"] for card in question["items"]]
        verdict = true_verdict(ids)
        if rng.random() < _WRONG:
            verdict = "same" if verdict == "different" else "different"
        one = Given(self.name, f"{self.name}-{len(self.given)}", frozenset(ids), verdict)
        self.given.append(one)
        body = {"question": question["id"], "verdict": verdict, "client_id": one.client_id}
        reply = await self._call(client, "POST", "/api/answers", None, json=body)
        assert reply is not None
        one.told = Told.KEPT if reply.status_code == 201 else Told.REFUSED
        one.answer_id = reply.json()["id"] if reply.status_code == 201 else None

    async def _take_back(self, client: httpx.AsyncClient, one: Given) -> None:
        one.wants_back = True
        reply = await self._call(client, "DELETE", f"/api/answers/{one.answer_id}", None)
        assert reply is not None
        # A reply that was lost is followed by the sentence that there is no such answer.
        one.took_back = True

    async def _call(
        self,
        client: httpx.AsyncClient,
        method: str,
        path: str,
        stop: asyncio.Event | None,
        **more: Any,
    ) -> httpx.Response | None:
        """Return a reply that counts, however long it takes; None once `stop` is set."""
        pause = FIRST_PAUSE
        while stop is None or not stop.is_set():
            try:
                reply = await client.request(method, path, **more)
            except httpx.TransportError as error:
                self.replies["no reply"] += 1
                self.latest = f"{method} {path}: {error!r}"
            else:
                self.latest = f"{method} {path}: {reply.status_code} {reply.text[:200]}"
                self.replies[f"{method} {reply.status_code}"] += 1
                is_final = reply.status_code in _NEVER or (
                    method == "DELETE" and reply.status_code == 404
                )
                if reply.is_success or is_final:
                    return reply
                if reply.status_code == 429:
                    pause = float(reply.headers.get("retry-after", pause))
            await asyncio.sleep(pause)
            pause = min(2 * pause, LONGEST_PAUSE)
        return None
