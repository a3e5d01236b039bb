"""The engine of attributes: each class of sentences by example, whose a statement is, and the words and rows that decide."""

import pytest

from backend.nlp.attributes.engine import Attributes, read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.record import Experiencer
from backend.schemas.vocabulary import Assertion
from backend.settings import ROOT
from tests.nlp.rules.checkers import unmarked

SENTENCES = ROOT / "tests" / "nlp" / "attributes" / "engine_sentences.tsv"
MARKS = {
    "n": Assertion.NEGATED, "h": Assertion.HISTORICAL, "u": Assertion.UNCERTAIN, "y": Assertion.HYPOTHETICAL,
    "r": Assertion.FAMILY, "o": Assertion.FAMILY, "p": Assertion.PRESENT,
}  # fmt: skip


def read(marked: str) -> Attributes:
    text, span = unmarked(marked)
    return read_attributes(parse_note(text), [span])[0]


def rows() -> list[list[str]]:
    lines = SENTENCES.read_text("utf-8").splitlines()
    return [line.replace("\\n", "\n").split("\t") for line in lines if line and not line.startswith("#")][1:]


@pytest.mark.parametrize(("kind", "marks", "kinship", "marked"), rows())
def test_a_sentence_of_each_class_is_read(kind: str, marks: str, kinship: str, marked: str) -> None:
    found = read(marked)
    assert found.assertion is MARKS[marks[0]]
    assert {MARKS[mark] for mark in marks} - {Assertion.PRESENT} <= set(found.holds)
    whose = {"r": Experiencer.RELATIVE, "o": Experiencer.OTHER}.get(marks[0], Experiencer.PATIENT)
    assert (found.experiencer, found.kinship) == (whose, kinship)


def test_the_deciding_words_their_place_and_their_row_are_given() -> None:
    found = read("He denies any [fever].")
    assert (found.cue, found.cue_span) == ("denies any", (3, 13))
    assert found.rule_ids == ("attributes/attribute/negated.denies",)


def test_what_no_word_speaks_of_is_simply_there() -> None:
    assert read("She has a [fever].") == Attributes()
    assert Attributes().assertion is Assertion.PRESENT and Attributes().also == ()


def test_the_first_in_precedence_comes_first_and_the_others_are_kept() -> None:
    found = read("No family history of [colon cancer].")
    assert (found.assertion, found.also) == (Assertion.FAMILY, (Assertion.NEGATED,))
    assert found.negated and found.experiencer is Experiencer.RELATIVE


@pytest.mark.parametrize(
    ("marked", "assertion", "rule"),
    [
        ("FAMILY HISTORY:\nMother: [gout].", Assertion.FAMILY, "attributes/people"),
        ("FAMILY HISTORY:\n[Gout].", Assertion.FAMILY, "attributes/section.family"),
        ("PAST MEDICAL HISTORY:\n[Gout].", Assertion.HISTORICAL, "attributes/section.past"),
        ("PAST MEDICAL HISTORY:\nGout. Here for [cough].", Assertion.PRESENT, ""),
        ("Asked about pain. [Fever]? No.", Assertion.NEGATED, "attributes/answer"),
        ("[PE]? DVT?", Assertion.UNCERTAIN, "attributes/question"),
        ("Cough (-), [fever] (-)", Assertion.NEGATED, "attributes/minus"),
        ("[Appendectomy] 2015, no other surgery.", Assertion.HISTORICAL, "attributes/year"),
    ],
)
def test_what_is_said_without_a_trigger_names_its_mechanism(marked: str, assertion: Assertion, rule: str) -> None:
    found = read(marked)
    assert found.assertion is assertion
    assert found.rule_ids[:1] == ((rule,) if rule else ())


def test_a_phrase_never_goes_over_the_end_of_a_sentence() -> None:
    assert read("Headache: no\nDifficulty breathing: [yes]").assertion is Assertion.PRESENT
    assert read("[Headache]: no\nDifficulty breathing: yes").assertion is Assertion.NEGATED


def test_spans_may_come_in_any_order_overlap_or_stand_in_headers() -> None:
    note = parse_note("PLAN:\nNo fever or chills.")
    found = read_attributes(note, [(18, 24), (9, 14), (9, 24), (0, 4)])
    assert [one.assertion for one in found] == [Assertion.NEGATED] * 3 + [Assertion.PRESENT]
