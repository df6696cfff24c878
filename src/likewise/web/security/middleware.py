"""The middleware: every request passes here before anything else sees it."""

from __future__ import annotations

import time
from collections.abc import Callable
from urllib.parse import parse_qs

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import cookie_parser
from starlette.responses import HTMLResponse, Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from likewise.web.errors import error_reply
from likewise.web.security.access import Access, Visitor
from likewise.web.security.bodies import largest_body, limited, too_long
from likewise.web.security.origins import Origins
from likewise.web.security.proxies import Networks, as_seen_by_proxy
from likewise.web.security.tokens import WrongTokens

_COOKIE_SECONDS = 30 * 24 * 3600

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

# The page is gone to from here, not by a redirection: after a link on another site, say in a
# mail, a browser would not send the new cookie along with that.
_ENTERED = (
    '<!doctype html><meta charset="utf-8"><title>likewise</title>'
    '<meta http-equiv="refresh" content="0; url=/"><a href="/">Go on</a>'
)


class SecurityMiddleware:
    """ASGI middleware that refuses requests before anything else sees them.

    It also adds security headers to all replies, ends requests whose body is too long or too slow,
    and leaves in the state of a request who has sent it (`visitor`).

    Parameters
    ----------
    app
        The application behind it.
    access
        Whose the tokens are. Every request must bring one, in a link, a cookie or a bearer header;
        None lets everybody in as the owner. Ten wrong ones in a minute lock an address out.
    origins
        Under which names the server may be called, and whose pages may use it.
    proxies
        Networks of proxies, which are believed when they say where a request comes from.
    clock
        Monotonic seconds; replaced in tests.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        access: Access | None = None,
        origins: Origins | None = None,
        proxies: Networks = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.app = app
        self.access = access
        self._origins = Origins() if origins is None else origins
        self._proxies = proxies
        self._wrong = WrongTokens(clock)

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

        scope = as_seen_by_proxy(scope, self._proxies)
        # Whoever says at once that it will be too much is refused before anybody looks at tokens.
        admitted = (
            self._origins.refusal(scope) or too_long(scope, of_owner=True) or self._admit(scope)
        )
        if isinstance(admitted, Visitor):
            admitted = too_long(scope, of_owner=admitted.is_owner) or admitted
        if isinstance(admitted, Response):
            await admitted(scope, receive, send_with_headers)
            return
        scope.setdefault("state", {})["visitor"] = admitted
        largest = largest_body(scope, of_owner=admitted.is_owner)
        await self.app(scope, limited(receive, largest), send_with_headers)

    def _admit(self, scope: Scope) -> Visitor | Response:
        """Return who comes with the right token, or what to reply to anybody else."""
        if self.access is None:
            return Visitor()
        headers = Headers(scope=scope)
        in_link = parse_qs(scope.get("query_string", b"").decode("latin-1")).get("token", [""])[0]
        if token := in_link or _bearer(headers):
            visitor = self._holder_of(token, scope)
            if isinstance(visitor, Visitor) and in_link and scope["path"] == "/":
                return self._entered(visitor, scope)
            return visitor
        cookie = cookie_parser(headers.get("cookie", "")).get(cookie_name(scope), "")
        return self.access.holder_of_cookie(cookie) or _stay_outside()

    def _holder_of(self, token: str, scope: Scope) -> Visitor | Response:
        """Return whose token it is, or what to reply to who is guessing."""
        assert self.access is not None
        address = (scope.get("client") or ("",))[0]
        if self._wrong.too_many(address):
            return error_reply(429, "too many wrong tokens; wait a minute")
        visitor = self.access.holder_of(token)
        if visitor is None:
            self._wrong.add(address)
            return _stay_outside()
        return visitor

    def _entered(self, visitor: Visitor, scope: Scope) -> Response:
        """Return a reply that leaves a cookie, so that the token leaves the address."""
        assert self.access is not None
        reply = HTMLResponse(_ENTERED)
        reply.set_cookie(
            cookie_name(scope),
            self.access.cookie_for(visitor),
            max_age=_COOKIE_SECONDS,
            httponly=True,
            samesite="strict",
            secure=scope.get("scheme") == "https",
        )
        return reply


def cookie_name(scope: Scope) -> str:
    """Return the name of the cookie: servers on other ports of this computer have others."""
    _, port = scope.get("server") or ("", 0)
    return f"likewise_{port}"


def _bearer(headers: Headers) -> str:
    """Return the token in the authorization header, "" if there is none."""
    scheme, _, token = headers.get("authorization", "").partition(" ")
    # Headers are read as Latin-1, but whatever sends other letters sends UTF-8.
    text = token.strip().encode("latin-1").decode("utf-8", "replace")
    return text if scheme.lower() == "bearer" else ""


def _stay_outside() -> Response:
    """Return the reply to who has no token, or a wrong one."""
    return error_reply(401, "open the link that the server printed: it carries the token")
