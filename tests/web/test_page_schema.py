"""Requests made up from the OpenAPI document: whatever is sent, the server does not break."""

from __future__ import annotations

import schemathesis
from hypothesis import HealthCheck, settings
from schemathesis import Case

from likewise.study import Study
from likewise.web.app import create_app
from web.conftest import pile

app = create_app(Study(pile()[0]))
schema = schemathesis.openapi.from_asgi("/openapi.json", app)


@schema.parametrize()
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
def test_no_request_breaks_the_server(case: Case) -> None:
    reply = case.call()
    assert reply.status_code < 500, reply.text
