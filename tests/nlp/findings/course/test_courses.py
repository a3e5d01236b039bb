"""Of which problem of a list words of its end are: the nearest alone, unless they are plural or join two of a kind."""

import pytest

from backend.nlp.findings.course.courses import course
from backend.schemas.record import ClinicalStatus
from tests.nlp.findings.test_problems import problems


@pytest.mark.parametrize(
    ("text", "stays", "ends"),
    [
        ("HPI: 72F with asthma, chest infection resolved.", ["asthma"], ["chest infection"]),
        ("HPI: Epilepsy, hypertension, urinary tract infection - resolved.", ["epilepsy", "hypertension"], []),
        ("HPI: Parkinson's disease, COPD, and AKI (resolved).", ["Parkinson's disease"], ["acute kidney injury"]),
        ("HPI: Heart failure, cellulitis which has settled.", ["heart failure"], ["cellulitis"]),
        ("HPI: Asthma and pneumonia resolved.", ["asthma"], ["pneumonia"]),
        ("HPI: Pneumonia and AKI, now resolved.", [], ["pneumonia", "acute kidney injury"]),
        ("HPI: Pneumonia, AKI and sepsis, all resolved.", [], ["pneumonia", "acute kidney injury", "sepsis"]),
        ("HPI: Her asthma resolved.", [], ["asthma"]),
    ],
)
def test_an_ending_is_of_its_nearest_problem(text: str, stays: list[str], ends: list[str]) -> None:
    status = {one.name: one.clinical_status for one in problems(text)}
    assert all(status[name] is ClinicalStatus.ACTIVE for name in stays), status
    assert all(status[name] is ClinicalStatus.RESOLVED for name in ends), status


@pytest.mark.parametrize(
    ("name", "runs"),
    [
        ("acute liver failure", "event"),
        ("tumor lysis syndrome", "event"),
        ("acute compartment syndrome", "event"),
        ("acute heart failure", "chronic"),
        ("acute on chronic kidney failure", "chronic"),
        ("acute lymphocytic leukemia", "chronic"),
    ],
)
def test_an_organ_that_fails_for_a_time_is_an_event(name: str, runs: str) -> None:
    assert course(name) == runs


@pytest.mark.parametrize(
    ("text", "status"),
    [
        ("PMH: Stroke, chronic leg ulcers.", ClinicalStatus.RESOLVED),
        ("PMH: Stroke, chronic low back pain, gout.", ClinicalStatus.RESOLVED),
    ],
)
def test_what_leads_on_to_the_next_of_a_list_is_not_of_the_one_before(text: str, status: ClinicalStatus) -> None:
    (stroke,) = [one for one in problems(text) if "stroke" in one.name]
    assert stroke.clinical_status is status
