"""A page on which people rate how alike two items are."""

from likewise.web.rating.app import create_rating_app
from likewise.web.rating.server import serve_rating

__all__ = ["create_rating_app", "serve_rating"]
