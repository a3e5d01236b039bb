"""One shape for a draft in the making and a finished one."""

import pytest

from app.clients.api_errors import ApiError
from app.jobs.draft_run import Progress
from app.jobs.event_run import Phase
from app.view_data.bench_data import bench_data, concept_card, counts
from backend.schemas.drafts.draft import StageReport, WrittenSentence
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.drafts.request import DraftRequest
from tests.app.conftest import Open
from tests.app.fake_api import EVIDENCE, LINKED, NOTE, UNREACHABLE, FakeApi, draft_of

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
    known = FakeApi().systems()["stages"]
    rows = bench_data(HALF, known_stages=known)["stages"]
    assert [row["state"] for row in rows] == ["done", "now", *["waiting"] * 7]
    assert rows[0]["name"] == "Read the note"


def test_stages_that_the_api_never_listed_stand_by_their_own_names() -> None:
    assert [(row["name"], row["state"]) for row in bench_data(HALF)["stages"]] == [("link", "done")]


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


def test_the_medicines_of_a_finished_draft_are_rows_with_words_and_a_running_one_has_none() -> None:
    row = MedicineRow(
        id="M1", action=MedicineAction.CHANGED, name="<b>x</b>", dose="2 mg", old_dose="1 mg", source="the note"
    )
    done = Progress(Phase.DONE, REQUEST, draft=draft_of(REQUEST).model_copy(update={"medicines": (row,)}))
    (shown,) = bench_data(done)["medicines"]
    assert (shown["name"], shown["action"], shown["what_to_do"]) == ("<b>x</b>", "changed", "Changed; before: 1 mg")
    assert bench_data(HALF)["medicines"] == []
    assert bench_data(done)["medicines_heading"] == "Your medicines"


def test_counts_add_up() -> None:
    found = counts(draft_of(REQUEST))
    # of four sentences two are supported, one partly, one not scored; all but the gap cite
    assert found == {
        "sentences": 4, "supported": 2, "partial": 1, "unsupported": 0, "not_scored": 1, "cited": 3,
    }  # fmt: skip


class Refusing(FakeApi):
    def neighbours(self, concept_id: str) -> dict[str, object]:
        raise ApiError(f"The graph holds no concept {concept_id!r}.")


def test_a_card_holds_the_concept_and_its_neighbours() -> None:
    card = concept_card(FakeApi(), "T:heart-failure")
    assert (card["name"], card["group"], card["synonyms"], card["error"]) == ("heart failure", "DISO", ["CHF"], "")
    assert card["definition"] == "a heart that pumps *too* weakly"
    # of a neighbour only what its button needs
    assert card["neighbours"] == [
        {"relation": "has_finding", "qualifier": "", "concept_id": "T:dyspnea", "name": "dyspnea", "group": "DISO"}
    ]


def test_a_card_says_what_the_api_said_when_it_refused_or_did_not_answer() -> None:
    refused = concept_card(Refusing(), "T:x")
    assert refused["error"] == "The graph holds no concept 'T:x'."
    assert concept_card(FakeApi("unreachable"), "T:x")["error"] == UNREACHABLE
    # both have every field of a card that was found
    assert refused.keys() == concept_card(FakeApi(), "T:heart-failure").keys()
    assert refused["concept_id"] == "T:x"


def test_the_workbench_is_given_the_concept_beside_the_same_draft() -> None:
    request = DraftRequest(text=NOTE)
    seen = Progress(Phase.DONE, request, draft=draft_of(request))
    card = concept_card(FakeApi(), "T:heart-failure")
    with_card, without = bench_data(seen, concept=card), bench_data(seen)
    assert (with_card.pop("concept"), without.pop("concept")) == (card, None)
    assert with_card == without


def test_looking_a_concept_up_keeps_the_draft(open_page: Open) -> None:
    page = open_page().draft(NOTE)
    before = page.part("leapnote_workbench")
    page.test.session_state["looked_up"] = concept_card(page.api, "T:heart-failure")
    after = page.run().part("leapnote_workbench")
    assert after["concept"]["name"] == "heart failure"
    assert (after["id"], after["sentences"]) == (before["id"], before["sentences"])
    assert len(page.api.asked) == 2  # one a side
