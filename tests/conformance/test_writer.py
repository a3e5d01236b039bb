"""What every registered writer must do, whoever adds it: cite what is there, end with a report, stop, and keep what is written."""

from collections.abc import Callable, Iterator, Sequence
from typing import Any, NamedTuple

import pytest

from backend.container.container import Container
from backend.diagnosis.ranking.condition_ranking import GraphConditionRanker
from backend.errors import EngineError
from backend.generation.writers.writer_parts import LANGUAGE_MODEL, WriterParts, make_writer
from backend.interfaces import Writer
from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.contraindications import Contraindications
from backend.nlp.extraction.linker import DictionaryLinker
from backend.pipeline.finishing import evidence_ids
from backend.registry import WRITERS, writer
from backend.retrieval.paths.graph_facts import GraphFactRetriever
from backend.retrieval.patient_notes.note_pieces import NotePieces
from backend.schemas.chat import Message, Piece, never
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence, Passage
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Prepared, WriterReport, WrittenPiece
from backend.schemas.vocabulary import Basis, Document, DraftStatus, Source
from backend.settings import Settings
from backend.stores.graph.graph import Graph
from models.llm.engine_scripted import Scripted

NOTE = "Allergies: none\n\nChief Complaint: dyspnea and leg swelling\n\nHPI: A 60-year-old woman. She takes furosemide 40 mg daily.\n"
BOOK = "Heart failure means that the heart pumps too weakly. Call your doctor if your legs swell more."
REPLY = "You came because of dyspnea [N1]. Your legs were swollen [N1]. Your doctor can help with swollen legs [P1].\n"


class Breaks(Scripted):
    """Writes so many words, then breaks off."""

    def __init__(self, words: int) -> None:
        super().__init__(REPLY)
        self._words = words

    def stream(self, messages: Sequence[Message], **settings: Any) -> Iterator[Piece]:
        for place, piece in enumerate(super().stream(messages, **settings)):
            if place == self._words:
                raise EngineError("The server broke off.")
            yield piece


class Ran(NamedTuple):
    """What a writer gave for one request. items: everything, in order."""

    items: tuple[Any, ...]
    evidence: Evidence

    @property
    def sentences(self) -> list[WrittenSentence]:
        return [item for item in self.items if isinstance(item, WrittenSentence)]

    @property
    def report(self) -> WriterReport:
        assert isinstance(self.items[-1], WriterReport), "the last item is no report"
        return self.items[-1]


class World(NamedTuple):
    """A tiny graph and note, and the parts to build any writer from."""

    parts: WriterParts
    linked: LinkedNote
    conditions: tuple[Condition, ...]
    evidence: Evidence

    def run(
        self,
        name: str,
        model: Any = None,
        document: Document = Document.DISCHARGE_INSTRUCTIONS,
        cancelled: Callable[[], bool] = never,
        nothing: bool = False,
    ) -> Ran:
        """A draft by a writer; nothing: of a note and evidence that hold nothing."""
        made: Writer = WRITERS.get(name).value(self.parts._replace(model=model or Scripted("" if nothing else REPLY)))
        question = "What could explain this?" if document == Document.CLINICAL_ANSWER else ""
        linked = self.parts.linker.link("...") if nothing else self.linked
        request = DraftRequest(text=linked.note.text, document=document, question=question)
        evidence = Evidence() if nothing else self.evidence
        items = made.stream(request, linked, () if nothing else self.conditions, evidence, cancelled)
        return Ran(tuple(items), evidence)


@pytest.fixture
def world(tiny_graph: Graph, tiny_reach: AllergyReach, tiny_linker: DictionaryLinker, encoder: Any) -> World:
    request = DraftRequest(text=NOTE)
    linked = tiny_linker.link(NOTE)
    conditions = GraphConditionRanker(tiny_graph, {}).rank(linked, request)
    book = Passage(
        id="P1", source=Source.BOOK, document_id="d", title="Heart failure: What it is", text=BOOK, start_char=0,
        end_char=len(BOOK), section="What it is", concept_id="T:heart-failure",
    )  # fmt: skip
    evidence = Evidence(
        graph=GraphFactRetriever(tiny_graph).facts(linked, conditions),
        passages=(book,),
        notes=NotePieces(tiny_linker, {row.concept_id: row.name for row in tiny_graph.concepts}).pieces(
            linked, request
        ),
    )
    plain = {row.concept_id: row.definition for row in tiny_graph.concepts if row.definition}
    parts = WriterParts(
        tiny_linker, encoder, tiny_reach, plain, lambda _, one: one.allergies.concept_ids, Contraindications(tiny_graph)
    )
    return World(parts, linked, conditions, evidence)


def check_cites_what_exists(name: str, world: World) -> None:
    """Every document has sentences, and each cites ids of the evidence alone."""
    for document in Document:
        ran = world.run(name, document=document)
        assert any(sentence.citations for sentence in ran.sentences), document
        known = evidence_ids(ran.evidence)
        assert [c for s in ran.sentences for c in s.citations if c not in known] == []


def check_a_patient_sentence_cites_a_note(name: str, world: World) -> None:
    for document in Document:
        for sentence in world.run(name, document=document).sentences:
            if sentence.basis == Basis.PATIENT:
                assert any(c.startswith("N") for c in sentence.citations), sentence.text


