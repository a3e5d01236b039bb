"""The list of saved cases and the sentences of one, drawn."""

from collections.abc import Callable
from typing import Any

import pytest

from app.components.drafts import case_list
from app.components.drafts.case_list import PAGE
from backend.schemas.patients.saved_case import CasePage, CaseState, CaseSummary, CaseView, ReviewedSentence
from tests.app.conftest import Drawn
from tests.app.fake_cases import NOW

ACTIONS = ("open_editor", "close_editor", "rewrite", "insert", "delete", "fill", "restore")


def page(*states: CaseState) -> CasePage:
    rows = tuple(
        CaseSummary(id=f"c{n}", label="*One*", state=state, version=n, created_at=NOW, updated_at=NOW)
        for n, state in enumerate(states, 1)
    )
    return CasePage(total=len(rows), limit=PAGE, offset=0, cases=rows)


class Act:
    """Callbacks that tell which was called with what; opened: what is open, as (what, sentence)."""

    def __init__(self, *opened: tuple[str, str]) -> None:
        self.opened, self.done = set(opened), list[tuple[Any, ...]]()
        self.call: dict[str, Callable[..., None]] = {name: self._of(name) for name in ACTIONS}

    def draw(self, *sentences: ReviewedSentence) -> Drawn:
        key = "{}_{}".format
        return Drawn(lambda: case_list.draw_sentences(sentences, key, lambda *one: one in self.opened, self.call))

    def _of(self, name: str) -> Callable[..., None]:
        return lambda *given: self.done.append((name, *given))


def test_a_case_is_listed_with_its_state_and_opens_by_its_button() -> None:
    opened: list[str] = []
    drawn = Drawn(lambda: case_list.draw_list(page(CaseState.DRAFT, CaseState.SIGNED), opened.append))
    assert drawn.test.markdown[0].value == r"**\*One\***"
    assert "(version 2)" in drawn.said()
    drawn.press("open_c2")
    assert opened == ["c2"]
    assert "No case is saved here yet" in Drawn(lambda: case_list.draw_list(page(), opened.append)).said()


@pytest.mark.parametrize(("total", "last"), [(0, None), (PAGE, None), (PAGE + 1, 2), (3 * PAGE, 3)])
def test_a_page_is_chosen_only_where_there_are_several(total: int, last: int | None) -> None:
    chosen: list[int] = []
    drawn = Drawn(lambda: chosen.append(case_list.draw_page_choice(total)))
    assert chosen == [0]
    assert [field.max for field in drawn.test.number_input] == ([] if last is None else [last])
    if last:
        drawn.test.number_input(key="review_page").set_value(last)
        drawn.run()
        assert chosen == [0, last - 1]


def test_headings_stand_once_and_a_deleted_sentence_can_come_back(view: CaseView) -> None:
    kept, gone, later = view.sentences[0], view.sentences[1], view.sentences[4]
    act = Act()
    gone = gone.model_copy(update={"deleted": True, "deleted_reason": "not so"})
    drawn = act.draw(kept, gone, later)
    headings = [one.value for one in drawn.test.markdown if one.value.startswith("## ")]
    assert headings == ["## Why you came", r"## Follow\-up"]
    assert f"edit_{gone.id}" not in drawn.buttons() and "not so" in drawn.said()
    drawn.press(f"restore_{gone.id}")
    assert act.done == [("restore", gone.id)]


def test_an_editor_takes_the_place_of_the_sentence(view: CaseView) -> None:
    one = view.sentences[0]
    closed, act = Act(), Act(("text", one.id))
    closed.draw(one).press(f"edit_{one.id}")
    assert closed.done == [("open_editor", "text", one.id, one.text)]
    drawn = act.draw(one)
    assert f"edit_{one.id}" not in drawn.buttons()
    drawn.press(f"rewrite_{one.id}").press(f"cancel_{one.id}")
    assert act.done == [("rewrite", one.id), ("close_editor", "text", one.id)]


def test_a_gap_has_its_field_and_a_whole_sentence_none(view: CaseView) -> None:
    whole, gap = view.sentences[0], view.sentences[2]
    act = Act()
    drawn = act.draw(whole, gap)
    assert [field.label.replace("\\", "") for field in drawn.test.text_input] == ["To complete: what was found"]
    drawn.press(f"fill_{gap.id}")
    assert act.done == [("fill", gap.id, gap.text)]


def test_a_first_version_has_nothing_to_undo(view: CaseView) -> None:
    call: dict[str, Any] = dict.fromkeys(("close", "refresh", "undo"), lambda *given: None)
    assert Drawn(lambda: case_list.draw_head(view, call)).test.button(key="undo").disabled
    second = view.model_copy(update={"version": 2})
    assert not Drawn(lambda: case_list.draw_head(second, call)).test.button(key="undo").disabled


def test_what_was_typed_into_a_deleted_sentence_is_shown_to_copy() -> None:
    drawn = Drawn(
        lambda: case_list.draw_stale("Version 1 is old. Nothing was saved; load.", (), [("S2", "<my words>")])
    )
    assert [code.value for code in drawn.test.code] == ["<my words>"]
    assert "Nothing was saved; load." not in drawn.said()  # it is loaded already
    assert "No edit is recorded." in drawn.said()
