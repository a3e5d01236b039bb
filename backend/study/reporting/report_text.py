"""An analysis on a terminal, and a report on the disk."""

import contextlib
import os
from collections.abc import Sequence
from pathlib import Path

from backend.errors import InputError
from backend.schemas.studies.study_analysis import Analysis
from backend.study.reporting.report_tables import Table


def analysis_text(analysis: Analysis, tables: Sequence[Table]) -> str:
    """Each table as lines of its columns, in plain text."""
    lines = [f"{analysis.cases} cases, {analysis.raters} raters, {analysis.ratings} answers"]
    lines += [stamp.upper() for stamp in analysis.stamps]
    if analysis.blind:
        lines.append("The study is blind: arms stand under codes until it is unlocked.")
    for table in tables:
        lines += ["", table.title, " | ".join(table.head)]
        lines += [" | ".join(cell.replace("\n", " ") for cell in row) for row in table.rows]
    return "\n".join(lines)


def write_bytes_beside(path: Path, content: bytes) -> None:
    """Write the file whole or not at all, readable by its owner alone. Raises InputError when the place cannot be written."""
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
