"""From evidence to a checked document: the writer, its repair and layout, what checks a draft, and the pipeline of all stages."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Protocol

from backend.schemas.chat import Cancelled, never
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
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Prepared, Repaired, Uncertainty, WriterReport, WrittenPiece
from backend.schemas.vocabulary import Document


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


class Pipeline(Protocol):
    """Takes a request through every stage."""

    def run(self, request: DraftRequest) -> Draft:
        """The finished draft."""


class FitVerifier(Protocol):
    """Holds sentences against the patient's record, whoever wrote them."""

    def check(
        self,
        sentences: Sequence[WrittenSentence],
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        request: DraftRequest,
        by_hand: Collection[int] = (),
    ) -> tuple[FitVerdict, ...]:
        """One verdict a sentence, in order. by_hand: places of the sentences in a clinician's own words."""


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
