"""A server that speaks OpenAI's protocol of chat completions: asked again when busy or failing."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from likewise._endpoints import (
    LONGEST_WAIT,
    authorisation,
    is_address,
    remedy,
    require_no_secret,
    wished_wait,
)
from likewise._extras import extra_explained
from likewise.answerers.ledger import Ledger, TokenPrice
from likewise.answerers.prompts import Prompt
from likewise.errors import DataError, LikewiseError

KEY = "LIKEWISE_LLM_KEY"  # the environment variable that holds the key of the server
_TRIES = 6
# What a server may not know, by the words in its refusal, and what is then sent instead of it.
_OPTIONAL = {
    "max_completion_tokens": ("max_tokens", "max_completion_tokens"),
    "response_format": ("response_format", ""),
    "json_schema": ("response_format", ""),
    "temperature": ("temperature", ""),
}

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Completion:
    """What came back from a call.

    Parameters
    ----------
    text : str
        What the model said; "" where nothing can be read.
    refused : bool
        Whether it, or the server, has refused to say anything about this.
    cost : float
        What the call has cost.
    sent, received : int
        Tokens, by the server's count; by ours where it has none.
    """

    text: str
    refused: bool
    cost: float
    sent: int
    received: int


class _Busy(Exception):  # noqa: N818 - reads as what it is
    """The server could not answer now."""

    def __init__(self, problem: str, wait: str | None = None) -> None:
        super().__init__(problem)
        self.wait = wait


class ChatEndpoint:
    """The server, and the model that is asked there.

    Parameters
    ----------
    address : str
        What the paths of the protocol begin with, such as "https://api.example.com/v1".
    model : str
        One of its models.
    timeout : float
        Seconds until a call without a reply is given up.
    calls_per_minute : float, optional
        How often it is called at most.
    sleep : callable
        Waits so many seconds.

    Raises
    ------
    DataError
        If the address is none, or holds a password.
    """

    def __init__(
        self,
        address: str,
        model: str,
        *,
        timeout: float,
        calls_per_minute: float | None = None,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        if not is_address(address):
            raise DataError(
                f"a language model needs the address of its server, such as "
                f"http://localhost:11434/v1, not {address!r}"
            )
        require_no_secret(address, KEY)
        if not model:
            raise DataError("a language model needs the name by which its server knows it")
        self.address, self.model = address.rstrip("/"), model
        self.host = urlsplit(address).netloc
        self._timeout, self._sleep = timeout, sleep
        self._pause = 60 / calls_per_minute if calls_per_minute else 0.0
        self._last_call = -self._pause
        self._changed: dict[str, str] = {}  # options this server does not know, and what to do

    def complete(
        self, prompt: Prompt, price: TokenPrice, ledger: Ledger, picture_tokens: int
    ) -> Completion:
        """Call until there is a reply; every call is noted in the ledger before it is made.

        A call that was refused costs nothing; one whose reply was lost may have been paid for, and
        counts in full.

        Raises
        ------
        CostLimit
            If the call could cost more than is left.
        DataError
            If the server refuses, or keeps failing.
        """
        with extra_explained():
            import httpx
            import tenacity

        n_sent = prompt.tokens(picture_tokens, at_most=True)
        n_received = prompt.most_reply_tokens
        most = price.cost(n_sent, n_received, len(prompt.questions))

        def once() -> Completion:
            self._keep_pace()
            call = ledger.reserve(most)
            try:
                response = self._post(httpx, self._body(prompt))
            except (httpx.ConnectError, httpx.ConnectTimeout, httpx.UnsupportedProtocol) as error:
                ledger.release(call)
                raise _Busy(f"could not be reached ({error})") from error
            except httpx.HTTPError as error:
                raise _Busy(f"did not reply ({type(error).__name__})") from error
            except LikewiseError:
                ledger.release(call)
                raise
            if response.status_code != 200:
                ledger.release(call)
                return self._refused(response, once)
            done = _read(response, n_sent, n_received)
            cost = price.cost(done.sent, done.received, len(prompt.questions))
            ledger.settle(call, cost, done.sent, done.received)
            return Completion(done.text, done.refused, cost, done.sent, done.received)

        retrying = tenacity.Retrying(
            stop=tenacity.stop_after_attempt(_TRIES),
            retry=tenacity.retry_if_exception_type(_Busy),
            wait=self._wait,
            sleep=self._sleep,
            reraise=True,
        )
        try:
            return retrying(once)
        except _Busy as error:
            raise DataError(
                f"{self.host} {error} {_TRIES} times; the answers so far are kept, so try the "
                "same later"
            ) from error

    def _post(self, httpx: Any, body: dict[str, Any]) -> Any:
        # No redirects: items go to the address that was allowed, and to no other.
        return httpx.post(
            f"{self.address}/chat/completions",
            json=body,
            headers=authorisation(self.address, KEY),
            timeout=self._timeout,
        )

    def _body(self, prompt: Prompt) -> dict[str, Any]:
        body: dict[str, Any] = {
            "model": self.model,
            "messages": prompt.messages,
            "temperature": 0,
            "max_tokens": prompt.most_reply_tokens,
            "response_format": {
                "type": "json_schema",
                "json_schema": {"name": "answers", "strict": True, "schema": prompt.schema},
            },
        }
        for option, instead in self._changed.items():
            value = body.pop(option)
            if instead:
                body[instead] = value
        return body

    def _refused(self, response: Any, again: Callable[[], Completion]) -> Completion:
        """Deal with a status other than 200: wait, do without an option, or say what is wrong."""
        status = response.status_code
        problem = f"answered {status} {response.reason_phrase}".rstrip()
        if status in (408, 409, 425, 429) or status >= 500:
            raise _Busy(problem, response.headers.get("retry-after"))
        if status in (400, 422):
            for word, (option, instead) in _OPTIONAL.items():
                if word in response.text and option not in self._changed:
                    self._changed[option] = instead
                    _log.info("%s does not take %s; going on without it", self.host, option)
                    return again()
        raise DataError(f"{self.host} {problem}{self._remedy(response)}")

    def _remedy(self, response: Any) -> str:
        unknown = response.status_code not in (401, 403)
        if response.status_code == 404 or (unknown and "model" in response.text[:2000].lower()):
            return (
                f"; check the address, which usually ends in /v1, and that {self.model!r} is one "
                "of its models"
            )
        return remedy(response.status_code, KEY)

    def _wait(self, state: Any) -> float:
        """Return how long to wait: as the server asks, else ever longer."""
        error = state.outcome.exception()
        wait = min(wished_wait(error.wait, 2.0 ** (state.attempt_number - 1)), LONGEST_WAIT)
        _log.info("%s %s; next try in %.0f s", self.host, error, wait)
        return wait

    def _keep_pace(self) -> None:
        if self._pause:
            rest = self._last_call + self._pause - time.monotonic()
            if rest > 0:
                self._sleep(rest)
            self._last_call = time.monotonic()


def _read(response: Any, n_sent: int, n_received: int) -> Completion:
    """Read a completion; of nonsense nothing but that it was paid for, at the most it can cost."""
    try:
        data = response.json()
    except (ValueError, RecursionError):
        data = None
    usage = _mapping(_mapping(data).get("usage"))
    sent = _count(usage.get("prompt_tokens"), n_sent)
    received = _count(usage.get("completion_tokens"), n_received)
    choices = _mapping(data).get("choices")
    first = _mapping(choices[0] if isinstance(choices, list) and choices else None)
    message = _mapping(first.get("message"))
    content = message.get("content")
    refused = bool(message.get("refusal")) or first.get("finish_reason") == "content_filter"
    return Completion(content if isinstance(content, str) else "", refused, 0.0, sent, received)


def _mapping(value: Any) -> dict[str, Any]:
    """Return what should be a mapping, an empty one where it is not."""
    return value if isinstance(value, dict) else {}


def _count(value: Any, otherwise: int) -> int:
    sound = isinstance(value, int) and not isinstance(value, bool) and value >= 0
    return int(value) if sound else otherwise
