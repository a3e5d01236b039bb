"""draft, link, evidence, ask: one note or question through the pipeline, without a server."""

import sys
import uuid
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import typer
from pydantic import ValidationError

from backend.cli.cli_options import DropSource, Generator, Json, Seed, Sources, System, with_options
from backend.cli.program import CommandLine
from backend.errors import InputError
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest, PatientNote, checked_text
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import LETTERS, Document, Length, Locale, Source, Support
from backend.settings import settings
from backend.systems import DEFAULT_SYSTEM

MARKS = {
    Support.SUPPORTED: "stated in the cited text",
    Support.PARTIAL: "partly",
    Support.UNSUPPORTED: "not found",
    Support.NOT_SCORED: "not scored",
}

app = CommandLine()
Note = Annotated[str, typer.Argument(help="a text file, or - for standard input", show_default=False)]
Style = Literal["sections", "paragraph"]


@dataclass(frozen=True)
class DraftOptions:
    """What is asked for besides the note: the system, the document, and what the ward adds."""

    system: System = DEFAULT_SYSTEM
    document: Annotated[Document, typer.Option("--document")] = Document.DISCHARGE_INSTRUCTIONS
    style: Annotated[Style, typer.Option("--style")] = "sections"
    generator: Generator = None
    seed: Seed = 0
    confirm: Annotated[
        list[str], typer.Option("--confirm", metavar="CONCEPT", help="a condition a clinician confirmed")
    ] = field(default_factory=list)
    medicine: Annotated[
        list[str], typer.Option("--medicine", metavar="TEXT", help="a discharge medicine, as the ward wrote it")
    ] = field(default_factory=list)
    hospital_course: Annotated[str, typer.Option("--hospital-course", help="what happened during the stay")] = ""
    length: Annotated[Length, typer.Option("--length", help="how much advice a letter has")] = Length.SHORT
    locale: Annotated[
        Locale | None, typer.Option("--locale", help="emergency numbers, units, names of drugs and spelling")
    ] = None
    patient_notes: Annotated[
        str | None, typer.Option("--patient-notes", metavar="FILE", help="earlier notes: JSONL, FHIR, C-CDA or text")
    ] = None
    sources: Sources = field(default_factory=list)
    drop_source: DropSource = field(default_factory=list)
    as_json: Annotated[bool, typer.Option("--json", help="print the whole JSON")] = False


@app.add("draft", "write a cited document from a note")
@with_options(DraftOptions)
def draft(note: Note, options: DraftOptions) -> None:
    """Print the draft with its evidence and marks."""
    request = _request(options, read_text(note))
    _print(_pipeline(options, request).run(request), options.as_json)


@app.add("evidence", "what would be retrieved for a note, without a text")
@with_options(DraftOptions)
def evidence(note: Note, options: DraftOptions) -> None:
    """Print what is retrieved, without a text."""
    request = _request(options, read_text(note))
    _print(_pipeline(options, request).run_evidence(request), options.as_json)


@app.add("ask", "answer a clinical question from the evidence")
@with_options(DraftOptions)
def ask(
    question: Annotated[str, typer.Argument(show_default=False)],
    options: DraftOptions,
    option: Annotated[
        list[str] | None, typer.Option("--option", metavar="TEXT", help="an answer option; give two to ten")
    ] = None,
    note: Annotated[str | None, typer.Option("--note", help="a note the question is about: a file or -")] = None,
) -> None:
    """Print the answer with its evidence.

    Raises:
        InputError: for a single answer option.
    """
    answers = tuple(option or ())
    if len(answers) == 1:
        raise InputError("One option is no choice. Give two to ten with --option, or none.")
    request = _request(options, read_text(note) if note else "", question, answers)
    _print(_pipeline(options, request).run(request), options.as_json)


@app.add("link", "sections, mentions and allergies of a note")
def link(
    note: Note,
    as_json: Json = False,
    as_fhir: Annotated[bool, typer.Option("--fhir", help="print the patient record as a FHIR R4 bundle")] = False,
) -> None:
    """Print the mentions of a note with their attributes, and its allergies; or its patient record as FHIR."""
    text = checked_text(read_text(note), settings().max_note_chars)
    linked = _container().linker.read(text)
    if as_fhir:
        print(_bundle(linked))
        return
    if as_json:
        print(linked.model_dump_json())
        return
    for m in linked.note.mentions:
        print(f"{m.start_char:6} {m.assertion.value:12} {m.group.value} {m.name}  «{m.text}»  {m.score:.2f} {m.why}")
    print(f"allergies: {linked.allergies.status.value}")
    for item in linked.allergies.items:
        known = item.name if item.checked else "not recognised; not checked"
        print(f"{item.start_char:6} {item.kind.value:12} {item.text} -> {known}  {item.reaction}")


