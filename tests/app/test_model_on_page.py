"""What the page says and offers where there is a language model."""

from app.jobs.draft_run import Progress
from app.jobs.event_run import Phase
from app.view_data.entry import Entry
from app.view_data.pinned_data import UNTIL_READY, called, pinned, writer
from backend.schemas.drafts.request import DraftRequest
from tests.app.conftest import Open
from tests.app.fake_api import COMPOSER, NOTE
from tests.app.fake_model import (
    MEANWHILE,
    SETTING,
    STARTING,
    WHERE,
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
    assert (found["name"], found["leaves"]) == ("Leapnote itself, without a language model", False)


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
        "Leapnote itself, without a language model", "google/medgemma", "small", "/models/small", "other",
    ]  # fmt: skip


def test_settings_shows_every_prompt_word_for_word_and_who_reads(open_page: Open) -> None:
    page = open_page(model=True)
    page.api.roles = [{"role": "judge", "name": SETTING, "where": WHERE}]
    page.test.session_state["service_at"] = 0.0
    page.go("settings")
    assert [block.value for block in page.test.code] == ["You write <b>plainly</b>.", "Write now."]
    assert page.test.expander[0].label.replace("\\", "") == "discharge: version 3, 0123456789ab"
    assert "note, graph facts" in page.said()
    table = next(one.value for one in page.test.markdown if one.value.startswith("| Who |")).replace("\\", "")
    stated = [[cell.strip() for cell in line.strip("|").split("|")] for line in table.splitlines()[2:]]
    assert [row[0] for row in stated] == ["writer", "writer, where it is chosen", "judge"]
    assert [row[1] for row in stated] == ["small", "Leapnote itself, without a language model", "small"]
