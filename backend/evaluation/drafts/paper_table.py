"""ReinRAG's Table 1 from a result of notes: a line an arm, its columns in % with the difference to the baseline beside each.

Concepts "as printed" are the paper's labels (only what the document names counts); over full sets they stand in a second table.
Arms of several training seeds are told by their mean, whose differences to the other arms stand in a table of their own.
"""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from backend.evaluation.metrics.seed_families import SEED, families
from backend.evaluation.reports.cell_use import FELL_BACK, SAME_TEXTS, TIMES, baseline_of
from backend.schemas.evaluation_results import Difference, Figure, Result

PRINTED = {
    "P": "concept_precision_printed",
    "R": "concept_recall",
    "F1": "concept_f1_printed",
    "J": "concept_jaccard",
    "HL ↓": "concept_hamming_printed",
    "RG-1": "rouge1",
    "RG-2": "rouge2",
    "RG-L": "rouge_l",
    "BL-1": "bleu1",
    "BL-2": "bleu2",
    "F1 BERT": "bertscore",
    "MTR": "meteor",
    "MTR, no synonyms": "meteor_no_synonyms",
    "SBERT": "sentence_bert",
}
FULL = {
    "P": "concept_precision",
    "R": "concept_recall",
    "F1": "concept_f1",
    "J": "concept_jaccard",
    "HL ↓": "concept_hamming",
    "new R": "new_recall",
}
WORDS = {
    "P": "word_precision_printed",
    "R": "word_recall",
    "F1": "word_f1_printed",
    "J": "word_jaccard",
    "HL ↓": "word_hamming_printed",
}
CLAIMED = {"R": "concept_recall", "F1 as printed": "concept_f1_printed", "new R": "new_recall"}
ALIKE = "="
COST_COLUMNS = {"calls": "model_calls", "tokens read": "tokens_read", "tokens written": "tokens_written"}
COST_COLUMNS |= {"retrieval s": "retrieval_s", "inference s": "inference_s", "fell back %": FELL_BACK}
MARKS = f"“{ALIKE}”: the same texts as the baseline, character by character: nothing to compare."


class Cells(NamedTuple):
    """The figures and differences that a result holds of all groups, by arm and measure, and why a measure could not be had."""

    arms: tuple[str, ...]
    means: frozenset[str]
    figures: Mapping[tuple[str, str], Figure]
    gaps: Mapping[tuple[str, str, str], Difference]
    absent: Mapping[str, str]


def paper_tables(result: Result) -> str:
    """The tables in Markdown, then what must be borne in mind."""
    cells = _cells(result)
    printed = _with_meteor(result)
    parts = [
        *_table("Table 1, as printed", cells, printed, result),
        *_table("Concepts over full sets", cells, FULL, result),
        *_table("Keywords as extracted (words), as printed", cells, WORDS, result),
        *_costs(cells),
        *_claimed(cells),
    ]
    parts += [f"Not available: {one.name} ({one.reason})" for one in result.not_available]
    return "\n".join([*parts, "", *(f"- {caveat}" for caveat in result.caveats)])


def _cells(result: Result) -> Cells:
    """Of a family the mean alone, not its members."""
    plain = [one for one in result.figures if not one.group]
    arms = list(dict.fromkeys(one.system for one in plain))
    means = families([name for name in arms if SEED.match(name)])
    members = {name for held in means.values() for name in held.values()}
    figures = {(one.system, one.measure): one for one in plain}
    told = [name for name in arms if name not in members]
    gaps = {(one.system, one.measure, one.baseline): one for one in result.differences}
    return Cells(tuple(told), frozenset(means), figures, gaps, {one.name: one.reason for one in result.not_available})


def _with_meteor(result: Result) -> dict[str, str]:
    """The printed columns with one of the two METEORs: the paper's where WordNet was there, else the one without synonyms."""
    whole = any(one.measure == "meteor" and one.value is not None for one in result.figures)
    left_out = "meteor_no_synonyms" if whole else "meteor"
    return {name: measure for name, measure in PRINTED.items() if measure != left_out}


