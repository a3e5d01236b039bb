"""Smoking, heavy drinking and a high blood pressure: what asks for a sentence whatever the patient came with."""

import pytest

from backend.container.container import Container
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.people.own_life import AMOUNT, HEAVY_DRINKING, HIGH_PRESSURE, SMOKING, own_life
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.schemas.drafts.request import DraftRequest

CLINIC = "CLINIC NOTE\nHPI: A 50-year-old man was seen in our clinic for a rash.\nSOCIAL HISTORY: {}\nVITAL SIGNS: Blood pressure {}.\n"
QUIT, LESS, AGAIN = "help to quit smoking", "help to drink less", "blood pressure checked again"


def held(container: Container, social: str, pressure: str = "120/70") -> frozenset[str]:
    record = container.linker.read(CLINIC.format(social, pressure)).record
    assert record is not None
    return own_life(record)


@pytest.mark.parametrize("row", trigger_rows(AMOUNT), ids=lambda row: row.rule_id)
def test_a_row_finds_its_examples_and_no_others(row: TriggerRow) -> None:
    def says(example: str) -> bool:
        return bool(TriggerAutomaton([row]).find(plain_marks(tokens(example).words))[row.family])

    assert [example for example in row.yes if not says(example)] == []
    assert [example for example in row.no if says(example)] == []


@pytest.mark.parametrize(
    ("social", "names"),
    [
        ("He smokes one pack per day.", {SMOKING}),
        ("He quit smoking ten years ago.", set()),
        ("He does not smoke. He drinks 4 to 6 beers a night.", {HEAVY_DRINKING}),
        ("He drinks alcohol socially.", set()),
        ("He smokes two packs a day. He is on home hospice and wants comfort only.", set()),
    ],
)
def test_habits_of_now_are_held(container: Container, social: str, names: set[str]) -> None:
    assert held(container, social) == names


def test_a_high_pressure_of_a_visit_is_held(container: Container) -> None:
    assert held(container, "He does not smoke.", "152/84") == {HIGH_PRESSURE}
    assert held(container, "He does not smoke.", "132/84") == set()


def test_a_letter_has_one_sentence_for_each_whatever_it_is_about(container: Container) -> None:
    note = CLINIC.format("He smokes one pack per day. He drinks 6 beers a night.", "152/94")
    texts = [one.text for one in container.pipeline("leapnote").run(DraftRequest(text=note)).sentences]
    for words in (QUIT, LESS, AGAIN):
        assert sum(words in text for text in texts) == 1
    calm = CLINIC.format("He does not smoke or drink.", "120/70")
    texts = [one.text for one in container.pipeline("leapnote").run(DraftRequest(text=calm)).sentences]
    assert not any(words in text for text in texts for words in (QUIT, LESS, AGAIN))
