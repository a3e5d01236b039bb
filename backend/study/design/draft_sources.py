"""Where the drafts of a study come from: a callable that writes one document for one case in one arm."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from backend.errors import InputError
from backend.schemas.canonical_json import order_key
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.evidence import Evidence
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.studies.study_design import Arm, StudyCase, StudySetup
from backend.schemas.studies.study_frozen import DraftMade, DraftProvenance, StudyDraft
from backend.schemas.vocabulary import DraftStatus

if TYPE_CHECKING:  # a process that only takes ratings loads no pipeline
    from backend.container import Container


class DraftJob(NamedTuple):
    """seed is the same in every arm of a case."""

    case: StudyCase
    arm: Arm
    setup: StudySetup

    @property
    def seed(self) -> int:
        """The same in every arm of a case."""
        return int(order_key(self.setup.seed, "draft", self.case.id)[:7], 16)


DraftSource = Callable[[DraftJob], StudyDraft]
"""Gives a made draft, or raises a LeapnoteError whose message becomes the reason of a failed one."""


def pipeline_source(container: "Container") -> DraftSource:
    """Drafts by the systems of this program."""

    def write(job: DraftJob) -> StudyDraft:
        if job.arm.system is None:
            raise InputError(f"The arm {job.arm.id!r} has no system; upload its drafts.")
        case = job.case
        request = DraftRequest(
            text=case.text,
            question=case.question,
            document=job.setup.document,
            style=job.setup.style,
            system=job.arm.system,
            generator=job.arm.generator,
            seed=job.seed,
            confirmed_conditions=case.confirmed_conditions,
            hospital_course=case.hospital_course,
            discharge_medicines=case.discharge_medicines,
        )
        return study_draft(container.pipeline(job.arm.system, job.arm.generator).run(request), case.id, job.arm.id)

    return write


def study_draft(draft: Draft, case_id: str, arm_id: str) -> StudyDraft:
    """A finished draft as a study keeps it.

    Raises:
        InputError: the draft was not finished.
    """
    if draft.status != DraftStatus.COMPLETE or not draft.text.strip():
        reasons = "; ".join(stage.reason for stage in draft.stages if stage.reason)[:300]
        raise InputError(f"the draft is {draft.status.value}{': ' + reasons if reasons else ''}")
    return StudyDraft(
        case_id=case_id,
        arm_id=arm_id,
        status=DraftMade.MADE,
        text=draft.text,
        headings=tuple(dict.fromkeys(s.section for s in draft.sentences if s.section)),
        evidence=evidence_texts(draft.evidence),
        provenance=DraftProvenance(
            source="pipeline",
            system=draft.system,
            generator=draft.generator.name,
            generator_reason=draft.generator.reason,
            seed=draft.seed,
            draft_id=draft.id,
            versions=draft.versions,
        ),
    )


def evidence_texts(evidence: Evidence) -> tuple[str, ...]:
    """What was retrieved, as plain texts without ids. The patient's own note stands beside the draft anyway."""
    passages = [f"{p.title}: {p.text}" if p.title else p.text for p in evidence.passages]
    return (*(path.text for path in evidence.paths), *(item.text for item in evidence.graph), *passages)
