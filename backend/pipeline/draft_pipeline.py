"""The order of the stages; yields a StageEvent after each, and the finished draft last.

Takes a request; knows no implementation of any stage, only the protocols. A stage that is None is left out, and the
draft says that the system leaves it out. A stage that finds nothing says why; that is no error. A stage that fails on a
text says so, and the draft, which is then partial, goes on without what the stage gives.
"""

from collections.abc import Callable, Iterator
from collections.abc import Generator as Steps

from backend.errors import CancelledError, FullError, LeapnoteError
from backend.interfaces import Writer
from backend.pipeline.evidence_cache import EvidenceCache, Kept
from backend.pipeline.evidence_queue import EvidenceQueue, Turn
from backend.pipeline.finishing import finished
from backend.pipeline.stages import Clock, Gathered, Stages, Written, as_json, failure, logged
from backend.prompts.asking import heeding
from backend.retrieval.entities.reference_list import styled
from backend.retrieval.strategies.strategy import Gathering
from backend.schemas.chat import Cancelled, never
from backend.schemas.drafts.draft import Draft, Generator, WrittenSentence
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.evidence import Evidence, Plan
from backend.schemas.drafts.note import Allergies, LinkedNote, Note
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import WriterReport, WrittenPiece
from backend.schemas.vocabulary import AllergyStatus, Assertion, DraftStatus

LOST = "lost with the retrieval, which failed"
AGAIN = " (kept from the draft that broke off)"


