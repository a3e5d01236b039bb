"""The order of the stages: a StageEvent after each, and the finished draft last.

Only the protocols of the stages are known here. A stage that is None is left out, and the draft says that the system
leaves it out. A stage that finds nothing says why; that is no error. A stage that fails on a text says so, and the
draft, which is then partial, goes on without what the stage gives.
"""

import time
from collections.abc import Callable, Iterator
from collections.abc import Generator as Steps

from backend.errors import CancelledError, FullError, KnowledgeError, LeapnoteError
from backend.generation.composer.answers.misspelt_topic import TakenFor
from backend.generation.locale import sentence_in_locale
from backend.generation.standing.crisis_line import with_crisis_line
from backend.generation.standing.general_warnings import with_general_warnings
from backend.interfaces import NoteContext, Writer
from backend.nlp.people.unsuited_text import is_english
from backend.pipeline.evidence_cache import CachedEvidence, EvidenceCache
from backend.pipeline.evidence_queue import EvidenceQueue, QueueSlot
from backend.pipeline.finishing import finished
from backend.pipeline.stages import Clock, EvidenceState, PipelineParts, Written, as_json, failure, logged
from backend.prompts.asking import heeding
from backend.retrieval.entities.reference_list import styled
from backend.retrieval.paths.path_parts import Remembers
from backend.retrieval.strategies.strategy import counted, retrieved
from backend.schemas.chat import Cancelled, never
from backend.schemas.drafts.draft import Draft, Generator, WrittenSentence
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.evidence import Evidence, Plan
from backend.schemas.drafts.note import Allergies, LinkedNote, Note
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import WriterReport, WrittenPiece
from backend.schemas.vocabulary import AllergyStatus, Assertion, DraftStatus

NOT_ENGLISH = "The note is not in English, so nothing is written from it. What was recognised is shown; write the note in English."
LOST = "lost with the retrieval, which failed"
AGAIN = " (kept from the draft that broke off)"


