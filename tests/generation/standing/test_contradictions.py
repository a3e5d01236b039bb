"""What a note says in two ways is shown to the clinician, and what only sounds like it is not."""

import pytest

from backend.generation.standing.contradictions import contradictions
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    Dosage,
    MedicationStatement,
    PatientRecord,
    ProblemStatement,
    RecordSpan,
    VerificationStatus,
)
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, Category, SectionCategory


def span(start: int, text: str) -> RecordSpan:
    return RecordSpan(start_char=start, end_char=start + len(text), text=text)


def problem(
    number: int,
    name: str,
    status: VerificationStatus,
    side: str = "",
    category: Category = Category.DISEASE,
    section: SectionCategory = SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
) -> ProblemStatement:
    return ProblemStatement(
        section=section,
        id=f"problem-{number}",
        concept_id=f"T:{name}",
        name=name,
        category=category,
        verification_status=status,
        body_side=side,
        spans=(span(number * 100, name),),
    )


def medicine(number: int, dose: float, section: SectionCategory, change: str = "") -> MedicationStatement:
    return MedicationStatement.model_validate(
        {
            "id": f"medication-{number}",
            "concept_id": "T:warfarin",
            "name": "warfarin",
            "dosage": Dosage(text=f"{dose:g} mg", dose=dose, unit="mg"),
            "section": section,
            "change": change,
            "spans": (span(number * 100, "warfarin"),),
        }
    )


def test_an_allergy_beside_none_known() -> None:
    item = AllergyStatement(id="allergy-1", agent="penicillin", spans=(span(40, "penicillin"),))
    record = PatientRecord(allergies=AllergyRecord(status=AllergyStatus.NONE_KNOWN, text="NKDA", items=(item,)))
    (found,) = contradictions(record)
    assert found.text == "The note says “NKDA”, and also names what the patient reacts to: penicillin."
    assert found.statement_ids == ("allergy-1",)


def test_a_denial_of_one_agent_takes_back_no_other() -> None:
    other = span(90, "Latex: no")
    item = AllergyStatement(
        id="allergy-1", agent="chlorhexidine", spans=(span(4, "chlorhexidine"),), contradicted_by=(other,)
    )
    assert contradictions(PatientRecord(allergies=AllergyRecord(status=AllergyStatus.LISTED, items=(item,)))) == ()


def test_no_drug_allergies_says_nothing_of_a_food_and_nothing_of_an_intolerance() -> None:
    denial = span(90, "No drug allergies")
    item = AllergyStatement(
        id="allergy-1", agent="egg", concept_id="T:egg", spans=(span(4, "egg"),), contradicted_by=(denial,)
    )
    record = PatientRecord(allergies=AllergyRecord(status=AllergyStatus.LISTED, items=(item,)))
    assert contradictions(record, {"T:egg"}) == ()
    assert len(contradictions(record)) == 1
    intolerance = item.model_copy(update={"kind": AllergyKind.INTOLERANCE})
    assert contradictions(PatientRecord(allergies=AllergyRecord(items=(intolerance,)))) == ()


def test_an_allergy_that_is_taken_back() -> None:
    item = AllergyStatement(
        id="allergy-1", agent="latex", spans=(span(4, "latex"),), contradicted_by=(span(90, "no latex allergy"),)
    )
    record = PatientRecord(allergies=AllergyRecord(status=AllergyStatus.LISTED, items=(item,)))
    (found,) = contradictions(record)
    assert found.text == "The note lists an allergy to latex, and also says “no latex allergy”."


def test_only_a_possible_allergy_contradicts_nothing() -> None:
    item = AllergyStatement(id="allergy-1", agent="codeine", possible=True, spans=(span(4, "codeine"),))
    assert contradictions(PatientRecord(allergies=AllergyRecord(status=AllergyStatus.NONE_KNOWN, items=(item,)))) == ()


def test_a_disease_named_in_one_place_and_denied_in_another_is_of_two_times() -> None:
    record = PatientRecord(
        problems=(
            problem(1, "asthma", VerificationStatus.CONFIRMED),
            problem(2, "asthma", VerificationStatus.REFUTED, section=SectionCategory.REVIEW_OF_SYSTEMS),
        )
    )
    assert contradictions(record) == ()


def test_a_symptom_that_comes_and_goes_is_none() -> None:
    record = PatientRecord(
        problems=(
            problem(1, "fever", VerificationStatus.CONFIRMED, category=Category.SYMPTOM),
            problem(2, "fever", VerificationStatus.REFUTED, category=Category.SYMPTOM),
        )
    )
    assert contradictions(record) == ()


