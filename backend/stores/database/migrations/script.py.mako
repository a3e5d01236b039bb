"""${message}"""

import sqlalchemy as sa
from alembic import op
${imports if imports else ""}
revision = ${repr(up_revision)}
down_revision = ${repr(down_revision)}
branch_labels = None
depends_on = None


def upgrade() -> None:
    """Run once, in one transaction, on SQLite and on PostgreSQL."""
    ${upgrades if upgrades else "pass"}
