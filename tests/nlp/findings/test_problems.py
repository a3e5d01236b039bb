"""Problem statements of sentences written for them: what is a problem, how it runs, whose it is, and what is none."""

import pytest

from backend.schemas.record import ClinicalStatus, PatientRecord, ProblemStatement, VerificationStatus
from tests.nlp.fresh import linker


def problems(text: str) -> tuple[ProblemStatement, ...]:
    record = linker().read(text).record
    assert record is not None
    return record.problems


def problems_of(text: str) -> dict[str, ProblemStatement]:
    return {one.spans[0].text.lower(): one for one in problems(text)}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("HPI: He complains of a boggy protrusion of the left elbow.", "boggy protrusion of the left elbow"),
        ("PAST MEDICAL HISTORY: Gout, Peyronie disease, and tinea.", "peyronie disease"),
        ("PMH:\n1. Gout\n2. Sjogren syndrome\n3. Asthma", "sjogren syndrome"),
        ("HPI: Denies cardiac, renal or liver disease.", "cardiac"),
        ("HPI: Her speech is garbled.", "speech is garbled"),
        ("HPI: She has not been able to walk for a week.", "not been able to walk"),
        ("HPI: He has a history of Castleman disease.", "castleman disease"),
        ("SOCIAL HISTORY: Nonsmoker.", "nonsmoker"),
        ("HPI: Poor appetite and mood swings.", "mood swings"),
        ("HPI: Diagnosed with leiomyosarcoma.", "leiomyosarcoma"),
    ],
)
def test_a_problem_is_stated_whole(text: str, said: str) -> None:
    assert said in problems_of(text)


@pytest.mark.parametrize(
    "text",
    [
        "HPI: She was seen in the pain clinic in 2010.",
        "HPI: He comes for wound care.",
        "SOCIAL HISTORY: Retired teacher, lives with her son.",
        "HPI: No other complaints. He has no acute symptoms.",
        "PHYSICAL EXAMINATION: Vision is normal. Speech clear. No masses.",
        "HPI: See history of present illness.",
        "ALLERGIES: No known drug allergies.",
        "VITAL SIGNS: BP 164/92, HR 124, RR 30.",
        "PMH: Appendectomy 2003, colonoscopy.",
        "HPI: It rained in the fall of 2009.",
    ],
)
def test_what_is_no_problem_is_not_stated(text: str) -> None:
    assert problems(text) == ()


@pytest.mark.parametrize(
    ("text", "said", "status", "chronic"),
    [
        ("PMH: pneumonia, asthma.", "pneumonia", "resolved", False),
        ("PMH: pneumonia, asthma.", "asthma", "active", True),
        ("HPI: History of hip fracture.", "hip fracture", "resolved", False),
        ("HPI: History of urinary incontinence.", "urinary incontinence", "active", True),
        ("HPI: She had asthma as a child.", "asthma", "resolved", False),
        ("PMH: gout; asthma childhood only.", "asthma", "resolved", False),
        ("PMH: gout; asthma childhood only.", "gout", "active", True),
        ("PMH: Childhood asthma, no inhalers for years.", "asthma", "resolved", False),
        ("PMH: Childhood asthma, no inhalers since school.", "asthma", "resolved", False),
        ("PMH: Childhood asthma, salbutamol as needed.", "asthma", "active", True),
        ("HPI: Old inferior infarction. Lymphoma in remission.", "lymphoma", "resolved", False),
        ("SOCIAL HISTORY: He quit smoking in 1990.", "quit smoking", "resolved", False),
        ("HPI: HIV diagnosed 11 years ago.", "hiv", "active", True),
        ("HPI: He still has pain in the calf.", "pain in the calf", "active", False),
        ("CC: Pneumonia.", "pneumonia", "active", False),
    ],
)
def test_how_a_problem_runs(text: str, said: str, status: str, chronic: bool) -> None:
    one = problems_of(text)[said]
    assert (one.clinical_status, one.chronic) == (status, chronic)


@pytest.mark.parametrize(
    ("text", "said", "verification", "experiencer"),
    [
        ("HPI: Denies nasal drainage or mood swings.", "nasal drainage", "refuted", "patient"),
        ("HPI: Denies nasal drainage or mood swings.", "mood swings", "refuted", "patient"),
        ("SOCIAL HISTORY: Nonsmoker.", "nonsmoker", "refuted", "patient"),
        ("HPI: He cannot walk.", "cannot walk", "confirmed", "patient"),
        ("FAMILY HISTORY: Mother with heart disease.", "heart disease", "confirmed", "relative"),
    ],
)
def test_whether_and_whose_a_problem_is(text: str, said: str, verification: str, experiencer: str) -> None:
    one = problems_of(text)[said]
    assert (one.verification_status, one.experiencer) == (verification, experiencer)


