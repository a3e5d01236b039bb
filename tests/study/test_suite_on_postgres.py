"""The tests of studies, once more on a real PostgreSQL server; each on a database of its own."""

from collections.abc import Iterator
from itertools import count

import pytest
from sqlalchemy import create_engine, text

from backend.errors import LeapnoteError
from backend.stores.database.database import POSTGRES, Database
from tests.stores.database.test_postgres import url  # noqa: F401  (the server it starts)
from tests.study import test_after_rating, test_durability, test_judges, test_lifecycle, test_rating_time
from tests.study.design import test_freezing
from tests.study.rating import test_adjudication, test_personal_links, test_ratings
from tests.study.reporting import test_study_export as test_export
from tests.study.sample import StudyWorld

pytestmark = [pytest.mark.services, pytest.mark.timeout(300)]
NUMBERS = count(1)
# they reach for the file or write SQLite's own SQL; PostgreSQL's stand below, in test_postgres.py and test_postgres_failing.py
OF_SQLITE = ("killed", "full_disk", "no_token_is_kept", "changed_one_is_noticed", "database_itself_refuses")

MODULES = (
    test_adjudication,
    test_after_rating,
    test_durability,
    test_export,
    test_freezing,
    test_judges,
    test_lifecycle,
    test_personal_links,
    test_rating_time,
    test_ratings,
)
for module in MODULES:
    for name, test in vars(module).items():
        if name.startswith("test_") and not any(word in name for word in OF_SQLITE):
            assert name not in globals(), f"two tests are called {name}"
            globals()[name] = test


@pytest.fixture
def study_world(url: str) -> Iterator[StudyWorld]:  # noqa: F811
    place, name = url.rpartition("/")[0], f"study_{next(NUMBERS)}"
    server = create_engine(url.replace("postgresql", POSTGRES, 1), isolation_level="AUTOCOMMIT")
    with server.connect() as connection:
        connection.execute(text(f"CREATE DATABASE {name}"))
    made = StudyWorld(Database(f"{place}/{name}"))
    yield made
    made.database.close()
    with server.connect() as connection:
        connection.execute(text(f"DROP DATABASE {name} WITH (FORCE)"))
    server.dispose()


def test_no_row_of_any_table_holds_a_token(study_world: StudyWorld) -> None:
    token = study_world.invite(study_world.frozen())
    with study_world.database.reading() as session:
        tables = session.scalars(text("SELECT tablename FROM pg_tables WHERE schemaname = 'public'")).all()
        rows = [row for table in tables for row in session.scalars(text(f"SELECT t::text FROM {table} t")).all()]
    assert len(rows) > 3
    assert not [row for row in rows if token in row]


def test_a_changed_document_no_longer_fits_its_hash(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    with study_world.database.writing() as session:
        session.execute(text("ALTER TABLE study_frozen DISABLE TRIGGER ALL"))
        session.execute(text("UPDATE study_frozen SET document = replace(document, 'coughs', 'sneezes')"))
    with pytest.raises(LeapnoteError, match="no longer fits its hash"):
        study_world.study(study_id)
