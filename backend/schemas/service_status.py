"""How the service is, for whoever looks after it: parts, versions, disk. Nothing of a patient is in it."""

from datetime import datetime

from pydantic import Field

from backend.schemas.base import Frozen


class Part(Frozen):
    """A part of the service. name: database, knowledge, encoder, policy, writer, model_server, sources or disk."""

    name: str
    ok: bool
    found: str = Field(description="What was found, or what is wrong and how to mend it")


class Disk(Frozen):
    """The disk of the data folder, in bytes."""

    folder: str
    data_bytes: int
    free_bytes: int
    total_bytes: int


class ServiceStatus(Frozen):
    """What GET /v1/status answers. retention_days: 0 where unsigned letters are kept."""

    version: str
    python: str
    started_at: datetime
    packages: dict[str, str]
    parts: tuple[Part, ...]
    disk: Disk
    retention_days: int
