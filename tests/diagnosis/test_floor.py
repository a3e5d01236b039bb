"""What a draft may be about: what the note names as today's, what a clinician confirmed, or a sure ranking; else nothing."""

import pytest

from backend.container import Container
from backend.diagnosis.floor import SURE_FINDINGS, SURE_MARGIN, with_floor
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import ConditionStatus


def _ranked(container: Container, text: str, **asked: tuple[str, ...]) -> tuple[Condition, ...]:
    return container.ranker.rank(container.linker.read(text), DraftRequest(text=text, **asked))


def _written(conditions: tuple[Condition, ...]) -> list[str]:
    return [c.name for c in conditions if c.written]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("CHIEF COMPLAINT: Pneumonia.\n\nHPI: 3 days of cough and fever.", ["pneumonia"]),
        ("HPI: 3 days of cough and fever.\n\nASSESSMENT: Community acquired pneumonia.", ["pneumonia"]),
        ("CHIEF COMPLAINT: Headache.\n\nHPI: 2 days of throbbing headache. No fever.", ["headache"]),
    ],
)
def test_what_the_note_names_as_todays_is_written_about(container: Container, text: str, names: list[str]) -> None:
    assert _written(_ranked(container, text)) == names


def test_a_diagnosis_without_a_chapter_is_named_and_no_other_written_in_its_place(container: Container) -> None:
    conditions = _ranked(
        container, "CHIEF COMPLAINT: Mesothelioma.\n\nHPI: Short of breath for 2 weeks, with leg swelling."
    )
    assert _written(conditions) == ["mesothelioma"]
    assert conditions[0].status is ConditionStatus.IN_NOTE


@pytest.mark.parametrize(
    "text",
    [
        "CHIEF COMPLAINT: Check-up.\n\nHPI: He feels well.\n\nREVIEW OF SYSTEMS: Positive for constipation.",
        "HPI: He comes for his flu shot.\n\nFAMILY HISTORY: Mother has pneumonia and heart failure.",
        "HPI: He feels well. No chest pain, no pneumonia.",
        "PAST MEDICAL HISTORY: Asthma, heart failure.",
    ],
)
def test_a_note_that_names_nothing_of_today_leads_with_nothing(container: Container, text: str) -> None:
    assert _written(_ranked(container, text)) == []


@pytest.mark.parametrize(
    ("complaint", "chapter"),
    [
        ("burning when I pee", "dysuria"),
        ("palpitations", "palpitations"),
        ("epigastric pain", "abdominal pain"),
        ("coffee ground vomit", "hematemesis"),
        ("double vision", "blurred vision"),
        ("left arm weakness", "focal weakness"),
        ("malaise", "fatigue"),
    ],
)
def test_a_complaint_is_told_by_its_own_chapter_or_by_that_of_a_broader_one(
    container: Container, complaint: str, chapter: str
) -> None:
    conditions = _ranked(container, f"CHIEF COMPLAINT: {complaint}.\n\nHPI: He came with {complaint} since yesterday.")
    assert _written(conditions) == [chapter]
    assert conditions[0].status is ConditionStatus.IN_NOTE


@pytest.mark.parametrize("complaint", ["swollen lips", "arm swelling", "facial swelling"])
def test_a_complaint_takes_no_chapter_of_another_place(container: Container, complaint: str) -> None:
    conditions = _ranked(container, f"CHIEF COMPLAINT: {complaint}.\n\nHPI: He came with {complaint} since yesterday.")
    assert "leg swelling" not in _written(conditions)


def test_two_complaints_of_one_chapter_are_written_about_once(container: Container) -> None:
    text = "CHIEF COMPLAINT: Malaise.\n\nHPI: Malaise and fatigue for 2 days.\n\nASSESSMENT: Fatigue."
    assert _written(_ranked(container, text)) == ["fatigue"]


def test_a_confirmed_condition_is_the_one_written_about(container: Container) -> None:
    text = "CHIEF COMPLAINT: Headache.\n\nHPI: Cough and fever for 3 days."
    conditions = _ranked(container, text, confirmed_conditions=("LN:pneumonia",))
    assert _written(conditions) == ["pneumonia"]
    assert conditions[0].status is ConditionStatus.CONFIRMED


def test_what_is_ruled_out_is_not_written_about(container: Container) -> None:
    text = "CHIEF COMPLAINT: Pneumonia."
    assert _written(_ranked(container, text, ruled_out_conditions=("LN:pneumonia",))) == []


def test_what_the_note_names_is_never_called_possible(container: Container) -> None:
    text = "CHIEF COMPLAINT: Pneumonia.\n\nPAST MEDICAL HISTORY: Heart failure, gout."
    named = {c.name: c.status for c in _ranked(container, text)}
    assert named["heart failure"] is ConditionStatus.IN_NOTE


@pytest.mark.parametrize(
    ("margin", "findings", "written"),
    [
        (SURE_MARGIN, SURE_FINDINGS, True),
        (SURE_MARGIN - 0.1, SURE_FINDINGS, False),
        (SURE_MARGIN, SURE_FINDINGS - 1, False),
        (None, SURE_FINDINGS, False),
    ],
)
def test_a_guess_is_written_about_only_where_the_ranking_is_sure(
    container: Container, margin: float | None, findings: int, written: bool
) -> None:
    guess = Condition(
        concept_id="LN:pneumonia",
        name="pneumonia",
        score=1.0,
        status=ConditionStatus.POSSIBLE,
        focus=True,
        margin=margin,
        findings=findings,
    )
    assert [c.written for c in with_floor(PatientRecord(), (guess,), container.graph)] == [written]


