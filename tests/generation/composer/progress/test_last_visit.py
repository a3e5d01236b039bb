"""The last visit beside today's note: what changed, what it cites, and which earlier note counts."""

import pytest

from backend.generation.composer.progress.last_visit import MOST_NAMED, since_last_visit, value_courses
from backend.schemas.drafts.request import PatientNote
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT
from tests.generation.composer.pasted import cited_texts, material_of, request_of

TODAY = (
    "HPI: She has severe dyspnea. The cough is gone.\n\nMedications: losartan 100 mg daily.\n\nLabs: creatinine 1.6."
)
BEFORE = "HPI: She has mild dyspnea and a cough.\n\nMedications: losartan 50 mg daily.\n\nLabs: creatinine 1.1."


def note(day: str | None, text: str = BEFORE, kind: str = "Physician") -> PatientNote:
    return PatientNote(note_type=kind, date=day, text=text)


def lines(*earlier: PatientNote, today: str = TODAY) -> list[str]:
    return [text for text, _ in since_last_visit(material_of(today, *earlier), request_of(today, *earlier))]


def test_changes_are_told_with_the_day_and_what_was_before() -> None:
    found = lines(note("2024-01-10"))
    assert "Changed since 2024-01-10: dyspnea (severe, before mild)." in found
    assert "Gone since 2024-01-10: cough (resolved)." in found
    assert "Medicines changed since 2024-01-10: losartan 100 mg once a day (before: 50 mg once a day)." in found


def test_a_change_cites_today_s_sentence_and_that_of_the_day_before() -> None:
    material = material_of(TODAY, note("2024-01-10"))
    found = dict(since_last_visit(material, request_of(TODAY, note("2024-01-10"))))
    cites = next(ids for text, ids in found.items() if text.startswith("Medicines changed"))
    texts = cited_texts(material, cites)
    assert any("100 mg" in text for text in texts)
    assert any("50 mg" in text for text in texts)


@pytest.mark.parametrize(
    "earlier",
    [(), (note(None),), (note("2024-01-10", kind=PREVIOUS_VISIT),)],
)
def test_without_a_dated_note_of_a_visit_nothing_is_compared(earlier: tuple[PatientNote, ...]) -> None:
    assert lines(*earlier) == []


def test_without_a_note_of_today_nothing_is_compared() -> None:
    assert list(since_last_visit(material_of(TODAY, note("2024-01-10")), request_of("", note("2024-01-10")))) == []


def test_the_latest_note_counts_and_of_one_day_the_later_in_the_request() -> None:
    older, newer = note("2024-01-10"), note("2024-03-01", BEFORE.replace("50 mg", "75 mg"))
    for order in ((older, newer), (newer, older)):
        assert any("2024-03-01" in text and "75 mg" in text for text in lines(*order))
        assert not any("2024-01-10" in text for text in lines(*order))
    same = note("2024-03-01", BEFORE.replace("50 mg", "25 mg"))
    assert any("before: 25 mg" in text for text in lines(newer, same))


def test_values_come_in_order_of_date_with_today_s_last() -> None:
    earlier = (note("2024-03-01", "Labs: creatinine 1.4."), note("2024-01-10"))
    (course,) = [text for text, _ in value_courses(material_of(TODAY, *earlier)) if text.startswith("Creatinine")]
    assert course == "Creatinine: 1.1 (2024-01-10), 1.4 (2024-03-01), 1.6 (today)."


def test_a_measure_that_only_one_note_has_makes_no_course() -> None:
    assert list(value_courses(material_of(TODAY))) == []
    assert list(value_courses(material_of("HPI: Cough.", note("2024-01-10")))) == []


def test_of_many_medicines_the_first_are_named_and_the_others_counted() -> None:
    names = (
        "losartan", "furosemide", "metformin", "atorvastatin", "amlodipine", "metoprolol", "warfarin", "gabapentin",
        "omeprazole", "sertraline", "levothyroxine", "prednisone", "allopurinol", "tamsulosin",
    )  # fmt: skip
    today = "HPI: Cough.\n\nMedications: " + ", ".join(f"{name} 10 mg daily" for name in names) + "."
    (line,) = [text for text in lines(note("2024-01-10", "HPI: Cough."), today=today) if "Medicines new" in text]
    assert line.endswith("; and 2 more.")
    assert line.count(";") == MOST_NAMED
