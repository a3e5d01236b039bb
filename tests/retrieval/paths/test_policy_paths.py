"""Paths of a policy for a note: what they start from, what they never touch, how they are told."""

from collections.abc import Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
import pytest

from backend.container import Container
from backend.errors import KnowledgeError
from backend.interfaces import Encoder
from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.rules import RULES, rule_names
from backend.retrieval.paths.connecting_paths import ConnectingPaths, Standing
from backend.retrieval.paths.path_choice import Drawn, started
from backend.retrieval.paths.path_text import verbalised_path
from backend.retrieval.paths.policy_paths import WRITTEN, PolicyPaths, open_concepts
from backend.retrieval.paths.training_mentions import said_often
from backend.schemas.drafts.evidence import Condition, Reason
from backend.schemas.vocabulary import Category, ConditionStatus
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow
from models.policy.checkpoint import Checkpoint
from models.policy.concept_step.concept_features import count
from models.policy.concept_step.concept_training import fit_concept_step
from models.policy.network import PolicyNetwork
from models.policy.rollouts import Example
from models.policy.walking.walk_settings import CLUSTER_LEAP, OURS, PAPER
from tests.conftest import tiny_id

NOTE = "Allergies: lisinopril (cough)\nHPI: Dyspnea and leg swelling for three days. No fever. Mother had gout."


class Build(Protocol):
    def __call__(self, ours: bool, walks: bool = True) -> PolicyPaths: ...


def condition(name: str, score: float = 1.0) -> Condition:
    spoken = Reason(concept_id=tiny_id("dyspnea"), name="dyspnea", relation="finding_of", weight=0.5)
    return Condition(
        concept_id=tiny_id(name),
        name=name,
        score=score,
        status=ConditionStatus.POSSIBLE,
        focus=True,
        because=(spoken,),
    )


@pytest.fixture
def vectors(tiny_graph: Graph, encoder: Encoder) -> np.ndarray:
    return encoder.encode([row.name for row in tiny_graph.concepts])


@pytest.fixture
def build(tiny_graph: Graph, tiny_reach: AllergyReach, vectors: np.ndarray, encoder: Encoder) -> Build:
    """Retrievers over an untrained policy: ours with a learned step, or the paper's."""

    def made(ours: bool, walks: bool = True) -> PolicyPaths:
        policy = PolicyNetwork(vectors.shape[1], seed=1).fold()
        step = None
        if ours:
            step = fit_concept_step(pairs(tiny_graph), tiny_graph, vectors, OURS, 0)
        checkpoint = Checkpoint(
            "ours" if ours else "paper",
            policy,
            OURS if ours else PAPER,
            not ours,
            step.statistics if step else None,
            step.weights if step else None,
            {"data": {"synthetic": True}},
        )
        closed = open_concepts(tiny_graph, ["lung"])
        return PolicyPaths(tiny_graph, vectors, encoder, checkpoint, tiny_reach, closed, 10, walks=walks)

    return made


def pairs(graph: Graph) -> list[Example]:
    """Documents of dyspnea name furosemide, daily weight and naproxen; of fever, amoxicillin; and now and then lisinopril."""

    def indices(names: Sequence[str]) -> np.ndarray:
        return np.array(sorted(graph.index[tiny_id(name)] for name in names), dtype=np.int32)

    said = ["furosemide", "daily weight", "naproxen", "lung"]
    made = [Example(f"d{i}", indices(["dyspnea"]), indices([*said, *["lisinopril"] * (i % 2)])) for i in range(12)]
    return made + [Example(f"f{i}", indices(["fever"]), indices(["amoxicillin"])) for i in range(12)]


def test_nothing_denied_of_kin_blocked_or_filling_is_on_any_path(
    build: Build, tiny_linker: DictionaryLinker, tiny_graph: Graph
) -> None:
    linked = tiny_linker.link(NOTE)
    for ours in (True, False):
        for seed in range(6):
            paths, policy, _ = build(ours).paths(linked, [condition("heart failure")], seed)
            assert paths and policy
            held = {step.name for path in paths for step in path.steps}
            # fever is denied, gout is the mother's, lisinopril and its class are what the patient reacts to, lung is a filler
            assert not held & {"fever", "gout", "lisinopril", "enalapril", "ACE inhibitor", "lung"}
            assert {path.keyword for path in paths} <= {"dyspnea", "leg swelling"}
            moved = {step.name for choice in policy for move in choice.moves for step in move.steps}
            assert not moved & {"fever", "gout", "lisinopril", "enalapril", "ACE inhibitor", "lung"}


