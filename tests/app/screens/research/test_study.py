"""The coordinator's page through Streamlit's own test runner, over the real routes."""

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from backend.schemas.patients.saved_case import SaveRequest
from backend.schemas.studies.study_judge import JudgeRequest, JudgeScore
from backend.schemas.studies.study_views import InviteRequest
from backend.settings import ROOT
from backend.study.rating import personal_links as links
from tests.app.fake_api import FakeApi
from tests.app.study_api import OTHER, SYSTEM, StudyServer
from tests.app.test_literal_names import HIDDEN, HOSTILE, texts
from tests.review.sample import sample
from tests.study.sample import setup


@pytest.fixture
def container(tmp_path: Path) -> Iterator[StudyServer]:
    made = StudyServer(tmp_path)
    yield made
    made.database.close()


class StudyPage:
    """The coordinator's tab."""

    def __init__(self, container: StudyServer, study_id: str = "", step: str = "") -> None:
        self.container = container
        self.test = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=30)
        self.test.session_state["client"] = FakeApi("well", False)
        self.test.session_state["study_client"] = container.client
        self.test.session_state["author"] = "Ada"
        if study_id:
            view = container.studies.view(study_id)
            self.test.session_state["study_view"] = view
            if step:
                self.test.session_state[f"study_step_{study_id}"] = step
        self.test.switch_page("screens/research/study.py")
        self.run()

    def run(self) -> "StudyPage":
        self.test.run()
        assert not self.test.exception, self.test.exception
        return self

    def press(self, key: str) -> "StudyPage":
        self.test.button(key=key).click()
        return self.run()

    def go(self, step: str) -> "StudyPage":
        view = self.test.session_state["study_view"]
        self.test.session_state[f"study_step_{view.id}"] = step
        return self.run()

    def said(self) -> str:
        kinds = ("title", "header", "markdown", "caption", "info", "warning", "success", "code")
        return "\n".join(str(one.value) for kind in kinds for one in self.test.get(kind)).replace("\\", "")

    def buttons(self) -> set[str]:
        return {str(button.key) for button in self.test.button}

    def files(self) -> list[str]:
        return [button.proto.label for button in self.test.get("download_button")]


def until(page: StudyPage, done: Callable[[], bool]) -> None:
    limit = time.monotonic() + 15
    while not done():
        assert time.monotonic() < limit
        page.run()


def test_a_study_is_made_by_hand_and_filled_with_cases_and_drafts(container: StudyServer) -> None:
    page = StudyPage(container)
    assert "There is no study yet" in page.said()
    page.test.text_input(key="study_new_name").set_value("Mine")
    page.test.multiselect(key="study_new_systems").set_value([SYSTEM, OTHER])
    page.test.multiselect(key="study_new_instruments").set_value(["reinrag-statements"])
    page.test.number_input(key="study_new_calibration_items").set_value(1)
    page.press("study_create")
    (study,) = container.studies.page()
    assert study.name == "Mine"
    assert "0 cases" in page.said()
    page.test.multiselect(key="study_demonstration").set_value(["gi-bleed-warfarin", "heart-failure-ace-angioedema"])
    page.press("study_add")
    assert "2 cases" in page.said()
    assert "Not an evaluation" in page.said()
    page.press("study_generate")
    until(page, lambda: container.studies.view(study.id).drafts.made == 4)
    page.run().run().go("Freeze")
    page.press("study_check")
    assert "Taken out of" in page.said()


def test_a_template_fills_the_form(container: StudyServer) -> None:
    page = StudyPage(container)
    page.test.selectbox(key="new_template").set_value("reinrag")
    page.run()
    assert page.test.number_input(key="study_new_rated_cases").value == 20
    assert page.test.multiselect(key="study_new_systems").value == ["leapnote", "no-retrieval"]
    assert "four statements" in page.said()


def test_the_form_offers_the_documents_of_the_api(container: StudyServer, monkeypatch: pytest.MonkeyPatch) -> None:
    offered = {**container.client.systems(), "documents": ["discharge_instructions", "a_new_one"]}
    monkeypatch.setattr(container.client, "systems", lambda: offered)
    page = StudyPage(container)
    assert page.test.selectbox(key="study_new_document").options == ["Discharge instructions", "a_new_one"]


