"""Findings that are a picture together, what a condition hardly comes with, and which dangers are shown beside what leads."""

from pathlib import Path

import pytest

from backend.container.container import Container
from backend.diagnosis.focus import ALONE, MOST_DANGERS, RARE, RELATED, TOGETHER, Danger, warranted
from backend.diagnosis.ranking.condition_courses import read_courses
from backend.diagnosis.ranking.pictures import complete, read_pictures
from backend.errors import KnowledgeError
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.request import DraftRequest
from backend.settings import ROOT
from backend.stores.graph.graph import Graph
from tests.diagnosis.ranking.test_condition_ranking import Linked, Named

RULES = ROOT / "assets" / "rules"
PICTURES = "condition\tpicture\npneumonia\tcough|dyspnea + fever\n"


def ranked(container: Container, text: str) -> list[Condition]:
    return list(container.ranker.rank(container.linker.link(text), DraftRequest(text=text)))


@pytest.mark.parametrize(
    ("text", "whole"),
    [
        ("She has cough and fever.", True),
        ("She has dyspnea and fever.", True),
        ("She has cough.", False),
        ("She has cough. She denies fever.", False),
        ("She has cough. Her father had fever.", False),
        ("She has cough.\n\nPast Medical History: fever.", False),
    ],
)
def test_a_picture_is_whole_with_one_of_each_part_told_as_of_today(
    tiny_graph: Graph, named: Named, linked: Linked, tmp_path: Path, text: str, whole: bool
) -> None:
    path = tmp_path / "pictures.tsv"
    path.write_text(PICTURES, encoding="utf-8")
    found = complete(read_pictures(path, tiny_graph), linked(text).note.mentions)
    assert found == ({named("pneumonia")} if whole else set())


def test_a_picture_of_one_part_is_refused(tiny_graph: Graph, tmp_path: Path) -> None:
    path = tmp_path / "pictures.tsv"
    path.write_text("condition\tpicture\npneumonia\tcough|fever\n", encoding="utf-8")
    with pytest.raises(KnowledgeError, match=r"pictures\.tsv, 'pneumonia'.* is one part"):
        read_pictures(path, tiny_graph)


def test_every_name_in_the_shipped_pictures_and_courses_is_in_the_graph(container: Container) -> None:
    known = {row.name for row in container.graph.concepts}
    lines = [
        line.split("\t")
        for name in ("condition_pictures.tsv", "condition_courses.tsv")
        for line in (RULES / name).read_text(encoding="utf-8").splitlines()
        if not line.startswith(("#", "condition\t"))
    ]
    named = {cells[0] for cells in lines} | {
        name.removeprefix("not ") for cells in lines for part in cells[-1].split(" + ") for name in part.split("|")
    }
    assert named - known - {"", "acute", "chronic", "sign"} == set()


def test_what_a_condition_hardly_comes_with_is_told_apart_from_what_it_needs(
    tiny_graph: Graph, named: Named, tmp_path: Path
) -> None:
    path = tmp_path / "courses.tsv"
    path.write_text("condition\tf\tc\te\npneumonia\t5\tacute\tcough|not leg swelling\n", encoding="utf-8")
    course = read_courses(path, tiny_graph)[named("pneumonia")]
    assert named("cough") in course.expects
    assert named("leg swelling") in course.excludes
    assert course.expects.isdisjoint(course.excludes)


@pytest.mark.parametrize(
    ("text", "first"),
    [
        (
            "His left arm went limp and his speech was slurred at noon. It lasted 15 minutes.",
            "transient ischemic attack",
        ),
        ("His left arm went limp and his speech was slurred at noon. No better since.", "ischemic stroke"),
        ("55F with lupus and lymphoma, day 8 after chemotherapy. T 38.8. ANC 200.", "febrile neutropenia"),
        ("70M on apixaban for atrial fibrillation. Nose bleed for two hours, pressure does not help.", "epistaxis"),
        (
            "Fell on the edge of a chair. Ribs tender on the right, bruise there. Chest hurts with every breath.",
            "rib fracture",
        ),
        ("Periods have become heavier, passing clots. Pelvic mass on examination. Hb 70 g/L.", "uterine fibroids"),
        (
            "Known cirrhosis with ascites. Sleepy by day and awake all night. Hands flap.",
            "hepatic encephalopathy",
        ),
    ],
)
def test_a_picture_leads_over_what_shares_its_findings(container: Container, text: str, first: str) -> None:
    assert ranked(container, text)[0].name == first


