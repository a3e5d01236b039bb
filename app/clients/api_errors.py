"""What a request to the API may end in, with messages that can be shown as they are."""

import httpx

from backend.schemas.patients.saved_case import EditRecord, Gap, ReviewFlag


class ApiError(Exception):
    """unreachable: nothing answered at the API's address; otherwise the API refused and the message is its own."""

    def __init__(self, message: str, unreachable: bool = False) -> None:
        super().__init__(message)
        self.unreachable = unreachable


class StaleError(ApiError):
    """The case has a newer version than the one that was looked at. changed: the edits made since."""

    def __init__(self, message: str, newest: int, changed: tuple[EditRecord, ...]) -> None:
        super().__init__(message)
        self.newest = newest
        self.changed = changed


class SignatureRefusedError(ApiError):
    """flags: the severe ones that nobody acknowledged. gaps: the places still to be completed."""

    def __init__(self, message: str, flags: tuple[ReviewFlag, ...], gaps: tuple[Gap, ...]) -> None:
        super().__init__(message)
        self.flags = flags
        self.gaps = gaps


def refused(answer: httpx.Response) -> ApiError:
    """What an answer of status 400 and above says."""
    try:
        told = answer.json()["error"]
        message = str(told["message"])
    except (ValueError, KeyError, TypeError):
        return ApiError(f"The API answered with status {answer.status_code}.")
    try:
        if told.get("kind") == "StaleVersionError":
            return StaleError(
                message, int(told["newest"]), tuple(EditRecord.model_validate(c) for c in told["changed"])
            )
        if told.get("kind") == "SignatureRefusedError":
            flags = tuple(ReviewFlag.model_validate(flag) for flag in told["flags"])
            return SignatureRefusedError(message, flags, tuple(Gap.model_validate(gap) for gap in told["gaps"]))
    except (ValueError, KeyError, TypeError, AttributeError):
        return ApiError(message)
    return ApiError(message)


def foreign() -> ApiError:
    """For an answer that is not in the API's form."""
    return ApiError("What answers at the API's address does not speak as Leapnote's API does. Is the port another's?")
