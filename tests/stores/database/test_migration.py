"""A database of version 0.1.0 is brought to this version's tables with nothing lost; a new one gets the same tables."""

import shutil
import sqlite3
import stat
import subprocess
import sys
import uuid
from collections.abc import Callable, Iterator
from contextlib import closing
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import inspect, text
from sqlalchemy.exc import DBAPIError

from backend.access.people import People
from backend.errors import MissingError
from backend.generation.layout import DocumentLayout
from backend.review.recheck import Checkers
from backend.review.saved_cases import Cases
from backend.schemas.access import LoginRequest
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.patients.saved_case import CaseState, Edit, EditKind, EditsRequest, SaveRequest
from backend.settings import ROOT
from backend.stores.database import case_tables, migration, people_tables, study_tables
from backend.stores.database.database import FILE, Base, Database
from tests.review.sample import sample
from tests.stores.postgres import PostgresServer
from tests.study.sample import StudyWorld

assert case_tables and people_tables and study_tables  # all tables are declared
RELEASED = Path(__file__).parent / "released_0_1_0"
SINCE = ("case_drafts", "case_patients")
"""The tables that the release did not have."""
TABLES = tuple(table.name for table in Base.metadata.sorted_tables if table.name not in SINCE)
NOW = datetime(2026, 6, 1, tzinfo=UTC)
Empty = Callable[[], Database]


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = PostgresServer(tmp_path_factory.mktemp("postgres"))
    yield server.url.rsplit("/", 1)[0]
    server.stop()


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.services)])
def empty(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Empty]:
    """Makes databases without any table."""
    made: list[Database] = []

    def make() -> Database:
        if request.param == "sqlite":
            (tmp_path / str(len(made))).mkdir()
            made.append(Database(f"sqlite:///{tmp_path / str(len(made)) / FILE}"))
        else:
            server = request.getfixturevalue("postgres")
            name = f"x{uuid.uuid4().hex}"
            admin = Database(f"{server}/postgres")
            with admin.engine.connect().execution_options(isolation_level="AUTOCOMMIT") as connection:
                connection.exec_driver_sql(f"CREATE DATABASE {name}")
            admin.close()
            made.append(Database(f"{server}/{name}"))
        return made[-1]

    yield make
    for database in made:
        database.close()


def released(database: Database, tables: tuple[str, ...] = TABLES) -> Database:
    """As version 0.1.0 left it; with rows where all of its tables are there."""
    dialect = database.engine.dialect.name
    statements = [
        part.strip()
        for part in (RELEASED / f"{dialect}.sql").read_text().replace("; END;", "; END\x00;").split(";\n")
        if part.strip()
    ]
    rows = (RELEASED / "rows.sql").read_text().splitlines()[1:] if tables == TABLES else []
    with database.engine.begin() as connection:
        for statement in statements:
            wording = "\n".join(line for line in statement.splitlines() if not line.startswith("--"))
            if tables == TABLES or any(f" {name} " in f"{wording} " for name in tables):
                connection.exec_driver_sql(wording.replace("\x00", ""))
        for row in rows:
            connection.exec_driver_sql(row.removesuffix(";").replace("%", "%%"))
        if dialect == "postgresql" and rows:
            for name in TABLES:
                if "seq" in Base.metadata.tables[name].c:
                    connection.exec_driver_sql(
                        f"SELECT setval(pg_get_serial_sequence('{name}', 'seq'), (SELECT coalesce(max(seq), 1) FROM {name}))"
                    )
    return database


def contents(database: Database) -> dict[str, list[tuple[Any, ...]]]:
    """Every row of every table."""
    with database.engine.connect() as connection:
        return {
            name: sorted(map(tuple, connection.exec_driver_sql(f"SELECT * FROM {name}")), key=repr) for name in TABLES
        }


def shape(database: Database) -> dict[str, Any]:
    """Tables with columns, keys and indexes, and the triggers."""
    look = inspect(database.engine)
    names = sorted(set(look.get_table_names()) - {"alembic_version"})
    found: dict[str, Any] = {
        name: (
            [(c["name"], str(c["type"]), c["nullable"]) for c in look.get_columns(name)],
            look.get_pk_constraint(name)["constrained_columns"],
            sorted(
                (f["constrained_columns"], f["referred_table"], f["referred_columns"], str(f["options"]))
                for f in look.get_foreign_keys(name)
            ),
            sorted(u["column_names"] for u in look.get_unique_constraints(name)),
            sorted((str(i["name"]), i["column_names"]) for i in look.get_indexes(name)),
        )
        for name in names
    }
    triggers = (
        "SELECT name, replace(sql, 'IF NOT EXISTS ', '') FROM sqlite_master WHERE type = 'trigger' ORDER BY name"
        if database.sqlite
        else "SELECT tgname, pg_get_triggerdef(pg_trigger.oid) || prosrc FROM pg_trigger JOIN pg_proc ON pg_proc.oid = tgfoid "
        "WHERE NOT tgisinternal ORDER BY tgname"
    )
    with database.engine.connect() as connection:
        found["triggers"] = [tuple(row) for row in connection.exec_driver_sql(triggers)]
    return found


