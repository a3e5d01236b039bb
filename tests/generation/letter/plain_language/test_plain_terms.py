"""Short forms and words of charts in everyday words: never against what was read, never a number changed."""

import re

import pytest

from backend.generation.letter.plain_language.plain_terms import PlainTerms
from backend.generation.letter.plain_language.reported import to_you
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import Dosage, MedicationStatement, ProblemStatement, RecordSpan
from backend.schemas.vocabulary import Category


def read(
    text: str, name: str, concept: str = "T:x", category: Category = Category.DISEASE, at: int = 0
) -> ProblemStatement:
    span = RecordSpan(start_char=at, end_char=at + len(text), text=text)
    return ProblemStatement(id="problem-1", concept_id=concept, name=name, category=category, spans=(span,))


NONE = PlainTerms([], {})


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("hx of HTN, s/p fall", "history of high blood pressure, after fall"),
        ("lisinopril 10 mg b.i.d.", "lisinopril 10 mg twice a day"),
        ("labetalol q6h x 7 days", "labetalol every 6 hours for 7 days"),
        ("vomited x2", "vomited 2 times"),
        ("colon polyps x3, removed", "large bowel polyps (3), removed"),
        ("two strokes x 2", "two strokes (2)"),
        ("croup x3 last winter", "croup 3 times last winter"),
        ("was seen at the Rehab Center", "was seen at the Rehab Center"),
        ("has frontal lobe epilepsy", "has frontal lobe (front part of the brain) epilepsy"),
        ("ear infections times three", "ear infections three times"),
        ("one pack per day times greater than 30 years", "one pack per day for more than 30 years"),
        ("he fell several times two days ago", "he fell several times two days ago"),
        ("walks & swims", "walks and swims"),
        ("cyanosed / pale", "cyanosed or pale"),
        ("drink 1.5 L / day", "drink 1.5 L a day"),
        ("smokes 5/day", "smokes 5 a day"),
        ("foot check / weight advice", "foot check and weight advice"),
        ("iron tablets 200 mg ON", "iron tablets 200 mg at night"),
        ("seen by ID, carries photo ID", "seen by the infection team, carries photo ID"),
        ("ex-alcohol excess", "heavy alcohol use in the past"),
        ("syrup × 5 d", "syrup for 5 days"),
        ("clinic in 2/52", "clinic in 2 weeks"),
        ("back in 1 wk", "back in 1 week"),
        ("blood pressure 92/52, then 105/58", "blood pressure 92/52, then 105/58"),
        ("a wound of 18 x 12 cm", "a wound of 18 x 12 cm"),
        ("INR <3", "INR under 3"),
        ("an EKG", "a heart tracing (EKG)"),
        ("metoprolol ER and the ER", "metoprolol ER and the emergency room"),
        ("stage IV", "stage IV"),
        ("NO aspirin. NEVER again", "No aspirin. never again"),
        ("edema of the bilateral feet, of the both hands", "swelling of both feet, of both hands"),
        ('she said "CHF"', 'she said "CHF"'),
        ("25 mg p.o. Then she slept", "25 mg by mouth. Then she slept"),
    ],
)
def test_short_forms_are_said_in_words(written: str, plain: str) -> None:
    assert NONE.said(written, 0) == plain


def test_a_short_form_that_was_read_otherwise_stays() -> None:
    terms = PlainTerms([read("ED", "erectile dysfunction")], {})
    assert terms.said("ED", 0) == "ED"
    assert NONE.said("ED", 0) == "emergency department"


def test_a_disease_named_in_several_words_is_not_taken_apart() -> None:
    name = "pulmonary valve disease"
    assert PlainTerms([read(name, name)], {}).said(name, 0) == name
    assert NONE.said(name, 0) == "lung valve disease"


def test_a_symptom_is_said_as_its_concept_is_in_plain_words() -> None:
    terms = PlainTerms(
        [read("polyuria", "polyuria", "T:polyuria", Category.SYMPTOM)], {"T:polyuria": "passing much urine"}
    )
    assert terms.said("polyuria", 0) == "passing much urine"


def test_a_wider_concept_is_not_said_in_its_place() -> None:
    terms = PlainTerms([read("melanotic stool", "melena", "T:m", Category.SYMPTOM)], {"T:m": "black, tarry stools"})
    assert terms.said("melanotic stool", 0) == "melanotic stool"


