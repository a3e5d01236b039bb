"""visits: a patient's visits written one after the other, each told what the note of the one before said (CLI-RAG)."""

import argparse
import json
import sys
from pathlib import Path
from typing import Any

from backend.cli.draft import patient_notes, read_text
from backend.errors import InputError
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest, checked_text
from backend.schemas.patients.written_notes import latest
from backend.schemas.vocabulary import Document
from backend.settings import settings
from backend.systems import SYSTEMS


def add_to(commands: Any) -> None:
    """The parser of this family."""
    visits = commands.add_parser(
        "visits",
        help="write a patient's visits one after the other",
        description="Each visit's document rests on that visit's notes and a summary of the document before. With --out, "
        "stopped or killed, the same command goes on with the visit it was at.",
    )
    visits.add_argument(
        "notes", help="the patient's notes: JSONL, NOTEEVENTS.csv, FHIR, C-CDA or text; - for standard input"
    )
    visits.add_argument(
        "--patient", default="", metavar="ID", help="whose notes, where the file holds several patients'"
    )
    visits.add_argument("--note", help="a pre-admission note of the last visit: a file")
    visits.add_argument("--out", type=Path, metavar="FOLDER", help="keep each visit's draft as JSON here")
    visits.add_argument("--system", default="cli-rag", help=f"one of: {', '.join(s.name for s in SYSTEMS)}")
    visits.add_argument("--document", default=Document.PROGRESS_NOTE.value, choices=[d.value for d in Document])
    visits.add_argument("--generator", help="auto, composer, vllm:…, openai:…, transformers:…")
    visits.add_argument("--seed", type=int, default=0)
    visits.add_argument("--json", action="store_true", help="print a line of JSON for each visit")
    visits.set_defaults(run=run_visits)


def run_visits(args: argparse.Namespace) -> None:
    from backend.container import Container
    from backend.retrieval.patient_notes.note_allergies import StatedAllergies
    from backend.retrieval.patient_notes.visit_summary import visit_summary
    from backend.retrieval.patient_notes.visits import write_visits

    chosen = settings()
    text = checked_text(read_text(args.note), chosen.max_note_chars) if args.note else ""
    notes, older = latest(patient_notes(args.notes, args.patient))
    if older:
        print(f"the {older} oldest notes are left out: a request takes {len(notes)}", file=sys.stderr)
    request = DraftRequest(
        text=text,
        question="" if text else "What happened to the patient?",
        document=Document(args.document),
        system=args.system,
        generator=args.generator,
        seed=args.seed,
        patient_notes=notes,
    )
    container = Container(chosen)
    earlier = _kept(args.out, request)
    for number, draft in enumerate(earlier, start=1):
        _print(args, number, draft)
    written = write_visits(
        request,
        lambda one: container.pipeline(one.system, one.generator).run(one),
        chosen.patient_visit_gap_days,
        chosen.patient_previous_visit,
        visit_summary,
        [visit_summary(draft) for draft in earlier],
        StatedAllergies(container.linker).handed_on,
    )
    for number, visit in enumerate(written, start=len(earlier) + 1):
        if args.out:
            _keep(args.out, number, request, visit.draft)
        _print(args, number, visit.draft)


def _kept(folder: Path | None, request: DraftRequest) -> list[Draft]:
    """The drafts of an earlier run of the same request, in order. Raises InputError where another request's lie there."""
    found: list[Draft] = []
    while folder and (path := folder / f"visit-{len(found) + 1}.json").is_file():
        row = json.loads(path.read_text(encoding="utf-8"))
        if row["request"] != _digest(request):
            raise InputError(f"{folder} holds the visits of other notes or another system. Give an empty folder.")
        found.append(Draft.model_validate(row["draft"]))
    if found:
        print(f"{len(found)} visits were written before and are kept", file=sys.stderr)
    return found


def _keep(folder: Path, number: int, request: DraftRequest, draft: Draft) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"visit-{number}.json"
    beside = path.with_suffix(".new")
    row = {"request": _digest(request), "draft": draft.model_dump(mode="json")}
    beside.write_text(json.dumps(row, ensure_ascii=False), encoding="utf-8")
    beside.replace(path)


def _digest(request: DraftRequest) -> str:
    import hashlib

    return hashlib.sha256(request.model_dump_json().encode()).hexdigest()


def _print(args: argparse.Namespace, number: int, draft: Draft) -> None:
    if args.json:
        print(json.dumps({"visit": number, "draft": draft.model_dump(mode="json")}, ensure_ascii=False))
        return
    days = sorted({piece.date for piece in draft.evidence.notes if piece.date and piece.note_type != "Previous visit"})
    when = "without a date" if not days else days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    print(f"\nVisit {number}, {when}\n{'=' * 40}\n{draft.text}")
