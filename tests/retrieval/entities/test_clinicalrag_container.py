"""ClinicalRAG end to end: the starter graph, a part of the handbook and an imported wiki, on demonstration cases."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest

from backend.container import Container
from backend.ingest.documents.import_task import ImportTask
from backend.ingest.documents.importing import ImportJob
from backend.interfaces import NoteContext
from backend.retrieval.entities.entity_collections import EntityCollections
from backend.retrieval.entities.entity_extraction import EXCLUDED
from backend.retrieval.entities.entity_index import EntityVectors
from backend.retrieval.entities.entity_search import EntitySearch
from backend.retrieval.strategies.entity_lookup import EntitySettings, EntityStrategy
from backend.retrieval.strategies.strategy import RetrievedEvidence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.vocabulary import Source
from backend.stores.passages.stored_sources import Sources

CHAPTERS = ("Heart failure", "Pneumonia", "Pulmonary embolism")
PAGES = {
    "Heart failure": "Heart failure is a state in which the heart cannot pump enough blood. Shortness of breath and swelling of "
    "the legs are common.\n\n== Treatment ==\n\nFurosemide takes off water. Eating less salt helps as well.",
    "Orthopnea": "Orthopnea is shortness of breath that comes on lying flat. It is seen in heart failure.",
    "Ankle": "The ankle joins the foot to the leg.",
}


class Made(NamedTuple):
    """A strategy with the linker it reads by."""

    container: Container
    search: EntitySearch

    def retrieve(self, text: str, **settings: object) -> tuple[LinkedNote, RetrievedEvidence]:
        linked = self.container.linker.link(text)
        chosen = EntitySettings(**settings)  # type: ignore[arg-type]
        strategy = EntityStrategy(
            self.search, self.container.graph, self.container.linker, chosen, graph_title="Starter graph"
        )
        return linked, strategy.retrieve(NoteContext(linked, (), (), DraftRequest(text=text)))


@pytest.fixture(scope="module")
def made(container: Container, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Made]:
    folder = tmp_path_factory.mktemp("clinicalrag")
    path = folder / "pages.jsonl"
    rows = [{"id": t, "title": t, "text": x, "url": f"https://wiki.test/{t}"} for t, x in PAGES.items()]
    path.write_text("\n".join(map(json.dumps, rows)))
    sources = Sources(folder / "data", container.encoder.name)
    ImportJob(ImportTask("wikipedia", Source.WIKI, Path(path), "pages"), sources, container.encoder).run()
    handbook = [row for row in container.passages if row.title.startswith(CHAPTERS)]
    collection = EntityCollections(container.graph, container.linker, sources.data, handbook, lambda: sources)
    vectors = EntityVectors(container.graph, container.concept_vectors, container.encoder.encode)
    yield Made(container, EntitySearch(container.graph, vectors, collection))
    sources.close()


@pytest.fixture(scope="module")
def heart_failure(cases: list[DemonstrationCase]) -> str:
    return next(case.text for case in cases if case.name == "heart-failure-ace-angioedema")


def test_graph_handbook_and_imported_pages_are_found_for_a_case(made: Made, heart_failure: str) -> None:
    linked, found = made.retrieve(heart_failure)
    assert {p.source for p in found.passages} == {Source.BOOK, Source.WIKI}
    assert found.graph
    assert found.fallbacks == ()
    assert "Orthopnea" in {p.title for p in found.passages}
    assert "Ankle" not in {p.title for p in found.passages if p.scores["entity"] == 1.0}
    kinds = {reference.source for reference in found.references}
    assert kinds == {Source.BOOK, Source.WIKI, Source.GRAPH}
    page = next(r for r in found.references if r.title == "Orthopnea")
    assert (page.url, page.licence) == ("https://wiki.test/Orthopnea", "CC BY-SA 4.0 (Wikipedia)")
    looked_up = {q.text for q in found.plan.sub_queries}
    spoken = {m.name for m in linked.note.mentions if not m.allergen and m.assertion not in EXCLUDED}
    silent = {m.name for m in linked.note.mentions} - spoken
    assert silent
    assert not looked_up & silent


@pytest.mark.parametrize("tokens", [4096, 2048, 1024])
def test_the_papers_input_limits_hold(made: Made, heart_failure: str, tokens: int) -> None:
    _, found = made.retrieve(heart_failure, tokens=tokens)
    # a token is a quarter of the characters, each piece rounded up by itself
    texts = [heart_failure, *(f"{p.title}. {p.text}" for p in found.passages), *(g.text for g in found.graph)]
    assert sum(-(-len(text) // 4) for text in texts) <= tokens
    assert found.passages


def test_every_case_gives_evidence_whose_ids_and_places_hold(
    made: Made, case: DemonstrationCase, chapters: dict[str, str]
) -> None:
    _, found = made.retrieve(case.text)
    assert [p.id for p in found.passages] == [f"P{i}" for i in range(1, len(found.passages) + 1)]
    assert found.graph
    for passage in (p for p in found.passages if p.source == Source.BOOK):
        assert chapters[passage.document_id][passage.start_char : passage.end_char] == passage.text
    for item in found.graph:
        assert item.concept_id in made.container.graph.index
        assert item.tail_id is None or item.tail_id in made.container.graph.index
    cited = [e for r in found.references for e in r.evidence]
    assert sorted(cited) == sorted([*(p.id for p in found.passages), *(g.id for g in found.graph)])


def test_the_same_note_gives_the_same_evidence_again(made: Made, heart_failure: str) -> None:
    assert made.retrieve(heart_failure) == made.retrieve(heart_failure)


def test_each_switch_changes_what_is_retrieved(made: Made, heart_failure: str) -> None:
    _, whole = made.retrieve(heart_failure)
    ablations: dict[str, Callable[[RetrievedEvidence], object]] = {
        "extraction": lambda found: {q.text for q in found.plan.sub_queries},
        "language": lambda found: {item.text for item in found.graph},
        "references": lambda found: found.references,
    }
    for switch, seen in ablations.items():
        _, without = made.retrieve(heart_failure, **{switch: False})
        assert seen(without) != seen(whole), switch
        assert without.graph
        assert without.passages
