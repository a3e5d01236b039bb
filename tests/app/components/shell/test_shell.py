"""What is around every screen, drawn."""

import json
from typing import Any

from app.components.shell import shell
from app.components.shell.first_answer import STYLE
from tests.app.conftest import Drawn


def sent(drawn: Drawn, name: str) -> list[dict[str, Any]]:
    """What each component of that name was given."""
    protos = [element.proto for element in drawn.test.get("bidi_component")]
    return [json.loads(proto.json) for proto in protos if proto.component_name == name]


def test_the_pinned_line_gets_its_values_as_data() -> None:
    values = {"person": "80 F", "alerts": [{"level": "severe", "message": "<b>penicillin</b>"}]}
    drawn = Drawn(lambda: shell.draw_pinned(values))
    assert sent(drawn, "leapnote_pinned") == [values]
    assert drawn.said() == ""  # no word of it is drawn as markup


def test_a_tab_without_a_name_asks_the_browser_for_one() -> None:
    drawn = Drawn(lambda: shell.draw_tab("", lambda: None))
    assert sent(drawn, "leapnote_tab") == [{"name": "", "language": "en"}]


def test_the_style_loads_nothing_from_elsewhere() -> None:
    style = STYLE.read_text(encoding="utf-8")
    assert style.count("{") == style.count("}") > 10
    assert "url(" not in style and "@import" not in style and "<" not in style
