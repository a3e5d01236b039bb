"""The settings, the knowledge and the prompts, drawn."""

from typing import Any

from app.components.knowledge import settings_view
from app.view_data.setting_groups import Section, Setting
from tests.app.conftest import Drawn

KNOWN: dict[str, Any] = {
    "notice": "A *starter*.", "graph": {"name": "own", "concepts": 1200, "edges": 3400}, "encoder": "hash", "policy": "none",
    "sources": [
        {"source": "book", "documents": 3, "passages": 9, "licence": "", "refused": ""},
        {"source": "guideline", "documents": 0, "passages": 0, "licence": "", "refused": "another encoder"},
    ],
}  # fmt: skip


def test_a_changed_setting_is_bold_and_its_value_is_text() -> None:
    section = Section("The port", (Setting("A", "What.", "8600", False), Setting("B", "Who.", "|x| *y*", True)))
    table = Drawn(lambda: settings_view.draw_sections([section])).test.markdown[0].value.splitlines()
    assert table[2].endswith("| 8600 | `A` |")
    assert table[3].endswith(r"| **\|x\| \*y\*** | `B` |")  # a bar would be another column


def test_an_empty_source_says_so_and_one_that_cannot_be_searched_why() -> None:
    drawn = Drawn(lambda: settings_view.draw_knowledge(KNOWN))
    rows = drawn.test.dataframe[0].value
    assert list(rows["licence"]) == ["", "empty until someone imports into it"]
    assert list(rows["not searched"]) == ["", "another encoder"]
    assert "1,200 concepts, 3,400 directed edges" in drawn.said()
    assert "Entities" not in drawn.said()
    assert "waits for them" in Drawn(lambda: settings_view.draw_knowledge(KNOWN | {"entities": "4 of 9"})).said()


def test_without_a_policy_it_says_what_happens() -> None:
    assert settings_view.policy_words("own").startswith("own. ")
    assert settings_view.policy_words(settings_view.NO_POLICY).startswith("none. Paths")


def test_a_role_with_a_model_of_its_own_says_where_its_text_goes() -> None:
    writer = {"setting": "", "name": "composer", "reason": "as set", "where": "stays here"}
    judge = {"role": "judge", "name": "openai:http://10.0.0.7/v1#big", "where": "goes to 10.0.0.7"}
    table = Drawn(lambda: settings_view.draw_writers([writer], [judge])).said()
    head, _, *rows = (line for line in table.splitlines() if line.startswith("|"))
    assert head == "| Who | Name | Why | Where the text goes |"
    assert [row.split(" | ")[0] for row in rows] == ["| writer", "| judge"]
    assert rows[1] == "| judge | big | set by a setting of its own | goes to 10.0.0.7 |"


def test_a_prompt_is_shown_word_for_word() -> None:
    row = {"name": "plan", "version": 2, "hash": "ab", "what": "Plans.", "instructions": "Do *so*.\nThen so.",
           "data": [], "ending": ""}  # fmt: skip
    drawn = Drawn(lambda: settings_view.draw_prompts([row]))
    assert [code.value for code in drawn.test.code] == ["Do *so*.\nThen so."]
    assert "Then the" not in drawn.said()
    whole = Drawn(lambda: settings_view.draw_prompts([row | {"data": ["the_note"], "ending": "Plan."}]))
    assert "Then the data: the note." in whole.said() and whole.test.code[1].value == "Plan."
