"""What the readers of statements ask of the attributes engine: the attributes of spans of a parsed note."""

from collections.abc import Callable, Sequence
from typing import Protocol

from backend.schemas.record import Experiencer


class SpanAttributes(Protocol):
    """The ConText attributes of one span."""

    @property
    def negated(self) -> bool:
        """Whether the note denies it."""
        ...

    @property
    def hypothetical(self) -> bool:
        """Whether it is only a condition, a warning or a plan."""
        ...

    @property
    def historical(self) -> bool:
        """Whether it was before this encounter."""
        ...

    @property
    def uncertain(self) -> bool:
        """Whether the note is not sure of it."""
        ...

    @property
    def experiencer(self) -> Experiencer:
        """Whose it is."""
        ...

    @property
    def kinship(self) -> str:
        """Whose it is where a relative is named."""
        ...

    @property
    def cue(self) -> str:
        """The words that decided it; empty for the default."""
        ...

    @property
    def cue_span(self) -> tuple[int, int] | None:
        """Where they stand; None for the default."""
        ...


AttributesOf = Callable[[Sequence[tuple[int, int]]], Sequence[SpanAttributes]]
