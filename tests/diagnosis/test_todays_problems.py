"""What a note says that today is about: problems weighed by where and how the note states them."""

from typing import Any

import pytest

from backend.diagnosis.todays_problems import LEAST, is_of_today, is_own, todays_problems
from backend.schemas.drafts.note import Section
from backend.schemas.record import (
    ClinicalStatus,
    Encounter,
    Experiencer,
    PatientRecord,
    ProblemStatement,
    RecordSpan,
    Setting,
    VerificationStatus,
)
from backend.schemas.vocabulary import Category, SectionCategory


def problem(name: str = "gout", at: int = 0, text: str = "", **fields: Any) -> ProblemStatement:
    spans = (RecordSpan(start_char=at, end_char=at + len(text or name), text=text or name),)
    given = {
        "id": name, "name": name, "concept_id": name, "category": Category.DISEASE, "spans": spans,
        "section": SectionCategory.ASSESSMENT,
    }  # fmt: skip
    return ProblemStatement(**given | fields)


@pytest.mark.parametrize(
    ("fields", "own", "today"),
    [
        ({}, True, True),
        ({"experiencer": Experiencer.RELATIVE}, False, False),
        ({"verification_status": VerificationStatus.REFUTED}, False, False),
        ({"hypothetical": True}, False, False),
        ({"clinical_status": ClinicalStatus.RESOLVED}, True, False),
        ({"section": SectionCategory.PAST_MEDICAL_HISTORY}, True, False),
        ({"section": SectionCategory.REVIEW_OF_SYSTEMS}, True, False),
        ({"category": Category.FINDING}, True, False),
    ],
)
def test_only_the_patient_s_own_problem_of_now_is_of_today(fields: dict[str, Any], own: bool, today: bool) -> None:
    assert (is_own(problem(**fields)), is_of_today(problem(**fields))) == (own, today)


def weights(
    *problems: ProblemStatement, ranked: dict[str, tuple[float, bool]] | None = None, **record: Any
) -> dict[str, float]:
    found = todays_problems(PatientRecord(problems=problems, **record), ranked or {})
    assert [one.weight for one in found] == sorted((one.weight for one in found), reverse=True)
    return {one.statement.name: one.weight for one in found}


def test_a_weight_is_the_sum_derived_by_hand() -> None:
    # assessment 3, a disease 2.5, an assessed disease 2, the first that is assessed 2
    assert weights(problem()) == {"gout": pytest.approx(9.5)}
    # chronic -1, unsure -1
    sure = VerificationStatus.PROVISIONAL
    assert weights(problem(chronic=True, verification_status=sure)) == {"gout": pytest.approx(7.5)}
    # the ranking gives half its 3, a supposed condition 0.7 of that
    assert weights(problem(), ranked={"gout": (0.5, True)})["gout"] == pytest.approx(11)
    assert weights(problem(), ranked={"gout": (0.5, False)})["gout"] == pytest.approx(9.5 + 1.05)


def test_the_stated_reason_weighs_and_a_value_alone_names_no_diagnosis() -> None:
    reason = Encounter(id="encounter", spans=(RecordSpan(start_char=0, end_char=10, text="x" * 10),))
    assert weights(problem(), encounter=reason)["gout"] == pytest.approx(11)
    assert weights(problem("hyponatremia", text="Na 124"))["hyponatremia"] == pytest.approx(7)


def test_a_note_that_states_nothing_plainly_gives_nothing() -> None:
    weak = problem("cough", category=Category.SYMPTOM, section=SectionCategory.HISTORY_OF_PRESENT_ILLNESS)
    assert weights(weak) == {}  # 1 + 1 + 1 for the first of its section, below the least
    assert LEAST == 4
    assert weights() == {}


def test_what_is_known_for_long_gives_way_to_a_stated_reason_that_it_does_not_explain() -> None:
    told = SectionCategory.HISTORY_OF_PRESENT_ILLNESS
    chronic = problem("gout", chronic=True, section=told)
    reason = problem("cough", at=40, category=Category.FINDING, section=SectionCategory.CHIEF_COMPLAINT)
    first = {"gout": (1.0, True)}
    # narrated 1, a disease 2.5, first of its section 1, chronic -1, the best of the ranking 3
    assert weights(chronic, ranked=first) == {"gout": pytest.approx(6.5)}
    assert weights(chronic, reason, ranked=first) == {}  # a finding leads no letter, and is the reason all the same
    record = PatientRecord(problems=(chronic, reason))
    assert [one.statement.name for one in todays_problems(record, first, {"gout": frozenset({"cough"})})] == ["gout"]
    acute = problem("gout", section=told)
    assert weights(acute, reason, ranked=first) == {"gout": pytest.approx(7.5)}


