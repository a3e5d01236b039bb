"""knowledge add noteevents: MIMIC-III's notes as a file of patients' notes."""

import json
from pathlib import Path
from typing import Annotated

import typer

from backend.cli.cli_options import Json
from backend.cli.program import CommandLine
from backend.cli.progress import ProgressLine


def add_kinds(kinds: CommandLine) -> None:
    """The commands of this module."""
    kinds.add("noteevents", "MIMIC-III's NOTEEVENTS to patients' notes: a line a patient")(write_notes)


def write_notes(
    path: Annotated[Path, typer.Option("--from", metavar="FILE", help="NOTEEVENTS.csv or .csv.gz")],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="a .jsonl; it will hold patients' notes")],
    as_json: Json = False,
) -> None:
    """Write a line a patient and print the report."""
    from backend.ingest.clinical_notes.noteevents import write_patients
    from backend.ingest.documents.source_documents import Reading

    reading = Reading()
    with ProgressLine().watched("file is opened") as line:
        patients = write_patients(path, to, reading, line)
    if as_json:
        print(json.dumps({"file": str(to), "patients": patients, "report": reading.report.as_json()}))
        return
    print(reading.report.as_text())
    print(f"{patients:,} patients written to {to}. The file holds notes of patients: keep it as you keep the original.")