def test_since_when_on_which_side_and_how_bad() -> None:
    one = problems_of("HPI: Severe left nasal obstruction for three days.")["nasal obstruction"]
    assert (one.onset, one.body_side, one.severity) == ("for three days", "left", "severe")
    assert problems_of("HPI: A 3-day history of cough.")["cough"].onset == "3-day history of"


def test_a_problem_told_twice_is_one_statement_with_both_places() -> None:
    (one,) = problems("HPI: Cough since Monday. The cough wakes her.")
    assert [span.text for span in one.spans] == ["Cough", "cough"]


def test_spans_are_places_of_the_note_and_unknown_names_have_no_concept() -> None:
    text = "PMH: Peyronie disease; asthma."
    for one in problems(text):
        span = one.spans[0]
        assert text[span.start_char : span.end_char] == span.text
        assert (one.concept_id is None) == ("Peyronie" in span.text)


@pytest.mark.parametrize(
    "text",
    [
        "HPI: 60 year old man with fever.",
        "HPI: A 60-year-old woman with fever.",
        "HPI: 6 month old girl with fever.",
    ],
)
def test_a_patient_s_age_makes_no_problem_old(text: str) -> None:
    assert problems_of(text)["fever"].clinical_status is ClinicalStatus.ACTIVE


@pytest.mark.parametrize(
    ("text", "stage"),
    [
        ("She has uncontrolled hypertension.", "uncontrolled"),
        ("Hypertension, uncontrolled.", "uncontrolled"),
        ("She has poorly controlled hypertension.", "poorly"),
        ("She has hypertension and severe pain.", ""),
        ("She has hypertension.", ""),
    ],
)
def test_the_words_beside_a_problem_tell_its_stage(text: str, stage: str) -> None:
    (found,) = [one for one in (linker().read(text).record or PatientRecord()).problems if one.name == "hypertension"]
    assert found.stage == stage


def told_by_values(text: str) -> dict[str, bool]:
    """The problems that values tell, each with whether the value alone does."""
    return {one.name: one.is_value_alone for one in problems(text) if one.spans[0].text[:1].isdigit()}


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("HPI: Cough.\nVitals: BP 84/50, T 38.9, sats 90% on air.", {"hypotension": True, "fever": True, "hypoxemia": True}),
        ("HPI: Tired for weeks.\nLabs: Hb 104, K 3.2, Na 131.", {"low hemoglobin": True, "hypokalemia": True, "hyponatremia": True}),
        ("HPI: Tired for weeks.\nLabs: Hb 65, K 6.8.", {"low hemoglobin": False, "hyperkalemia": False}),
        ("HPI: A 6-year-old boy with fever.\nLabs: Hb 108, K 5.8, WBC 13.", {"hyperkalemia": True}),  # what age does not change
        
        ("HPI: Well.\nLabs: Hb 121, K 4.1, creatinine 1.1, BUN 60, CRP 80.", {}),
        ("HPI: Hyponatremia, feeling weak.\nLabs: Na 131.", {}),  # the words state it, the value is said again
    ],
)  # fmt: skip
def test_what_a_value_tells_is_a_problem_marked_as_such(text: str, said: dict[str, bool]) -> None:
    assert told_by_values(text) == said


def test_what_a_value_alone_tells_is_no_stated_problem() -> None:
    record = linker().read("HPI: Weak.\nLabs: K 5.8.").record
    assert record is not None
    assert [one.name for one in record.problems if one not in record.stated_problems] == ["hyperkalemia"]


@pytest.mark.parametrize(
    ("text", "whose"),
    [
        ("HPI: A 40-year-old man. His wife lives with him. She has diabetes.", "other"),
        ("HPI: A 30-year-old woman. Her brother came with her; he has asthma.", "relative"),
        ("HPI: A 60-year-old man. His daughter called. She has noticed confusion.", "patient"),
        ("HPI: A 60-year-old woman, here with her son. She has asthma.", "patient"),
        ("HPI: A 60-year-old man was seen. She has asthma.", "patient"),  # a slip of dictation: nobody else is named
    ],
)
def test_a_pronoun_of_the_other_sex_is_another_person(text: str, whose: str) -> None:
    assert [one.experiencer.value for one in problems(text)] == [whose]


