"""What the page says and offers where there is a language model."""

from app.jobs.draft_run import Progress, progress_of
from app.jobs.event_run import Phase
from app.view_data.bench_data import bench_data, doubt_word, offers, stages, stood_in
from app.view_data.entry import Entry
from app.view_data.pinned_data import UNTIL_READY, called, pinned, writer
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import DraftStatus
from tests.app.conftest import Open
from tests.app.fake_api import COMPOSER, NOTE, FakeApi, draft_of
from tests.app.fake_model import (
    MEANWHILE,
    REMOVED,
    SETTING,
    SMALL,
    STARTING,
    WAS,
    WHERE,
    WROTE_NOTHING,
    ModelApi,
    by_model,
)

REQUEST = DraftRequest(text=NOTE)
BY_COMPOSER = REQUEST.model_copy(update={"generator": "composer"})


def done(**changes: object) -> Progress:
    draft = by_model(REQUEST, **changes)
    return Progress(Phase.DONE, REQUEST, draft.stages, draft=draft)


def test_the_pinned_line_names_the_model_and_where_the_text_goes_before_a_draft() -> None:
    found = writer(None, ModelApi().systems())
    assert (found["head"], found["name"], found["setting"]) == ("Writer", "small", SETTING)
    assert (found["where"], found["leaves"]) == (f"Text {WHERE}", True)


def test_after_a_draft_it_says_who_wrote_it_whoever_writes_now() -> None:
    api = ModelApi()
    api.writer = COMPOSER
    found = writer(done(), api.systems())
    assert (found["head"], found["name"], found["where"]) == ("Written by", "small", f"Text {WHERE}")


def test_while_it_is_written_it_says_who_was_asked() -> None:
    found = writer(Progress(Phase.RUNNING, BY_COMPOSER), ModelApi().systems())
    assert (found["name"], found["leaves"]) == ("composer (no language model)", False)


def test_a_model_with_a_role_of_its_own_is_named_with_where_its_text_goes() -> None:
    api = ModelApi()
    api.writer = COMPOSER
    api.roles = [{"role": "planner", "name": SETTING, "where": WHERE}]
    found = writer(None, api.systems())
    assert found["others"] == [f"planner small: text {WHERE}"]
    assert found["leaves"]


def test_a_server_that_starts_is_named_without_seconds_that_would_stand_still() -> None:
    api = ModelApi()
    api.writer, api.waiting = MEANWHILE, STARTING
    assert pinned(None, "", api.systems(), Entry())["writer"]["reason"] == UNTIL_READY


def test_a_writer_is_called_by_its_model_alone() -> None:
    names = ["composer", "vllm:google/medgemma", SETTING, "transformers:/models/small", "other"]
    assert [called(name) for name in names] == [
        "composer (no language model)", "google/medgemma", "small", "/models/small", "other",
    ]  # fmt: skip


def test_uncertainty_is_a_word_in_thirds_and_nothing_where_it_was_not_scored() -> None:
    # 1/3 and 2/3 belong to the lower word
    assert [doubt_word(u) for u in (None, 0.0, 1 / 3, 0.34, 2 / 3, 0.67, 1.0)] == [
        "", "low", "low", "moderate", "moderate", "high", "high",
    ]  # fmt: skip


def test_a_model_s_sentences_bring_their_marks_to_the_workbench() -> None:
    data = bench_data(done())
    first, second, third, _ = data["sentences"]
    assert (first["proposed"], first["doubt"], first["uncertainty"]) == (True, "high", 0.8)
    assert (second["before_repair"], second["doubt"]) == (WAS, "low")
    assert (third["proposed"], third["doubt"], third["before_repair"]) == (False, "", "")
    assert (data["removed_sentences"], data["doubt"], data["by_model"]) == ([REMOVED], "moderate", True)


def test_optional_stages_are_shown_only_where_they_ran() -> None:
    names = [row["key"] for row in stages(done(), FakeApi().systems()["stages"])]
    assert "uncertainty" in names
    assert "repair" not in names
    assert names.index("verify") + 1 == names.index("uncertainty")


def test_the_sentence_that_is_being_written_grows_and_is_no_sentence_yet() -> None:
    sentence = {"text": "One.", "section": "A", "basis": "general"}
    events = [
        StageEvent(stage="piece", data={"text": "On"}),
        StageEvent(stage="token", data=sentence),
        StageEvent(stage="piece", data={"text": "Tw"}),
    ]
    seen = progress_of(REQUEST, events)
    assert (len(bench_data(seen)["sentences"]), bench_data(seen)["growing"]) == (1, "Tw")
    assert bench_data(seen._replace(phase=Phase.STOPPED))["growing"] == ""
    assert bench_data(progress_of(REQUEST, events[:2]))["growing"] == ""


def test_a_draft_that_is_not_whole_offers_the_same_again_and_the_composer() -> None:
    both = ("same", "composer")
    assert offers(done(status=DraftStatus.PARTIAL), SETTING) == both
    assert offers(Progress(Phase.FAILED, REQUEST), SETTING) == both
    assert offers(Progress(Phase.STOPPED, REQUEST), SETTING) == both
    assert offers(done(status=DraftStatus.NOTHING_FOUND, sentences=()), SETTING) == both


