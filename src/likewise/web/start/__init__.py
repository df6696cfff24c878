"""The start page: which pile, what counts, reading it; then the server serves its study."""

from __future__ import annotations

from likewise.web.start.app import create_start_app
from likewise.web.start.opening import Choice, Opening, PileOpener
from likewise.web.start.recent import RecentPiles
from likewise.web.start.server import serve_start

__all__ = ["Choice", "Opening", "PileOpener", "RecentPiles", "create_start_app", "serve_start"]