def test_what_a_complaint_says_of_the_person_before_the_reason_is_no_lead() -> None:
    reason = RecordSpan(start_char=50, end_char=80, text="presenting with belly pain")
    encounter = Encounter(id="e", reason=reason.text, spans=(reason,))
    complaint = {"section": SectionCategory.CHIEF_COMPLAINT}
    hepatitis = problem("hepatitis", at=20, chronic=True, **complaint)
    pain = problem("belly pain", at=60, category=Category.SYMPTOM, **complaint)
    assert list(weights(hepatitis, pain, encounter=encounter)) == ["belly pain"]
    within = problem("hepatitis", at=55, chronic=True, **complaint)
    assert set(weights(within, pain, encounter=encounter)) == {"hepatitis", "belly pain"}
    behind = problem("hepatitis", at=95, chronic=True, **complaint)  # a second line of the complaint is a reason too
    assert set(weights(behind, pain, encounter=encounter)) == {"hepatitis", "belly pain"}


def test_a_complaint_gives_way_to_the_named_illness_that_explains_it_and_that_the_ranking_is_sure_of() -> None:
    known = problem("copd", chronic=True, section=SectionCategory.HISTORY_OF_PRESENT_ILLNESS)
    complaint = problem("dyspnea", at=40, category=Category.SYMPTOM, section=SectionCategory.CHIEF_COMPLAINT)
    record = PatientRecord(problems=(known, complaint))

    def order(explained: frozenset[str], sure: frozenset[str]) -> list[str]:
        found = todays_problems(record, {"copd": (0.2, True)}, {"copd": explained}, sure=sure)
        return [one.statement.name for one in found]

    assert order(frozenset({"dyspnea"}), frozenset({"copd"})) == ["copd", "dyspnea"]
    assert order(frozenset({"dyspnea"}), frozenset()) == ["dyspnea", "copd"]
    assert order(frozenset({"cough"}), frozenset({"copd"})) == ["dyspnea"]


def section(category: SectionCategory, start: int, end: int) -> Section:
    return Section(category=category, title="", start_char=start, body_char=start, end_char=end)


def told_twice(first: SectionCategory, **fields: Any) -> ProblemStatement:
    spans = tuple(RecordSpan(start_char=at, end_char=at + 4, text="gout") for at in (10, 110))
    return problem(spans=spans, section=first, **fields)


ASSESSED = (section(SectionCategory.IMAGING, 0, 100), section(SectionCategory.ASSESSMENT, 100, 200))


@pytest.mark.parametrize(
    ("statement", "leads"),
    [
        (told_twice(SectionCategory.IMAGING), True),
        (told_twice(SectionCategory.PAST_MEDICAL_HISTORY, chronic=True), True),  # the assessment names it first
        (problem(section=SectionCategory.IMAGING, at=10), False),  # the assessment does not name it
        (told_twice(SectionCategory.IMAGING, category=Category.SYMPTOM), False),
        (told_twice(SectionCategory.IMAGING, verification_status=VerificationStatus.REFUTED), False),
    ],
)
def test_what_the_assessment_names_leads_though_another_section_names_it_first(
    statement: ProblemStatement, leads: bool
) -> None:
    found = todays_problems(PatientRecord(problems=(statement,)), {}, sections=ASSESSED)
    assert bool(found) is leads
    assert not todays_problems(PatientRecord(problems=(statement,)), {})  # nobody knows where it stands


def test_a_chronic_disease_in_the_middle_of_an_assessment_is_no_lead() -> None:
    first = problem("angina", at=105, section=SectionCategory.ASSESSMENT)
    known = told_twice(SectionCategory.PAST_MEDICAL_HISTORY, chronic=True)
    found = todays_problems(PatientRecord(problems=(first, known)), {}, sections=ASSESSED)
    assert [one.statement.name for one in found] == ["angina"]


def test_what_a_story_only_thinks_of_is_not_of_today() -> None:
    thought = {"verification_status": VerificationStatus.PROVISIONAL}
    assert not is_of_today(problem(section=SectionCategory.HISTORY_OF_PRESENT_ILLNESS, **thought))
    assert is_of_today(problem(section=SectionCategory.ASSESSMENT, **thought))


def test_a_new_illness_of_the_story_leads_before_a_known_one_that_does_not_explain_it() -> None:
    told = {"section": SectionCategory.HISTORY_OF_PRESENT_ILLNESS}
    known, new = problem("weak lungs", chronic=True, **told), problem("broken hip", at=40, **told)
    first = {"weak lungs": (1.0, True), "broken hip": (0.8, True)}
    record = PatientRecord(problems=(known, new))
    assert [one.statement.name for one in todays_problems(record, first)] == ["broken hip", "weak lungs"]
    explained = {"weak lungs": frozenset({"broken hip"})}
    assert todays_problems(record, first, explained)[0].statement.name == "weak lungs"
    far_below = {
        "weak lungs": (1.0, True),
        "broken hip": (0.3, True),
    }  # as a sore throat of long ago beside what is treated
    assert todays_problems(record, far_below)[0].statement.name == "weak lungs"


