"""A pipeline whose stages can be steered: a writer that writes what it is given, a stage with a defect, a slow one."""

from collections.abc import Iterator, Sequence
from typing import Any

from backend.schemas.chat import Cancelled, never
from backend.schemas.drafts.draft import Checks, Flag, Sentence, WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import WriterReport, WrittenPiece
from backend.schemas.vocabulary import Basis

NOTE = "Chief Complaint: cough and fever\n"


class SteeredWriter:
    """Writes what it is given; fails after it when a failure is given."""

    name = "steered"

    def __init__(self, sentences: Sequence[WrittenSentence], failure: Exception | None = None) -> None:
        self._sentences = sentences
        self._failure = failure

    def stream(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        cancelled: Cancelled = never,
    ) -> Iterator[WrittenSentence | WrittenPiece | WriterReport]:
        for sentence in self._sentences:
            yield WrittenPiece(text=sentence.text[:3])
            yield sentence
            if cancelled():
                return
        if self._failure:
            raise self._failure
        yield WriterReport()


class NoSafety:
    def check(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], sentences: Sequence[Sentence]
    ) -> tuple[tuple[Flag, ...], Checks]:
        return (), Checks()


class Failing:
    """A stage of any kind with a defect that this text meets, whatever it is called for. Its message quotes the note."""

    name = "failing"

    def __init__(self, error: BaseException | None = None) -> None:
        self._error = error or IndexError(f"no such place in {NOTE}")

    def _fail(self, *given: Any, **more: Any) -> Any:
        raise self._error

    link = read = rank = paths = retrieve = pieces = stream = repair = verify = score = check = lay_out = measure = (
        _fail
    )


class SteeredClock:
    """Seconds that pass only where a test lets them."""

    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


class Slow:
    """A stage of any kind that takes a second by the clock for whatever it is called for."""

    def __init__(self, stage: Any, clock: SteeredClock) -> None:
        self._stage, self._clock = stage, clock

    def __getattr__(self, name: str) -> Any:
        part = getattr(self._stage, name)

        def slowly(*given: Any, **more: Any) -> Any:
            self._clock.seconds += 1.0
            return part(*given, **more)

        return slowly if callable(part) else part


def written(text: str, *citations: str) -> WrittenSentence:
    return WrittenSentence(text=text, section="Why", basis=Basis.PATIENT, citations=citations)
