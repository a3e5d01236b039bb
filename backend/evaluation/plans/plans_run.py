"""`evaluate plans` from files: reads the questions, builds the cells, and keeps the result."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.answers.answers_run import read_set
from backend.evaluation.answers.question_sets import Question
from backend.evaluation.plans.plan_evaluation import MEASURES, CellSettings, Judge, Planned, run_plans
from backend.evaluation.reports.evaluation_run import Run, RunOptions, caveats_of
from backend.evaluation.reports.failed_items import whole
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.run_identity import identity
from backend.evaluation.retrieval.finders import EvidencePipeline
from backend.interfaces import LanguageModel
from backend.planning.model_plan import judge
from backend.prompts.asking import Asker
from backend.schemas.drafts.evidence import Plan
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.evaluation_results import DataCard, Result, ResultKind
from backend.schemas.vocabulary import Document, Source
from backend.systems import PLANS_COMPARED, system


class PlansOptions(NamedTuple):
    """What an evaluation of plans reads and compares."""

    kind: str
    data: Path
    run: RunOptions
    systems: tuple[str, ...] = PLANS_COMPARED
    baseline: str = ""
    sources: tuple[Source, ...] = ()


class PipelinePlans:
    """Plans by a pipeline's evidence stages: nothing is written."""

    def __init__(self, name: str, pipeline: EvidencePipeline) -> None:
        self.name = name
        self._pipeline = pipeline

    def plan(self, question: Question, seed: int) -> Planned:
        """The plan of the system for the question, and the support of its draft."""
        request = DraftRequest(
            question=question.text,
            options=question.options,
            document=Document.CLINICAL_ANSWER,
            system=self.name,
            seed=seed,
        )
        draft = whole(self._pipeline.run_evidence(request))
        found = (*(p.text for p in draft.evidence.passages), *(g.text for g in draft.evidence.graph))
        return Planned(draft.plan, found)


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
    makers = [PipelinePlans(name, container.pipeline(name, None, options.sources)) for name in options.systems]
    settings = CellSettings(options.baseline, options.run.resamples, options.run.seed)
    digest = file_sha256(options.data) if options.data.is_file() else ""
    run = Run(
        ResultKind.PLANS,
        options.run,
        {
            "set": options.kind,
            "systems": list(options.systems),
            "baseline": options.baseline,
            "judge": judge_model.name if judge_model else "",
            "searched": list(options.sources),
        },
        {"data": digest, "graph": container.graph.fingerprint, "sources": list(container.sources.state)},
        container.versions,
        identity(container, ("",)),
    )
    scored = None if judge_model is None else _judge(judge_model, options.run.seed)
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
        for measure in ("queries", "words", "diversity")
        for s in Source
    }
    searched = [f"Only these sources were searched: {', '.join(options.sources)}."] if options.sources else []
    result = run.keep(
        data=card,
        graph=container.graph.fingerprint,
        systems={name: system(name).what for name in options.systems},
        measures={**MEASURES, **by_source},
        figures=found.figures,
        differences=found.differences,
        not_available=found.not_available,
        caveats=(*caveats_of(card), *searched, *_fallen(container, options.systems)),
        charts=charts,
    )
    return result, run.folder


def _judge(model: LanguageModel, seed: int) -> Judge:
    def scored(task: str, plan: Plan, documents: Sequence[str]) -> int | None:
        verdict = judge(Asker(model, seed), task, plan.sub_queries, documents)
        return None if verdict.value is None else verdict.value.score

    return scored


def _fallen(container: Container, names: Sequence[str]) -> list[str]:
    """Without a model the planners of the papers run as the embedded rules, which must stand beside their figures."""
    if container.models.chosen().roles.planner is not None:
        return []
    planned = [name for name in names if not system(name).plans_without_model]
    return [f"No model plans: {', '.join(planned)} ran as their embedded steps (docs/retrieval.md)."] if planned else []
