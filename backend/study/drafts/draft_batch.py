"""Writing all drafts of a study: a batch that can be stopped and taken up again, one draft on the disk after the other."""

from collections.abc import Callable
from threading import Event

from backend.errors import LeapnoteError
from backend.schemas.studies.study_frozen import DraftMade, DraftProvenance, StudyDraft
from backend.schemas.studies.study_views import StudyView
from backend.study.design.studies import Studies
from backend.study.drafts.draft_sources import DraftJob, DraftSource
from backend.study.drafts.study_drafts import Drafts

Progress = Callable[[int, int, str], None]


def quiet(done: int, total: int, what: str) -> None:
    """Tell nobody."""


def generate(
    studies: Studies,
    study_id: str,
    source: DraftSource,
    author: str,
    progress: Progress = quiet,
    retry_failed: bool = False,
    stop: Event | None = None,
) -> StudyView:
    """Write what is missing. A draft that cannot be written is kept as failed with its reason, and the batch goes on.

    progress: called before each draft and at the end, with counts and the case and arm. stop: set it to end after the
    draft at work; a later call goes on from there. A defect in the source ends the batch and loses nothing.
    """
    drafts = Drafts(studies)
    jobs = drafts.jobs(study_id, retry_failed)
    drafts.begin(study_id, author, len(jobs))
    for done, job in enumerate(jobs):
        if stop is not None and stop.is_set():
            break
        progress(done, len(jobs), f"case {job.case.id}, arm {job.arm.id}")
        drafts.keep(_written(job, source, studies), study_id)
    else:
        progress(len(jobs), len(jobs), "done")
    return drafts.end(study_id, author)


def _written(job: DraftJob, source: DraftSource, studies: Studies) -> StudyDraft:
    at = studies.stamper().at
    try:
        draft = source(job)
    except LeapnoteError as error:
        where = DraftProvenance(
            source="pipeline", system=job.arm.system or "", generator=job.arm.generator or "", seed=job.seed, made_at=at
        )
        return StudyDraft(
            case_id=job.case.id, arm_id=job.arm.id, status=DraftMade.FAILED, reason=str(error), provenance=where
        )
    return draft.model_copy(update={"provenance": draft.provenance.model_copy(update={"made_at": at})})
