"""Which retrieved sentences and graph facts answer a question."""

from typing import Any

import pytest

from backend.generation.composer.answers.asked import Asked, Thing, stems
from backend.generation.composer.answers.aspects import aspects
from backend.generation.composer.answers.relevance import answering, meets
from backend.generation.composer.material import QuotedSentence
from backend.schemas.drafts.evidence import GraphItem, Passage
from backend.schemas.vocabulary import Source

GOUT = Thing(frozenset({"gout"}), (stems("gout"),), True, concept="gout")


def asked(aspect: str = "", *things: Thing) -> Asked:
    return Asked(aspects()[aspect] if aspect else None, (), things, False)


def quote(text: str, section: str, *concepts: str, chapter: str = "gout") -> QuotedSentence:
    passage = Passage(
        id="P1", source=Source.BOOK, document_id="d", title=chapter, text=text, start_char=0, end_char=len(text),
        section=section, concept_id=chapter,
    )  # fmt: skip
    return QuotedSentence(text, passage, frozenset(concepts))


def own_part() -> tuple[str, str]:
    """An aspect whose part answers by itself, and the part."""
    return next((name, one.parts[0]) for name, one in aspects().items() if one.own and one.parts)


def texts(question: Asked, *quotes: QuotedSentence, facts: tuple[GraphItem, ...] = ()) -> list[str]:
    return [one.text for one in answering(question, quotes, facts)]


def test_a_sentence_of_the_part_asked_about_the_thing_asked_answers() -> None:
    aspect, part = own_part()
    assert texts(asked(aspect, GOUT), quote("Gout hurts.", part, "gout")) == ["Gout hurts."]


def test_a_sentence_that_misses_the_thing_is_no_answer_however_it_reads() -> None:
    aspect, part = own_part()
    assert texts(asked(aspect, GOUT), quote("Asthma hurts.", part, "asthma", chapter="asthma")) == []
    assert texts(asked(aspect, GOUT), quote("Gout hurts.", "Another part", "gout")) == []


def test_what_stands_in_the_chapter_of_the_thing_comes_before_what_stands_elsewhere() -> None:
    aspect, part = own_part()
    found = answering(
        asked(aspect, GOUT),
        [quote("Elsewhere gout hurts.", part, "gout", chapter="asthma"), quote("Gout hurts.", part, "gout")],
        (),
    )
    assert found[0].text == "Gout hurts."
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)


A1C = Thing(frozenset({"a1c"}), (stems("a1c"),), False, concept="a1c")
HEAD = Thing(frozenset({"head-injury"}), (stems("hit head"), stems("head injury")), True, concept="head-injury")
FALL = Thing(frozenset({"fall"}), (stems("fell"), stems("fall")), True, concept="fall")
VACCINE = Thing(frozenset({"pcv"}), (stems("pneumonia vaccine"), stems("pneumococcal vaccine")), True, concept="pcv")


def test_the_value_of_a_test_stands_on_the_page_of_a_disease_and_must_name_the_test() -> None:
    said = "A normal A1C level is below 5.7 percent."
    other = "A normal weight is below 25."
    quotes = [quote(one, "exams and tests", chapter="diabetes") for one in (said, other)]
    assert texts(asked("value", A1C), *quotes) == [said]
    assert texts(asked("symptoms", A1C), *quotes) == []


def test_of_what_happened_each_has_its_own_warning_signs() -> None:
    sign = quote("Go to an emergency department now if a headache gets worse.", "Warning signs", chapter="head-injury")
    sign = sign._replace(topic=frozenset({"head-injury"}))
    assert texts(asked("when_to_call", FALL, HEAD), sign) == [sign.text]
    assert texts(asked("when_to_call", FALL), sign) == []
    assert texts(asked("avoid", FALL, HEAD), sign) == []


def test_the_most_urgent_warning_sign_stands_first_and_another_s_child_is_not_meant() -> None:
    signs = (
        "Call your doctor today if gout lasts a week.",
        "Go to an emergency department now if gout comes with a fever.",
        "Call an ambulance (911 in the US) if your child has gout.",
        "Call an ambulance (911 in the US) if gout takes your breath.",
    )
    quotes = [quote(one, "Warning signs", "gout", chapter="gout") for one in signs]
    assert texts(asked("when_to_call", GOUT), *quotes) == [signs[3], signs[1], signs[0]]
    of_child = asked("when_to_call", GOUT)._replace(of_child=True)
    assert texts(of_child, *quotes)[:2] == [signs[2], signs[3]]


