"""Ranking: weights by hand, what denials do, what a clinician's word does, and who can have what."""

import math
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.diagnosis.ranking.demographic_limits import DemographicLimit, read_limits
from backend.diagnosis.ranking.likelihoods import BACKGROUND_FLOOR, LIKELIHOOD
from backend.errors import KnowledgeError
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.note import LinkedNote, Patient
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import ConditionStatus
from backend.stores.graph.graph import Graph

Named = Callable[[str], str]
Linked = Callable[[str], LinkedNote]
Asked = Callable[..., DraftRequest]
COMMON, RARE = LIKELIHOOD["has_finding"], LIKELIHOOD["may_have_finding"]


@pytest.fixture
def ranker(tiny_graph: Graph) -> GraphConditionRanker:
    return GraphConditionRanker(tiny_graph, {})


def by_name(found: tuple[Condition, ...]) -> dict[str, Condition]:
    return {condition.name: condition for condition in found}


def test_a_weight_by_hand(ranker: GraphConditionRanker, linked: Linked, asked: Asked) -> None:
    """Three candidates: heart failure, pneumonia, pulmonary embolism. Background: the mean chance over the three."""
    found = by_name(ranker.rank(linked("She has dyspnea and leg swelling."), asked()))
    dyspnea = max(BACKGROUND_FLOOR, (COMMON + RARE + COMMON) / 3)
    swelling = max(BACKGROUND_FLOOR, COMMON / 3)
    weights = {reason.name: reason.weight for reason in found["heart failure"].because}
    assert weights["dyspnea"] == pytest.approx(math.log(COMMON / dyspnea), abs=1e-3)
    assert weights["leg swelling"] == pytest.approx(math.log(COMMON / swelling), abs=1e-3)


def test_scores_are_shares_of_the_leader(ranker: GraphConditionRanker, linked: Linked, asked: Asked) -> None:
    first, *rest = ranker.rank(linked("She has dyspnea and leg swelling."), asked())
    assert (first.name, first.score, first.focus) == ("heart failure", 1.0, True)
    assert all(0 <= condition.score < 1 and not condition.focus for condition in rest)


def test_a_denied_finding_speaks_against_and_is_told_as_a_reason(
    ranker: GraphConditionRanker, linked: Linked, asked: Asked
) -> None:
    with_fever = by_name(ranker.rank(linked("She has cough and dyspnea."), asked()))
    without = by_name(ranker.rank(linked("She has cough and dyspnea. She denies fever."), asked()))
    weights = {reason.name: reason.weight for reason in without["pneumonia"].because}
    assert weights["fever"] < 0
    gap = with_fever["pneumonia"].because, without["pneumonia"].because
    assert sum(r.weight for r in gap[0]) > sum(r.weight for r in gap[1])


def test_findings_of_the_family_or_under_a_condition_count_for_nothing(
    ranker: GraphConditionRanker, linked: Linked, asked: Asked
) -> None:
    assert ranker.rank(linked("Her father had dyspnea."), asked()) == ()
    assert ranker.rank(linked("Return if you develop fever."), asked()) == ()


def test_what_the_note_names_is_stated_and_leads(ranker: GraphConditionRanker, linked: Linked, asked: Asked) -> None:
    first, *_ = ranker.rank(linked("Admitted with pneumonia. Dyspnea and leg swelling."), asked())
    assert (first.name, first.stated, first.focus) == ("pneumonia", True, True)
    assert first.status == ConditionStatus.POSSIBLE
    assert first.confidence.startswith("high")


def test_a_ruled_out_diagnosis_of_the_note_does_not_lead(
    ranker: GraphConditionRanker, linked: Linked, asked: Asked
) -> None:
    found = ranker.rank(linked("She has chest pain and dyspnea. Pulmonary embolism was ruled out."), asked())
    assert found[0].name != "pulmonary embolism"
    assert "pulmonary embolism" not in by_name(found)


def test_a_must_not_miss_condition_that_two_findings_fit_shows_whatever_its_rank(
    tiny_graph: Graph, linked: Linked, asked: Asked
) -> None:
    few = GraphConditionRanker(tiny_graph, {}, limit=1)
    found = by_name(few.rank(linked("Fever, cough, dyspnea and chest pain."), asked()))
    assert set(found) == {"pneumonia", "pulmonary embolism"}
    assert found["pulmonary embolism"].must_not_miss


