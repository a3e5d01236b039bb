"""Miniature files of question sets, and how a test reads one."""

import json
from pathlib import Path
from typing import Any

from backend.evaluation.answers.answers_run import read_set
from backend.evaluation.answers.question_sets import Question


def write(folder: Path, name: str, *rows: Any) -> Path:
    path = folder / name
    path.write_text("\n".join(json.dumps(row) for row in rows), encoding="utf-8")
    return path


def read(kind: str, path: Path) -> list[Question]:
    return read_set(kind, path, 0)
