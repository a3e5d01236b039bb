"""visits: a patient's visits written one after the other, each with a summary of the one before (CLI-RAG)."""

import json
import sys
from pathlib import Path
from typing import Annotated

import typer

from backend.cli.cli_options import Generator, Seed, System
from backend.cli.draft_commands import patient_notes, read_text
from backend.cli.program import CommandLine
from backend.errors import InputError
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest, checked_text
from backend.schemas.patients.written_notes import latest
from backend.schemas.vocabulary import Document
from backend.settings import settings

app = CommandLine()
CONTINUED = (
    "Each visit's document rests on that visit's notes and a summary of the document before. With --out, stopped or killed, "
    "the same command goes on with the visit it was at."
)


@app.add("visits", "write a patient's visits one after the other", help=CONTINUED)
def visits(
    notes: Annotated[
        str,
        typer.Argument(
            help="the patient's notes: JSONL, NOTEEVENTS.csv, FHIR, C-CDA or text; - for standard input",
            show_default=False,
        ),
    ],
    patient: Annotated[
        str, typer.Option("--patient", metavar="ID", help="whose notes, where the file holds several patients'")
    ] = "",
    note: Annotated[str | None, typer.Option("--note", help="a pre-admission note of the last visit: a file")] = None,
    out: Annotated[
        Path | None, typer.Option("--out", metavar="FOLDER", help="keep each visit's draft as JSON here")
    ] = None,
    system: System = "cli-rag",
    document: Annotated[Document, typer.Option("--document")] = Document.PROGRESS_NOTE,
    generator: Generator = None,
    seed: Seed = 0,
    as_json: Annotated[bool, typer.Option("--json", help="print a line of JSON for each visit")] = False,
) -> None:
    """Print each visit's document, the ones of an earlier run in the same folder first."""
    from backend.container import Container
    from backend.retrieval.patient_notes.note_allergies import StatedAllergies
    from backend.retrieval.patient_notes.notes_by_visit import write_visits
    from backend.retrieval.patient_notes.visit_summary import visit_summary

    chosen = settings()
    text = checked_text(read_text(note), chosen.max_note_chars) if note else ""
    taken, older = latest(patient_notes(notes, patient))
    if older:
        print(f"the {older} oldest notes are left out: a request takes {len(taken)}", file=sys.stderr)
    request = DraftRequest(
        text=text,
        question="" if text else "What happened to the patient?",
        document=document,
        system=system,
        generator=generator,
        seed=seed,
        patient_notes=taken,
    )
    container = Container(chosen)
    earlier = _kept(out, request)
    for number, draft in enumerate(earlier, start=1):
        _print(number, draft, as_json)
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
        if out:
            _keep(out, number, request, visit.draft)
        _print(number, visit.draft, as_json)


def _kept(folder: Path | None, request: DraftRequest) -> list[Draft]:
    """The drafts of an earlier run of the same request, in order.

    Raises:
        InputError: where another request's lie there.
    """
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


def _print(number: int, draft: Draft, as_json: bool) -> None:
    if as_json:
        print(json.dumps({"visit": number, "draft": draft.model_dump(mode="json")}, ensure_ascii=False))
        return
    days = sorted({piece.date for piece in draft.evidence.notes if piece.date and piece.note_type != "Previous visit"})
    when = "without a date" if not days else days[0] if len(days) == 1 else f"{days[0]} to {days[-1]}"
    print(f"\nVisit {number}, {when}\n{'=' * 40}\n{draft.text}")
