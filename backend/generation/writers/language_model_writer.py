"""The writer that is a language model: drafts as they are written, cited, with everything a model says taken as a claim.

It reads the note and what was retrieved, nothing else. Code finds headings, sentences and ids, decides what a sentence rests
on, takes markup out, and proposes evidence where a sentence came without. It keeps what was written when the model breaks off.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from collections.abc import Generator as Steps
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

from backend.errors import EngineError, FullError, MissingError
from backend.generation.composer.answers.options import all_forbidden, forbidden_sentences
from backend.generation.composer.patient_material import MaterialMaker
from backend.generation.model.citation_proposal import Proposer
from backend.generation.model.context_fit import Fitted, fitted
from backend.generation.model.injected_evidence import refused
from backend.generation.model.option_choice import choose
from backend.generation.model.patient_data import patient_data
from backend.generation.model.plain_text import plain
from backend.generation.model.prompt_material import PromptMaterial
from backend.generation.model.reply_reading import SentenceReader
from backend.generation.model.reply_stream import SentenceStream
from backend.generation.writers.writer_parts import LANGUAGE_MODEL, WriterParts, material_maker
from backend.interfaces import Encoder, ForbiddenOptions, LanguageModel, Linker, none_forbidden
from backend.prompts.asking import heeding
from backend.prompts.citations import defused, marked
from backend.prompts.draft_prompts import ANSWER as ANSWER_PROMPT
from backend.prompts.draft_prompts import CHOICE, DISCHARGE, DISCHARGE_PARAGRAPH, PROGRESS, WritingPrompt
from backend.prompts.example import discharge_example, progress_example
from backend.registry import writer
from backend.schemas.chat import Cancelled, Completion, Finish, SamplingParams, never
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.headings import (
    ACTIVITY,
    ANSWER,
    ASSESSMENT,
    DIET,
    DISCHARGE_HEADINGS,
    FOLLOW_UP,
    FOUND,
    MEDICINES_PART,
    OBJECTIVE,
    PLAN,
    PRECAUTIONS,
    SOAP_HEADINGS,
    SUBJECTIVE,
    WARNING,
    WHY,
)
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Prepared, WriterReport, WrittenPiece
from backend.schemas.vocabulary import Basis, Document, DraftStatus, Length

ANSWER_WORDS = 250
ADVICE_WORDS = {Length.SHORT: 250, Length.FULL: 600}
"""Words of general advice that a letter may have."""
ALSO: dict[str, tuple[str, ...]] = {
    WHY: (
        "why you were in the hospital",
        "why you were here",
        "why you came to the hospital",
        "reason for your stay",
        "reason for admission",
        "your stay",
    ),
    FOUND: ("what was done", "what we found", "findings", "your tests", "tests and treatment", "hospital course"),
    MEDICINES_PART: ("medicines", "medications", "your medications", "medication"),
    DIET: ("diet", "food", "your diet", "dietary recommendations", "eating and drinking", "food and drinks"),
    ACTIVITY: ("activities", "your activity", "activity level", "activity and rest"),
    PRECAUTIONS: ("precautions", "safety", "staying safe at home", "allergies and precautions"),
    WARNING: ("when to call for help", "when to call", "warning signs", "when to seek help", "get help"),
    FOLLOW_UP: ("follow up", "followup", "follow-up care", "follow-up appointments", "appointments", "next steps"),
    SUBJECTIVE: ("s", "subjective (s)"),
    OBJECTIVE: ("o", "objective (o)"),
    ASSESSMENT: ("a", "assessment (a)"),
    PLAN: ("p", "plan (p)"),
    ANSWER: ("the answer",),
}


class Writing(NamedTuple):
    """How a document is asked for and read.

    Attributes:
        prompt: what asks for it.
        values: what fills the prompt's places.
        headings: names in lower case to the document's heading.
        first: the section of what stands before any heading.
        paragraph: the reply has no headings, and code finds the section of each sentence.
    """

    prompt: WritingPrompt
    values: Mapping[str, object]
    headings: dict[str, str]
    first: str
    paragraph: bool = False


def writing(request: DraftRequest) -> Writing:
    """The prompt of a request's document and style, with what fills it."""
    match request.document:
        case Document.DISCHARGE_INSTRUCTIONS if request.style == "paragraph":
            values = {"words": ADVICE_WORDS[request.length], "example": discharge_example(())}
            return Writing(DISCHARGE_PARAGRAPH, values, {}, WHY, paragraph=True)
        case Document.DISCHARGE_INSTRUCTIONS:
            values = {
                "headings": "\n".join(DISCHARGE_HEADINGS),
                "words": ADVICE_WORDS[request.length],
                "example": discharge_example(DISCHARGE_HEADINGS),
            }
            return Writing(DISCHARGE, values, named(DISCHARGE_HEADINGS), WHY)
        case Document.PROGRESS_NOTE:
            values = {"headings": "\n".join(SOAP_HEADINGS), "example": progress_example(SOAP_HEADINGS)}
            return Writing(PROGRESS, values, named(SOAP_HEADINGS), SUBJECTIVE)
        case Document.CLINICAL_ANSWER:
            return Writing(ANSWER_PROMPT, {"words": ANSWER_WORDS}, named((ANSWER,)), ANSWER)


