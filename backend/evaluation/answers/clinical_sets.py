"""Readers of the clinical sets: DDXPlus, SEER and MIMIC-IV-ED as MedS-Bench has them or as first published, and diagnosis JSONL.

MedS-Bench writes a task as one JSON object: `Definition` and `Instances` with `input` and `output`. Where the outputs are few,
they are the options of every question; where they are more than ten, the labels that a free-text answer is matched to.
"""

import ast
import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from backend.errors import InputError
from backend.evaluation.answers.question_sets import (
    YES_NO,
    AnswerKind,
    Question,
    choice,
    each,
    filled,
    json_rows,
    one_space,
    read_text,
    table_rows,
)
from backend.schemas.vocabulary import LETTERS

OUTCOMES = {
    "outcome_hospitalization": "Does this patient need to be admitted to the hospital?",
    "outcome_critical": "Will this patient need intensive care or die within 12 hours?",
    "outcome_ed_revisit_3d": "Will this patient come back to the emergency department within 72 hours?",
}
TRIAGE = {
    "age": "age",
    "gender": "sex",
    "chiefcomplaint": "chief complaint",
    "triage_temperature": "temperature",
    "triage_heartrate": "heart rate",
    "triage_resprate": "respiratory rate",
    "triage_o2sat": "oxygen saturation",
    "triage_sbp": "systolic blood pressure",
    "triage_dbp": "diastolic blood pressure",
    "triage_pain": "pain",
    "triage_acuity": "triage acuity",
}
DIAGNOSIS = "What is the most likely diagnosis?"
TEXT_KEYS = ("text", "complaint", "chief_complaint", "question")
LABEL_KEYS = ("label", "diagnosis", "answer")
_LETTERED = re.compile(r"^\s*\(?([A-J])[).:]\s+(.+?)\s*$", re.MULTILINE)


def meds_bench(path: Path, seed: int) -> list[Question]:
    """One task of MedS-Bench."""
    whole = _object(path)
    instances = whole.get("Instances")
    if not isinstance(instances, list):
        raise InputError(f"{path.name} has no list of Instances. Give a task of MedS-Bench as it is published.")
    definition = whole.get("Definition") or ""
    asked = one_space(" ".join(definition) if isinstance(definition, list) else str(definition))
    outputs = list(dict.fromkeys(_output(row) for row in instances if isinstance(row, dict)))

    def make(number: int, row: Any) -> Question:
        text, gold = filled(f"{asked}\n\n{filled(row['input'])}"), _output(row)
        key = str(row.get("id") or number)
        lettered = dict(_LETTERED.findall(row["input"]))
        if 2 <= len(lettered) <= len(LETTERS) and sorted(lettered) == list(LETTERS[: len(lettered)]):
            options = [lettered[one] for one in sorted(lettered)]
            return choice(key, text, options, _lettered_place(gold, options))
        if 2 <= len(outputs) <= len(LETTERS):
            return choice(key, text, sorted(outputs), sorted(outputs).index(gold))
        return Question(key, text, filled(gold), AnswerKind.LABEL, labels=tuple(sorted(outputs)))

    return each(path, enumerate(instances, start=1), make)


def ddxplus(path: Path, seed: int) -> list[Question]:
    """DDXPlus: age, sex and evidences as questions and answers; the pathology is the label.

    Read from MedS-Bench's JSON, or from the patients' CSV with release_evidences.json (and release_conditions.json) beside it.
    """
    if path.suffix.lower() == ".json":
        return meds_bench(path, seed)
    evidences = _object(path.with_name("release_evidences.json"))
    beside = path.with_name("release_conditions.json")
    labels = sorted(_object(beside)) if beside.is_file() else []
    rows = list(table_rows(path))
    known = tuple(labels or sorted({row["PATHOLOGY"] for _, row in rows if row.get("PATHOLOGY")}))

    def make(number: int, row: Any) -> Question:
        stated = [_evidence(code, evidences) for code in ast.literal_eval(row["EVIDENCES"])]
        sex = {"M": "man", "F": "woman"}[row["SEX"].strip()]
        first = _evidence(row["INITIAL_EVIDENCE"], evidences)
        lines = [f"{int(row['AGE'])}-year-old {sex}.", f"First told: {first}", *stated]
        text = "\n".join(dict.fromkeys(lines)) + f"\n\n{DIAGNOSIS}"
        if row["PATHOLOGY"] not in known:
            raise ValueError("pathology")
        return Question(str(number), text, row["PATHOLOGY"], AnswerKind.LABEL, labels=known)

    return each(path, iter(rows), make)


