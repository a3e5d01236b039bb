"""Annotated notes made up for a test, as files."""

import json
from pathlib import Path
from typing import Any

NOTE = "ALLERGIES: penicillin (rash).\nHPI: 60 year old man presents with fever. He takes lisinopril 10 mg daily.\n"
GOLD: dict[str, Any] = {
    "id": "n", "setting": "ward", "synthetic": True,
    "allergies": {"status": "listed", "items": [{"agent": "penicillin", "reaction": "rash", "quote": "penicillin"}]},
    "problems": [{"name": "fever", "quote": "fever", "status": "active"}],
    "medicines": [{"name": "lisinopril", "quote": "lisinopril 10 mg", "dose": "10 mg", "frequency": "daily", "status": "home"}],
}  # fmt: skip


def annotated(folder: Path, *changes: dict[str, Any]) -> Path:
    """A folder of one note and annotation for each change: fields of GOLD that differ, and text, the note's."""
    folder.mkdir()
    for number, change in enumerate(changes or ({},)):
        fields = GOLD | change
        (folder / f"n{number}.txt").write_text(fields.pop("text", NOTE), encoding="utf-8")
        (folder / f"n{number}.json").write_text(json.dumps(fields), encoding="utf-8")
    return folder
