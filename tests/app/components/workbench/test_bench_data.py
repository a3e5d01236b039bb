"""One shape for a draft in the making and a finished one."""

import pytest

from app.components.workbench.bench_data import bench_data, counts
from app.jobs.draft_run import Progress
from app.jobs.event_run import Phase
from backend.schemas.drafts.draft import StageReport, WrittenSentence
from backend.schemas.drafts.request import DraftRequest
from tests.app.fake_api import EVIDENCE, LINKED, NOTE, draft_of

REQUEST = DraftRequest(text=NOTE, confirmed_conditions=("T:x",))
WRITTEN = (WrittenSentence(text="One.", section="A", basis="general", citations=("P1",)),)
LINKING = StageReport(name="link", reason="3 mentions", ms=2.0)
HALF = Progress(Phase.RUNNING, REQUEST, (LINKING,), LINKED, evidence=EVIDENCE, written=WRITTEN)


def test_a_draft_in_the_making_and_a_finished_one_have_the_same_fields() -> None:
    done = Progress(Phase.DONE, REQUEST, draft=draft_of(REQUEST))
    assert bench_data(HALF).keys() == bench_data(done).keys()


def test_sentences_in_the_making_are_marked_as_not_checked() -> None:
    (sentence,) = bench_data(HALF)["sentences"]
    assert (sentence["support"], sentence["citations"]) == ("unchecked", ["P1"])


def test_stages_tick_off_in_order() -> None:
    states = [stage["state"] for stage in bench_data(HALF)["stages"]]
    assert states == ["done", "now", *["waiting"] * 7]


@pytest.mark.parametrize(
    ("phase", "written", "status"),
    [
        (Phase.RUNNING, (), "running"),
        (Phase.STOPPED, WRITTEN, "stopped"),
        (Phase.FAILED, WRITTEN, "partial"),
        (Phase.FAILED, (), "failed"),
    ],
)
def test_the_status_says_how_it_ended(phase: Phase, written: tuple[WrittenSentence, ...], status: str) -> None:
    assert bench_data(HALF._replace(phase=phase, written=written))["status"] == status


def test_a_note_s_markup_is_passed_on_as_it_is() -> None:
    assert bench_data(HALF)["note"]["text"] == NOTE


def test_counts_add_up() -> None:
    found = counts(draft_of(REQUEST))
    # of four sentences two are supported, one partly, one not scored; all but the gap cite
    assert found == {
        "sentences": 4, "supported": 2, "partial": 1, "unsupported": 0, "not_scored": 1, "cited": 3,
    }  # fmt: skip
