"""How steady a model's draft is: samples of the same prompt, scored against one another (LUQ; Omni-RAG A.3)."""

from collections.abc import Callable, Sequence

from backend.errors import LeapnoteError
from backend.generation.model.model_writer import ModelWriter
from backend.schemas.chat import Cancelled, never
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Uncertainty

TEMPERATURE = 0.7
Score = Callable[[Sequence[str], Sequence[Sequence[str]]], Uncertainty]


class ModelDoubt:
    """score_of: a draft's sentences and those of each sample to their uncertainty."""

    def __init__(self, writer: ModelWriter, samples: int, score_of: Score) -> None:
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
        """Not scored, with the reason, where the samples could not be had."""
        try:
            told = self._writer.samples(request, linked, conditions, evidence, self._samples, TEMPERATURE, cancelled)
        except LeapnoteError as error:
            return Uncertainty(None, (None,) * len(sentences), f"not scored: {error}")
        return self._score_of(sentences, told)
