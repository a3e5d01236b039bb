"""The page's client of changes to the text sources: imports, new encodings, removals."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, Protocol, cast

import httpx

from app.clients.api_errors import ApiError
from app.clients.client import ApiClient

BROKE_OFF = "The connection to the API broke off. Import again: it goes on where it was."


class JobEvent(NamedTuple):
    """kind: progress (done, total, what), done (the import's report), error (message), or waiting."""

    kind: str
    data: dict[str, Any]


class SourcesApi(Protocol):
    """What the page asks. Every method raises ApiError."""

    def kinds(self) -> list[dict[str, str]]: ...
    def import_collection(self, body: dict[str, str]) -> Iterator[JobEvent]: ...
    def encode_collection(self, name: str) -> Iterator[JobEvent]: ...
    def remove_collection(self, name: str) -> None: ...


class SourcesClient(ApiClient):
    def kinds(self) -> list[dict[str, str]]:
        """Each with name, what, and the source it usually fills."""
        return cast(list[dict[str, str]], self._get("/knowledge/kinds"))

    def import_collection(self, body: dict[str, str]) -> Iterator[JobEvent]:
        """body: kind, path, and where wanted source, name, licence. Leaving the stream stops the import."""
        return self._followed("/knowledge/collections", body)

    def encode_collection(self, name: str) -> Iterator[JobEvent]:
        return self._followed(f"/knowledge/collections/{name}/encoding", {})

    def remove_collection(self, name: str) -> None:
        self._send("DELETE", f"/knowledge/collections/{name}")

    def _followed(self, path: str, body: dict[str, str]) -> Iterator[JobEvent]:
        begun = False
        try:
            with self._http.stream("POST", self.address + path, json=body) as answer:
                if answer.status_code >= 400:
                    answer.read()
                    raise ApiError(_message(answer))
                kind = ""
                for line in answer.iter_lines():
                    begun = True
                    if line.startswith("event: "):
                        kind = line.removeprefix("event: ")
                    elif line.startswith("data: "):
                        yield JobEvent(kind, dict(json.loads(line.removeprefix("data: "))))
                    elif line.startswith(":"):
                        yield JobEvent("waiting", {})
        except httpx.HTTPError as error:
            raise ApiError(BROKE_OFF) if begun else self._unreachable(error) from error
        except ValueError as error:
            raise ApiError(BROKE_OFF) from error


def _message(answer: httpx.Response) -> str:
    try:
        return str(answer.json()["error"]["message"])
    except (ValueError, KeyError, TypeError):
        return f"The API answered with status {answer.status_code}."
