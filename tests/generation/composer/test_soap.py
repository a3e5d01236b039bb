"""The progress note as a whole: own assessment and plan first, headers with their content, what changed, nothing guessed."""

from collections.abc import Callable
from typing import Any

import pytest

from backend.container.container import Container
from backend.generation.composer.material import Material, PassageReader
from backend.generation.composer.soap import FITS_FROM, MOST_CONDITIONS, assessment, explanations, progress_note
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.evidence import Condition, Evidence, Reason
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.vocabulary import Basis, ConditionStatus, Document
from tests.generation.composer.pasted import material_of, request_of

TODAY = """Chief Complaint: follow-up of cough

HPI: Mr. B is a 67-year-old man. The cough is gone. He has severe dyspnea at night. He denies chest pain.

Past Medical History: heart failure, gout.

Past Surgical History: None.

Medications: losartan 100 mg daily, furosemide 40 mg daily.

Allergies: No known drug allergies.

Review of Systems: Denies fever. Positive for fatigue.

Vital signs: pain 0/10, weight 94 kg, SpO2 93% on room air, RR 22, BP 156/94, HR 96, T 36.8 C.

Physical Exam: Crackles at both bases. Status post appendectomy in 1980.

Labs: creatinine 1.6.

Assessment and Plan:
1. Heart failure, decompensated. Increase furosemide to 80 mg daily.
2. Gout.
Follow up in 1 week.
"""
EARLIER = (
    PatientNote(
        note_type="Physician",
        date="2024-01-10",
        text="HPI: A 67-year-old man has a cough and mild dyspnea.\n\nMedications: losartan 50 mg daily.\n\nLabs: creatinine 1.1.\n",
    ),
    PatientNote(
        note_type="Physician",
        date="2024-05-02",
        text="HPI: He has a cough and mild dyspnea.\n\nMedications: losartan 50 mg daily.\n\nLabs: creatinine 1.4.\n",
    ),
)
Note = Callable[..., Draft]


def condition(name: str, status: ConditionStatus, **fields: Any) -> Condition:
    return Condition(concept_id=f"T:{name.replace(' ', '-')}", name=name, status=status, **{"score": 0.5, **fields})


def held(linker: DictionaryLinker, *conditions: Condition) -> Material:
    """Conditions of a note of one finding."""
    return Material(linker.read("HPI: cough."), conditions, Evidence(), PassageReader(linker), frozenset())


@pytest.fixture(scope="module")
def note(container: Container) -> Note:
    def written(text: str, notes: tuple[PatientNote, ...] = ()) -> Draft:
        request = DraftRequest(text=text, document=Document.PROGRESS_NOTE, patient_notes=notes)
        return container.pipeline("leapnote").run(request)

    return written


def lines(draft: Draft, part: str) -> list[str]:
    held = draft.text.split(f"{part}\n", 1)[1].split("\n\n")[0]
    return held.splitlines()


def test_the_own_assessment_and_plan_come_first_problem_by_problem(note: Note) -> None:
    draft = note(TODAY)
    assert lines(draft, "Assessment")[:2] == ["Heart failure, decompensated.", "Gout."]
    assert lines(draft, "Plan")[:3] == [
        "Heart failure: Increase furosemide to 80 mg daily.",
        "Other: Follow up in 1 week.",
        "[team to complete: plan for gout; the note states none]",
    ]


def test_headers_keep_their_content_and_history_is_not_objective(note: Note) -> None:
    draft = note(TODAY)
    said = lines(draft, "Subjective")
    assert "Past surgical history: None." in said
    assert "Allergies: none recorded (\u201cNo known drug allergies\u201d)." in said
    assert "Review of systems: fatigue; denies fever." in said
    assert "Medicines: losartan 100 mg once a day; furosemide 40 mg once a day." in said
    assert any("appendectomy" in line for line in said)
    assert not any("appendectomy" in line for line in lines(draft, "Objective"))


