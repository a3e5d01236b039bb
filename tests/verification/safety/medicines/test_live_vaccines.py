"""A live vaccine that a list of medicines orders, where the immune system is weak; one that was given long ago is no order."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity


def severe(container: Container, who: str, medicines: str) -> list[str]:
    """The severe flags of contraindications and interactions in a note with a list of medicines."""
    text = f"Allergies: none\n\nHPI: A 50-year-old woman {who}.\n\nMedications:\n{medicines}"
    flags, _ = container.safety.check(DraftRequest(text=text), container.linker.read(text), (), ())
    kinds = ("contraindication", "interaction")
    return [one.message for one in flags if one.kind in kinds and one.severity is Severity.SEVERE]


@pytest.mark.parametrize(
    ("who", "medicines"),
    [
        ("with a low CD4 count", "- MMR vaccine once"),
        ("with a solid organ transplant", "- live zoster vaccine once"),
        ("with acute leukemia", "- yellow fever vaccine once"),
        ("with rheumatoid arthritis", "- MMR vaccine once\n- adalimumab 40 mg every two weeks"),
        ("who is 14 weeks pregnant", "- MMR vaccine once"),
    ],
)
def test_a_live_vaccine_that_is_ordered_is_severe(container: Container, who: str, medicines: str) -> None:
    assert severe(container, who, medicines)


@pytest.mark.parametrize(
    ("who", "medicines"),
    [
        ("with a low CD4 count", "- MMR vaccine 2015"),
        ("with a low CD4 count", "- MMR vaccine given 3/2019"),
        ("with a low CD4 count", "- influenza vaccine once"),
        ("with a solid organ transplant", "- pneumococcal vaccine 0.5 mL IM once"),
        ("with rheumatoid arthritis", "- influenza vaccine once\n- adalimumab 40 mg every two weeks"),
        ("with hypertension", "- MMR vaccine once"),
        ("with bladder cancer", "- BCG 50 mg intravesically weekly"),
    ],
)
def test_a_dead_vaccine_and_one_of_the_past_are_left_alone(container: Container, who: str, medicines: str) -> None:
    assert severe(container, who, medicines) == []
