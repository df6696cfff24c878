"""The page: answer questions in the browser, alone or together."""

from likewise.web.server import serve

__all__ = ["serve"]