def test_what_does_not_fit_is_named_and_nothing_typed_is_lost(container: StudyServer) -> None:
    page = StudyPage(container)
    page.test.text_input(key="study_new_name").set_value("Mine")
    page.press("study_create")
    assert "Choose an instrument" in page.said()
    page.test.multiselect(key="study_new_instruments").set_value(["pairwise-preference"])
    page.press("study_create")
    assert "'Preference with strength' cannot be asked of what raters see" in page.said()
    page.test.multiselect(key="study_new_instruments").set_value(["reinrag-statements"])
    page.press("study_create")
    assert "two arms or more; this one has 0: choose systems" in page.said()
    page.test.multiselect(key="study_new_systems").set_value([SYSTEM, OTHER])
    page.test.number_input(key="study_new_overlap").set_value(3)
    page.press("study_create")
    assert "That does not fit" in page.said()
    assert page.test.text_input(key="study_new_name").value == "Mine"
    assert container.studies.page() == ()


def test_what_was_refused_stands_at_the_button_of_a_long_form(container: StudyServer) -> None:
    page = StudyPage(container)
    page.press("study_create")
    form = next(one for one in page.test.expander if one.label == "New study")
    assert [one.value.replace("\\", "") for one in form.info] == ["The study has no name. Raters do not see it."]
    assert len(page.test.info) == 1


def test_without_a_name_nothing_is_done(container: StudyServer) -> None:
    page = StudyPage(container, container.frozen(3), "Raters")
    page.test.text_input(key="author").set_value(" ")
    page.press("study_invite")
    assert "Give your name first" in page.said()


def test_a_study_is_frozen_with_its_plan_only_when_warnings_are_accepted(container: StudyServer) -> None:
    study_id = container.ready(3)
    page = StudyPage(container, study_id)
    page.test.text_area(key="plan_exclusions").set_value("raters who miss every check")
    page.press("FormSubmitter:study_freeze_form-Freeze for good")
    if container.studies.view(study_id).sha256 is None:
        assert "tell the arms apart" in page.said()
        assert page.test.text_area(key="plan_exclusions").value == "raters who miss every check"
        page.test.checkbox(key="plan_accept_warnings").set_value(True)
        page.press("FormSubmitter:study_freeze_form-Freeze for good")
    view = container.studies.view(study_id)
    assert view.sha256 is not None
    assert view.setup.plan is not None
    assert view.setup.plan.exclusions == "raters who miss every check"
    assert "Make a link" in [button.label for button in page.test.button]


def test_a_link_is_shown_once_and_withdrawn_with_two_clicks(container: StudyServer) -> None:
    study_id = container.frozen(3)
    page = StudyPage(container, study_id, "Raters").press("study_invite")
    shown = [one.value for one in page.test.code if "rate?token=" in str(one.value)]
    assert len(shown) == 1
    token = str(shown[0]).split("token=")[1]
    assert container.ratings.session(token).stage == "profile"
    again = StudyPage(container, study_id, "Raters")
    assert token not in again.said()
    (link,) = container.client.rater_links(study_id)
    again.press(f"withdraw_{link.id}")
    assert container.client.rater_links(study_id)[0].withdrawn_at is not None
    assert "withdrawn" in again.said()


def test_unlocking_asks_for_a_reason_which_is_recorded(container: StudyServer) -> None:
    study_id = container.frozen(3)
    page = StudyPage(container, study_id, "Raters").press("study_close")
    assert "study_unlock" in page.buttons()
    assert SYSTEM not in page.said().replace(container.studies.view(study_id).name, "")
    page.press("study_unlock")
    assert "Give a reason" in page.said()
    page.test.text_input(key="study_unlock_reason").set_value("All raters are done.")
    page.press("study_unlock")
    assert [e.details["reason"] for e in container.studies.trail(study_id) if e.kind == "unlock"] == [
        "All raters are done."
    ]


