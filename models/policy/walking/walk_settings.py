"""How a policy walks: one frozen value, with the presets.

`PAPER` is ReinRAG as printed; where the paper is silent it takes the decision that docs/papers.md records. `OURS` moves as the
system `leapnote` does; `LEAPNOTE` is what that system's policy is trained with, which is told more.
"""

from enum import StrEnum
from typing import Any, NamedTuple, Self


class CandidateKind(StrEnum):
    """Which concepts a path may connect to."""

    EXPLORED = "explored"
    """Concepts of the group that some path already holds (the paper's letter)."""
    FRONTIER = "frontier"
    """Those, and the neighbours within the group of any explored concept."""


class ConnectScore(StrEnum):
    """By what a path is connected to a concept of the chosen group."""

    PATH = "path"
    """cos(c, path), as printed."""
    MEAN = "mean"
    """Half cos(c, path), half cos(c, keywords), as in Eq. 6."""


class ConnectWhen(StrEnum):
    """When paths are connected before they move on."""

    CHANGED = "changed"
    """When the chosen group differs from the one before (the paper)."""
    OUTSIDE = "outside"
    """For each path whose last concept lies outside the chosen group."""


class StateKind(StrEnum):
    """What the policy is told of the explored concepts, beside the current and the scarce group."""

    CONCEPTS = "concepts"
    """Their mean vector (s^c of Eq. 2; the paper)."""
    OUTLOOK = "outlook"
    """And for each group how many of them lie in it and what it still promises, the steps left, and the paths."""


class WalkSettings(NamedTuple):
    """Settings of a walk. A cap of 0 is no cap. steps is the paper's T."""

    steps: int = 5
    candidates: CandidateKind = CandidateKind.FRONTIER
    connect_score: ConnectScore = ConnectScore.MEAN
    connect_when: ConnectWhen = ConnectWhen.OUTSIDE
    connect_cap: int = 64
    retrieve_cap: int = 32
    spread: bool = True
    """Prefer concepts that no path holds yet; take others only when there are none."""
    leaps: bool = True
    """False keeps every path where it is: only its last concept's edges may be followed (the ablation without leaps)."""
    relation_labels: bool = True
    """Name the relation of a leap where an edge joins the two; else every leap reads "cluster leap"."""
    stop: bool = False
    """Whether the policy has an action that ends the walk."""
    keywords: int = 20
    """At most so many keywords start paths, in note order; 0 is no limit."""
    state: StateKind = StateKind.CONCEPTS

    def as_json(self) -> dict[str, Any]:
        """The settings by name."""
        return self._asdict()

    @classmethod
    def from_json(cls, row: dict[str, Any]) -> Self:
        """Raises KeyError or ValueError for a row that is no set of walk settings."""
        kinds = {
            "candidates": CandidateKind(row["candidates"]),
            "connect_score": ConnectScore(row["connect_score"]),
            "connect_when": ConnectWhen(row["connect_when"]),
            # cards that were written before there was a choice have the paper's
            "state": StateKind(row.get("state", StateKind.CONCEPTS)),
        }
        return cls(**{**{name: row[name] for name in cls._fields if name not in kinds}, **kinds})


OURS = WalkSettings()
LEAPNOTE = OURS._replace(state=StateKind.OUTLOOK)
PAPER = WalkSettings(
    candidates=CandidateKind.EXPLORED,
    connect_score=ConnectScore.PATH,
    connect_when=ConnectWhen.CHANGED,
    connect_cap=0,
    retrieve_cap=0,
    spread=False,
    relation_labels=False,
    keywords=0,
)
CLUSTER_LEAP = "cluster leap"