class DraftPipeline:
    """Runs one system's stages. It holds no state between requests and may serve several at once."""

    def __init__(
        self, stages: Stages, unfinished: EvidenceCache | None = None, line: EvidenceQueue | None = None
    ) -> None:
        """unfinished: keeps the evidence of drafts that broke off, for a retry. line: whose turn it is to compute evidence.
        Both shared by pipelines."""
        self._stages = stages
        self._unfinished = unfinished
        self._line = line or EvidenceQueue()

    def link(self, text: str) -> LinkedNote:
        return self._stages.linker.link(text)

    def evidence_events(self, request: DraftRequest, cancelled: Cancelled = never) -> Iterator[StageEvent]:
        """The stages up to the evidence; the last event is `evidence`, with a draft that has no text.

        Raises CancelledError when cancelled() turns true on the way.
        """
        clock, turn = Clock(), self._line.turn(cancelled)
        try:
            gathered = yield from self._gather(request, clock, cancelled, turn)
        finally:
            turn.leave()
        # nothing is written, so nothing is repaired or doubted
        stages = self._stages._replace(repairer=None, doubt=None)
        draft = finished(stages, request, gathered, Written(stages.generator), clock, cancelled)
        yield StageEvent(stage="evidence", data=as_json(draft))

    def draft_events(self, request: DraftRequest, cancelled: Cancelled = never) -> Iterator[StageEvent]:
        """Every stage; while it is written a `token` event a sentence, and `piece` events of the one being written; then
        `draft` with the whole Draft.

        Raises CancelledError when cancelled() turns true before anything is written; later, what is written stays. Raises
        FullError where the line before a model is full: too many drafts at once are refused, not written otherwise.
        """
        stages, clock, turn = self._stages, Clock(), self._line.turn(cancelled)
        try:
            kept = yield from self._gathered(request, clock, cancelled, turn)
            # in its turn until the prompt is written: whoever has come so far goes to the model at once
            written = yield from self._written(request, kept, clock, cancelled, turn.leave)
        finally:
            turn.leave()
        draft = finished(stages, request, kept.gathered, written, clock, cancelled)
        yield StageEvent(stage="draft", data=as_json(draft))

    def run(self, request: DraftRequest) -> Draft:
        """The finished draft of a request."""
        *_, last = self.draft_events(request)
        return Draft.model_validate(last.data)

    def run_evidence(self, request: DraftRequest) -> Draft:
        """A draft without text: what the evidence stages found."""
        *_, last = self.evidence_events(request)
        return Draft.model_validate(last.data)

    def _gathered(
        self, request: DraftRequest, clock: Clock, cancelled: Cancelled, turn: Turn
    ) -> Steps[StageEvent, None, Kept]:
        """What the request's evidence is, looked for or kept from a draft of it that broke off."""
        kept = self._unfinished.take(request) if self._unfinished else None
        if kept is None:
            events: list[StageEvent] = []
            steps = self._gather(request, clock, cancelled, turn)
            while True:
                try:
                    event = next(steps)
                except StopIteration as ended:
                    return Kept(tuple(events), ended.value)
                events.append(event)
                yield event
        for event in kept.events:
            again = clock.event(event.stage, f"{event.reason.removesuffix(AGAIN)}{AGAIN}", event.failed)
            yield again.model_copy(update={"data": event.data})
        return kept

    def _written(
        self, request: DraftRequest, kept: Kept, clock: Clock, cancelled: Cancelled, begun: Callable[[], None]
    ) -> Steps[StageEvent, None, Written]:
        """What the writer gives, or who stands in. The evidence is kept for a retry unless the writer itself came to its end:
        after a failure, after a stand-in, and where whoever reads goes away, which ends these steps at any of them."""
        stages, whole = self._stages, False
        try:
            written = yield from self._write(stages.writer, stages.generator, request, kept.gathered, cancelled, begun)
            whole = written.status == DraftStatus.COMPLETE
            if stages.stand_in and not written.sentences and written.status == DraftStatus.PARTIAL:
                said, failed = f"{stages.writer.name} wrote nothing: {written.reason}", written.failed
                instead = Generator(name=stages.stand_in.name, reason=said, where=stages.generator.where)
                written = yield from self._write(stages.stand_in, instead, request, kept.gathered, cancelled)
                written = written._replace(notes=(said, *written.notes), failed=written.failed or failed)
            count = f"{len(written.sentences)} sentences by {written.generator.name}"
            yield clock.event("write", written.reason or count, written.failed)
            return written
        finally:
            if self._unfinished and not whole:
                self._unfinished.put(request, kept)

    def _gather(
        self, request: DraftRequest, clock: Clock, cancelled: Cancelled, turn: Turn
    ) -> Steps[StageEvent, None, Gathered]:
        """The evidence, in its turn, which whoever calls is to end."""
        stages = self._stages
        yield from _waited(turn, clock)

        def progress(done: int, total: int, what: str) -> None:
            if cancelled():
                raise CancelledError(f"Cancelled while {what} ({done} of {total}).")

        left_out = f"left out by the system {stages.system}"
        text = request.text or request.question
        linked = clock.attempt("link", lambda: stages.linker.link(text), unread(text))
        present = sum(m.assertion == Assertion.PRESENT for m in linked.note.mentions)
        reason = f"{len(linked.note.mentions)} mentions, {present} of them present"
        yield clock.event("link", reason if linked.note.mentions else "nothing recognised", linked=linked)
        ranker, path_retriever, strategy = stages.ranker, stages.paths, stages.strategy
        conditions = clock.attempt("conditions", lambda: ranker.rank(linked, request), ()) if ranker else ()
        found = f"{len(conditions)} conditions fit" if conditions else "no condition fits what was recognised"
        yield clock.event("conditions", found if stages.ranker else left_out, conditions=conditions)
        paths, policy, why = (
            clock.attempt(
                "paths", lambda: path_retriever.paths(linked, conditions, request.seed), ((), (), "no path was found")
            )
            if path_retriever
            else ((), (), left_out)
        )
        if stages.paths and not stages.paths_are_evidence:
            why = f"{why}; for the thought alone, where no model thinks"
        shown = (paths, policy) if stages.paths_are_evidence else ((), ())
        yield clock.event("paths", why, paths=shown[0], policy=shown[1])
        progress(0, 1, "gathering")
        if strategy is None:
            gathering = Gathering((), Plan(), (), (), (), left_out, left_out, left_out)
        else:
            none = Gathering((), Plan(), (), (), (), LOST, LOST, LOST)
            with heeding(cancelled, turn.apart):
                gathering = clock.attempt(
                    "passages", lambda: strategy.gather(linked, conditions, paths, request, progress), none
                )
        yield clock.event("thought", gathering.thought_reason, thoughts=gathering.thoughts)
        yield clock.event("plan", gathering.plan_reason, plan=gathering.plan)
        notes = clock.attempt("notes", lambda: stages.notes.pieces(linked, request), ())
        if clock.has_failed("notes"):
            yield clock.event("notes", "")
        evidence = Evidence(
            paths=shown[0],
            policy=shown[1],
            graph=gathering.graph,
            passages=gathering.passages,
            notes=notes,
            references=tuple(r.model_copy(update={"text": styled(r)}) for r in gathering.references),
        )
        fallbacks = (*stages.notices, *gathering.fallbacks)
        yield clock.event("passages", gathering.passages_reason, evidence=evidence, fallbacks=fallbacks)
        return Gathered(linked, conditions, gathering.plan, evidence, fallbacks)

    def _write(
        self,
        writer: Writer,
        generator: Generator,
        request: DraftRequest,
        gathered: Gathered,
        cancelled: Cancelled,
        begun: Callable[[], None] = lambda: None,
    ) -> Steps[StageEvent, None, Written]:
        """What a writer gives, with an event a sentence. A writer that raises what the program can name broke off.

        begun is called as soon as it gives anything.
        """
        written = Written(generator)
        sentences: list[WrittenSentence] = []
        try:
            for item in writer.stream(request, gathered.linked, gathered.conditions, gathered.evidence, cancelled):
                begun()
                if isinstance(item, WrittenSentence):
                    sentences.append(item)
                    yield StageEvent(stage="token", data=as_json(item))
                elif isinstance(item, WrittenPiece):
                    yield StageEvent(stage="piece", data=as_json(item))
                elif isinstance(item, WriterReport):
                    notices = item.notices()
                    written = Written(generator, (), item.status, item.reason, item.answer, item.prompt, notices)
        except CancelledError:
            written = written._replace(status=DraftStatus.CANCELLED, reason="cancelled")
        except FullError:
            raise
        except LeapnoteError as error:
            written = written._replace(status=DraftStatus.PARTIAL, reason=str(error))
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


def _waited(turn: Turn, clock: Clock) -> Steps[StageEvent, None, None]:
    """Until it is this draft's turn, with an event before and after; none where nobody is before it."""
    before = turn.join()
    if before:
        told = f"{before} {'draft' if before == 1 else 'drafts'} before this one"
        yield StageEvent(stage="turn", reason=f"waits: {told}")
        turn.wait()
        yield clock.event("turn", told)