@pytest.mark.parametrize(("setting", "led"), [(Setting.EMERGENCY, ["chest pain"]), (Setting.CLINIC, [])])
def test_what_brought_an_emergency_leads_though_it_has_passed(setting: Setting, led: list[str]) -> None:
    told = RecordSpan(start_char=0, end_char=30, text="came in with chest pain")
    encounter = Encounter(id="e", setting=setting, reason=told.text, spans=(told,))
    over = problem(
        "chest pain", at=13, category=Category.SYMPTOM, clinical_status=ClinicalStatus.RESOLVED,
        section=SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
    )  # fmt: skip
    assert list(weights(over, encounter=encounter)) == led


def test_what_brought_an_emergency_and_has_passed_leads_nothing_beside_a_new_diagnosis() -> None:
    told = RecordSpan(start_char=0, end_char=30, text="came in with chest pain")
    encounter = Encounter(id="e", setting=Setting.EMERGENCY, reason=told.text, spans=(told,))
    over = problem(
        "chest pain", at=13, category=Category.SYMPTOM, clinical_status=ClinicalStatus.RESOLVED,
        section=SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
    )  # fmt: skip
    assert list(weights(over, problem("gout", at=60), encounter=encounter)) == ["gout"]
    known = problem("gout", at=60, chronic=True)
    assert "chest pain" in weights(over, known, encounter=encounter)  # a disease known for long diagnoses nothing


STORY = SectionCategory.HISTORY_OF_PRESENT_ILLNESS


def test_an_operation_of_this_stay_speaks_for_what_it_treats() -> None:
    stones = problem("gallstones", section=STORY)
    record = PatientRecord(problems=(stones,))
    (plain,), (treated,) = (todays_problems(record, {}, operated=operated) for operated in ((), ("gallstones",)))
    assert (plain.weight, treated.weight) == (pytest.approx(4.5), pytest.approx(7.5))


def test_what_raises_the_risk_of_much_else_gives_way_to_an_illness_that_was_operated_on() -> None:
    obesity = problem("obesity", chronic=True)
    colic = problem("colic", at=60, section=STORY)

    def led(*problems: ProblemStatement) -> str:
        record = PatientRecord(problems=problems)
        return todays_problems(record, {}, operated=("colic",), traits=("obesity",))[0].statement.name

    assert led(obesity, colic) == "colic"
    assert led(obesity) == "obesity"
    assert led(obesity.model_copy(update={"stage": "worsening"}), colic) == "obesity"


def test_what_the_note_later_tells_as_healed_leads_nothing() -> None:
    boil = problem("boil", section=STORY)
    healed = problem(
        "boil", at=90, id="healed", section=SectionCategory.PHYSICAL_EXAM, clinical_status=ClinicalStatus.RESOLVED,
        rule_ids=("findings/course/over.resolved",),
    )  # fmt: skip
    assert weights(boil) and not weights(boil, healed)
    once = healed.model_copy(update={"section": SectionCategory.PAST_MEDICAL_HISTORY})
    assert weights(boil, once)  # an earlier boil is another


def test_what_an_assessment_names_first_leads_though_it_has_settled() -> None:
    bleed = problem(
        "bleeding", at=110, category=Category.SYMPTOM, section=SectionCategory.PAST_MEDICAL_HISTORY,
        clinical_status=ClinicalStatus.RESOLVED, rule_ids=("findings/course/over.resolved",),
    )  # fmt: skip
    found = todays_problems(PatientRecord(problems=(bleed,)), {}, sections=ASSESSED)
    assert [one.statement.name for one in found] == ["bleeding"]
    past = bleed.model_copy(update={"rule_ids": ()})
    assert not todays_problems(PatientRecord(problems=(past,)), {}, sections=ASSESSED)


def test_a_diagnosis_far_behind_what_the_assessment_names_first_and_nobody_read_leads_nothing() -> None:
    sections = (section(SectionCategory.ASSESSMENT, 0, 900),)
    unread = problem("raised enzymes", at=5, category=Category.FINDING)
    near, far = problem("stones", at=60), problem("stones", at=400)

    def led(*problems: ProblemStatement) -> list[str]:
        found = todays_problems(PatientRecord(problems=problems), {}, sections=sections)
        return [one.statement.name for one in found]

    assert led(unread, near) == ["stones"]
    assert led(unread, far) == []
    assert led(far) == ["stones"]


def test_a_title_names_what_today_is_about() -> None:
    sections = (section(SectionCategory.UNLABELED, 0, 300), section(SectionCategory.ASSESSMENT, 300, 900))
    title = problem("fracture", at=10, section=SectionCategory.UNLABELED)
    trait = problem("neuropathy", at=320, chronic=True)
    found = todays_problems(PatientRecord(problems=(title, trait)), {}, sections=sections)
    assert [one.statement.name for one in found] == ["fracture", "neuropathy"]
