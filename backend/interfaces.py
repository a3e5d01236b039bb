"""The protocols by which stages reach one another; `backend.container` gives each stage what it needs."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import NamedTuple, Protocol

import numpy as np

from backend.schemas.chat import GREEDY, Abilities, Cancelled, Completion, Message, Piece, SamplingParams, never
from backend.schemas.drafts.draft import (
    Checks,
    Draft,
    FitVerdict,
    Flag,
    Readability,
    Sentence,
    Verdict,
    WrittenSentence,
)
from backend.schemas.drafts.evidence import (
    Condition,
    Evidence,
    GraphItem,
    NotePiece,
    Plan,
    PolicyStep,
    ReasoningPath,
    SubQuery,
)
from backend.schemas.drafts.medicines import MedicineRow
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Prepared, Repaired, Uncertainty, WriterReport, WrittenPiece
from backend.schemas.record import Correction
from backend.schemas.vocabulary import Document


class Encoder(Protocol):
    """Text to unit vectors. name identifies weights, so that an index can refuse another encoder's vectors."""

    name: str
    dimension: int

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """(len(texts), dimension) float32, rows of length 1."""

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """The same for what is searched with; another model where an encoder has one for queries."""


class Reranker(Protocol):
    """Scores passages against a query, reading both together."""

    name: str

    def scores(self, query: str, passages: Sequence[str]) -> np.ndarray:
        """(len(passages),) float32; higher fits better; comparable within one query only."""


class Linker(Protocol):
    """Reads a text: what it mentions and what it says of the patient."""

    def link(self, text: str) -> LinkedNote:
        """Sections, mentions with assertions, allergies and patient of one note. Finding nothing is a value."""

    def named(self, text: str) -> tuple[Mention, ...]:
        """What a text names that is nobody's note, such as a passage: no allergens are marked, no past reactions told."""

    def read(self, text: str, corrections: Sequence[Correction] = ()) -> LinkedNote:
        """The same as link with the patient record and a clinician's corrections: for a note, not for sentences and passages."""

    def correct(self, linked: LinkedNote, corrections: Sequence[Correction]) -> LinkedNote:
        """The note with a clinician's corrections, which must be of its text."""


class RecordReader(Protocol):
    """Reads a note's record with a model, beside the rules."""

    def read(self, linked: LinkedNote, seed: int) -> tuple[LinkedNote, str]:
        """The note with the merged record, and what is to be said of it: what fell back, or was dropped."""


class ConditionRanker(Protocol):
    """Ranks the candidate conditions of a note."""

    def rank(self, linked: LinkedNote, request: DraftRequest) -> tuple[Condition, ...]:
        """Conditions that fit the note, best first; must-not-miss ones show whatever their rank."""


class MedicineTable(Protocol):
    """Makes the medicine table of a draft, whoever writes it."""

    def rows(self, request: DraftRequest, linked: LinkedNote, evidence: Evidence) -> tuple[MedicineRow, ...]:
        """The rows in the order of the table."""


class FitVerifier(Protocol):
    """Holds sentences against the patient's record, whoever wrote them."""

    def check(
        self,
        sentences: Sequence[WrittenSentence],
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        request: DraftRequest,
    ) -> tuple[FitVerdict, ...]:
        """One verdict a sentence, in order."""


class PathRetriever(Protocol):
    """Finds reasoning paths through the graph."""

    def paths(
        self, linked: LinkedNote, conditions: Sequence[Condition], seed: int
    ) -> tuple[tuple[ReasoningPath, ...], tuple[PolicyStep, ...], str]:
        """Reasoning paths, the policy's choices, and a reason (why none, or how they were chosen)."""


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

    def into_group_many(self, concepts: np.ndarray, group: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Offsets (len(concepts) + 1,) int64, tails (m,) int32 and relation ids (m,) int16 of the edges into a group.

        The edges of concepts[i] are offsets[i] to offsets[i + 1], ordered by relation, then tail, then qualifier.
        """


class NoteContext(NamedTuple):
    """What is known of a request before its text sources are searched: what strategies and planners start from.

    Attributes:
        linked: the note, or the question alone, with its mentions.
        conditions: candidates, best first; none where the system ranks none.
        paths: reasoning paths K1, K2…, best first; none where the system finds none.
        request: as it came.
    """

    linked: LinkedNote
    conditions: Sequence[Condition]
    paths: Sequence[ReasoningPath]
    request: DraftRequest


FindTexts = Callable[[Sequence[SubQuery]], Sequence[str]]
"""Runs sub-queries and gives the texts found, best first: how a planner that reflects sees what its queries find."""


class Planned(NamedTuple):
    """What a planner gives.

    Attributes:
        plan: every source is named in it: asked, or skipped with the reason.
        reason: who made the plan and how.
        fallbacks: what ran otherwise than the planner's name promises, and why; the page shows them.
    """

    plan: Plan
    reason: str
    fallbacks: tuple[str, ...] = ()


class SourcePlanner(Protocol):
    """Plans at most 3 queries for each of the five sources (Omni-RAG section 4).

    Registered with `@planner(name, label=…)`, with `needs_model=False` where it is what it promises without a language model.
    With `what=…` it is also a system of its name, whose plan is carried out as Omni-RAG does.

    It asks only sources that hold something and are allowed, keeps no state between two requests, gives the same plan for
    the same request and seed, and without a language model falls back and says so. name: as it is registered.
    """

    name: str

    def plan(self, context: NoteContext, find_texts: FindTexts) -> Planned:
        """The plan of a request.

        Args:
            context: note, conditions, paths and request.
            find_texts: runs sub-queries; a planner that does not reflect never calls it.

        Raises:
            CancelledError: the request was cancelled while a model or a search was waited for.
        """


class NotePlanner(Protocol):
    """Plans from the note alone, as many queries as it needs."""

    def plan(self, context: NoteContext) -> Plan:
        """Sub-queries for every source, each asked or skipped with the reason."""


class GraphFacts(Protocol):
    """Finds graph definitions and relations worth citing."""

    def facts(self, linked: LinkedNote, conditions: Sequence[Condition], asked: bool = False) -> tuple[GraphItem, ...]:
        """Items G1, G2…, none where nothing is known. asked: linked is a question, and what joins its things comes first."""


class PatientNotes(Protocol):
    """Finds what the patient's own notes say that a draft may cite."""

    def pieces(self, linked: LinkedNote, request: DraftRequest) -> tuple[NotePiece, ...]:
        """Pieces N1, N2… of the pasted note and of earlier notes."""


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


class Repairer(Protocol):
    """Rewords or strikes sentences that their citations do not support."""

    def repair(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        sentences: Sequence[WrittenSentence],
    ) -> Repaired:
        """The sentences that stay, in order, what was struck, and why."""


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
    ) -> Uncertainty:
        """The doubt of the whole answer and of each sentence, or a reason why there is none."""