def copies(database: Database) -> list[Path]:
    folder = Path(str(database.engine.url.database)).parent
    return sorted(folder.glob("leapnote-*.sqlite"))


def test_a_new_database_has_the_declared_tables_and_those_of_the_release(empty: Empty) -> None:
    new, old = empty(), released(empty())
    new.prepare()
    old.prepare()
    assert shape(new) == shape(old)
    assert len(shape(new)["triggers"]) >= 8
    with new.engine.connect() as connection:
        assert compare_metadata(MigrationContext.configure(connection), Base.metadata) == []
        assert migration.is_newest(connection)
    if new.sqlite:
        assert copies(new) == []


def test_a_database_of_the_release_is_opened_with_nothing_lost(empty: Empty) -> None:
    database = released(empty())
    before, tables = contents(database), shape(database)
    assert {name for name, rows in before.items() if not rows} == {"study_adjudicators", "study_judges"}
    database.prepare()
    assert contents(database) == before
    now = shape(database)
    assert {name: now[name] for name in tables} == tables
    assert set(now) - set(tables) == set(SINCE)
    with database.engine.connect() as connection:
        assert migration.is_newest(connection)


def test_what_the_release_wrote_is_read_and_gone_on_with(empty: Empty) -> None:
    database = released(empty())
    cases = Cases(database, Checkers(DocumentLayout()), lambda: NOW)
    (row,) = cases.page(10).cases
    case = cases.view(row.id)
    assert [version.state for version in case.versions] == [
        CaseState.SUPERSEDED,
        CaseState.SUPERSEDED,
        CaseState.IN_REVIEW,
    ]
    people = People(database)
    given = people.log_in(LoginRequest(name="dr ames", password="correct horse battery"))
    assert given.name == "Dr Ames"
    world = StudyWorld(database)
    assert sorted(str(study.state) for study in world.studies.page()) == ["frozen", "ready"]


def test_a_letter_of_the_release_gets_its_whole_retention_from_the_day_its_tables_are_brought(empty: Empty) -> None:
    database = released(empty())
    with database.engine.begin() as connection:
        connection.exec_driver_sql("DELETE FROM case_signatures")  # a signed letter is kept
    brought = datetime.now(UTC)
    cases = Cases(database, Checkers(DocumentLayout()), lambda: brought, retention_days=30)
    (row,) = cases.page(10).cases
    ends = cases.view(row.id).expires_at
    assert ends is not None and abs(ends - brought - timedelta(days=30)) < timedelta(minutes=5)
    assert row.updated_at < brought
    assert cases.expire() == 0
    after = ends + timedelta(seconds=1)
    later = Cases(database, Checkers(DocumentLayout()), lambda: after, retention_days=30)
    assert later.expire() == 1
    assert later.page(10).total == 0
    assert later.audit(row.id)[-1].action == "expire"


def test_what_only_grows_is_still_guarded(empty: Empty) -> None:
    database = released(empty())
    database.prepare()
    for table in ("audit", "study_ratings", "access_trail"):
        with pytest.raises(DBAPIError, match="append-only"), database.engine.begin() as connection:
            connection.exec_driver_sql(f"DELETE FROM {table}")


def test_a_database_with_some_of_the_tables_gets_the_others(empty: Empty) -> None:
    """A command of 0.1.0 made only the tables it needed."""
    database = released(empty(), ("people", "logins"))
    assert len(inspect(database.engine).get_table_names()) == 2
    database.prepare()
    full = empty()
    full.prepare()
    assert shape(database) == shape(full)


def test_of_processes_that_start_at_once_one_migrates(empty: Empty) -> None:
    database = released(empty())
    before = contents(database)
    url = database.engine.url.render_as_string(hide_password=False)
    program = "import sys; from backend.stores.database.database import Database; Database(sys.argv[1]).prepare()"
    started = [subprocess.Popen([sys.executable, "-c", program, url], cwd=ROOT) for _ in range(4)]
    assert [process.wait(timeout=120) for process in started] == [0, 0, 0, 0]
    assert contents(database) == before
    if database.sqlite:
        assert len(copies(database)) == 1


def test_a_database_of_a_newer_version_is_refused_in_one_line_and_stays_as_it_is(empty: Empty) -> None:
    database = empty()
    database.prepare()
    with database.engine.begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '0999'")
    again = Database(database.engine.url)
    with pytest.raises(MissingError, match=r"newer version of Leapnote.*'0999'.*restore") as refused:
        again.prepare()
    again.close()
    assert "\n" not in str(refused.value)
    with database.engine.connect() as connection:
        assert connection.execute(text("SELECT version_num FROM alembic_version")).scalar() == "0999"


