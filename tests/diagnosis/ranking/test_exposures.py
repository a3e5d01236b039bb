"""What was taken in excess is read where the note tells it of now, and its poisoning leads the ranking."""

import pytest

from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.diagnosis.ranking.exposures import poisonings, taken_in_excess
from backend.diagnosis.ranking.shares import EXPOSED
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.request import DraftRequest
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow

POISONING = ConceptRow(
    "T:furosemide-poisoning", "water pill poisoning", "DISO", "disease", ("furosemide overdose",), "", True
)


@pytest.fixture
def rows(tiny_rows: tuple[ConceptRow, ...]) -> tuple[ConceptRow, ...]:
    return (*tiny_rows, POISONING)


@pytest.fixture
def graph(
    rows: tuple[ConceptRow, ...], tiny_triples: tuple[TripleRow, ...], relations: dict[str, RelationRow]
) -> Graph:
    return Graph(rows, tiny_triples, relations)


@pytest.mark.parametrize(
    ("note", "wanted"),
    [
        ("HPI: She took 30 tablets of furosemide last night.", True),
        ("HPI: Found with an empty bottle of furosemide.", True),
        ("HPI: He swallowed a handful of his furosemide pills after an argument.", True),
        ("HPI: He has furosemide at home. His wife thinks he took about forty pills.", True),
        ("HPI: She overdosed on furosemide.", True),
        ("HPI: She takes furosemide 40 mg, two tablets daily.", False),
        ("HPI: She denies an overdose or ingestion of furosemide.", False),
        ("HPI: Swallowed a coin. " + "Pain is mild. " * 20 + "Takes furosemide.", False),  # too far from the words
        ("PMH: took 30 tablets of furosemide in 2010.", False),
        ("FH: Her mother took 30 tablets of furosemide.", False),
    ],
)
def test_an_excess_is_read(tiny_linker: DictionaryLinker, note: str, wanted: bool) -> None:
    assert taken_in_excess(tiny_linker.link(note)) == ({"T:furosemide"} if wanted else set())


def test_a_poisoning_is_known_by_its_names(graph: Graph) -> None:
    assert poisonings(graph, [POISONING.concept_id])["T:furosemide"] == (POISONING.concept_id,)
    assert poisonings(graph, ["T:pneumonia"]) == {}


def test_a_stated_excess_leads_over_what_findings_suggest(rows: tuple[ConceptRow, ...], graph: Graph) -> None:
    ranker, linker = GraphConditionRanker(graph, {}), DictionaryLinker(rows)
    findings = "She has dyspnea and leg swelling."
    request = DraftRequest(text=findings)
    assert ranker.rank(linker.link(f"HPI: {findings}"), request)[0].name == "heart failure"
    first, *_ = ranker.rank(linker.link(f"HPI: {findings} She took 30 tablets of furosemide."), request)
    assert (first.name, first.focus) == ("water pill poisoning", True)
    assert [(r.name, r.relation, r.weight) for r in first.because] == [("furosemide", "has_causative_agent", EXPOSED)]
