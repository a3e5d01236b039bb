"""Whose a case is, as its newest version has it, beside its label: a list shows and finds it without reading versions."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None

FIELDS = ("patient_name", "record_number")


def upgrade() -> None:
    """Add the columns that are missing, and fill them from the newest versions."""
    there = {column["name"] for column in sa.inspect(op.get_bind()).get_columns("cases")}
    for name in FIELDS:
        if name not in there:
            op.add_column("cases", sa.Column(name, sa.Text(), nullable=False, server_default=""))
    cases = sa.table("cases", sa.column("id"), sa.column("version"), *(sa.column(name) for name in FIELDS))
    versions = sa.table("case_versions", sa.column("case_id"), sa.column("version"), sa.column("content"))
    newest = sa.and_(versions.c.case_id == cases.c.id, versions.c.version == cases.c.version)
    for case_id, content in op.get_bind().execute(sa.select(cases.c.id, versions.c.content).where(newest)).all():
        details = json.loads(content).get("details") or {}
        told = {name: str(details[name]) for name in FIELDS if details.get(name)}
        if told:
            op.get_bind().execute(sa.update(cases).where(cases.c.id == case_id).values(told))
