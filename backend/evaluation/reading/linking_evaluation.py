"""`evaluate linking`: mentions, concepts and assertions of the linker against labelled texts.

A predicted mention and a labelled one are matched one to one: with the same characters (exact), or with the most
characters shared (overlap). All figures are pooled over documents; intervals are over documents.
"""

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np

from backend.evaluation.metrics.bootstrap import RESAMPLES, Resampler
from backend.evaluation.reading.labelled_texts import LabelledMention, LabelledText
from backend.evaluation.reports.failed_items import failed_row, not_scored
from backend.evaluation.reports.journal import Progress
from backend.evaluation.reports.plotly_charts import Point, bar_chart
from backend.interfaces import Linker
from backend.schemas.drafts.note import Mention
from backend.schemas.evaluation_results import Chart, Figure
from backend.schemas.vocabulary import Assertion, SemanticGroup

SYSTEM = "linker"
MEASURES: dict[str, str] = {
    "exact_precision": "share of the linker's mentions whose characters are just those of a label",
    "exact_recall": "share of the labels that the linker has with just their characters",
    "exact_f1": "harmonic mean of the two",
    "overlap_precision": "share of the linker's mentions that share characters with a label, one to one",
    "overlap_recall": "share of the labels that share characters with a mention of the linker, one to one",
    "overlap_f1": "harmonic mean of the two",
    "known_recall": "overlap recall among labels whose very words are a name the linker knows",
    "concept_accuracy": "share of the overlapping pairs with the same concept, where the label's concept is in the graph",
    "assertion_accuracy": "share of the overlapping pairs with the same assertion, where the label has one",
    "assertion_precision": "of one assertion: share of the linker's that the label has too, among overlapping pairs",
    "assertion_recall": "of one assertion: share of the labels' that the linker has too, among overlapping pairs",
    "assertion_f1": "of one assertion: harmonic mean of the two",
}


class LinkingSettings(NamedTuple):
    """groups: only mentions of these semantic groups are held against the linker; None: all of them."""

    groups: tuple[SemanticGroup, ...] | None = None
    resamples: int = RESAMPLES
    seed: int = 0


class LinkingFound(NamedTuple):
    """n: texts that were read. left_out: how many were not, by what failed."""

    figures: tuple[Figure, ...]
    charts: tuple[Chart, ...]
    n: int
    left_out: dict[str, int]


class _Counted(NamedTuple):
    """The sums of one document: numerator and denominator of each measure."""

    sums: dict[str, tuple[float, float]]


def labelled_groups(texts: Sequence[LabelledText]) -> tuple[SemanticGroup, ...] | None:
    """The groups a file labels, if each of its labels says its group: others are no errors of the linker there."""
    groups = {mention.group for text in texts for mention in text.mentions}
    return None if None in groups or not groups else tuple(sorted(group for group in groups if group is not None))


def run_linking(
    texts: Sequence[LabelledText],
    linker: Linker,
    settings: LinkingSettings,
    is_name: Callable[[str], bool],
    in_graph: Callable[[str], bool],
    progress: Progress | None = None,
) -> LinkingFound:
    """is_name: whether the linker knows these words as a name; in_graph: whether a concept id is one of the graph."""
    counted: list[_Counted] = []
    failed: list[dict[str, Any]] = []
    for done, text in enumerate(texts):
        if progress is not None:
            progress(done, len(texts), "documents")
        try:
            counted.append(_count(text, linker, settings, is_name, in_graph))
        except Exception as error:
            failed.append(failed_row("link", error))
    if progress is not None:
        progress(len(texts), len(texts), "documents")
    resampler = Resampler(len(counted), settings.seed, settings.resamples)
    figures = [_figure(name, counted, resampler) for name in _names(counted)]
    return LinkingFound(tuple(figures), (_chart(figures),), len(counted), not_scored(failed))


