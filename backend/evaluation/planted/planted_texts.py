"""One wrong statement in a whole clinical text, without any citation: whether its sentence stands out.

Takes public notes, plants one change of each kind that fits in a sentence drawn by the seed, and ranks the sentences by
`TextConsistency`. The same note without the change gives what its sentences are suspected of anyway.
"""

import random
from collections.abc import Callable, Sequence
from typing import NamedTuple

from backend.evaluation.planted.planted import Kind, Pool, plant
from backend.evaluation.planted.planted_figures import auc
from backend.evaluation.planted.planted_sets import FEWEST_WORDS
from backend.ingest.clinical_notes.visit_pairs import VisitNote
from backend.interfaces import Linker
from backend.nlp.document import sentences as split
from backend.verification.consistency.consistency import Suspicion, TextConsistency


class TextFigure(NamedTuple):
    """How well the wrong sentence of a text stands out.

    Attributes:
        name: of the kind.
        n: texts.
        auc: the chance that the wrong sentence is more suspicious than another of its text; 0.5 is chance.
        first: the share of texts in which it is the most suspicious one, ties shared.
        chance: the same for a sentence drawn blindly.
        risen: the share of wrong sentences that are more suspicious than the true ones they replaced.
    """

    name: str
    n: int
    auc: float
    first: float
    chance: float
    risen: float


def text_figures(
    notes: Sequence[VisitNote],
    linker: Linker,
    pool: Pool,
    checker: TextConsistency,
    seed: int,
    progress: Callable[[int, int], None],
) -> list[TextFigure]:
    """Figures for all kinds together and kind by kind; a kind that fits no note has none."""
    found: dict[str, list[tuple[float, float, float, float]]] = {}
    for done, note in enumerate(notes):
        progress(done, len(notes))
        before = checker.suspicions(linker.link(note.text))
        for kind in Kind:
            one = _one(note, kind, linker, pool, checker, before, random.Random(f"{seed}/{note.name}/{kind}"))
            if one is not None:
                found.setdefault(kind.value, []).append(one)
    rows = [("all", [one for group in found.values() for one in group]), *sorted(found.items())]
    return [_figure(name, group) for name, group in rows if group]


def _one(
    note: VisitNote,
    kind: Kind,
    linker: Linker,
    pool: Pool,
    checker: TextConsistency,
    before: Sequence[Suspicion],
    rng: random.Random,
) -> tuple[float, float, float, float] | None:
    """AUC, first, chance and risen of one text; None where the kind fits none of its sentences."""
    linked = linker.link(note.text)
    spans = [span for part in linked.note.sections for span in split(note.text, part.body_char, part.end_char)]
    rng.shuffle(spans)
    for start, end in spans:
        text = note.text[start:end]
        if len(text.split()) < FEWEST_WORDS:
            continue
        mentions = [
            m.model_copy(update={"start_char": m.start_char - start, "end_char": m.end_char - start})
            for m in linked.note.mentions
            if start <= m.start_char < end
        ]
        planted = plant(kind, text, mentions, pool, note.text, rng)
        if planted is None or planted.text == text:
            continue
        after = checker.suspicions(linker.link(note.text[:start] + planted.text + note.text[end:]))
        wrong = next((s for s in after if s.start <= start + planted.start < s.end), None)
        true = next((s for s in before if s.start <= start + planted.start < s.end), None)
        others = [s.score for s in after if s is not wrong]
        if wrong is None or true is None or not others:
            continue
        top = max([wrong.score, *others])
        ties = sum(score == top for score in [wrong.score, *others])
        return auc([wrong.score], others), (wrong.score == top) / ties, 1 / len(after), float(wrong.score > true.score)
    return None


def _figure(name: str, group: Sequence[tuple[float, float, float, float]]) -> TextFigure:
    means = [sum(values) / len(group) for values in zip(*group, strict=True)]
    return TextFigure(name, len(group), *means)
