"""A draft small enough to read, written by hand, and the stand-ins that its tests check it with."""

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from backend.generation.layout import DocumentLayout
from backend.schemas.drafts.draft import (
    Checks,
    Compared,
    Draft,
    Flag,
    Generator,
    Readability,
    Sentence,
    Unrecognised,
    Verdict,
    WrittenSentence,
)
from backend.schemas.drafts.evidence import Condition, Evidence, NotePiece, Passage, ReasoningPath
from backend.schemas.drafts.gaps import gaps_of
from backend.schemas.drafts.headings import REQUIRED
from backend.schemas.drafts.note import Allergies, AllergyItem, LinkedNote, Note, Patient
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import (
    AllergyKind,
    AllergyStatus,
    Basis,
    ConditionStatus,
    Document,
    DraftStatus,
    Severity,
    Source,
    Support,
)

NOTE = "Allergies: lisinopril (angioedema), zorblax\nChief complaint: short of breath"
WHY, MEDICINES, FOLLOW = "Why you came", "Your medicines", "Follow-up"
HEART_FAILURE = "LN:heart-failure"
WRITTEN = (
    WrittenSentence(
        text="You came because you were short of breath.", section=WHY, basis=Basis.PATIENT, citations=("N1",)
    ),
    WrittenSentence(
        text="What you felt can fit heart failure.",
        section=WHY,
        basis=Basis.POSSIBLE,
        citations=("N1", "K1"),
        condition_id=HEART_FAILURE,
    ),
    WrittenSentence(text="[team to complete: what was found]", section=WHY, basis=Basis.GENERAL),
    WrittenSentence(text="[team to complete: which medicines to take]", section=MEDICINES, basis=Basis.GENERAL),
    WrittenSentence(
        text="Weigh yourself every morning.",
        section=FOLLOW,
        basis=Basis.POSSIBLE,
        citations=("P1",),
        condition_id=HEART_FAILURE,
    ),
    WrittenSentence(text="Keep your visits.", section=FOLLOW, basis=Basis.GENERAL, citations=("P2",)),
)
TEXT = (
    "Why you came\n"
    "You came because you were short of breath. What you felt can fit heart failure. [team to complete: what was found]\n\n"
    "Your medicines\n[team to complete: which medicines to take]\n\n"
    "Follow-up\nWeigh yourself every morning. Keep your visits."
)
NOT_RECOGNISED = Flag(
    kind="allergy_not_recognised",
    severity=Severity.SEVERE,
    message="Allergy “zorblax”: not recognised; not checked.",
)
GAPS = Flag(kind="gap", severity=Severity.INFO, message="2 places are left for the team to complete.")


def sample(**changed: object) -> Draft:
    """The draft of all these tests; its text is TEXT."""
    text, spans = DocumentLayout().lay_out(WRITTEN, Document.DISCHARGE_INSTRUCTIONS, "sections")
    sentences = tuple(
        Sentence(
            **written.model_dump(exclude={"break_after"}),
            start_char=start,
            end_char=end,
            support=Support.SUPPORTED if written.citations else Support.NOT_SCORED,
            support_score=0.9 if written.citations else None,
            reason="" if written.citations else "a gap for the team, no statement",
        )
        for written, (start, end) in zip(WRITTEN, spans, strict=True)
    )
    draft = Draft(
        id="11111111-1111-4111-8111-111111111111",
        document=Document.DISCHARGE_INSTRUCTIONS,
        system="leapnote",
        status=DraftStatus.COMPLETE,
        seed=0,
        versions={"leapnote": "0.1.0", "graph": "starter, 10 concepts"},
        generator=Generator(name="composer", reason="no language model server is set"),
        note=Note(text=NOTE),
        patient=Patient(age=80, sex="female"),
        allergies=Allergies(
            status=AllergyStatus.LISTED, items=(allergy("lisinopril", "angioedema"), allergy("zorblax"))
        ),
        conditions=(
            Condition(concept_id=HEART_FAILURE, name="heart failure", score=1.0, status=ConditionStatus.POSSIBLE),
        ),
        evidence=evidence(),
        text=text,
        sentences=sentences,
        gaps=gaps_of([(s.section, s.text) for s in sentences], REQUIRED),
        flags=(NOT_RECOGNISED, GAPS),
        checks=Checks(
            compared=(
                Compared(
                    kind="allergy",
                    text="lisinopril",
                    concept_id="LN:l",
                    name="lisinopril",
                    against=0,
                    found="no conflict found among 0 checked",
                ),
            ),
            unrecognised=(Unrecognised(kind="allergy", text="zorblax"),),
        ),
    )
    return draft.model_copy(update=changed)


def allergy(text: str, reaction: str = "") -> AllergyItem:
    start = NOTE.index(text)
    known = bool(reaction)
    return AllergyItem(
        text=text,
        start_char=start,
        end_char=start + len(text),
        concept_id="LN:l" if known else None,
        kind=AllergyKind.ALLERGY,
        reaction=reaction,
        checked=known,
    )


def evidence() -> Evidence:
    passage = Passage(
        id="P1",
        source=Source.BOOK,
        document_id="handbook/heart-failure",
        title="Heart failure",
        licence="CC0",
        text="Weigh yourself every morning.",
        start_char=0,
        end_char=29,
    )
    return Evidence(
        paths=(
            ReasoningPath(id="K1", keyword="dyspnea", steps=(), score=1.0, text="dyspnea is a sign of heart failure"),
        ),
        passages=(passage, passage.model_copy(update={"id": "P2", "text": "Keep your visits."})),
        notes=(
            NotePiece(
                id="N1",
                note_type="Pasted note",
                section="Chief complaint",
                text="short of breath",
                start_char=61,
                end_char=76,
            ),
        ),
    )


def with_sentence(text: str, **changed: object) -> Draft:
    """A draft of one sentence, for what an export must escape."""
    sentence = Sentence(text=text, section=WHY, start_char=0, end_char=len(text), basis=Basis.GENERAL)
    return sample(text=text, sentences=(sentence,), flags=(), **changed)


class Ticking:
    """A clock that goes on by a minute whenever it is read, from noon on the first of May 2026."""

    def __init__(self) -> None:
        self.now = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(minutes=1)
        return self.now


class Watch:
    """A safety check that knows one medicine: lisinopril in a sentence or on the list for home is a severe conflict."""

    def __init__(self) -> None:
        self.requests: list[DraftRequest] = []

    def check(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], sentences: Sequence[Sentence]
    ) -> tuple[tuple[Flag, ...], Checks]:
        self.requests.append(request)
        return tuple(self._found(request, sentences)), Checks()

    def _found(self, request: DraftRequest, sentences: Sequence[Sentence]) -> Iterator[Flag]:
        places: list[int | None] = [i for i, s in enumerate(sentences) if "lisinopril" in s.text]
        listed = [None for text in request.discharge_medicines if "lisinopril" in text]
        for place in (*places, *listed):
            message = "lisinopril in the draft: it is what the patient reacts to."
            yield Flag(kind="allergy_conflict", severity=Severity.SEVERE, message=message, sentence=place)


class Partly:
    """A verifier to which every sentence is partly carried."""

    def verify(
        self, sentences: Sequence[WrittenSentence], linked: LinkedNote, evidence: Evidence
    ) -> tuple[Verdict, ...]:
        return tuple(Verdict(support=Support.PARTIAL, score=0.5, reason="worded differently") for _ in sentences)


class Counted:
    """A readability that is the number of words, so that its value can be told by counting."""

    def measure(self, sentences: Sequence[str]) -> Readability:
        return Readability(words=sum(len(s.split()) for s in sentences))
