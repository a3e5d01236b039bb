"""Whose each case is, as its newest version has it: a list shows and finds it without reading versions."""

import json

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Create the table, with a row for each case whose newest version names somebody; one that is there is left."""
    if sa.inspect(op.get_bind()).has_table("case_patients"):
        return
    made = op.create_table(
        "case_patients",
        sa.Column("case_id", sa.String(36), sa.ForeignKey("cases.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("name", sa.Text(), nullable=False),
        sa.Column("record_number", sa.Text(), nullable=False),
    )
    cases = sa.table("cases", sa.column("id"), sa.column("version"))
    versions = sa.table("case_versions", sa.column("case_id"), sa.column("version"), sa.column("content"))
    newest = sa.and_(versions.c.case_id == cases.c.id, versions.c.version == cases.c.version)
    for case_id, content in op.get_bind().execute(sa.select(cases.c.id, versions.c.content).where(newest)).all():
        details = json.loads(content).get("details") or {}
        whose = {"name": details.get("patient_name") or "", "record_number": details.get("record_number") or ""}
        if any(whose.values()):
            op.execute(sa.insert(made).values(case_id=case_id, **whose))
