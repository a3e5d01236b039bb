"""One entry of a rater's outbox, sent to the server: an answer, a guess, or an answer to the closing questions.

What comes back becomes its acknowledgement: it is on the disk, or it will never be taken, or it is to be sent again.
"""

from collections.abc import Mapping
from typing import Any

from pydantic import ValidationError

from app.clients.api_errors import ApiError
from app.clients.rater_client import RaterApi, RefusedError
from backend.schemas.studies.study_rater_views import ClosingRequest, GuessRequest
from backend.schemas.studies.study_rating import AnswerRequest

KEPT_ACKS = 300
NOT_SENT = "Not saved yet: the server cannot take it. It is sent again by itself; keep this page open."
UNFIT = "This answer is too long or not complete, so it was not saved."
Ack = dict[str, Any]
Entry = Mapping[str, Any]


class Acks:
    """What became of each entry, by its id; the last few hundred are kept. final: it is not to be sent again."""

    def __init__(self) -> None:
        self.known: dict[str, Ack] = {}

    def settled(self, name: str) -> bool:
        return bool(self.known.get(name, {}).get("final"))

    def put(self, name: str, **told: Any) -> None:
        self.known[name] = told
        while len(self.known) > KEPT_ACKS:
            self.known.pop(next(iter(self.known)))


def save(api: RaterApi, token: str, entry: Entry) -> Ack:
    """What the server says of an entry that it has on its disk: revision, complete, and of an answer more.

    Raises ApiError, RefusedError, or ValueError (pydantic's too), KeyError and TypeError for what is no entry.
    """
    name, body = str(entry["id"]), entry["body"]
    match entry["kind"]:
        case "answer":
            return api.answer(token, int(entry["number"]), name, AnswerRequest.model_validate(body)).model_dump(
                mode="json"
            )
        case "guess":
            guess = GuessRequest.model_validate(body)
            guesses = api.guess(token, name, guess)
            place = (guess.number, guess.part)
            revision = next((g.revision for g in guesses.items if (g.number, g.part) == place), 0)
            return {"revision": revision, "complete": guesses.complete}
        case "closing":
            told = ClosingRequest.model_validate(body)
            view = api.close_with(token, name, told)
            answers = next((g.answers for g in view.groups if g.group == told.group), ())
            revision = next((a.revision for a in answers if a.key == told.key), 0)
            return {"revision": revision, "complete": view.complete}
    raise ValueError(entry["kind"])


def try_to_save(api: RaterApi, token: str, entry: Entry) -> tuple[Ack, RefusedError | None]:
    """The acknowledgement of one entry, and the refusal if there was one. Raises nothing."""
    try:
        return {"ok": True, "final": True, **save(api, token, entry)}, None
    except RefusedError as error:
        return {"ok": False, "final": True, "message": str(error)}, error
    except ApiError:
        return {"ok": False, "final": False, "message": NOT_SENT}, None
    except (ValidationError, KeyError, TypeError, ValueError):
        return {"ok": False, "final": True, "message": UNFIT}, None
