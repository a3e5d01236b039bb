"""Which country a note is of, by its own words: every row by its examples, and notes that tell one or none."""

import pytest

from backend.container import Container
from backend.generation.locale import locale_patterns, words_for
from backend.generation.note_place import FAMILY, Place, place_of
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Locale

ROWS = trigger_rows(FAMILY)
BRITISH = (
    "72F seen in A&E with pneumonia. NKDA. Co-amoxiclav 625 mg tds for 5/7. GP to repeat U&E. Call 999 if breathless."
)


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.id)
def test_each_row_is_found_in_its_examples_and_nowhere_else(row: TriggerRow) -> None:
    def found(text: str) -> set[str]:
        return {one.row.id for one in TriggerAutomaton(ROWS).find(plain_marks(tokens(text).words))[FAMILY]}

    assert all(row.id in found(text) for text in row.yes)
    assert all(row.id not in found(text) for text in row.no)


@pytest.mark.parametrize(
    ("note", "place"),
    [
        (BRITISH, Place.UK),
        ("55M, DVLA informed, TTO: paracetamol. GP follow up.", Place.UK),
        ("Seen in A&E. Paracetamol qds. GP to review.", Place.BRITISH_WORDS),
        ("Salbutamol, GP review, glucose 14 mmol/L. Ring 112 if worse. 999 if blue.", Place.BRITISH_WORDS),
        ("Seen in the ED for pneumonia. Tylenol as needed, PCP in a week. Call 911 if breathless.", Place.NOT_TOLD),
        ("GP in 2 weeks. DVLA told.", Place.NOT_TOLD),
        ("UK visitor, GP at home, on salbutamol and flucloxacillin. Take Tylenol. Call 911 if worse.", Place.NOT_TOLD),
        ("", Place.NOT_TOLD),
    ],
)
def test_a_note_is_british_by_several_words_and_none_of_another_country(note: str, place: Place) -> None:
    assert place_of(note) is place


def test_what_the_request_or_the_setting_asks_for_stands() -> None:
    assert words_for(BRITISH, None).locale is Locale.UK
    assert words_for(BRITISH, Locale.US).words is None
    assert words_for("Seen in A&E. Paracetamol qds. GP to review.", None, Locale.UK).locale is Locale.UK


@pytest.mark.parametrize("row", locale_patterns("anywhere"), ids=lambda row: row.pattern.pattern[:30])
def test_each_pattern_without_a_number_changes_its_examples_and_nothing_else(row: object) -> None:
    for before, after in row.yes:  # type: ignore[attr-defined]
        assert row.pattern.sub(row.words, before) == after  # type: ignore[attr-defined]
    assert row.pattern.search(row.no) is None  # type: ignore[attr-defined]


def test_a_british_note_has_its_own_number_and_a_doubtful_one_none(container: Container) -> None:
    pipeline = container.pipeline("leapnote")
    british = pipeline.run(DraftRequest(text=BRITISH))
    assert british.locale is Locale.UK and "999" in british.text and "911" not in british.text
    doubtful = pipeline.run(DraftRequest(text=BRITISH.replace("Call 999", "Get help")))
    assert "Call an ambulance" in doubtful.text and "911" not in doubtful.text and "999" not in doubtful.text
    american = pipeline.run(DraftRequest(text=BRITISH, locale=Locale.US))
    assert "911" in american.text
