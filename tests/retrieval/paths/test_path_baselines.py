"""The published baselines: flat lists by chance or likeness, and DR.KNOWS's ranked hops."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.paths.path_baselines import HOPS, DrKnows, Random1hop, Sim1hop, keyword_ids
from backend.retrieval.paths.policy_paths import open_concepts
from backend.schemas.drafts.note import LinkedNote
from backend.stores.graph.graph import Graph
from backend.stores.graph.vector_file import VectorFile

Linked = Callable[[str], LinkedNote]
NOTE = "She has fever and leg swelling. She denies chest pain."
# One hop from fever: pneumonia. From leg swelling: heart failure. Chest pain is denied, so its neighbours are out.
NEAR = {"pneumonia", "heart failure"}


@pytest.fixture
def nothing(tmp_path: Path) -> VectorFile:
    return VectorFile(tmp_path / "none.npz")


def test_random1hop_draws_one_hop_concepts_of_present_keywords(tiny_graph: Graph, linked: Linked) -> None:
    paths, policy, reason = Random1hop(tiny_graph, 10).paths(linked(NOTE), (), seed=1)
    assert {path.steps[0].name for path in paths} == NEAR
    assert all(len(path.steps) == 1 for path in paths)
    assert policy == ()
    assert "seed 1" in reason


def test_random1hop_is_decided_by_its_seed(tiny_graph: Graph, linked: Linked) -> None:
    note = linked("She has dyspnea, fever and leg swelling and takes lisinopril.")
    drawn = [[p.steps[0].name for p in Random1hop(tiny_graph, 3).paths(note, (), seed)[0]] for seed in range(8)]
    again = [p.steps[0].name for p in Random1hop(tiny_graph, 3).paths(note, (), 0)[0]]
    assert again == drawn[0]
    assert len({tuple(names) for names in drawn}) > 1


def test_sim1hop_orders_by_cosine_to_the_whole_note(
    tiny_graph: Graph, linked: Linked, encoder: Any, nothing: VectorFile
) -> None:
    paths, _, _ = Sim1hop(tiny_graph, encoder, nothing, 10).paths(linked(NOTE), (), 0)
    note = encoder.encode([NOTE])[0]
    by_hand = {name: float(np.dot(encoder.encode([name])[0], note)) for name in NEAR}
    assert [path.steps[0].name for path in paths] == sorted(by_hand, key=lambda name: -by_hand[name])
    assert [path.score for path in paths] == pytest.approx(sorted(by_hand.values(), reverse=True), abs=1e-3)


def test_drknows_walks_at_most_two_hops_along_edges_without_turning_back(
    tiny_graph: Graph, linked: Linked, encoder: Any, nothing: VectorFile
) -> None:
    paths, _, reason = DrKnows(tiny_graph, encoder, nothing, 10).paths(linked(NOTE), (), 0)
    assert paths
    assert "trained" in reason
    for path in paths:
        ids = [step.concept_id for step in path.steps]
        assert 2 <= len(ids) <= HOPS + 1
        assert len(set(ids)) == len(ids)
        for before, after in zip(path.steps, path.steps[1:], strict=False):
            assert after.concept_id in tiny_graph.related(before.concept_id, after.relation)
    assert [path.score for path in paths] == sorted((path.score for path in paths), reverse=True)


@pytest.mark.parametrize("note", ["Nothing known here.", "She denies fever.", "Allergies: furosemide"])
def test_without_a_present_keyword_every_baseline_says_so(
    tiny_graph: Graph, linked: Linked, encoder: Any, nothing: VectorFile, note: str
) -> None:
    for system in (
        Random1hop(tiny_graph, 10),
        Sim1hop(tiny_graph, encoder, nothing, 10),
        DrKnows(tiny_graph, encoder, nothing, 10),
    ):
        paths, _, reason = system.paths(linked(note), (), 0)
        assert paths == ()
        assert reason == "no keyword has a neighbour in the graph"


def test_no_baseline_starts_at_a_filler_or_gives_one(
    tiny_graph: Graph, linked: Linked, encoder: Any, nothing: VectorFile
) -> None:
    # fever starts nothing and pneumonia is given by nothing: leg swelling alone leads on, to heart failure
    names = {"fever", "pneumonia"}
    open_ones = open_concepts(tiny_graph, sorted(names))
    for made in (
        Random1hop(tiny_graph, 10, open_ones),
        Sim1hop(tiny_graph, encoder, nothing, 10, open_ones),
        DrKnows(tiny_graph, encoder, nothing, 10, open_ones),
    ):
        paths, _, _ = made.paths(linked(NOTE), (), 0)
        assert paths
        assert not names & {step.name for path in paths for step in path.steps}
        assert {path.keyword for path in paths} == {"leg swelling"}


def test_a_concept_with_a_filler_among_its_synonyms_is_one(tiny_graph: Graph) -> None:
    row = next(row for row in tiny_graph.concepts if row.synonyms)
    closed = np.flatnonzero(~open_concepts(tiny_graph, [row.synonyms[0].upper()]))
    assert row.concept_id in {tiny_graph.ids[i] for i in closed.tolist()}


@pytest.mark.parametrize(
    ("note", "added"),
    [
        ("Past medical history: heart failure.\n\nHistory of present illness: fever.", {"heart failure"}),
        ("Medications:\nfurosemide 40 mg daily\n\nHistory of present illness: fever.", set()),  # a mention already
        ("Family history: heart failure.\n\nHistory of present illness: fever.", set()),
        ("History of present illness: fever, no heart failure.", set()),
        ("Past medical history: resolved pneumonia.\n\nHistory of present illness: fever.", set()),
    ],
)
def test_the_records_active_problems_and_medicines_start_paths_as_well(
    tiny_linker: DictionaryLinker, tiny_graph: Graph, note: str, added: set[str]
) -> None:
    mentions, record = keyword_ids(tiny_linker.link(note)), keyword_ids(tiny_linker.read(note))
    assert record[: len(mentions)] == mentions
    assert {tiny_graph.row(one).name for one in record[len(mentions) :]} == added


def test_what_the_patient_reacts_to_starts_no_path_though_the_record_lists_it_as_a_medicine(
    tiny_linker: DictionaryLinker, tiny_graph: Graph
) -> None:
    taken = tiny_linker.read("Medications:\namoxicillin 500 mg daily\n\nHistory of present illness: fever.").record
    for allergies, named in (("none known", {"fever", "amoxicillin"}), ("amoxicillin (hives)", {"fever"})):
        linked = tiny_linker.link(f"Allergies: {allergies}\n\nHistory of present illness: fever.")
        found = keyword_ids(linked.model_copy(update={"record": taken}))
        assert {tiny_graph.row(one).name for one in found} == named
