"""Studies, their items and their events."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    op.create_table(
        "studies",
        sa.Column("id", sa.Integer, primary_key=True),
        sa.Column("name", sa.Text, nullable=False),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "items",
        sa.Column("study_id", sa.Integer, sa.ForeignKey("studies.id"), primary_key=True),
        sa.Column("position", sa.BigInteger, primary_key=True),
        sa.Column("id", sa.Text, nullable=False),
        sa.Column("reference", sa.Text, nullable=False),
        sa.Column("fingerprint", sa.Text, nullable=False),
        sa.Column("present", sa.Boolean, nullable=False),
    )
    op.create_table(
        "events",
        sa.Column("study_id", sa.Integer, sa.ForeignKey("studies.id"), primary_key=True),
        sa.Column("position", sa.BigInteger, primary_key=True),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("id", sa.BigInteger),
        sa.Column("i", sa.BigInteger),
        sa.Column("j", sa.BigInteger),
        sa.Column("verdict", sa.Text),
        sa.Column("who", sa.Text),
        sa.Column("when", sa.Text),
        sa.Column("seconds", sa.Double),
        sa.Column("same_probability", sa.Double),
        sa.Column("model_version", sa.Text),
        sa.Column("rest", sa.Text, nullable=False),
        sa.Column("token", sa.Text, nullable=False),
    )
