"""Questions handed out."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.create_table(
        "leases",
        sa.Column("study_id", sa.Integer, sa.ForeignKey("studies.id"), primary_key=True),
        sa.Column("i", sa.BigInteger, primary_key=True),
        sa.Column("j", sa.BigInteger, primary_key=True),
        sa.Column("who", sa.Text, nullable=False),
        sa.Column("until", sa.Double, nullable=False),
    )
