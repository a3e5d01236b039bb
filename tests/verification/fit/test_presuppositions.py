"""What a sentence presupposes: every row of the trigger files proves itself, and a mention presupposes nothing."""

import pytest

from backend.container import Container
from backend.nlp.document.trigger_automaton import TriggerAutomaton
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.verification.fit.presuppositions import (
    NAMES,
    PRESUPPOSITIONS,
    Reading,
    SentenceReader,
    is_caution,
    needs_of,
)

ROWS = [pytest.param(row, id=row.rule_id) for family in (PRESUPPOSITIONS, NAMES) for row in trigger_rows(family)]
HIDING = "nothing"


@pytest.fixture(scope="module")
def reader(container: Container) -> SentenceReader:
    return SentenceReader(container.linker)


def marks(row: TriggerRow, reading: Reading) -> bool:
    """Whether a sentence is read as a row says that has no needs of its own."""
    signs = {
        "call": reading.calls,
        "warns": reading.warns,
        "mending": reading.mending,
        "past": reading.past,
        "offers": reading.offers,
        "info": not reading.rule_ids,
    }
    return signs[row.event]


def is_found(row: TriggerRow, example: str) -> bool:
    """Whether the words of a row that hides others stand in an example."""
    found = TriggerAutomaton([row]).find([word.strip(".,") for word in example.lower().split()])
    return bool(found[row.family])


@pytest.mark.parametrize("row", ROWS)
def test_the_examples_of_a_row_are_read_as_it_says(row: TriggerRow, reader: SentenceReader) -> None:
    def says(example: str) -> bool:
        if row.event == HIDING:
            return is_found(row, example)
        reading = reader.read(example)
        if row.family == PRESUPPOSITIONS and needs_of(row) is None:
            return row.event == "info" or marks(row, reading)
        return row.rule_id in reading.rule_ids

    assert [example for example in row.yes if not says(example)] == [], "yes without its event"
    if row.event != "info":
        assert [example for example in row.no if says(example)] == [], "no with its event"


@pytest.mark.parametrize("family", [PRESUPPOSITIONS, NAMES])
def test_no_two_rows_of_a_family_match_the_same_words(family: str) -> None:
    assert TriggerAutomaton(trigger_rows(family)).explore() > len(trigger_rows(family))  # raises where two do


@pytest.mark.parametrize(
    "sentence",
    [
        "Ask your team before you take ibuprofen.",
        "Do not drink more than your team allows.",
        "Your team may give antibiotics by vein.",
        "Call an ambulance (911 in the US) if you have a seizure.",
        "Call your doctor if your legs swell.",
        "Some people with cancer need surgery.",
        "Wash your hands often.",
        "Aspirin can harm the stomach.",
        "Most people go home one to three days after hip replacement.",
    ],
)
def test_a_mention_presupposes_nothing(sentence: str, reader: SentenceReader) -> None:
    assert reader.read(sentence).needs.all_of == ()


def needs(reader: SentenceReader, sentence: str) -> list[list[str]]:
    groups = reader.read(sentence).needs.all_of
    return [[f"{n.kind}:{n.name}" if n.name else n.kind for n in group] for group in groups]


def test_what_is_named_behind_taking_is_the_medicine(reader: SentenceReader) -> None:
    assert needs(reader, "Take your warfarin in the evening.") == [["takes:warfarin"]]
    assert needs(reader, "Do not stop warfarin or apixaban on your own.") == [
        ["medicine:warfarin", "medicine:apixaban"]
    ]
    assert needs(reader, "Your gout may come back.") == [["has:gout"]]
    assert needs(reader, "Take your migraine tablets early.") == [["has:migraine"]]


def test_what_a_row_of_its_own_speaks_of_is_not_asked_twice(reader: SentenceReader) -> None:
    assert needs(reader, "Keep your inhaler with you.") == [["inhaler"]]


def test_a_condition_is_only_refused_where_it_is_denied(reader: SentenceReader) -> None:
    ((need,),) = reader.read("Keep cool if you take lithium.").needs.all_of
    assert need.unless_denied


def test_a_sentence_is_read_once(reader: SentenceReader) -> None:
    text = "Keep the stitches of this very test dry."
    assert reader.read(text) is reader.read(text)


@pytest.mark.parametrize(
    ("text", "warns"),
    [
        ("Avoid ibuprofen.", True),
        ("Tell your doctor or pharmacist before you take aspirin.", True),
        ("Tell your doctor. Take aspirin before breakfast.", False),
        ("Naproxen may bring on bleeding.", True),
        ("Take warfarin every evening.", False),
        ("The unavoidable dose is 5 mg.", False),
        ("naproxen: [team to complete: whether to take, change or stop]", True),
        ("Take naproxen [team to complete: how often].", False),
    ],
)
def test_a_caution_is_no_advice_to_take(text: str, warns: bool) -> None:
    assert is_caution(text) is warns
