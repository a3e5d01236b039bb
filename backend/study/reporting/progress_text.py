"""A study and its progress as text for a terminal."""

from backend.schemas.studies.study_views import StudyProgress, StudyView


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
