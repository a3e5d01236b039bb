"""Length and variety of the texts of a set of pairs, as ReinRAG's Table 4 gives them for discharge instructions.

A word is a run of letters and digits, with apostrophes, hyphens, points, commas and slashes inside it ("don't", "follow-up",
"2.5", "mg/dl"); de-identification blanks and punctuation are none. A type is a word in lower case. The paper defines
neither, nor which standard deviation it prints; this one is of the sample (n - 1).
"""

import re
import statistics
from collections.abc import Iterable
from typing import Any, NamedTuple

from backend.ingest.clinical_notes.deidentification import content
from backend.ingest.clinical_notes.note_pairs import Pair

_WORD = re.compile(r"[^\W_]+(?:['’\-.,/][^\W_]+)*")


class TextStatistics(NamedTuple):
    """words_mean, words_sd: words a text. ttr_mean: types divided by words of a text, 0 to 1, averaged over the texts.

    None where too few texts have words: a mean needs one, a standard deviation two.
    """

    texts: int
    words_mean: float | None
    words_sd: float | None
    ttr_mean: float | None


class PairStatistics(NamedTuple):
    """Of the notes and of the documents of the same pairs, and how many patients they are of."""

    patients: int
    notes: TextStatistics
    documents: TextStatistics

    def as_json(self) -> dict[str, Any]:
        """Plain values, for JSON."""
        return {"patients": self.patients, "notes": self.notes._asdict(), "documents": self.documents._asdict()}

    def as_text(self) -> str:
        """Three lines for a terminal."""
        return "\n".join(
            (f"patients {self.patients:,}", f"notes      {_line(self.notes)}", f"documents  {_line(self.documents)}")
        )


def words(text: str) -> list[str]:
    """The words of a text, in order and in lower case."""
    return [found.group().lower() for found in _WORD.finditer(content(text))]


def text_statistics(texts: Iterable[str]) -> TextStatistics:
    """Over all texts; one without words counts in the lengths and has no type-token ratio."""
    lengths: list[int] = []
    ratios: list[float] = []
    for text in texts:
        found = words(text)
        lengths.append(len(found))
        if found:
            ratios.append(len(set(found)) / len(found))
    return TextStatistics(
        len(lengths),
        statistics.fmean(lengths) if lengths else None,
        statistics.stdev(lengths) if len(lengths) > 1 else None,
        statistics.fmean(ratios) if ratios else None,
    )


def pair_statistics(pairs: Iterable[Pair]) -> PairStatistics:
    """Of one set of pairs, as one split; the pairs are held in memory."""
    held = list(pairs)
    return PairStatistics(
        len({pair.patient_id for pair in held}),
        text_statistics(pair.note for pair in held),
        text_statistics(pair.text for pair in held),
    )


def _line(found: TextStatistics) -> str:
    def shown(value: float | None, digits: int) -> str:
        return "not defined" if value is None else f"{value:,.{digits}f}"

    return (
        f"{found.texts:,} texts, words {shown(found.words_mean, 1)} (sd {shown(found.words_sd, 2)}), "
        f"type-token ratio {shown(found.ttr_mean, 2)}"
    )
