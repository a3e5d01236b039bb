"""The page where people log in, over the real routes: nothing is shown before, and roles see what is theirs."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.clients.login_client import LoginClient
from app.state.access.tab_state import tab_store
from backend.schemas.access import PersonRole
from backend.settings import ROOT
from tests.api.test_logins import GOOD, Hospital
from tests.app.conftest import screen_file
from tests.app.study_api import Silenced


@pytest.fixture
def hospital(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Hospital]:
    monkeypatch.setattr("backend.access.passwords.LOG_N", 8)
    monkeypatch.setattr("app.state.access.access_state.needed", lambda: True)
    made = Hospital(tmp_path)
    made.people.add("Ada Byron", PersonRole.COORDINATOR, GOOD, "root")
    made.people.add("Ben", PersonRole.CLINICIAN, GOOD, "root")
    yield made
    made.database.close()


class Door:
    """A new tab."""

    def __init__(self, hospital: Hospital) -> None:
        self.way = Silenced(hospital.client._transport)
        self.test = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=30)
        self.test.session_state["access_client"] = LoginClient(hospital.settings, self.way)
        self.run()

    def run(self) -> "Door":
        self.test.run()
        assert not self.test.exception, self.test.exception
        return self

    def log_in(self, name: str, password: str) -> "Door":
        self.test.text_input(key="login_name").set_value(name)
        self.test.text_input(key="login_password").set_value(password)
        next(button for button in self.test.button if button.label == "Log in").click()
        return self.run()

    def asks(self) -> bool:
        """Whether it shows the login and no screen."""
        return {str(field.key) for field in self.test.text_input} == {"login_name", "login_password"} and not list(
            self.test.text_area
        )

    def said(self) -> str:
        return "\n".join(str(one.value) for kind in ("title", "info", "markdown") for one in self.test.get(kind))


def test_nothing_but_the_login_is_shown_before_somebody_has_logged_in(hospital: Hospital) -> None:
    door = Door(hospital)
    assert door.asks()
    door.test.switch_page("screens/research/study.py")
    assert door.run().asks()


def test_a_wrong_password_is_reported_and_not_stored(hospital: Hospital) -> None:
    door = Door(hospital).log_in("Ben", "wrong password")
    assert door.asks()
    assert "The name or the password is wrong" in door.said().replace("\\", "")
    assert door.test.text_input(key="login_password").value == ""
    assert "Give your name and your password" in Door(hospital).log_in("", "").said().replace("\\", "")


def test_whoever_logs_in_acts_under_their_name_until_they_log_out(hospital: Hospital) -> None:
    door = Door(hospital).log_in("ada byron", GOOD)
    assert not door.asks()
    assert door.test.session_state["author"] == "Ada Byron"
    token = door.test.session_state["access_token"]
    door.test.switch_page("screens/research/compare.py")
    door.run()
    assert door.test.session_state["client"]._http.headers["Authorization"] == f"Bearer {token}"
    door.test.button(key="log_out").click()
    assert door.run().asks()
    assert "author" not in door.test.session_state
    assert "client" not in door.test.session_state
    assert hospital.people.who(token) is None


def test_what_a_tab_held_is_for_its_person_alone_and_goes_with_the_login(hospital: Hospital) -> None:
    door = Door(hospital).log_in("ada byron", GOOD)
    door.test.session_state["tab_name"] = "of Ada's tab"
    door.test.session_state["words"] = "cough"
    door.run()
    assert tab_store.take("of Ada's tab", "Ben") == {}
    assert tab_store.take("of Ada's tab", "Ada Byron")["words"] == "cough"
    door.run().test.button(key="log_out").click()
    door.run()
    assert tab_store.take("of Ada's tab", "Ada Byron") == {}


CLINICIAN_S = {"workspace", "letters", "visits", "help", "tour", "knowledge"}
RESEARCH = {"compare", "policy", "medical_graph", "results", "study", "settings", "health"}


@pytest.mark.parametrize(
    ("name", "opened"),
    [
        ("Ben", CLINICIAN_S),
        ("Ada Byron", CLINICIAN_S | RESEARCH),
        ("Iris", CLINICIAN_S | RESEARCH | {"people"}),
    ],
)
def test_each_role_opens_its_pages_and_no_others(hospital: Hospital, name: str, opened: set[str]) -> None:
    hospital.people.add("Iris", PersonRole.ADMINISTRATOR, GOOD, "root")
    door = Door(hospital).log_in(name, GOOD)
    found = set()
    for screen in sorted(CLINICIAN_S | RESEARCH | {"people"}):
        try:
            door.test.switch_page(screen_file(screen))
        except ValueError:
            continue
        found.add(screen)
    assert found == opened


def test_studies_are_a_coordinator_s(hospital: Hospital) -> None:
    ada = Door(hospital).log_in("Ada Byron", GOOD)
    ada.test.switch_page("screens/research/study.py")
    assert "Studies" in ada.run().said()
    ben = Door(hospital).log_in("Ben", GOOD)
    with pytest.raises(ValueError, match="Could not find a navigation page"):
        ben.test.switch_page("screens/research/study.py")


def test_a_login_that_ended_meanwhile_shows_the_login_again(
    hospital: Hospital, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("app.state.access.access_state.AGAIN_S", -1.0)
    door = Door(hospital).log_in("Ben", GOOD)
    assert not door.asks()
    hospital.people.remove("Ben", "root")
    assert door.run().asks()
    assert "Your login has ended" in door.said().replace("\\", "")


def test_a_silent_api_lets_nobody_in(hospital: Hospital, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.state.access.access_state.AGAIN_S", -1.0)
    door = Door(hospital).log_in("Ben", GOOD)
    door.way.cut = True
    door.run()
    assert "Please wait" in door.said()
    assert not list(door.test.text_area)
    door.way.cut = False
    assert door.run().test.session_state["author"] == "Ben"
