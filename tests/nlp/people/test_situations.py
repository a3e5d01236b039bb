"""Situations: a class of medicines brings its members, but for those that a row leaves out."""

import pytest

from backend.container import Container
from backend.nlp.people.situations import situation_rows, situations_of


def names(chapter: str) -> frozenset[str]:
    return next(row.names for row in situation_rows() if row.chapter == chapter)


@pytest.mark.parametrize(
    ("chapter", "held"),
    [
        ("ACE inhibitor", ("lisinopril", "ramipril", "sacubitril-valsartan")),
        ("anticoagulant", ("warfarin", "tinzaparin", "apixaban", "acenocoumarol")),
        ("NSAID", ("naproxen", "celecoxib", "ibuprofen-famotidine")),
        ("SGLT2 inhibitor", ("dapagliflozin", "dapagliflozin-metformin")),
        ("antithyroid drug", ("carbimazole", "methimazole")),
        ("immune checkpoint inhibitor", ("nivolumab", "ipilimumab")),
    ],
)
def test_a_class_brings_its_members(chapter: str, held: tuple[str, ...]) -> None:
    assert set(held) <= names(chapter)


@pytest.mark.parametrize(
    ("chapter", "left_out"),
    [
        ("NSAID", ("aspirin", "diclofenac gel", "ketorolac eye drops")),
        ("anticoagulant", ("heparin flush",)),
        ("systemic glucocorticoid", ("prednisolone eye drops",)),
        ("immunosuppressant", ("methotrexate", "dupilumab")),
    ],
)
def test_a_member_that_the_row_leaves_out_is_none(chapter: str, left_out: tuple[str, ...]) -> None:
    assert names(chapter).isdisjoint(left_out)
    assert not any(name.startswith("not:") for name in names(chapter))


def test_what_is_no_medicine_that_is_taken_brings_nothing_else() -> None:
    assert names("asplenia") == {"asplenia", "splenectomy"}


def chapters(container: Container, note: str) -> set[str]:
    return {one.row.chapter for one in situations_of(container.linker.read(note))}


@pytest.mark.parametrize(
    ("note", "chapter", "held"),
    [
        ("HPI: Known diabetes and asthma. Tonsillectomy. He works as a mechanic and has a sore foot.", "tonsillectomy", False),
        ("HPI: Thyroidectomy as a young woman, came with a cough.", "thyroidectomy", False),
        ("HPI: Bleeding ulcer.\nPLAN: Orthopedics informed, right total knee replacement deferred.", "knee replacement", False),
        ("HPI: A 7-year-old boy spat blood this morning, tonsillectomy 5 days ago.", "tonsillectomy", True),
        ("HPI: 66F POD 12 from left knee replacement with calf pain.", "knee replacement", True),
        ("80M hip replacement day 4, dalteparin for 28 days.", "hip replacement", True),
        ("HPI: She had a total knee replacement two weeks ago and now has a fever.", "knee replacement", True),
    ],
)  # fmt: skip
def test_the_signs_after_an_operation_are_of_one_of_the_last_weeks(
    container: Container, note: str, chapter: str, held: bool
) -> None:
    assert (chapter in chapters(container, note)) is held


def test_after_the_birth_the_weeks_after_it_take_the_place_of_the_pregnancy(container: Container) -> None:
    note = (
        "32 y.o. G2P1001 now G2P2002 @ 37w1d admitted with preeclampsia.\nADMISSION DX: IUP 37w1d.\nDISCHARGE DX: Same, delivered.\n"
        "HOSPITAL COURSE: Viable female 3410 g, Apgars 8/9. Magnesium for 24 h postpartum. Induction with Foley balloon and low dose pit."
    )
    held = chapters(container, note)
    assert "postpartum period" in held
    assert held.isdisjoint({"pregnancy", "urinary catheter"})
    assert container.linker.read(note).record.person.pregnant is False


@pytest.mark.parametrize(
    ("note", "held"),
    [
        ("HPI: A 30-year-old man admitted with diabetic ketoacidosis, now resolved.", True),
        ("ASSESSMENT: Diabetic ketoacidosis, resolved. Back to his own insulin.", True),
        ("HPI: A 30-year-old man with a sore toe. Diabetic ketoacidosis in 2019, resolved.", False),
        ("HPI: A 30-year-old man with a sore toe.\nPMH: Diabetic ketoacidosis, resolved.", False),
        ("HPI: A 30-year-old man with a sore toe. His brother was admitted with diabetic ketoacidosis, now resolved.", False),
    ],
)  # fmt: skip
def test_what_brought_the_patient_and_has_settled_still_has_its_signs(
    container: Container, note: str, held: bool
) -> None:
    assert ("diabetic ketoacidosis" in chapters(container, note)) is held