def _bundle(linked: LinkedNote) -> str:
    """The record as FHIR; the ids are of the text, so that the same note gives the same resources."""
    from backend.review.exports.fhir.fhir_parts import checked_json
    from backend.review.exports.fhir.record_bundle import NAMESPACE, record_to_bundle

    record = linked.record or PatientRecord()
    return checked_json(record_to_bundle(record, uuid.uuid5(NAMESPACE, linked.note.text)))


def read_bytes(name: str) -> bytes:
    """A file or standard input.

    Raises:
        InputError: it cannot be read.
    """
    try:
        return sys.stdin.buffer.read() if name == "-" else Path(name).read_bytes()
    except OSError as error:
        raise InputError(
            f"The note {name!r} cannot be read: {error.strerror}. Give a text file, or - for standard input."
        ) from None


def read_text(name: str) -> str:
    """The text of a file or of standard input.

    Raises:
        InputError: for what is no readable UTF-8 text.
    """
    try:
        return read_bytes(name).decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"The note {name!r} is not UTF-8 text (byte {error.start}). Save it as UTF-8.") from None


def patient_notes(name: str | None, patient: str = "") -> tuple[PatientNote, ...]:
    """The notes of a file, in any form that can be uploaded too. Raises InputError; it names the line where there is one."""
    from backend.ingest.clinical_notes.patient_note_files import notes_of, read_patient_file

    return notes_of(read_patient_file(read_bytes(name), name), patient, name) if name else ()


def _request(options: DraftOptions, text: str, question: str = "", answers: tuple[str, ...] = ()) -> DraftRequest:
    limit = settings().max_note_chars
    for given in (text, question) if question else (text,):
        if given or not question:
            checked_text(given, limit)
    try:
        return DraftRequest(
            text=text,
            question=question,
            options=answers,
            document=Document.CLINICAL_ANSWER if question else options.document,
            style=options.style,
            system=options.system,
            generator=options.generator,
            seed=options.seed,
            confirmed_conditions=tuple(options.confirm),
            hospital_course=options.hospital_course,
            length=options.length,
            locale=options.locale,
            discharge_medicines=tuple(options.medicine),
            patient_notes=patient_notes(options.patient_notes),
            sources=_sources(options),
        )
    except ValidationError as error:
        raise InputError(f"The request does not fit: {error.errors()[0]['msg']}") from None


def _sources(options: DraftOptions) -> tuple[Source, ...]:
    """The sources that are left; none named when all are."""
    from backend.planning.source_plan import source_choice

    left = source_choice(options.sources, options.drop_source).sources
    return () if left == tuple(Source) else left


def _container() -> Any:
    from backend.container import Container

    return Container(settings())


def _pipeline(options: DraftOptions, request: DraftRequest) -> Any:
    container = _container()
    container.load_ahead()
    container.check_conditions(request)
    return container.pipeline(options.system, options.generator, _sources(options))


def _print(draft: Draft, as_json: bool) -> None:
    if as_json:
        print(draft.model_dump_json())
        return
    parts = [_print_evidence, _print_text]
    for part in reversed(parts) if draft.question else parts:  # who asks wants the answer, and then what it rests on
        part(draft)
    print(f"\n{draft.status.value}; timings: {draft.timings_ms}; readability: {draft.readability.model_dump()}")


def _print_evidence(draft: Draft) -> None:
    print(f"{draft.document.value} by {draft.system}, writer {draft.generator.name}: {draft.generator.reason}")
    print(f"Allergies: {draft.allergies.status.value} {', '.join(i.text for i in draft.allergies.items)}")
    for condition in draft.conditions:
        print(f"condition {condition.score:.2f} {condition.status.value} {condition.name} ({condition.confidence})")
    for path in draft.evidence.paths:
        print(f"{path.id} {path.text}")
    for passage in draft.evidence.passages:
        print(f"{passage.id} {passage.source.value}: {passage.title} {passage.scores}")
    for fallback in draft.fallbacks:
        print(f"fallback: {fallback}")


def _print_text(draft: Draft) -> None:
    """Flags, the question with its options, and the sentences; under a question a cited passage stands with its title."""
    for flag in draft.flags:
        print(f"(!) {flag.severity.value}: {flag.message}")
    titles: dict[str, str] = {}
    if draft.question:
        titles = {passage.id: f"{passage.id} {passage.title}" for passage in draft.evidence.passages}
        print(f"Question: {draft.question}")
        for letter, option in zip(LETTERS, draft.options, strict=False):
            print(f"  {letter}: {option}")
        if draft.answer:
            print(f"\nAnswer: {draft.answer_text}")
    heading = ""
    for s in draft.sentences:
        if s.section != heading:
            heading = s.section
            print(f"\n{heading}")
        cited = "; ".join(titles.get(one, one) for one in s.citations)
        print(f"  {s.text} [{cited}] ({s.basis.value}; {MARKS[s.support]})")
    print()
