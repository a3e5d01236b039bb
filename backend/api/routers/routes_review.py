"""The review of the knowledge by a hospital's clinicians: what is reviewed, by whom, and a new decision."""

from typing import Any

from fastapi import APIRouter, Query, Request
from fastapi.responses import PlainTextResponse
from pydantic import Field

from backend.api.guard import by_who_acts, for_people
from backend.container import Container
from backend.knowledge.review import knowledge_review
from backend.knowledge.review.decisions import Verdict
from backend.knowledge.review.items import Kind
from backend.knowledge.review.knowledge_review import KnowledgeReview, State
from backend.schemas.base import Frozen

router = APIRouter(prefix="/knowledge/review", dependencies=[for_people()])


class DecisionRequest(Frozen):
    """A decision about a chapter or row."""

    item: str = Field(description="Id of the chapter or row")
    verdict: Verdict
    reviewer: str = Field(
        default="", max_length=200, description="Who decides; of somebody who is logged in their own name"
    )
    text: str = Field(default="", max_length=50_000, description="The whole new chapter or row, of a change")
    reason: str = Field(default="", max_length=2000)
    sources: str = Field(default="", max_length=2000, description="What the reviewer consulted")


@router.get("")
def status(request: Request) -> dict[str, Any]:
    """How many chapters and rows of each kind stand how, and decisions about rows that are no more."""
    review = _review(request)
    return {
        "kinds": knowledge_review.counted(review.items()),
        "without_item": [one.item for one in review.orphans()],
    }


@router.get("/items")
def items(
    request: Request,
    kind: Kind | None = None,
    state: State | None = None,
    q: str = Query(default="", max_length=200, description="Only items whose text holds all these words"),
    offset: int = Query(default=0, ge=0),
    limit: int = Query(default=50, ge=1, le=500),
) -> dict[str, Any]:
    """A page of the chapters and rows, with their state."""
    found = knowledge_review.chosen(_review(request).items(), kind or "", state or "", q)
    return {"total": len(found), "items": [knowledge_review.as_json(one) for one in found[offset : offset + limit]]}


@router.get("/item")
def item(request: Request, id: str = Query(max_length=200)) -> dict[str, Any]:
    """One chapter or row with every decision about it."""
    review = _review(request)
    found = knowledge_review.as_json(review.one(id), whole=True)
    return found | {"history": [decision.model_dump(mode="json") for decision in review.history(id)]}


@router.post("/decisions")
def decide(body: DecisionRequest, request: Request) -> dict[str, Any]:
    """Keep a decision; it holds from the next start on."""
    body = by_who_acts(request, body, "reviewer")
    made = _review(request).decide(body.item, body.verdict, body.reviewer, body.text, body.reason, body.sources)
    return made.model_dump(mode="json")


@router.get("/journal")
def journal(
    request: Request, offset: int = Query(default=0, ge=0), limit: int = Query(default=50, ge=1, le=500)
) -> dict[str, Any]:
    """A page of who decided, installed and took back what, the last first."""
    done = _review(request).journal()
    page = [one.model_dump(mode="json") for one in done[offset : offset + limit]]
    return {"total": len(done), "decisions": page}


@router.get("/difference")
def difference(request: Request) -> PlainTextResponse:
    """What was changed and refused, as a unified diff against the shipped files."""
    return PlainTextResponse(_review(request).difference())


def _review(request: Request) -> KnowledgeReview:
    container: Container = request.app.state.container
    return container.review
