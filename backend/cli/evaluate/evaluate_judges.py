"""evaluate judges: the signals that make training data for planners, against what people said (Omni-RAG Table 9)."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from backend.cli.cli_options import comma_list, with_options
from backend.cli.evaluate.evaluate_parts import (
    EvaluationOptions,
    Vary,
    evaluation_container,
    names_option,
    print_result,
)
from backend.cli.program import CommandLine
from backend.errors import InputError, MissingError

if TYPE_CHECKING:
    from backend.container import Container
    from backend.evaluation.plans.judge_evaluation import LabelledFind, Said, SupportSignal
    from backend.interfaces import LanguageModel, Reranker
    from backend.training.plans.plan_values import Valuer

app = CommandLine()
SIGNALS = ("judge", "answer", "rerank", "cascade")
FINDS = "JSONL: question, answer, perhaps options, source, documents, and supports, as a person judged it"


@dataclass(frozen=True, kw_only=True)
class JudgesRunOptions(EvaluationOptions):
    """What `evaluate judges` takes."""

    data: Annotated[Path, typer.Option("--data", metavar="FILE", help=FINDS)]
    signals: Annotated[str, names_option("--signals", f"of {', '.join(SIGNALS)}")] = "judge,answer,rerank"
    judges: Annotated[str, names_option("--judges", "which models judge; default: LEAPNOTE_JUDGE_MODEL")] = ""
    threshold: Annotated[float, typer.Option("--threshold", help="of the rerank score; the default is for MedCPT")] = (
        2.3
    )
    band: Annotated[
        str,
        typer.Option("--band", metavar="LOW,HIGH", help="of the cascade: rerank scores at which the judge is asked"),
    ] = "0,4"
    baseline: Annotated[str, typer.Option("--baseline", help="a signal; default: none")] = ""
    vary: Vary = field(default_factory=list)


@app.add(
    "judges", "signals of whether documents support an answer, against people: accuracy, F1, agreement, calls saved"
)
@with_options(JudgesRunOptions)
def judges(options: JudgesRunOptions) -> None:
    """Measure them and print the table.

    Raises:
        InputError: a signal that there is not, or a band that is none.
    """
    from backend.evaluation.plans.judges_run import JudgesOptions, evaluate_judges
    from backend.evaluation.reports.varied import containers, read_variations

    wanted, models = comma_list(options.signals), comma_list(options.judges) or [""]
    if unknown := [name for name in wanted if name not in SIGNALS]:
        raise InputError(f"There is no signal {unknown[0]!r}. Choose from: {', '.join(SIGNALS)}")
    try:
        low, high = (float(part) for part in comma_list(options.band))
    except ValueError:
        raise InputError(f"--band {options.band!r} is not LOW,HIGH, as 0,4.") from None
    asked = (f"threshold {options.threshold:g}", f"band {low:g} to {high:g}")
    chosen = JudgesOptions(options.data, options.run(), tuple(models), asked, options.baseline)
    with evaluation_container() as container:
        made = []
        for label, own in containers(container, read_variations(options.vary, container.settings)):
            for signal in _signals(own, wanted, models, options.threshold, (low, high), options.seed):
                signal.name += label
                made.append(signal)
        print_result(evaluate_judges(container, chosen, made), options)


def _signals(
    container: "Container", wanted: list[str], models: list[str], threshold: float, band: tuple[float, float], seed: int
) -> "Iterator[SupportSignal]":
    """The signals asked for, those of a model once a model.

    Yields:
        Each, in the order asked for.

    Raises:
        MissingError: one needs a language model, or a reranker, and none is set.
    """
    from backend.evaluation.plans.judge_evaluation import Cascade
    from backend.training.plans.plan_values import AnswerValuer, JudgeValuer

    for name in wanted:
        if name == "rerank":
            yield _Reranked(container.reranker, threshold)
            continue
        for setting in models:
            model = container.models.chosen(setting).roles.judge
            if model is None:
                raise MissingError(
                    f"The signal {name!r} needs a language model, and none is set. Set LEAPNOTE_GENERATOR."
                )
            called = f"{name} {model.name}" if len(models) > 1 else name
            signal = _Valued(container, called, AnswerValuer() if name == "answer" else JudgeValuer(), model, seed)
            yield (
                Cascade(called, _Reranked(container.reranker, threshold).score, signal, *band)
                if name == "cascade"
                else signal
            )


class _Reranked:
    """rafe's signal: the reranker's mean score of the documents, taken above a threshold."""

    name = "rerank"

    def __init__(self, reranker: "Reranker | None", threshold: float) -> None:
        if reranker is None:
            raise MissingError(
                "The signals 'rerank' and 'cascade' need a cross-encoder, and rank fusion gives no scores. Set LEAPNOTE_RERANKER."
            )
        self._reranker, self._threshold = reranker, threshold

    def score(self, find: "LabelledFind") -> float:
        """The mean over the documents; of one reranker alone."""
        return float(self._reranker.scores(find.question, find.documents).mean())

    def said(self, find: "LabelledFind") -> "Said":
        """Whether the mean is above the threshold; no model is asked."""
        from backend.evaluation.plans.judge_evaluation import Said

        return Said(self.score(find) > self._threshold)


class _Valued:
    """A valuer of training as a signal: what it values positive it takes."""

    def __init__(self, container: "Container", name: str, valuer: "Valuer", model: "LanguageModel", seed: int) -> None:
        self.name = name
        self._container, self._valuer, self._model, self._seed = container, valuer, model, seed

    def said(self, find: "LabelledFind") -> "Said":
        """Whether the valuer takes the find, and how many conversations that took."""
        from backend.evaluation.plans.judge_evaluation import Said
        from backend.training.questions import Question
        from backend.training.thoughts.thought_pairs import AskedQuestion
        from backend.training.watched_model import WatchedModel

        before = self._container.models.spent
        question = Question(id=find.question, question=find.question, options=find.options, answer=find.answer)
        asked = AskedQuestion.of(question, WatchedModel(self._model), self._seed)
        valued = self._valuer.value(asked, find.source, find.documents)
        calls = self._container.models.spent.since(before).calls
        return Said(None if valued.value is None else valued.positive, calls)
