"""Requests made up from the OpenAPI document: no reply breaks, and each is as described there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
import pytest
import schemathesis
from fastapi.testclient import TestClient
from hypothesis import HealthCheck, given, settings
from schemathesis import Case

from likewise.study import Study
from likewise.web.app import create_app
from likewise.web.security import Access
from web.conftest import Live, pile
from web.openapi_document import require_described


@pytest.mark.slow
def test_no_request_breaks_the_server(live: Callable[..., Live]) -> None:
    study = Study(pile()[0])
    server = live(study, access=Access(token="right"))
    carried = {"authorization": "Bearer right"}
    schema = schemathesis.openapi.from_url(f"{server.url}/openapi.json", headers=carried)
    tried: set[str] = set()
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]

        @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy())
        def send(case: Case[Any]) -> None:
            reply = case.call(headers=carried)
            assert reply.status_code < 500, reply.text
            path = urlsplit(str(reply.request.url)).path
            kind = {"content-type": reply.headers.get("content-type", [""])[0]}
            plain = httpx.Response(reply.status_code, headers=kind, content=reply.content)
            require_described(schema.raw_schema, plain, case.method, path)
            tried.add(f"{case.method} {case.path}")

        send()
    assert len(tried) >= 16


def test_a_reply_that_is_not_as_described_is_noticed() -> None:
    document: dict[str, Any] = create_app(Study(pile()[0])).openapi()

    def reply(status: int, body: object) -> httpx.Response:
        return httpx.Response(status, json=body)

    require_described(document, reply(404, {"detail": "no"}), "GET", "/api/groups/7")
    require_described(document, reply(200, {}), "GET", "/static/app.js")  # not in the document
    for status, body in ((404, {"sentence": "no"}), (418, {"detail": "no"}), (200, {"group": 1})):
        with pytest.raises(AssertionError, match=r"GET /api/groups/\{group\} replied"):
            require_described(document, reply(status, body), "GET", "/api/groups/7")
    with pytest.raises(AssertionError, match="as 'text/plain'"):
        require_described(document, httpx.Response(200, text="1"), "GET", "/api/study")


def test_the_study_is_described_field_by_field(client: TestClient) -> None:
    document = client.get("/openapi.json").json()
    fields = document["components"]["schemas"]["StudyOut"]["properties"]
    assert set(client.get("/api/study").json()) == set(fields)
    for status in ("401", "403", "409", "429"):
        assert status in document["paths"]["/api/answers"]["post"]["responses"]
