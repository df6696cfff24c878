"""Requests made up from the OpenAPI document: whatever is sent, the server does not break."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import Case

from likewise.study import Study
from web.conftest import Live, pile


@pytest.mark.slow
def test_no_request_breaks_the_server(live: Callable[..., Live]) -> None:
    study = Study(pile()[0])
    schema = schemathesis.openapi.from_url(f"{live(study).url}/openapi.json")
    tried: set[str] = set()
    for found in schema.get_all_operations():
        operation: Any = found.ok()  # type: ignore[union-attr]

        @settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
        @given(operation.as_strategy())
        def send(case: Case[Any]) -> None:
            reply = case.call()
            assert reply.status_code < 500, reply.text
            tried.add(f"{case.method} {case.path}")

        send()
    assert len(tried) >= 16
