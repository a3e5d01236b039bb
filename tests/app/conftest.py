"""The page under Streamlit's own test runner, with a client that answers from memory."""

import json
import time
from collections.abc import Callable
from typing import Any

import pytest
from streamlit.testing.v1 import AppTest

from backend.settings import ROOT
from tests.app.fake_api import FakeApi
from tests.app.fake_model import ModelApi

SCREENS = ("workspace", "letters", "compare", "policy", "medical_graph", "results", "settings", "help", "tour")
Open = Callable[..., "Page"]


def screen_file(screen: str) -> str:
    """The file of a screen, as Streamlit is told it."""
    [found] = (ROOT / "app" / "screens").glob(f"*/{screen}.py")
    return found.relative_to(ROOT / "app").as_posix()


class Page:
    """One browser tab's session."""

    def __init__(self, api: FakeApi) -> None:
        self.api = api
        self.test = AppTest.from_file(str(ROOT / "app" / "main.py"), default_timeout=20)
        self.test.session_state["client"] = api
        self.run()

    def run(self) -> "Page":
        self.test.run()
        assert not self.test.exception, self.test.exception
        return self

    def go(self, screen: str) -> "Page":
        self.test.switch_page(screen_file(screen))
        return self.run()

    def press(self, key: str) -> "Page":
        self.test.button(key=key).click()
        return self.run()

    def type(self, key: str, text: str) -> "Page":
        self.test.text_area(key=key).set_value(text)
        return self.run()

    def draft(self, text: str) -> "Page":
        """Compare two systems on a note; wait until both have ended."""
        self.go("compare").type("note", text).press("compare")
        return self.until_done()

    def until_done(self) -> "Page":
        limit = time.monotonic() + 10
        while len(self.parts("leapnote_reading")) < 2 and "so far" in self.said():
            assert time.monotonic() < limit
            self.run()
        return self

    def part(self, name: str) -> dict[str, Any]:
        """What the first component of that name was given; empty when it is not shown."""
        found = self.parts(name)
        return found[0] if found else {}

    def parts(self, name: str) -> list[dict[str, Any]]:
        elements = [element.proto for element in self.test.get("bidi_component")]
        return [json.loads(proto.json) for proto in elements if proto.component_name == name]

    def said(self) -> str:
        """Every message and text of the page, in one string."""
        kinds = ("markdown", "warning", "error", "info", "caption", "title", "header")
        return "\n".join(str(element.value) for kind in kinds for element in self.test.get(kind))


class Drawn:
    """A component alone, drawn by a call; drawn again after each click."""

    def __init__(self, draw: Callable[[], object]) -> None:
        self.test = AppTest.from_function(_call, default_timeout=20, kwargs={"draw": draw})
        self.run()

    def run(self) -> "Drawn":
        self.test.run()
        assert not self.test.exception, self.test.exception
        return self

    def press(self, key: str) -> "Drawn":
        self.test.button(key=key).click()
        return self.run()

    def buttons(self) -> list[str]:
        return [str(button.key) for button in self.test.button]

    def files(self) -> list[str]:
        return [button.proto.label for button in self.test.get("download_button")]

    def said(self) -> str:
        """Every text that is shown, without the backslashes that make it literal."""
        kinds = ("title", "header", "markdown", "caption", "info", "warning", "error", "success", "code")
        return "\n".join(str(one.value) for kind in kinds for one in self.test.get(kind)).replace("\\", "")


def _call(draw: "Callable[[], object]") -> None:  # run as a script of its own, which imports nothing
    draw()


@pytest.fixture
def open_page() -> Open:
    """Open the page with a fake client of a mode; model: one whose API has a language model."""

    def build(mode: str = "well", held: bool = False, model: bool = False) -> Page:
        return Page(ModelApi(mode, held) if model else FakeApi(mode, held))

    return build
