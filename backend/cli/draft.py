"""draft, link, evidence, ask: one note or question through the pipeline, without a server."""

import argparse
import sys
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from backend.errors import InputError
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest, PatientNote, checked_text
from backend.schemas.vocabulary import Document, Source, Support
from backend.settings import settings
from backend.systems import DEFAULT_SYSTEM, SYSTEMS

MARKS = {
    Support.SUPPORTED: "stated in the cited text",
    Support.PARTIAL: "partly",
    Support.UNSUPPORTED: "not found",
    Support.NOT_SCORED: "not scored",
}


def add_to(commands: Any) -> None:
    """The parsers of this family."""
    draft = commands.add_parser("draft", help="write a cited document from a note")
    draft.add_argument("note", help="a text file, or - for standard input")
    _options(draft)
    draft.set_defaults(run=run_draft)
    evidence = commands.add_parser("evidence", help="what would be retrieved for a note, without a text")
    evidence.add_argument("note", help="a text file, or - for standard input")
    _options(evidence)
    evidence.set_defaults(run=run_evidence)
    ask = commands.add_parser("ask", help="answer a clinical question from the evidence")
    ask.add_argument("question")
    ask.add_argument("--option", action="append", default=[], help="an answer option; give two to ten")
    ask.add_argument("--note", help="a note the question is about: a file or -")
    _options(ask)
    ask.set_defaults(run=run_ask)
    link = commands.add_parser("link", help="sections, mentions and allergies of a note")
    link.add_argument("note", help="a text file, or - for standard input")
    link.add_argument("--json", action="store_true", help="print JSON")
    link.set_defaults(run=run_link)


def _options(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--system", default=DEFAULT_SYSTEM, help=f"one of: {', '.join(s.name for s in SYSTEMS)}")
    parser.add_argument(
        "--document", default=Document.DISCHARGE_INSTRUCTIONS.value, choices=[d.value for d in Document]
    )
    parser.add_argument("--style", default="sections", choices=["sections", "paragraph"])
    parser.add_argument("--generator", help="auto, composer, vllm:…, openai:…, transformers:…")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument(
        "--confirm", action="append", default=[], metavar="CONCEPT", help="a condition a clinician confirmed"
    )
    parser.add_argument("--medicine", action="append", default=[], help="a discharge medicine, as the ward wrote it")
    parser.add_argument("--hospital-course", default="", help="what happened during the stay")
    parser.add_argument("--patient-notes", metavar="FILE", help="earlier notes: JSONL, FHIR, C-CDA or text")
    parser.add_argument("--sources", nargs="+", default=[], metavar="SOURCE", help="search these sources alone")
    parser.add_argument("--drop-source", nargs="+", default=[], metavar="SOURCE", help="leave these sources out")
    parser.add_argument("--json", action="store_true", help="print the whole JSON")


def read_bytes(name: str) -> bytes:
    """A file or standard input. Raises InputError."""
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(
            f"The note {name!r} cannot be read: {error.strerror}. Give a text file, or - for standard input."
        ) from None


def read_text(name: str) -> str:
    """The text of a file or of standard input. Raises InputError for what is no readable UTF-8 text."""
    try:
        return read_bytes(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"The note {name!r} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from None


def run_draft(args: argparse.Namespace) -> None:
    request = _request(args, text=read_text(args.note))
    _print(args, _pipeline(args, request).run(request))


def run_evidence(args: argparse.Namespace) -> None:
    request = _request(args, text=read_text(args.note))
    _print(args, _pipeline(args, request).run_evidence(request))


def run_ask(args: argparse.Namespace) -> None:
    args.document = Document.CLINICAL_ANSWER.value
    if len(args.option) == 1:
        raise InputError("One option is no choice. Give two to ten with --option, or none.")
    note = read_text(args.note) if args.note else ""
    request = _request(args, text=note, question=args.question)
    _print(args, _pipeline(args, request).run(request))


def run_link(args: argparse.Namespace) -> None:
    text = checked_text(read_text(args.note), settings().max_note_chars)
    linked = _container().linker.link(text)
    if args.json:
        print(linked.model_dump_json())
        return
    for m in linked.note.mentions:
        print(f"{m.start_char:6} {m.assertion.value:12} {m.group.value} {m.name}  «{m.text}»  {m.score:.2f} {m.why}")
    print(f"allergies: {linked.allergies.status.value}")
    for item in linked.allergies.items:
        known = item.name if item.checked else "not recognised; not checked"
        print(f"{item.start_char:6} {item.kind.value:12} {item.text} -> {known}  {item.reaction}")


def _request(args: argparse.Namespace, text: str = "", question: str = "") -> DraftRequest:
    limit = settings().max_note_chars
    for given in (text, question) if question else (text,):
        if given or not question:
            checked_text(given, limit)
    try:
        return DraftRequest(
            text=text,
            question=question,
            options=tuple(getattr(args, "option", ())),
            document=Document(args.document),
            style=args.style,
            system=args.system,
            generator=args.generator,
            seed=args.seed,
            confirmed_conditions=tuple(args.confirm),
            hospital_course=args.hospital_course,
            discharge_medicines=tuple(args.medicine),
            patient_notes=patient_notes(args.patient_notes),
            sources=_sources(args),
        )
    except ValidationError as error:
        raise InputError(f"The request does not fit: {error.errors()[0]['msg']}") from None


def _sources(args: argparse.Namespace) -> tuple[Source, ...]:
    """The sources that are left; none named when all are."""
    from backend.planning.source_plan import source_choice

    left = source_choice(args.sources, args.drop_source).sources
    return () if left == tuple(Source) else left


def patient_notes(name: str | None, patient: str = "") -> tuple[PatientNote, ...]:
    """The notes of a file, in any form that can be uploaded too. Raises InputError; it names the line where there is one."""
    from backend.ingest.clinical_notes.patient_note_files import notes_of, read_patient_file

    return notes_of(read_patient_file(read_bytes(name), name), patient, name) if name else ()


def _container() -> Any:
    from backend.container import Container

    return Container(settings())


def _pipeline(args: argparse.Namespace, request: DraftRequest) -> Any:
    container = _container()
    container.check_conditions(request)
    return container.pipeline(args.system, args.generator, _sources(args))


def _print(args: argparse.Namespace, draft: Draft) -> None:
    if args.json:
        print(draft.model_dump_json())
        return
    print(f"{draft.document.value} by {draft.system}, writer {draft.generator.name}: {draft.generator.reason}")
    print(f"Allergies: {draft.allergies.status.value} {', '.join(i.text for i in draft.allergies.items)}")
    for flag in draft.flags:
        print(f"(!) {flag.severity.value}: {flag.message}")
    for condition in draft.conditions:
        print(f"condition {condition.score:.2f} {condition.status.value} {condition.name} ({condition.confidence})")
    for path in draft.evidence.paths:
        print(f"{path.id} {path.text}")
    for passage in draft.evidence.passages:
        print(f"{passage.id} {passage.source.value}: {passage.title} {passage.scores}")
    for told in draft.fallbacks:
        print(f"fallback: {told}")
    heading = ""
    for s in draft.sentences:
        if s.section != heading:
            heading = s.section
            print(f"\n{heading}")
        print(f"  {s.text} [{', '.join(s.citations)}] ({s.basis.value}; {MARKS[s.support]})")
    if draft.answer:
        print(f"\nAnswer: {draft.answer_text}")
    print(f"\n{draft.status.value}; timings: {draft.timings_ms}; readability: {draft.readability.model_dump()}")
