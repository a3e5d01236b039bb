"""The page's client of drafts, cases and knowledge: one method a route. Drafts come as a stream of stage events.

Every method raises ApiError with a message that can be shown as it is. The client stores nothing of what it sends.
"""

import json
from collections.abc import Iterator
from typing import Any, TypeVar, cast

import httpx

from app.clients.api_errors import ApiError, foreign, refused
from app.words.words import _
from backend.schemas.base import Frozen
from backend.schemas.drafts.event import StageEvent
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
from backend.schemas.seams import Seam
from backend.settings import Settings

Value = TypeVar("Value", bound=Frozen)


HEARTBEAT = StageEvent(stage="heartbeat")  # nothing new; who no longer listens can leave


class ApiClient:
    """The API of the settings, by default on this machine. Proxies of the environment are not used."""

    def __init__(self, settings: Settings, transport: httpx.BaseTransport | None = None, login: str = "") -> None:
        """Prepare the connection.

        Args:
            settings: host, port, token and time limit of the API.
            transport: how requests travel; None for the network.
            login: a person's login token, in the place of the page's own token.
        """
        host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
        shown = f"[{host}]" if ":" in host else host
        bearer = login or settings.api_token
        headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
        self.address = f"http://{shown}:{settings.api_port}/v1"
        self._timeout_s = settings.timeout_s
        self._http = httpx.Client(headers=headers, timeout=settings.timeout_s, trust_env=False, transport=transport)

    def systems(self) -> dict[str, Any]:
        """The systems, the documents, who writes, and the models with a role of their own."""
        return cast(dict[str, Any], self._get("/systems"))

    def seams(self) -> tuple[Seam, ...]:
        """What can be added, and what is registered in each."""
        return tuple(self._value(Seam, row) for row in self._get("/seams"))

    def settings(self) -> list[dict[str, Any]]:
        """Every setting with its name, value and meaning; a secret shows only whether it is set."""
        return cast(list[dict[str, Any]], self._get("/settings"))

    def knowledge(self) -> dict[str, Any]:
        """The loaded graph, encoder and policy, and each source with its collections."""
        return cast(dict[str, Any], self._get("/knowledge"))

    def prompts(self) -> list[dict[str, Any]]:
        """Every prompt as it is sent to a model, with version and hash."""
        return cast(list[dict[str, Any]], self._get("/prompts"))

    def results(self) -> list[dict[str, Any]]:
        """The evaluation results of this machine."""
        return cast(list[dict[str, Any]], self._get("/results"))

    def cases(self) -> tuple[DemonstrationCase, ...]:
        """The demonstration cases."""
        rows = cast(list[dict[str, Any]], self._get("/cases/demonstration"))
        return tuple(DemonstrationCase.model_validate(row) for row in rows)

    def concepts(self, words: str, limit: int = 20) -> list[dict[str, Any]]:
        """Concepts of the graph whose name or synonym matches the words, exact names first."""
        return cast(list[dict[str, Any]], self._get("/concepts", q=words, limit=limit))

    def neighbours(self, concept_id: str) -> dict[str, Any]:
        """A concept, and every edge from it under `neighbours`."""
        return cast(dict[str, Any], self._get(f"/concepts/{concept_id}/neighbours"))

    def paths(self, start: str, end: str) -> dict[str, Any]:
        """A shortest path between two concepts, by their ids, under `steps`; empty where none of four edges or fewer exists."""
        return cast(dict[str, Any], self._get("/paths", **{"from": start, "to": end}))

    def drafts(self, request: DraftRequest) -> Iterator[StageEvent]:
        """Write a draft.

        Returns:
            The stages as they end, with `heartbeat` events between them; the last event is `draft`, or `error` with the reason.
        """
        return self._events("/drafts", request)

    def save_case(self, request: SaveRequest) -> CaseView:
        """Save a finished draft as a case."""
        return self._value(CaseView, self._post("/cases", request))

    def saved_cases(
        self, limit: int = 50, offset: int = 0, state: CaseState | None = None, words: str = ""
    ) -> CasePage:
        """A page of the saved letters; state None for all, words that the label must hold."""
        wanted = ({"state": state.value} if state else {}) | ({"q": words} if words else {})
        return self._value(CasePage, self._get("/cases", limit=limit, offset=offset, **wanted))

    def saved_case(self, case_id: str, version: int | None = None) -> CaseView:
        """A saved case at a version, by default the newest."""
        wanted = {"version": version} if version else {}
        return self._value(CaseView, self._get(f"/cases/{case_id}", **wanted))

    def edit_case(self, case_id: str, request: EditsRequest) -> CaseView:
        """Apply edits to a case; raises StaleError where the case has a newer version."""
        return self._value(CaseView, self._post(f"/cases/{case_id}/edits", request))

    def sign_case(self, case_id: str, request: SignatureRequest) -> CaseView:
        """Sign a version of a case; raises StaleError or SignatureRefusedError where it cannot be signed."""
        return self._value(CaseView, self._post(f"/cases/{case_id}/signature", request))

    def export_case(self, case_id: str, file_format: str, copy: str, version: int, author: str) -> bytes:
        """The bytes of an exported file. The audit trail records the author of the export."""
        asked = {"copy": copy, "version": version, "author": author}
        return self._send("GET", f"/cases/{case_id}/exports/{file_format}", params=asked).content

    def case_audit(self, case_id: str) -> tuple[AuditEntry, ...]:
        """The audit trail of a case."""
        return tuple(self._value(AuditEntry, row) for row in self._get(f"/cases/{case_id}/audit"))

    def delete_case(self, case_id: str, author: str) -> None:
        """Delete a case for good; the audit trail remains."""
        self._send("DELETE", f"/cases/{case_id}", params={"author": author})

    def _events(self, path: str, request: DraftRequest) -> Iterator[StageEvent]:
        body = request.model_dump(mode="json")
        begun = False
        try:
            with self._http.stream("POST", self.address + path, json=body) as answer:
                if answer.status_code >= 400:
                    answer.read()
                    raise self._refused(answer)
                for line in answer.iter_lines():
                    if line.startswith(":"):
                        yield HEARTBEAT
                    elif line.startswith("data: "):
                        begun = True
                        yield StageEvent.model_validate(json.loads(line[6:]))
        except httpx.HTTPError as error:
            if begun:
                raise ApiError(_("The connection to the API broke off. Draft again.")) from error
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
            raise self._refused(answer)
        return answer

    def _refused(self, answer: httpx.Response) -> ApiError:
        return refused(answer)

    def _json(self, answer: httpx.Response) -> Any:
        try:
            return answer.json()
        except ValueError as error:
            raise foreign() from error

    def _unreachable(self, error: httpx.HTTPError) -> ApiError:
        if isinstance(error, httpx.TimeoutException):
            return ApiError(
                _(
                    "The API at {address} did not answer within {seconds} s. Try again, or raise LEAPNOTE_TIMEOUT_S."
                ).format(address=self.address, seconds=f"{self._timeout_s:.0f}"),
                unreachable=True,
            )
        return ApiError(
            _("The API does not answer at {address}. Start it with: make run").format(address=self.address),
            unreachable=True,
        )