def mimic_ed(path: Path, seed: int) -> list[Question]:
    """MedS-Bench's JSON, or the benchmark's master data set (CSV): three yes/no questions a stay, from what triage knows."""
    if path.suffix.lower() == ".json":
        return meds_bench(path, seed)
    found = []
    for outcome, asked in OUTCOMES.items():

        def make(number: int, row: Any, outcome: str = outcome, asked: str = asked) -> Question | None:
            if str(row.get(outcome, "")).strip() == "":
                return None
            triage_lines = [f"{name}: {row[key]}" for key, name in TRIAGE.items() if str(row.get(key, "")).strip()]
            text = "\n".join([*triage_lines, "", asked])
            happened = str(row[outcome]).strip().lower() in ("true", "1", "1.0")
            key = f"{row.get('stay_id') or number}/{outcome.removeprefix('outcome_')}"
            return choice(key, text, YES_NO, 0 if happened else 1)

        found += each(path, table_rows(path), make)
    return found


def diagnosis(path: Path, seed: int) -> list[Question]:
    """Diagnosis JSONL: a chief complaint and a single label a line, as ClinicalRAG has them; English alone.

    The complaint is text, complaint or chief_complaint, and is asked about as a patient's note, so that it is read and conditions are
    ranked; the label is label or diagnosis. An answer is matched to the labels of the file.
    """
    rows = list(json_rows(path))
    labels = tuple(sorted({_first(row, LABEL_KEYS) for _, row in rows if isinstance(row, dict)} - {""}))

    def make(number: int, row: Any) -> Question:
        gold = _first(row, LABEL_KEYS)
        note, key = filled(_first(row, TEXT_KEYS)), str(row.get("id", number))
        return Question(key, DIAGNOSIS, filled(gold), AnswerKind.LABEL, labels=labels, note=note)

    return each(path, iter(rows), make)


def _lettered_place(gold: str, options: list[str]) -> int:
    """An output is a letter, a letter with its option, or the option."""
    given = [one_space(option) for option in options]
    if gold in given:
        return given.index(gold)
    found = re.match(r"\(?([A-J])(?:[).:\s]|$)", gold)
    if not found:
        raise ValueError("output")
    return LETTERS.index(found[1])


def _output(row: Mapping[str, Any]) -> str:
    output_value = row.get("output", "")
    return one_space(str(output_value[0] if isinstance(output_value, list) and output_value else output_value))


def _evidence(code: str, evidences: Mapping[str, Any]) -> str:
    """`E_55_@_V_89` as the question asked and the value's meaning."""
    name, _, value = code.partition("_@_")
    entry = evidences[name]
    asked = one_space(entry["question_en"])
    if not value:
        return f"{asked} Yes."
    meaning = entry.get("value_meaning", {}).get(value, {}).get("en", value)
    return f"{asked} {meaning}."


def _first(row: Mapping[str, Any], keys: tuple[str, ...]) -> str:
    value = next((row[key] for key in keys if row.get(key)), "")
    if isinstance(value, list):
        if len(value) != 1:
            raise InputError("A line has several diagnoses. Only records with a single one can be scored.")
        value = value[0]
    return one_space(str(value)) if keys is LABEL_KEYS else str(value)


def _object(path: Path) -> dict[str, Any]:
    if not path.is_file():
        raise InputError(f"There is no file {path.name!r} beside the data. Put it there, as it is published.")
    try:
        found = json.loads(read_text(path))
    except ValueError:
        raise InputError(f"{path.name} is no JSON.") from None
    if not isinstance(found, dict):
        raise InputError(f"{path.name} is no JSON object.")
    return found
