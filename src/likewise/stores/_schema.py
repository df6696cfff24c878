"""The tables of a database that keeps studies, and which versions of them there have been."""

from __future__ import annotations

from sqlalchemy import (
    BigInteger,
    Boolean,
    Column,
    Double,
    ForeignKey,
    Integer,
    MetaData,
    Table,
    Text,
    UniqueConstraint,
)

# Oldest first; each is the name of a script in migrations/versions.
REVISIONS = ("0001", "0002")
NEWEST = REVISIONS[-1]

metadata = MetaData()

revision = Table(
    "likewise_version", metadata, Column("version_num", Text, primary_key=True)
)  # alembic's, under a name of ours: other programs may keep tables in the same database

studies = Table(
    "studies",
    metadata,
    Column("id", Integer, primary_key=True),
    Column("name", Text, nullable=False),
    UniqueConstraint("name"),
)

items = Table(
    "items",
    metadata,
    Column("study_id", Integer, ForeignKey("studies.id"), primary_key=True),
    Column("position", BigInteger, primary_key=True),
    Column("id", Text, nullable=False),
    Column("reference", Text, nullable=False),  # where the item is: a path, a row
    Column("fingerprint", Text, nullable=False),
    Column("present", Boolean, nullable=False),  # False once it was no longer found
)

# The key of an event is its number, which its writer chooses: the next after all it has read.
# Of two programs that choose the same, the database refuses one.
events = Table(
    "events",
    metadata,
    Column("study_id", Integer, ForeignKey("studies.id"), primary_key=True),
    Column("position", BigInteger, primary_key=True),
    Column("event", Text, nullable=False),
    Column("id", BigInteger),
    Column("i", BigInteger),
    Column("j", BigInteger),
    Column("verdict", Text),
    Column("who", Text),
    Column("when", Text),
    Column("seconds", Double),
    Column("same_probability", Double),
    Column("model_version", Text),
    Column("rest", Text, nullable=False),  # all other fields, as JSON
    Column("token", Text, nullable=False),  # of the append that wrote it; see SqlStore.append
)

leases = Table(
    "leases",
    metadata,
    Column("study_id", Integer, ForeignKey("studies.id"), primary_key=True),
    Column("i", BigInteger, primary_key=True),
    Column("j", BigInteger, primary_key=True),
    Column("who", Text, nullable=False),
    Column("until", Double, nullable=False),  # seconds since 1970
)
