"""What an evaluation found, as result.json holds it and GET /v1/results gives it.

A figure that was not measured is None with a reason, never 0. Shares are 0 to 1; a unit is named where there is one.
"""

from enum import StrEnum
from typing import Any

from pydantic import Field

from backend.schemas.base import Frozen


class ResultKind(StrEnum):
    """Which evaluation a result is of."""

    PATHS = "paths"
    NOTES = "notes"
    LINKING = "linking"
    RETRIEVAL = "retrieval"
    ANSWERS = "answers"
    PLANS = "plans"
    SOAP = "soap"
    READING = "reading"
    DRAFTS = "drafts"
    FIT = "fit"
    SAFETY = "safety"
    JUDGES = "judges"


class Order(StrEnum):
    """Whose ranking a figure of retrieved concepts rests on."""

    OWN = "own"
    """The retriever's own."""
    COMMON = "common"
    """One cosine for all retrievers, over equally many concepts of each."""


class Figure(Frozen):
    """One measured number with its 95 % interval, from a bootstrap over notes.

    n: the notes it rests on. value is None when it could not be measured; reason says why. low and high are None where
    the resamples gave no interval.
    """

    system: str
    measure: str
    budget: int | None = Field(default=None, description="How many distinct concepts were taken")
    order: Order | None = None
    group: str = Field(default="", description="The semantic group it is about; empty: all")
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    reason: str = ""


class Difference(Frozen):
    """system minus baseline on the same notes, with its 95 % interval; beyond chance when that leaves 0 out."""

    system: str
    baseline: str
    measure: str
    budget: int | None = None
    order: Order | None = None
    value: float | None = None
    low: float | None = None
    high: float | None = None
    n: int = 0
    reason: str = ""


class NotAvailable(Frozen):
    """A measure or a system that could not be had, and why."""

    name: str
    reason: str


class DataCard(Frozen):
    """What an evaluation ran on. sha256 is of the file."""

    name: str
    sha256: str
    split: str = ""
    items: int = Field(description="Notes or documents that were evaluated")
    left_out: dict[str, int] = Field(default={}, description="Those that were not, by reason")
    notices: dict[str, int] = Field(default={}, description="What a reader should know of the items, with how many")
    synthetic: bool = Field(default=False, description="Every item was made up, by a generator or by hand")


class Chart(Frozen):
    """A plotly figure as its JSON; figure has `data` and `layout`."""

    name: str
    title: str
    figure: dict[str, Any]


class Result(Frozen):
    """One run. problem is set, and all else empty, where a result file could not be read."""

    id: str
    kind: ResultKind | None = None
    date: str = ""
    key: str = Field(default="", description="sha256 over all that changes a figure")
    seed: int = 0
    settings: dict[str, Any] = {}
    data: DataCard | None = None
    graph: str = Field(default="", description="The graph's fingerprint")
    versions: dict[str, str] = {}
    identity: dict[str, Any] = Field(
        default={}, description="Writers, role models, weights, settings, sources, prompts and code: all in the key"
    )
    systems: dict[str, str] = Field(default={}, description="Each system with what it is")
    measures: dict[str, str] = Field(default={}, description="Each measure with what it means")
    figures: tuple[Figure, ...] = ()
    differences: tuple[Difference, ...] = ()
    not_available: tuple[NotAvailable, ...] = ()
    caveats: tuple[str, ...] = ()
    charts: tuple[Chart, ...] = ()
    tables: dict[str, dict[str, dict[str, int]]] = Field(
        default={}, description="Confusion tables by name: what was wanted, what was found, how often"
    )
    problem: str = ""
