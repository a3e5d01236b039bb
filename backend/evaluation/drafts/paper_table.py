"""ReinRAG's Table 1 from a result of notes: a line an arm, its columns in % with the difference to the baseline beside each.

Concepts "as printed" are the paper's labels (only what the document names counts); over full sets they stand in a second table.
"""

from collections.abc import Mapping

from backend.schemas.evaluation_results import Difference, Figure, Result

PRINTED = {
    "P": "concept_precision_printed",
    "R": "concept_recall",
    "F1": "concept_f1_printed",
    "J": "concept_jaccard",
    "HL ↓": "concept_hamming_printed",
    "RG-L": "rouge_l",
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


def paper_tables(result: Result) -> str:
    """Both tables in Markdown, then what must be borne in mind."""
    parts = [
        "Table 1, as printed",
        "",
        *_table(result, _with_meteor(result)),
        "",
        "Concepts over full sets",
        "",
        *_table(result, FULL),
    ]
    parts += ["", *(f"Not available: {one.name} ({one.reason})" for one in result.not_available)]
    return "\n".join([*parts, "", *(f"- {caveat}" for caveat in result.caveats)])


def _with_meteor(result: Result) -> dict[str, str]:
    """The printed columns with one of the two METEORs: the paper's where WordNet was there, else the one without synonyms."""
    whole = any(one.measure == "meteor" and one.value is not None for one in result.figures)
    left_out = "meteor_no_synonyms" if whole else "meteor"
    return {name: measure for name, measure in PRINTED.items() if measure != left_out}


def _table(result: Result, columns: Mapping[str, str]) -> list[str]:
    plain = [one for one in result.figures if not one.group]
    arms = list(dict.fromkeys(one.system for one in plain))
    figures = {(one.system, one.measure): one for one in plain}
    gaps = {(one.system, one.measure): one for one in result.differences}
    lines = [
        "| model | n | " + " | ".join(f"{name} | Δ" for name in columns) + " |",
        "|---|---|" + "---|---|" * len(columns),
    ]
    for arm in arms:
        n = max((figures[arm, measure].n for measure in columns.values() if (arm, measure) in figures), default=0)
        cells = [
            f"{_value(figures.get((arm, measure)))} | {_gap(gaps.get((arm, measure)))}" for measure in columns.values()
        ]
        lines.append(f"| {arm} | {n} | " + " | ".join(cells) + " |")
    return lines


def _value(figure: Figure | None) -> str:
    return "–" if figure is None or figure.value is None else f"{100 * figure.value:.2f}"


def _gap(gap: Difference | None) -> str:
    if gap is None:
        return "–"
    if gap.value is None or gap.low is None or gap.high is None:
        return gap.reason or "–"
    return f"{100 * gap.value:+.1f} [{100 * gap.low:+.1f}, {100 * gap.high:+.1f}]"
