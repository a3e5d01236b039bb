"""The tree of errors. Each says what happened, with which value, and what to do; the API maps it to HTTP in one place."""


class LeapnoteError(Exception):
    """Something went wrong that the program can name. exit_status is the command line's, http_status the API's."""

    exit_status = 1
    http_status = 500


class InputError(LeapnoteError):
    """What the user gave cannot be taken as it is; the message says how to mend it."""

    exit_status = 2
    http_status = 422


class TooLongError(InputError):
    """A text or a list is longer than its limit."""

    http_status = 413


class NotFoundError(InputError):
    """There is nothing of that name or id."""

    http_status = 404


class ConflictError(InputError):
    """A write that rests on an older version."""

    http_status = 409


class MissingError(LeapnoteError):
    """A component is absent or does not answer."""

    exit_status = 3
    http_status = 503


class CancelledError(LeapnoteError):
    """The caller cancelled."""

    http_status = 499


class KnowledgeError(LeapnoteError):
    """A knowledge file is malformed or does not fit the others."""

    exit_status = 2
    http_status = 500


class EngineError(MissingError):
    """A language model could not be reached, refused, stalled or broke off. written: the text it had given by then."""

    def __init__(self, message: str, written: str = "") -> None:
        super().__init__(message)
        self.written = written


class BusyError(EngineError):
    """Too many requests wait for the language model."""

    http_status = 429


class FullError(BusyError):
    """Leapnote's own line before a language model is full: the request is refused, and nothing stands in for the model."""
