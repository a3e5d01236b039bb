"""How far a writer's samples of one prompt agree with its draft (LUQ, Zhang et al. 2024; Omni-RAG A.3)."""

from collections.abc import Callable, Sequence
from typing import Protocol, runtime_checkable

from backend.errors import LeapnoteError
from backend.schemas.chat import Cancelled, SamplingParams, never
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Uncertainty

TEMPERATURE = 0.7
Score = Callable[[Sequence[str], Sequence[Sequence[str]]], Uncertainty]


@runtime_checkable
class SampledWriter(Protocol):
    """A writer that can draw several drafts of one prompt."""

    def samples(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        sampling: SamplingParams,
        cancelled: Cancelled = never,
    ) -> tuple[tuple[str, ...], ...]:
        """Draw sampling.n drafts of the same prompt, each as its sentences; the seed is the request's.

        Raises:
            LeapnoteError: they cannot be had.
        """
        ...


class SampleUncertainty:
    """Scores a draft by samples of its writer.

    Args:
        writer: draws the samples.
        samples: how many.
        score_of: a draft's sentences and those of each sample to their uncertainty.
    """

    def __init__(self, writer: SampledWriter, samples: int, score_of: Score) -> None:
        self._writer = writer
        self._samples = samples
        self._score_of = score_of

    def score(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        sentences: Sequence[str],
        cancelled: Cancelled = never,
    ) -> Uncertainty:
        """The uncertainty of each sentence and of the answer, 0 to 1; None with the reason where the samples cannot be had."""
        try:
            sampling = SamplingParams(self._samples, TEMPERATURE)
            drawn = self._writer.samples(request, linked, conditions, evidence, sampling, cancelled)
        except LeapnoteError as error:
            return Uncertainty(None, (None,) * len(sentences), f"not scored: {error}")
        return self._score_of(sentences, drawn)
