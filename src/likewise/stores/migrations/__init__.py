"""Brings the tables of a database to the newest version; one script per step in `versions`."""

from __future__ import annotations

from pathlib import Path

from alembic.config import Config
from alembic.operations import Operations
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from likewise.stores._schema import NEWEST, revision


def upgrade(connection: Connection, to: str = NEWEST) -> None:
    """Run the scripts that are missing, in the transaction that the connection is in."""
    config = Config()
    # alembic reads % as the beginning of a variable
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    scripts = ScriptDirectory.from_config(config)
    context = MigrationContext.configure(
        connection,
        opts={
            "fn": lambda current, _: scripts._upgrade_revs(to, current),
            "version_table": revision.name,
        },
    )
    with Operations.context(context):
        context.run_migrations()
