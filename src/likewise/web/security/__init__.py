"""What stands between the server and anybody who should not use it.

A page on some other site must not be able to answer in your name, nor to read your pictures: the
server looks at where a request comes from, demands a token, tells the owner of the study from
people who were invited, and forbids the page to load or run what did not come with it.
"""

from __future__ import annotations

from likewise.web.security.access import Access, Visitor
from likewise.web.security.middleware import SecurityMiddleware
from likewise.web.security.origins import Origins
from likewise.web.security.proxies import networks

__all__ = ["Access", "Origins", "SecurityMiddleware", "Visitor", "networks"]
