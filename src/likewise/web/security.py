"""Middleware between the server and anybody who should not use it.

A page on some other site must not be able to answer in your name, nor to read your pictures: the
server looks at where a request comes from, demands a token when it listens to more than this
computer, and forbids the page to load or run anything that did not come with it.
"""

from __future__ import annotations

import asyncio
import hmac
import time
from collections import defaultdict, deque
from collections.abc import Callable, Iterable
from http.cookies import CookieError, SimpleCookie
from urllib.parse import parse_qs, urlsplit

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import RedirectResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.web.errors import error_reply

COOKIE = "likewise_token"
_LARGEST_BODY = 64 * 1024
_BODY_SECONDS = 10.0  # a body that takes longer is not waited for
_WRONG_TOKENS = 10  # per address and minute
_SAFE = ("GET", "HEAD", "OPTIONS")

HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; "
    "img-src 'self'; connect-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "referrer-policy": "no-referrer",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), microphone=(), geolocation=()",
}


class SecurityMiddleware:
    """ASGI middleware that refuses requests before anything else sees them.

    It also adds security headers to all replies, and ends requests whose body is too long or too
    slow.

    Parameters
    ----------
    app
        The application behind it.
    token
        Demanded of every request, in a link, a cookie or a bearer header; None lets everybody in.
        Ten wrong ones in a minute lock an address out.
    hosts
        The names under which the server may be called, None for any: a name that an attacker
        points at this computer is refused.
    clock
        Monotonic seconds; replaced in tests.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        token: str | None = None,
        hosts: Iterable[str] | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self.token = token
        self.hosts = None if hosts is None else frozenset(hosts)
        self._clock = clock
        self._wrong: dict[str, deque[float]] = defaultdict(deque)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let a request through, or reply why not; websockets are never let through."""
        if scope["type"] != "http":
            if scope["type"] == "lifespan":
                await self.app(scope, receive, send)
            return

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = MutableHeaders(scope=message)
                for name, value in HEADERS.items():
                    headers[name] = value
                headers.setdefault("cache-control", "no-store")
            await send(message)

        refusal = _refusal(scope, self.hosts) or self._check_token(scope)
        if refusal is not None:
            await refusal(scope, receive, send_with_headers)
            return
        await self.app(scope, _limited(receive), send_with_headers)

    def _check_token(self, scope: Scope) -> Response | None:
        """Return None if the token is right or none is needed; else what to reply."""
        if self.token is None:
            return None
        address = (scope.get("client") or ("",))[0]
        wrong, now = self._wrong[address], self._clock()
        while wrong and now - wrong[0] > 60:
            wrong.popleft()
        if len(wrong) >= _WRONG_TOKENS:
            return error_reply(429, "too many wrong tokens; wait a minute")
        query = parse_qs(scope.get("query_string", b"").decode("latin-1"))
        in_link = query.get("token", [""])[0]
        given = in_link or _token_in(Headers(scope=scope))
        if not hmac.compare_digest(given.encode(), self.token.encode()):
            if given:
                wrong.append(now)
            return error_reply(401, "open the link that the server printed: it carries the token")
        if in_link and scope["path"] == "/":
            # The token leaves the address, so that it is not kept in the browser's history.
            reply = RedirectResponse("/", status_code=303)
            reply.set_cookie(COOKIE, self.token, httponly=True, samesite="strict")
            return reply
        return None


def _refusal(scope: Scope, hosts: frozenset[str] | None) -> Response | None:
    """Return what to reply to a request that no client of the page would send, else None."""
    headers = Headers(scope=scope)
    host = headers.get("host", "")
    if hosts is not None and _hostname(host) not in hosts:
        return error_reply(421, "this server is not known under that name")
    length = headers.get("content-length", "0")
    if not length.isdigit() or int(length) > _LARGEST_BODY:
        return error_reply(413, "that is too much at once")
    if scope["method"] in _SAFE:
        return None
    if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
        return error_reply(403, "another site cannot write here")
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != host:
        return error_reply(403, "another site cannot write here")
    kind = headers.get("content-type", "").partition(";")[0].strip().lower()
    if scope["method"] != "DELETE" and kind != "application/json":
        return error_reply(415, "send JSON, with content-type application/json")
    return None


def _token_in(headers: Headers) -> str:
    """Return the token in a header or a cookie, "" if there is none."""
    scheme, _, bearer = headers.get("authorization", "").partition(" ")
    if scheme.lower() == "bearer":
        return bearer.strip()
    try:
        found = SimpleCookie(headers.get("cookie", "")).get(COOKIE)
    except CookieError:
        return ""
    return "" if found is None else found.value


def _limited(receive: Receive) -> Receive:
    """Return `receive`, but a body that is too long or too slow ends the request."""
    size, until = 0, time.monotonic() + _BODY_SECONDS
    complete = False

    async def limited() -> Message:
        nonlocal size, complete
        if complete:  # from here on only the end of the connection is waited for
            return await receive()
        try:
            message = await asyncio.wait_for(receive(), max(until - time.monotonic(), 0.001))
        except TimeoutError:
            return {"type": "http.disconnect"}
        size += len(message.get("body", b""))
        complete = not message.get("more_body", False)
        return {"type": "http.disconnect"} if size > _LARGEST_BODY else message

    return limited


def _hostname(host: str) -> str:
    """Return the name in a Host header, without the port; "" if it is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
