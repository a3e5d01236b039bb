"""A study, its progress and its analysis as text for a terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from backend.schemas.studies.study_analysis import Analysis
from backend.schemas.studies.study_views import StudyProgress, StudyView

if TYPE_CHECKING:  # the command line prints help without loading a table's makers
    from backend.study.reporting.report_tables import Table


def analysis_text(analysis: Analysis, tables: "Sequence[Table]") -> str:
    """Each table as lines of its columns, in plain text."""
    lines = [f"{analysis.cases} cases, {analysis.raters} raters, {analysis.ratings} answers"]
    lines += [stamp.upper() for stamp in analysis.stamps]
    if analysis.blind:
        lines.append("The study is blind: arms stand under codes until it is unlocked.")
    for table in tables:
        lines += ["", table.title, " | ".join(table.head)]
        lines += [" | ".join(cell.replace("\n", " ") for cell in row) for row in table.rows]
    return "\n".join(lines)


def study_text(view: StudyView) -> str:
    """State, counts, failed drafts with their reasons, hash and stamps."""
    made = f"drafts: {view.drafts.made} made, {view.drafts.failed} failed, of {view.drafts.wanted}"
    lines = [f"{view.id}  {view.state.value}  {view.name}", f"{len(view.cases)} cases; {made}"]
    lines += [f"failed: case {f.case_id}, arm {f.arm_id}: {f.reason}" for f in view.failed]
    lines += [f"sha256 {view.sha256}"] if view.sha256 else []
    return "\n".join([*lines, *view.stamps])


def progress_text(found: StudyProgress) -> str:
    """How far each rater is, and what to look at. No answer, no arm."""
    lines = [f"{found.id}  {found.state.value}{'  unlocked' if found.unlocked else '  blind' if found.sha256 else ''}"]
    if found.sha256:
        lines.append(f"sha256 {found.sha256}")
        lines.append(f"{found.ratings_done} of {found.ratings_wanted} items rated; {found.items_failed} items failed")
    else:
        lines.append(f"drafts: {found.drafts.made} made, {found.drafts.failed} failed, of {found.drafts.wanted}")
    for row in found.raters:
        marks = f"too fast {row.too_fast}, leaks {row.leaks}, planted errors noticed {row.noticed}, missed {row.missed}"
        end = "finished" if row.finished else f"last seen {row.last_at:%Y-%m-%d %H:%M}" if row.last_at else "not begun"
        lines.append(f"{row.rater_id} {row.role.value}: {row.done} of {row.total}, {end}; {marks}")
    return "\n".join([*lines, *found.stamps])
