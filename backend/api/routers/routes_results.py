"""What evaluations on this machine found."""

from fastapi import APIRouter, Query, Request

from backend.api.guard import for_people
from backend.container import Container
from backend.evaluation.reports.result_folders import read_results
from backend.schemas.evaluation_results import Result

router = APIRouter(dependencies=[for_people()])


@router.get("/results")
def results(request: Request, limit: int = Query(default=10, ge=1, le=200)) -> list[Result]:
    """The newest evaluation results of LEAPNOTE_DATA, whole; a file that cannot be read says so in `problem`."""
    container: Container = request.app.state.container
    return list(read_results(container.settings.data / "results")[:limit])
