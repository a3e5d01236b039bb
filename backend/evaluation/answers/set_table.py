"""What question sets hold, counted from their files: Omni-RAG's Tables 3 and 17 and RAR2's Table 4."""

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

from backend.evaluation.answers.answers_run import read_set

REASONING, RESEARCH, CLINICAL, OPEN = "reasoning", "research", "clinical", "open"
ABOUT: dict[str, tuple[str, str]] = {
    "medqa": (REASONING, "US licensing examination: diagnoses, treatments, tests"),
    "medmcqa": (REASONING, "Indian entrance examinations: medical knowledge"),
    "mmlu-med": (REASONING, "six subjects of medicine and biology"),
    "pubmedqa": (RESEARCH, "what a study found"),
    "bioasq": (RESEARCH, "what the literature of biomedicine says"),
    "medbullets": (REASONING, "hard cases of the US licensing examination"),
    "medxpertqa": (REASONING, "specialists' examinations"),
    "gpqa": (REASONING, "graduate questions that a search does not answer"),
    "mirage": (REASONING, "five sets of examinations and research in one"),
    "jsonl": ("", "questions of one's own"),
    "seer": (CLINICAL, "the treatment of a patient with breast cancer"),
    "ddxplus": (CLINICAL, "a diagnosis from a dialogue"),
    "mimic-iv-ed": (CLINICAL, "admission, return and triage from a record"),
    "meds-bench": (CLINICAL, "tasks of a clinic"),
    "diagnosis": (CLINICAL, "a diagnosis from free text"),
    "liveqa": (OPEN, "consumers' questions on any subject"),
    "medicationqa": (OPEN, "consumers' questions on medicines"),
    "expertqa-biomed": (OPEN, "experts' questions in biology and medicine"),
}
"""The task of a set, and what it is used for, by the name of its reader."""
HEADS = ("set", "task", "about", "file", "questions", "judged by", "options", "words")


class SetRow(NamedTuple):
    """One file of a set.

    Attributes:
        set: the reader's name.
        task: of the set.
        about: what it is used for.
        file: its name.
        questions: how many the reader takes.
        judged_by: choice, label or long, or several.
        options: the fewest and the most options, or labels, of a question; none for long answers.
        words: of a question with its note, on average.
    """

    set: str
    task: str
    about: str
    file: str
    questions: int
    judged_by: str
    options: str
    words: float


def set_rows(data: Sequence[tuple[str, Path]], seed: int = 0) -> tuple[SetRow, ...]:
    """A row for each file, in their order; a set may have several. Raises InputError for what is no set in its layout."""
    return tuple(_row(kind, path, seed) for kind, path in data)


def set_table(rows: Sequence[SetRow]) -> str:
    """The rows in Markdown, and below them how many questions there are in all."""
    lines = ["| " + " | ".join(HEADS) + " |", "|" + "---|" * len(HEADS)]
    lines += ["| " + " | ".join(_cell(value) for value in row) + " |" for row in rows]
    lines.append(f"| all | | | | {sum(row.questions for row in rows):,} | | | |")
    return "\n".join(lines)


def _row(kind: str, path: Path, seed: int) -> SetRow:
    held = read_set(kind, path, seed)
    sizes = sorted({len(question.options or question.labels) for question in held} - {0})
    options = "–".join(str(size) for size in dict.fromkeys((sizes[0], sizes[-1]))) if sizes else ""
    words = sum(len(f"{question.note} {question.text}".split()) for question in held) / len(held)
    judged = ", ".join(sorted({question.kind.value for question in held}))
    return SetRow(kind, *ABOUT[kind], path.name, len(held), judged, options, round(words, 1))


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)