def test_what_is_only_made_likelier_by_a_medicine_is_not_listed(container: Container) -> None:
    """Aspirin, ticagrelor and fondaparinux raise the chance of bleeding; nothing here bleeds or tells of a bleed."""
    found = ranked(container, "Ear pain. Given aspirin, ticagrelor and fondaparinux.")
    assert "gastrointestinal bleeding" not in {condition.name for condition in found}


def test_earlier_pregnancies_are_no_pregnancy(container: Container) -> None:
    mentions = container.linker.link("Three pregnancies, all born at term.").note.mentions
    assert "prior pregnancy" in {m.name for m in mentions}
    assert "pregnancy" not in {m.name for m in mentions}


def danger(concept: str, share: float, findings: int = 1, more: bool = False, frequency: int = 3) -> Danger:
    return Danger(concept, share, findings, more, frequency)


def test_a_danger_needs_the_less_the_nearer_it_is_to_what_leads(container: Container) -> None:
    graph = container.graph
    leader, akin, other = "LN:ischemic-stroke", "LN:intracerebral-hemorrhage", "LN:ovarian-torsion"

    def shown(one: Danger) -> bool:
        return one.concept_id in warranted(graph, [leader], [one])

    assert shown(danger(akin, RELATED)) and not shown(danger(akin, RELATED - 0.01))
    assert not shown(danger(akin, 0.9, findings=0))
    assert shown(danger(other, ALONE)) and not shown(danger(other, ALONE - 0.01))
    assert shown(danger(other, TOGETHER, findings=2)) and not shown(danger(other, TOGETHER - 0.01, findings=2))
    assert shown(danger(other, TOGETHER, more=True))
    assert shown(danger(other, RARE, frequency=1)) and not shown(danger(other, RARE - 0.01, findings=3, frequency=1))


def test_no_more_dangers_than_a_reader_takes_in_and_those_akin_first(container: Container) -> None:
    others = [danger(f"LN:x{i}", 0.9) for i in range(MOST_DANGERS)]
    found = warranted(
        container.graph, ["LN:ischemic-stroke"], [*others, danger("LN:intracerebral-hemorrhage", RELATED)]
    )
    assert len(found) == MOST_DANGERS
    assert "LN:intracerebral-hemorrhage" in found


LEADS = (
    "HPI: 56-year-old man. Legs weak for four days, started in the feet and has moved up. Reflexes absent at the knees."
)


def test_the_complications_of_what_leads_are_shown_though_nothing_speaks_for_them_yet(container: Container) -> None:
    lead, *others = ranked(container, LEADS)
    assert lead.name == "Guillain-Barre syndrome"
    watched = [c for c in others if c.because[0].relation == "complication_of"]
    assert "acute respiratory failure" in [c.name for c in watched]
    assert all(c.must_not_miss and c.because[0].name == lead.name and c.because[0].weight == 0 for c in watched)
    assert others[-len(watched) :] == watched  # after all that something speaks for
    assert len(watched) <= 4


def test_a_complication_that_the_note_denies_is_not_shown(container: Container) -> None:
    found = [c.name for c in ranked(container, f"{LEADS} No respiratory failure.") if not c.because[0].weight]
    assert "acute respiratory failure" not in found


def test_a_test_that_does_not_show_it_speaks_more_against_a_condition_than_a_denied_complaint(
    container: Container,
) -> None:
    note = "HPI: 70-year-old woman. Right arm and leg weak since noon, speech slurred, BP 190/100."
    seen = {c.name: c.score for c in ranked(container, f"{note} CT head: no blood.")}
    felt = {c.name: c.score for c in ranked(container, f"{note} No headache.")}
    assert seen["intracerebral hemorrhage"] < felt["intracerebral hemorrhage"]
    assert next(iter(seen)) == "ischemic stroke"
