"""The page's client of studies against the real routes: reports, exports, imports, and which refusal it was."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from app.clients.api_errors import ApiError
from app.clients.rater_client import RefusedError
from backend.schemas.studies.study_views import FreezeRequest
from tests.app.study_api import OTHER, SYSTEM, StudyServer


@pytest.fixture
def container(tmp_path: Path) -> Iterator[StudyServer]:
    made = StudyServer(tmp_path)
    yield made
    made.database.close()


def test_reports_and_exports_wait_for_the_unlocking(container: StudyServer) -> None:
    study_id = container.frozen(3)
    api = container.client
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


def test_an_export_is_brought_in_again_under_the_same_hash(container: StudyServer, tmp_path: Path) -> None:
    study_id = container.frozen(3)
    container.client.close(study_id, "Ada")
    container.client.unlock(study_id, "Ada", "all done")
    text = container.client.export(study_id, "jsonl", "Ada").decode()
    (tmp_path / "other").mkdir()
    other = StudyServer(tmp_path / "other")
    assert other.client.import_study(text, "Ben").sha256 == container.client.study(study_id).sha256
    other.database.close()


def test_a_refusal_to_freeze_names_the_leaks(container: StudyServer) -> None:
    study_id = container.ready(3)
    plan = container.studies.view(study_id).setup.plan
    with pytest.raises(RefusedError) as refused:
        container.client.freeze(study_id, FreezeRequest(plan=plan))
    assert refused.value.kind == "LeakError"
    assert {leak.kind for leak in refused.value.leaks} >= {"gap"}


def test_a_silent_server_and_a_broken_one_are_unreachable_and_an_unknown_study_is_refused(
    container: StudyServer,
) -> None:
    with pytest.raises(RefusedError) as refused:
        container.client.study("00000000-0000-0000-0000-000000000000")
    assert (refused.value.status, refused.value.unreachable) == (404, False)
    container.way.cut = True
    with pytest.raises(ApiError) as silent:
        container.client.studies()
    assert silent.value.unreachable
    assert not isinstance(silent.value, RefusedError)
