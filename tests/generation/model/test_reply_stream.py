"""Headings and sentences out of a reply: the pieces it comes in make no difference, and a marker stays with its sentence."""

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from backend.generation.model.reply_stream import LOOKAHEAD, ReplySentence, SentenceStream
from backend.generation.writers.document_writing import named
from backend.schemas.drafts.headings import DISCHARGE_HEADINGS, SOAP_HEADINGS

REPLY = (
    "# Why you came\nYou came because of chest pain. [N1] You also had a cough [N2, K1]. Dr. Smith saw you at 3.5 "
    "hours.[N3][N4] Next comes e.g. this one [P1.\n**Medications:**\n- Take it easy. [team to complete: doses]\n1. Second line with "
    "approx. 5 mg\nDiet: eat less salt [P2]. You may drink 1.5 L a day! [P3] Is it so? [P4] Yes.\n\n3. Follow up\n2031-03-01 "
    "(Nursing): BP 120/80. [N9] The end was long and it went on until someone stopped it [N10]. Pain since Monday. No fever. ok"
)


def cut(*pieces: str, whole: bool = True) -> list[ReplySentence]:
    stream = SentenceStream(named(DISCHARGE_HEADINGS), "Before")
    found = [wording for piece in pieces for wording in stream.feed(piece)]
    return found + stream.end(whole)


def texts(*pieces: str) -> list[str]:
    return [wording.text for wording in cut(*pieces)]


def test_headings_lists_and_late_markers_are_read() -> None:
    assert [(t.section, t.text, t.last) for t in cut(REPLY)] == [
        ("Why you came", "You came because of chest pain [N1].", False),
        ("Why you came", "You also had a cough [N2, K1].", False),
        ("Why you came", "Dr. Smith saw you at 3.5 hours[N3][N4].", False),
        ("Why you came", "Next comes e.g. this one [P1.", True),
        ("Your medicines", "Take it easy.", False),
        ("Your medicines", "[team to complete: doses]", True),
        ("Your medicines", "Second line with approx. 5 mg", True),
        ("Food and drink", "eat less salt [P2].", False),
        ("Food and drink", "You may drink 1.5 L a day [P3]!", False),
        ("Food and drink", "Is it so [P4]?", False),
        ("Food and drink", "Yes.", True),
        ("Follow-up", "2031-03-01 (Nursing): BP 120/80 [N9].", False),
        ("Follow-up", "The end was long and it went on until someone stopped it [N10].", False),
        ("Follow-up", "Pain since Monday.", False),
        ("Follow-up", "No fever. ok", True),
    ]


@settings(max_examples=150, deadline=None)
@given(st.lists(st.integers(min_value=1, max_value=60), min_size=1, max_size=200))
def test_the_pieces_of_a_reply_make_no_difference(lengths: list[int]) -> None:
    pieces, place = [], 0
    while place < len(REPLY):
        length = lengths[len(pieces) % len(lengths)]
        pieces.append(REPLY[place : place + length])
        place += length
    assert cut(*pieces) == cut(REPLY)


WORDS = st.sampled_from(
    [
        "Salt",
        "e.g.",
        "5.5",
        "mg.",
        "Dr.",
        "[N1]",
        "[P2, K3].",
        "water",
        "A.",
        "no",
        "\n",
        "Diet:",
        "-",
        "[N",
        "1]",
        "(x).",
        "yes!",
    ]
)


@settings(max_examples=150, deadline=None)
@example([*["Salt"] * 12, "e.g.", *["[P2, K3]."] * 3, *["Salt"] * 6], 1)
@given(st.lists(WORDS, max_size=60), st.integers(min_value=1, max_value=7))
def test_any_text_is_cut_alike_by_letters_and_at_once(words: list[str], size: int) -> None:
    text = " ".join(words)
    assert cut(*(text[i : i + size] for i in range(0, len(text), size))) == cut(text)


def test_a_sentence_is_given_before_the_reply_ends() -> None:
    stream = SentenceStream({}, "s")
    wording = stream.feed("The first one is short [N1]. " + "And the second one goes on " * 8)
    assert [t.text for t in wording] == ["The first one is short [N1]."]
    assert stream.pending.strip().startswith("And the second one")
    assert stream.feed("x" * LOOKAHEAD) == []


def test_a_line_is_shown_from_the_word_on_that_no_heading_begins_with() -> None:
    stream = SentenceStream({"diet": "Diet", "food and drinks": "Diet"}, "s")
    shown = []
    for word in ["**", "Food ", "and ", "rest ", "help."]:
        stream.feed(word)
        shown.append(stream.pending)
    assert shown == ["", "", "", "**Food and rest ", "**Food and rest help."]
    stream.feed("\n2. ")
    assert stream.pending == ""
    stream.feed("Dr")  # no second word is waited for
    assert stream.pending == "2. Dr"


@pytest.mark.parametrize(
    "line",
    [
        "Your medicines",
        "**Your medicines**",
        "## YOUR MEDICINES:",
        "2. Medications",
        "Your Medicines -",
        "__Medicines__:",
        "> # Medication",
    ],
)
def test_a_heading_is_known_however_it_is_dressed(line: str) -> None:
    assert cut(f"{line}\nOne.") == [ReplySentence("One.", "Your medicines", True)]


def test_a_heading_that_the_document_does_not_have_is_a_sentence_that_shows() -> None:
    assert cut("## STOP ALL MEDICINES\nOne.") == [
        ReplySentence("STOP ALL MEDICINES", "Before", True),
        ReplySentence("One.", "Before", True),
    ]


def test_the_letters_of_soap_are_headings_only_alone_on_their_line() -> None:
    stream = SentenceStream(named(SOAP_HEADINGS), "Subjective")
    wording = stream.feed("S:\nCough.\nA: bronchitis\nP\nWalk.\nA walk helps.\n")
    assert [(t.section, t.text) for t in wording] == [
        ("Subjective", "Cough."),
        ("Assessment", "bronchitis"),
        ("Plan", "Walk."),
        ("Plan", "A walk helps."),
    ]


def test_a_broken_reply_loses_the_sentence_it_broke_in_and_no_other() -> None:
    assert [t.text for t in cut("One is done [N1]. Two is do", whole=False)] == ["One is done [N1]."]
    assert [t.text for t in cut("One is done. Two as well.", whole=False)] == ["One is done.", "Two as well."]
    assert [t.text for t in cut("One is done. Two as well [N2]", whole=False)] == ["One is done.", "Two as well [N2]"]


def test_what_was_thought_aloud_is_no_part_of_the_document() -> None:
    assert texts("<think>I could write ", "anything.</thi", "nk>\nThe real one.") == ["The real one."]
    assert texts("<thi") == ["<thi"]
    assert texts("<think>never closed. Nothing.") == []


def test_line_ends_of_every_kind_end_a_line() -> None:
    assert texts("One\r", "\nTwo\u2028Three<br/>Four\x0bFive") == ["One", "Two", "Three", "Four", "Five"]
