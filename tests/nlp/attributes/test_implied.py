"""What the note says of a mention besides its first assertion: what is denied of the past, and denied of the family."""

import pytest

from backend.schemas.vocabulary import Assertion
from tests.nlp.assessed_spans import assess_spans
from tests.nlp.fresh import linker

N, H, F = Assertion.NEGATED, Assertion.HISTORICAL, Assertion.FAMILY


@pytest.mark.parametrize(
    ("text", "phrase", "meant"),
    [
        ("She has no history of gout.", "gout", (N, H)),
        ("He has never had a seizure.", "seizure", (N, H)),
        ("No known coronary disease.", "coronary disease", (N, H)),
        ("No prior stroke.", "stroke", (N, H)),
        ("Denies tobacco, alcohol or drug use.", "alcohol", (N, H)),
        ("Denies alcohol today.", "alcohol", (N,)),
        ("No fever.", "fever", (N,)),
        ("No drug reaction was seen.", "drug reaction", (N,)),
        ("No family history of colon cancer.", "colon cancer", (F, N)),
        ("Family history is negative for glaucoma.", "glaucoma", (F, N)),
        ("Her mother does not have diabetes.", "diabetes", (F, N)),
        ("Family history of colon cancer.", "colon cancer", (F,)),
        ("Family history: no diabetes, no stroke.", "stroke", (F, N)),
    ],
)
def test_what_a_denial_says_besides(text: str, phrase: str, meant: tuple[Assertion, ...]) -> None:
    (found,) = assess_spans(text, [(text.index(phrase), text.index(phrase) + len(phrase))])
    assert (found.assertion, *found.also) == meant


def test_a_mention_carries_it() -> None:
    (gout,) = (m for m in linker().link("She has no history of gout.").note.mentions if m.name == "gout")
    assert (gout.assertion, gout.also) == (N, (H,))
    (fever,) = (m for m in linker().link("She has a fever.").note.mentions if m.name == "fever")
    assert fever.also == ()
