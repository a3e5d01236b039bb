"""The same studies on a real PostgreSQL server."""

import threading
import uuid
from collections.abc import Iterator

import pytest
from sqlalchemy import text

from backend.errors import ConflictError, LeapnoteError, MissingError
from backend.schemas.study_rating import AnswerRequest
from backend.stores.database import Database
from backend.study import records
from backend.study.adjudication import adjudicate
from backend.study.export import StudyFormat, export, ratings_data
from backend.study.reimport import import_study
from backend.study.tidy import tidy_rows
from tests.stores.test_postgres import url  # noqa: F401  (the server it starts)
from tests.study.sample import Desk

pytestmark = pytest.mark.services
CLICK = AnswerRequest.model_validate({"key": "q1", "part": "A", "answer": {"kind": "value", "value": 3}})


@pytest.fixture
def desk(url: str) -> Iterator[Desk]:  # noqa: F811
    made = Desk(Database(url))
    yield made
    made.database.close()


def test_a_study_goes_the_whole_way_and_comes_back(desk: Desk) -> None:
    study_id = desk.frozen()
    for rater, value in (("R01", 5), ("R02", 2)):
        token = desk.invite(study_id, rater)
        desk.rate_all(token, value)
        desk.ratings.finish(token)
    desk.studies.close(study_id, "Ada")
    adjudicate(desk.studies, study_id, 2, "Ada")
    desk.studies.unlock(study_id, "Ada")
    before = tidy_rows(ratings_data(desk.studies, study_id), blind=False)
    text_of = export(desk.studies, study_id, StudyFormat.JSONL, "Ada")
    digest = desk.studies.view(study_id).sha256
    with pytest.raises(ConflictError, match="here already"):
        import_study(desk.studies, text_of, "Ada")
    with desk.database.writing() as session:  # only its owner can: the triggers go with the tables
        for table in (
            "study_ratings",
            "study_profiles",
            "study_frozen",
            "study_adjudicators",
            "study_events",
            "study_links",
        ):
            session.execute(text(f"DROP TABLE {table}"))
        session.execute(text("DELETE FROM studies"))
    again = Desk(Database(desk.database.engine.url.render_as_string(hide_password=False)))
    assert import_study(again.studies, text_of, "Ada").sha256 == digest
    assert tidy_rows(ratings_data(again.studies, study_id), blind=False) == before
    again.database.close()


@pytest.mark.parametrize("table", ["study_frozen", "study_events", "study_ratings", "study_profiles"])
@pytest.mark.parametrize("act", ["DELETE FROM {}", "UPDATE {} SET study_id = study_id", "TRUNCATE {}"])
def test_what_only_grows_cannot_be_changed(desk: Desk, table: str, act: str) -> None:
    study_id = desk.frozen()
    desk.rate(desk.invite(study_id), 1)
    with pytest.raises(MissingError), desk.database.writing() as session:
        session.execute(text(act.format(table)))


def test_tabs_of_one_rater_at_once_lose_nothing_and_count_revisions(desk: Desk) -> None:
    study_id = desk.frozen()
    token, said = desk.invite(study_id), list[str]()
    start = threading.Barrier(4)

    def tab() -> None:
        start.wait()
        for _ in range(5):
            answer_id = str(uuid.uuid4())
            desk.ratings.answer(token, 1, answer_id, CLICK)
            said.append(answer_id)

    threads = [threading.Thread(target=tab) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with desk.database.reading() as session:
        found = records.ratings_of(session, study_id)
    assert {record.id for record in found} == set(said)
    assert sorted(record.revision for record in found) == list(range(1, 21))
    assert sorted(record.stamp.step for record in found) == list(range(2, 22))  # the profile was the first step


def test_an_answer_is_before_the_closing_or_refused(desk: Desk) -> None:
    study_id = desk.frozen()
    tokens, outcomes = [desk.invite(study_id, f"R{n:02}") for n in (1, 2)], list[str]()
    start = threading.Barrier(3)

    def rate(token: str) -> None:
        start.wait()
        for _ in range(10):
            try:
                desk.ratings.answer(token, 1, str(uuid.uuid4()), CLICK)
                outcomes.append("kept")
            except LeapnoteError as error:
                outcomes.append(type(error).__name__)

    threads = [threading.Thread(target=rate, args=(token,)) for token in tokens]
    for thread in threads:
        thread.start()
    start.wait()
    desk.studies.close(study_id, "Ada")
    for thread in threads:
        thread.join()
    with desk.database.reading() as session:
        assert len(records.ratings_of(session, study_id)) == outcomes.count("kept")
    assert set(outcomes) <= {"kept", "ConflictError"}
