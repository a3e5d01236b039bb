"""A small study to rate: two arms whose writers have habits, a clock that can be set, and a rater that clicks."""

import uuid
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from backend.errors import InputError
from backend.schemas.studies.study_design import AnalysisPlan, Arm, StudyCase, StudySetup
from backend.schemas.studies.study_frozen import DraftMade, DraftProvenance, FrozenStudy, StudyDraft
from backend.schemas.studies.study_instrument import QuestionKind
from backend.schemas.studies.study_rater_views import AskedQuestion, RaterItem
from backend.schemas.studies.study_rating import AnswerRequest, ProfileRequest, Stamp
from backend.schemas.studies.study_views import FreezeRequest, GivenLink, InviteRequest
from backend.stores.database.database import Database
from backend.study.design.draft_sources import DraftJob
from backend.study.design.instruments import instrument
from backend.study.design.studies import Studies
from backend.study.design.study_drafts import generate
from backend.study.rating import personal_links as links
from backend.study.rating.ratings import Ratings

START = datetime(2026, 5, 4, 9, 0, tzinfo=UTC)
PLAN = AnalysisPlan.model_validate(
    {
        "primary_outcome": "reinrag-statements/mean",
        "unit_of_analysis": "case",
        "test": "wilcoxon_case_means",
        "exclusions": "none",
        "sample_size_reason": "a test",
        "correction": "holm",
    }
)
PROFILE = ProfileRequest(profession="physician", specialty="medicine", years=7, conflicts="none")
SYSTEM, OTHER = "zebrafinch", "quokka-9"  # names that stand in no ordinary text
GENERATOR = "vllm:maker/Ocelot-7B"


class Ticking:
    """A clock for tests: each look takes a step; the wall clock can be set and the process restarted."""

    def __init__(self, step_s: float = 10.0) -> None:
        self.at, self.tick_s, self.step_s, self.process = START, 0.0, step_s, "p1"

    def __call__(self) -> Stamp:
        self.at += timedelta(seconds=self.step_s)
        self.tick_s += self.step_s
        return Stamp(at=self.at, process=self.process, tick_s=self.tick_s)


def cases(count: int, reference: bool = True) -> tuple[StudyCase, ...]:
    return tuple(
        StudyCase(
            id=f"c{n:02}",
            label=f"Case {n}",
            text=f"Patient {n} came with cough and fever. Allergies: none known.",
            reference=f"Patient {n} rested and drank enough." if reference else "",
        )
        for n in range(1, count + 1)
    )


def setup(**changed: Any) -> StudySetup:
    fields: dict[str, Any] = {
        "name": "zebrafinch against quokka-9",
        "arms": (
            Arm(id=SYSTEM, system=SYSTEM, generator=GENERATOR, guess_label="Written with books"),
            Arm(id=OTHER, system=OTHER, generator=GENERATOR, guess_label="Written from the note alone"),
        ),
        "instruments": (instrument("reinrag-statements"), instrument("closing-comments")),
        "raters": 2,
        "overlap": 2,
        "calibration_items": 1,
        "guess_items": 2,
        "seed": 5,
        "plan": PLAN,
    }
    return StudySetup(**{**fields, **changed})


def write(job: DraftJob) -> StudyDraft:
    """Both arms say the same, each in its own manner."""
    if job.arm.id == SYSTEM:
        text = f"# Your stay\n\nPatient of {job.case.id} coughs [K1]. Zebrafinch says: drink *enough* water [P3].\n\nReferences\n[1] A book"
    else:
        text = f"Patient of {job.case.id} coughs. According to the retrieved documents, drink enough water. Ocelot-7B and QUOKKA 9 wrote this."
    return StudyDraft(
        case_id=job.case.id,
        arm_id=job.arm.id,
        status=DraftMade.MADE,
        text=text,
        headings=("Your stay",),
        evidence=(f"zebrafinch found: water helps case {job.case.id}",) if job.arm.id == SYSTEM else (),
        provenance=DraftProvenance(
            source="pipeline", system=job.arm.id, generator=job.arm.generator or "", seed=job.seed
        ),
    )


def write_but(case: str, arm: str, reason: str = "the server died") -> Callable[[DraftJob], StudyDraft]:
    """A writer that fails at one place."""

    def source(job: DraftJob) -> StudyDraft:
        if (job.case.id, job.arm.id) == (case, arm):
            raise InputError(reason)
        return write(job)

    return source


class StudyWorld:
    """A study on a database of its own."""

    def __init__(self, place: Path | Database, clock: Ticking | None = None) -> None:
        """place: a folder for a SQLite file, or a database."""
        self.clock = clock or Ticking()
        self.database = place if isinstance(place, Database) else Database(f"sqlite:///{place / 'study.sqlite'}")
        self.studies = Studies(self.database, self.clock)
        self.ratings = Ratings(self.database, self.clock)

    def ready(self, count: int = 4, source: Callable[[DraftJob], StudyDraft] = write, **changed: Any) -> str:
        """A study with its drafts. count: cases, the calibration ones among them."""
        made = self.studies.create(setup(**changed), "Ada")
        self.studies.add_cases(made.id, cases(count), "Ada")
        return generate(self.studies, made.id, source, "Ada").id

    def frozen(self, count: int = 4, source: Callable[[DraftJob], StudyDraft] = write, **changed: Any) -> str:
        study_id = self.ready(count, source, **changed)
        self.studies.freeze(study_id, FreezeRequest(author="Ada", accept_warnings=True))
        return study_id

    def study(self, study_id: str) -> FrozenStudy:
        return self.studies.frozen(study_id)

    def invite(self, study_id: str, rater: str = "R01", profile: bool = True) -> str:
        """The token of a rater who has said who they are."""
        given: GivenLink = links.invite(self.studies, study_id, InviteRequest(rater=rater, author="Ada"))
        if profile:
            self.ratings.profile(given.token, PROFILE)
        return given.token

    def rate(self, token: str, number: int, value: int = 4, only: Sequence[str] = ()) -> RaterItem:
        """Answer every question of an item; scales with one value. Returns the item as it then stands."""
        item = self.ratings.item(token, number)
        for key, _, request in answers(item, value):
            if not only or key in only:
                self.ratings.answer(token, number, str(uuid.uuid4()), request)
        return self.ratings.item(token, number)

    def rate_all(self, token: str, value: int = 4) -> None:
        for number in range(1, self.ratings.session(token).total + 1):
            self.rate(token, number, value)


def answers(item: RaterItem, value: int) -> Iterator[tuple[str, str, AnswerRequest]]:
    """(key, part, request) for everything the item asks."""
    letters = [draft.part for draft in item.drafts]
    for question in item.questions:
        for part in letters if question.target.value == "draft" else [""]:
            answer = _answer(question, value, letters)
            yield (
                question.key,
                part,
                AnswerRequest.model_validate(
                    {"key": question.key, "part": part, "phase": item.phase, "answer": answer}
                ),
            )


def _answer(question: AskedQuestion, value: int, letters: list[str]) -> dict[str, Any]:
    if question.only_cannot_judge:
        return {"kind": "cannot_judge"}
    match question.kind:
        case QuestionKind.RANKING:
            return {"kind": "ranking", "order": [[letter] for letter in letters]}
        case QuestionKind.ERRORS:
            return {"kind": "errors", "errors": []}
        case QuestionKind.TEXT:
            return {"kind": "text", "text": "fine"}
        case _:
            values = [option.value for option in question.options]
            return {"kind": "value", "value": min(values, key=lambda known: abs(known - value))}
