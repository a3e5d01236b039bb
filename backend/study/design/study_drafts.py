"""The drafts of a study before it is frozen: which are missing, writing them one after the other, and those made elsewhere."""

from collections.abc import Callable, Sequence
from threading import Event

from sqlalchemy.orm import Session

from backend.errors import InputError, LeapnoteError
from backend.schemas.studies.study_design import StudyState
from backend.schemas.studies.study_frozen import BlindedDraft, DraftMade, DraftProvenance, StudyDraft
from backend.schemas.studies.study_rating import EventKind
from backend.schemas.studies.study_views import LeakReport, StudyView, UploadedDraft
from backend.stores.database.study_tables import StudyDraftRow, StudyRow
from backend.study import records
from backend.study.design.draft_sources import DraftJob, DraftSource
from backend.study.design.freezing import blinded_drafts
from backend.study.design.studies import Studies
from backend.study.leakage.leak_search import leaks


class Drafts:
    """Every method raises ConflictError once the study is frozen."""

    def __init__(self, studies: Studies) -> None:
        self._studies = studies

    def upload(self, study_id: str, drafts: Sequence[UploadedDraft], author: str) -> StudyView:
        """Drafts made elsewhere, for arms that have no system. A second upload of a place replaces the first.

        Raises:
            InputError: a case or arm does not exist, or a draft has neither text nor reason.
        """
        with self._studies.database.writing() as session:
            row = self._studies.open_row(session, study_id)
            setup = records.setup_of(row)
            wanted = {case.id for case in self._studies.chosen_cases(session, row)}
            uploads = {arm.id for arm in setup.arms if arm.system is None}
            for draft in drafts:
                if draft.arm not in uploads:
                    raise InputError(
                        f"{draft.arm!r} is no arm for uploads. Those are: {', '.join(sorted(uploads)) or 'none'}"
                    )
                if draft.case in wanted:
                    session.merge(_row(study_id, _uploaded(draft)))
                elif draft.case not in {case.id for case in records.cases_of(session, study_id)}:
                    raise InputError(f"There is no case {draft.case!r} in this study.")
            session.flush()
            self._advance(session, row)
            self._studies.touch(session, row, EventKind.UPLOAD_DRAFTS, author, count=len(drafts))
        return self._studies.view(study_id)

    def jobs(self, study_id: str, retry_failed: bool = False) -> tuple[DraftJob, ...]:
        """The drafts still to write here, case by case. A failed one stays as it is unless it is to be tried again."""
        with self._studies.database.reading() as session:
            row = self._studies.open_row(session, study_id, records.Hold.NOTHING)
            setup, cases = records.setup_of(row), self._studies.chosen_cases(session, row)
            there = {
                (d.case_id, d.arm_id)
                for d in records.drafts_of(session, study_id)
                if d.status == DraftMade.MADE or not retry_failed
            }
        return tuple(
            DraftJob(case, arm, setup)
            for case in cases
            for arm in setup.arms
            if arm.system is not None and (case.id, arm.id) not in there
        )

    def begin(self, study_id: str, author: str, count: int) -> None:
        """Say in the trail that drafts are being written. count: how many."""
        with self._studies.database.writing() as session:
            row = self._studies.open_row(session, study_id)
            row.state = StudyState.GENERATING.value
            self._studies.touch(session, row, EventKind.GENERATE, author, wanted=count)

    def keep(self, draft: StudyDraft, study_id: str) -> None:
        """One draft, made or failed, on the disk before the next begins."""
        with self._studies.database.writing() as session:
            row = self._studies.open_row(session, study_id)
            session.merge(_row(study_id, draft))
            session.flush()
            self._advance(session, row)
            row.version += 1  # whoever freezes now must look again

    def end(self, study_id: str, author: str) -> StudyView:
        """After the last draft: ready, or still generating when uploads are missing."""
        with self._studies.database.writing() as session:
            row = self._studies.open_row(session, study_id)
            self._advance(session, row)
            count = self._studies.count(session, row)
            self._studies.touch(session, row, EventKind.GENERATED, author, **count.model_dump())
        return self._studies.view(study_id)

    def leaks(self, study_id: str) -> LeakReport:
        """What could tell the arms apart as things stand, and what the rule took out."""
        with self._studies.database.reading() as session:
            row = records.study_row(session, study_id)
            setup = records.setup_of(row)
            cases, drafts = self._studies.chosen_cases(session, row), self._studies.chosen_drafts(session, row)
        hidden = blinded_drafts(setup, cases, drafts)
        return LeakReport(leaks=leaks(setup, cases, hidden), removed=_removed(hidden))

    def _advance(self, session: Session, row: StudyRow) -> None:
        count = self._studies.count(session, row)
        whole = count.wanted > 0 and count.made + count.failed >= count.wanted
        row.state = (StudyState.READY if whole else StudyState.GENERATING).value


def _row(study_id: str, draft: StudyDraft) -> StudyDraftRow:
    return StudyDraftRow(
        study_id=study_id,
        case_id=draft.case_id,
        arm_id=draft.arm_id,
        status=draft.status.value,
        content=draft.model_dump_json(),
    )


def _uploaded(draft: UploadedDraft) -> StudyDraft:
    if bool(draft.text.strip()) == bool(draft.failed.strip()):
        raise InputError(f"Case {draft.case!r}, arm {draft.arm!r}: give the text, or with 'failed' why there is none.")
    return StudyDraft(
        case_id=draft.case,
        arm_id=draft.arm,
        status=DraftMade.MADE if draft.text.strip() else DraftMade.FAILED,
        reason=draft.failed,
        text=draft.text,
        evidence=draft.evidence,
        provenance=DraftProvenance(source="upload", system=draft.system, generator=draft.generator),
    )


def _removed(drafts: Sequence[BlindedDraft]) -> dict[str, dict[str, int]]:
    found: dict[str, dict[str, int]] = {}
    for draft in drafts:
        counts = found.setdefault(draft.arm_id, {})
        for kind, times in draft.removed.items():
            counts[kind] = counts.get(kind, 0) + times
    return found


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
