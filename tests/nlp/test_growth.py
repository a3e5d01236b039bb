"""No text takes reading out of proportion: four times the length takes about four times the time, whatever it is made of.

A quadratic or exponential pattern lets one note stop everybody. Texts here are made of one piece repeated, and of words that open
a pattern with a run of one sign behind them.
"""

import base64
import random
import time
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from html.parser import HTMLParser
from typing import Any

import pytest

from backend.container import Container
from backend.generation.layout import DocumentLayout
from backend.nlp.document import sections, sentences
from backend.nlp.document.note_chunks import ChunkSettings, note_chunks
from backend.nlp.people.injected_instructions import has_injected_instructions, note_has_injected_instructions
from backend.retrieval.patient_notes.note_dates import note_time, stay
from backend.review.case_content import saved
from backend.review.editing.edits import applied
from backend.review.recheck import Changed, Checkers, rechecked
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.patients.patient_notes import NoteType
from backend.schemas.patients.saved_case import Edit, EditKind
from backend.schemas.vocabulary import Basis
from backend.verification.readability import TextReadability
from backend.verification.support.support import CitedTextVerifier
from tests.conftest import WordEncoder
from tests.review.sample import evidence, sample

Read = Callable[[str], Any]

PIECES = [
    *(
        " ",
        "\n",
        "\t",
        "\r\n",
        "\xa0",
        " \n",
        "a  b\n",
        ",",
        ", ",
        ";",
        "; ",
        ".",
        ". ",
        ":",
        "-",
        "- ",
        "_",
        "/",
        "*",
        "|",
    ),
    *("(", "[", "[**", "(a) ", "![", "<", '"', "'", "\u0301", "1", "1 ", "1.", "1/1/", "1/1/2020 ", "5 mg ", "0a1B"),
    *("x", "X", "a ", "a: ", "and ", "no ", "not ", "she ", "with ", "Dr. ", "date: ", "ignore ", "switch from a "),
    *(
        "Allergies: ",
        "Allergies:\n",
        "penicillin ",
        "penicillin, ",
        "penicillin; ",
        "penicillin and ",
        "1. penicillin\n",
    ),
    *("allergic to ", "no known allergies ", "denies fever, ", "rash with codeine; ", "penicillin causes hives, "),
    *("mother had a rash with penicillin, ", "codeine gave her hives and ", "She takes aspirin 81 mg daily. "),
]
OPENERS = [
    *(
        "penicillin ",
        "Allergies: ",
        "Allergies: no ",
        "HPI: no known ",
        "allergic to ",
        "codeine caused ",
        "she was never ",
    ),
    *("rash after ", "mother ", "CABG ", "potassium 3 ", "switch from ", "tolerates ", "BP "),
]
RUNS = [
    " ",
    "\n",
    "\t",
    ",",
    ", ",
    ";",
    ".",
    "1",
    "1.",
    "1/",
    "-",
    "_",
    "(",
    '"',
    "x",
    "a ",
    "a/",
    "and ",
    "not ",
    "he ",
]
CLOSER = " allergies reaction removed tolerated hives penicillin "
BASE64 = base64.b64encode(random.Random(1).randbytes(40_000)).decode()
"""A run of letters and digits without an end, which no repeated piece gives."""


