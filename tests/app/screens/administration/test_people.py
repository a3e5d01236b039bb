"""The pages People and Health, over the real routes of accounts."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.clients.api_errors import ApiError
from app.clients.people_client import PeopleClient
from app.components.shell.health_view import draw_disk, draw_parts, draw_versions
from backend.schemas.access import PersonRole
from backend.schemas.service_status import Disk, Part, ServiceStatus
from backend.settings import ROOT
from tests.api.test_logins import GOOD, PROGRAM, Hospital
from tests.app.conftest import Drawn, Page
from tests.app.fake_api import FakeApi
from tests.app.study_api import Silenced

OTHER = "another good password"


@pytest.fixture
def hospital(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hospital]:
    monkeypatch.setattr("backend.access.passwords.LOG_N", 8)
    made = Hospital(tmp_path)
    yield made
    made.database.close()


@pytest.fixture
def page(hospital: Hospital) -> Page:
    made = Page(FakeApi())
    made.test.session_state["people_client"] = PeopleClient(
        hospital.settings, Silenced(hospital.client._transport), login=PROGRAM
    )
    return made.go("people")


def said(page: Page) -> str:
    return "\n".join([page.said(), *(str(one.value) for one in page.test.success)]).replace("\\", "")


def add(page: Page, name: str, password: str) -> Page:
    page.test.text_input(key="people_name").set_value(name)
    page.test.text_input(key="people_password").set_value(password)
    return page.press("people_add")


def test_an_account_is_made_and_its_password_is_not_kept_in_the_page(page: Page, hospital: Hospital) -> None:
    add(page, "Cleo *x*", GOOD)
    assert "Cleo *x* can log in now" in said(page)
    assert hospital.people.all() == (("Cleo *x*", PersonRole.CLINICIAN),)
    assert page.test.text_input(key="people_password").value == ""
    assert GOOD not in said(page)


@pytest.mark.parametrize(
    ("name", "password", "reason"),
    [
        ("", GOOD, "The name must have 1 to 120 characters"),
        ("Cleo", "", "The password must have 12 to 200 characters"),
        ("Cleo", "short", "12 to 200 characters"),
    ],
)
def test_what_does_not_fit_is_named_by_its_field(
    page: Page, hospital: Hospital, name: str, password: str, reason: str
) -> None:
    assert reason in said(add(page, name, password))
    assert hospital.people.all() == ()


def test_role_and_password_are_changed_and_an_account_is_removed(page: Page, hospital: Hospital) -> None:
    add(page, "Cleo", GOOD)
    page.test.selectbox(key="people_role_Cleo").set_value(PersonRole.COORDINATOR)
    assert "another role" in said(page.press("people_set_role_Cleo"))
    assert hospital.people.all() == (("Cleo", PersonRole.COORDINATOR),)
    page.test.text_input(key="people_password_Cleo").set_value(OTHER)
    assert "new password" in said(page.press("people_set_Cleo"))
    assert hospital.client.post(
        "/v1/logins", json={"name": "Cleo", "password": OTHER}, headers={"Authorization": f"Bearer {PROGRAM}"}
    ).is_success
    assert "can no longer log in" in said(page.press("people_remove_Cleo"))
    assert hospital.people.all() == ()


def test_where_nobody_logs_in_the_page_says_that_accounts_open_nothing_yet(page: Page) -> None:
    assert "Logins are off" in said(page)


STATUS = ServiceStatus(
    version="1.2", python="3.11", started_at=datetime(2026, 5, 4, 8, tzinfo=UTC), packages={"torch": "2"},
    parts=(Part(name="database", ok=True, found="answers"), Part(name="disk", ok=False, found="<b>full</b>")),
    disk=Disk(folder="/data", data_bytes=2_000_000_000, free_bytes=0, total_bytes=10_000_000_000), retention_days=30,
)  # fmt: skip


def test_health_tells_what_needs_attention_first_and_by_a_word() -> None:
    words = Drawn(lambda: draw_parts(STATUS)).said()
    assert "1 part needs attention" in words
    assert words.index("Disk") < words.index("Database")
    assert "needs attention" in words and "in order" not in words and "<b>full</b>" in words


def test_health_tells_versions_and_the_disk() -> None:
    words = Drawn(lambda: draw_versions(STATUS, STATUS.started_at + timedelta(hours=3))).said()
    assert "Leapnote 1.2" in words and "3 hours" in words and "torch 2" in words
    drawn = Drawn(lambda: draw_disk(STATUS.disk))
    assert "0.0 GB free of 10 GB" in drawn.test.get("progress")[0].proto.text.replace("\\", "")


def test_health_without_an_api_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    class Away:
        def service_status(self) -> ServiceStatus:
            raise ApiError("The API does not answer. Start it with: make run", unreachable=True)

    test = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=20)
    test.session_state["client"], test.session_state["people_client"] = FakeApi(), Away()
    test.run()
    test.switch_page("screens/administration/health.py").run()
    assert not test.exception
    assert any("make run" in str(one.value) for one in test.info)
