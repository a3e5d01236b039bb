"""The page's client of the API: one method a route; drafts come as a stream of stage events.

It raises ApiError with a message that can be shown as it is. It never keeps what it sends.
"""

import json
from collections.abc import Iterator
from typing import Any, Protocol, TypeVar, cast

import httpx

from app.clients.api_errors import ApiError, foreign, refused
from backend.schemas.base import Frozen
from backend.schemas.drafts.event import StageEvent
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.patients.saved_case import (
    AuditEntry,
    CasePage,
    CaseState,
    CaseView,
    EditsRequest,
    SaveRequest,
    SignatureRequest,
)
from backend.settings import Settings

Value = TypeVar("Value", bound=Frozen)


class Client(Protocol):
    """What the screens ask of the API. Every method raises ApiError."""

    def health(self) -> dict[str, str]: ...
    def systems(self) -> dict[str, Any]: ...
    def settings(self) -> list[dict[str, Any]]: ...
    def knowledge(self) -> dict[str, Any]: ...
    def prompts(self) -> list[dict[str, Any]]: ...
    def results(self) -> list[dict[str, Any]]: ...
    def cases(self) -> tuple[DemonstrationCase, ...]: ...
    def concepts(self, words: str, limit: int = 20) -> list[dict[str, Any]]: ...
    def neighbours(self, concept_id: str) -> dict[str, Any]: ...
    def paths(self, start: str, end: str) -> dict[str, Any]: ...
    def links(self, text: str) -> LinkedNote: ...
    def drafts(self, request: DraftRequest) -> Iterator[StageEvent]: ...
    def evidence(self, request: DraftRequest) -> Iterator[StageEvent]: ...
    def save_case(self, request: SaveRequest) -> CaseView: ...
    def saved_cases(self, limit: int = 50, offset: int = 0, state: CaseState | None = None) -> CasePage: ...
    def saved_case(self, case_id: str, version: int | None = None) -> CaseView: ...
    def edit_case(self, case_id: str, request: EditsRequest) -> CaseView: ...
    def sign_case(self, case_id: str, request: SignatureRequest) -> CaseView: ...
    def export_case(self, case_id: str, file_format: str, copy: str, version: int, author: str) -> bytes: ...
    def case_audit(self, case_id: str) -> tuple[AuditEntry, ...]: ...
    def delete_case(self, case_id: str, author: str) -> None: ...


HEARTBEAT = StageEvent(stage="heartbeat")  # nothing new; who no longer listens can leave