def test_a_medicine_that_an_allergy_reaches_starts_no_path_though_it_was_given(
    build: Build, tiny_linker: DictionaryLinker
) -> None:
    text = "Allergies: penicillin (hives)\nHPI: Fever and cough. Was given amoxicillin yesterday."
    for ours in (True, False):
        for seed in range(4):
            paths, policy, _ = build(ours).paths(tiny_linker.link(text), [condition("pneumonia")], seed)
            moved = {step.name for choice in policy for move in choice.moves for step in move.steps}
            assert "amoxicillin" not in moved | {step.name for path in paths for step in path.steps}
            free, _, _ = build(ours).paths(tiny_linker.link(text.replace("penicillin (hives)", "none")), (), seed)
            assert free
        nothing, _, reason = build(ours).paths(tiny_linker.link(text.replace("Fever and cough. ", "")), (), 0)
        assert nothing == () and "what an allergy reaches" in reason


def test_each_path_ends_in_what_a_document_would_name(
    build: Build, tiny_linker: DictionaryLinker, tiny_graph: Graph
) -> None:
    for ours in (True, False):
        paths, _, _ = build(ours).paths(tiny_linker.link(NOTE), [condition("heart failure")], 0)
        for path in paths:
            assert Category(tiny_graph.row(path.steps[-1].concept_id).category) in WRITTEN
        ends = [path.steps[-1].concept_id for path in paths]
        assert len(ends) == len(set(ends))


def test_ours_tells_what_documents_name_by_the_edges_that_carry_it(build: Build, tiny_linker: DictionaryLinker) -> None:
    paths, _, reason = build(True).paths(tiny_linker.link(NOTE), [condition("heart failure")], 0)
    by_name = {path.steps[-1].name: path for path in paths}
    weight = by_name["daily weight"]
    assert [step.name for step in weight.steps] == ["dyspnea", "heart failure", "daily weight"]
    assert weight.text == weight.supported_text and weight.condition_id == tiny_id("heart failure")
    # naproxen is often in such documents, but no edge leads there: a leap, and it supports nothing
    leap = by_name["naproxen"]
    assert leap.steps[-1].leap and leap.steps[-1].relation == CLUSTER_LEAP
    assert leap.supported_text == "" and "12 of 12 training documents for notes with dyspnea name it" in leap.text
    assert "policy ours (trained on synthetic pairs)" in reason


def test_a_leap_of_ours_is_never_said_to_stand_in_documents_that_do_not_hold_it(
    build: Build, tiny_linker: DictionaryLinker
) -> None:
    said = {"furosemide", "daily weight", "naproxen", "amoxicillin", "lisinopril"}
    notes = (NOTE, "HPI: Dyspnea, leg swelling and cough. Takes warfarin. Chest x-ray done.")
    found = [path for note in notes for path in build(True).paths(tiny_linker.link(note), (), 0)[0]]
    assert {path.steps[-1].name for path in found if not path.supported_text} <= said
    # what stands in no document is told all the same where edges lead to it
    assert {path.steps[-1].name for path in found if path.supported_text} - said


def test_the_paper_draws_by_the_seed_and_ours_does_not(build: Build, tiny_linker: DictionaryLinker) -> None:
    linked = tiny_linker.link("HPI: Dyspnea, leg swelling, fever and cough. Takes warfarin. Chest x-ray done.")
    paper, ours = build(False), build(True)
    runs = [paper.paths(linked, (), seed)[0] for seed in (1, 1, 2, 3, 4, 5)]
    assert runs[0] == runs[1]
    assert any(run != runs[0] for run in runs[2:])
    assert ours.paths(linked, (), 1)[0] == ours.paths(linked, (), 2)[0]


