"""The tables of version 0.1.0. A database that 0.1.0 wrote holds some or all of them; what is missing is made."""

from collections.abc import Iterator
from typing import Any

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None

ID = sa.String(36)
NAME = sa.String(60)
MOMENT = sa.DateTime(timezone=True)
COUNTED = sa.BigInteger().with_variant(sa.Integer(), "sqlite")
STUDY = "studies.id"
CASE = "cases.id"


def upgrade() -> None:
    """Create each table that is not there, with its indexes and the triggers that let it only grow."""
    there = set(sa.inspect(op.get_bind()).get_table_names())
    for name, parts in TABLES.items():
        if name not in there:
            columns = [part.copy() if isinstance(part, sa.Column) else part for part in parts]
            op.create_table(name, *columns)
            for index, on, fields in INDEXES:
                if on == name:
                    op.create_index(index, on, list(fields))
            if name in APPEND_ONLY:
                for statement in append_only(name, APPEND_ONLY[name], op.get_bind().dialect.name):
                    op.execute(statement)


def append_only(table: str, message: str, dialect: str) -> Iterator[str]:
    """Triggers that refuse to change or delete a row of a table.

    Yields:
        str: one at a time.
    """
    if dialect == "sqlite":
        for act in ("UPDATE", "DELETE"):
            yield (
                f"CREATE TRIGGER IF NOT EXISTS {table}_no_{act.lower()} BEFORE {act} ON {table} "
                f"BEGIN SELECT RAISE(ABORT, '{message}'); END"
            )
        return
    yield (
        f"CREATE OR REPLACE FUNCTION {table}_only_grows() RETURNS trigger LANGUAGE plpgsql AS "
        f"$$ BEGIN RAISE EXCEPTION '{message}'; END $$"
    )
    yield (
        f"CREATE TRIGGER {table}_only_grows BEFORE UPDATE OR DELETE OR TRUNCATE ON {table} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {table}_only_grows()"
    )


def key(name: str, kind: sa.types.TypeEngine[Any] = ID, of: str = "", cascade: bool = False) -> sa.Column[Any]:
    """A column of the primary key; of: the column it refers to."""
    references = [sa.ForeignKey(of, ondelete="CASCADE" if cascade else None)] if of else []
    return sa.Column(name, kind, *references, primary_key=True)


def text(name: str, kind: sa.types.TypeEngine[Any] | None = None, of: str = "", unique: bool = False) -> sa.Column[Any]:
    """A column that always holds something."""
    references = [sa.ForeignKey(of)] if of else []
    return sa.Column(name, kind or sa.Text(), *references, nullable=False, unique=unique)


def moment(name: str, nullable: bool = False) -> sa.Column[Any]:
    """A column with a time."""
    return sa.Column(name, MOMENT, nullable=nullable)


def number(name: str, kind: sa.types.TypeEngine[Any] | None = None) -> sa.Column[Any]:
    """A column with a number."""
    return sa.Column(name, kind or sa.Integer(), nullable=False)


def counted() -> sa.Column[Any]:
    """The key that the database counts up."""
    return sa.Column("seq", COUNTED, primary_key=True, autoincrement=True)


TABLES: dict[str, tuple[sa.schema.SchemaItem, ...]] = {
    "cases": (
        key("id"),
        text("label"),
        text("author"),
        text("state", sa.String(20)),
        number("version"),
        moment("created_at"),
        moment("updated_at"),
        text("draft"),
    ),
    "case_versions": (
        key("case_id", of=CASE, cascade=True),
        key("version", sa.Integer()),
        text("author"),
        moment("at"),
        sa.Column("corrects_signed", sa.Boolean(), nullable=False),
        text("content"),
    ),
    "case_edits": (
        key("case_id", of=CASE, cascade=True),
        key("version", sa.Integer()),
        key("place", sa.Integer()),
        text("record"),
    ),
    "case_signatures": (key("case_id", of=CASE, cascade=True), key("version", sa.Integer()), text("record")),
    "audit": (
        key("id"),
        moment("at"),
        text("actor"),
        text("action", sa.String(40)),
        text("case_id", ID),
        number("version"),
        number("place"),
    ),
    "studies": (
        key("id"),
        text("name"),
        text("state", sa.String(20)),
        number("version"),
        moment("created_at"),
        moment("updated_at"),
        text("setup"),
        moment("unlocked_at", nullable=True),
    ),
    "study_cases": (
        key("study_id", of=STUDY, cascade=True),
        key("case_id", NAME),
        number("place"),
        text("content"),
    ),
    "study_drafts": (
        key("study_id", of=STUDY, cascade=True),
        key("case_id", NAME),
        key("arm_id", NAME),
        text("status", sa.String(20)),
        text("content"),
    ),
    "study_frozen": (key("study_id", of=STUDY), text("sha256", sa.String(64)), text("document")),
    "study_adjudicators": (key("study_id", of=STUDY), key("rater_id", sa.String(8)), text("plan")),
    "study_links": (
        key("id"),
        text("study_id", ID, of=STUDY),
        text("rater_id", sa.String(8)),
        text("role", sa.String(20)),
        text("token_hash", sa.String(64), unique=True),
        text("label"),
        moment("created_at"),
        moment("withdrawn_at", nullable=True),
    ),
    "study_profiles": (key("study_id", of=STUDY), key("rater_id", sa.String(8)), text("content")),
    "study_ratings": (
        counted(),
        text("study_id", ID, of=STUDY),
        text("rater_id", sa.String(8)),
        text("id", ID),
        text("item_id", NAME),
        text("phase", sa.String(20)),
        text("question", sa.String(130)),
        text("part", sa.String(8)),
        number("revision"),
        moment("at"),
        text("process", ID),
        number("tick_s", sa.Float()),
        number("step"),
        text("record"),
        sa.UniqueConstraint("study_id", "rater_id", "id"),
        sa.UniqueConstraint("study_id", "rater_id", "item_id", "phase", "question", "part", "revision"),
    ),
    "study_judges": (counted(), text("id", ID, unique=True), text("study_id", ID, of=STUDY), text("content")),
    "study_events": (
        counted(),
        text("id", ID, unique=True),
        text("study_id", ID),
        text("actor"),
        text("kind", sa.String(20)),
        text("item_id", NAME),
        text("details"),
        moment("at"),
        text("process", ID),
        number("tick_s", sa.Float()),
        number("step"),
    ),
    "people": (
        key("id"),
        text("key", sa.String(200), unique=True),
        text("name"),
        text("role", sa.String(20)),
        text("password"),
        moment("created_at"),
        moment("removed_at", nullable=True),
    ),
    "logins": (
        key("token_hash", sa.String(64)),
        text("person_id", ID, of="people.id"),
        moment("created_at"),
        moment("used_at"),
    ),
    "access_trail": (counted(), moment("at"), text("actor"), text("act", sa.String(20)), text("name")),
}
INDEXES = (
    ("cases_by_change", "cases", ("updated_at", "id")),
    ("audit_by_case", "audit", ("case_id", "at")),
    ("study_ratings_by_step", "study_ratings", ("study_id", "rater_id", "step")),
    ("study_judges_by_study", "study_judges", ("study_id",)),
    ("study_events_by_study", "study_events", ("study_id", "actor", "step")),
    ("logins_by_person", "logins", ("person_id",)),
)
APPEND_ONLY = {
    "audit": "the audit trail is append-only",
    **{
        table: f"{table} is append-only"
        for table in (
            "study_frozen",
            "study_adjudicators",
            "study_profiles",
            "study_ratings",
            "study_judges",
            "study_events",
            "access_trail",
        )
    },
}
