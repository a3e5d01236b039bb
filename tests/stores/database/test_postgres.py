"""The same cases on a real PostgreSQL server, which the test starts itself."""

import threading
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from backend.errors import ConflictError, MissingError
from backend.generation.layout import DocumentLayout
from backend.review.recheck import Checkers
from backend.review.saved_cases import Cases
from backend.schemas.patients.saved_case import CaseState, EditsRequest, SaveRequest
from backend.stores.database.database import Database
from tests.browser.conftest import free_port
from tests.review.sample import Ticking, sample
from tests.review.steps import corrected, replace
from tests.stores.postgres import PostgresServer

pytestmark = pytest.mark.services


@pytest.fixture(scope="module")
def url(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    server = PostgresServer(tmp_path_factory.mktemp("postgres"))
    yield server.url
    server.stop()


@pytest.fixture
def database(url: str) -> Iterator[Database]:
    made = Database(url)
    yield made
    made.close()


@pytest.fixture
def cases(database: Database) -> Cases:
    return Cases(database, Checkers(DocumentLayout()), Ticking())


def test_a_case_goes_from_draft_to_signature_to_correction(cases: Cases) -> None:
    case = cases.save(SaveRequest(label="x", draft=sample(), author="Dr Ames"))
    assert case.draft == sample()
    newest = corrected(cases, case)
    assert [v.state for v in newest.versions] == [CaseState.SUPERSEDED, CaseState.SUPERSEDED, CaseState.IN_REVIEW]
    assert newest.created_at == case.created_at
    cases.delete(case.id, "Dr Ames")
    assert [e.action.value for e in cases.audit(case.id)][-1] == "delete_case"


def test_of_many_writers_of_one_version_one_wins(cases: Cases) -> None:
    case = cases.save(SaveRequest(label="x", draft=sample(), author="Dr Ames"))
    start, outcomes = threading.Barrier(5), list[str]()

    def write(who: int) -> None:
        start.wait()
        try:
            cases.edit(case.id, EditsRequest(version=1, edits=(replace(0, f"Writer {who}."),)))
            outcomes.append("won")
        except ConflictError:
            outcomes.append("refused")

    threads = [threading.Thread(target=write, args=(i,)) for i in range(5)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(outcomes) == ["refused"] * 4 + ["won"]


@pytest.mark.parametrize("statement", ["UPDATE audit SET actor = 'x'", "DELETE FROM audit", "TRUNCATE audit"])
def test_the_audit_trail_only_grows(cases: Cases, database: Database, statement: str) -> None:
    cases.save(SaveRequest(label="x", draft=sample(), author="Dr Ames"))
    with pytest.raises(MissingError), database.writing() as session:
        session.execute(text(statement))


def test_two_processes_may_create_the_tables_at_once(url: str) -> None:
    with Database(url).writing() as session:
        for table in (
            "case_patients",
            "case_drafts",
            "case_versions",
            "case_edits",
            "case_signatures",
            "cases",
            "audit",
        ):
            session.execute(text(f"DROP TABLE IF EXISTS {table}"))
    made, failed = [Database(url) for _ in range(4)], list[Exception]()

    def prepare(database: Database) -> None:
        try:
            database.prepare()
        except Exception as error:
            failed.append(error)

    threads = [threading.Thread(target=prepare, args=(database,)) for database in made]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert failed == []


def test_a_server_that_does_not_answer_is_told_in_words() -> None:
    pytest.importorskip("pg8000", reason="the driver is not installed: pip install pg8000")
    database = Database(f"postgresql://leapnote:secret@127.0.0.1:{free_port()}/postgres")
    with pytest.raises(MissingError, match="server does not answer") as refused:
        database.prepare()
    assert "secret" not in str(refused.value)
