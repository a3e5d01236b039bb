"""How the language model server is: told by the one who watches it, read by whoever asks it for something.

`up` writes the file; the API, a process of its own, reads it to say "starting: 35 s" rather than "cannot be reached".
"""

from enum import StrEnum
from pathlib import Path

from pydantic import Field, ValidationError

from backend.schemas.base import Frozen


class ServerState(StrEnum):
    """starting: it loads the model. waiting: it died and is started again soon. failed: it is not started again."""

    STARTING = "starting"
    READY = "ready"
    WAITING = "waiting"
    FAILED = "failed"
    STOPPED = "stopped"


class ServerStatus(Frozen):
    """since: seconds of the epoch at which the state began. reason: why it is not ready, empty where there is none."""

    state: ServerState
    model: str
    url: str = Field(description="Base address of the protocol, ending in /v1")
    since: float
    deaths: int = Field(default=0, ge=0, description="How often it has died since it was last steady")
    reason: str = ""

    def message(self, now: float) -> str:
        """One line for the page. now: seconds of the epoch."""
        seconds = max(0, round(now - self.since))
        match self.state:
            case ServerState.READY:
                return f"{self.model}: ready"
            case ServerState.STARTING:
                again = f" again ({self.reason})" if self.reason else ""
                return f"{self.model}: starting{again}: {seconds} s"
            case ServerState.WAITING:
                return f"{self.model}: it ended and will be started again soon ({self.reason})"
            case ServerState.FAILED:
                return f"{self.model}: it ended and is not started again ({self.reason})"
            case ServerState.STOPPED:
                return f"{self.model}: stopped"


def write_status(path: Path, status: ServerStatus) -> None:
    """Written beside and put in place, so that no reader sees half of it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(path.name + ".new")
    beside.write_text(status.model_dump_json(), encoding="utf-8")
    beside.replace(path)


def read_status(path: Path) -> ServerStatus | None:
    """The status, or None where no server is watched from here."""
    try:
        return ServerStatus.model_validate_json(path.read_bytes())
    except (OSError, ValidationError):
        return None
