"""What evaluations on this machine found."""

from fastapi import APIRouter, Query, Request

from backend.assembly import House
from backend.evaluation.results import read_results
from backend.schemas.results import Result

router = APIRouter()


@router.get("/results")
def results(request: Request, limit: int = Query(default=10, ge=1, le=200)) -> list[Result]:
    """The newest evaluation results of LEAPNOTE_DATA, whole; a file that cannot be read says so in `problem`."""
    house: House = request.app.state.house
    return list(read_results(house.settings.data / "results")[:limit])
