"""Changes to the sources by way of the API that holds them. Used when the lock says that the API runs."""

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx

from backend.cli.progress import ProgressLine
from backend.errors import ConflictError, InputError, LeapnoteError, MissingError
from backend.settings import Settings

CONNECT_S = 5.0


class NoApi(Exception):
    """No API answers: another command holds the sources, or the API listens elsewhere."""


def import_through_api(settings: Settings, body: Mapping[str, Any], line: ProgressLine) -> dict[str, Any]:
    """Import by the running API. Raises what the API answers as an error."""
    sent = {**body, "path": str(Path(body["path"]).absolute())}
    return _followed(settings, "/v1/knowledge/collections", sent, line)


def encode_through_api(settings: Settings, name: str, batch: int, line: ProgressLine) -> dict[str, Any]:
    """Encode a collection again by the running API. Raises what the API answers as an error."""
    return _followed(settings, f"/v1/knowledge/collections/{name}/encoding?batch={batch}", {}, line)


def remove_through_api(settings: Settings, name: str) -> None:
    """Remove a collection by the running API.

    Raises:
        NoApi: none answers.
    """
    with _client(settings) as client:
        try:
            _check(client.delete(f"/v1/knowledge/collections/{name}"))
        except httpx.TransportError as error:
            raise NoApi from error


def _followed(settings: Settings, path: str, body: Mapping[str, Any], line: ProgressLine) -> dict[str, Any]:
    event = ""
    with _client(settings) as client:
        try:
            with client.stream("POST", path, json=dict(body)) as answer:
                if answer.status_code >= 400:
                    answer.read()
                _check(answer)
                for text in answer.iter_lines():
                    name, _, value = text.partition(": ")
                    if name == "event":
                        event = value
                    elif name == "data":
                        found = json.loads(value)
                        if event == "progress":
                            line(found["done"], found["total"], found["what"])
                        elif event == "done":
                            return dict(found)
                        elif event == "error":
                            raise _error(found["message"], int(found.get("status", 1)))
        except (httpx.ConnectError, httpx.ConnectTimeout) as error:
            raise NoApi from error
        except httpx.TransportError as error:
            raise MissingError("The API went away during the import. The same command goes on where it was.") from error
    raise MissingError("The API ended the import without a result. The same command goes on where it was.")


def _check(answer: httpx.Response) -> None:
    if answer.status_code < 400:
        return
    try:
        message = answer.json()["error"]["message"]
    except (ValueError, KeyError, TypeError):
        message = f"The API answered with the status {answer.status_code}."
    if answer.status_code == 409:
        raise ConflictError(message)
    raise _error(message, 2 if answer.status_code < 500 else 1)


def _error(message: str, status: int) -> LeapnoteError:
    return InputError(message) if status == 2 else MissingError(message) if status == 3 else LeapnoteError(message)


def _address(settings: Settings) -> str:
    host = "127.0.0.1" if settings.host in ("0.0.0.0", "::") else settings.host
    return f"http://{host}:{settings.api_port}"


def _client(settings: Settings) -> httpx.Client:
    headers = {"Authorization": f"Bearer {settings.api_token}"} if settings.api_token else {}
    timeout = httpx.Timeout(None, connect=CONNECT_S)
    return httpx.Client(base_url=_address(settings), headers=headers, timeout=timeout, trust_env=False)
