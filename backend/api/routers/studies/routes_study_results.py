"""Rating studies, for the coordinator, once people have rated: figures, a judge's scores, adjudication, what to take away."""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Query, Request
from fastapi.responses import Response

from backend.api.attachments import attached
from backend.api.guard import Actor, by_who_acts
from backend.api.routers.studies.routes_studies import STUDIES, study_context
from backend.schemas.studies.study_analysis import Analysis
from backend.schemas.studies.study_judge import CasesNeeded, JudgeRequest, JudgeView
from backend.schemas.studies.study_rating import StudyEvent
from backend.schemas.studies.study_views import AdjudicateRequest, ReportFormat, StudyFormat, StudyProgress
from backend.study.judges import add_judge, judges
from backend.study.rating.adjudication import adjudicate
from backend.study.rating.study_progress import progress
from backend.study.reporting.report import Analysed, Figure, analysed, analysis_state, figures
from backend.study.reporting.study_export import export, report_file

router = APIRouter(dependencies=[STUDIES])


@router.get("/studies/{study_id}/analysis")
def analysis(study_id: UUID, request: Request) -> Analysis:
    """The figures as things stand. Until the study is unlocked, arms stand under codes."""
    return _analysed(request, str(study_id)).analysis


@router.get("/studies/{study_id}/analysis/charts")
def charts(study_id: UUID, request: Request) -> list[Figure]:
    """Plotly figures of the analysis."""
    return figures(_analysed(request, str(study_id)))


@router.get("/studies/{study_id}/reports/{file_format}")
def take_report(study_id: UUID, file_format: ReportFormat, request: Request, author: Actor) -> Response:
    """Methods text, figures and tables of an unlocked study, as one file."""
    made = report_file(study_context(request).studies, str(study_id), file_format, author)
    return attached(made, f"study-{study_id}.{file_format.file.suffix}", file_format.file.media_type)


@router.get("/studies/{study_id}/judges")
def all_judges(study_id: UUID, request: Request) -> tuple[JudgeView, ...]:
    """A judge model's scores that were uploaded, without the scores."""
    return judges(study_context(request).studies, str(study_id))


@router.post("/studies/{study_id}/judges", status_code=201)
def judge(study_id: UUID, body: JudgeRequest, request: Request) -> tuple[JudgeView, ...]:
    """A judge model's scores of a frozen study's drafts, to be set beside the raters'."""
    return add_judge(study_context(request).studies, str(study_id), by_who_acts(request, body))


@router.get("/study-power")
def power(
    difference: Annotated[
        float, Query(description="The least difference that matters, in points", allow_inf_nan=False)
    ],
    sd: Annotated[float, Query(description="Standard deviation of a case's difference", allow_inf_nan=False)],
    seed: Annotated[int, Query(ge=0, le=2**31 - 1)] = 0,
) -> CasesNeeded:
    """How many cases a study needs, for a power of 0.8 at 0.05."""
    from backend.study.statistics.comparison.power import cases_needed

    return cases_needed(difference, sd, seed)


@router.post("/studies/{study_id}/adjudication", status_code=201)
def third_person(study_id: UUID, body: AdjudicateRequest, request: Request) -> StudyProgress:
    """A place for an adjudicator with the items that disagree most. Invite them like a rater."""
    found = study_context(request)
    adjudicate(found.studies, str(study_id), body.items, by_who_acts(request, body).author)
    return progress(found.studies, str(study_id))


@router.get("/studies/{study_id}/exports/{file_format}")
def take_away(study_id: UUID, file_format: StudyFormat, request: Request, author: Actor) -> Response:
    """CSV or JSONL of an unlocked study, or the frozen design of any."""
    text = export(study_context(request).studies, str(study_id), file_format, author)
    return attached(text, f"study-{study_id}.{file_format.file.suffix}", file_format.file.media_type)


@router.get("/studies/{study_id}/audit")
def audit(study_id: UUID, request: Request) -> tuple[StudyEvent, ...]:
    """Who did what, oldest first."""
    return study_context(request).studies.trail(str(study_id))


def _analysed(request: Request, study_id: str) -> Analysed:
    """The analysis, computed once for each state of the ratings: its charts are asked for right after it."""
    studies, state = study_context(request).studies, request.app.state
    stand = analysis_state(studies, study_id)
    kept: tuple[tuple[object, ...], Analysed] | None = getattr(state, "study_analysis", None)
    if kept is None or kept[0] != stand:
        kept = (stand, analysed(studies, study_id))
        state.study_analysis = kept
    return kept[1]
