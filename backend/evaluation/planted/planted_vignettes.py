"""One wrong statement in a made-up case: whether its sentence stands out of the text, with nothing cited.

Reads a file of vignettes, each with one statement in its right form and in two wrong ones: `far`, plainly wrong, and `near`, a
rival that an examiner would offer. The right text says how often a true one is suspected. Every second vignette of a kind is of the
half that is kept unseen while rules are written.
"""

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.container import Container
from backend.errors import InputError, KnowledgeError
from backend.evaluation.metrics.bootstrap import Interval, Resampler
from backend.evaluation.planted.planted_figures import auc
from backend.interfaces import Linker
from backend.settings import ROOT
from backend.verification.consistency.consistency import SUSPECTED_AT, TextConsistency

VIGNETTES = ROOT / "assets" / "vignettes" / "planted.md"
SHIPPED = (VIGNETTES, VIGNETTES.with_name("fresh.md"))
HALVES = ("tune", "held", "all")
KINDS = ("diagnosis", "pharmacotherapy", "treatment", "management", "causal organism")
FORMS = ("right", "far", "near")
_STATEMENT = re.compile(r"\{\{([^{}|]+)\|([^{}|]+)\|([^{}|]+)\}\}")


class Vignette(NamedTuple):
    """before and after: the text around the statement. right, far and near: the statement's forms. held: of the unseen half."""

    name: str
    kind: str
    specialty: str
    before: str
    right: str
    far: str
    near: str
    after: str
    held: bool

    def text(self, form: str) -> str:
        """The whole case with the right or the wrong form of its sentence."""
        return f"{self.before}{getattr(self, form)}{self.after}"


class Placed(NamedTuple):
    """What one text gave.

    Attributes:
        vignette: the case.
        form: which of its forms stood in the text.
        auc: against the other sentences of its text.
        first: whether the wrong sentence is the most suspicious, ties shared.
        chance: the same for a sentence drawn blindly.
        flagged: whether the wrong sentence reaches SUSPECTED_AT.
        alarmed: whether any sentence of the right text does.
        won: whether the wrong form is more suspicious than the right one in its place, half for a tie.
    """

    vignette: Vignette
    form: str
    auc: float
    first: float
    chance: float
    flagged: float
    alarmed: float
    won: float


class VignetteFigure(NamedTuple):
    """Means over n texts with the bounds of 95 %."""

    name: str
    n: int
    auc: Interval
    first: Interval
    chance: float
    flagged: Interval
    alarmed: Interval
    won: Interval


def read_vignettes(path: Path = VIGNETTES) -> list[Vignette]:
    """Raises KnowledgeError naming the vignette that does not have a heading of three parts and one statement in three forms."""
    out: list[Vignette] = []
    seen: Counter[str] = Counter()
    for block in path.read_text(encoding="utf-8").split("\n## ")[1:]:
        heading, _, body = block.partition("\n")
        parts = [part.strip() for part in heading.split("|")]
        found = list(_STATEMENT.finditer(body))
        if len(parts) != 3 or parts[1] not in KINDS or len(found) != 1:
            raise KnowledgeError(
                f"{path.name}: the vignette {heading!r} needs a heading 'name | kind | specialty' with a kind of {', '.join(KINDS)}, and "
                "one statement as {{right|far|near}}."
            )
        (one,), (name, kind, specialty) = found, parts
        before, after = body[: one.start()].lstrip(), body[one.end() :].rstrip()
        unseen = bool(seen[kind] % 2)
        out.append(Vignette(name, kind, specialty, before, one[1], one[2], one[3], after, unseen))
        seen[kind] += 1
    return out


def figures_of(
    container: Container, path: Path, half: str, seed: int, progress: Callable[[int, int], None]
) -> list[VignetteFigure]:
    """Of a file's vignettes, all or one half. Raises InputError where there is no file, and for a half that is none."""
    if half not in HALVES:
        raise InputError(f"There is no half {half!r}. Choose from: {', '.join(HALVES)}")
    if not path.is_file():
        raise InputError(f"There are no vignettes at {path}. Name a file as assets/vignettes/planted.md is.")
    chosen = [one for one in read_vignettes(path) if half == "all" or one.held == (half == "held")]
    checker = TextConsistency(container.linker, container.graph)
    return vignette_figures(placed(chosen, container.linker, checker, progress), seed)


def placed(
    vignettes: Sequence[Vignette], linker: Linker, checker: TextConsistency, progress: Callable[[int, int], None]
) -> list[Placed]:
    """Two a vignette, in order: the far and the near form."""
    out = []
    for done, one in enumerate(vignettes):
        progress(done, len(vignettes))
        right, rest = _scores(one, "right", linker, checker)
        alarmed = float(max(right, *rest) >= SUSPECTED_AT)
        for form in FORMS[1:]:
            score, others = _scores(one, form, linker, checker)
            top = max(score, *others)
            first = (score == top) / sum(s == top for s in (score, *others))
            won = (score > right) + 0.5 * (score == right)
            chance = 1 / (1 + len(others))
            out.append(
                Placed(one, form, auc([score], others), first, chance, float(score >= SUSPECTED_AT), alarmed, won)
            )
    return out


def vignette_figures(found: Sequence[Placed], seed: int) -> list[VignetteFigure]:
    """All together, far and near, and kind by kind; resampled over texts."""
    groups = [("all", list(found))]
    groups += [(form, [one for one in found if one.form == form]) for form in FORMS[1:]]
    groups += [
        (f"{kind}, {form}", [one for one in found if one.vignette.kind == kind and one.form == form])
        for kind in KINDS
        for form in FORMS[1:]
    ]
    return [_figure(name, group, seed) for name, group in groups if group]


def vignette_table(found: Sequence[VignetteFigure]) -> str:
    """The figures as a table of Markdown."""
    lines = ["| kind | texts | AUC | ranked first | by chance | right one lower | flagged | false alarms |"]
    lines.append("|---|---|---|---|---|---|---|---|")
    for f in found:
        cells = [
            interval_text(f.auc),
            interval_text(f.first),
            f"{f.chance:.3f}",
            interval_text(f.won),
            interval_text(f.flagged),
            interval_text(f.alarmed),
        ]
        lines.append(f"| {f.name} | {f.n} | {' | '.join(cells)} |")
    return "\n".join(lines)


def _scores(one: Vignette, form: str, linker: Linker, checker: TextConsistency) -> tuple[float, list[float]]:
    """Of the statement, and of the text's other sentences."""
    start, end = len(one.before), len(one.before) + len(getattr(one, form))
    found = checker.suspicions(linker.link(one.text(form)))
    inside = [s.score for s in found if s.start < end and s.end > start]
    return max(inside), [s.score for s in found if s.start >= end or s.end <= start]


def _figure(name: str, group: Sequence[Placed], seed: int) -> VignetteFigure:
    drawn = Resampler(len(group), seed)

    def mean(field: str) -> Interval:
        return drawn.figure(np.array([getattr(one, field) for one in group]))

    chance = float(np.mean([one.chance for one in group]))
    return VignetteFigure(
        name, len(group), mean("auc"), mean("first"), chance, mean("flagged"), mean("alarmed"), mean("won")
    )


def interval_text(value: Interval) -> str:
    """The value with its bounds in brackets; "-" where nothing counts."""
    if value.value is None:
        return "-"
    bounds = f" [{value.low:.2f}, {value.high:.2f}]" if value.low is not None and value.high is not None else ""
    return f"{value.value:.3f}{bounds}"