def test_where_no_record_was_made_nothing_is_changed(container: Container) -> None:
    guess = Condition(
        concept_id="LN:pneumonia", name="pneumonia", score=1.0, status=ConditionStatus.POSSIBLE, focus=True
    )
    assert with_floor(None, (guess,), container.graph) == (guess,)


def test_beside_an_illness_that_explains_the_complaint_no_consequence_of_it_leads(container: Container) -> None:
    text = (
        "CHIEF COMPLAINT: Dyspnea.\n\nHPI: An 80-year-old woman with a history of heart failure has had orthopnea, leg swelling "
        "and shortness of breath for 10 days. Exam with jugular venous distension and bibasilar crackles. BNP 2,840. "
        "Chest x-ray with small pleural effusions."
    )
    assert _written(_ranked(container, text)) == ["heart failure"]


@pytest.mark.parametrize(
    ("text", "names"),
    [
        (
            "POST OP DISCHARGE NOTE\nPOD 2 R TKA for end stage OA, uncomplicated. 66 y/o F.\n\nPMH: HTN.\n\nHOSPITAL COURSE: "
            "Urinary retention POD0, straight cath x1.",
            ["knee replacement"],
        ),
        ("DISCHARGE SUMMARY Orthopaedics\n70M, L THA 4/2 for severe osteoarthritis. POD 3.\n\nPMH: HTN.", ["hip replacement"]),
        ("PMH: R TKA 2015.\n\nASSESSMENT: Osteoarthritis of the left knee, worse.", ["osteoarthritis"]),
        ("DAY SURGERY\nProcedure: Laparoscopic repair of L inguinal hernia\n\nThis 58 year old man had his hernia repaired today.", ["abdominal wall hernia"]),
    ],
)  # fmt: skip
def test_an_operation_of_the_stay_leads_for_what_it_treated(container: Container, text: str, names: list[str]) -> None:
    assert _written(_ranked(container, text)) == names


@pytest.mark.parametrize(
    ("text", "first"),
    [
        ("DIAGNOSIS: Bipolar disorder, current episode manic with psychosis. Medical: migraine with aura.", "bipolar disorder"),
        ("DIAGNOSIS: Major depression, recurrent, with psychosis.", "depression"),
    ],
)  # fmt: skip
def test_a_sign_or_complication_leads_before_no_diagnosis_that_is_named_first(
    container: Container, text: str, first: str
) -> None:
    assert _written(_ranked(container, text))[0] == first


def test_no_guess_is_written_about_beside_what_is_certain(container: Container) -> None:
    text = "CC: flank pain\n\nMDM: ddx stone vs pyelonephritis vs diverticulitis. CT confirms a ureteral stone.\n\nDx: L ureteral stone."
    assert _written(_ranked(container, text)) == ["kidney stone"]


@pytest.mark.parametrize(
    ("text", "leads"),
    [
        (
            "HOSPITAL COURSE:\n# Acute on chronic systolic heart failure - 71M with weight gain and orthopnea. Diuresed.\n"
            "# AKI on CKD - Cr 2.4 on admit, 1.8 at discharge.\n# Gout flare - prednisone.",
            "heart failure",
        ),
        (
            "Mr Hale, 63, was admitted electively for bowel resection for a colon cancer, with a loop colostomy. The operation was "
            "uneventful. On the second postoperative day he developed an ileus, which settled.",
            None,
        ),
    ],
)
def test_what_came_of_it_leads_before_no_reason_of_the_stay(container: Container, text: str, leads: str | None) -> None:
    written = _written(_ranked(container, text))
    assert written[:1] == [leads] if leads else "postoperative ileus" not in written


def test_a_bleed_is_told_with_the_ulcer_that_it_came_from(container: Container) -> None:
    note = "DIAGNOSES\nUpper GI bleed - duodenal ulcer\nAKI (resolved)\nPC: Melaena for 3 days, collapse at home."
    assert _written(_ranked(container, note)) == ["gastrointestinal bleeding", "peptic ulcer disease"]


@pytest.mark.parametrize(
    "text",
    [
        "CHIEF COMPLAINT: Loose stools.\n\nASSESSMENT: Ileitis, r/o Crohn's disease vs NSAID.",
        "ASSESSMENT: Rule out pneumonia.",
        "ASSESSMENT: ?pulmonary embolism.",
    ],
)
def test_what_is_only_to_be_ruled_out_leads_nothing(container: Container, text: str) -> None:
    assert not {"Crohn's disease", "pneumonia", "pulmonary embolism"} & {*_written(_ranked(container, text))}


def test_beside_what_was_operated_on_no_complication_leads(container: Container) -> None:
    text = (
        "ORTHOPEDIC DISCHARGE SUMMARY\n\nDIAGNOSES: Hip fracture. Urinary retention. Urinary retention again on day 4.\n\n"
        "PROCEDURE: Hemiarthroplasty on the left.\n"
    )
    assert _written(_ranked(container, text))[:1] == ["hip fracture"]
    assert "urinary retention" not in _written(_ranked(container, text))


def test_a_habit_called_abuse_leads_beside_no_illness(container: Container) -> None:
    text = "DISCHARGE DIAGNOSES:\n1. Acute inferior myocardial infarction.\n2. Tobacco abuse.\n"
    assert _written(_ranked(container, text)) == ["acute myocardial infarction"]