def test_two_sides() -> None:
    record = PatientRecord(
        problems=(
            problem(1, "hip fracture", VerificationStatus.CONFIRMED, "left"),
            problem(2, "hip fracture", VerificationStatus.CONFIRMED, "right"),
        )
    )
    (found,) = contradictions(record)
    assert "on the left and on the right" in found.text


def test_two_doses_without_a_change() -> None:
    listed, history = SectionCategory.MEDICATIONS, SectionCategory.HISTORY_OF_PRESENT_ILLNESS
    (found,) = contradictions(PatientRecord(medications=(medicine(1, 5, history), medicine(2, 2.5, listed))))
    assert found.text == "The note gives two doses of warfarin: “warfarin 5 mg” and “warfarin 2.5 mg”."
    kept = contradictions(PatientRecord(medications=(medicine(1, 5, listed), medicine(2, 2.5, history, "continued"))))
    assert len(kept) == 1  # "continue" with another dose tells of no change
    assert contradictions(PatientRecord(medications=(medicine(1, 5, history), medicine(2, 5, listed)))) == ()
    assert (
        contradictions(PatientRecord(medications=(medicine(1, 5, history), medicine(2, 2.5, listed, "decreased"))))
        == ()
    )


@pytest.mark.parametrize("section", [SectionCategory.ASSESSMENT, SectionCategory.PLAN, SectionCategory.HOSPITAL_COURSE])
def test_a_dose_that_the_plan_gives_is_the_new_one(section: SectionCategory) -> None:
    old = medicine(1, 10, SectionCategory.MEDICATIONS)
    assert contradictions(PatientRecord(medications=(old, medicine(2, 5, section)))) == ()
    assert len(contradictions(PatientRecord(medications=(old, medicine(2, 5, section, "continued"))))) == 1


def test_a_number_of_pens_and_another_unit_for_the_same_are_no_second_dose() -> None:
    def given(number: int, dose: float, unit: str, section: SectionCategory) -> MedicationStatement:
        one = medicine(number, dose, section)
        return one.model_copy(update={"dosage": Dosage(text=f"{dose:g} {unit}", dose=dose, unit=unit)})

    listed, history = SectionCategory.MEDICATIONS, SectionCategory.PAST_MEDICAL_HISTORY
    pens = PatientRecord(medications=(given(1, 2, "", history), given(2, 150, "mcg", listed)))
    assert contradictions(pens) == ()
    same = PatientRecord(medications=(given(1, 0.15, "mg", history), given(2, 150, "mcg", listed)))
    assert contradictions(same) == ()
    other = PatientRecord(medications=(given(1, 10, "mg", history), given(2, 10, "mcg", listed)))
    assert len(contradictions(other)) == 1


def listed(agent: str, concept: str | None, denial: str) -> PatientRecord:
    item = AllergyStatement(
        id="allergy-1", agent=agent, concept_id=concept, spans=(span(4, agent),), contradicted_by=(span(90, denial),)
    )
    return PatientRecord(allergies=AllergyRecord(status=AllergyStatus.LISTED, items=(item,)))


@pytest.mark.parametrize(
    ("agent", "concept", "denial"),
    [
        ("latex", "T:latex", "NKDA"),
        ("egg", "T:egg", "NKMA"),
        ("Elastoplast", None, "No drug allergies"),  # the flag asks what it is
        ("penicillin", "T:penicillin", "No known food allergies"),
    ],
)
def test_a_denial_of_medicines_or_of_foods_says_nothing_of_the_others(
    agent: str, concept: str | None, denial: str
) -> None:
    assert contradictions(listed(agent, concept, denial), {"T:latex", "T:egg"}) == ()


@pytest.mark.parametrize(
    ("agent", "denial"),
    [
        ("penicillin", "NKDA"),
        ("penicillin", "no known drug or food allergies"),
        ("egg", "NKA"),
        ("egg", "No food allergies"),
    ],
)
def test_a_denial_of_its_kind_or_of_all_asks_about_a_listed_allergy(agent: str, denial: str) -> None:
    assert len(contradictions(listed(agent, f"T:{agent}", denial), {"T:egg"})) == 1


def test_what_the_note_settles_as_no_allergy_contradicts_no_denial() -> None:
    item = AllergyStatement(
        id="allergy-1",
        agent="penicillin",
        spans=(span(40, "penicillin"),),
        verification_status=VerificationStatus.REFUTED,
    )
    record = PatientRecord(allergies=AllergyRecord(status=AllergyStatus.NONE_KNOWN, text="NKDA", items=(item,)))
    assert contradictions(record) == ()
