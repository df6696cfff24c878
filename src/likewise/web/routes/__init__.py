"""The HTTP routes, one router per resource."""

from __future__ import annotations

from likewise.web.routes import answers, disputes, groups, media, study

ROUTERS = tuple(module.router for module in (study, answers, groups, disputes, media))

__all__ = ["ROUTERS"]