class DraftPipeline:
    """Runs one system's stages. It holds no state between requests and may serve several at once.

    Args:
        parts: an implementation of each stage.
        cache: keeps the evidence of drafts that broke off, for a retry; shared by pipelines.
        queue: whose turn it is to compute evidence; shared by pipelines.
        now: seconds of a steady clock, by which stages are timed.
    """

    def __init__(
        self,
        parts: PipelineParts,
        cache: EvidenceCache | None = None,
        queue: EvidenceQueue | None = None,
        now: Callable[[], float] = time.perf_counter,
    ) -> None:
        self._parts = parts
        self._cache = cache
        self._queue = queue or EvidenceQueue()
        self._now = now

    def forget(self) -> None:
        """Let go of what the path retriever keeps of notes."""
        if isinstance(self._parts.paths, Remembers):
            self._parts.paths.forget()

    def link(self, text: str) -> LinkedNote:
        """What the first stage reads in a text."""
        return self._parts.linker.link(text)

    def evidence_events(self, request: DraftRequest, cancelled: Cancelled = never) -> Iterator[StageEvent]:
        """The stages up to the evidence; the last event is `evidence`, with a draft that has no text.

        Args:
            request: what is asked.
            cancelled: the stages end with CancelledError when it turns true.

        Yields:
            An event a stage.
        """
        clock, slot = Clock(self._now), self._queue.slot(cancelled)
        asked, _ = self._asked(request, clock)
        try:
            state = yield from self._retrieve(asked, clock, cancelled, slot)
        finally:
            slot.leave()
        # nothing is written, so nothing is repaired or doubted
        parts = self._parts._replace(repairer=None, doubt=None)
        draft = finished(parts, asked, state, Written(parts.generator), clock, cancelled)
        yield StageEvent(stage="evidence", data=as_json(draft.model_copy(update={"question": request.question})))

    def draft_events(self, request: DraftRequest, cancelled: Cancelled = never) -> Iterator[StageEvent]:
        """Every stage, and the draft last.

        Where the queue before a model is full, a FullError ends them: too many drafts at once are refused, not written
        otherwise.

        Args:
            request: what is asked.
            cancelled: before anything is written, the stages end with CancelledError when it turns true; later, what is
                written stays.

        Yields:
            An event a stage; while it is written a `token` event a sentence, and `piece` events of the one being written;
            then `draft` with the whole Draft.
        """
        parts, clock, slot = self._parts, Clock(self._now), self._queue.slot(cancelled)
        asked, taken = self._asked(request, clock)
        try:
            found = yield from self._evidence(asked, clock, cancelled, slot)
            if taken:
                yield StageEvent(stage="token", data=as_json(taken.told()))
            # in its turn until the prompt is written: whoever has come so far goes to the model at once
            written = yield from self._written(asked, found, clock, cancelled, slot.leave)
        finally:
            slot.leave()
        if taken and written.sentences:
            written = written._replace(sentences=(taken.told(), *written.sentences))
        draft = finished(parts, asked, found.state, written, clock, cancelled)
        yield StageEvent(stage="draft", data=as_json(draft.model_copy(update={"question": request.question})))

    def run(self, request: DraftRequest) -> Draft:
        """The finished draft of a request."""
        *_, last = self.draft_events(request)
        return Draft.model_validate(last.data)

    def run_evidence(self, request: DraftRequest) -> Draft:
        """A draft without text: what the evidence stages found."""
        *_, last = self.evidence_events(request)
        return Draft.model_validate(last.data)

    def _asked(self, request: DraftRequest, clock: Clock) -> tuple[DraftRequest, TakenFor | None]:
        # The request as it is read, and which topic its question was taken to ask about.
        topics = self._parts.topics
        if topics is None or not request.question:
            return request, None
        return clock.attempt("link", lambda: topics.read(request), (request, None))

    def _evidence(
        self, request: DraftRequest, clock: Clock, cancelled: Cancelled, slot: QueueSlot
    ) -> Steps[StageEvent, None, CachedEvidence]:
        # The request's evidence, retrieved or kept from a draft of it that broke off.
        kept = self._cache.take(request) if self._cache else None
        if kept is None:
            events: list[StageEvent] = []
            steps = self._retrieve(request, clock, cancelled, slot)
            while True:
                try:
                    event = next(steps)
                except StopIteration as ended:
                    return CachedEvidence(tuple(events), ended.value)
                events.append(event)
                yield event
        for event in kept.events:
            again = clock.event(event.stage, f"{event.reason.removesuffix(AGAIN)}{AGAIN}", event.failed)
            yield again.model_copy(update={"data": event.data})
        return kept

    def _written(
        self,
        request: DraftRequest,
        found: CachedEvidence,
        clock: Clock,
        cancelled: Cancelled,
        begun: Callable[[], None],
    ) -> Steps[StageEvent, None, Written]:
        # What the writer gives, or who stands in. The evidence is kept for a retry unless the writer itself came to its end:
        # after a failure, after a stand-in, and where whoever reads leaves, which ends these steps at any of them.
        parts, whole = self._parts, False
        if request.text and not is_english(request.text):
            yield clock.event("write", NOT_ENGLISH)
            return Written(parts.generator, status=DraftStatus.NOTHING_FOUND, reason=NOT_ENGLISH, notes=(NOT_ENGLISH,))
        try:
            with clock.timed("write"):
                written = yield from self._write(parts.writer, parts.generator, request, found.state, cancelled, begun)
            whole = written.status == DraftStatus.COMPLETE
            if parts.stand_in and not written.sentences and written.status == DraftStatus.PARTIAL:
                why, failed = f"{parts.writer.name} wrote nothing: {written.reason}", written.failed
                instead = Generator(name=parts.stand_in.name, reason=why, where=parts.generator.where)
                with clock.timed("write"):
                    written = yield from self._write(parts.stand_in, instead, request, found.state, cancelled)
                written = written._replace(notes=(why, *written.notes), failed=written.failed or failed)
            if written.status == DraftStatus.PARTIAL and not written.sentences:
                written = written._replace(
                    failed=written.failed or LeapnoteError.__name__
                )  # no draft is empty without a flag
            count = f"{len(written.sentences)} sentences by {written.generator.name}"
            yield clock.event("write", written.reason or count, written.failed)
            return written
        finally:
            # evidence that lacks what a failed stage gives is not kept: a retry runs the stage again
            if self._cache and not whole and not any(event.failed for event in found.events):
                self._cache.put(request, found)

    def _retrieve(
        self, request: DraftRequest, clock: Clock, cancelled: Cancelled, slot: QueueSlot
    ) -> Steps[StageEvent, None, EvidenceState]:
        # The evidence, in its turn, which whoever calls is to end.
        parts = self._parts
        yield from _waited(slot, clock)

        def progress(done: int, total: int, what: str) -> None:
            if cancelled():
                raise CancelledError(f"Cancelled while {what} ({done} of {total}).")

        left_out = f"left out by the system {parts.system}"
        text = request.text or request.question
        corrections = request.corrections if request.text else ()
        linked = clock.attempt("link", lambda: parts.linker.read(text), unread(text))
        extractor, extracted = parts.extractor, ""
        if extractor is not None and request.text:
            rules = linked
            with heeding(cancelled, slot.paused):
                linked, extracted = clock.attempt(
                    "extraction",
                    lambda: extractor.read(rules, request.seed),
                    (rules, "the rules' reading stands alone"),
                )
            yield clock.event("extraction", extracted)
        if corrections:
            with clock.timed("link"):
                linked = parts.linker.correct(linked, corrections)
        present = sum(m.assertion == Assertion.PRESENT for m in linked.note.mentions)
        reason = f"{len(linked.note.mentions)} mentions, {present} of them present"
        yield clock.event("link", reason if linked.note.mentions else "nothing recognised", linked=linked)
        ranker, path_retriever = parts.ranker, parts.paths
        conditions = clock.attempt("conditions", lambda: ranker.rank(linked, request), ()) if ranker else ()
        fit = f"{len(conditions)} conditions fit" if conditions else "no condition fits what was recognised"
        yield clock.event("conditions", fit if parts.ranker else left_out, conditions=conditions)
        paths, policy, why = (
            clock.attempt(
                "paths", lambda: path_retriever.paths(linked, conditions, request.seed), ((), (), "no path was found")
            )
            if path_retriever
            else ((), (), left_out)
        )
        if parts.paths and not parts.paths_are_evidence:
            why = f"{why}; for the thought alone, where no model thinks"
        shown = (paths, policy) if parts.paths_are_evidence else ((), ())
        yield clock.event("paths", why, paths=shown[0], policy=shown[1])
        progress(0, 1, "retrieving")
        with heeding(cancelled, slot.paused):
            context = NoteContext(linked, conditions, paths, request)
            none = retrieved(Plan(), (), reasons=(LOST,) * 3)
            found = clock.attempt("passages", lambda: parts.strategy.retrieve(context, progress), none)
        # one time for the three, at passages: a strategy may loop them
        yield clock.event("thought", found.thought_reason, thoughts=found.thoughts)
        yield clock.event("plan", found.plan_reason, plan=found.plan)
        notes = clock.attempt("notes", lambda: parts.notes.pieces(linked, request), ())
        yield clock.event("notes", f"{counted(len(notes), 'piece')} of the patient's own notes")
        passages = with_crisis_line(found.passages, linked, request)
        passages = with_general_warnings(passages, linked, request, conditions, parts.linker)
        if parts.instructions is not None:
            passages = parts.instructions.added(passages, linked, request, conditions)
        evidence = Evidence(
            paths=shown[0],
            policy=shown[1],
            graph=found.graph,
            passages=passages,
            notes=notes,
            references=tuple(r.model_copy(update={"text": styled(r)}) for r in found.references),
        )
        fallbacks = (*parts.notices, *found.fallbacks)
        yield clock.event("passages", found.passages_reason, evidence=evidence, fallbacks=fallbacks)
        return EvidenceState(linked, conditions, found.plan, evidence, fallbacks)

    def _write(
        self,
        writer: Writer,
        generator: Generator,
        request: DraftRequest,
        state: EvidenceState,
        cancelled: Cancelled,
        begun: Callable[[], None] = lambda: None,
    ) -> Steps[StageEvent, None, Written]:
        # What a writer gives, with an event a sentence; begun is called as soon as it gives anything. A writer that raises
        # what the program can name broke off.
        written = Written(generator)
        sentences: list[WrittenSentence] = []
        try:
            for item in writer.stream(request, state.linked, state.conditions, state.evidence, cancelled):
                begun()
                if isinstance(item, WrittenSentence):
                    sentences.append(item)
                    shown = sentence_in_locale(item, request.text, request.locale, self._parts.locale)
                    yield StageEvent(stage="token", data=as_json(shown))
                elif isinstance(item, WrittenPiece):
                    yield StageEvent(stage="piece", data=as_json(item))
                elif isinstance(item, WriterReport):
                    written = Written(
                        generator,
                        status=item.status,
                        reason=item.reason,
                        answer=item.answer,
                        prompt=item.prompt,
                        notes=item.notices(),
                        untold=item.untold,
                    )
        except CancelledError:
            written = written._replace(status=DraftStatus.CANCELLED, reason="cancelled")
        except FullError:
            raise
        except LeapnoteError as error:
            failed = (
                type(error).__name__ if isinstance(error, KnowledgeError) else ""
            )  # a rule file that cannot be read
            written = written._replace(status=DraftStatus.PARTIAL, reason=str(error), failed=failed)
        except Exception as error:  # a defect of a writer costs what it had yet to write
            kind = logged("write", error)
            written = written._replace(status=DraftStatus.PARTIAL, reason=failure("write", kind), failed=kind)
        if written.status == DraftStatus.COMPLETE and cancelled():
            written = written._replace(status=DraftStatus.CANCELLED, reason="cancelled")
        if written.status == DraftStatus.COMPLETE and not sentences:
            written = written._replace(status=DraftStatus.NOTHING_FOUND)
        return written._replace(sentences=tuple(sentences))


def unread(text: str) -> LinkedNote:
    """A note that could not be read: nothing is known of it, its allergies least of all."""
    return LinkedNote(note=Note(text=text), allergies=Allergies(status=AllergyStatus.UNREADABLE))


def _waited(slot: QueueSlot, clock: Clock) -> Steps[StageEvent, None, None]:
    # Until it is this draft's turn, with an event before and after; none where nobody is before it.
    before = slot.join()
    if before:
        ahead = f"{before} {'draft' if before == 1 else 'drafts'} before this one"
        yield StageEvent(stage="turn", reason=f"waits: {ahead}")
        with clock.timed("turn"):
            slot.wait()
        yield clock.event("turn", ahead)
