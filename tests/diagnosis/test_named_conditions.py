"""What a condition's own name says of today: the past denied, the long known, a turn; and treatments begun now."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.diagnosis.named_conditions import denies_past_only, others_opinion, states_acute_change
from backend.diagnosis.ranking.condition_courses import Course, read_courses
from backend.diagnosis.ranking.likelihoods import read_common
from backend.diagnosis.ranking.treatments import begun
from backend.errors import KnowledgeError
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.note import Mention
from backend.schemas.drafts.request import DraftRequest
from backend.stores.graph.graph import Graph


def mention(container: Container, text: str, name: str) -> Mention:
    return next(m for m in container.linker.link(text).note.mentions if m.name == name)


@pytest.mark.parametrize(
    ("text", "past_only"),
    [
        ("HPI: No prior DVT.", True),
        ("HPI: Denies any history of stroke, MI or DVT.", True),
        ("HPI: She has never had a DVT.", True),
        ("HPI: No DVT before.", True),
        ("HPI: No DVT on duplex.", False),
        ("HPI: Duplex negative for DVT.", False),
        ("HPI: Prior stroke. No DVT.", False),
    ],
)
def test_a_denied_past_is_told_from_a_denied_present(container: Container, text: str, past_only: bool) -> None:
    assert denies_past_only(text, mention(container, text, "deep vein thrombosis")) is past_only


@pytest.mark.parametrize(
    ("text", "change"),
    [
        ("HPI: 70M with gout flare of the knee.", True),
        ("HPI: 70M presents with gout.", True),
        ("HPI: 70M with T2DM, gout, HTN here with new cough.", False),
        ("HPI: 70M with gout who presents with worsening cough.", False),
    ],
)
def test_an_acute_change_is_told_from_a_list_of_the_known(container: Container, text: str, change: bool) -> None:
    assert states_acute_change(text, mention(container, text, "gout")) is change


@pytest.mark.parametrize(
    ("text", "doubted"),
    [
        ("HPI: The clinic called it cellulitis and gave cephalexin. No better after five days.", True),
        ("HPI: Treated as cellulitis for a week, which has not helped.", True),
        ("HPI: Treated as cellulitis, now much improved.", False),
        ("HPI: Admitted with cellulitis. No change overnight.", False),
    ],
)
def test_what_was_treated_in_vain_is_an_opinion_and_no_finding(container: Container, text: str, doubted: bool) -> None:
    assert others_opinion(text, mention(container, text, "cellulitis")) is doubted


@pytest.mark.parametrize(
    ("text", "now"),
    [
        ("HPI: Started on apixaban.", True),
        ("HPI: Given apixaban in the ED.", True),
        ("HPI: AF on apixaban.", False),
        ("HPI: Takes apixaban at home.", False),
    ],
)
def test_a_treatment_begun_now_is_told_from_a_home_medicine(container: Container, text: str, now: bool) -> None:
    assert begun(text, mention(container, text, "apixaban")) is now


def test_no_prior_clot_does_not_rule_out_the_clot_of_today(container: Container) -> None:
    text = (
        "CC: leg swelling\nHPI: 71M. Duplex: occlusive thrombus in R popliteal vein. Started on apixaban. No prior DVT."
    )
    first, *_ = container.ranker.rank(container.linker.link(text), DraftRequest(text=text))
    assert (first.name, first.stated, first.focus) == ("deep vein thrombosis", True, True)


def test_the_rules_name_concepts_of_the_starter_knowledge(container: Container) -> None:
    names = {row.name for row in container.starter_graph.concepts}
    chapters = {row.name for row in container.starter_graph.concepts if row.condition}
    rows = rule_rows(RULES / "condition_courses.tsv", 4)
    assert chapters <= {row[0] for row in rows} <= names
    assert {one.removeprefix("not ") for row in rows for one in row[3].split("|") if one} <= names
    assert {row[0] for row in rule_rows(RULES / "common_findings.tsv", 2)} <= names


def test_a_class_or_kind_meets_what_is_expected(container: Container) -> None:
    courses = read_courses(RULES / "condition_courses.tsv", container.starter_graph)
    assert courses["LN:gout"].course == Course.CHRONIC
    assert "LN:sertraline" in courses["LN:serotonin-syndrome"].expects


@pytest.mark.parametrize("line", ["gout\t6\tchronic\t", "gout\t2\tsometimes\t"])
def test_a_course_that_is_not_understood_is_refused(tmp_path: Path, tiny_graph: Graph, line: str) -> None:
    path = tmp_path / "courses.tsv"
    path.write_text(f"condition\tfrequency\tcourse\texpects\n{line}\n")
    with pytest.raises(KnowledgeError, match="gout"):
        read_courses(path, tiny_graph)


def test_a_share_is_between_0_and_1(tmp_path: Path, tiny_graph: Graph) -> None:
    path = tmp_path / "common.tsv"
    path.write_text("finding\tshare\nfever\t20\n")
    with pytest.raises(KnowledgeError, match="fever"):
        read_common(path, tiny_graph)
