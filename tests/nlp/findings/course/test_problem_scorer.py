"""The scorer of a problem's status: what it may decide, its evidence, and what it makes of sentences written for this test."""

import json
from functools import partial

import pytest

from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.findings.course.problem_evidence import problem_evidence
from backend.nlp.findings.course.problem_scorer import MODEL, problem_scorer
from backend.nlp.findings.course.told_status import CHRONIC, SCORED, TOLD, Told, may_decide, told_of, with_status
from backend.nlp.findings.problems import judged_problems
from backend.nlp.scoring.evidence import BONDS, Evidence
from backend.schemas.record import (
    ClinicalStatus,
    Experiencer,
    ProblemStatement,
    VerificationStatus,
)
from tests.nlp.fresh import linker


def evidence(text: str) -> Evidence:
    note = parse_note(text)
    mentions = linker().link(text).note.mentions
    return problem_evidence(note, judged_problems(note, mentions, partial(read_attributes, note), lambda _: None))


def statement(**more: object) -> ProblemStatement:
    return ProblemStatement.model_validate({"id": "problem-1", "concept_id": None, "name": "gout", **more})


@pytest.mark.parametrize("told", [one for one in TOLD if one is not Told.PRESENT])
def test_what_the_rows_say_more_than_that_it_is_there_stands(told: Told) -> None:
    assert not any(may_decide(told, scored, "event") for scored in TOLD)


def test_what_is_there_may_be_over_doubted_or_only_a_plan_and_never_denied_or_given_to_somebody_else() -> None:
    assert {one for one in TOLD if may_decide(Told.PRESENT, one, "event")} == {Told.PAST, Told.UNCERTAIN, Told.PLANNED}


def test_a_chronic_disease_is_never_made_past() -> None:
    assert not may_decide(Told.PRESENT, Told.PAST, CHRONIC)
    assert may_decide(Told.PRESENT, Told.UNCERTAIN, CHRONIC)
    assert read("HPI: She was in intensive care for asthma at the age of nine.")["asthma"] is Told.PRESENT


@pytest.mark.parametrize("told", TOLD)
def test_a_statement_with_another_status_says_so_and_names_the_scorer(told: Told) -> None:
    made = with_status(statement(chronic=True, rule_ids=("findings/words",)), told)
    assert told_of(made) is told
    assert made.rule_ids == ("findings/words", SCORED)
    assert made.chronic is (told not in (Told.DENIED, Told.PAST))


def test_a_status_in_one_word_is_of_denial_before_whose_it_is() -> None:
    denied = statement(verification_status=VerificationStatus.REFUTED, experiencer=Experiencer.RELATIVE)
    assert told_of(denied) is Told.DENIED
    assert told_of(statement(experiencer=Experiencer.OTHER)) is Told.OTHER
    assert told_of(statement(clinical_status=ClinicalStatus.RESOLVED)) is Told.PAST
    assert told_of(statement(verification_status=VerificationStatus.DIFFERENTIAL)) is Told.UNCERTAIN


def test_evidence_is_of_the_years_and_ages_beside_a_problem_to_the_next_one() -> None:
    first, second, third = evidence("PMH: cellulitis 2011, pneumonia at 40. Seen in 2024 with vertigo.").features
    assert {"time:right:year", "time:year:earlier", "runs:event"} <= set(first)
    assert "time:right:age" in second
    assert not any(one.startswith("time:right") for one in third)
    assert "time:year:latest" in third
    assert len(first) == len(set(first))


def test_evidence_is_of_the_same_problem_elsewhere() -> None:
    first, second = evidence("HPI: Vertigo. ROS: Denies vertigo.").features
    assert "later:denied" in first
    assert "earlier:present" in second


def test_the_shipped_model_knows_every_status_and_bond_and_is_better_than_the_rows_on_what_it_did_not_learn() -> None:
    held = json.loads(MODEL.read_text(encoding="utf-8"))
    assert set(held["follows"]) == set(BONDS)
    assert problem_scorer().weights.shape[1] == len(TOLD)
    figures = held["card"]["figures_of_notes_kept_apart"]
    assert figures["pieces"]["right"] > figures["pieces"]["right_by_rows"]


def read(text: str) -> dict[str, Told]:
    record = linker().read(text).record
    assert record is not None
    return {one.spans[0].text.lower(): told_of(one) for one in record.problems}


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("HPI: He is doing well. Pneumonia at Easter was treated and cleared. He now has vertigo.", "pneumonia"),
        ("HISTORY: Cellulitis of the left leg in 2011, healed. Today she has a cough.", "cellulitis"),
    ],
)
def test_what_is_over_by_its_year_age_or_end_is_past(text: str, problem: str) -> None:
    assert next(told for name, told in read(text).items() if problem in name) is Told.PAST


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("HPI: He was admitted with chest pain that began on Tuesday.", "chest pain"),
        ("HPI: She had been having headaches for three weeks and came to the clinic.", "headaches"),
        ("ASSESSMENT: Community acquired pneumonia. Treat with amoxicillin.", "pneumonia"),
        ("PMH: Hypertension, type 2 diabetes since 2004, stroke in 2009.", "hypertension"),
        ("SOCIAL: He smokes and drinks on weekends.", "smokes"),
    ],
)
def test_what_is_of_today_stays_though_it_is_told_in_the_past(text: str, problem: str) -> None:
    assert next(told for name, told in read(text).items() if problem in name) is Told.PRESENT
