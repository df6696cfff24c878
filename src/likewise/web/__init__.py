"""The page: answer questions in the browser, alone or together."""

from likewise._extras import require_package
from likewise.web.server import serve

require_package("fastapi")

__all__ = ["serve"]
