"""The OpenAPI document as a judge: a reply that it does not describe fails the test."""

from __future__ import annotations

import re
from typing import Any

import jsonschema_rs
from fastapi.testclient import TestClient


def require_described(document: dict[str, Any], reply: Any, method: str, path: str) -> None:
    """Fail if the document has this operation and does not describe this reply to it.

    Whatever has `status_code`, `headers`, `content` and `json()` is a reply.
    """
    templates = (t for t in sorted(document["paths"], key=lambda t: "{" in t) if _fits(t, path))
    template = next(templates, None)
    operation = document["paths"].get(template, {}).get(method.lower())
    if operation is None:
        return  # the page, its parts, and methods that there are not
    said = f"{method} {template} replied {reply.status_code}"
    described = operation["responses"].get(str(reply.status_code))
    assert described is not None, f"{said}, which /openapi.json does not know"
    content = described.get("content", {})
    kind = reply.headers.get("content-type", "").partition(";")[0]
    if not content:
        assert not reply.content, f"{said} with a body"
        return
    assert kind in content, f"{said} as {kind!r}"
    if kind == "application/json":
        schema = {**content[kind].get("schema", {}), "components": document["components"]}
        validator = jsonschema_rs.validator_for(schema)
        assert validator.is_valid(reply.json()), f"{said}: {validator.iter_errors(reply.json())}"


def _fits(template: str, path: str) -> bool:
    return re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", template), path) is not None


class JudgedClient(TestClient):
    """A client that holds every reply to the OpenAPI document."""

    def request(self, method: str, url: Any, **more: Any) -> Any:
        """Send a request; fail on a reply that is not as described."""
        reply = super().request(method, url, **more)
        app: Any = self.app
        require_described(app.openapi(), reply, method, reply.request.url.path)
        return reply
