"""Serve a pile whose study is kept on a PostgreSQL server: what compose.yaml runs."""

from __future__ import annotations

import logging
import os

import likewise as lw
from likewise.errors import LikewiseError
from likewise.web import serve

_log = logging.getLogger("likewise.team")


def main() -> None:
    """Serve until the container is stopped; everything is said by environment variables."""
    logging.basicConfig(level="INFO", format="%(message)s")
    pile = os.environ["PILE"]
    invited = [name.strip() for name in os.environ.get("INVITE", "").split(",") if name.strip()]
    try:
        # User and password are in PGUSER and PGPASSWORD, where no list of programs shows them.
        study = lw.Study(lw.load_items(pile), store=os.environ["STORE"])
        serve(
            study,
            host="0.0.0.0",
            port=8000,
            name=os.path.basename(pile),
            token=os.environ["LIKEWISE_TOKEN"],
            invite=invited,
            open_browser=False,
            on_start=lambda link: _log.info("owner: %s", link),
            on_note=_log.info,
            on_invite=lambda name, link: _log.info("%s: %s", name, link),
        )
    except (LikewiseError, OSError) as error:
        _log.error("likewise: %s", error)
        raise SystemExit(2) from None


if __name__ == "__main__":
    main()
