"""Long-text uncertainty (LUQ, Zhang et al. 2024; Omni-RAG A.3): how far samples of one prompt say the same.

A sentence's consistency with a sample is the probability that the sample supports it. A sample's consistency is the mean over
its sentences and over the other samples; the uncertainty is 1 less the mean over the samples (LUQ, equations 1 to 3). A draft's
sentence gets 1 less its mean consistency with all samples. 0 is certain, 1 is not; comparable within one scorer only. It says
how steady a model is, not whether it is right. What cannot be scored is None, with the reason.
"""

import re
from collections.abc import Sequence
from typing import Protocol

import numpy as np

from backend.errors import LeapnoteError
from backend.interfaces import Encoder, LanguageModel
from backend.prompts.asking import Asker
from backend.prompts.verdicts import LEFT_OUT, SentenceVerdict, batches, judged
from backend.schemas.drafts.written import Uncertainty

SAMPLES = 9
TEMPERATURE = 0.7
FEWEST = 2  # samples: one alone agrees with nobody
_NUMBER = re.compile(r"\d+(?:[.,/]\d+)*")


class Consistency(Protocol):
    """A premise-hypothesis scorer."""

    name: str

    def supported(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        """(len(hypotheses),) 0 to 1: how surely a text, given as its sentences, says each of these. May raise LeapnoteError."""
        ...


def luq(draft: Sequence[str], samples: Sequence[Sequence[str]], scorer: Consistency) -> Uncertainty:
    """Of a draft's sentences, and of the samples among themselves.

    samples: each as its sentences; one without any sentence is left out. A draft without sentences has only the answer's score.
    """
    kept = [list(sample) for sample in samples if sample]
    nothing = (None,) * len(draft)
    if len(kept) < FEWEST:
        return Uncertainty(
            None, nothing, f"not scored: {len(kept)} samples said anything, at least {FEWEST} are needed"
        )
    every = [text for sample in kept for text in sample]
    owner = np.repeat(np.arange(len(kept)), [len(sample) for sample in kept])
    rows = np.zeros((len(kept), len(every) + len(draft)))
    try:
        # one question a text: what all the others say, and the draft, in one go
        for i, sample in enumerate(kept):
            asked = np.concatenate([np.flatnonzero(owner != i), len(every) + np.arange(len(draft))])
            rows[i, asked] = scorer.supported(sample, [[*every, *draft][place] for place in asked])
    except LeapnoteError as error:
        return Uncertainty(None, nothing, f"not scored: {error}", scorer.name, len(kept))
    agreed = [
        np.mean([rows[j, : len(every)][owner == i].mean() for j in range(len(kept)) if j != i])
        for i in range(len(kept))
    ]
    each = tuple(round(float(1.0 - column), 3) for column in rows[:, len(every) :].mean(axis=0))
    return Uncertainty(round(float(1.0 - np.mean(agreed)), 3), each, "", scorer.name, len(kept))


def unscored(draft: Sequence[str], reason: str) -> Uncertainty:
    """For a draft that no model wrote, or when its samples could not be had."""
    return Uncertainty(None, (None,) * len(draft), f"not scored: {reason}")


class EmbeddingConsistency:
    """Where there is no premise-hypothesis scorer: cosines and numbers.

    The highest cosine to a sentence of the text, at least 0, times the share of the sentence's numbers that the text has. Meaning
    vectors see neither numbers nor a "no"; the second it cannot mend.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self.name = f"cosine of {encoder.name}, and numbers"

    def supported(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        """The cosines times the shares, (len(hypotheses),)."""
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

    def supported(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        """The entailment of each sentence by the whole text, (len(hypotheses),)."""
        return np.asarray(self._scorer.entailment([" ".join(premise)] * len(hypotheses), list(hypotheses)))


class JudgedConsistency:
    """A language model as judge: 1 for yes, 0 for no and for silent.

    A sentence that it leaves out is not scored as 0: LeapnoteError is raised.
    """

    def __init__(self, model: LanguageModel, seed: int = 0) -> None:
        self._asker = Asker(model, seed)
        self.name = f"{model.name} as judge"

    def supported(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        """The verdicts as 1 and 0, (len(hypotheses),); LeapnoteError is raised where one is missing."""
        found = [self._batch(premise, [hypotheses[i] for i in batch]) for batch in batches(len(hypotheses))]
        return np.concatenate(found) if found else np.zeros(0)

    def _batch(self, premise: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        found = judged(self._asker, " ".join(premise), hypotheses)
        missing = [one.reason for one in found if one.verdict is None]
        if missing and missing[0] != LEFT_OUT:
            raise LeapnoteError(f"the judge gave no verdict: {missing[0]}")
        if missing:
            raise LeapnoteError(f"the judge left out {len(missing)} of {len(hypotheses)} sentences")
        return np.array([float(one.verdict == SentenceVerdict.YES) for one in found])


def _share(asked: frozenset[str], there: frozenset[str]) -> float:
    return len(asked & there) / len(asked) if asked else 1.0
