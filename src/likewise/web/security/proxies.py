"""A reverse proxy in front of the server: what it says of those who come through it."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterable
from ipaddress import IPv4Network, IPv6Network

from starlette.datastructures import Headers
from starlette.types import Scope

from likewise.errors import MethodError

Networks = tuple[IPv4Network | IPv6Network, ...]


def networks(addresses: Iterable[str]) -> Networks:
    """Return the networks of addresses such as `127.0.0.1` or `10.0.0.0/8`."""
    try:
        return tuple(ipaddress.ip_network(one) for one in addresses)
    except ValueError as error:
        raise MethodError(
            f"a proxy is named by its address, such as 127.0.0.1 or 10.0.0.0/8: {error}"
        ) from error


def as_seen_by_proxy(scope: Scope, proxies: Networks) -> Scope:
    """Return a request with address and scheme as they were at the proxy it came through.

    Only a proxy is believed: what anybody else claims in `X-Forwarded-For` and
    `X-Forwarded-Proto` is ignored. A proxy appends to what its client claimed, so only the last
    address is its word.
    """
    peer = (scope.get("client") or ("", 0))[0]
    if not _within(peer, proxies):
        return scope
    headers = Headers(scope=scope)
    client, scheme = _last(headers, "x-forwarded-for"), _last(headers, "x-forwarded-proto")
    return {
        **scope,
        "client": (client if _is_address(client) else peer, 0),
        "scheme": scheme if scheme in ("http", "https") else scope.get("scheme", "http"),
    }


def _last(headers: Headers, name: str) -> str:
    """Return the last of the values that a header lists, "" if there is none."""
    return ",".join(headers.getlist(name)).rpartition(",")[2].strip().lower()


def _within(address: str, proxies: Networks) -> bool:
    """Return whether the address is a proxy's."""
    return _is_address(address) and any(ipaddress.ip_address(address) in one for one in proxies)


def _is_address(text: str) -> bool:
    try:
        ipaddress.ip_address(text)
    except ValueError:
        return False
    return True
