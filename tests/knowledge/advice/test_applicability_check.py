"""The check of sentences that speak of what not everybody has: its words prove themselves, and a broken handbook is named by place."""

import re

import pytest

from backend.container import Container
from backend.knowledge.advice.applicability import ApplicabilityRow
from backend.knowledge.advice.applicability_check import EVENTS, NAMING, NOTHING, OFFER, spoken_of, unsaid
from backend.knowledge.advice.needs import Needs, parse_needs
from backend.knowledge.starter import HandbookSection, Line, Starter
from backend.nlp.document import sentences
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.verification.fit.presuppositions import SentenceReader

ROWS = trigger_rows(NAMING)
NONE = Needs()


@pytest.fixture(scope="module")
def reader(container: Container) -> SentenceReader:
    return SentenceReader(container.linker)


def section(text: str, title: str = "Precautions", chapter: str = "gout") -> HandbookSection:
    return HandbookSection(chapter, title, text, Line("musculoskeletal", 7))


def starter(*sections: HandbookSection, rows: tuple[ApplicabilityRow, ...] = ()) -> Starter:
    return Starter([], [], [], {}, list(sections), rows)


def row(sentence: str, needs: Needs = NONE, reason: str = "") -> ApplicabilityRow:
    return ApplicabilityRow("gout", "Precautions", sentence, needs, "x", 3, reason=reason)


def found(one: Starter) -> list[str]:
    return [what for _, what in unsaid(one, lambda _: NONE)]


@pytest.mark.parametrize("one", ROWS, ids=lambda one: one.id)
def test_the_examples_of_a_row_are_found_as_it_says(one: TriggerRow) -> None:
    automaton = TriggerAutomaton(ROWS)

    def says(example: str) -> bool:
        return any(t.row is one for t in automaton.find(plain_marks(tokens(example).words))[NAMING])

    assert one.event in EVENTS
    assert [example for example in one.yes if not says(example)] == []
    assert [example for example in one.no if says(example)] == []


def test_no_two_rows_name_the_same_words() -> None:
    assert TriggerAutomaton(ROWS).explore() > len(ROWS)  # raises where two do


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Ask when your stent must be taken out.", "“stent”"),
        ("Empty the home drain each day.", "“home drain”"),
        ("Keep the wound dry.", "“wound”"),
        ("Walk each day after bowel surgery.", "“after bowel surgery”"),
        ("Ask your surgeon when you may lift.", "“surgeon”"),
        ("Quitting smoking helps.", "“smoking”"),
        ("Avoid beer in the evening.", "“beer”"),
        ("Women should ask first.", "“women”"),
        ("Keep a drink within reach of an older person.", "“older person”"),
        ("Have blood tests while you take pirfenidone.", "“while you take pirfenidone”"),
        ("Use home oxygen at the flow that was set.", "“home oxygen”"),
    ],
)
def test_a_sentence_that_speaks_of_what_not_everybody_has_is_found(text: str, said: str) -> None:
    (what,) = found(starter(section(text)))
    assert what == f"gout: speaks of {said} without saying for whom: {text[:60]!r}"


@pytest.mark.parametrize(
    "text",
    [
        "Rest the sore joint.",
        "Ask your team before you take ibuprofen.",
        "Your oxygen level may be checked.",
        "Rest for a period of time.",
    ],
)
def test_a_sentence_for_everybody_is_not_found(text: str) -> None:
    assert found(starter(section(text))) == []


def test_a_row_with_needs_or_with_a_reason_answers_it() -> None:
    text = "Keep the wound dry."
    assert found(starter(section(text), rows=(row(text, parse_needs("wound")),))) == []
    assert found(starter(section(text), rows=(row(text, reason="the wound is the condition"),))) == []


def test_a_row_that_asks_nothing_and_says_no_reason_is_found_where_it_stands() -> None:
    text = "Keep the wound dry."
    ((where, what),) = unsaid(starter(section(text), rows=(row(text),)), lambda _: NONE)
    assert where == Line("applicability/x", 3)
    assert "give needs, or the reason why none" in what


def test_a_row_of_another_chapter_answers_nothing() -> None:
    text = "Keep the wound dry."
    other = row(text, parse_needs("wound"))._replace(chapter="cough")
    assert len(found(starter(section(text), rows=(other,)))) == 1


def test_what_the_chapter_is_named_for_everybody_has() -> None:
    assert found(starter(section("Drink little while opioids leave the body.", chapter="opioid withdrawal"))) == []
    assert found(starter(section("Drink little while opioids leave the body.", chapter="gout"))) != []


def test_a_letter_quotes_no_treatment_and_of_medicines_only_what_speaks_to_the_reader_counts() -> None:
    assert found(starter(section("A stent opens the artery.", "Treatment"))) == []
    assert found(starter(section("A stent opens the artery.", "Medicines"))) == []
    assert found(starter(section("Your team may give a stent in your heart.", "Medicines"))) == []
    assert found(starter(section("Ask your team about your stent.", "Medicines"))) != []
    assert (
        found(starter(section("Insulin lowers your sugar.", "Medicines"))) == []
    )  # the letter tells only own medicines


def test_what_fit_reads_in_a_sentence_is_found_too(reader: SentenceReader) -> None:
    text = "Never run out of lorazepam."
    (what,) = [what for _, what in unsaid(starter(section(text)), lambda one: reader.read(one).needs)]
    assert "speaks of “lorazepam”" in what
    own = section("Check your feet because you have gout.")
    assert spoken_of(own.text, own, lambda one: reader.read(one).needs) == ""  # its chapter is of gout


def test_the_shipped_handbook_says_for_whom(container: Container, reader: SentenceReader) -> None:
    left = list(unsaid(container.starter, lambda text: reader.read(text).needs))
    assert left == []


def test_the_check_finds_every_row_that_is_taken_away(container: Container, reader: SentenceReader) -> None:
    whole = container.starter
    kept = tuple(one for one in whole.applicability if "stent" not in one.sentence)
    lost = [one for one in whole.applicability if one.reason == "" and "your stent" in f"{one.sentence}".lower()]
    said = "\n".join(
        what for _, what in unsaid(whole._replace(applicability=kept), lambda text: reader.read(text).needs)
    )
    assert "acute myocardial infarction: speaks of a stent" in said
    assert all(one.chapter in said for one in lost)


def test_what_hides_and_what_offers_is_named_so() -> None:
    assert {one.event for one in ROWS} >= {OFFER, NOTHING}


def test_the_handbook_is_cut_into_sentences_the_same_way_wherever_it_is_read(container: Container) -> None:
    for one in container.starter.handbook:
        if one.title != "Warning signs":
            pieces = [one.text[a:b] for a, b in sentences(one.text)]
            assert pieces == re.split(r"(?<=[.!?])\s+", one.text), (one.condition, one.title)
