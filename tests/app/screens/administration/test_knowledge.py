"""The review of the knowledge: the list, one item, a decision, and a refusal of the API."""

from typing import Any

import pytest

from app.clients.api_errors import ApiError
from tests.app.conftest import Open, Page

GOUT = {
    "id": "chapter/gout", "kind": "chapter", "title": "gout", "state": "unreviewed", "reviewer": "", "date": "", "version": "",
    "text": "# gout\n\n## Diet\nDrink *water*.", "cells": {}, "changed_text": "", "reason": "", "file": "handbook/joints.md", "line": 7,
    "history": [{"verdict": "withdrawn", "reviewer": "Dr Rao", "at": "2026-05-04T10:00:00Z", "reason": "old"}],
}  # fmt: skip
TABLE = {
    "header": ["medicine", "status", "instead", "condition", "note"], "installed": True, "by": "Dr Rao", "at": "2026-05-04T10:00:00Z",
    "replaced": [{"digest": "0" * 16, "until": "2026-05-03T10:00:00Z", "rows": 7, "by": "Dr <b>Lee</b>"}],
    "changed": True, "text": "", "faults": ["formulary.tsv:4: the status 'gone'"], "unknown": ["zzz"],
    "rows": [{"medicine": "<b>rosuvastatin</b>", "status": "off", "instead": "", "condition": "", "note": "", "says": "", "known": True}],
}  # fmt: skip


class FakeReview:
    """Answers from memory; refuses a decision without a reviewer, as the API does."""

    def __init__(self) -> None:
        self.sent: list[dict[str, str]] = []
        self.asked: list[tuple[str, str, str, int]] = []

    def counts(self) -> dict[str, Any]:
        return {"kinds": {"chapter": {"unreviewed": 1}}, "without_item": ["dose/0123"]}

    def items(self, kind: str, state: str, words: str, offset: int, limit: int) -> dict[str, Any]:
        self.asked.append((kind, state, words, offset))
        return {"total": 30, "items": [GOUT]}

    def item(self, item: str) -> dict[str, Any]:
        return GOUT

    def decide(self, body: dict[str, str]) -> dict[str, Any]:
        if not body["reviewer"]:
            raise ApiError("A decision needs the name of the clinician who makes it.")
        self.sent.append(body)
        return body

    def difference(self) -> str:
        return "--- a\n"

    def journal(self, limit: int) -> dict[str, Any]:
        return {"total": 300, "decisions": GOUT["history"] and [GOUT["history"][0] | {"item": "chapter/gout"}]}

    def table(self, table: str) -> dict[str, Any]:
        return TABLE if table == "formulary" else TABLE | {"installed": False, "rows": [], "faults": [], "unknown": []}

    def restore_table(self, table: str, digest: str, reviewer: str) -> dict[str, Any]:
        self.sent.append({"restored": table, "digest": digest, "by": reviewer})
        return {"rows": [{}]}

    def remove_table(self, table: str, reviewer: str) -> dict[str, Any]:
        if not reviewer:
            raise ApiError("Removing needs the name of who answers for it.")
        self.sent.append({"removed": table, "by": reviewer})
        return {}


@pytest.fixture
def review() -> FakeReview:
    return FakeReview()


@pytest.fixture
def page(open_page: Open, review: FakeReview) -> Page:
    page = open_page()
    page.test.session_state["review_client"] = review
    return page.go("knowledge")


def test_the_list_says_how_things_stand_and_turns(page: Page, review: FakeReview) -> None:
    assert "**gout** · Chapters · unreviewed" in [button.label for button in page.test.button]
    assert "1 to 12 of 30" in page.said()
    assert "dose/0123" in page.said()
    next(button for button in page.test.button if button.label == "Next").click()
    page.run()
    assert review.asked[-1][3] == 12
    page.test.selectbox(key="knowledge_state").select("refused")
    page.run()
    assert review.asked[-1] == ("", "refused", "", 0)