def test_the_copy_of_a_file_holds_all_of_it_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    database = released(Database(f"sqlite:///{tmp_path / FILE}"))
    before = contents(database)
    database.prepare()
    (copy,) = copies(database)
    assert copy.name.startswith("leapnote-0.1.0-20")
    assert stat.S_IMODE(copy.stat().st_mode) == 0o600
    kept = Database(f"sqlite:///{copy}")
    assert contents(kept) == before
    assert "alembic_version" not in inspect(kept.engine).get_table_names()
    Database(f"sqlite:///{tmp_path / FILE}").prepare()
    assert copies(database) == [copy]


def test_without_room_for_the_copy_nothing_changes(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    database = released(Database(f"sqlite:///{tmp_path / FILE}"))

    def full(*_: object) -> int:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(migration.os, "open", full)
    with pytest.raises(MissingError, match=r"cannot be written \(OSError\).*free some space"):
        database.prepare()
    monkeypatch.undo()
    assert "alembic_version" not in inspect(database.engine).get_table_names()
    database.prepare()
    assert len(copies(database)) == 1


LATER = """
import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    recreate = "always" if op.get_bind().dialect.name == "sqlite" else "auto"
    with op.batch_alter_table("cases", recreate=recreate) as cases:
        cases.add_column(sa.Column("ward", sa.Text(), nullable=True))
    {more}
"""


@pytest.fixture
def later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], None]:
    """Adds a script that copies the table of cases."""

    def add(more: str) -> None:
        scripts = tmp_path / "100%" / "migrations"
        shutil.copytree(migration.SCRIPTS, scripts)
        (scripts / "versions" / "r0004_later.py").write_text(LATER.format(more=more))
        monkeypatch.setattr(migration, "SCRIPTS", scripts)
        monkeypatch.setattr(migration, "NEWEST", "0004")

    return add


def test_a_script_that_copies_a_table_keeps_the_rows_that_refer_to_it(
    empty: Empty, later: Callable[[str], None]
) -> None:
    database = released(empty())
    before = contents(database)
    later("")
    database.prepare()
    after = contents(database)
    assert [row[:-1] for row in after.pop("cases")] == before.pop("cases")
    assert after == before
    assert [c["name"] for c in inspect(database.engine).get_columns("cases")][-1] == "ward"
    if database.sqlite:
        with database.reading() as session:
            assert session.scalar(text("PRAGMA foreign_keys")) == 1


def test_a_script_that_fails_leaves_the_database_as_it_was(empty: Empty, later: Callable[[str], None]) -> None:
    database = released(empty())
    before, tables = contents(database), shape(database)
    later("op.execute('INSERT INTO nowhere VALUES (1)')")
    with pytest.raises(MissingError, match="The database failed"):
        database.prepare()
    assert contents(database) == before
    assert shape(database) == tables
    assert "alembic_version" not in inspect(database.engine).get_table_names()


def test_the_newest_revision_is_the_last_script() -> None:
    config = Config()
    config.set_main_option("script_location", str(migration.SCRIPTS))
    assert ScriptDirectory.from_config(config).get_current_head() == migration.NEWEST


def test_a_file_that_alembic_never_saw_and_holds_nothing_of_ours_is_taken_as_new(tmp_path: Path) -> None:
    with closing(sqlite3.connect(tmp_path / FILE)) as other:
        other.execute("CREATE TABLE recipes (name TEXT)")
    database = Database(f"sqlite:///{tmp_path / FILE}")
    database.prepare()
    assert copies(database) == []
    assert "recipes" in inspect(database.engine).get_table_names()


def test_whose_a_case_is_comes_from_its_newest_version(empty: Empty) -> None:
    database = empty()
    cases = Cases(database, Checkers(DocumentLayout()), lambda: NOW)
    named, other = (cases.save(SaveRequest(label=label, draft=sample(), author="Dr Ames")) for label in ("a", "b"))
    details = LetterDetails(patient_name="Anna Bélanger", record_number="MRN 1")
    edit = Edit(kind=EditKind.DETAILS, details=details, author="Dr Ames")
    cases.edit(named.id, EditsRequest(version=1, edits=(edit,)))
    with database.writing() as session:
        session.execute(text("DROP TABLE case_patients"))
        session.execute(text("UPDATE alembic_version SET version_num = '0002'"))
    again = Cases(Database(database.engine.url), Checkers(DocumentLayout()), lambda: NOW)
    whose = {one.id: (one.patient_name, one.record_number) for one in again.page(10).cases}
    assert whose == {named.id: ("Anna Bélanger", "MRN 1"), other.id: ("", "")}