def test_the_composer_is_not_offered_in_its_own_place_and_a_whole_draft_offers_nothing() -> None:
    assert offers(Progress(Phase.STOPPED, REQUEST), "composer") == ("same",)
    assert offers(Progress(Phase.STOPPED, BY_COMPOSER), SETTING) == ("same",)
    assert offers(done(), SETTING) == ()
    assert offers(Progress(Phase.RUNNING, REQUEST), SETTING) == ()
    nothing = Progress(Phase.DONE, REQUEST, draft=draft_of(REQUEST, status="nothing_found", sentences=()))
    assert offers(nothing, "composer") == ()


def test_a_composer_that_stood_in_says_why_and_the_model_can_be_tried_again(open_page: Open) -> None:
    page = open_page("stood_in", model=True).draft(NOTE)
    bench = page.part("leapnote_workbench")
    assert (bench["status"], bench["stood_in"], bench["again"]) == ("complete", WROTE_NOTHING, ["same"])


def test_a_composer_that_was_set_did_not_stand_in() -> None:
    assert stood_in(Progress(Phase.DONE, REQUEST, draft=draft_of(REQUEST, fallbacks=("plan: no model",)))) == ""


def test_the_writer_is_chosen_between_the_one_that_is_set_and_the_composer(open_page: Open) -> None:
    page = open_page(model=True)
    assert page.part("leapnote_pinned")["writer"]["name"] == "small"
    assert page.test.selectbox(key="generator").options == ["As set: small", "composer (no language model)"]
    page.test.selectbox(key="generator").set_value("composer")
    assert page.run().part("leapnote_pinned")["writer"]["where"] == "Text stays in this program"
    page.draft(NOTE)
    assert page.api.asked[0].generator == "composer"
    page.test.selectbox(key="generator").set_value("")
    page.run().press("draft").until_done()
    assert page.api.asked[1].generator is None


def test_both_sides_of_a_comparison_are_written_by_the_one_that_was_chosen(open_page: Open) -> None:
    page = open_page(model=True).type("note", NOTE)
    page.test.selectbox(key="generator").set_value("composer")
    page.run().go("compare").press("compare")
    assert {request.generator for request in page.api.asked} == {"composer"}


def test_without_a_model_there_is_nothing_to_choose(open_page: Open) -> None:
    assert "generator" not in [box.key for box in open_page().test.selectbox]


def test_a_partial_draft_keeps_its_sentences_says_why_and_offers_two_ways_on(open_page: Open) -> None:
    bench = open_page("partial", model=True).draft(NOTE).part("leapnote_workbench")
    assert (bench["status"], len(bench["sentences"])) == ("partial", 4)
    assert bench["message"] == "the server closed the connection"
    assert bench["again"] == ["same", "composer"]


def test_while_a_server_starts_the_page_says_so_and_takes_the_model_when_it_is_ready(open_page: Open) -> None:
    page = open_page()
    page.api = page.test.session_state["client"] = ModelApi()
    page.api.writer, page.api.waiting = MEANWHILE, STARTING
    page.test.session_state["service_at"] = 0.0  # asked so long ago that it is asked anew
    page.run().type("note", "CC: cough")
    assert f"{STARTING}. The composer writes" in page.said().replace("\\", "")
    page.api.writer, page.api.waiting = SMALL, ""
    page.run()  # the fragment looks by itself; here it is run with the page
    page.run()
    assert "The composer writes" not in page.said()
    assert page.part("leapnote_pinned")["writer"]["name"] == "small"
    assert page.test.text_area(key="note").value == "CC: cough"


def test_what_was_known_of_the_writer_stays_when_the_api_falls_silent(open_page: Open) -> None:
    page = open_page(model=True)
    page.api.mode = "unreachable"
    page.test.session_state["service_at"] = 0.0
    assert page.run().part("leapnote_pinned")["writer"]["name"] == "small"


def test_settings_shows_every_prompt_word_for_word_and_who_reads(open_page: Open) -> None:
    page = open_page(model=True)
    page.api.roles = [{"role": "judge", "name": SETTING, "where": WHERE}]
    page.test.session_state["service_at"] = 0.0
    page.go("settings")
    assert [block.value for block in page.test.code] == ["You write <b>plainly</b>.", "Write now."]
    assert page.test.expander[0].label.replace("\\", "") == "discharge: version 3, 0123456789ab"
    assert "note, graph facts" in page.said()
    stated = page.test.dataframe[0].value
    assert list(stated["who"]) == ["writer", "writer, where it is chosen", "judge"]
    assert list(stated["name"]) == ["small", "composer (no language model)", "small"]


def test_a_saved_draft_says_how_it_was_written(open_page: Open) -> None:
    page = open_page(model=True).draft(NOTE)
    page.test.text_input(key="author").set_value("Dr Ames")
    page.run().press("save_case").press("to_review")
    said = page.said().replace("\\", "")
    assert f"Written by small: set by LEAPNOTE_GENERATOR. Text {WHERE}." in said
    assert f"- {REMOVED}" in said
    assert f"- {WAS}" in said
    assert "Prompt discharge 3" in said
