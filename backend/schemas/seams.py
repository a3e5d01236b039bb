"""What can be added to Leapnote, as it is listed to people and programs: each seam with what is registered in it."""

from pydantic import Field

from backend.schemas.base import Frozen


class Registered(Frozen):
    """One registered implementation."""

    name: str = Field(description="What settings, commands and requests call it", examples=["leapnote"])
    label: str = Field(description="What a person reads")
    about: str = Field(description="What it is; of a flag kind, what the flag means")
    action: str = Field(default="", description="Of a flag kind: what to do about the flag")


class Seam(Frozen):
    """One kind of thing that can be added, with those there are, in the order of their list."""

    name: str = Field(description="What one of them is called", examples=["planner"])
    registered: tuple[Registered, ...]
