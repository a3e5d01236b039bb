"""The review of the knowledge: the list, one item, a decision, and a refusal of the API."""

from typing import Any

import pytest

from app.clients.api_errors import ApiError
from tests.app.conftest import Open, Page

GOUT = {
    "id": "chapter/gout", "kind": "chapter", "title": "gout", "state": "unreviewed", "reviewer": "", "date": "", "version": "",
    "text": "# gout\n\n## Diet\nDrink *water*.", "cells": {}, "changed_text": "", "reason": "", "file": "handbook/joints.md", "line": 7,
    "history": [],
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


@pytest.fixture
def review() -> FakeReview:
    return FakeReview()


@pytest.fixture
def page(open_page: Open, review: FakeReview) -> Page:
    page = open_page()
    page.test.session_state["review_client"] = review
    return page.go("knowledge")


def test_the_list_says_how_things_stand_and_turns(page: Page, review: FakeReview) -> None:
    assert "**gout** · Chapters · unreviewed" in page.said()
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
