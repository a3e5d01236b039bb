"""Exporters: what turns a copy of a case into a file, and that file with its name and media type."""

from datetime import datetime
from typing import NamedTuple, Protocol

from backend.errors import InputError
from backend.registry import EXPORTERS, Entry
from backend.review.exports.contents.clinician_letter import clinician_copy
from backend.review.exports.contents.patient_letter import patient_copy
from backend.review.exports.copies import TITLES, Copy, PageStyle
from backend.schemas.patients.saved_case import CaseState, CaseView, CopyKind, ExportFormat


class Exporter(Protocol):
    """Writes a copy of a case in one file format.

    Registered in a module of this package with `@exporter(name, label=..., media_type=..., suffix=..., copies=...)`; the
    facts are the fields of `ExportFormat`, and `order` says where it stands in a list. What a copy says is decided
    before: an exporter leaves nothing out, adds nothing, and escapes every text in the way of its format.
    """

    def __call__(self, copy: Copy, view: CaseView, at: datetime) -> bytes:
        """The file.

        Args:
            copy: what it says: every part with its lines, the banner of a draft, the notices.
            view: the version it is a copy of, for what a format states besides (ids, coded values).
            at: when the file is made; the same arguments give the same content.

        Returns:
            The bytes of the file, without control characters and without what turns the reading order round.
        """


class ExportedFile(NamedTuple):
    """An exported file. name says kind, day, whose copy and whether it is a draft: no id, no label and no person."""

    name: str
    media_type: str
    data: bytes


def export_formats() -> tuple[ExportFormat, ...]:
    """What every registered exporter states, in the order of the list."""
    return tuple(format_of(entry) for entry in EXPORTERS.entries())


def format_of(entry: Entry[Exporter]) -> ExportFormat:
    """The facts of one exporter. Raises pydantic's ValidationError where a fact is missing or of the wrong kind."""
    facts = {name: value for name, value in entry.facts.items() if name in ExportFormat.model_fields}
    return ExportFormat(name=entry.name, label=entry.label, **facts)


def exported_file(
    view: CaseView, name: str, kind: CopyKind, at: datetime, style: PageStyle | None = None
) -> ExportedFile:
    """A copy of this version as a file.

    Raises NotFoundError for an exporter that is not registered, and as `patient_copy` does.

    Args:
        view: the version.
        name: of the exporter.
        kind: whose copy.
        at: when the file is made.
        style: how it looks; what it leaves open is as the draft's locale has it.

    Raises:
        InputError: the exporter does not make this kind of copy.
    """
    entry: Entry[Exporter] = EXPORTERS.get(name)
    form = format_of(entry)
    if kind not in form.copies:
        raise InputError(f"The format {name!r} has no {kind.value}'s copy. Choose another format.")
    copy = patient_copy(view) if kind == CopyKind.PATIENT else clinician_copy(view)
    if style is not None:
        copy = copy._replace(style=style._replace(paper=style.paper or copy.style.paper, locale=copy.style.locale))
    return ExportedFile(f"{_stem(view, kind, at)}.{form.suffix}", form.media_type, entry.value(copy, view, at))


def _stem(view: CaseView, kind: CopyKind, at: datetime) -> str:
    """A name as a ward would give it; the day is that of the signature, of a draft that of the copy."""
    day = (view.signature.at if view.signature else at).date().isoformat()
    whose = "for the patient" if kind == CopyKind.PATIENT else "for the clinician"
    draft = "" if view.signature else f" DRAFT version {view.version}"
    old = " REPLACED" if view.state == CaseState.SUPERSEDED else ""
    return f"{TITLES[view.draft.document]} {day} {whose}{draft}{old}"
