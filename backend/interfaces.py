"""The protocols by which stages reach one another. `assembly` hands each stage what it needs."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Protocol

import numpy as np

from backend.schemas.chat import Abilities, Cancelled, Completion, Message, Piece, never
from backend.schemas.drafts.draft import Checks, Draft, Flag, Readability, Sentence, Verdict, WrittenSentence
from backend.schemas.drafts.evidence import (
    Condition,
    Evidence,
    GraphItem,
    NotePiece,
    Passage,
    Plan,
    PolicyStep,
    ReasoningPath,
)
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Prepared, Repaired, Uncertainty, WriterReport, WrittenPiece
from backend.schemas.vocabulary import Document


class Encoder(Protocol):
    """Text to unit vectors. name identifies weights, so that an index can refuse another encoder's vectors."""

    name: str
    dimension: int

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """(len(texts), dimension) float32, rows of length 1."""
        ...

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """The same for what is searched with; another model where an encoder has one for queries."""
        ...


class Reranker(Protocol):
    name: str

    def scores(self, query: str, passages: Sequence[str]) -> np.ndarray:
        """(len(passages),) float32; higher fits better; comparable within one query only."""
        ...


class Linker(Protocol):
    def link(self, text: str) -> LinkedNote:
        """Sections, mentions with assertions, allergies and patient of one note. Finding nothing is a value."""
        ...


class ConditionRanker(Protocol):
    def rank(self, linked: LinkedNote, request: DraftRequest) -> tuple[Condition, ...]:
        """Conditions that fit the note, best first; must-not-miss ones show whatever their rank."""
        ...


class PathRetriever(Protocol):
    def paths(
        self, linked: LinkedNote, conditions: Sequence[Condition], seed: int
    ) -> tuple[tuple[ReasoningPath, ...], tuple[PolicyStep, ...], str]:
        """Reasoning paths, the policy's choices, and a reason (why none, or how they were chosen)."""
        ...


class PathGraph(Protocol):
    """A graph as a policy walks it. A concept is an index 0..n-1 in the order of the ids; a group indexes GROUPS."""

    groups: np.ndarray
    """(n,) int8: the semantic group of each concept."""
    reach: np.ndarray
    """(n,) uint16: bit g is set where an edge leads into group g."""
    relations: tuple[str, ...]

    def fetch(self, concepts: np.ndarray, group: int) -> None:
        """Make ready the edges into one group, of these concepts and of all that those edges lead to.

        Called once a step, before into_group_many: a remote graph answers it in one round trip, one in memory at once.
        """
        ...

    def into_group_many(self, concepts: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """offsets (len(concepts) + 1,) int64, tails (m,) int32 and relation ids (m,) int16 of the edges into a group.

        The edges of concepts[i] are offsets[i] to offsets[i + 1], ordered by relation, then tail, then qualifier.
        """
        ...


class Planner(Protocol):
    def plan(
        self, linked: LinkedNote, conditions: Sequence[Condition], paths: Sequence[ReasoningPath], request: DraftRequest
    ) -> Plan: ...


class Retriever(Protocol):
    def retrieve(self, plan: Plan, conditions: Sequence[Condition]) -> tuple[Passage, ...]:
        """Passages for a plan, best first, ids P1, P2…"""
        ...


class GraphFacts(Protocol):
    def facts(self, linked: LinkedNote, conditions: Sequence[Condition]) -> tuple[GraphItem, ...]: ...


class PatientNotes(Protocol):
    def pieces(self, linked: LinkedNote, request: DraftRequest) -> tuple[NotePiece, ...]: ...


class Writer(Protocol):
    """Whatever writes the draft; it reads only the note and what was retrieved.

    Registered with `@writer(name, label=…)` on what builds it from `backend.generation.writers.writer_parts.WriterParts`; the
    setting LEAPNOTE_GENERATOR names it, or an engine, which the language model writer then uses. It holds no state between
    requests: one serves several at once. It cites ids of the evidence, and for a sentence of basis patient at least one N;
    the pipeline removes and counts ids that do not exist.

    name: what the draft's record and messages call it.
    """

    name: str

    def stream(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        cancelled: Cancelled = never,
    ) -> Iterator[WrittenSentence | WrittenPiece | Prepared | WriterReport]:
        """Write one document.

        Args:
            request: the document, style, question and options asked for.
            linked: the note as it was read.
            conditions: the ranked conditions, the best first.
            evidence: everything that may be cited.
            cancelled: asked after each sentence; once it is true the writer stops, with a report of status cancelled.

        Yields:
            Sentences in order, between them the one being written as far as it is, and last a report; first of all Prepared,
            where a model is then waited for. A writer that breaks off ends with a report of status partial and the reason:
            what it had written stays. One that has evidence for no sentence reports nothing_found.
        """
        ...


class Repairer(Protocol):
    """Rewords or strikes sentences that their citations do not carry."""

    def repair(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        sentences: Sequence[WrittenSentence],
    ) -> Repaired: ...


class Doubt(Protocol):
    """How far samples of a writer say the same (LUQ)."""

    def score(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        sentences: Sequence[str],
        cancelled: Cancelled = never,
    ) -> Uncertainty: ...


class Layout(Protocol):
    def lay_out(
        self, sentences: Sequence[WrittenSentence], document: Document, style: str
    ) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The draft's text, and each sentence's half-open offsets in it."""
        ...


class Readable(Protocol):
    def measure(self, sentences: Sequence[str]) -> Readability:
        """Readability of the patient's text, headings left out; no sentences give no score."""
        ...


class Verifier(Protocol):
    def verify(
        self, sentences: Sequence[WrittenSentence], linked: LinkedNote, evidence: Evidence
    ) -> tuple[Verdict, ...]:
        """One verdict a sentence, from the cited text itself."""
        ...


class SafetyCheck(Protocol):
    def check(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], sentences: Sequence[Sentence]
    ) -> tuple[tuple[Flag, ...], Checks]: ...


class ForbiddenOptions(Protocol):
    """Tells which options of a question the safety check forbids for this patient, by letter with the reason."""

    def __call__(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition]
    ) -> Mapping[str, str]: ...


def none_forbidden(request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition]) -> Mapping[str, str]:
    """Forbids no option: for parts that are built without a safety check."""
    return {}


class LanguageModel(Protocol):
    """A chat model, however it is reached. It may serve several requests at once.

    name says which weights answer, for the draft's record. context: tokens of prompt and reply together. The methods
    raise EngineError when the model cannot be reached, refuses, stalls or breaks off; what had been written is in it.
    """

    @property
    def name(self) -> str: ...

    @property
    def context(self) -> int: ...

    @property
    def abilities(self) -> Abilities: ...

    def chat(
        self,
        messages: Sequence[Message],
        *,
        schema: Mapping[str, object] | None = None,
        n: int = 1,
        temperature: float = 0.0,
        top_p: float = 1.0,
        seed: int = 0,
        max_tokens: int = 1024,
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        """n replies to one conversation; the i-th is drawn with seed + i.

        schema: a JSON schema each reply must follow; an engine without that ability leaves it out, since callers check.
        scored: with the tokens' log-probabilities.
        """
        ...

    def stream(
        self,
        messages: Sequence[Message],
        *,
        temperature: float = 0.0,
        top_p: float = 1.0,
        seed: int = 0,
        max_tokens: int = 1024,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """The reply as it is written. Closing the iterator, or cancelled() turning true, stops the engine too."""
        ...

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Tokens of the conversation as the model reads it; never too few where the engine can only estimate."""
        ...


class Pipeline(Protocol):
    def run(self, request: DraftRequest) -> Draft: ...
