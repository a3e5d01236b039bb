"""The errors of a request to the API, with messages that the page shows as they are."""

import httpx

from app.words.api_words import error_words
from app.words.words import _
from backend.schemas.patients.saved_case import EditRecord, Gap, ReviewFlag


class ApiError(Exception):
    """A request failed.

    Attributes:
        unreachable: nothing answered at the API's address; otherwise the API refused and the message is its own.
    """

    def __init__(self, message: str, unreachable: bool = False) -> None:
        super().__init__(message)
        self.unreachable = unreachable


class StaleError(ApiError):
    """The case has a newer version than the one that was shown.

    Attributes:
        newest: the number of the newest version.
        changed: the edits made since the version that was shown.
    """

    def __init__(self, message: str, newest: int, changed: tuple[EditRecord, ...]) -> None:
        super().__init__(message)
        self.newest = newest
        self.changed = changed


class SignatureRefusedError(ApiError):
    """The API refused a signature.

    Attributes:
        flags: severe flags that nobody acknowledged.
        gaps: places that are not completed.
    """

    def __init__(self, message: str, flags: tuple[ReviewFlag, ...], gaps: tuple[Gap, ...]) -> None:
        super().__init__(message)
        self.flags = flags
        self.gaps = gaps


def refused(answer: httpx.Response) -> ApiError:
    """The error that an answer of status 400 or above stands for."""
    try:
        body = answer.json()["error"]
        message = error_words(str(body.get("kind", "")), str(body["message"]))
    except (ValueError, KeyError, TypeError):
        return ApiError(_("The service answered with status {status}.").format(status=answer.status_code))
    try:
        if body.get("kind") == "StaleVersionError":
            return StaleError(
                message, int(body["newest"]), tuple(EditRecord.model_validate(c) for c in body["changed"])
            )
        if body.get("kind") == "SignatureRefusedError":
            flags = tuple(ReviewFlag.model_validate(flag) for flag in body["flags"])
            return SignatureRefusedError(message, flags, tuple(Gap.model_validate(gap) for gap in body["gaps"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return ApiError(message)
    return ApiError(message)


def foreign() -> ApiError:
    """The error for an answer that does not have the API's form."""
    return ApiError(
        _("What answers at the API's address does not speak as Leapnote's API does. Is the port another's?")
    )
