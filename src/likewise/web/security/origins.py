"""Where a request comes from: under which name the server was called, and from whose page."""

from __future__ import annotations

import re
from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.responses import Response
from starlette.types import Scope

from likewise.errors import MethodError
from likewise.web.errors import error_reply

_SAFE = ("GET", "HEAD", "OPTIONS")


class Origins:
    """Refuses requests that come under a foreign name or from a foreign page.

    Parameters
    ----------
    hosts
        The names under which the server may be called, None for any: a name that an attacker
        points at this computer is refused.
    trusted_hosts
        Names, with a port if it is not the usual one, under which a proxy offers the page. They may
        be called too, and their pages may write although the proxy calls the server otherwise.

    Raises
    ------
    MethodError
        If something else than a name is given, such as a whole address.
    """

    def __init__(
        self, *, hosts: Iterable[str] | None = None, trusted_hosts: Iterable[str] = ()
    ) -> None:
        self._trusted = frozenset(one.lower() for one in trusted_hosts)
        names = {_require_name(one) for one in self._trusted}
        self._hosts = None if hosts is None else frozenset(hosts) | names

    def refusal(self, scope: Scope) -> Response | None:
        """Return what to reply to a request that no client of the page would send, else None."""
        headers = Headers(scope=scope)
        host = headers.get("host", "")
        if self._hosts is not None and hostname(host) not in self._hosts:
            return error_reply(
                421, "this server is not known under that name; --trusted-host makes it known"
            )
        if self._is_foreign(headers, host) and not _follows_link(scope, headers):
            return error_reply(403, "another site can link to this page, and nothing else")
        kind = headers.get("content-type", "").partition(";")[0].strip().lower()
        if scope["method"] not in (*_SAFE, "DELETE") and kind != "application/json":
            return error_reply(415, "send JSON, with content-type application/json")
        return None

    def _is_foreign(self, headers: Headers, host: str) -> bool:
        """Return whether a page of another origin has sent the request."""
        if headers.get("sec-fetch-site", "same-origin") not in ("same-origin", "none"):
            return True
        origin = headers.get("origin")
        if origin is None:
            return False
        named = origin.partition("://")[2].lower()
        return named != host.lower() and named not in self._trusted


def _follows_link(scope: Scope, headers: Headers) -> bool:
    """Return whether somebody has followed a link to the page."""
    mode = headers.get("sec-fetch-mode", "navigate")
    return scope["path"] == "/" and scope["method"] in _SAFE and mode == "navigate"


def _require_name(host: str) -> str:
    """Return the name of a trusted host, without the port; refuse what is none."""
    if not re.fullmatch(r"([\w.-]+|\[[0-9a-f:.]+\])(:\d+)?", host):
        raise MethodError(
            f"a trusted host is a name such as photos.example.org or photos.example.org:8443, "
            f"not {host!r}"
        )
    return hostname(host)


def hostname(host: str) -> str:
    """Return the name in a Host header, without the port; "" if it is none."""
    try:
        return (urlsplit(f"//{host}").hostname or "").lower()
    except ValueError:
        return ""
