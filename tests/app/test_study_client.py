"""The page's client of studies against the real routes: reports, exports, imports, and which refusal it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.api_errors import ApiError
from app.rater_client import RefusedError
from backend.schemas.study_views import FreezeRequest
from tests.app.study_api import OTHER, SYSTEM, StudyHouse


@pytest.fixture
def house(tmp_path: Path) -> Iterator[StudyHouse]:
    made = StudyHouse(tmp_path)
    yield made
    made.database.close()


def test_reports_and_exports_wait_for_the_unlocking(house: StudyHouse) -> None:
    study_id = house.frozen(3)
    api = house.client
    for take in (lambda: api.report(study_id, "pdf", "Ada"), lambda: api.export(study_id, "csv", "Ada")):
        with pytest.raises(RefusedError) as refused:
            take()
        assert refused.value.status == 409
    blind = api.analysis(study_id).model_dump_json() + str(api.charts(study_id))
    assert SYSTEM not in blind
    assert OTHER not in blind
    api.close(study_id, "Ada")
    with pytest.raises(RefusedError, match="reason"):
        api.unlock(study_id, "Ada", "")
    api.unlock(study_id, "Ada", "all done")
    assert api.report(study_id, "pdf", "Ada").startswith(b"%PDF")
    assert SYSTEM in api.report(study_id, "html", "Ada").decode()
    assert api.export(study_id, "csv", "Ada").startswith(b"study,sha256")


def test_an_export_is_brought_in_again_under_the_same_hash(house: StudyHouse, tmp_path: Path) -> None:
    study_id = house.frozen(3)
    house.client.close(study_id, "Ada")
    house.client.unlock(study_id, "Ada", "all done")
    text = house.client.export(study_id, "jsonl", "Ada").decode()
    (tmp_path / "other").mkdir()
    other = StudyHouse(tmp_path / "other")
    assert other.client.import_study(text, "Ben").sha256 == house.client.study(study_id).sha256
    other.database.close()


def test_a_refusal_to_freeze_tells_the_leaks(house: StudyHouse) -> None:
    study_id = house.ready(3)
    plan = house.studies.view(study_id).setup.plan
    with pytest.raises(RefusedError) as refused:
        house.client.freeze(study_id, FreezeRequest(plan=plan))
    assert refused.value.kind == "LeakError"
    assert {leak.kind for leak in refused.value.leaks} >= {"gap"}


def test_a_silent_server_and_a_broken_one_are_unreachable_and_an_unknown_study_is_refused(house: StudyHouse) -> None:
    with pytest.raises(RefusedError) as refused:
        house.client.study("00000000-0000-0000-0000-000000000000")
    assert (refused.value.status, refused.value.unreachable) == (404, False)
    house.way.cut = True
    with pytest.raises(ApiError) as silent:
        house.client.studies()
    assert silent.value.unreachable
    assert not isinstance(silent.value, RefusedError)
