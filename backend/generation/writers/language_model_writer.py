"""The writer that is a language model: drafts as they are written, cited, with everything a model says taken as a claim.

It reads the note and what was retrieved, nothing else. Code finds headings, sentences and ids, decides what a sentence rests
on, takes markup out, and proposes evidence where a sentence came without. It keeps what was written when the model breaks off.
"""

from collections.abc import Callable, Iterator, Sequence
from collections.abc import Generator as Steps
from dataclasses import dataclass
from functools import cache

from backend.errors import EngineError, FullError, MissingError
from backend.generation.composer.answers.option_sentences import (
    all_forbidden,
    forbidden_sentences,
    warned_sentences,
    warning_sentence,
)
from backend.generation.composer.patient_material import MaterialMaker
from backend.generation.model.citation_proposal import Proposer
from backend.generation.model.context_fit import Fitted, fitted
from backend.generation.model.injected_evidence import refused
from backend.generation.model.option_choice import choice_fit, choice_schema, choose, sampled_choice
from backend.generation.model.patient_data import PatientData, patient_data
from backend.generation.model.plain_text import plain
from backend.generation.model.prompt_material import PromptMaterial
from backend.generation.model.reply_reading import SentenceReader
from backend.generation.model.reply_stream import SentenceStream
from backend.generation.standing.standing_sentences import standing_sentences, with_standing
from backend.generation.writers.document_writing import Writing, writing
from backend.generation.writers.writer_parts import LANGUAGE_MODEL, WriterParts, material_maker
from backend.interfaces import Encoder, ForbiddenOptions, LanguageModel, Linker, none_forbidden
from backend.prompts.asking import heeding
from backend.prompts.citations import defused, marked
from backend.prompts.draft_prompts import CHOICE, WritingPrompt
from backend.registry import writer
from backend.schemas.chat import GREEDY, Cancelled, Completion, Finish, SamplingParams, never
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.gaps import GAP
from backend.schemas.drafts.headings import (
    ANSWER,
)
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Prepared, WriterReport, WrittenPiece
from backend.schemas.vocabulary import Basis, Document, DraftStatus

Written = WrittenSentence | WrittenPiece | Prepared | WriterReport
Reader = Callable[[], SentenceReader]


@dataclass(frozen=True)
class WriterSettings:
    """How the model writes.

    Attributes:
        sampling: of the draft; the seed is the request's, the length what fits.
        propose: propose evidence for sentences without a citation.
        piece: characters between two pieces of the sentence that is being written.
    """

    sampling: SamplingParams = GREEDY
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
    maker = material_maker(parts)
    return ModelWriter(parts.model, parts.linker, parts.encoder, maker, forbids=parts.forbids, cautions=parts.cautions)


class ModelWriter:
    """The writer that is a language model. It holds no state between requests and may serve several at once.

    Args:
        model: writes.
        linker: reads its sentences.
        encoder: compares a sentence without a citation with the evidence.
        maker: makes what it is given of a patient, as the composer is.
        settings: how it writes.
        forbids: which options of a question the safety check forbids; the model cannot choose them.
        cautions: which of them it forbids or warns of; a warning stands before an answer that the model chose all the same.
    """

    def __init__(
        self,
        model: LanguageModel,
        linker: Linker,
        encoder: Encoder,
        maker: MaterialMaker,
        settings: WriterSettings = WriterSettings(),
        forbids: ForbiddenOptions = none_forbidden,
        cautions: ForbiddenOptions = none_forbidden,
    ) -> None:
        self._forbids = forbids
        self._cautions = cautions
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
        data = self._data(request, linked, conditions, evidence)
        return choose(self._model, request, data.prompt_material(request, linked)).letter

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
        data = self._data(request, linked, conditions, evidence)
        material = data.prompt_material(request, linked)
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
            report = yield from self._chosen(request, data, material, reader, cancelled)
        else:
            drafted = self._drafted(request, material, reader, asked, cancelled)
            standing = standing_sentences(request, linked, evidence)
            report = yield from with_standing(drafted, standing, request.document)
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
        sampling: SamplingParams,
        cancelled: Cancelled = never,
    ) -> tuple[tuple[str, ...], ...]:
        """Draw sampling.n drafts of the prompt that writes, each as its sentences, for uncertainty; the seed is the request's.

        EngineError and TooLongError of the model are raised.
        """
        asked = writing(request)
        material = self._data(request, linked, conditions, evidence).prompt_material(request, linked)
        if request.document == Document.CLINICAL_ANSWER and request.options:
            fit = choice_fit(self._model, material)
            drawn = sampling._replace(seed=request.seed, max_tokens=fit.reply)
            schema = choice_schema(request.options)
            replies = self._model.chat(fit.messages, sampling=drawn, schema=schema, cancelled=cancelled)
            return tuple(sampled_choice(reply.text, request.options) for reply in replies)
        fit = fitted(self._model, asked.prompt, material, asked.values)
        replies = self._model.chat(
            fit.messages,
            sampling=sampling._replace(seed=request.seed, max_tokens=fit.reply),
            cancelled=cancelled,
        )
        return tuple(_sentences(reply.text, asked) for reply in replies)

    def _data(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], evidence: Evidence
    ) -> PatientData:
        return patient_data(self._maker, request, linked, conditions, evidence, self._forbids, self._cautions)

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
            sampling=self._settings.sampling._replace(seed=request.seed, max_tokens=fit.reply),
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
        self,
        request: DraftRequest,
        data: PatientData,
        material: PromptMaterial,
        reader: Reader,
        cancelled: Cancelled,
    ) -> Steps[Written, None, WriterReport]:
        yield Prepared()
        try:
            with heeding(cancelled):
                choice = choose(self._model, request, material)
        except FullError:
            raise
        except EngineError as error:
            return WriterReport(status=DraftStatus.PARTIAL, reason=str(error))
        if choice.letter in data.against.warned:  # a warning stands before what it warns of
            yield warning_sentence(choice.letter, choice.option, data.against.warned[choice.letter])
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
        yield from forbidden_sentences(request.options, data.forbidden)
        yield from warned_sentences(data.against.excluded, request.options)
        complete = choice.option or all_forbidden(request.options, data.forbidden)
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
    return tuple(text for text in texts if any(c.isalnum() for c in text) and not GAP.search(text))
