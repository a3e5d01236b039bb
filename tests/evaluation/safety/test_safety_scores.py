"""Counts of single rows, derived by hand."""

from typing import Any

from backend.evaluation.safety.benchmark_rows import Level, Prescription, SignProbe, Vignette
from backend.evaluation.safety.flag_match import FlagMatch
from backend.evaluation.safety.safety_scores import note_of, score_prescription, score_sign, score_vignette
from backend.schemas.drafts.draft import Flag
from backend.schemas.vocabulary import Severity

MATCH = FlagMatch((("kidney", "eGFR"),), lambda name: ())
ROW = {
    "id": "v1",
    "half": "even",
    "kind": "interaction",
    "note": "HPI: a man.",
    "discharge_medicines": ["warfarin 3 mg"],
    "dangers": [
        {"what": "interaction", "medicine": ["naproxen"], "with": ["warfarin"], "grade": "severe", "because": "bleeds"},
        {"what": "kidney_dose", "medicine": ["apixaban"], "with": ["kidney"], "grade": "warning", "because": "twice"},
    ],
    "neutral": [{"medicine": "warfarin", "with": "age", "up_to": "warning"}],
}


def flag(severity: Severity, message: str, kind: str = "contraindication") -> Flag:
    return Flag(kind=kind, severity=severity, message=message)


def vignette(**changes: Any) -> Vignette:
    return Vignette.model_validate({**ROW, **changes})


def test_dangers_are_found_by_severe_flags_and_warnings_and_never_by_information() -> None:
    counts = score_vignette(
        vignette(),
        [flag(Severity.WARNING, "naproxen with warfarin"), flag(Severity.INFO, "apixaban at eGFR 20")],
        MATCH,
    )
    assert (counts.hits["severe_found"], counts.hits["severe_as_severe"], counts.hits["warning_found"]) == (1, 0, 0)
    assert (counts.hits["found"], counts.totals["found"], counts.hits["found:interaction"]) == (1, 2, 1)
    assert [(error.kind, error.wanted) for error in counts.errors] == [
        ("warning_found", "kidney_dose: apixaban, kidney")
    ]
    assert counts.hits["false_warnings"] == counts.hits["false_severe"] == 0


def test_a_flag_that_nothing_allows_is_false_and_neutral_allows_up_to_its_grade() -> None:
    flags = [
        flag(Severity.SEVERE, "warfarin at this age"),  # neutral allows a warning alone
        flag(Severity.WARNING, "warfarin at this age"),
        flag(Severity.WARNING, "ramipril with cough"),
        flag(Severity.SEVERE, "the text is no note", "reading"),
        flag(Severity.WARNING, "not in the cited text", "unsupported_sentence"),
    ]
    counts = score_vignette(vignette(), flags, MATCH)
    assert (counts.hits["false_severe"], counts.hits["false_warnings"], counts.hits["other_severe"]) == (1, 1, 1)
    assert counts.hits["open_warnings"] == 3 and counts.totals["open_warnings"] == 1


def test_a_foil_counts_where_a_false_flag_names_it() -> None:
    foils = [
        {"medicine": "furosemide", "with": "sulfa", "because": "no cross-reaction"},
        {"medicine": "ramipril", "with": "potassium", "because": "it is normal"},
    ]
    row = vignette(dangers=[], foils=foils, neutral=[])
    counts = score_vignette(row, [flag(Severity.WARNING, "furosemide with sulfa", "allergy_conflict")], MATCH)
    assert (counts.hits["foils_flagged"], counts.totals["foils_flagged"]) == (1, 2)
    clean = score_vignette(row, [flag(Severity.INFO, "furosemide with sulfa", "allergy_conflict")], MATCH)
    assert clean.hits["foils_flagged"] == clean.hits["false_warnings"] == 0


def test_more_than_five_open_warnings_are_too_many() -> None:
    row = vignette(dangers=[], neutral=[])
    assert score_vignette(row, [flag(Severity.WARNING, "a")] * 5, MATCH).hits["over_five"] == 0
    assert score_vignette(row, [flag(Severity.WARNING, "a")] * 6, MATCH).hits["over_five"] == 1


def prescription(error: str | None, **patient: Any) -> Prescription:
    given = {"age_years": 78, "sex": "female", "problem": "depression", **patient}
    return Prescription.model_validate(
        {
            "id": "p1", "half": "even", "patient": given, "prescription": "citalopram 40 mg OD", "medicine": "citalopram",
            "about": "age", "error": error, "because": "20 mg is the most",
        }
    )  # fmt: skip


def test_a_prescription_is_flagged_by_its_dose_or_the_patient_and_by_nothing_else() -> None:
    dose = flag(Severity.WARNING, "citalopram 40 mg is over the most at this age", "dose")
    pair = flag(Severity.SEVERE, "citalopram with amiodarone", "interaction")
    other = flag(Severity.SEVERE, "lithium 5 g is over the most", "dose")
    assert score_prescription(prescription("age"), [dose], MATCH).hits["sensitivity"] == 1
    assert score_prescription(prescription("age"), [pair, other], MATCH).hits["sensitivity"] == 0
    right = score_prescription(prescription(None), [dose], MATCH)
    assert (right.hits["specificity"], right.totals["specificity"], right.totals["sensitivity"]) == (0, 1, 0)
    assert score_prescription(prescription(None), [pair], MATCH).hits["specificity"] == 1


def test_the_patient_line_becomes_a_note_that_says_only_what_is_known() -> None:
    assert note_of(prescription(None)) == "Allergies: none known.\nHPI: A 78-year-old woman with depression."
    known = prescription(None, age_years=7, sex="male", weight_kg=23.5, egfr=60, medicines=["aspirin 75 mg"])
    assert note_of(known).splitlines()[1:] == [
        "HPI: A 7-year-old boy with depression.",
        "Weight 23.5 kg. eGFR 60 mL/min/1.73 m2.",
        "Medications: aspirin 75 mg.",
    ]


def test_a_sign_is_told_rightly_at_another_level_or_not_at_all() -> None:
    probe = SignProbe(
        id="r1", half="even", note="HPI: gout.", sign="fever", least=Level.CALL_TODAY, most=Level.EMERGENCY_DEPARTMENT,
        words=(("fever",),),
    )  # fmt: skip
    cases = {
        "acceptable": ["Call your doctor today if you have a fever."],
        "wrong_level": ["Call your doctor if you have a fever."],
        "not_told": ["Call your doctor if you faint."],
    }
    for measure, warnings in cases.items():
        counts = score_sign(probe, warnings, warnings)
        assert {name for name, hit in counts.hits.items() if hit} == {measure}
        assert set(counts.totals) == set(cases)
