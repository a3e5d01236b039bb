"""Further opinions on whether a cited text supports a sentence: an entailment model, or a language model as judge.

An opinion may lower what the rules found, and lift what they merely left in doubt. It never lifts a contradiction, a wrong
measure or a wrong side: models of language see neither a number nor a "no" reliably.
"""

from collections.abc import Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from backend.errors import FullError, MissingError
from backend.interfaces import LanguageModel
from backend.prompts.asking import Asker
from backend.prompts.verdicts import SentenceVerdict, batches, judged
from backend.schemas.drafts.draft import Verdict
from backend.schemas.vocabulary import Support

SURE = 0.8
"""The probability from which an entailment model's opinion counts."""
LONGEST = 512  # tokens of premise and hypothesis together


class Says(StrEnum):
    """What an opinion says; NOTHING where it could not be had."""

    SUPPORTED = "supported"
    CONTRADICTED = "contradicted"
    SILENT = "silent"
    NOTHING = "nothing"


class Opinion(NamedTuple):
    """of: who says it. reason: why there is none, where `says` is NOTHING."""

    says: Says
    of: str
    reason: str = ""


class Scorer(Protocol):
    """Gives further opinions. name: what the draft's record calls it."""

    name: str

    def opinions(self, premises: Sequence[str], sentences: Sequence[str]) -> Sequence[Opinion]:
        """One opinion a pair, in order; NOTHING with a reason where it could not be had."""
        ...


def weighed(
    verdict: Verdict, opinions: Sequence[Opinion], supported_at: float, partial_at: float, firm: bool
) -> Verdict:
    """The rules' verdict after the opinions. firm: the rules found something wrong, which no opinion lifts.

    One that contradicts makes a sentence unsupported, one that is silent takes a supported one down to partial; a partial one is
    lifted only when all that have an opinion say that it is supported.
    """
    given = [opinion for opinion in opinions if opinion.says != Says.NOTHING]
    if not given or verdict.score is None:
        return verdict
    against = [opinion.of for opinion in given if opinion.says == Says.CONTRADICTED]
    silent = [opinion.of for opinion in given if opinion.says == Says.SILENT]
    score = verdict.score
    if against:
        reason = "; ".join(filter(None, (verdict.reason, f"contradicted, says {', '.join(against)}")))
        return Verdict(support=Support.UNSUPPORTED, score=round(min(score, partial_at / 2), 3), reason=reason)
    if silent and verdict.support == Support.SUPPORTED:
        reason = f"not said in the cited text, says {', '.join(silent)}"
        return Verdict(support=Support.PARTIAL, score=round(min(score, supported_at * 0.99), 3), reason=reason)
    if not silent and not firm and verdict.support == Support.PARTIAL:
        reason = f"{verdict.reason}; supported, says {', '.join(opinion.of for opinion in given)}"
        return Verdict(support=Support.SUPPORTED, score=round(max(score, supported_at), 3), reason=reason)
    return verdict