@pytest.mark.parametrize(
    ("text", "denied"),
    [
        ("HPI: Furosemide not given - anuric.", [False]),
        ("HPI: Denies - fever - chills - nausea.", [True, True, True]),
        ("HPI: No fever - chills.", [True, True]),
        ("HPI: He denies chest pain, dyspnea - or palpitations.", [True, True, True]),
        ("HPI: Negative for: fever - cough - rash.", [True, True, True]),
    ],
)
def test_a_dash_ends_what_is_not_done_and_no_list_of_what_is_denied(text: str, denied: list[bool]) -> None:
    assert [one.verification_status.value == "refuted" for one in problems(text)] == denied


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("DIAGNOSES\n1. Rhabdomyolysis CK 6,820 with kidney injury (creatinine 241) - recovered to 124\n2. Gout", "resolved"),
        ("DIAGNOSES\n1. Gout\n2. Rhabdomyolysis day 12 - treated\n3. Delirium", "resolved"),
        ("DIAGNOSES\n1. Rhabdomyolysis - treated with fluids\n2. Gout", "active"),
        ("DIAGNOSES\n1. Rhabdomyolysis\n2. Cystitis - treated", "active"),
        ("HPI: Rhabdomyolysis, and the kidneys have not recovered.", "active"),
    ],
)  # fmt: skip
def test_a_numbered_diagnosis_that_ends_as_over_is_over(text: str, status: str) -> None:
    found = {one.name: one for one in problems(text)}
    assert found["rhabdomyolysis"].clinical_status == status


@pytest.mark.parametrize(
    "text", ["PMH: asthma as child, grown out of.", "PMH: asthma (childhood, no inhaler x 15 yrs).", "PMH: asthma childhood only."]
)  # fmt: skip
def test_an_illness_of_childhood_is_over(text: str) -> None:
    (asthma,) = problems(text)
    assert (asthma.name, asthma.clinical_status, asthma.chronic) == ("asthma", "resolved", False)


@pytest.mark.parametrize("text", ["Taper over 2 wks.", "Pain 10/10, rad to L groin.", "whooping cough jab from 16/40"])
def test_words_of_time_and_place_are_no_disease(text: str) -> None:
    assert not [one for one in problems(text) if one.category == "disease" and not one.hypothetical]


@pytest.mark.parametrize("words", ["Hips non tender.", "Knee non-tender, no effusion.", "Calves nontender."])
def test_a_sign_that_non_denies_is_no_problem(words: str) -> None:
    read = linker().read(f"PHYSICAL EXAM: {words}").record
    assert read is not None
    assert not [one.name for one in read.stated_problems if one.verification_status.value == "confirmed"]


@pytest.mark.parametrize(
    ("text", "there", "denied"),
    [
        ("HPI: He has no appetite, weight loss, night sweats.", ["poor appetite", "weight loss", "night sweats"], []),
        ("HPI: She is not sleeping, back pain and headaches.", ["back pain", "headache"], []),
        ("HPI: No appetite, nausea or vomiting.", [], ["nausea", "vomiting"]),
        ("HPI: No fever, chills, cough.", [], ["fever", "chills", "cough"]),
    ],
)
def test_a_denial_that_is_part_of_a_name_denies_nothing_more(text: str, there: list[str], denied: list[str]) -> None:
    status = {one.name: one.verification_status for one in problems(text)}
    assert all(status[name] is VerificationStatus.CONFIRMED for name in there), status
    assert all(status[name] is VerificationStatus.REFUTED for name in denied), status


@pytest.mark.parametrize(
    ("text", "there"),
    [
        ("HPI: He cannot climb a stair without chest pain.", True),
        ("HPI: She can walk no more than ten yards without chest pain.", True),
        ("HPI: He is unable to lie flat and is without chest pain.", False),
        ("HPI: She walks a mile without chest pain.", False),
    ],
)
def test_what_comes_each_time_is_there(text: str, there: bool) -> None:
    (pain,) = [one for one in problems(text) if one.name == "chest pain"]
    assert (pain.verification_status is VerificationStatus.CONFIRMED) is there


def test_an_everyday_name_is_that_of_its_concept() -> None:
    named = problems_of("HPI: He is bipolar. He has hives.")
    assert named["bipolar"].concept_id == "LN:bipolar-disorder"
    said_twice = problems("HPI: He is bipolar. His bipolar disorder is worse.")
    assert [one.name for one in said_twice if "bipolar" in one.name] == ["bipolar disorder"]


@pytest.mark.parametrize(
    ("text", "severity"),
    [
        ("HPI: Child-Pugh C cirrhosis.", "severe"),
        ("HPI: Cirrhosis (Child's class C).", "severe"),
        ("HPI: Cirrhosis, Child-Pugh A.", ""),
        ("HPI: NYHA IV heart failure.", "severe"),
        ("HPI: Heart failure, NYHA II.", ""),
        ("HPI: Mild gout. NYHA IV heart failure.", "severe"),
    ],
)
def test_the_worst_grade_of_a_scale_says_severe(text: str, severity: str) -> None:
    assert problems(text)[-1].severity == severity