def test_a_decision_is_sent_as_the_fields_have_it(page: Page, review: FakeReview) -> None:
    page.press("open_chapter/gout")
    page.test.text_input(key="knowledge_reviewer").set_value("Dr Okafor")
    page.test.text_input(key="knowledge_reason_chapter/gout").set_value("ours")
    page.test.text_area(key="knowledge_text_chapter/gout").set_value("# gout\n\n## Diet\nEat.")
    page.press("decide_changed")
    assert review.sent == [
        {
            "item": "chapter/gout",
            "verdict": "changed",
            "reviewer": "Dr Okafor",
            "reason": "ours",
            "sources": "",
            "text": "# gout\n\n## Diet\nEat.",
        }
    ]
    assert "holds from the next start" in str(page.test.success[0].value)


def test_a_refusal_is_shown_and_what_was_typed_stays(page: Page, review: FakeReview) -> None:
    page.press("open_chapter/gout")
    page.test.text_input(key="knowledge_reason_chapter/gout").set_value("ours")
    page.press("decide_refused")
    assert review.sent == []
    assert "name of the clinician" in page.said()
    assert page.test.text_input(key="knowledge_reason_chapter/gout").value == "ours"


def test_what_was_typed_stays_while_the_list_is_looked_at(page: Page, review: FakeReview) -> None:
    page.press("open_chapter/gout")
    page.test.text_input(key="knowledge_reviewer").set_value("Dr Okafor")
    page.test.text_area(key="knowledge_text_chapter/gout").set_value("# gout\n\n## Diet\nEat.")
    page.run()
    next(button for button in page.test.button if button.label == "Back to the list").click()
    page.run()
    page.press("open_chapter/gout")
    assert page.test.text_area(key="knowledge_text_chapter/gout").value == "# gout\n\n## Diet\nEat."
    assert page.test.text_input(key="knowledge_reviewer").value == "Dr Okafor"
    page.press("decide_changed")
    assert review.sent[0]["text"] == "# gout\n\n## Diet\nEat."


def part(page: Page, name: str) -> None:
    page.test.session_state["knowledge_part"] = name
    page.run()


def test_undo_stands_beside_the_decisions_and_the_diff_is_shown(page: Page, review: FakeReview) -> None:
    assert "--- a" in str(page.test.code[0].value)
    page.press("open_chapter/gout")
    page.test.text_input(key="knowledge_reviewer").set_value("Dr Okafor")
    page.press("decide_undone")
    assert (review.sent[0]["verdict"], review.sent[0]["reviewer"]) == ("undone", "Dr Okafor")


def test_the_formulary_is_shown_with_its_faults_and_removed_with_a_name(page: Page, review: FakeReview) -> None:
    part(page, "formulary")
    assert "changed by hand since" in page.said()
    assert "the status 'gone'" in page.said()
    assert "zzz" in page.said()
    assert page.test.dataframe[0].value["medicine"][0] == "<b>rosuvastatin</b>"  # drawn as text by the table
    page.press("remove_formulary")
    assert "name of who answers" in page.said()
    page.test.text_input(key="knowledge_reviewer").set_value("Dr Okafor")
    page.press("remove_formulary")
    assert review.sent == [{"removed": "formulary", "by": "Dr Okafor"}]
    page.press("restore_formulary_" + "0" * 16)
    assert review.sent[-1] == {"restored": "formulary", "digest": "0" * 16, "by": "Dr Okafor"}
    page.press("install_formulary")
    assert "Choose a file first" in page.said()


def test_without_instructions_the_header_is_told_and_nothing_can_be_removed(page: Page) -> None:
    part(page, "instructions")
    assert "None is installed" in page.said()
    assert page.test.button(key="remove_instructions").disabled


def test_the_journal_says_who_did_what(page: Page) -> None:
    part(page, "journal")
    row = page.test.dataframe[0].value.iloc[0]
    assert (row["what"], row["who"], row["item"], row["reason"]) == ("withdrawn", "Dr Rao", "chapter/gout", "old")
    assert "The last 1 of 300" in page.said()


def test_the_filters_stay_while_an_item_is_open(page: Page, review: FakeReview) -> None:
    page.test.text_input(key="knowledge_words").set_value("gout")
    page.run()
    page.press("open_chapter/gout")
    page.run()
    next(button for button in page.test.button if button.label == "Back to the list").click()
    page.run()
    assert review.asked[-1] == ("", "", "gout", 0)
    assert page.test.text_input(key="knowledge_words").value == "gout"
