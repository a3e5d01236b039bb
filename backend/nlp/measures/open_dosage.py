"""A dosage while it is read: its values, timings and asides, and what becomes of them when it ends."""

from dataclasses import dataclass, field
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.measures.timing import DAY, Timing, joined
from backend.schemas.record import Dosage


class FoundDosage(NamedTuple):
    """A dosage and where it stands: half-open code points and tokens. before_change: the dose of "from 20 mg to 40 mg" that is left."""

    start_char: int
    end_char: int
    first: int
    last: int
    dosage: Dosage
    before_change: bool = False


@dataclass(slots=True)
class OpenDosage:
    """A dosage being read."""

    first: int = -1
    last: int = -1
    values: dict[str, object] = field(default_factory=dict)
    timings: list[Timing] = field(default_factory=list)
    before_change: bool = False
    asides: list[tuple[int, int]] = field(default_factory=list)

    def add(self, first: int, last: int, **values: object) -> None:
        """Add what tokens first to last, last left out, tell; of two values of one name the first stands."""
        self.first = first if self.first < 0 else self.first
        self.last = max(self.last, last)
        self.values.update({name: value for name, value in values.items() if name not in self.values})

    def finished(self, note: ParsedNote) -> FoundDosage:
        """The dosage, with its place in the note."""
        start, end = note.tokens.starts[self.first], note.tokens.ends[self.last - 1]
        code, _ = joined(self.timings)
        days = self.timings and all(t.code == DAY for t in self.timings)
        parts = [(self.timings[0].first, self.timings[-1].last)] if days else [(t.first, t.last) for t in self.timings]
        timing_text = " ".join(" ".join(note.written(*part).split()) for part in parts)
        dosage = Dosage.model_validate(
            {**self.values, "text": self._text(note), "timing": code, "timing_text": timing_text}
        )
        return FoundDosage(start, end, self.first, self.last, dosage, self.before_change)

    def _text(self, note: ParsedNote) -> str:
        """The words of a dosage without the brackets that say it again or tell what it was before."""
        pieces, at = [], self.first
        for first, last in self.asides:
            pieces.append(note.written(at, min(first, self.last)))
            at = last
        pieces.append(note.written(at, self.last) if at < self.last else "")
        return " ".join(" ".join(pieces).split())
