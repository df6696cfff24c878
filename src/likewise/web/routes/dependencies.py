"""What a route needs of the application: the service of the study."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from likewise.web.service import StudyService


async def service_of(request: Request) -> StudyService:
    """Return the service that the request is about."""
    service: StudyService = request.app.state.service
    return service


Service = Annotated[StudyService, Depends(service_of)]
