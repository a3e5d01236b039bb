"""The same studies on a real PostgreSQL server."""

import threading
import uuid
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from backend.errors import ConflictError, LeapnoteError, MissingError
from backend.schemas.studies.study_rating import AnswerRequest
from backend.stores.database.database import Database
from backend.study import records
from backend.study.rating.adjudication import adjudicate
from backend.study.reporting.study_export import StudyFormat, export, ratings_data
from backend.study.reporting.study_import import import_study
from backend.study.tidy import tidy_rows
from tests.stores.database.test_postgres import url  # noqa: F401  (the server it starts)
from tests.study.sample import StudyWorld

pytestmark = pytest.mark.services
CLICK = AnswerRequest.model_validate({"key": "q1", "part": "A", "answer": {"kind": "value", "value": 3}})


@pytest.fixture
def study_world(url: str) -> Iterator[StudyWorld]:  # noqa: F811
    made = StudyWorld(Database(url))
    yield made
    made.database.close()


def test_a_study_goes_the_whole_way_and_comes_back(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    for rater, value in (("R01", 5), ("R02", 2)):
        token = study_world.invite(study_id, rater)
        study_world.rate_all(token, value)
        study_world.ratings.finish(token)
    study_world.studies.close(study_id, "Ada")
    adjudicate(study_world.studies, study_id, 2, "Ada")
    study_world.studies.unlock(study_id, "Ada")
    before = tidy_rows(ratings_data(study_world.studies, study_id), blind=False)
    text_of = export(study_world.studies, study_id, StudyFormat.JSONL, "Ada")
    digest = study_world.studies.view(study_id).sha256
    with pytest.raises(ConflictError, match="here already"):
        import_study(study_world.studies, text_of, "Ada")
    with study_world.database.writing() as session:  # only its owner can: the triggers go with the tables
        for table in (
            "study_ratings",
            "study_profiles",
            "study_frozen",
            "study_adjudicators",
            "study_events",
            "study_links",
            "alembic_version",  # then what is missing is made again
        ):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("DELETE FROM studies"))
    again = StudyWorld(Database(study_world.database.engine.url.render_as_string(hide_password=False)))
    assert import_study(again.studies, text_of, "Ada").sha256 == digest
    assert tidy_rows(ratings_data(again.studies, study_id), blind=False) == before
    again.database.close()


@pytest.mark.parametrize("table", ["study_frozen", "study_events", "study_ratings", "study_profiles"])
@pytest.mark.parametrize("act", ["DELETE FROM {}", "UPDATE {} SET study_id = study_id", "TRUNCATE {}"])
def test_what_only_grows_cannot_be_changed(study_world: StudyWorld, table: str, act: str) -> None:
    study_id = study_world.frozen()
    study_world.rate(study_world.invite(study_id), 1)
    with pytest.raises(MissingError), study_world.database.writing() as session:
        session.execute(text(act.format(table)))


def test_tabs_of_one_rater_at_once_lose_nothing_and_count_revisions(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    token, said = study_world.invite(study_id), list[str]()
    start = threading.Barrier(4)

    def tab() -> None:
        start.wait()
        for _ in range(5):
            answer_id = str(uuid.uuid4())
            study_world.ratings.answer(token, 1, answer_id, CLICK)
            said.append(answer_id)

    threads = [threading.Thread(target=tab) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with study_world.database.reading() as session:
        found = records.ratings_of(session, study_id)
    assert {record.id for record in found} == set(said)
    assert sorted(record.revision for record in found) == list(range(1, 21))
    assert sorted(record.stamp.step for record in found) == list(range(2, 22))  # the profile was the first step


def test_an_answer_is_before_the_closing_or_refused(study_world: StudyWorld) -> None:
    study_id = study_world.frozen()
    tokens, outcomes = [study_world.invite(study_id, f"R{n:02}") for n in (1, 2)], list[str]()
    start = threading.Barrier(3)

    def rate(token: str) -> None:
        start.wait()
        for _ in range(10):
            try:
                study_world.ratings.answer(token, 1, str(uuid.uuid4()), CLICK)
                outcomes.append("kept")
            except LeapnoteError as error:
                outcomes.append(type(error).__name__)

    threads = [threading.Thread(target=rate, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    start.wait()
    study_world.studies.close(study_id, "Ada")
    for thread in threads:
        thread.join()
    with study_world.database.reading() as session:
        assert len(records.ratings_of(session, study_id)) == outcomes.count("kept")
    assert set(outcomes) <= {"kept", "ConflictError"}
