"""What a sentence concludes or decides, held against the condition that the rest of the text points to."""

import pytest

from backend.verification.consistency.claims import HARM, UNKNOWN, ClaimReader, Sentence
from backend.verification.consistency.hallmarks import shipped

READER = ClaimReader(shipped())
GOUT = [
    "He woke up with severe pain in the big toe.",
    "He drinks much beer, and the joint is red.",
    "Joint fluid shows needle-shaped, negatively birefringent crystals.",
]


def misfit(*texts: str) -> float:
    """Of the last sentence."""
    return READER.misfits([Sentence(text) for text in texts])[-1].score


@pytest.mark.parametrize("text", ["He is diagnosed with gout.", "Colchicine is given."])
def test_what_fits_the_text_is_hardly_suspected(text: str) -> None:
    assert misfit(*GOUT, text) <= UNKNOWN


@pytest.mark.parametrize("text", ["He is diagnosed with measles.", "Levodopa is given.", "The organism is Giardia."])
def test_a_conclusion_that_nothing_speaks_for_is_suspected(text: str) -> None:
    assert misfit(*GOUT, text) > 0.8


def test_what_must_not_be_given_is_suspected_and_named() -> None:
    found = READER.misfits([Sentence(text) for text in (*GOUT, "Furosemide is started.")])[-1]
    assert found.score == HARM
    assert found.reason == "not given in gout: furosemide"


def test_what_is_avoided_is_not_given() -> None:
    assert misfit(*GOUT, "Furosemide is not to be given.") <= UNKNOWN


def test_a_home_medicine_is_suspected_less_than_a_decision() -> None:
    decided, before = (
        misfit(*GOUT, "Levodopa is started."),
        misfit(*GOUT, "He takes levodopa, which was started last year."),
    )
    assert UNKNOWN < before < decided


def test_a_class_stands_for_its_medicines() -> None:
    sentences = [
        *(Sentence(text) for text in GOUT),
        Sentence("Etoricoxib is given.", medicines=(("etoricoxib", "NSAID", "Etoricoxib"),)),
    ]
    assert READER.misfits(sentences)[-1].score <= UNKNOWN


def test_a_text_that_points_to_nothing_leaves_conclusions_unchecked() -> None:
    assert misfit("She came by bus.", "She is diagnosed with measles.") == UNKNOWN


def test_a_sentence_that_concludes_nothing_is_not_suspected() -> None:
    assert misfit(*GOUT, "He lives with his sister.") == 0


def test_no_sentence_speaks_for_itself() -> None:
    """The name in a diagnosis is no sign of it: with nothing else to go by, the diagnosis that fits is the other one."""
    first = READER.misfits([Sentence(text) for text in ("She is diagnosed with gout.", *GOUT)])[0]
    assert first.score <= UNKNOWN
    other = READER.misfits([Sentence(text) for text in ("She is diagnosed with shingles.", *GOUT)])[0]
    assert other.score > 0.8