class ApiClient:
    """Talks to the API of the settings, on this machine unless they say otherwise; proxies are not used."""

    def __init__(self, settings: Settings, transport: httpx.BaseTransport | None = None, login: str = "") -> None:
        """transport: how requests travel; None for the network. login: a person's, instead of the page's own token."""
        host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
        shown = f"[{host}]" if ":" in host else host
        bearer = login or settings.api_token
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        self.address = f"http://{shown}:{settings.api_port}/v1"
        self._timeout_s = settings.timeout_s
        self._http = httpx.Client(headers=headers, timeout=settings.timeout_s, trust_env=False, transport=transport)

    def health(self) -> dict[str, str]:
        return cast(dict[str, str], self._get("/health"))

    def systems(self) -> dict[str, Any]:
        return cast(dict[str, Any], self._get("/systems"))

    def settings(self) -> list[dict[str, Any]]:
        return cast(list[dict[str, Any]], self._get("/settings"))

    def knowledge(self) -> dict[str, Any]:
        return cast(dict[str, Any], self._get("/knowledge"))

    def prompts(self) -> list[dict[str, Any]]:
        """Every prompt of the API, as it is sent to a model."""
        return cast(list[dict[str, Any]], self._get("/prompts"))

    def results(self) -> list[dict[str, Any]]:
        return cast(list[dict[str, Any]], self._get("/results"))

    def cases(self) -> tuple[DemonstrationCase, ...]:
        rows = cast(list[dict[str, Any]], self._get("/cases/demonstration"))
        return tuple(DemonstrationCase.model_validate(row) for row in rows)

    def concepts(self, words: str, limit: int = 20) -> list[dict[str, Any]]:
        return cast(list[dict[str, Any]], self._get("/concepts", q=words, limit=limit))

    def neighbours(self, concept_id: str) -> dict[str, Any]:
        return cast(dict[str, Any], self._get(f"/concepts/{concept_id}/neighbours"))

    def paths(self, start: str, end: str) -> dict[str, Any]:
        return cast(dict[str, Any], self._get("/paths", **{"from": start, "to": end}))

    def links(self, text: str) -> LinkedNote:
        return LinkedNote.model_validate(self._json(self._send("POST", "/links", json={"text": text})))

    def drafts(self, request: DraftRequest) -> Iterator[StageEvent]:
        """The stages as they end; the last event is `draft`, or `error` with the reason."""
        return self._events("/drafts", request)

    def evidence(self, request: DraftRequest) -> Iterator[StageEvent]:
        return self._events("/evidence", request)

    def save_case(self, request: SaveRequest) -> CaseView:
        return self._value(CaseView, self._post("/cases", request))

    def saved_cases(self, limit: int = 50, offset: int = 0, state: CaseState | None = None) -> CasePage:
        wanted = {"state": state.value} if state else {}
        return self._value(CasePage, self._get("/cases", limit=limit, offset=offset, **wanted))

    def saved_case(self, case_id: str, version: int | None = None) -> CaseView:
        wanted = {"version": version} if version else {}
        return self._value(CaseView, self._get(f"/cases/{case_id}", **wanted))

    def edit_case(self, case_id: str, request: EditsRequest) -> CaseView:
        """Also raises StaleError."""
        return self._value(CaseView, self._post(f"/cases/{case_id}/edits", request))

    def sign_case(self, case_id: str, request: SignatureRequest) -> CaseView:
        """Also raises StaleError and SignatureRefusedError."""
        return self._value(CaseView, self._post(f"/cases/{case_id}/signature", request))

    def export_case(self, case_id: str, file_format: str, copy: str, version: int, author: str) -> bytes:
        """The file's bytes. The API writes into its audit trail that author took it."""
        asked = {"copy": copy, "version": version, "author": author}
        return self._send("GET", f"/cases/{case_id}/exports/{file_format}", params=asked).content

    def case_audit(self, case_id: str) -> tuple[AuditEntry, ...]:
        return tuple(self._value(AuditEntry, row) for row in self._get(f"/cases/{case_id}/audit"))

    def delete_case(self, case_id: str, author: str) -> None:
        self._send("DELETE", f"/cases/{case_id}", params={"author": author})

    def _events(self, path: str, request: DraftRequest) -> Iterator[StageEvent]:
        body = request.model_dump(mode="json")
        begun = False
        try:
            with self._http.stream("POST", self.address + path, json=body) as answer:
                if answer.status_code >= 400:
                    answer.read()
                    raise refused(answer)
                for line in answer.iter_lines():
                    if line.startswith(":"):
                        yield HEARTBEAT
                    elif line.startswith("data: "):
                        begun = True
                        yield StageEvent.model_validate(json.loads(line[6:]))
        except httpx.HTTPError as error:
            if begun:
                raise ApiError("The connection to the API broke off. Draft again.") from error
            raise self._unreachable(error) from error
        except ValueError as error:
            raise foreign() from error

    def _get(self, path: str, **query: Any) -> Any:
        return self._json(self._send("GET", path, params=query))

    def _post(self, path: str, body: Frozen) -> Any:
        return self._json(self._send("POST", path, json=body.model_dump(mode="json")))

    def _value(self, kind: type[Value], row: Any) -> Value:
        try:
            return kind.model_validate(row)
        except ValueError:
            raise foreign() from None  # the cause would quote the case's text

    def _send(self, method: str, path: str, **options: Any) -> httpx.Response:
        try:
            answer = self._http.request(method, self.address + path, **options)
        except httpx.HTTPError as error:
            raise self._unreachable(error) from error
        if answer.status_code >= 400:
            raise refused(answer)
        return answer

    def _json(self, answer: httpx.Response) -> Any:
        try:
            return answer.json()
        except ValueError as error:
            raise foreign() from error

    def _unreachable(self, error: httpx.HTTPError) -> ApiError:
        if isinstance(error, httpx.TimeoutException):
            return ApiError(
                f"The API at {self.address} did not answer within {self._timeout_s:.0f} s. "
                "Try again, or raise LEAPNOTE_TIMEOUT_S.",
                unreachable=True,
            )
        return ApiError(f"The API does not answer at {self.address}. Start it with: make run", unreachable=True)