def test_od_is_once_a_day_only_where_a_dose_was_read_so() -> None:
    span = RecordSpan(start_char=0, end_char=8, text="ramipril")
    once = MedicationStatement(
        id="medication-1", concept_id=None, name="ramipril", spans=(span,), dosage=Dosage(timing="QD", timing_text="OD")
    )
    assert PlainTerms([once], {}).said("ramipril 5 mg OD", 0) == "ramipril 5 mg once a day"
    assert NONE.said("drops OD", 0) == "drops OD"


@pytest.mark.parametrize(
    "text",
    [
        "plt falling -> deliver",
        "CPN Wanjiru calls",
        "K 6.4??",
        "cx neg",
        "PEFR 35%",
        "tob/etoh",
        "ketorolac 30 IV",
        "a 79F",
    ],
)
def test_shorthand_is_seen(text: str) -> None:
    assert NONE.residue(text)


@pytest.mark.parametrize(
    "text",
    [
        "You don't sleep.",
        "Dr. Lee of the VA Hospital",
        "stage IIIC",
        "1 g a day",
        "CT and MRI were normal",
        "on 2 mg/hr",
        "a fever of 101.8F or 102F",
        "morphine 4 mg IV",
    ],
)
def test_plain_text_is_no_shorthand(text: str) -> None:
    assert not NONE.residue(text)


def test_every_row_says_its_words() -> None:
    for written, _, plain in rule_rows(RULES / "letter" / "plain_terms.tsv", 3):
        said = NONE.said(f"with {written} today", 0)
        assert plain.lower() in said.lower(), written
        assert set(re.findall(r"\d", plain)) <= set(re.findall(r"\d", written)), f"{written} gains a number"


def test_every_verb_of_charts_is_said_plainly() -> None:
    for written, plain in rule_rows(RULES / "letter" / "second_person.tsv", 2):
        assert to_you(f"{written} x").lower() == f"{plain} x"


def test_a_regimen_that_is_a_word_keeps_its_capitals() -> None:
    span = RecordSpan(start_char=0, end_char=4, text="CHOP")
    regimen = MedicationStatement(id="medication-1", concept_id="T:chop", name="CHOP", spans=(span,))
    assert PlainTerms([regimen], {}).said("CHOP in May, NEVER again", 0) == "CHOP in May, never again"


@pytest.mark.parametrize(
    ("text", "left", "with_names"),
    [
        ("You had an MRCP in May.", True, False),
        ("Your CD4 count was 410.", True, False),
        ("PNA vs CHF -> CTPA", True, True),
        ("NO BM X3D", True, True),
        ("You have a non-Hodgkin's lymphoma.", False, False),
    ],
)
def test_names_in_capitals_are_no_shorthand_of_a_sentence(text: str, left: bool, with_names: bool) -> None:
    assert NONE.residue(text) is left
    assert NONE.residue(text, names=True) is with_names


@pytest.mark.parametrize(
    ("turned", "told"),
    [
        ("You do have a cough.", "You have a cough."),
        ("You do not have a cough.", "You do not have a cough."),
        ("You carry a diagnosis of gout.", "You have gout."),
    ],
)
def test_an_emphatic_do_is_left_out(turned: str, told: str) -> None:
    assert to_you(turned) == told


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("cough 4/7, gone in 2/7", "cough 4 days, gone in 2 days"),
        ("limp 3/12", "limp 3 months"),
        ("ill since 5/7, back on 3/12", "ill since 5/7, back on 3/12"),
        ("seen 5/7/23", "seen 5/7/23"),
    ],
)
def test_sevenths_and_twelfths_are_days_and_months_where_the_note_counts_so(written: str, plain: str) -> None:
    assert PlainTerms([], {}, periods=True).said(written, -99) == plain
    assert NONE.said(written, -99) == written


def test_a_term_left_beside_its_plain_words_stands_there_once() -> None:
    assert NONE.said("EGD report", -99) == "EGD (camera test of the stomach) report"


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("He came in with a thirty-six hour history of cramps.", "He came in with thirty-six hours of cramps."),
        ("He came with a 1-day history of cramps.", "He came with 1 day of cramps."),
        ("He has a 15 years history of gout.", "He has a 15-year history of gout."),
        ("He has 15 years history of gout.", "He has a 15-year history of gout."),
        ("He went to the Oakdale ER with cramps.", "He went to the Oakdale emergency room with cramps."),
        ("The sample is ER positive.", "The sample is ER positive."),
    ],
)
def test_how_long_and_where_are_said_as_in_speech(written: str, plain: str) -> None:
    assert PlainTerms((), {}).said(written, 0) == plain
