"""Long-text uncertainty (LUQ, Zhang et al. 2024; Omni-RAG A.3): how far samples of one prompt say the same.

A sentence's consistency with a sample is the probability that the sample carries it. A sample's consistency is the mean over
its sentences and over the other samples; the uncertainty is 1 less the mean over the samples (LUQ, equations 1 to 3). A draft's
sentence gets 1 less its mean consistency with all samples. 0 is certain, 1 is not; comparable within one scorer only. It
tells how steady a model is, not whether it is right. What cannot be scored is None, with the reason.
"""

import re
from collections.abc import Sequence
from typing import Annotated, Literal, Protocol

import numpy as np
from pydantic import Field

from backend.errors import LeapnoteError
from backend.interfaces import Encoder, LanguageModel
from backend.prompts.asking import Asker
from backend.prompts.verdict_prompts import CARRIED
from backend.schemas.base import Frozen
from backend.schemas.drafts.written import Uncertainty

SAMPLES = 9
TEMPERATURE = 0.7
AT_ONCE = 40  # sentences a judge is asked about in one call
FEWEST = 2  # samples: one alone agrees with nobody
_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")


class Consistency(Protocol):
    """A premise-hypothesis scorer."""

    name: str

    def carried(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        """(len(hypotheses),) 0 to 1: how surely a text, given as its sentences, says each of these. May raise LeapnoteError."""
        ...


def luq(draft: Sequence[str], samples: Sequence[Sequence[str]], scorer: Consistency) -> Uncertainty:
    """Of a draft's sentences, and of the samples among themselves.

    samples: each as its sentences; one without any sentence is left out. A draft without sentences has only the answer's score.
    """
    told = [list(sample) for sample in samples if sample]
    nothing = (None,) * len(draft)
    if len(told) < FEWEST:
        return Uncertainty(
            None, nothing, f"not scored: {len(told)} samples said anything, at least {FEWEST} are needed"
        )
    every = [text for sample in told for text in sample]
    owner = np.repeat(np.arange(len(told)), [len(sample) for sample in told])
    rows = np.zeros((len(told), len(every) + len(draft)))
    try:
        # one question a text: what all the others say, and the draft, in one go
        for i, sample in enumerate(told):
            asked = np.concatenate([np.flatnonzero(owner != i), len(every) + np.arange(len(draft))])
            rows[i, asked] = scorer.carried(sample, [[*every, *draft][place] for place in asked])
    except LeapnoteError as error:
        return Uncertainty(None, nothing, f"not scored: {error}", scorer.name, len(told))
    agreed = [
        np.mean([rows[j, : len(every)][owner == i].mean() for j in range(len(told)) if j != i])
        for i in range(len(told))
    ]
    each = tuple(round(float(1.0 - column), 3) for column in rows[:, len(every) :].mean(axis=0))
    return Uncertainty(round(float(1.0 - np.mean(agreed)), 3), each, "", scorer.name, len(told))


def unscored(draft: Sequence[str], reason: str) -> Uncertainty:
    """For a draft that no model wrote, or when its samples could not be had."""
    return Uncertainty(None, (None,) * len(draft), f"not scored: {reason}")


class EmbeddingConsistency:
    """Where there is no premise-hypothesis scorer: the highest cosine to a sentence of the text, at least 0, times the share of
    the sentence's numbers that the text has. Meaning vectors see neither numbers nor a "no"; the second it cannot mend."""

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.name = f"cosine of {encoder.name}, and numbers"

    def carried(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        if not hypotheses:
            return np.zeros(0)
        vectors = self._encoder.encode([*premise, *hypotheses])
        near = (vectors[len(premise) :] @ vectors[: len(premise)].T).max(axis=1).clip(0.0, 1.0)
        there = frozenset(_NUMBER.findall(" ".join(premise)))
        shares = [_share(frozenset(_NUMBER.findall(text)), there) for text in hypotheses]
        return np.asarray(near * np.array(shares), dtype=np.float64)


class PairScorer(Protocol):
    """A natural language inference model: entailment against contradiction, softmax over these two alone (as LUQ has it)."""

    name: str

    def entailment(self, premises: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        """(n,) 0 to 1, one for each pair."""
        ...


class InferenceConsistency:
    """LUQ's own scorer: the text as premise, each sentence as hypothesis."""

    def __init__(self, scorer: PairScorer) -> None:
        self._scorer = scorer
        self.name = scorer.name

    def carried(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        return np.asarray(self._scorer.entailment([" ".join(premise)] * len(hypotheses), list(hypotheses)))


class _Judged(Frozen):
    number: int
    verdict: Literal["yes", "no", "silent"]


class _Verdicts(Frozen):
    verdicts: Annotated[tuple[_Judged, ...], Field(min_length=1)]


class JudgedConsistency:
    """A language model as judge: 1 for yes, 0 for no and for silent. A sentence it leaves out is not scored as 0: it raises
    LeapnoteError."""

    def __init__(self, model: LanguageModel, seed: int = 0) -> None:
        self._asker = Asker(model, seed)
        self.name = f"{model.name} as judge"

    def carried(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        found = [self._batch(premise, hypotheses[i : i + AT_ONCE]) for i in range(0, len(hypotheses), AT_ONCE)]
        return np.concatenate(found) if found else np.zeros(0)

    def _batch(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        numbered = "\n".join(f"{number}. {text}" for number, text in enumerate(hypotheses, start=1))
        reply = self._asker.shaped(CARRIED, _Verdicts, {"text": " ".join(premise), "sentences": numbered})
        if reply.value is None:
            raise LeapnoteError(f"the judge gave no verdict: {reply.reason}")
        said = {judged.number: judged.verdict == "yes" for judged in reply.value.verdicts}
        missing = sum(number not in said for number in range(1, len(hypotheses) + 1))
        if missing:
            raise LeapnoteError(f"the judge left out {missing} of {len(hypotheses)} sentences")
        return np.array([float(said[number]) for number in range(1, len(hypotheses) + 1)])


def _share(asked: frozenset[str], there: frozenset[str]) -> float:
    return len(asked & there) / len(asked) if asked else 1.0