def repeated(piece: str, length: int) -> str:
    return BASE64[:length] if piece == "base64" else (piece * (length // len(piece) + 1))[:length]


@pytest.fixture(scope="module")
def readers(container: Container) -> dict[str, Read]:
    """Everything that reads a text somebody gives."""
    linker, given = container.reading.dictionary, sample()
    verifier = CitedTextVerifier(container.reading.dictionary, WordEncoder())
    linked = linker.link("Allergies: naproxen\nHPI: She takes furosemide.")
    checkers = Checkers(DocumentLayout(), container.safety, verifier, TextReadability())

    def supported(text: str) -> Any:
        sentence = WrittenSentence(text=text, section="s", basis=Basis.PATIENT, citations=("N1",))
        return verifier.verify([sentence], linked, Evidence())

    def edited(text: str) -> Any:
        first = saved(given)
        edit = Edit.model_construct(kind=EditKind.REPLACE, sentence=3, text=f"Take {text}", author="Dr Brand")
        made = applied(first, [edit], 1, datetime(2026, 5, 1, tzinfo=UTC), evidence(), lambda _: first)
        return rechecked(given, made.content, Changed(made.changed), checkers)

    return {
        "link": linker.link,
        "record": linker.read,
        "link in a section": lambda text: linker.link(f"Allergies: {text}"),
        "link in a story": lambda text: linker.link(f"HPI: hives after penicillin {text} rash with codeine"),
        "sections": sections,
        "sentences": sentences,
        "chunks": lambda text: note_chunks(text, ChunkSettings()),
        "dates": lambda text: (note_time(None, text, NoteType.DISCHARGE_SUMMARY), stay(text)),
        "injected instructions": has_injected_instructions.__wrapped__,
        "aimed words by line": note_has_injected_instructions,
        "support": supported,
        "recheck": edited,
    }


READERS = [
    *("link", "record", "link in a section", "link in a story", "sections", "sentences", "chunks", "dates"),
    *("injected instructions", "aimed words by line", "support", "recheck"),
]


MEDICINES = ("aspirin", "lisinopril", "metformin", "zorblax", "furosemide", "apixaban")
SENTENCE = "She has had chest pain for three days and takes aspirin 81 mg daily for gout, no fever or cough"
LONG = {
    "one medicine again and again": repeated("aspirin ", 50_000),
    "a list of 3,000 medicines": "Medications:\n"
    + "".join(f"{i + 1}. {MEDICINES[i % 6]} {i % 40} mg\n" for i in range(3_000))[:50_000],
    "no sentence ends": repeated(f"{SENTENCE} ", 50_000),
    "one line": repeated(f"{SENTENCE}. ", 50_000),
    "2,000 headers": repeated("Plan:\nx\nMedications:\naspirin\n", 29_000),
    "a list under a denial": "Denies:\n" + repeated("fever\n", 50_000),
    "a denial a word": repeated("no fever ", 50_000),
    "a test a word": repeated("CT ", 50_000),
}

MARKUP = "<b>aspirin</b> 81 mg daily & " * 1_800
PARSED = 0.0125
"""Seconds for MARKUP on the quiet machine that the limits here were set on."""


def seconds(read: Read, text: str) -> float:
    started = time.process_time()
    read(text)
    return time.process_time() - started


def parsed(text: str) -> None:
    parser = HTMLParser()
    parser.feed(text)
    parser.close()


def limit(quiet_seconds: float) -> float:
    """The seconds that are here and now what some seconds are where the standard library's parser takes PARSED for MARKUP.

    A machine that is slow, or busy, is so for both.
    """
    return quiet_seconds * min(seconds(parsed, MARKUP) for _ in range(3)) / PARSED


def out_of_proportion(read: Read, piece: str, length: int, floor: float) -> str:
    """What a piece takes where four times the length takes more than eight times the time, and more than the floor allows."""
    for _ in range(2):  # a second look, as other work on the machine may have come between
        short, long = seconds(read, repeated(piece, length // 4)), seconds(read, repeated(piece, length))
        if long <= 8 * short or long <= limit(floor):
            return ""
    return f"{piece!r}: {short:.2f} s, then {long:.2f} s at {length}"


@pytest.mark.parametrize("reader", READERS)
def test_four_times_the_text_takes_about_four_times_the_time(readers: dict[str, Read], reader: str) -> None:
    found = [out_of_proportion(readers[reader], piece, 8_000, 0.4) for piece in (*PIECES, "base64")]
    assert not any(found), [one for one in found if one]


@pytest.mark.slow
@pytest.mark.timeout(1200)
@pytest.mark.parametrize("reader", READERS)
def test_the_longest_note_takes_no_time_out_of_proportion(readers: dict[str, Read], reader: str) -> None:
    found = [out_of_proportion(readers[reader], piece, 50_000, 2.0) for piece in (*PIECES, "base64")]
    assert not any(found), [one for one in found if one]


@pytest.mark.parametrize("name", LONG)
def test_the_record_of_a_text_of_the_greatest_length_takes_no_two_seconds(readers: dict[str, Read], name: str) -> None:
    took = list[float]()
    while len(took) < 4 and min(took, default=1.0) >= 1:  # other work may have come between
        took.append(seconds(readers["record"], LONG[name]) / limit(2.0))
    assert min(took) < 1, took


def long_runs() -> list[str]:
    """Words that open a pattern, a run of one sign of two lengths, and words that may close it."""
    return [f"{opener}{repeated(run, k)}{CLOSER}" for opener in OPENERS for run in RUNS for k in (45, 300)]


def long_ones(read: Read, texts: Sequence[str]) -> dict[str, float]:
    """The texts that take more than a second, from 3,000 characters of each."""
    most = limit(1.0)
    return {text[:60]: took for text in texts if (took := seconds(read, repeated(text, 3_000))) > most}


def test_a_run_of_signs_behind_a_word_is_read_at_once(readers: dict[str, Read]) -> None:
    """3,000 characters of it, a sample of all; one that hangs ends by the timeout."""
    assert not long_ones(readers["link"], random.Random(0).sample(long_runs(), 40))


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_run_of_signs_behind_a_word_is_read_at_once(readers: dict[str, Read]) -> None:
    assert not long_ones(readers["link"], long_runs())


def test_the_runs_that_once_took_minutes_are_read_at_once(readers: dict[str, Read]) -> None:
    link = readers["link"]
    assert seconds(readers["dates"], " " * 400) < limit(0.1)
    assert seconds(link, f"Allergies: {'1' * 45}\n") < limit(0.5)
    assert seconds(link, f"HPI: penicillin {'1/' * 30} x") < limit(0.5)
    assert seconds(link, f"HPI: rash after penicillin {'.' * 60} removed") < limit(0.5)
    assert seconds(link, f"HPI: allergic to {' ' * 300} penicillin") < limit(0.5)