def test_silence_about_allergies_is_a_gap(note: Note) -> None:
    silent = TODAY.replace("Allergies: No known drug allergies.\n\n", "")
    assert "[team to complete: allergies: not stated]" in lines(note(silent), "Subjective")


def test_a_medicine_header_without_medicines_is_kept_and_a_test_s_classes_are_no_medicines(note: Note) -> None:
    none = TODAY.replace("Medications: losartan 100 mg daily, furosemide 40 mg daily.", "Medications: None.")
    screened = none.replace("Review of", "Social History: Drug screen positive for barbiturates.\n\nReview of")
    said = lines(note(screened), "Subjective")
    assert "Medicines: None." in said
    assert not any(line.startswith("Medicines") and "barbiturate" in line for line in said)


def test_what_only_a_review_of_systems_or_the_history_names_is_not_assessed(note: Note) -> None:
    asked = TODAY.replace("Positive for fatigue.", "Positive for constipation.").replace("gout", "asthma", 1)
    assessed = " ".join(lines(note(asked), "Assessment")).lower()
    assert "constipation" not in assessed
    assert "asthma" not in assessed


def test_vital_signs_have_one_order_and_are_not_quoted_again(note: Note) -> None:
    found = lines(note(TODAY), "Objective")
    assert found[0] == (
        "Vital signs: temperature 36.8 C, pulse 96/min, blood pressure 156/94 mmHg, respiratory rate 22/min, "
        "oxygen saturation 93 % on room air, weight 94 kg, pain 0/10."
    )
    assert not any("SpO2" in line for line in found)


def test_the_latest_earlier_note_is_compared_and_values_are_in_order_of_date(note: Note) -> None:
    draft = note(TODAY, EARLIER)
    said = lines(draft, "Subjective")
    assert "Changed since 2024-05-02: dyspnea (severe, before mild)." in said
    assert "Gone since 2024-05-02: cough (resolved)." in said
    assert "Medicines changed since 2024-05-02: losartan 100 mg once a day (before: 50 mg once a day)." in said
    assert "Creatinine: 1.1 (2024-01-10), 1.4 (2024-05-02), 1.6 (today)." in lines(draft, "Objective")
    assert not any("2024-01-10" in line for line in said)


def test_every_sentence_about_the_patient_cites_the_notes(note: Note) -> None:
    own = [s for s in note(TODAY, EARLIER).sentences if s.basis is Basis.PATIENT]
    assert len(own) > 20
    assert [s.text for s in own if not any(c.startswith("N") for c in s.citations)] == []


def test_a_guess_is_not_in_the_text(note: Note) -> None:
    draft = note(TODAY)
    guesses = [c.name for c in draft.conditions if c.status == "possible" and not c.written]
    assert guesses
    assessed = " ".join(lines(draft, "Assessment")).lower()
    assert [name for name in guesses if name.lower() in assessed] == []


def test_sixty_earlier_notes_make_it_no_longer(note: Note) -> None:
    many = tuple(EARLIER[1].model_copy(update={"date": f"2023-{1 + n // 28:02d}-{1 + n % 28:02d}"}) for n in range(58))
    assert len(note(TODAY, (*many, *EARLIER)).text.splitlines()) <= 45


def test_a_note_in_which_nothing_was_recognised_makes_no_progress_note() -> None:
    assert list(progress_note(material_of("Zzz."), request_of("Zzz."))) == []


def test_a_named_condition_is_assessed_with_what_fits_it_and_a_mere_guess_is_not(tiny_linker: DictionaryLinker) -> None:
    cough = Reason(concept_id="T:cough", name="cough", relation="has_finding", weight=1.0, start_char=5)
    stated = condition("pneumonia", ConditionStatus.IN_NOTE, because=(cough,), stated=True)
    found = list(assessment(held(tiny_linker, stated, condition("gout", ConditionStatus.POSSIBLE))))
    assert [one.text for one in found] == ["Pneumonia, named in the note: cough fits it."]
    assert found[0].condition_id == "T:pneumonia"


