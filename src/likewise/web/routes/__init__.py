"""The HTTP routes, one router per resource."""

from __future__ import annotations

from likewise.web.routes import (
    answers,
    disputes,
    exports,
    folders,
    groups,
    guest,
    media,
    notes,
    people,
    placements,
    predictions,
    questions,
    steps,
    study,
    views,
)

ROUTERS = tuple(
    module.router
    for module in (
        study,
        views,
        exports,
        folders,
        questions,
        answers,
        placements,
        steps,
        groups,
        notes,
        predictions,
        disputes,
        people,
        guest,
        media,
    )
)

__all__ = ["ROUTERS"]
