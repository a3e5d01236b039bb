"""Assertions of spans: single rules by example, and the whole over sentences in the style of clinical reports."""

import pytest

from backend.errors import KnowledgeError
from backend.nlp.attributes.triggers import trigger_of
from backend.nlp.rules.trigger_rows import TriggerRow
from backend.schemas.vocabulary import Assertion
from backend.settings import ROOT
from tests.nlp.assessed_spans import assert_spans, assess_spans
from tests.nlp.fresh import linker

SENTENCES = ROOT / "tests" / "nlp" / "assertion_sentences.tsv"


def said_of(marked: str) -> Assertion:
    """The assertion of the phrase between < and >."""
    start, end = marked.index("<"), marked.index(">") - 1
    return assert_spans(marked.replace("<", "").replace(">", ""), [(start, end)])[0][0]


def sentences(part: str) -> list[tuple[Assertion, str]]:
    rows = [line.split("\t") for line in SENTENCES.read_text("utf-8").splitlines() if not line.startswith("#")]
    return [(Assertion(label), text) for label, text, where in rows if where == part]


def f1(part: str, assertion: Assertion) -> float:
    """Harmonic mean of precision and recall of one assertion, 0 to 1."""
    pairs = [(label, said_of(text)) for label, text in sentences(part)]
    true = sum(label == found == assertion for label, found in pairs)
    wrong = sum((label == assertion) != (found == assertion) for label, found in pairs)
    return 2 * true / (2 * true + wrong)


@pytest.mark.parametrize("part", ["seen", "unseen"])
def test_negation_reaches_its_mark(part: str) -> None:
    assert f1(part, Assertion.NEGATED) >= 0.97


@pytest.mark.parametrize("part", ["seen", "unseen"])
@pytest.mark.parametrize("assertion", [Assertion.HISTORICAL, Assertion.FAMILY, Assertion.HYPOTHETICAL])
def test_the_other_assertions_reach_theirs(part: str, assertion: Assertion) -> None:
    assert f1(part, assertion) >= 0.9


@pytest.mark.parametrize(
    ("marked", "expected"),
    [
        ("No fever, <chills> or cough but has dyspnea", "negated"),
        ("No fever, chills or cough but has <dyspnea>", "present"),
        ("denies chest pain, shortness of breath, nausea, or <vomiting>; reports headache", "negated"),
        ("denies chest pain, shortness of breath, nausea, or vomiting; reports <headache>", "present"),
        ("<Fever>: no, chills: no", "negated"),
        ("Fever: no, <cough>: yes", "present"),
        ("<chills> (-), cough (+)", "negated"),
        ("[ ] <fever> [x] cough", "negated"),
        ("[ ] fever [x] <cough>", "present"),
        ("not only <fever> but chills", "present"),
        ("Gram negative <sepsis>", "present"),
        ("<Pneumonia> cannot be excluded.", "uncertain"),
        ("?<pneumonia>", "uncertain"),
        ("Ruled out for <MI>.", "negated"),
        ("Rule out <MI>.", "uncertain"),
        ("a 3-day history of <cough>", "present"),
        ("recent history of 3 days of <cough>", "present"),
        ("history of <gout>", "historical"),
        ("<Appendectomy> in 2012.", "historical"),
        ("Her mother died of <stroke>, and she now has chest pain.", "family"),
        ("Her mother died of stroke, and she now has <chest pain>.", "present"),
        ("No family history of <diabetes>.", "family"),
        ("heparin for <DVT> prophylaxis", "hypothetical"),
        ("Return if you develop <fever>.", "hypothetical"),
        ("Denies:\n- fever\n- <cough>", "negated"),
        ("<Chest pain>? No.", "negated"),
        ("No fever.\n<Cough> for two days.", "present"),
    ],
)
def test_a_rule_by_example(marked: str, expected: str) -> None:
    assert said_of(marked) is Assertion(expected)


def test_precedence_keeps_everything_that_holds() -> None:
    text = "No family history of diabetes."
    (found,) = assess_spans(text, [(21, 29)])
    assert found.assertion is Assertion.FAMILY
    assert found.cue == "No family history of"


def test_a_section_of_history_makes_its_mentions_historical_unless_it_says_active() -> None:
    assert assert_spans("PMH: Gout, CHF", [(5, 9)])[0] == (Assertion.HISTORICAL, "PMH")
    assert assert_spans("Active problems: Gout, CHF", [(17, 21)])[0][0] is Assertion.PRESENT


def test_a_cue_inside_the_phrase_says_nothing_of_it() -> None:
    assert said_of("The patient has <no appetite>.") is Assertion.PRESENT


def test_any_spans_are_taken_even_none_or_empty_text() -> None:
    assert assert_spans("", []) == []
    assert assert_spans("No fever", [(3, 8), (0, 8)])[0] == (Assertion.NEGATED, "No")


@pytest.mark.parametrize(
    ("cell", "bad"), [("event", "negatd"), ("direction", "up"), ("reach", "far"), ("ends", "some")]
)
def test_a_bad_cell_of_a_trigger_is_named(cell: str, bad: str) -> None:
    cells = {"event": "negated", "direction": "forward", "reach": "5", "ends": ""} | {cell: bad}
    row = TriggerRow("attributes/x", "one", "no", cells.pop("event"), cells, ("no [fever]",), ("[fever]",))
    with pytest.raises(KnowledgeError, match=rf"attributes/x/one.*{bad}"):
        trigger_of(row)


@pytest.mark.parametrize(
    "text",
    ["Her mother is on hemodialysis.", "She has a sister on dialysis.", "Dad MI at 50.", "Her roommate has influenza."],
)
def test_what_others_have_is_not_the_patients(text: str) -> None:
    assert [mention.assertion for mention in linker().link(text).note.mentions] == [Assertion.FAMILY]


@pytest.mark.parametrize(
    ("text", "present"),
    [
        ("Her mother is on the phone and says she has a fever.", "fever"),
        ("She visited her sister on Sunday and has had diarrhea since.", "diarrhea"),
        ("He has been 'not right' for a month - thirst and weight loss.", "thirst"),
    ],
)
def test_what_the_patient_has_stays_present(text: str, present: str) -> None:
    said = {mention.text: mention.assertion for mention in linker().link(text).note.mentions}
    assert said[present] is Assertion.PRESENT