def named(headings: tuple[str, ...]) -> dict[str, str]:
    """Each name a heading may have, in lower case, to the heading."""
    return {name.casefold(): heading for heading in headings for name in (heading, *ALSO[heading])}


Written = WrittenSentence | WrittenPiece | Prepared | WriterReport
Reader = Callable[[], SentenceReader]


@dataclass(frozen=True)
class WriterSettings:
    """How the model writes.

    Attributes:
        temperature: of the draft.
        top_p: of the draft.
        propose: propose evidence for sentences without a citation.
        piece: characters between two pieces of the sentence that is being written.
    """

    temperature: float = 0.0
    top_p: float = 1.0
    propose: bool = True
    piece: int = 16


@writer(LANGUAGE_MODEL, label="Language model", order=2)
def language_model_writer_of(parts: WriterParts) -> "ModelWriter":
    """Writes with the language model that the setting names.

    Raises:
        MissingError: the setting names none.
    """
    if parts.model is None:
        raise MissingError("The writer 'language-model' has no language model. Name one by LEAPNOTE_GENERATOR.")
    return ModelWriter(parts.model, parts.linker, parts.encoder, material_maker(parts), forbids=parts.forbids)


class ModelWriter:
    """The writer that is a language model. It holds no state between requests and may serve several at once.

    Args:
        model: writes.
        linker: reads its sentences.
        encoder: compares a sentence without a citation with the evidence.
        maker: makes what it is given of a patient, as the composer is.
        settings: how it writes.
        forbids: which options of a question the safety check forbids; the model cannot choose them.
    """

    def __init__(
        self,
        model: LanguageModel,
        linker: Linker,
        encoder: Encoder,
        maker: MaterialMaker,
        settings: WriterSettings = WriterSettings(),
        forbids: ForbiddenOptions = none_forbidden,
    ) -> None:
        self._forbids = forbids
        self._model = model
        self._linker = linker
        self._encoder = encoder
        self._maker = maker
        self._settings = settings
        self.name = model.name

    def write(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], evidence: Evidence
    ) -> Iterator[WrittenSentence]:
        """Yield the sentences alone.

        Raises:
            EngineError: after the last sentence, where the model broke off.
        """
        for item in self.stream(request, linked, conditions, evidence):
            if isinstance(item, WrittenSentence):
                yield item
            elif isinstance(item, WriterReport) and item.status == DraftStatus.PARTIAL:
                raise EngineError(item.reason)

    def answer(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], evidence: Evidence
    ) -> str:
        """The letter of the option that the model chooses; empty without options, or where it chose none.

        It asks the model; whoever reads `stream` has the answer in the report.
        """
        if request.document != Document.CLINICAL_ANSWER or not request.options:
            return ""
        forbidden = self._forbids(request, linked, conditions)
        data = patient_data(self._maker, request, linked, conditions, evidence)
        return choose(self._model, request, data.prompt_material(request, linked, forbidden)).letter

    def stream(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        cancelled: Cancelled = never,
    ) -> Iterator[Written]:
        """Write one document as its model does; see `Writer.stream`.

        An engine that fails ends it, with the reason in the report. Before anything is written, TooLongError is raised where the note
        alone does not fit, and FullError where the queue before the model is full.

        Yields:
            Prepared, sentences, between them the one being written, and last a report.
        """
        optional = request.document == Document.CLINICAL_ANSWER and bool(request.options)
        forbidden = self._forbids(request, linked, conditions) if optional else {}
        data = patient_data(self._maker, request, linked, conditions, evidence)
        material = data.prompt_material(request, linked, forbidden)
        asked = writing(request)

        @cache
        def reader() -> SentenceReader:
            """Made when the first sentence is whole: what it looks up keeps no first word waiting."""
            bad = refused(evidence, linked.note.text)
            proposer = (
                Proposer(self._linker, self._encoder, linked, data.evidence, bad) if self._settings.propose else None
            )
            return SentenceReader(
                request.document, asked.paragraph, self._linker, linked, conditions, evidence, bad, proposer
            )

        if optional:
            report = yield from self._chosen(request, material, reader, cancelled)
        else:
            report = yield from self._drafted(request, material, reader, asked, cancelled)
        read = reader()
        counted = {
            "refused": tuple(sorted(read.refused)),
            "left_out": read.left_out,
            "cleaned": read.cleaned,
            "proposed": read.proposed,
        }
        yield report.model_copy(update=counted)

    def samples(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        n: int,
        temperature: float,
        cancelled: Cancelled = never,
    ) -> tuple[tuple[str, ...], ...]:
        """Draw n drafts of the same prompt, each as its sentences, for uncertainty.

        EngineError and TooLongError of the model are raised.
        """
        asked = writing(request)
        data = patient_data(self._maker, request, linked, conditions, evidence)
        fit = fitted(self._model, asked.prompt, data.prompt_material(request, linked), asked.values)
        replies = self._model.chat(
            fit.messages,
            sampling=SamplingParams(n=n, temperature=temperature, seed=request.seed, max_tokens=fit.reply),
            cancelled=cancelled,
        )
        return tuple(_sentences(reply.text, asked) for reply in replies)

    def _drafted(
        self,
        request: DraftRequest,
        material: PromptMaterial,
        reader: Reader,
        asked: Writing,
        cancelled: Cancelled,
    ) -> Steps[Written, None, WriterReport]:
        cutter = SentenceStream(asked.headings, asked.first)
        status, reason, count, shown = DraftStatus.COMPLETE, "", 0, 0
        ended: Completion | None = None
        try:
            fit = fitted(self._model, asked.prompt, material, asked.values)
        except EngineError as error:
            return WriterReport(status=DraftStatus.PARTIAL, reason=str(error))
        yield Prepared()
        pieces = self._model.stream(
            fit.messages,
            sampling=SamplingParams(
                temperature=self._settings.temperature,
                top_p=self._settings.top_p,
                seed=request.seed,
                max_tokens=fit.reply,
            ),
            cancelled=cancelled,
        )
        try:
            for piece in pieces:
                ended = piece.ended or ended
                for reply_sentence in cutter.feed(piece.text):
                    sentence = reader().read(reply_sentence)
                    if sentence is not None:
                        count, shown = count + 1, 0
                        yield sentence
                size = len(cutter.pending)
                # the first words of a sentence at once: they are what a reader waits for
                if abs(size - shown) >= self._settings.piece or (size and not shown):
                    shown = size
                    yield WrittenPiece(text=plain(marked(cutter.pending).text).text)
                if cancelled():
                    status = DraftStatus.CANCELLED
                    break
        except FullError:
            raise  # nothing is written yet
        except EngineError as error:
            status, reason = DraftStatus.PARTIAL, str(error)
        finally:
            close = getattr(pieces, "close", None)
            if close is not None:
                close()  # so that the engine stops too
        if status == DraftStatus.COMPLETE:
            status, reason = _how_it_ended(ended, fit)
        for reply_sentence in cutter.end(whole=status == DraftStatus.COMPLETE):
            sentence = reader().read(reply_sentence)
            if sentence is not None:
                count += 1
                yield sentence
        if not count and status == DraftStatus.COMPLETE:
            status, reason = DraftStatus.NOTHING_FOUND, f"{self.name} answered without a sentence"
        return _report(asked.prompt, fit, status, reason)

    def _chosen(
        self, request: DraftRequest, material: PromptMaterial, reader: Reader, cancelled: Cancelled
    ) -> Steps[Written, None, WriterReport]:
        yield Prepared()
        try:
            with heeding(cancelled):
                choice = choose(self._model, request, material)
        except FullError:
            raise
        except EngineError as error:
            return WriterReport(status=DraftStatus.PARTIAL, reason=str(error))
        for reply_sentence in choice.written:
            sentence = reader().read(reply_sentence)
            if sentence is not None:
                yield sentence
        if choice.option:
            text = plain(defused(f"The answer chosen is {choice.letter}: “{choice.option}”.")).text
            cited = reader().allowed(choice.cited)
            yield WrittenSentence(text=text, section=ANSWER, basis=Basis.GENERAL, citations=cited)
            said = f"[{self.name} chose it{'' if cited else ' and cited nothing for it'}.]"
        else:
            said = f"[No option was chosen: {choice.reason}.]"
        yield WrittenSentence(text=said, section=ANSWER, basis=Basis.GENERAL, break_after=True)
        yield from forbidden_sentences(request.options, material.forbidden)
        complete = choice.option or all_forbidden(request.options, material.forbidden)
        status = DraftStatus.COMPLETE if complete else DraftStatus.PARTIAL
        return _report(CHOICE, choice.fit, status, choice.reason).model_copy(update={"answer": choice.letter})


def _how_it_ended(ended: Completion | None, fit: Fitted) -> tuple[DraftStatus, str]:
    if ended is not None and ended.finish == Finish.CANCELLED:
        return DraftStatus.CANCELLED, ""
    if ended is not None and ended.finish == Finish.LENGTH:
        return DraftStatus.PARTIAL, f"the reply reached its limit of {fit.reply:,} tokens"
    return DraftStatus.COMPLETE, ""


def _report(prompt: WritingPrompt, fit: Fitted, status: DraftStatus, reason: str) -> WriterReport:
    return WriterReport(
        status=status,
        reason=reason,
        dropped=fit.dropped,
        prompt=f"{prompt.name} {prompt.version}, {prompt.hash}",
        prompt_tokens=fit.tokens,
        reply_tokens=fit.reply,
    )


def _sentences(reply: str, asked: Writing) -> tuple[str, ...]:
    cutter = SentenceStream(asked.headings, asked.first)
    found = [*cutter.feed(reply), *cutter.end()]
    texts = (plain(marked(reply_sentence.text).text).text for reply_sentence in found)
    return tuple(text for text in texts if any(c.isalnum() for c in text) and not text.startswith("[team to complete"))