def check_ends_with_a_report(name: str, world: World) -> None:
    """Only what a writer may give, one report, last; a whole draft is complete."""
    for document in Document:
        ran = world.run(name, document=document)
        assert ran.report.status == DraftStatus.COMPLETE
        assert all(isinstance(one, WrittenSentence | WrittenPiece | Prepared) for one in ran.items[:-1])


def check_stops_when_cancelled(name: str, world: World) -> None:
    """At most one sentence more than was there when it was told to stop, and the report says so."""
    whole = world.run(name).sentences
    ran = world.run(name, cancelled=lambda: True)
    assert len(ran.sentences) < len(whole)
    assert len(ran.sentences) <= 1
    assert ran.report.status == DraftStatus.CANCELLED


def check_keeps_what_was_written(name: str, world: World) -> None:
    """A model that breaks off costs the sentence that was being written, never those before it, and nothing is raised."""
    whole = [sentence.text for sentence in world.run(name).sentences]
    for words in (0, 14):
        ran = world.run(name, Breaks(words))
        kept = [sentence.text for sentence in ran.sentences]
        assert kept == whole[: len(kept)]
        if len(kept) < len(whole):
            assert (ran.report.status, bool(ran.report.reason)) == (DraftStatus.PARTIAL, True)
            assert words == 0 or kept


def check_says_that_nothing_was_found(name: str, world: World) -> None:
    for document in Document:
        ran = world.run(name, document=document, nothing=True)
        assert ran.sentences == []
        assert ran.report.status == DraftStatus.NOTHING_FOUND


CHECKS = (
    check_cites_what_exists,
    check_a_patient_sentence_cites_a_note,
    check_ends_with_a_report,
    check_stops_when_cancelled,
    check_keeps_what_was_written,
    check_says_that_nothing_was_found,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.__name__)
@pytest.mark.parametrize("name", WRITERS.names())
def test_a_writer_does_what_every_writer_must(name: str, check: Callable[[str, World], None], world: World) -> None:
    check(name, world)


class Sound:
    """The least that a writer may be: one sentence of the note's first piece."""

    name = "sound"
    cites: tuple[str, ...] = ("N1",)
    stops = ends = knows_nothing = True

    def __init__(self, parts: WriterParts) -> None:
        self._parts = parts

    def stream(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        cancelled: Callable[[], bool] = never,
    ) -> Iterator[WrittenSentence | WriterReport]:
        for _ in range(3 if evidence.notes or not self.knows_nothing else 0):
            yield WrittenSentence(text="She has dyspnea.", section="Plan", basis=Basis.PATIENT, citations=self.cites)
            if cancelled() and self.stops:
                yield WriterReport(status=DraftStatus.CANCELLED)
                return
        if self.ends:
            yield WriterReport() if evidence.notes else WriterReport(status=DraftStatus.NOTHING_FOUND)


def failing(made: Callable[[WriterParts], Any], world: World) -> list[str]:
    """The checks that a writer does not pass once it is registered."""
    failed = []
    with WRITERS.scratch():
        writer("trial", label="On trial")(made)
        for check in CHECKS:
            try:
                check("trial", world)
            except (AssertionError, EngineError, IndexError):
                failed.append(check.__name__)
    return failed


def test_a_new_writer_passes_by_being_registered(world: World) -> None:
    assert failing(Sound, world) == []
    assert "trial" not in WRITERS.names()


class CitesNobody(Sound):
    cites = ("N99",)


class CitesABook(Sound):
    cites = ("P1",)


class NeverEnds(Sound):
    ends = False


class NeverStops(Sound):
    stops = False


class WritesFromNothing(Sound):
    knows_nothing = False


class Raises(Sound):
    def stream(self, *args: Any, **settings: Any) -> Iterator[WrittenSentence | WriterReport]:
        for piece in self._parts.model.stream(()):  # type: ignore[union-attr]
            yield WrittenSentence(text=piece.text, section="Plan", basis=Basis.PATIENT, citations=("N1",))
        yield WriterReport()


@pytest.mark.parametrize(
    ("broken", "check"),
    [
        (CitesNobody, "check_cites_what_exists"),
        (CitesABook, "check_a_patient_sentence_cites_a_note"),
        (NeverEnds, "check_ends_with_a_report"),
        (NeverStops, "check_stops_when_cancelled"),
        (WritesFromNothing, "check_says_that_nothing_was_found"),
        (Raises, "check_keeps_what_was_written"),
    ],
)
def test_a_broken_writer_fails(broken: type[Sound], check: str, world: World) -> None:
    assert check in failing(broken, world)


def test_a_setting_names_the_writer_of_its_kind_and_an_engine_the_language_model(world: World) -> None:
    parts = world.parts._replace(model=Scripted(REPLY))
    assert make_writer("composer", parts).name == "composer"
    assert make_writer("vllm:some-model", parts).name == "scripted"
    with WRITERS.scratch():
        writer("sound", label="Sound")(Sound)
        assert isinstance(make_writer("sound", parts), Sound)
    assert LANGUAGE_MODEL in WRITERS.names()


def test_the_setting_of_a_new_writer_is_enough_to_draft_with_it(container: Container, test_settings: Settings) -> None:
    with WRITERS.scratch():
        writer("sound", label="Sound")(Sound)
        chosen = container.changed(generator="sound")
        draft = chosen.pipeline("no-retrieval").run(DraftRequest(text=NOTE))
    assert (draft.generator.name, draft.generator.where) == ("sound", "stays in this program")
    assert [sentence.text for sentence in draft.sentences] == ["She has dyspnea."] * 3
