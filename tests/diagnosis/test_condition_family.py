"""A relative's disease raises a risk; one that the family is said not to have raises none."""

import pytest

from backend.container import Container
from backend.schemas.drafts.request import DraftRequest

NOTE = "CC: chest pain\nHPI: A 50-year-old man with chest pain on stairs. {}\n"


def because(container: Container, words: str) -> set[str]:
    linked = container.linker.link(NOTE.format(words))
    ranked = container.ranker.rank(linked, DraftRequest(text=linked.note.text))
    return {reason.name for condition in ranked for reason in condition.because if reason.weight > 0}


@pytest.mark.parametrize(
    ("words", "counts"),
    [
        ("His father has coronary artery disease.", True),
        ("Family history of coronary artery disease.", True),
        ("No family history of coronary artery disease.", False),
        ("Family history: no coronary artery disease.", False),
        ("His father does not have coronary artery disease.", False),
    ],
)
def test_only_a_disease_that_a_relative_has_counts(container: Container, words: str, counts: bool) -> None:
    assert ("coronary artery disease" in because(container, words)) is counts
