"""Readers of the sets with options: MedQA, MedMCQA, MMLU-Med, PubMedQA, BioASQ yes/no, Medbullets, MedXpertQA, GPQA, MIRAGE, JSONL."""

import random
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from backend.errors import InputError
from backend.evaluation.answers.question_sets import (
    YES_NO,
    YES_NO_MAYBE,
    AnswerKind,
    Question,
    choice,
    each,
    filled,
    json_rows,
    letter,
    one_space,
    plain_rows,
    table_rows,
)

MMLU_MED = (
    "anatomy",
    "clinical_knowledge",
    "college_biology",
    "college_medicine",
    "medical_genetics",
    "professional_medicine",
)
_CHOICES_IN_TEXT = re.compile(r"\s*Answer Choices:\s*\(A\).*\Z", re.DOTALL)


def medqa(path: Path, seed: int) -> list[Question]:
    """JSONL: question, options (by letter), answer_idx."""

    def make(number: int, row: Any) -> Question:
        options = _options(row["options"])
        return choice(str(row.get("id", number)), row["question"], options, letter(row["answer_idx"], len(options)))

    return each(path, json_rows(path), make)


def medmcqa(path: Path, seed: int) -> list[Question]:
    """JSONL: question, opa to opd, cop; cop counts from 1 as first published, from 0 in later copies: told by the whole file."""
    rows = list(json_rows(path))
    answers = {
        int(row["cop"]) for _, row in rows if isinstance(row, dict) and str(row.get("cop", "")).lstrip("-").isdigit()
    }
    if -1 in answers:
        raise InputError(f"{path.name} is a test part without answers (cop is -1). Give one with answers.")
    if not answers & {0, 4}:
        raise InputError(f"{path.name}: whether cop counts from 0 or 1 cannot be told, since it is never 0 or 4.")
    first = 0 if 0 in answers else 1

    def make(number: int, row: Any) -> Question:
        options = [row[key] for key in ("opa", "opb", "opc", "opd")]
        return choice(str(row.get("id", number)), row["question"], options, int(row["cop"]) - first)

    return each(path, iter(rows), make)


def mmlu(path: Path, seed: int) -> list[Question]:
    """MMLU's six medical subjects: CSV, JSONL, or a folder of them.

    CSV has no header (question, four options, letter); JSONL has question, choices and answer as a number.

    Raises:
        InputError: a row has another shape.
    """
    if path.is_dir():
        files = sorted(file for file in path.rglob("*.csv") if _subject(file) in MMLU_MED)
        if not files:
            raise InputError(f"The folder {path.name!r} holds no CSV of a medical subject of MMLU.")
        return [
            question._replace(question_id=f"{_subject(file)}/{question.question_id}")
            for file in files
            for question in mmlu(file, seed)
        ]
    if path.suffix.lower() == ".csv":
        return each(path, plain_rows(path), lambda n, row: choice(str(n), row[0], row[1:5], letter(row[5], 4)))
    return each(
        path,
        json_rows(path),
        lambda n, row: choice(str(n), row["question"], row["choices"], int(row["answer"])),
    )


def pubmedqa(path: Path, seed: int) -> list[Question]:
    """JSON by PubMed number: QUESTION, final_decision. The contexts are left to retrieval."""

    def make(number: int, row: Any) -> Question:
        gold = YES_NO_MAYBE.index(row["final_decision"].strip().lower())
        return choice(str(row.get("_key", number)), row["QUESTION"], YES_NO_MAYBE, gold)

    return each(path, json_rows(path), make)


def bioasq(path: Path, seed: int) -> list[Question]:
    """Task B JSON, a file or a folder: the yes/no questions."""

    def rows() -> Iterator[tuple[int, Any]]:
        for file in sorted(path.rglob("*.json")) if path.is_dir() else [path]:
            for _, whole in json_rows(file):
                if isinstance(whole, dict) and isinstance(whole.get("questions"), list):
                    yield from enumerate(whole["questions"], start=1)

    def make(number: int, row: Any) -> Question | None:
        if row.get("type") != "yesno":
            return None
        answer = row["exact_answer"]
        labelled = answer[0] if isinstance(answer, list) else answer
        return choice(
            str(row.get("id", number)), row["body"], YES_NO, YES_NO.index(labelled.strip().lower().rstrip("."))
        )

    return each(path, rows(), make)


