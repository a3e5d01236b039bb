"""What the workbench is given of a concept that was asked for."""

from app.clients.api_errors import ApiError
from app.components.knowledge.concept_card import concept_card
from app.components.workbench.bench_data import bench_data
from app.jobs.draft_run import Progress
from app.jobs.event_run import Phase
from backend.schemas.drafts.request import DraftRequest
from tests.app.conftest import Open
from tests.app.fake_api import NOTE, UNREACHABLE, FakeApi, draft_of


class Refusing(FakeApi):
    def neighbours(self, concept_id: str) -> dict[str, object]:
        raise ApiError(f"The graph holds no concept {concept_id!r}.")


def test_a_card_holds_the_concept_and_what_is_one_edge_away() -> None:
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
    assert len(page.api.asked) == 1
