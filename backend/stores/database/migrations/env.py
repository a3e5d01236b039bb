"""Runs the scripts of `versions/` on the connection that `backend/stores/database/migration.py` opened and locked."""

from alembic import context

from backend.stores.database.database import Base

connection = context.config.attributes["connection"]
# SQLite changes a column only by copying its table: operations on one are written as a batch
context.configure(connection=connection, target_metadata=Base.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