def test_the_choices_say_what_was_open_and_where_each_path_went(build: Build, tiny_linker: DictionaryLinker) -> None:
    _, policy, _ = build(True).paths(tiny_linker.link(NOTE), (), 0)
    assert [choice.step for choice in policy] == [1, 2, 3, 4, 5]
    for choice in policy:
        assert sum(choice.probabilities.values()) == pytest.approx(1.0, abs=0.01)
        assert choice.group.value in choice.probabilities
        assert not set(choice.masked) & set(choice.probabilities)
        assert len(choice.masked) + len(choice.probabilities) == 15
        assert [move.keyword for move in choice.moves] == ["dyspnea", "leg swelling"]
        gained = {step.concept_id for move in choice.moves for step in move.steps}
        assert not gained & {rejected.concept_id for rejected in choice.rejected}
        assert all(step.group == choice.group for move in choice.moves for step in move.steps)


def test_a_note_without_a_present_concept_has_no_path_and_says_why(build: Build, tiny_linker: DictionaryLinker) -> None:
    paths, policy, reason = build(True).paths(tiny_linker.link("HPI: No fever."), (), 0)
    assert (paths, policy) == ((), ())
    assert "no path can start" in reason


def test_grounds_prefer_a_candidate_condition_and_pass_by_other_disorders(tiny_graph: Graph) -> None:
    index = tiny_graph.index
    allowed = np.ones(len(tiny_graph), dtype=bool)
    dyspnea, xray = index[tiny_id("dyspnea")], index[tiny_id("chest x-ray")]
    hf, pneumonia = index[tiny_id("heart failure")], index[tiny_id("pneumonia")]

    def middle(scores: dict[int, float], spoken: int = dyspnea) -> list[int]:
        standing = {concept: Standing(score, (spoken,)) for concept, score in scores.items()}
        return [edge.tail for edge in ConnectingPaths(tiny_graph, [dyspnea], allowed, standing).of(xray)]

    assert middle({hf: 1.0, pneumonia: 0.4}) == [hf, xray]
    assert middle({pneumonia: 0.4}) == [pneumonia, xray]
    assert middle({hf: 1.0}, spoken=hf) == []  # nothing of the note speaks for it
    assert middle({}) == []  # a disorder the note does not name is no step of a reason


def test_grounds_start_from_the_finding_that_says_most_and_not_from_a_medicine(tiny_graph: Graph) -> None:
    index = tiny_graph.index
    dyspnea, swelling, furosemide, xray, hf = (
        index[tiny_id(name)] for name in ("dyspnea", "leg swelling", "furosemide", "chest x-ray", "heart failure")
    )
    allowed = np.ones(len(tiny_graph), dtype=bool)

    def first(keywords: list[int], *spoken: int) -> int:
        return ConnectingPaths(tiny_graph, keywords, allowed, {hf: Standing(1.0, spoken)}).of(xray)[0].head

    assert first([furosemide, dyspnea, swelling], furosemide, swelling, dyspnea) == swelling
    assert first([furosemide, dyspnea, swelling], furosemide, dyspnea, swelling) == dyspnea
    assert first([furosemide], furosemide) == furosemide  # better than nothing


def test_any_finding_that_speaks_for_a_condition_may_start_a_path_through_it_but_no_medicine(tiny_graph: Graph) -> None:
    index = tiny_graph.index
    dyspnea, swelling, furosemide, cough, xray, hf = (
        index[tiny_id(n)] for n in ("dyspnea", "leg swelling", "furosemide", "cough", "chest x-ray", "heart failure")
    )
    allowed = np.ones(len(tiny_graph), dtype=bool)
    standing = {hf: Standing(1.0, (furosemide, swelling, dyspnea))}  # the cough does not speak for it
    connections = ConnectingPaths(tiny_graph, [cough, dyspnea, furosemide, swelling], allowed, standing)
    first = connections.of(xray)[0]
    assert [edge.head for edge in connections.starts(first)] == [swelling, dyspnea]


