"""`evaluate plans` from files: reads the questions, builds the cells, and keeps the result."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.answers.answers_run import read_set
from backend.evaluation.answers.question_sets import Question
from backend.evaluation.plans.plan_evaluation import MEASURES, Planned, run_plans
from backend.evaluation.reports.cell_figures import CellSettings
from backend.evaluation.reports.cell_use import VARIED, WARM_QUESTION, metered
from backend.evaluation.reports.evaluation_run import Run, RunOptions, caveats_of
from backend.evaluation.reports.failed_items import whole
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.run_identity import identity
from backend.evaluation.reports.varied import containers, read_variations
from backend.interfaces import LanguageModel
from backend.planning.model_plan import Found, judge
from backend.prompts.asking import Asker
from backend.prompts.task import task_text
from backend.prompts.verdicts import first_half, supports_answer
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.evaluation_results import DataCard, Result, ResultKind
from backend.schemas.vocabulary import Document, Source
from backend.systems import PLANS_COMPARED, system

ALIKE = "asked the same and found the same"


class PlansOptions(NamedTuple):
    """What an evaluation of plans reads and compares."""

    kind: str
    data: Path
    run: RunOptions
    systems: tuple[str, ...] = PLANS_COMPARED
    baseline: str = ""
    sources: tuple[Source, ...] = ()
    varied: tuple[str, ...] = ()


class PipelinePlans:
    """Plans by a pipeline's evidence stages: nothing is written.

    Args:
        container: whose pipeline it is, and whose models are counted.
        name: the system's.
        label: the end of the cell's name, where a setting is varied.
        sources: those that may be searched; none named: all.
    """

    def __init__(self, container: Container, name: str, label: str = "", sources: Sequence[Source] = ()) -> None:
        self.name = f"{name}{label}"
        self._system = name
        self._container = container
        self._pipeline = container.pipeline(name, None, sources)

    def warm(self) -> None:
        """Run once, unmeasured."""
        self._pipeline.run_evidence(
            DraftRequest(question=WARM_QUESTION, document=Document.CLINICAL_ANSWER, system=self._system)
        )

    def plan(self, question: Question, seed: int) -> Planned:
        """The plan of the system for the question, and what it found."""
        request = _request(question).model_copy(update={"system": self._system, "seed": seed})
        draft, use = metered(self._container, lambda: whole(self._pipeline.run_evidence(request)), told_apart)
        found = {source: [p.text for p in draft.evidence.passages if p.source == source] for source in Source}
        found[Source.GRAPH] = [item.text for item in draft.evidence.graph]
        return Planned(draft.plan, found, use)


class ModelJudge:
    """A language model that judges what plans found.

    Args:
        model: judges.
        seed: of its replies.
        sources: those that hold something.
    """

    def __init__(self, model: LanguageModel, seed: int, sources: Sequence[Source]) -> None:
        self._model, self._seed, self._sources = model, seed, tuple(sources)

    def score(self, question: Question, made: Planned) -> int | None:
        """How well all that was found serves the question, as Reflexion's judge has it."""
        found = [Found(source.value, texts) for source, texts in made.found.items() if texts]
        asker = Asker(self._model, self._seed)
        said = judge(asker, task_text(_request(question)), made.plan.sub_queries, found, self._sources)
        return None if said.value is None else said.value.score

    def supports(self, question: Question, documents: Sequence[str]) -> bool | None:
        """Whether the better half of the documents supports the known answer."""
        task, read = task_text(_request(question)), first_half(documents)
        said = supports_answer(Asker(self._model, self._seed), task, question.gold, read)
        return None if said.value is None else said.value.supports


def evaluate_plans(
    container: Container, options: PlansOptions, judge_model: LanguageModel | None = None
) -> tuple[Result, Path]:
    """The result and its folder; without a judge model support is not scored.

    Raises:
        InputError: an option does not fit.
    """
    for name in options.systems:
        if not system(name).retrieves_text:
            raise InputError(f"The system {name!r} makes no plan. Choose systems that retrieve text.")
    if not options.data.is_file() and not options.data.is_dir():
        raise InputError(f"There is no file {options.data.name!r}. Name the questions after --from.")
    questions = options.run.chosen(read_set(options.kind, options.data, options.run.seed))
    varied = read_variations(options.varied, container.settings)
    makers = [
        PipelinePlans(own, name, label, options.sources)
        for label, own in containers(container, varied)
        for name in options.systems
    ]
    settings = CellSettings(options.baseline, options.run.resamples, options.run.seed, ALIKE)
    digest = file_sha256(options.data) if options.data.is_file() else ""
    run = Run(
        ResultKind.PLANS,
        options.run,
        {
            "set": options.kind,
            "cells": [maker.name for maker in makers],
            "baseline": options.baseline,
            "judge": judge_model.name if judge_model else "",
            "searched": list(options.sources),
        },
        {"data": digest, "graph": container.graph.fingerprint, "sources": list(container.sources.state)},
        container.versions,
        identity(container, ("",)),
    )
    filled = [source for source in Source if source in (*container.sources.filled(), Source.GRAPH)]
    scored = None if judge_model is None else ModelJudge(judge_model, options.run.seed, filled)
    found, charts = run_plans(
        questions,
        makers,
        container.encoder.encode_queries,
        scored,
        settings,
        run.journal,
        run.key,
        options.run.progress,
    )
    card = DataCard(name=options.data.name, sha256=digest, items=len(questions))
    by_source = {
        f"{measure} {s.value}": f"{MEASURES[measure]}; {s.value} alone"
        for measure in ("queries", "words", "diversity", "supported")
        for s in Source
    }
    searched = [f"Only these sources were searched: {', '.join(options.sources)}."] if options.sources else []
    result = run.keep(
        data=card,
        graph=container.graph.fingerprint,
        systems={maker.name: system(maker.name.split(VARIED, maxsplit=1)[0]).what for maker in makers},
        measures={**MEASURES, **by_source},
        figures=found.figures,
        differences=found.differences,
        not_available=found.not_available,
        caveats=(*caveats_of(card), *searched, *_fallen(container, options.systems), *found.captions),
        charts=charts,
    )
    return result, run.folder


def told_apart(draft: Draft) -> str:
    """What a plan and its finds are told apart by."""
    asked = [f"{query.source.value}: {query.text}" for query in draft.plan.sub_queries if not query.skipped]
    found = [*(one.text for one in draft.evidence.passages), *(one.text for one in draft.evidence.graph)]
    return "\n".join((*asked, *found))


def _request(question: Question) -> DraftRequest:
    return DraftRequest(
        text=question.note, question=question.text, options=question.options, document=Document.CLINICAL_ANSWER
    )


def _fallen(container: Container, names: Sequence[str]) -> list[str]:
    """Without a model the planners of the papers run as the embedded rules, which must stand beside their figures."""
    if container.models.chosen().roles.planner is not None:
        return []
    planned = [name for name in names if not system(name).plans_without_model]
    return [f"No model plans: {', '.join(planned)} ran as their embedded steps (docs/retrieval.md)."] if planned else []