class Layout(Protocol):
    """Puts sentences together to a document."""

    def lay_out(
        self, sentences: Sequence[WrittenSentence], document: Document, style: str
    ) -> tuple[str, tuple[tuple[int, int], ...]]:
        """The draft's text, and each sentence's half-open offsets in it."""


class Readable(Protocol):
    """Measures how easily a text reads."""

    def measure(self, sentences: Sequence[str]) -> Readability:
        """Readability of the patient's text, headings left out; no sentences give no score."""


class Verifier(Protocol):
    """Checks each sentence against what it cites."""

    def verify(
        self, sentences: Sequence[WrittenSentence], linked: LinkedNote, evidence: Evidence
    ) -> tuple[Verdict, ...]:
        """One verdict a sentence, from the cited text itself."""


class SafetyCheck(Protocol):
    """Checks a draft against the patient's allergies, conditions and medicines."""

    def check(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], sentences: Sequence[Sentence]
    ) -> tuple[tuple[Flag, ...], Checks]:
        """The flags, the most severe first, and what was compared to find them."""


class ForbiddenOptions(Protocol):
    """Tells which options of a question the safety check forbids for this patient, by letter with the reason."""

    def __call__(self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition]) -> Mapping[str, str]:
        """The reason by the letter of each option that would bring a severe flag."""


def none_forbidden(request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition]) -> Mapping[str, str]:
    """Forbids no option: for parts that are built without a safety check."""
    return {}


class LanguageModel(Protocol):
    """A chat model, however it is reached. It may serve several requests at once.

    name says which weights answer, for the draft's record. context: tokens of prompt and reply together. The methods
    raise EngineError when the model cannot be reached, refuses, stalls or breaks off; what had been written is in it.
    """

    @property
    def name(self) -> str:
        """Which weights answer."""

    @property
    def context(self) -> int:
        """Tokens of prompt and reply together."""

    @property
    def abilities(self) -> Abilities:
        """What the engine can do beyond text."""

    def chat(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        schema: Mapping[str, object] | None = None,
        scored: bool = False,
        cancelled: Cancelled = never,
    ) -> tuple[Completion, ...]:
        """The replies to one conversation.

        Args:
            messages: the conversation, in order.
            sampling: how many replies, and how they are drawn; the i-th with seed + i.
            schema: a JSON schema each reply must follow; an engine without that ability leaves it out, since callers check.
            scored: with the tokens' log-probabilities.
            cancelled: asked again and again; once true, what was written so far is given back as cancelled.

        Returns:
            sampling.n replies.
        """

    def stream(
        self,
        messages: Sequence[Message],
        *,
        sampling: SamplingParams = GREEDY,
        cancelled: Cancelled = never,
    ) -> Iterator[Piece]:
        """One reply as it is written, the same as `chat` gives for the same sampling; its n is left aside.

        Closing the iterator, or cancelled() turning true, stops the engine too.
        """

    def count_tokens(self, messages: Sequence[Message]) -> int:
        """Tokens of the conversation as the model reads it; never too few where the engine can only estimate."""


class Engine(LanguageModel, Protocol):
    """A language model that a setting names: made once, shared by all requests, closed at the end."""

    def warm(self) -> str:
        """Find out in advance what the first request would wait for; a sentence on what was found, or nothing.

        Raises EngineError when it does not answer.
        """

    def check_queue(self) -> None:
        """Raises FullError where a request would be refused now; takes no place."""

    def close(self) -> None:
        """Give back connections or memory, after what still runs; a later request connects or loads again."""


class Pipeline(Protocol):
    """Takes a request through every stage."""

    def run(self, request: DraftRequest) -> Draft:
        """The finished draft."""
