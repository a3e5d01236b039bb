"""What a culture is sensitive or resistant to is no medicine that anybody takes."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.request import DraftRequest

HEAD = "Allergies: none\n\nHPI: A 60-year-old woman with a urine infection. She takes tizanidine 4 mg daily. "


@pytest.mark.parametrize(
    ("words", "flagged"),
    [
        ("Culture E. coli, resistant to trimethoprim, sensitive to ciprofloxacin.", False),
        ("Culture E. coli: trimethoprim R, ciprofloxacin S, gentamicin S.", False),
        ("Ciprofloxacin 500 mg b.d. and insulin S/C were begun.", True),
        ("Culture E. coli, sensitive to nitrofurantoin and ciprofloxacin.", False),
        ("Culture E. coli, sensitive to ciprofloxacin. Started ciprofloxacin 500 mg twice a day.", True),
    ],
)
def test_only_an_antibiotic_that_is_given_is_held_against_what_is_taken(
    container: Container, words: str, flagged: bool
) -> None:
    note = HEAD + words
    found, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    assert any(one.kind == "interaction" for one in found) is flagged