def test_a_page_whose_whole_title_is_asked_about_answers_where_the_sentence_names_the_rest() -> None:
    told = "Vaccines are available to prevent pneumococcal pneumonia."
    bare = "Wash your hands."
    pages = [quote(one, "Precautions", chapter="pneumonia") for one in (told, bare)]
    titled = [one._replace(passage=one.passage.model_copy(update={"title": "Pneumonia"})) for one in pages]
    assert texts(asked("may_i", VACCINE), *titled) == [told]
    wider = [one._replace(passage=one.passage.model_copy(update={"title": "Asbestos lung disease"})) for one in pages]
    assert texts(asked("may_i", VACCINE), *wider) == []


def test_a_question_about_nothing_or_outside_has_no_answer() -> None:
    _, part = own_part()
    assert texts(asked(), quote("Gout hurts.", part, "gout")) == []
    assert texts(asked("outside", GOUT), quote("Gout hurts.", part, "gout")) == []


def fact(number: int, tail: str, relation: str) -> GraphItem:
    fields: dict[str, Any] = {"tail_id": tail, "tail_name": tail, "relation": relation}
    return GraphItem(id=f"G{number}", concept_id="gout", text=f"Gout is treated by {tail}.", **fields)


def test_facts_of_one_head_and_relation_are_one_sentence_with_all_their_citations() -> None:
    aspect, relation = next((name, sorted(one.relations)[0]) for name, one in aspects().items() if one.relations)
    (found,) = answering(asked(aspect, GOUT), (), [fact(1, "colchicine", relation), fact(2, "rest", relation)])
    assert (found.text, found.citations) == ("Gout is treated by colchicine and rest.", ("G1", "G2"))
    assert answering(asked(aspect, GOUT), (), [fact(1, "rest", "isa_nothing_asked")]) == []


@pytest.mark.parametrize(
    ("concepts", "words", "met"),
    [({"gout"}, "", True), (set(), "gout", True), (set(), "sore hands", False), ({"asthma"}, "wheeze", False)],
)
def test_a_thing_is_met_by_its_concept_or_all_its_words(concepts: set[str], words: str, met: bool) -> None:
    assert meets(GOUT, concepts, stems(words)) is met


@pytest.mark.parametrize(
    ("title", "topic", "quoted"),
    [
        ("gout", "", True),
        ("Gout", "gout", True),
        ("Gout attack", "", True),  # half of the title is asked about
        ("Saturnine gout", "saturnine gout", False),  # a thing of its own
        ("Rare inherited early onset gout", "", False),  # narrower by far
        ("Kidney stones", "", False),
        ("Crystal disease", "gout", True),  # the title is another name of it
    ],
)
def test_only_pages_about_what_is_asked_are_quoted(title: str, topic: str, quoted: bool) -> None:
    aspect, part = own_part()
    passage = Passage(
        id="P1", source=Source.WIKI, document_id="d", title=f"{title}: {part}", text="Gout hurts.", start_char=0,
        end_char=11, section=part,
    )  # fmt: skip
    own = QuotedSentence("Gout hurts.", passage, frozenset({"gout"}), topic=frozenset({topic} if topic else ()))
    assert bool(texts(asked(aspect, GOUT), own)) == quoted


def test_a_heading_or_a_question_of_a_page_is_no_answer() -> None:
    aspect, part = own_part()
    lines = (
        "Older adults with gout",
        "What is gout?",
        "Gout hurts.",
        "Gout hurts (in the toe.)",
        "Gout is an arthritis (GA).",
    )
    assert texts(asked(aspect, GOUT), *(quote(text, part, "gout") for text in lines)) == list(lines[2:])


def test_what_stands_under_the_heading_asked_for_leaves_out_what_is_mentioned_elsewhere() -> None:
    name, aspect = next((n, one) for n, one in aspects().items() if n == "cause")
    cued = quote("Uric acid causes gout.", aspect.parts[0], "gout")
    aside = quote("Rest causes gout.", "Another part", "gout")
    assert texts(asked(name, GOUT), aside) == ["Rest causes gout."]
    assert texts(asked(name, GOUT), cued, aside) == ["Uric acid causes gout."]
