"""Medicines against what the patient reacts to, and notes that disagree about it."""

import pytest

from backend.schemas.drafts.request import PatientNote
from backend.schemas.vocabulary import Severity
from tests.verification.flags import Check, of, said

STORY = "HPI: A 60-year-old woman."


@pytest.mark.parametrize(
    ("allergies", "medicine", "severity"),
    [
        ("penicillin (hives)", "amoxicillin 500 mg", Severity.SEVERE),  # of its family
        ("penicillin (hives)", "ceftriaxone 1 g", Severity.WARNING),  # may cross-react, at a low risk
        ("amoxicillin (hives)", "Augmentin 875 mg", Severity.SEVERE),  # contains it
        ("penicillin (hives)", "furosemide 40 mg", None),
        ("none", "amoxicillin 500 mg", None),
    ],
)
def test_a_medicine_of_the_list_is_compared_with_each_allergy(
    check: Check, allergies: str, medicine: str, severity: Severity | None
) -> None:
    flags, _ = check(f"Allergies: {allergies}\n\n{STORY}", medicines=(medicine,))
    assert [flag.severity for flag in of(flags, "allergy_conflict")] == ([severity] if severity else [])


@pytest.mark.parametrize(
    ("medicines", "plan", "draft", "severity"),
    [
        ("amoxicillin 500 mg daily", "", "Rest.", Severity.SEVERE),
        ("amoxicillin 500 mg daily", "Stop amoxicillin.", "Stop taking: amoxicillin.", Severity.INFO),
        ("amoxicillin 500 mg daily", "Hold amoxicillin until clinic.", "On hold: amoxicillin.", Severity.WARNING),
        ("amoxicillin 500 mg daily", "Stop amoxicillin.", "Take amoxicillin 500 mg daily.", Severity.SEVERE),
        ("amoxicillin 500 mg daily", "Hold amoxicillin until clinic.", "You may take amoxicillin.", Severity.SEVERE),
    ],
)
def test_what_is_stopped_or_held_is_no_severe_conflict_unless_the_draft_gives_it(
    check: Check, medicines: str, plan: str, draft: str, severity: Severity
) -> None:
    note = f"Allergies: penicillin (hives)\n\n{STORY}\n\nMedications:\n- {medicines}\n\nPlan: {plan}"
    (flag,) = of(check(note, said(draft))[0], "allergy_conflict")
    assert (flag.severity, flag.medicine) == (severity, "amoxicillin")


def test_what_the_list_for_home_has_is_taken_whatever_the_note_stops(check: Check) -> None:
    note = f"Allergies: penicillin\n\n{STORY}\n\nMedications:\n- amoxicillin 500 mg\n\nPlan: Stop amoxicillin."
    (flag,) = of(check(note, medicines=("amoxicillin 500 mg daily",))[0], "allergy_conflict")
    assert flag.severity is Severity.SEVERE


def test_a_medicine_of_the_draft_is_flagged_at_its_sentence(check: Check) -> None:
    flags, _ = check(f"Allergies: penicillin\n\n{STORY}", said("Rest."), said("Take amoxicillin."))
    assert [flag.sentence for flag in of(flags, "allergy_conflict")] == [1]


def test_an_allergy_that_nobody_knows_is_shown_with_its_place_and_never_passed_over(check: Check) -> None:
    note = f"Allergies: zorbitrexate (hives)\n\n{STORY}"
    flags, checks = check(note)
    (flag,) = of(flags, "allergy_not_recognised")
    assert flag.severity is Severity.SEVERE
    (row,) = [one for one in checks.unrecognised if one.kind == "allergy"]
    assert note[row.start_char : row.end_char] == "zorbitrexate"


@pytest.mark.parametrize(
    ("allergies", "sentence", "flagged"),
    [
        ("penicillin", "You have no known allergies.", True),
        ("none", "You have no known allergies.", False),
        ("penicillin", "You are allergic to penicillin.", False),
    ],
)
def test_a_draft_that_denies_a_listed_allergy_disagrees(
    check: Check, allergies: str, sentence: str, flagged: bool
) -> None:
    flags, _ = check(f"Allergies: {allergies}\n\n{STORY}", said(sentence))
    assert bool(of(flags, "allergy_disagreement")) is flagged


def test_a_silent_note_says_that_nothing_could_be_compared(check: Check) -> None:
    assert of(check(STORY)[0], "allergy_not_stated")
    assert not of(check(f"Allergies: none\n\n{STORY}")[0], "allergy_not_stated")


@pytest.mark.parametrize(
    ("allergies", "kind", "severity"),
    [
        ("Allergies: none\n\n", "allergy_disagreement", Severity.SEVERE),
        ("Allergies: naproxen\n\n", "allergy_disagreement", Severity.WARNING),
        ("", "allergy_not_stated", Severity.WARNING),
    ],
)
def test_an_allergy_of_an_earlier_note_is_never_lost(
    check: Check, allergies: str, kind: str, severity: Severity
) -> None:
    earlier = PatientNote(note_type="Nursing", date="2020-01-01", text="Allergies: penicillin (hives)")
    flags, _ = check(f"{allergies}{STORY}", earlier=(earlier,))
    (flag,) = of(flags, kind)
    assert flag.severity is severity and "penicillin" in flag.message