def test_what_the_note_s_own_assessment_says_is_told_again_only_where_a_clinician_confirmed_it(
    tiny_linker: DictionaryLinker,
) -> None:
    said = ("T:pneumonia",)
    stated, sure = (condition("pneumonia", one) for one in (ConditionStatus.IN_NOTE, ConditionStatus.CONFIRMED))
    assert list(assessment(held(tiny_linker, stated), said)) == []
    assert [one.text for one in assessment(held(tiny_linker, sure), said)] == ["Pneumonia, confirmed."]


def test_without_a_condition_the_assessment_is_a_gap_and_a_dangerous_guess_is_counted(
    tiny_linker: DictionaryLinker,
) -> None:
    missing = "[team to complete: assessment; the note names no condition of today]"
    assert [one.text for one in assessment(held(tiny_linker))] == [missing]
    danger = condition("pulmonary embolism", ConditionStatus.POSSIBLE, must_not_miss=True)
    alert, gap = [one.text for one in assessment(held(tiny_linker, danger))]
    assert "1 more condition that must not be missed fits better" in alert
    assert "embolism" not in alert
    assert gap == missing
    gone = condition("pneumonia", ConditionStatus.RULED_OUT)
    assert [one.text for one in assessment(held(tiny_linker, gone))] == [missing]


def test_no_more_conditions_are_told_than_there_is_room_for(tiny_linker: DictionaryLinker) -> None:
    many = [condition(f"ill {n}", ConditionStatus.IN_NOTE) for n in range(MOST_CONDITIONS + 2)]
    assert len(list(assessment(held(tiny_linker, *many)))) == MOST_CONDITIONS


def test_explanations_come_best_first_and_leave_out_what_barely_fits(tiny_linker: DictionaryLinker) -> None:
    found = explanations(
        held(
            tiny_linker,
            condition("gout", ConditionStatus.POSSIBLE, score=FITS_FROM, margin=0.1),
            condition("pneumonia", ConditionStatus.POSSIBLE, score=0.9, margin=0.1),
            condition("heart failure", ConditionStatus.POSSIBLE, score=FITS_FROM - 0.01, margin=0.1),
            condition("pulmonary embolism", ConditionStatus.POSSIBLE, score=1.0, margin=0.1, historical=True),
        )
    )
    assert [one.text for one in found] == ["Pneumonia, possible.", "Gout, possible."]


def test_of_antibiotics_one_is_enough_and_what_asks_for_more_than_the_patient_has_is_left_out(
    note: Note,
) -> None:
    def plan(text: str) -> str:
        return " ".join(s.text for s in note(text).sentences if s.section == "Plan")

    story = "HPI: A 61-year-old man has pneumonia with fever and cough since Monday.\n\n"
    untreated, treated = plan(story), plan(f"{story}He was given ceftriaxone in the emergency room.\n")
    assert "doxycycline" in untreated or "amoxicillin" in untreated or "azithromycin" in untreated
    assert not any(name in treated for name in ("doxycycline", "amoxicillin", "azithromycin", "levofloxacin"))
    assert "consider" in treated
    assert "(severe)" not in untreated and "MRSA" not in untreated


def test_of_a_long_examination_normal_findings_are_left_out_first(note: Note) -> None:
    normal = "".join(f"No edema of the {part}. No rash of the {part}. " for part in ("arms", "legs", "face", "trunk"))
    exam = f"{normal * 4}The abdomen is tender on the left. Marked jaundice."
    found = " ".join(
        s.text for s in note(f"HPI: He has fever.\n\nPhysical Exam: {exam}\n").sentences if s.section == "Objective"
    )
    assert "tender on the left" in found and "jaundice" in found


def test_a_disease_of_the_story_without_a_chapter_is_named_in_the_assessment(note: Note) -> None:
    sentences = note(
        "HPI: A woman with a history of polycythemia vera comes for follow-up. She feels well.\n"
    ).sentences
    said = [s for s in sentences if s.section == "Assessment"]
    assert said[0].text == "Polycythemia vera, named in the note." and said[0].citations
    assert said[-1].text.startswith("[")
