"""The page's client of changes to the text sources: imports, new encodings, removals. Every method raises ApiError."""

import json
from collections.abc import Iterator
from typing import Any, NamedTuple, cast

import httpx

from app.clients.api_errors import ApiError
from app.clients.client import ApiClient
from app.words.words import _, later

BROKE_OFF = later("The connection to the API broke off. Import again: it goes on where it was.")


class JobEvent(NamedTuple):
    """One event of a job.

    Attributes:
        kind: progress (done, total, what), done (the import's report), error (message), or waiting.
        data: the fields of that kind.
    """

    kind: str
    data: dict[str, Any]


class SourcesClient(ApiClient):
    """The routes that change the text sources."""

    def kinds(self) -> list[dict[str, str]]:
        """The registered importers: name, what they read, and the source each usually fills."""
        return cast(list[dict[str, str]], self._get("/knowledge/kinds"))

    def import_collection(self, body: dict[str, str]) -> Iterator[JobEvent]:
        """Import a collection.

        Args:
            body: kind and path; where wanted also source, name and licence.

        Returns:
            The events of the job; closing the stream stops the import.
        """
        return self._followed("/knowledge/collections", body)

    def encode_collection(self, name: str) -> Iterator[JobEvent]:
        """Encode a collection again with the encoder of the settings; the events of the job."""
        return self._followed(f"/knowledge/collections/{name}/encoding", {})

    def remove_collection(self, name: str) -> None:
        """Remove a collection and its indexes."""
        self._send("DELETE", f"/knowledge/collections/{name}")

    def _followed(self, path: str, body: dict[str, str]) -> Iterator[JobEvent]:
        begun = False
        try:
            with self._http.stream("POST", self.address + path, json=body) as answer:
                if answer.status_code >= 400:
                    answer.read()
                    raise self._refused(answer)
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
            raise ApiError(_(BROKE_OFF)) if begun else self._unreachable(error) from error
        except ValueError as error:
            raise ApiError(_(BROKE_OFF)) from error