def test_paths_of_one_condition_start_from_each_finding_in_turn_and_keep_ends_and_order(tiny_graph: Graph) -> None:
    index = tiny_graph.index
    dyspnea, swelling, hf, xray, warfarin = (
        index[tiny_id(n)] for n in ("dyspnea", "leg swelling", "heart failure", "chest x-ray", "warfarin")
    )
    one, other = (tiny_graph.joining(keyword, hf)[0] for keyword in (dyspnea, swelling))
    last = tiny_graph.joining(hf, xray)[0]
    path = Drawn([dyspnea, hf, xray], [one, last], 1.0, starts=[one, other])
    leap = Drawn([swelling, warfarin], [None], 0.9, "no direct link")
    found = started([path, leap, path, path])
    assert [p.concepts for p in found] == [
        [dyspnea, hf, xray],
        [swelling, warfarin],
        [dyspnea, hf, xray],
        [swelling, hf, xray],
    ]
    assert found[3].edges == [other, last]
    # the finding itself may be the end of a path: it does not start that one
    ends = Drawn([dyspnea, hf, swelling], [one, tiny_graph.joining(hf, swelling)[0]], 1.0, starts=[one, other])
    assert [p.concepts[0] for p in started([ends, ends])] == [dyspnea, dyspnea]


def test_a_path_is_told_up_to_its_first_leap_by_what_edges_carry(tiny_graph: Graph) -> None:
    a, b, c = (tiny_graph.index[tiny_id(name)] for name in ("dyspnea", "heart failure", "warfarin"))
    (edge,) = tiny_graph.joining(a, b)
    verbalised = verbalised_path(tiny_graph, [a, b, c], [edge, None], CLUSTER_LEAP, "no direct link")
    assert verbalised.supported == "Dyspnea is a common sign of heart failure."
    assert verbalised.text == (
        f"{verbalised.supported[:-1]}; from there the search leaps to warfarin (chemicals and drugs; no direct link)."
    )
    assert [step.leap for step in verbalised.steps] == [False, False, True]


def test_what_a_keyword_is_a_kind_of_ends_no_path(
    tiny_rows: tuple[ConceptRow, ...],
    tiny_triples: tuple[TripleRow, ...],
    relations: dict[str, RelationRow],
    tiny_reach: AllergyReach,
    tiny_linker: DictionaryLinker,
    encoder: Encoder,
) -> None:
    """Chest pain is made a kind of dyspnea, and dyspnea of cough; documents of chest pain name both and furosemide."""
    kinds = (TripleRow(tiny_id("chest pain"), "isa", tiny_id("dyspnea"), ""),)
    kinds += (TripleRow(tiny_id("dyspnea"), "isa", tiny_id("cough"), ""),)

    def ends(triples: tuple[TripleRow, ...]) -> set[str]:
        graph = Graph(tiny_rows, triples, relations)
        vectors = encoder.encode([row.name for row in graph.concepts])
        index = [graph.index[tiny_id(name)] for name in ("chest pain", "cough", "dyspnea", "furosemide")]
        asked, said = np.array(index[:1], dtype=np.int32), np.array(sorted(index[1:]), dtype=np.int32)
        step = fit_concept_step([Example(f"c{i}", asked, said) for i in range(12)], graph, vectors, OURS, 0)
        policy = PolicyNetwork(vectors.shape[1], seed=1).fold()
        card = {"data": {"synthetic": True}}
        checkpoint = Checkpoint("ours", policy, OURS, False, step.statistics, step.weights, card)
        found = PolicyPaths(graph, vectors, encoder, checkpoint, tiny_reach, open_concepts(graph, []), 10)
        return {path.steps[-1].name for path in found.paths(tiny_linker.link("HPI: Chest pain."), (), 0)[0]}

    assert {"cough", "dyspnea", "furosemide"} <= ends(tiny_triples)
    assert "furosemide" in ends((*tiny_triples, *kinds))
    assert not {"cough", "dyspnea"} & ends((*tiny_triples, *kinds))