def medbullets(path: Path, seed: int) -> list[Question]:
    """CSV or JSON: question, opa to ope (ope may be missing), answer_idx; or options by letter."""

    def make(number: int, row: Any) -> Question:
        if isinstance(row.get("options"), dict):
            options = _options(row["options"])
        else:
            given = [row.get(key) for key in ("opa", "opb", "opc", "opd", "ope")]
            options = [str(option) for option in given if option not in (None, "") and str(option).lower() != "nan"]
        return choice(str(row.get("id", number)), row["question"], options, letter(row["answer_idx"], len(options)))

    return each(path, table_rows(path), make)


def medxpertqa(path: Path, seed: int) -> list[Question]:
    """MedXpertQA as JSONL: id, question, options by letter, label.

    Choices written out at the end of a question are taken off; questions with images are left out.
    """

    def make(number: int, row: Any) -> Question | None:
        if row.get("images"):
            return None
        options = _options(row["options"])
        text = _CHOICES_IN_TEXT.sub("", row["question"])
        return choice(str(row.get("id", number)), text, options, letter(row["label"], len(options)))

    return each(path, json_rows(path), make)


def gpqa(path: Path, seed: int) -> list[Question]:
    """CSV: Question, Correct Answer, Incorrect Answer 1 to 3; the biology questions. Options are put in an order drawn by the seed."""

    def make(number: int, row: Any) -> Question | None:
        if row.get("High-level domain", "Biology") != "Biology":
            return None
        gold = one_space(row["Correct Answer"])
        options = [gold, *(one_space(row[f"Incorrect Answer {i}"]) for i in (1, 2, 3))]
        random.Random(f"{seed} {number}").shuffle(options)
        return choice(str(row.get("Record ID") or number), row["Question"], options, options.index(gold))

    return each(path, table_rows(path), make)


def mirage(path: Path, seed: int) -> list[Question]:
    """MIRAGE's benchmark.json: five sets by name, each question with options by letter and answer."""
    sets = [(str(row["_key"]), row) for _, row in json_rows(path) if isinstance(row, dict) and "_key" in row]
    rows = [(name, key, one) for name, held in sets for key, one in held.items() if key != "_key"]

    def make(number: int, made: Any) -> Question:
        name, key, one = made
        options = _options(one["options"])
        return choice(f"{name}/{key}", one["question"], options, letter(one["answer"], len(options)))

    return each(path, enumerate(rows, start=1), make)


def plain(path: Path, seed: int) -> list[Question]:
    """JSONL of one's own: question, answer; options as a list or by letter (answer: a letter, a place from 0, or the option).

    Without options, labels (a list) makes it a free-text diagnosis, else the answer is a reference text. With options, note may hold
    the patient's note, and harmful the letters of the options that would harm; acceptable (letters, the first is the gold) may
    stand for answer.
    """

    def make(number: int, row: Any) -> Question:
        key, text = str(row.get("id", number)), filled(row["question"])
        answer = row["answer"] if "answer" in row else row["acceptable"][0]
        if row.get("options"):
            options = _options(row["options"])
            made = choice(key, text, options, _place(answer, options))
            harmful = tuple(made.options[_place(one, options)] for one in row.get("harmful", ()))
            return made._replace(note=str(row.get("note") or ""), harmful=harmful)
        if row.get("labels"):
            labels = tuple(one_space(str(label)) for label in row["labels"])
            if one_space(str(answer)) not in labels:
                raise ValueError("answer")
            return Question(key, text, one_space(str(answer)), AnswerKind.LABEL, labels=labels)
        return Question(key, text, filled(answer), AnswerKind.LONG)

    return each(path, json_rows(path), make)


def _place(answer: object, options: list[str]) -> int:
    if isinstance(answer, int):
        return answer
    answer_text = one_space(str(answer))
    given = [one_space(option) for option in options]
    return given.index(answer_text) if answer_text in given else letter(answer_text, len(options))


def _options(given: Any) -> list[str]:
    """Options by letter, as a list of texts, or as a list of {key, value}."""
    if isinstance(given, dict):
        return [str(given[key]) for key in sorted(given)]
    if given and isinstance(given[0], dict):
        return [str(one["value"]) for one in sorted(given, key=lambda one: one["key"])]
    return [str(one) for one in given]


def _subject(file: Path) -> str:
    return re.sub(r"_(?:test|val|dev)$", "", file.stem)
