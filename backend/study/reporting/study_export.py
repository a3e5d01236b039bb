"""A study to take away: tidy CSV, JSONL with provenance, the frozen design alone, or the report. Each has the study's hash.

CSV and JSONL show which arm is which, so they need the study unlocked; the design (for a registration) holds no rating.
"""

import contextlib
import csv
import io
import json
import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from backend.errors import ConflictError, InputError
from backend.schemas.canonical_json import sha256_of
from backend.schemas.studies.study_design import StudyState
from backend.schemas.studies.study_judge import JudgeUpload
from backend.schemas.studies.study_rating import EventKind, StudyEvent
from backend.schemas.studies.study_views import ReportFormat, StudyFormat
from backend.schemas.visible_text import visible
from backend.study import records
from backend.study.design.studies import Studies
from backend.study.judges import uploads_of
from backend.study.reporting.report import Progress, analysed, report_of
from backend.study.reporting.report_html import as_html
from backend.study.reporting.report_pdf import as_pdf
from backend.study.tidy import Ratings, TidyRow, ratings_data, tidy_rows

FORMAT = "leapnote-study-export/1"
FORMULA = tuple("=+-@\uff1d\uff0b\uff0d\uff20")
SAFE = "'"


def export(studies: Studies, study_id: str, form: StudyFormat, author: str) -> str:
    """The file's text. It is recorded. Raises NotFoundError for a study that is not frozen.

    Raises:
        ConflictError: the study is blind, and the format shows which arm is which.
    """
    with studies.database.writing() as session:
        row = records.study_row(session, study_id)
        frozen = records.frozen_row(session, study_id)
        if form != StudyFormat.DESIGN and row.unlocked_at is None:
            raise ConflictError(
                "The study is blind until it is unlocked: close it, then: python -m backend study unlock"
            )
        records.add_event(session, study_id, EventKind.EXPORT, author, studies.stamper(), format=form.value)
        session.flush()
        state = StudyState(row.state)
        unlocked = row.unlocked_at.isoformat() if row.unlocked_at else None
        document, digest = frozen.document, frozen.sha256
    if form == StudyFormat.DESIGN:
        return _lines([_head(document, digest, state, unlocked)])
    data = ratings_data(studies, study_id)
    if form == StudyFormat.CSV:
        return as_csv(data, digest)
    with studies.database.reading() as session:
        judges = uploads_of(session, study_id)
    return as_jsonl(data, document, (digest, state, unlocked), judges)


def report_file(
    studies: Studies, study_id: str, form: ReportFormat, author: str, progress: Progress | None = None
) -> bytes:
    """The report as a file. It is recorded as an export.

    Raises NotFoundError for a study that is not frozen.

    Args:
        studies: where the study is.
        study_id: of a frozen study.
        form: the file format.
        author: who takes it.
        progress: called with (done, total, what) while the analysis is computed.

    Raises:
        ConflictError: the study is blind.
    """
    with studies.database.writing() as session:
        row = records.study_row(session, study_id)
        records.frozen_row(session, study_id)
        if row.unlocked_at is None:
            raise ConflictError(
                "The report shows which arm is which: close the study, then: python -m backend study unlock"
            )
        stamp = studies.stamper()
        records.add_event(session, study_id, EventKind.EXPORT, author, stamp, format=f"report_{form.value}")
    made = report_of(analysed(studies, study_id, progress))
    if form == ReportFormat.HTML:
        return as_html(made).encode()
    return as_pdf(made)


def write_private(path: Path, content: bytes) -> None:
    """Write the file whole or not at all, readable by its owner alone: it holds notes.

    Raises:
        InputError: the place cannot be written.
    """
    beside = path.with_name(path.name + ".part")
    try:
        beside.unlink(missing_ok=True)
        with os.fdopen(os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            file.write(content)
        beside.replace(path)
    except OSError as error:
        with contextlib.suppress(OSError):
            beside.unlink(missing_ok=True)
        raise InputError(f"{path} cannot be written: {error.strerror}.") from None


def as_csv(data: Ratings, digest: str) -> str:
    """One row an answer; failed drafts as rows of their own with the reason.

    A text that a spreadsheet would run as a formula gets an apostrophe before it.
    """
    study = data.study
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    stamp = "; ".join(study.stamps)
    writer.writerow(("study", "sha256", "stamp", *TidyRow._fields))
    for row in tidy_rows(data, blind=False):
        writer.writerow(_safe_cell(cell) for cell in (study.study_id, digest, stamp, *row))
    for draft in study.drafts:
        if draft.reason:
            empty = dict.fromkeys(TidyRow._fields, "")
            cells = empty | {"case": draft.case_id, "arm": draft.arm_id, "status": "failed_draft", "text": draft.reason}
            writer.writerow(_safe_cell(cell) for cell in (study.study_id, digest, stamp, *cells.values()))
    return out.getvalue()


def as_jsonl(
    data: Ratings, document: str, head: tuple[str, StudyState, str | None], judges: Sequence[JudgeUpload] = ()
) -> str:
    """One JSON object a line: the frozen study, then all that was added to it, then a line that counts them."""
    digest, state, unlocked = head
    lines = [_head(document, digest, state, unlocked)]
    lines += [{"type": "adjudicator", "plan": plan.model_dump(mode="json")} for plan in data.adjudicators]
    lines += [{"type": "profile", **profile.model_dump(mode="json")} for profile in data.profiles]
    lines += [{"type": "rating", "record": record.model_dump(mode="json")} for record in data.ratings]
    lines += [{"type": "judge", "upload": upload.model_dump(mode="json")} for upload in judges]
    lines += [{"type": "event", "event": _event(event)} for event in data.events]
    return _lines(lines)


def _head(document: str, digest: str, state: StudyState, unlocked: str | None) -> dict[str, Any]:
    return {
        "type": "study",
        "format": FORMAT,
        "sha256": digest,
        "state": state.value,
        "unlocked_at": unlocked,
        "study": json.loads(document),
    }


def _lines(values: Iterable[dict[str, Any]]) -> str:
    """The lines and a last one by which a reader knows that none is missing or changed."""
    texts = list(_texts(values))
    body = "".join(texts)
    return body + json.dumps({"type": "end", "lines": len(texts), "sha256": sha256_of(body)}) + "\n"


def _texts(values: Iterable[dict[str, Any]]) -> Iterator[str]:
    for value in values:
        yield json.dumps(value, ensure_ascii=False, sort_keys=True) + "\n"


def _event(event: StudyEvent) -> dict[str, Any]:
    return event.model_dump(mode="json")


def _safe_cell(cell: object) -> object:
    if not isinstance(cell, str):
        return "" if cell is None else cell
    cell = cell.replace("\r\n", "\n").replace(
        "\r", "\n"
    )  # the writer quotes no lone \r, and a reader ends the row there
    # what nobody sees, and spaces, may stand before the sign; wide signs count as the plain ones
    return SAFE + cell if cell[:1] == "\t" or visible(cell).lstrip()[:1] in FORMULA else cell