def test_a_leap_is_proposed_only_where_documents_of_such_notes_often_name_its_end(tiny_graph: Graph) -> None:
    dyspnea, gout, naproxen, warfarin = (
        tiny_graph.index[tiny_id(name)] for name in ("dyspnea", "gout", "naproxen", "warfarin")
    )

    # 40 notes with dyspnea: naproxen in 5 documents of them (12.5 %), warfarin in 3 (7.5 %); gout in 2 notes, naproxen in both
    def note(keyword: int, *said: int) -> Example:
        return Example("", np.array([keyword], dtype=np.int32), np.array(said, dtype=np.int32))

    documents = [(naproxen,)] * 5 + [()] * 32 + [(warfarin,)] * 3
    counted = count([*(note(dyspnea, *said) for said in documents), *[note(gout, naproxen)] * 2])
    assert said_often(tiny_graph, counted, dyspnea, naproxen) == (
        "no direct link in the graph, but 5 of 40 training documents for notes with dyspnea name it"
    )
    assert said_often(tiny_graph, counted, dyspnea, warfarin) is None
    assert said_often(tiny_graph, counted, gout, naproxen) is None  # two documents may be chance
    assert said_often(tiny_graph, counted, warfarin, naproxen) is None  # no training note has this keyword


def test_no_filler_is_a_concept_of_the_starter_graph_and_ordinary_words_of_other_graphs_are_closed(
    container: Container,
    tiny_rows: tuple[ConceptRow, ...],
    tiny_triples: tuple[TripleRow, ...],
    relations: dict[str, RelationRow],
) -> None:
    fillers = rule_names(RULES / "path_fillers.tsv")
    assert len(set(fillers)) == len(fillers)
    starter = {row.name.lower() for row in container.starter_graph.concepts}
    assert not starter & set(fillers[fillers.index("wife") + 1 :])
    called = {tiny_id("gout"): "This", tiny_id("cough"): "Lateral"}
    rows = tuple(row._replace(name=called.get(row.concept_id, row.name)) for row in tiny_rows)
    graph = Graph(rows, tiny_triples, relations)
    closed = {graph.concepts[i].concept_id for i in np.flatnonzero(~open_concepts(graph, fillers)).tolist()}
    assert closed == set(called)


def test_fillers_are_read_and_a_missing_file_is_told(tmp_path: Path) -> None:
    path = tmp_path / "path_fillers.tsv"
    path.write_text("# comment\npatient\n\nfinding\n")
    assert rule_names(path) == ("patient", "finding")
    with pytest.raises(KnowledgeError, match=r"path_fillers\.tsv is missing"):
        rule_names(tmp_path / "none" / "path_fillers.tsv")


def test_the_same_words_are_walked_once_and_conditions_are_told_anew(
    build: Build, tiny_linker: DictionaryLinker, monkeypatch: pytest.MonkeyPatch
) -> None:
    walks: list[int] = []
    walked = PolicyPaths._found
    monkeypatch.setattr(PolicyPaths, "_found", lambda self, *given: walks.append(1) or walked(self, *given))
    retriever, linked = build(True), tiny_linker.link(NOTE)
    first = retriever.paths(linked, [condition("heart failure")], 0)
    assert retriever.paths(linked, [condition("heart failure")], 0) == first
    other = retriever.paths(linked, [condition("pneumonia")], 0)
    assert len(walks) == 1
    assert other == build(True).paths(linked, [condition("pneumonia")], 0), "as one that never walked before"
    retriever.paths(linked, [], 1)
    retriever.paths(tiny_linker.link(f"{NOTE} No dyspnea."), [], 0)
    assert len(walks) == 4


def test_without_the_walk_the_concept_steps_proposals_are_told_by_the_same_edges_and_no_step_is_shown(
    build: Build, tiny_linker: DictionaryLinker
) -> None:
    linked = tiny_linker.link(NOTE)
    walked, steps, _ = build(True).paths(linked, [condition("heart failure")], 0)
    told, none, reason = build(True, walks=False).paths(linked, [condition("heart failure")], 0)
    assert steps and none == () and reason.endswith("without a walk")
    by_end = {path.steps[-1].name: path.text for path in walked}
    assert told and all(by_end.get(path.steps[-1].name, path.text) == path.text for path in told)
    assert {"furosemide", "daily weight", "naproxen"} & {path.steps[-1].name for path in told}
    # a policy without a learned concept step has nothing but its walk
    assert build(False, walks=False).paths(linked, (), 0)[1]
