"""The drafts of a case beside its first, each with its request. Cases that are there get a row, from whose time on they are kept."""

from datetime import UTC, datetime

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None

MOMENT = sa.DateTime(timezone=True)


def upgrade() -> None:
    """Create the table, with a row for each case; one that is there is left, as where the version alone was lost."""
    if sa.inspect(op.get_bind()).has_table("case_drafts"):
        return
    made = op.create_table(
        "case_drafts",
        sa.Column("case_id", sa.String(36), sa.ForeignKey("cases.id", ondelete="CASCADE"), primary_key=True),
        sa.Column("number", sa.Integer(), primary_key=True),
        sa.Column("at", MOMENT, nullable=False),
        sa.Column("draft", sa.Text(), nullable=False),
        sa.Column("request", sa.Text(), nullable=False),
    )
    now = datetime.now(UTC)
    if op.get_bind().dialect.name == "sqlite":
        now = now.replace(tzinfo=None)
    cases = sa.table("cases", sa.column("id", sa.String(36)))
    rows = sa.select(cases.c.id, sa.literal(1), sa.literal(now, MOMENT), sa.literal(""), sa.literal(""))
    op.execute(sa.insert(made).from_select(["case_id", "number", "at", "draft", "request"], rows))