def test_one_finding_beside_the_complaint_calls_for_no_must_not_miss_condition(
    tiny_graph: Graph, linked: Linked, asked: Asked
) -> None:
    few = GraphConditionRanker(tiny_graph, {}, limit=1)
    assert set(by_name(few.rank(linked("Fever, cough and dyspnea."), asked()))) == {"pneumonia"}
    assert set(by_name(few.rank(linked("Chief Complaint: dyspnea\nHPI: Cough."), asked()))) == {
        "pneumonia",
        "pulmonary embolism",
    }


def test_a_confirmed_condition_comes_first_and_a_ruled_out_one_is_no_focus(
    ranker: GraphConditionRanker, linked: Linked, asked: Asked, named: Named
) -> None:
    note = linked("She has dyspnea and leg swelling.")
    first, *_ = ranker.rank(note, asked(confirmed=(named("pulmonary embolism"),)))
    assert (first.name, first.status, first.focus) == ("pulmonary embolism", ConditionStatus.CONFIRMED, True)
    found = by_name(ranker.rank(note, asked(ruled_out=(named("heart failure"),))))
    assert found["heart failure"].status == ConditionStatus.RULED_OUT
    assert not found["heart failure"].focus


def test_of_confirmed_conditions_the_leading_one_comes_first_however_little_speaks_for_it(
    ranker: GraphConditionRanker, linked: Linked, asked: Asked, named: Named
) -> None:
    note = linked("She has dyspnea and leg swelling.")
    both = asked(confirmed=(named("heart failure"), named("pneumonia")))
    assert ranker.rank(note, both)[0].name == "heart failure"
    led = both.model_copy(update={"leading_condition": named("pneumonia")})
    first, *_ = ranker.rank(note, led)
    assert (first.name, first.status, first.focus) == ("pneumonia", ConditionStatus.CONFIRMED, True)


def test_a_confirmed_condition_the_note_does_not_speak_of_is_shown_all_the_same(
    ranker: GraphConditionRanker, linked: Linked, asked: Asked, named: Named
) -> None:
    found = by_name(ranker.rank(linked("Nothing to report."), asked(confirmed=(named("pneumonia"), "T:unknown"))))
    assert set(found) == {"pneumonia"}


def test_a_history_is_history_and_not_what_the_document_is_about(
    ranker: GraphConditionRanker, linked: Linked, asked: Asked
) -> None:
    note = "Chief Complaint: cough and fever\n\nPast Medical History:\npulmonary embolism\n"
    found = by_name(ranker.rank(linked(note), asked()))
    assert found["pulmonary embolism"].historical
    assert found["pneumonia"].focus
    assert not found["pulmonary embolism"].focus


def test_nothing_recognised_ranks_nothing(ranker: GraphConditionRanker, linked: Linked, asked: Asked) -> None:
    assert ranker.rank(linked("Qwerty zxcvb."), asked()) == ()


def test_ranking_does_not_depend_on_the_order_of_equals(
    ranker: GraphConditionRanker, linked: Linked, asked: Asked
) -> None:
    note = linked("Dyspnea.")
    assert ranker.rank(note, asked()) == ranker.rank(note, asked())


@pytest.mark.parametrize(
    ("patient", "allowed"),
    [
        (Patient(sex="female", age=30), True),
        (Patient(sex="male", age=30), False),
        (Patient(sex="female", age=70), False),
        (Patient(sex="female", age=58), True),
        (Patient(), True),
        (Patient(age=9), False),
    ],
)
def test_a_limit_holds_only_against_what_the_note_states(patient: Patient, allowed: bool) -> None:
    assert DemographicLimit("female", 10, 58).allows(patient) is allowed


def test_a_limited_condition_goes_unless_the_note_names_it(
    tiny_graph: Graph, linked: Linked, asked: Asked, named: Named
) -> None:
    limited = GraphConditionRanker(tiny_graph, {named("heart failure"): DemographicLimit("female", 10, 58)})
    he = "A 70-year-old man with leg swelling."
    assert "heart failure" not in by_name(limited.rank(linked(he), asked()))
    assert "heart failure" in by_name(limited.rank(linked(f"{he} He has heart failure."), asked()))


def test_limits_are_read_by_name_and_a_line_of_another_shape_is_refused(
    tmp_path: Path, tiny_graph: Graph, named: Named
) -> None:
    path = tmp_path / "limits.tsv"
    path.write_text("# comment\nheart failure\tfemale\t10\t58\nunknown thing\t\t0\t120\n")
    assert read_limits(path, tiny_graph) == {named("heart failure"): DemographicLimit("female", 10, 58)}
    path.write_text("heart failure\twoman\t10\t58\n")
    with pytest.raises(KnowledgeError, match="line 1"):
        read_limits(path, tiny_graph)