def _table(title: str, cells: Cells, columns: Mapping[str, str], result: Result) -> list[str]:
    """A line an arm, and under it why a dash is one."""
    lines = [
        f"| model | n | {' | '.join(f'{name} | Δ' for name in columns)} |",
        f"|---|---|{'---|---|' * len(columns)}",
    ]
    why: dict[str, list[str]] = {}
    counts = dict[str, int]()
    for arm in cells.arms:
        baseline = baseline_of(arm, str(result.settings.get("baseline", "")))
        held = {name: cells.figures.get((arm, measure)) for name, measure in columns.items()}
        gaps = {name: cells.gaps.get((arm, measure, baseline)) for name, measure in columns.items()}
        counts[arm] = max((one.n for one in held.values() if one is not None), default=0)
        shown = [f"{_value(held[name])} | {_gap(gaps[name])}" for name in columns]
        lines.append(f"| {arm} | {counts[arm]} | {' | '.join(shown)} |")
        for name, measure in columns.items():
            if (reason := _missing(arm, baseline, measure, held[name], gaps[name], cells)) is not None:
                why.setdefault(reason, []).append(name)
    told = [f"“–”: {reason} ({_listed(names, len(columns))})." for reason, names in why.items()]
    if any(_gap(gap) == ALIKE for gap in cells.gaps.values()):
        told.append(MARKS)
    if len(set(counts.values())) > 1:
        told.append("n differs between arms: a difference is over the notes that both wrote.")
    return [title, "", *lines, "", *(f"{one}  " for one in told), ""]


def _missing(
    arm: str, baseline: str, measure: str, figure: Figure | None, gap: Difference | None, cells: Cells
) -> str | None:
    """Why a cell of the table has a dash; None where it has none."""
    if figure is None or figure.value is None:
        return cells.absent.get(measure) or f"{arm} has it of no note"
    if gap is not None:
        whole = gap.value is not None and gap.low is not None and gap.high is not None
        return None if whole or gap.reason else f"{arm} and {baseline} have it of too few notes"
    return f"{arm} is the baseline" if arm == baseline else f"{arm} and {baseline} have it of no same note"


def _listed(names: Sequence[str], of: int) -> str:
    return "all columns" if len(names) == of else ", ".join(dict.fromkeys(names))


def _costs(cells: Cells) -> list[str]:
    """What a text of each arm cost, and how often something ran otherwise than its name promises."""
    lines = [f"| model | {' | '.join(COST_COLUMNS)} |", f"|---|{'---|' * len(COST_COLUMNS)}"]
    for arm in cells.arms:
        held = {name: cells.figures.get((arm, measure)) for name, measure in COST_COLUMNS.items()}
        lines.append(f"| {arm} | {' | '.join(_cost(name, one) for name, one in held.items())} |")
    return ["Costs of a text", "", *lines, ""]


def _cost(name: str, figure: Figure | None) -> str:
    if figure is None or figure.value is None:
        return "not told"  # a server that counts no tokens
    if COST_COLUMNS[name] == FELL_BACK:
        return f"{100 * figure.value:.1f}"
    return f"{figure.value:.3f}" if COST_COLUMNS[name] in TIMES else f"{figure.value:.1f}"


def _claimed(cells: Cells) -> list[str]:
    """The differences of arms of several training seeds to every other arm, in the measures that are claimed."""
    own = dict.fromkeys((one.system, one.baseline) for one in cells.gaps.values() if one.system in cells.means)
    if not own:
        return []
    lines = [f"| mean of training seeds | minus | {' | '.join(CLAIMED)} |", f"|---|---|{'---|' * len(CLAIMED)}"]
    for arm, other in own:
        shown = [_gap(cells.gaps.get((arm, measure, other))) for measure in CLAIMED.values()]
        lines.append(f"| {arm} | {other} | {' | '.join(shown)} |")
    return ["Differences over training seeds and notes", "", *lines, ""]


def _value(figure: Figure | None) -> str:
    return "–" if figure is None or figure.value is None else f"{100 * figure.value:.2f}"


def _gap(gap: Difference | None) -> str:
    if gap is None:
        return "–"
    if gap.value is None or gap.low is None or gap.high is None:
        return ALIKE if gap.reason == SAME_TEXTS else gap.reason or "–"
    return f"{100 * gap.value:+.1f} [{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]"