class EntailmentScorer:
    """A cross-encoder trained on natural language inference, by folder or hub name.

    MissingError is raised where it cannot be loaded, or where its labels are not entailment, neutral and contradiction.
    """

    def __init__(self, name: str) -> None:
        """Load the model.

        Raises:
            MissingError: it cannot be loaded, or has other labels than entailment, neutral and contradiction.
        """
        from sentence_transformers import CrossEncoder

        if name.startswith(("/", ".", "~")) and not Path(name).expanduser().is_dir():  # no hub is asked for a folder
            raise MissingError(f"There is no folder {name} to load the entailment model from. {_REMEDY}")
        try:
            self._model: Any = CrossEncoder(str(Path(name).expanduser()), max_length=LONGEST)
        except (OSError, ValueError) as error:
            raise MissingError(
                f"The entailment model {name!r} cannot be loaded ({type(error).__name__}). {_REMEDY}"
            ) from error
        labels = {int(i): str(label).lower() for i, label in self._model.model.config.id2label.items()}
        self._rows = {
            says: next((i for i, label in labels.items() if label.startswith(start)), None) for says, start in _LABELS
        }
        if None in self._rows.values():
            raise MissingError(
                f"The model {name!r} has the labels {', '.join(labels.values())}; an entailment model has entailment, neutral and "
                "contradiction."
            )
        self.name = name.rstrip("/").split("/")[-1]

    def opinions(self, premises: Sequence[str], sentences: Sequence[str]) -> Sequence[Opinion]:
        """One opinion a pair, in order; NOTHING where no label is sure enough."""
        if not sentences:
            return ()
        out = []
        for row in self._chances(premises, sentences):
            sure = [says for says, i in self._rows.items() if i is not None and row[i] >= SURE]
            out.append(Opinion(sure[0], self.name) if sure else Opinion(Says.NOTHING, self.name, "not sure enough"))
        return out

    def entailment(self, premises: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        """(n,) 0 to 1: entailment against contradiction, neutral left out, as LUQ has it."""
        if not hypotheses:
            return np.zeros(0)
        chances = self._chances(premises, hypotheses)
        supported, contradicted = chances[:, self._rows[Says.SUPPORTED]], chances[:, self._rows[Says.CONTRADICTED]]
        return np.asarray(supported / (supported + contradicted), dtype=np.float64)

    def _chances(self, premises: Sequence[str], hypotheses: Sequence[str]) -> np.ndarray:
        """(n, labels), each row sums to 1."""
        pairs = list(zip(premises, hypotheses, strict=True))
        logits = np.asarray(self._model.predict(pairs, activation_fn=_raw, show_progress_bar=False), dtype=np.float64)
        odds = np.exp(logits - logits.max(axis=1, keepdims=True))
        return np.asarray(odds / odds.sum(axis=1, keepdims=True))


def _raw(logits: Any) -> Any:
    """The model's own numbers: a softmax that it is set up with would be taken twice."""
    return logits


_REMEDY = "Set LEAPNOTE_ENTAILMENT to a folder that holds a cross-encoder, to a hub name this machine can reach, or to nothing."
_LABELS = ((Says.SUPPORTED, "entail"), (Says.CONTRADICTED, "contra"), (Says.SILENT, "neutral"))


_SAYS = {
    SentenceVerdict.YES: Says.SUPPORTED,
    SentenceVerdict.NO: Says.CONTRADICTED,
    SentenceVerdict.SILENT: Says.SILENT,
}


class JudgeScorer:
    """A language model as judge, at temperature 0: sentences that cite the same text are asked about together."""

    def __init__(self, model: LanguageModel, seed: int = 0) -> None:
        self._model = model
        self._seed = seed
        self.name = f"{model.name} as judge"

    def opinions(self, premises: Sequence[str], sentences: Sequence[str]) -> Sequence[Opinion]:
        """A judge that fails has no opinion, with the reason: verification stands without it."""
        out = [Opinion(Says.NOTHING, self.name, "not asked")] * len(sentences)
        asker = Asker(self._model, self._seed)  # one a draft: it has a fence of its own, and heeds who gives up
        together: dict[str, list[int]] = {}
        for place, premise in enumerate(premises):
            together.setdefault(premise, []).append(place)
        for premise, places in together.items():
            for batch in batches(len(places)):
                asked = [places[i] for i in batch]
                for place, opinion in zip(
                    asked, self._asked(asker, premise, [sentences[i] for i in asked]), strict=True
                ):
                    out[place] = opinion
        return out

    def _asked(self, asker: Asker, premise: str, sentences: Sequence[str]) -> list[Opinion]:
        try:
            found = judged(asker, premise, sentences)
        except FullError as error:
            return [Opinion(Says.NOTHING, self.name, str(error))] * len(sentences)
        return [
            Opinion(Says.NOTHING if one.verdict is None else _SAYS[one.verdict], self.name, one.reason) for one in found
        ]
