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


@pytest.mark.parametrize(
    "words",
    [
        "Her daughter has asthma.",
        "His brother has COPD and his wife has influenza.",
        "Family history: asthma, hypertension.",
        "Her flatmate was treated for tuberculosis.",
    ],
)
def test_what_another_has_is_no_reason_for_what_does_not_run_in_families(container: Container, words: str) -> None:
    note = f"CC: breathlessness\nHPI: A 67-year-old with breathlessness, green sputum and fever. {words}\n"
    linked = container.linker.link(note)
    begin = note.index(words)
    ranked = container.ranker.rank(linked, DraftRequest(text=note))
    assert not [r for one in ranked for r in one.because if r.weight > 0 and (r.start_char or 0) >= begin]


@pytest.mark.parametrize(
    ("words", "status"),
    [
        ("She was treated for community-acquired pneumonia with IV levofloxacin.", "in_note"),
        ("Found to have a hospital-acquired pneumonia.", "in_note"),
        ("She was treated for pneumonia with IV levofloxacin.", "in_note"),
        ("Possible community-acquired pneumonia.", "possible"),
        ("No community-acquired pneumonia.", "possible"),
        ("Her mother was treated for community-acquired pneumonia.", "possible"),
    ],
)
def test_a_kind_of_an_illness_that_the_note_states_is_the_illness(
    container: Container, words: str, status: str
) -> None:
    note = f"CC: breathlessness\nHPI: A 67-year-old woman with breathlessness, green sputum and fever. {words}\n"
    ranked = container.ranker.rank(container.linker.read(note), DraftRequest(text=note))
    (pneumonia,) = [one for one in ranked if one.name == "pneumonia"]
    assert pneumonia.status.value == status
