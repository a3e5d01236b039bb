"""knowledge add noteevents: MIMIC-III's notes as a file of patients' notes."""

import argparse
import json
from pathlib import Path
from typing import Any

from backend.cli.knowledge.knowledge_sources import progress_line


def add_to(add: Any) -> None:
    """The parsers of this family: add holds the kinds of what is added."""
    notes = add.add_parser("noteevents", help="MIMIC-III's NOTEEVENTS to patients' notes: a line a patient")
    notes.add_argument(
        "--from", dest="path", type=Path, required=True, metavar="FILE", help="NOTEEVENTS.csv or .csv.gz"
    )
    notes.add_argument("--to", type=Path, required=True, metavar="FILE", help="a .jsonl; it will hold patients' notes")
    notes.add_argument("--json", action="store_true")
    notes.set_defaults(run=run_notes)


def run_notes(args: argparse.Namespace) -> int:
    from backend.ingest.clinical_notes.noteevents import write_patients
    from backend.ingest.documents.source_documents import Reading

    reading = Reading()
    with progress_line() as line:
        patients = write_patients(args.path, args.to, reading, line)
    if args.json:
        print(json.dumps({"file": str(args.to), "patients": patients, "report": reading.report.as_json()}))
        return 0
    print(reading.report.as_text())
    print(
        f"{patients:,} patients written to {args.to}. The file holds notes of patients: keep it as you keep the original."
    )
    return 0
