"""The base of every value that passes between stages or over the wire."""

from pydantic import BaseModel, ConfigDict


class Frozen(BaseModel):
    """Immutable, hashable where its fields are, and closed: an unknown field is an error, not a surprise."""

    model_config = ConfigDict(frozen=True, extra="forbid", serialize_by_alias=True)
