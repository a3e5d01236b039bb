"""The page's client of the routes of studies and ratings: one method a route. It says which refusal it was.

A rater's methods take the token of a personal link; it travels in a header, never in an address.
"""

from collections.abc import Sequence
from typing import Any, NoReturn, Protocol, cast

import httpx

from app.client import ApiClient, ApiError
from backend.schemas.analysis import Analysis
from backend.schemas.base import Frozen
from backend.schemas.case import DemonstrationCase
from backend.schemas.study import StudyCase, StudySetup
from backend.schemas.study_frozen import Leak
from backend.schemas.study_instrument import Instrument
from backend.schemas.study_rater_views import (
    AnswerSaved,
    ClosingRequest,
    ClosingView,
    GuessRequest,
    GuessView,
    LeakNote,
    RaterItem,
    RaterSession,
)
from backend.schemas.study_rating import AnswerRequest, ProfileRequest, StudyEvent
from backend.schemas.study_views import (
    CasesRequest,
    FreezeRequest,
    GivenLink,
    InviteRequest,
    LeakReport,
    LinkView,
    NewStudy,
    SetupChange,
    StudyProgress,
    StudySummary,
    StudyView,
    UploadedDraft,
    UploadRequest,
)

TOKEN_HEADER = "Rater-Token"
ANALYSIS_S = 600.0  # the whole analysis of a large study, bootstrap and models
RATER_S = 15.0  # a rater's click is told as not saved after this, and sent again
DEFECT = 500
WRONG_TOKEN = "token"


class RefusedError(ApiError):
    """The API refused. kind: the name of its error. leaks: what would give an arm away, if that was the reason."""

    def __init__(self, message: str, status: int, kind: str = "", leaks: tuple[Leak, ...] = ()) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.leaks = leaks


class RaterApi(Protocol):
    """What a rater's page asks. Every method raises ApiError; RefusedError where the API answered."""

    def rating_session(self, token: str) -> RaterSession: ...
    def give_profile(self, token: str, profile: ProfileRequest) -> RaterSession: ...
    def rating_item(self, token: str, number: int) -> RaterItem: ...
    def answer(self, token: str, number: int, answer_id: str, request: AnswerRequest) -> AnswerSaved: ...
    def show_evidence(self, token: str, number: int) -> RaterItem: ...
    def pause(self, token: str, resume: bool = False) -> RaterSession: ...
    def tell_leak(self, token: str, note: LeakNote) -> RaterSession: ...
    def finish(self, token: str) -> RaterSession: ...
    def guesses(self, token: str) -> GuessView: ...
    def guess(self, token: str, answer_id: str, request: GuessRequest) -> GuessView: ...
    def closing(self, token: str) -> ClosingView: ...
    def close_with(self, token: str, answer_id: str, request: ClosingRequest) -> ClosingView: ...


class StudyApi(Protocol):
    """What a coordinator's page asks. Every method raises ApiError; RefusedError where the API answered."""

    def cases(self) -> tuple[DemonstrationCase, ...]: ...
    def systems(self) -> dict[str, Any]: ...
    def instruments(self) -> tuple[Instrument, ...]: ...
    def study_templates(self) -> list[dict[str, Any]]: ...
    def studies(self) -> tuple[StudySummary, ...]: ...
    def study(self, study_id: str) -> StudyView: ...
    def new_study(self, setup: StudySetup, author: str) -> StudyView: ...
    def import_study(self, text: str, author: str) -> StudyView: ...
    def change_study(self, study_id: str, setup: StudySetup, version: int, author: str) -> StudyView: ...
    def add_cases(
        self, study_id: str, cases: Sequence[StudyCase], demonstration: Sequence[str], author: str
    ) -> StudyView: ...
    def upload_drafts(self, study_id: str, drafts: Sequence[UploadedDraft], author: str) -> StudyView: ...
    def generate(self, study_id: str, author: str, retry_failed: bool = False) -> StudyProgress: ...
    def stop_generation(self, study_id: str) -> StudyProgress: ...
    def leaks(self, study_id: str) -> LeakReport: ...
    def freeze(self, study_id: str, request: FreezeRequest) -> StudyView: ...
    def rater_links(self, study_id: str) -> tuple[LinkView, ...]: ...
    def invite(self, study_id: str, rater: str, label: str, author: str) -> GivenLink: ...
    def withdraw(self, study_id: str, link_id: str, author: str) -> LinkView: ...
    def progress(self, study_id: str) -> StudyProgress: ...
    def close(self, study_id: str, author: str) -> StudyView: ...
    def unlock(self, study_id: str, author: str, reason: str) -> StudyView: ...
    def adjudicate(self, study_id: str, items: int, author: str) -> StudyProgress: ...
    def analysis(self, study_id: str) -> Analysis: ...
    def charts(self, study_id: str) -> list[dict[str, Any]]: ...
    def report(self, study_id: str, file_format: str, author: str) -> bytes: ...
    def export(self, study_id: str, file_format: str, author: str) -> bytes: ...
    def trail(self, study_id: str) -> tuple[StudyEvent, ...]: ...


