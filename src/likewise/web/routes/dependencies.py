"""What a route needs: the service of the study, and who has sent the request."""

from __future__ import annotations

from typing import Annotated

from fastapi import Depends, Request

from likewise.web.security import Visitor
from likewise.web.service import StudyService


async def service_of(request: Request) -> StudyService:
    """Return the service that the request is about."""
    service: StudyService = request.app.state.service
    return service


async def visitor_of(request: Request) -> Visitor:
    """Return who has sent the request, as the middleware has found."""
    visitor: Visitor = request.state.visitor
    return visitor


Service = Annotated[StudyService, Depends(service_of)]
From = Annotated[Visitor, Depends(visitor_of)]
