"""Guided paths: real edges end to end, never from a denial or the family, never into an allergy."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.knowledge.allergy_reach import AllergyReach
from backend.retrieval.paths.guided_paths import ENDS, GuidedPaths
from backend.schemas.drafts.evidence import ReasoningPath
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.stores.graph.graph import Graph
from backend.stores.graph.vector_file import VectorFile

Walk = Callable[..., tuple[ReasoningPath, ...]]
NOTE = "Chief Complaint: dyspnea and leg swelling\n"


@pytest.fixture
def walk(
    tiny_graph: Graph,
    tiny_reach: AllergyReach,
    encoder: Any,
    tmp_path: Path,
    linked: Callable[[str], LinkedNote],
) -> Walk:
    def paths(note: str, most: int = 10, seed: int = 0) -> tuple[ReasoningPath, ...]:
        found = linked(note)
        conditions = GraphConditionRanker(tiny_graph, {}).rank(found, DraftRequest(text=note))
        guided = GuidedPaths(tiny_graph, tiny_reach, encoder, VectorFile(tmp_path / "none.npz"), most)
        return guided.paths(found, conditions, seed)[0]

    return paths


def test_every_step_is_an_edge_of_the_graph(walk: Walk, tiny_graph: Graph) -> None:
    paths = walk(NOTE)
    assert paths
    for path in paths:
        assert path.steps[0].relation == ""
        assert path.steps[0].name == path.keyword
        for before, after in zip(path.steps, path.steps[1:], strict=False):
            edges = {(e.relation, tiny_graph.concepts[e.tail].concept_id) for e in tiny_graph.edges(before.concept_id)}
            assert (after.relation, after.concept_id) in edges
            assert not after.leap
        assert path.steps[-1].relation in ENDS


def test_ids_count_from_one_best_first_and_each_end_once(walk: Walk) -> None:
    paths = walk(NOTE)
    assert [path.id for path in paths] == [f"K{i}" for i in range(1, len(paths) + 1)]
    assert [path.score for path in paths] == sorted((path.score for path in paths), reverse=True)
    assert len({path.steps[-1].concept_id for path in paths}) == len(paths)


def test_at_most_as_many_as_asked_for(walk: Walk) -> None:
    assert len(walk(NOTE, most=2)) == 2


def test_the_leading_condition_is_walked_through(walk: Walk) -> None:
    assert {"low salt diet", "daily weight"} <= {path.steps[-1].name for path in walk(NOTE)}


@pytest.mark.parametrize("note", ["She denies dyspnea and leg swelling.", "Her mother had dyspnea and leg swelling."])
def test_no_path_starts_at_what_is_denied_or_the_family_s(walk: Walk, note: str) -> None:
    assert walk(note) == ()


def test_no_path_goes_through_a_denied_condition(walk: Walk) -> None:
    paths = walk("Dyspnea and leg swelling. There is no evidence of heart failure.")
    assert all("heart failure" not in [step.name for step in path.steps] for path in paths)


def test_no_path_ends_in_what_is_denied(walk: Walk) -> None:
    assert "chest pain" in {path.steps[-1].name for path in walk(NOTE)}
    denied = walk(NOTE + "\nHPI: She denies chest pain.")
    assert denied
    assert "chest pain" not in {path.steps[-1].name for path in denied}


@pytest.mark.parametrize(
    ("allergy", "gone"),
    [("lisinopril", "lisinopril"), ("enalapril", "lisinopril"), ("Lasix", "furosemide")],
)
def test_no_path_ends_in_what_an_allergy_reaches(walk: Walk, allergy: str, gone: str) -> None:
    assert gone in {path.steps[-1].name for path in walk(NOTE)}
    paths = walk(f"Allergies: {allergy}\n\n{NOTE}")
    assert paths
    assert gone not in {step.name for path in paths for step in path.steps}


def test_an_allergen_is_no_keyword(walk: Walk) -> None:
    paths = walk(f"Allergies: furosemide (rash)\n\n{NOTE}")
    assert {"furosemide", "rash"} & {path.keyword for path in paths} == set()


def test_the_seed_changes_nothing_and_the_same_note_gives_the_same_paths(walk: Walk) -> None:
    assert walk(NOTE, seed=0) == walk(NOTE, seed=5)


def test_a_path_is_told_as_one_sentence(walk: Walk) -> None:
    (path,) = [p for p in walk("Chief Complaint: leg swelling") if p.steps[-1].name == "low salt diet"]
    assert path.text == (
        "Leg swelling is a common sign of heart failure, which is often managed with this diet advice: low salt diet."
    )
