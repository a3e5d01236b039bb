from enum import StrEnum


class Preset(StrEnum):
    """The presets of a run (presets.py), each also the name of the policy that it trains."""

    LEAPNOTE = "leapnote"
    REINRAG = "reinrag"
