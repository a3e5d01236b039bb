"""Names that the words beside them make something else, and measures that are no medicine."""

import pytest

from backend.schemas.vocabulary import Category
from tests.nlp.fresh import linker


def names(text: str) -> list[str]:
    return [m.name for m in linker().link(text).note.mentions]


@pytest.mark.parametrize(
    ("text", "name", "named"),
    [
        ("This morning headache and vomiting began.", "headache", True),
        ("This morning headache and vomiting began.", "morning headache", False),
        ("He gets a morning headache on most days.", "morning headache", True),
        ("Last night sweats and a cough.", "night sweats", False),
        ("Drenching night sweats.", "night sweats", True),
        ("Passing gas, no stool since Sunday.", "flatulence", False),
        ("Passing gas more than usual, and bloated.", "flatulence", True),
        ("Not passing gas or stool for two days.", "absent flatus", True),
        ("Abdomen dull to percussion in the flanks.", "dullness to percussion", False),
        ("Abdomen soft. Chest dull to percussion on the left.", "dullness to percussion", True),
        ("Had a stroke in 2019 with residual weakness.", "urinary retention", False),
        ("Bladder residual 700 ml.", "urinary retention", True),
        ("CHF with orthopnea, PND. Denies cough.", "paroxysmal nocturnal dyspnea", True),
        ("Cough from PND.", "postnasal drip", True),
        ("pH 7.12, bicarb 9, glucose 480.", "sodium bicarbonate", False),
        ("Bicarbonate 24.", "sodium bicarbonate", False),
        ("Lithium 1.9 mmol/L.", "lithium", True),
        ("Bicarb 650 mg three times a day.", "sodium bicarbonate", True),
    ],
)
def test_a_name_is_read_as_the_words_beside_it_have_it(text: str, name: str, named: bool) -> None:
    assert (name in names(text)) is named


@pytest.mark.parametrize("order", ["Avoid ibuprofen.", "Avoid NSAIDs.", "He should avoid naproxen and ibuprofen."])
def test_an_order_to_avoid_a_medicine_is_read_as_the_medicine(order: str) -> None:
    read = linker().link(f"Plan: {order}")
    assert {one.category for one in read.note.mentions} <= {Category.DRUG, Category.DRUG_CLASS}
    assert read.note.mentions
