"""An attack, a crisis or a relapse of today is the disease: what speaks against a medicine in the disease speaks in its attack."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity


def against(container: Container, episode: str, medicines: str) -> list[tuple[Severity, str]]:
    """The contraindications, from a warning on, of medicines that stand in the note of somebody who came with an episode."""
    text = f"Allergies: none\n\nHPI: A 50-year-old woman was admitted with {episode}.\n\nMedications:\n{medicines}"
    found, _ = container.safety.check(DraftRequest(text=text), container.linker.link(text), (), ())
    return [
        (one.severity, one.message)
        for one in found
        if one.kind == "contraindication" and one.severity is not Severity.INFO
    ]


@pytest.mark.parametrize(
    ("episode", "medicine", "disease"),
    [
        ("an asthma exacerbation", "propranolol 40 mg twice daily", "asthma"),
        ("an asthma exacerbation", "timolol eye drops twice daily", "asthma"),
        ("a myasthenic crisis", "magnesium sulfate 2 g IV once", "myasthenia gravis"),
        ("status epilepticus", "bupropion 150 mg twice daily", "epilepsy"),
        ("a multiple sclerosis relapse", "adalimumab 40 mg every two weeks", "multiple sclerosis"),
    ],
)
def test_an_episode_of_today_is_the_disease(container: Container, episode: str, medicine: str, disease: str) -> None:
    (found,) = against(container, episode, medicine)
    assert found[0] is Severity.SEVERE and disease in found[1]


@pytest.mark.parametrize(
    ("episode", "medicine"),
    [
        ("an asthma exacerbation", "magnesium sulfate 2 g IV once"),
        ("an asthma exacerbation", "prednisolone 40 mg daily"),
        ("torsades de pointes", "magnesium sulfate 2 g IV once"),
        ("a myasthenic crisis", "pyridostigmine 60 mg four times daily"),
        ("status epilepticus", "lorazepam 4 mg IV once"),
        ("a multiple sclerosis relapse", "methylprednisolone 1 g IV daily"),
        ("variceal bleeding", "octreotide 50 mcg IV once"),
    ],
)
def test_the_treatment_of_an_episode_is_left_alone(container: Container, episode: str, medicine: str) -> None:
    assert against(container, episode, medicine) == []