def _figure(name: str, counted: Sequence[_Counted], resampler: Resampler) -> Figure:
    measure, _, about = name.partition("/")
    top = np.array([document.sums.get(name, (0.0, 0.0))[0] for document in counted])
    bottom = np.array([document.sums.get(name, (0.0, 0.0))[1] for document in counted])
    found = resampler.figure(top, bottom)
    return Figure(
        system=f"{SYSTEM}: {about}" if about else SYSTEM,
        measure=measure,
        value=found.value,
        low=found.low,
        high=found.high,
        n=int((bottom > 0).sum()),
        reason="" if found.value is not None else "the file labels nothing of the kind",
    )


def _names(counted: Sequence[_Counted]) -> list[str]:
    plain = [name for name in MEASURES if not name.startswith("assertion_") or name == "assertion_accuracy"]
    given = {name for document in counted for name in document.sums}
    return plain + sorted(given - set(plain))


def _count(
    text: LabelledText,
    linker: Linker,
    settings: LinkingSettings,
    is_name: Callable[[str], bool],
    in_graph: Callable[[str], bool],
) -> _Counted:
    found = [
        mention
        for mention in linker.link(text.text).note.mentions
        if settings.groups is None or mention.group in settings.groups
    ]
    wanted = [
        label
        for label in text.mentions
        if settings.groups is None or label.group is None or label.group in settings.groups
    ]
    exact = len({(m.start_char, m.end_char) for m in found} & {(label.start, label.end) for label in wanted})
    pairs = matched(found, wanted)
    hit = {id(label) for _, label in pairs}
    known = [label for label in wanted if is_name(text.text[label.start : label.end])]
    sums: dict[str, tuple[float, float]] = {}
    for kind, hits in (("exact", exact), ("overlap", len(pairs))):
        sums[f"{kind}_precision"] = (hits, len(found))
        sums[f"{kind}_recall"] = (hits, len(wanted))
        sums[f"{kind}_f1"] = (2 * hits, len(found) + len(wanted))
    sums["known_recall"] = (sum(id(label) in hit for label in known), len(known))
    same = [m.concept_id == label.concept_id for m, label in pairs if label.concept_id and in_graph(label.concept_id)]
    sums["concept_accuracy"] = (sum(same), len(same))
    assertion_pairs = [(m.assertion, label.assertion) for m, label in pairs if label.assertion is not None]
    sums["assertion_accuracy"] = (sum(ours == theirs for ours, theirs in assertion_pairs), len(assertion_pairs))
    for assertion in Assertion:
        ours = sum(one == assertion for one, _ in assertion_pairs)
        theirs = sum(one == assertion for _, one in assertion_pairs)
        both = sum(one == other == assertion for one, other in assertion_pairs)
        if ours or theirs:
            sums[f"assertion_precision/{assertion.value}"] = (both, ours)
            sums[f"assertion_recall/{assertion.value}"] = (both, theirs)
            sums[f"assertion_f1/{assertion.value}"] = (2 * both, ours + theirs)
    return _Counted(sums)


def matched(found: Sequence[Mention], wanted: Sequence[LabelledMention]) -> list[tuple[Mention, LabelledMention]]:
    """One-to-one pairs that share characters: those that share most first, then by place."""
    shared = [
        (min(m.end_char, label.end) - max(m.start_char, label.start), -abs(_excess(m, label)), -i, -j)
        for i, m in enumerate(found)
        for j, label in enumerate(wanted)
        if m.start_char < label.end and label.start < m.end_char
    ]
    pairs, used, taken = [], set[int](), set[int]()
    for _, _, i, j in sorted(shared, reverse=True):
        if -i not in used and -j not in taken:
            used.add(-i)
            taken.add(-j)
            pairs.append((found[-i], wanted[-j]))
    return pairs


def _excess(mention: Mention, label: LabelledMention) -> int:
    return (mention.end_char - mention.start_char) - (label.end - label.start)


def _chart(figures: Sequence[Figure]) -> Chart:
    points: dict[str, list[Point]] = {}
    for figure in figures:
        if figure.value is not None:
            measure = figure.measure.replace("_", " ")
            points.setdefault(figure.system, []).append(Point(measure, figure.value, figure.low, figure.high))
    return bar_chart("linking", "The linker against the labels", "measure", "share", points)
