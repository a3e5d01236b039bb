"""Ratings, for one rater: by the token of a personal link in the header Rater-Token, and nothing else.

No reply names a system, an arm, the order of arms or another rater; a broken or withdrawn token gets 401 in the same words.
"""

from typing import Annotated
from uuid import UUID

from fastapi import APIRouter, Depends, Header, Path, Request, Response

from backend.api.guard import for_raters
from backend.api.routers.studies.routes_studies import study_context
from backend.schemas.studies.study_rater_views import (
    AnswerSaved,
    ClosingRequest,
    ClosingView,
    GuessRequest,
    GuessView,
    LeakNote,
    RaterItem,
    RaterSession,
)
from backend.schemas.studies.study_rating import AnswerRequest, ProfileRequest
from backend.study.rating.closing import Closing
from backend.study.rating.ratings import Ratings

HEADER = "Rater-Token"


def _unseen(response: Response) -> None:
    """A rater's texts stay in no cache."""
    response.headers["Cache-Control"] = "no-store"
    response.headers["X-Content-Type-Options"] = "nosniff"


router = APIRouter(dependencies=[for_raters(), Depends(_unseen)])
Token = Annotated[
    str, Header(alias=HEADER, min_length=20, max_length=200, description="The token of the personal link")
]
Number = Annotated[int, Path(ge=1, le=100_000, description="An item's number in this rater's order")]


@router.get("/ratings/session")
def session(token: Token, request: Request) -> RaterSession:
    """What this rater is asked, how far they are, and what comes next."""
    return _ratings(request).session(token)


@router.put("/ratings/profile")
def profile(body: ProfileRequest, token: Token, request: Request) -> RaterSession:
    """Profession, specialty, years, conflicts of interest: once."""
    return _ratings(request).profile(token, body)


@router.get("/ratings/items/{number}")
def item(number: Number, token: Token, request: Request) -> RaterItem:
    """One item with what was saved of it. That it was opened is recorded."""
    return _ratings(request).item(token, number)


@router.put("/ratings/items/{number}/answers/{answer_id}")
def answer(number: Number, answer_id: UUID, body: AnswerRequest, token: Token, request: Request) -> AnswerSaved:
    """Keep one answer or remark under an id the page makes. The reply means that it is on the disk."""
    return _ratings(request).answer(token, number, str(answer_id), body)


@router.post("/ratings/items/{number}/evidence")
def evidence(number: Number, token: Token, request: Request) -> RaterItem:
    """Show the evidence after the blind rating, which then stays as it is."""
    return _ratings(request).show_evidence(token, number)


@router.post("/ratings/pauses")
def pause(token: Token, request: Request) -> RaterSession:
    """Leave for a while; come back on any machine."""
    return _ratings(request).pause(token)


@router.delete("/ratings/pauses")
def resume(token: Token, request: Request) -> RaterSession:
    """Come back from a pause."""
    return _ratings(request).pause(token, resume=True)


@router.post("/ratings/leaks")
def leak(body: LeakNote, token: Token, request: Request) -> RaterSession:
    """The rater recognised who wrote something."""
    return _ratings(request).leak(token, body)


@router.post("/ratings/finish")
def finish(token: Token, request: Request) -> RaterSession:
    """After the last item. 409 while one is not complete."""
    return _ratings(request).finish(token)


@router.get("/ratings/guesses")
def guesses(token: Token, request: Request) -> GuessView:
    """The drafts whose writer is to be guessed, with the guesses so far."""
    return _closing(request).guesses(token)


@router.put("/ratings/guesses/{answer_id}")
def guess(answer_id: UUID, body: GuessRequest, token: Token, request: Request) -> GuessView:
    """Who may have written this draft."""
    return _closing(request).guess(token, str(answer_id), body)


@router.get("/ratings/closing")
def closing(token: Token, request: Request) -> ClosingView:
    """The blinded arms, with what was written of each so far."""
    return _closing(request).closing(token)


@router.put("/ratings/closing/{answer_id}")
def close(answer_id: UUID, body: ClosingRequest, token: Token, request: Request) -> ClosingView:
    """Strengths and weaknesses of one blinded arm."""
    return _closing(request).close(token, str(answer_id), body)


def _ratings(request: Request) -> Ratings:
    return study_context(request).ratings


def _closing(request: Request) -> Closing:
    ratings = study_context(request).ratings
    return Closing(ratings.database, ratings.stamper, ratings.frozen)
