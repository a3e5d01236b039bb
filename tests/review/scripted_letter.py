"""A letter without a database: its versions in memory, and a drafter whose letter follows from the request by a rule told here.

The letter of a request: a fixed opening; for each confirmed problem a sentence and its advice; for each one not ruled out a
sentence that it is possible; the length's advice; and a required gap where no hospital course is given.
"""

from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from backend.generation.layout import DocumentLayout
from backend.review.case_content import draft_of_version, live, saved
from backend.review.editing.edits import applied
from backend.review.editing.letter_edits import LetterParts, judgements_of
from backend.review.editing.medicine_work import with_medicines
from backend.review.recheck import Checkers
from backend.review.working_anew import worked_anew
from backend.schemas.drafts.draft import Draft, Sentence, WrittenSentence
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.headings import FOLLOW_UP, MEDICINES_PART, WHY
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.saved_case import Edit, EditKind, ReviewedSentence, VersionContent
from backend.schemas.vocabulary import Basis, ConditionStatus, Document, Length
from tests.review.sample import NOTE, Watch, sample

PROBLEMS = ("gout", "asthma", "migraine")
ROWS = (
    MedicineRow(id="M1", action=MedicineAction.CONTINUE, name="metformin", dose="500 mg", source="the note"),
    MedicineRow(id="M2", action=MedicineAction.CONTINUE, name="aspirin", dose="81 mg", source="the note"),
)
REQUEST = DraftRequest(text=NOTE)
AT = datetime(2026, 5, 1, tzinfo=UTC)


def letter_of(request: DraftRequest) -> Draft:
    """The letter that follows from a request."""
    told: list[tuple[str, str, str | None]] = [(WHY, "You came because you were short of breath.", None)]
    for one in PROBLEMS:
        if one in request.confirmed_conditions:
            told.append((WHY, f"Your team found that you have {one}.", None))
        elif one not in request.ruled_out_conditions:
            told.append((WHY, f"What you felt can fit {one}.", one))
    told.append((WHY, "You have had your heart looked at three times this year.", None))
    told.append((MEDICINES_PART, "Keep taking: metformin 500 mg; aspirin 81 mg.", None))
    if not request.hospital_course:
        told.append((MEDICINES_PART, "[team to complete: which medicines to take]", None))
    told += [(FOLLOW_UP, f"Ask for a plan for your {one}.", None) for one in request.confirmed_conditions]
    told.append((FOLLOW_UP, "Keep your visits.", None))
    if request.length is Length.FULL:
        told.append((FOLLOW_UP, "Keep all of your visits, and bring this letter.", None))
    wrote = [
        WrittenSentence(
            text=text,
            section=section,
            basis=Basis.POSSIBLE if condition else Basis.GENERAL,
            condition_id=condition,
        )
        for section, text, condition in told
    ]
    text, spans = DocumentLayout().lay_out(wrote, Document.DISCHARGE_INSTRUCTIONS, "sections")
    placed = tuple(
        Sentence(**one.model_dump(exclude={"break_after"}), start_char=start, end_char=end)
        for one, (start, end) in zip(wrote, spans, strict=True)
    )
    return sample(
        text=text,
        sentences=placed,
        flags=(),
        gaps=(),
        medicines=ROWS,
        conditions=conditions_of(request),
        document=request.document,
    )


def conditions_of(request: DraftRequest) -> tuple[Condition, ...]:
    def status(one: str) -> ConditionStatus:
        if one in request.confirmed_conditions:
            return ConditionStatus.CONFIRMED
        return ConditionStatus.RULED_OUT if one in request.ruled_out_conditions else ConditionStatus.POSSIBLE

    return tuple(Condition(concept_id=one, name=one, score=0.5, status=status(one)) for one in PROBLEMS)


class ScriptedLetter:
    """One letter; version n is versions[n - 1]."""

    def __init__(self, request: DraftRequest = REQUEST) -> None:
        draft = letter_of(request)
        first = saved(draft).model_copy(update={"judgements": judgements_of(request)})
        self.versions: list[VersionContent] = [first]
        self.drafts: dict[int, tuple[Draft, DraftRequest | None]] = {1: (draft, request)}
        self.checkers = Checkers(DocumentLayout(), safety=Watch(), redraft=letter_of)

    @property
    def now(self) -> VersionContent:
        return self.versions[-1]

    @property
    def live(self) -> list[ReviewedSentence]:
        return live(self.now.sentences)

    @property
    def request(self) -> DraftRequest:
        request = self.drafts[self.now.draft_number][1]
        assert request is not None
        return request

    def shown(self, version: int) -> Draft:
        """The draft as a version has it."""
        content = self.versions[version - 1]
        return draft_of_version(with_medicines(self.drafts[content.draft_number][0], content.medicines), content)

    def do(self, *edits: Edit) -> VersionContent:
        content, number = self.now, len(self.versions)
        draft, request = self.drafts[content.draft_number]
        parts = LetterParts(draft, request, self.drafts.__getitem__)
        at = AT + timedelta(minutes=number)
        made = applied(content, edits, number, at, draft.evidence, lambda version: self.versions[version - 1], parts)
        new, drafted = worked_anew(content, made, parts, self.checkers, number + 1)
        if drafted is not None:
            self.drafts[number + 1] = (drafted.draft, drafted.request)
        self.versions.append(new)
        return new

    def find(self, text: str) -> ReviewedSentence:
        return next(s for s in self.now.sentences if s.text == text)


def act(kind: EditKind, **fields: object) -> Edit:
    return Edit.model_validate({"kind": kind, "author": "Dr Brand", **fields})


def texts(sentences: Sequence[ReviewedSentence]) -> list[str]:
    return [s.text for s in sentences]
