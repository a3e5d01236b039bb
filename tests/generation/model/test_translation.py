"""Translations by a model: what is taken, what is left out with its reason, and how a letter of many sentences is asked."""

import json
import re
from collections.abc import Sequence

import pytest

from backend.generation.model.translation import (
    AT_ONCE,
    LEFT_OPEN,
    MISSING,
    OTHER_NUMBERS,
    STILL_ENGLISH,
    TOO_LONG,
    translations,
)
from backend.schemas.chat import Message
from backend.schemas.patients.translation import LetterLanguage
from models.llm.engine_scripted import Scripted

ENGLISH = "Take 20 mg of the water pill each morning."


def said(*texts: str) -> Scripted:
    return Scripted(json.dumps({"sentences": [{"number": i, "text": text} for i, text in enumerate(texts, 1)]}))


@pytest.mark.parametrize(
    ("reply", "reason"),
    [
        ("Tome 20 mg de la pastilla para orinar cada mañana.", ""),
        ("Tome 200 mg de la pastilla para orinar cada mañana.", OTHER_NUMBERS),
        ("Tome la pastilla para orinar cada mañana.", OTHER_NUMBERS),
        ("Tome 20 mg dos veces al día, 40 mg en total.", OTHER_NUMBERS),
        (ENGLISH, STILL_ENGLISH),
        ("  ", MISSING),
        ("Tome 20 mg. " + "Beba agua. " * 40, TOO_LONG),
    ],
)
def test_a_translation_is_taken_only_where_it_may_be_shown(reply: str, reason: str) -> None:
    [(text, why)] = translations(said(reply), [ENGLISH], LetterLanguage.SPANISH)
    assert (text, why) == ("" if reason else reply, reason)


def test_a_fraction_may_be_written_as_the_language_writes_it() -> None:
    [(text, why)] = translations(said("Pesa 70,5 kg."), ["You weigh 70.5 kg."], LetterLanguage.GERMAN)
    assert (text, why) == ("Pesa 70,5 kg.", "")


def test_a_gap_is_not_sent_and_stays_open() -> None:
    model = said("Descanse.")
    found = translations(model, ["[team to complete: appointments]", "Rest."], LetterLanguage.SPANISH)
    assert found == [("", LEFT_OPEN), ("Descanse.", "")]
    assert "appointments" not in model.calls[0][1].content


def test_a_long_letter_is_asked_in_parts_and_each_sentence_keeps_its_place() -> None:
    def answer(messages: Sequence[Message]) -> str:
        lines = re.findall(r"^(\d+)\. Sentence (\w+)\.$", messages[1].content, re.MULTILINE)
        return json.dumps({"sentences": [{"number": int(number), "text": f"Frase {name}."} for number, name in lines]})

    model = Scripted(answer=answer)
    names = [f"{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(AT_ONCE * 2 + 3)]
    found = translations(model, [f"Sentence {name}." for name in names], LetterLanguage.SPANISH)
    assert found == [(f"Frase {name}.", "") for name in names]
    assert len(model.calls) == 3
    assert "Translate the numbered sentences in SENTENCES to Spanish" in model.calls[0][0].content


def test_a_model_that_replies_out_of_form_translates_nothing_and_says_so() -> None:
    [(text, why)] = translations(Scripted("I would rather not."), [ENGLISH], LetterLanguage.FRENCH)
    assert text == "" and "out of form" in why
