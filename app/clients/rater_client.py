"""The page's client of a rater's routes: one method a route. It says which refusal it was.

Every method raises ApiError; RefusedError where the API answered. The token of a personal link travels in a header, never
in an address.
"""

from typing import Any

import httpx

from app.clients.api_errors import ApiError
from app.clients.client import ApiClient
from app.words.api_words import error_words
from app.words.words import _
from backend.schemas.base import Frozen
from backend.schemas.studies.study_frozen import Leak
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

TOKEN_HEADER = "Rater-Token"
RATER_S = 15.0  # after this an answer counts as not saved and is sent again
DEFECT = 500
WRONG_TOKEN = "token"


class RefusedError(ApiError):
    """The API refused.

    Attributes:
        status: the HTTP status.
        kind: the name of the API's error.
        leaks: what would reveal an arm to raters, where that was the reason.
    """

    def __init__(self, message: str, status: int, kind: str = "", leaks: tuple[Leak, ...] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.leaks = leaks


class RaterClient(ApiClient):
    """A rater's routes. token: of the personal link."""

    def rating_session(self, token: str) -> RaterSession:
        """The rater's session: its stage, how many items are complete, and the next one."""
        return self._value(RaterSession, self._rated("GET", "session", token))

    def give_profile(self, token: str, profile: ProfileRequest) -> RaterSession:
        """Store the rater's profile."""
        return self._value(RaterSession, self._rated("PUT", "profile", token, profile))

    def rating_item(self, token: str, number: int) -> RaterItem:
        """An item with its drafts, questions and stored answers. number: from 1."""
        return self._value(RaterItem, self._rated("GET", f"items/{number}", token))

    def answer(self, token: str, number: int, answer_id: str, request: AnswerRequest) -> AnswerSaved:
        """Store an answer; the same answer_id sent twice is stored once."""
        return self._value(AnswerSaved, self._rated("PUT", f"items/{number}/answers/{answer_id}", token, request))

    def show_evidence(self, token: str, number: int) -> RaterItem:
        """Reveal the evidence of an item after its first rating."""
        return self._value(RaterItem, self._rated("POST", f"items/{number}/evidence", token))

    def pause(self, token: str, resume: bool = False) -> RaterSession:
        """Pause the session, or resume it."""
        return self._value(RaterSession, self._rated("DELETE" if resume else "POST", "pauses", token))

    def report_leak(self, token: str, note: LeakNote) -> RaterSession:
        """Record that the rater recognised who or what wrote a draft."""
        return self._value(RaterSession, self._rated("POST", "leaks", token, note))

    def finish(self, token: str) -> RaterSession:
        """Close the rater's answers against changes; the closing stages follow."""
        return self._value(RaterSession, self._rated("POST", "finish", token))

    def guesses(self, token: str) -> GuessView:
        """The items whose arm the rater is asked to guess."""
        return self._value(GuessView, self._rated("GET", "guesses", token))

    def guess(self, token: str, answer_id: str, request: GuessRequest) -> GuessView:
        """Store a guess."""
        return self._value(GuessView, self._rated("PUT", f"guesses/{answer_id}", token, request))

    def closing(self, token: str) -> ClosingView:
        """The closing questions by group, with stored answers."""
        return self._value(ClosingView, self._rated("GET", "closing", token))

    def close_with(self, token: str, answer_id: str, request: ClosingRequest) -> ClosingView:
        """Store an answer to a closing question."""
        return self._value(ClosingView, self._rated("PUT", f"closing/{answer_id}", token, request))

    def _rated(self, method: str, path: str, token: str, body: Frozen | None = None) -> Any:
        options: dict[str, Any] = {"headers": {TOKEN_HEADER: token}, "timeout": RATER_S}
        if body is not None:
            options["json"] = body.model_dump(mode="json")
        return self._json(self._send(method, f"/ratings/{path}", **options))

    def _refused(self, answer: httpx.Response) -> ApiError:
        # a defect of the API, or what is no API, counts as unreachable: it can be tried again
        try:
            body = answer.json()["error"]
            leaks = tuple(Leak.model_validate(leak) for leak in body.get("leaks", ()))
            message, kind = str(body["message"]), str(body.get("kind", ""))
        except (ValueError, KeyError, TypeError, AttributeError):
            return ApiError(
                _("The service answered with status {status}.").format(status=answer.status_code), unreachable=True
            )
        if answer.status_code >= DEFECT:
            return ApiError(message, unreachable=True)
        if kind == WRONG_TOKEN:  # the page's own, not a rater's
            return ApiError(message)
        return RefusedError(error_words(kind, message), answer.status_code, kind, leaks)