class ApiStudyClient(ApiClient):
    """Both of them over HTTP."""

    def instruments(self) -> tuple[Instrument, ...]:
        rows = cast(dict[str, Any], self._get("/instruments"))["instruments"]
        return tuple(self._value(Instrument, row) for row in rows)

    def study_templates(self) -> list[dict[str, Any]]:
        return cast(list[dict[str, Any]], self._get("/study-templates"))

    def studies(self) -> tuple[StudySummary, ...]:
        return tuple(self._value(StudySummary, row) for row in self._get("/studies"))

    def study(self, study_id: str) -> StudyView:
        return self._value(StudyView, self._get(f"/studies/{study_id}"))

    def new_study(self, setup: StudySetup, author: str) -> StudyView:
        return self._value(StudyView, self._post("/studies", NewStudy(setup=setup, author=author)))

    def import_study(self, text: str, author: str) -> StudyView:
        sent = self._send("POST", "/study-imports", content=text.encode(), params={"author": author})
        return self._value(StudyView, self._json(sent))

    def change_study(self, study_id: str, setup: StudySetup, version: int, author: str) -> StudyView:
        body = SetupChange(setup=setup, version=version, author=author).model_dump(mode="json")
        return self._value(StudyView, self._json(self._send("PUT", f"/studies/{study_id}/setup", json=body)))

    def add_cases(
        self, study_id: str, cases: Sequence[StudyCase], demonstration: Sequence[str], author: str
    ) -> StudyView:
        body = CasesRequest(cases=tuple(cases), demonstration=tuple(demonstration), author=author)
        return self._value(StudyView, self._post(f"/studies/{study_id}/cases", body))

    def upload_drafts(self, study_id: str, drafts: Sequence[UploadedDraft], author: str) -> StudyView:
        body = UploadRequest(drafts=tuple(drafts), author=author)
        return self._value(StudyView, self._post(f"/studies/{study_id}/drafts", body))

    def generate(self, study_id: str, author: str, retry_failed: bool = False) -> StudyProgress:
        body = {"author": author, "retry_failed": retry_failed}
        return self._value(StudyProgress, self._json(self._send("POST", f"/studies/{study_id}/generation", json=body)))

    def stop_generation(self, study_id: str) -> StudyProgress:
        return self._value(StudyProgress, self._json(self._send("DELETE", f"/studies/{study_id}/generation")))

    def leaks(self, study_id: str) -> LeakReport:
        return self._value(LeakReport, self._get(f"/studies/{study_id}/leaks"))

    def freeze(self, study_id: str, request: FreezeRequest) -> StudyView:
        return self._value(StudyView, self._post(f"/studies/{study_id}/freeze", request))

    def rater_links(self, study_id: str) -> tuple[LinkView, ...]:
        return tuple(self._value(LinkView, row) for row in self._get(f"/studies/{study_id}/links"))

    def invite(self, study_id: str, rater: str, label: str, author: str) -> GivenLink:
        body = InviteRequest(rater=rater, label=label, author=author)
        return self._value(GivenLink, self._post(f"/studies/{study_id}/links", body))

    def withdraw(self, study_id: str, link_id: str, author: str) -> LinkView:
        sent = self._send("DELETE", f"/studies/{study_id}/links/{link_id}", params={"author": author})
        return self._value(LinkView, self._json(sent))

    def progress(self, study_id: str) -> StudyProgress:
        return self._value(StudyProgress, self._get(f"/studies/{study_id}/progress"))

    def close(self, study_id: str, author: str) -> StudyView:
        sent = self._send("POST", f"/studies/{study_id}/close", json={"author": author})
        return self._value(StudyView, self._json(sent))

    def unlock(self, study_id: str, author: str, reason: str) -> StudyView:
        sent = self._send("POST", f"/studies/{study_id}/unlock", json={"author": author, "reason": reason})
        return self._value(StudyView, self._json(sent))

    def adjudicate(self, study_id: str, items: int, author: str) -> StudyProgress:
        body = {"items": items, "author": author}
        return self._value(
            StudyProgress, self._json(self._send("POST", f"/studies/{study_id}/adjudication", json=body))
        )

    def analysis(self, study_id: str) -> Analysis:
        return self._value(Analysis, self._json(self._send("GET", f"/studies/{study_id}/analysis", timeout=ANALYSIS_S)))

    def charts(self, study_id: str) -> list[dict[str, Any]]:
        """Plotly figures of the analysis."""
        sent = self._send("GET", f"/studies/{study_id}/analysis/charts", timeout=ANALYSIS_S)
        return cast(list[dict[str, Any]], self._json(sent))

    def report(self, study_id: str, file_format: str, author: str) -> bytes:
        path = f"/studies/{study_id}/reports/{file_format}"
        return self._send("GET", path, params={"author": author}, timeout=ANALYSIS_S).content

    def export(self, study_id: str, file_format: str, author: str) -> bytes:
        return self._send("GET", f"/studies/{study_id}/exports/{file_format}", params={"author": author}).content

    def trail(self, study_id: str) -> tuple[StudyEvent, ...]:
        return tuple(self._value(StudyEvent, row) for row in self._get(f"/studies/{study_id}/audit"))

    def rating_session(self, token: str) -> RaterSession:
        return self._value(RaterSession, self._rated("GET", "session", token))

    def give_profile(self, token: str, profile: ProfileRequest) -> RaterSession:
        return self._value(RaterSession, self._rated("PUT", "profile", token, profile))

    def rating_item(self, token: str, number: int) -> RaterItem:
        return self._value(RaterItem, self._rated("GET", f"items/{number}", token))

    def answer(self, token: str, number: int, answer_id: str, request: AnswerRequest) -> AnswerSaved:
        return self._value(AnswerSaved, self._rated("PUT", f"items/{number}/answers/{answer_id}", token, request))

    def show_evidence(self, token: str, number: int) -> RaterItem:
        return self._value(RaterItem, self._rated("POST", f"items/{number}/evidence", token))

    def pause(self, token: str, resume: bool = False) -> RaterSession:
        return self._value(RaterSession, self._rated("DELETE" if resume else "POST", "pauses", token))

    def tell_leak(self, token: str, note: LeakNote) -> RaterSession:
        return self._value(RaterSession, self._rated("POST", "leaks", token, note))

    def finish(self, token: str) -> RaterSession:
        return self._value(RaterSession, self._rated("POST", "finish", token))

    def guesses(self, token: str) -> GuessView:
        return self._value(GuessView, self._rated("GET", "guesses", token))

    def guess(self, token: str, answer_id: str, request: GuessRequest) -> GuessView:
        return self._value(GuessView, self._rated("PUT", f"guesses/{answer_id}", token, request))

    def closing(self, token: str) -> ClosingView:
        return self._value(ClosingView, self._rated("GET", "closing", token))

    def close_with(self, token: str, answer_id: str, request: ClosingRequest) -> ClosingView:
        return self._value(ClosingView, self._rated("PUT", f"closing/{answer_id}", token, request))

    def _rated(self, method: str, path: str, token: str, body: Frozen | None = None) -> Any:
        options: dict[str, Any] = {"headers": {TOKEN_HEADER: token}, "timeout": RATER_S}
        if body is not None:
            options["json"] = body.model_dump(mode="json")
        return self._json(self._send(method, f"/ratings/{path}", **options))

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            answer = self._http.request(method, self.address + path, **options)
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        if answer.status_code >= 400:
            _refuse(answer)
        return answer


def _refuse(answer: httpx.Response) -> NoReturn:
    """Raises what the API refused; a defect of it, or what is no API, as unreachable: it can be tried again."""
    told: dict[str, Any] = {}
    try:
        told = answer.json()["error"]
        leaks = tuple(Leak.model_validate(leak) for leak in told.get("leaks", ()))
        message, kind = str(told["message"]), str(told.get("kind", ""))
    except (ValueError, KeyError, TypeError, AttributeError):
        raise ApiError(f"The API answered with status {answer.status_code}.", unreachable=True) from None
    if answer.status_code >= DEFECT:
        raise ApiError(message, unreachable=True)
    if kind == WRONG_TOKEN:  # the page's own, not a rater's
        raise ApiError(message)
    raise RefusedError(message, answer.status_code, kind, leaks)