def test_results_are_blind_until_unlocked_and_then_named_with_files(container: StudyServer) -> None:
    study_id = container.frozen(3)
    for rater in ("R01", "R02"):
        container.rate_all(container.invite(study_id, rater))
    container.studies.close(study_id, "Ada")
    page = StudyPage(container, study_id, "Results").press("study_analyse")
    arms = set(page.test.dataframe[0].value["arm"])
    assert arms == {"arm 1", "arm 2"}
    assert page.files() == ["Frozen design"]
    container.studies.unlock(study_id, "Ada")
    page = StudyPage(container, study_id, "Results").press("study_analyse")
    assert set(page.test.dataframe[0].value["arm"]) == {SYSTEM, OTHER}
    assert page.files() == ["Ratings, CSV", "Everything, JSONL", "Frozen design", "Report, HTML", "Report, PDF"]
    assert page.test.get("plotly_chart")


@pytest.mark.parametrize("state", ["draft", "ready", "frozen", "closed"])
def test_every_step_of_every_state_is_drawn(container: StudyServer, state: str) -> None:
    makers = {"draft": lambda: container.studies.create(setup(), "Ada").id, "ready": lambda: container.ready(3)}
    study_id = makers.get(state, lambda: container.frozen(3))()
    if state == "closed":
        container.studies.close(study_id, "Ada")
    page = StudyPage(container, study_id)
    for step in ("Setup", "Cases and drafts", "Freeze", "Raters", "Results", "Trail"):
        assert container.studies.view(study_id).name in page.go(step).said()


def test_a_silent_server_is_reported(container: StudyServer) -> None:
    container.way.cut = True
    assert "make run" in StudyPage(container).said()


def test_saved_cases_are_copied_into_the_study(container: StudyServer) -> None:
    saved = container.cases.save(SaveRequest(label="Ward 3, bed 2", draft=sample(), author="Dr Ames"))
    made = container.studies.create(setup(calibration_items=0), "Ada")
    page = StudyPage(container, made.id)
    field = page.test.multiselect(key="study_saved")
    assert "Ward 3, bed 2" in field.options[0]
    field.set_value([saved.id])
    page.press("study_add")
    (case,) = container.studies.view(made.id).cases
    assert (case.id, case.label, case.text) == (saved.id, "Ward 3, bed 2", sample().note.text)
    assert page.test.multiselect(key="study_saved").value == []


def test_the_cases_needed_stand_beside_those_there_are(container: StudyServer) -> None:
    page = StudyPage(container, container.ready(3), "Freeze")
    page.test.number_input(key="study_power_difference").set_value(0.5)
    page.press("study_power_ask")
    # an effect of 0.5: docs/studies.md
    assert "**34 cases** for the paired t-test, **37**" in page.said()
    assert "This study has 3: too few" in page.said()


def test_a_judge_s_scores_stand_in_the_analysis_of_the_page(container: StudyServer) -> None:
    study_id = container.frozen(4)
    container.rate_all(container.invite(study_id))
    items = {item.case_id for item in container.study(study_id).items if item.kind == "main"}
    scores = [
        JudgeScore(question="reinrag-statements/mean", case=case, arm=arm, value=n)
        for n, (case, arm) in enumerate((case, arm) for case in sorted(items) for arm in (SYSTEM, OTHER))
    ]
    container.client.add_judge(study_id, JudgeRequest(judge="some-model", scores=tuple(scores), author="Ada"))
    page = StudyPage(container, study_id, "Results").press("study_analyse")
    assert "A judge model against people" in page.said()
    tables = [frame.value.to_csv() for frame in page.test.dataframe]
    assert any("some-model" in table and "judge minus people" in table for table in tables)
    assert not [table for table in tables if SYSTEM in table]  # blind: codes alone


@pytest.mark.parametrize("name", HOSTILE)
def test_names_of_a_study_and_of_its_raters_are_taken_literally(container: StudyServer, name: str) -> None:
    study_id = container.frozen(3, name=name)
    links.invite(container.studies, study_id, InviteRequest(rater="R01", author=name, label=name))
    page = StudyPage(container, study_id)
    for step in ("Setup", "Cases and drafts", "Freeze", "Raters", "Results", "Trail"):
        page.go(step)
        raw = [text for _, text in texts(page) if name in text or set(HIDDEN) & set(text)]
        assert raw == [], step
    del page.test.session_state["study_view"]
    assert [text for _, text in texts(page.run()) if name in text] == []
