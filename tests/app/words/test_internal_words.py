"""No word that only this program's makers know reaches a clinician: none in the catalogue, none on a drawn page."""

import json
import re
from typing import Any

import pytest

from app.words.words import table
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.saved_case import SaveRequest
from backend.systems import all_systems
from tests.app.conftest import Open, Page
from tests.app.fake_api import draft_of
from tests.app.words.texts import marked

SYSTEMS = sorted({one.name for one in all_systems()} - {"leapnote"})  # which is the product's name too
WORDS = (
    "K1",
    "seed",
    "seeds",
    "told",
    "piece",
    "pieces",
    "composer",
    "mention",
    "mentions",
    "embedded encoder",
    "rollout",
)
INTERNAL = re.compile(rf"(?<![\w-])(?:{'|'.join(map(re.escape, [*SYSTEMS, *WORDS]))})(?![\w-])", re.IGNORECASE)
SPANISH = re.compile(r"(?<!\w)(?:semillas?|menciones|piezas|compositor)(?!\w)", re.IGNORECASE)
# pages of research and administration, which a clinician who logs in does not open
NOT_A_CLINICIAN_S = re.compile(
    r"(?:policy|compare|controls|review_view|sources_view|medical_graph|graph_view|results|study|settings|knowledge|health|people|rate)"
)


def clinician_s_texts() -> list[str]:
    return [text.words for text in marked() if not NOT_A_CLINICIAN_S.search(text.file.rpartition("/")[2])]


def test_the_pattern_finds_what_it_must_and_spares_what_it_may() -> None:
    assert all(
        INTERNAL.search(words) for words in ("composer (no model)", "55 mentions", "196 pieces", "[K1]", "the seed")
    )
    assert any(INTERNAL.search(f"by {name}.") for name in ("rar2", "cli-rag"))
    assert not any(INTERNAL.search(words) for words in ("K12", "Leapnote drafts", "toldo", "a piecemeal", "decomposer"))


def test_no_internal_word_is_in_a_clinician_s_texts() -> None:
    texts = clinician_s_texts()
    assert len(texts) > 450
    assert [text for text in texts if INTERNAL.search(text)] == []
    spanish = table("es")
    assert [spanish[text] for text in texts if INTERNAL.search(spanish[text]) or SPANISH.search(spanish[text])] == []


def shown(page: Page) -> list[str]:
    """Every text of a drawn page: of its elements, their labels and options, and what its components are given to draw."""
    found: list[str] = []

    def walk(value: Any, name: str = "") -> None:
        if isinstance(value, dict):
            for key, inner in value.items():
                walk(inner, key)
        elif isinstance(value, list):
            for inner in value:
                walk(inner, name)
        elif isinstance(value, str) and name not in ("samples", "name", "key", "id", "setting"):
            found.append(value)

    for proto in (element.proto for element in page.test.get("bidi_component")):
        walk(json.loads(proto.json))
    found += page.said().splitlines()
    for kind in ("button", "text_input", "text_area", "selectbox", "radio", "expander"):
        found += [str(getattr(element, "label", "")) for element in page.test.get(kind)]
    found += [str(option) for box in page.test.get("selectbox") for option in box.options]
    return found


@pytest.mark.parametrize("screen", ["workspace", "letters", "visits", "help", "tour"])
def test_no_internal_word_is_on_a_clinician_s_page(open_page: Open, screen: str) -> None:
    page = open_page()
    page.api.save_case(SaveRequest(label="80 F, dyspnea", draft=draft_of(DraftRequest(text="x")), author="Dr Ames"))
    texts = shown(page.go(screen))
    assert len(texts) > 5
    assert [text for text in texts if INTERNAL.search(text)] == []
