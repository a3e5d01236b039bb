"""A client that answers from memory, with a small draft that has one of everything; it can also fail in every way."""

import threading
from collections.abc import Iterator
from typing import Any

from app.clients.api_errors import ApiError
from backend.schemas.drafts.draft import (
    Checks,
    Compared,
    Draft,
    Flag,
    Generator,
    Readability,
    Sentence,
    StageReport,
    Unrecognised,
)
from backend.schemas.drafts.event import STAGES, StageEvent
from backend.schemas.drafts.evidence import (
    Condition,
    Evidence,
    GraphItem,
    Move,
    NotePiece,
    Passage,
    Plan,
    PolicyStep,
    Reason,
    ReasoningPath,
    Rejected,
    Step,
    SubQuery,
)
from backend.schemas.drafts.note import Allergies, AllergyItem, LinkedNote, Mention, Note, Patient, Section
from backend.schemas.drafts.request import DraftRequest, PatientNote
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.patients.saved_case import CasePage, CaseState
from backend.schemas.seams import Registered, Seam
from tests.app.fake_cases import FakeCases

NOTE = (
    "Allergies: lisinopril (angioedema), zorbium\n"
    "Chief Complaint: shortness of breath\n"
    "HPI: 80F without chest pain. <script>alert(1)</script> ![x](http://example.com/a.png)"
)
NOTICE = "Starter knowledge: written for this project, not reviewed by a clinician, not a guideline, adults only."
SEVERE = "enalapril in the discharge list: the note lists “lisinopril” as allergy."
UNREACHABLE = "The API does not answer at http://127.0.0.1:1/v1. Start it with: make run"
REFUSED = "The note has 60,000 characters; at most 50,000 are taken. Shorten it or split it."
BROKE_OFF = "The connection to the API broke off. Draft again."
COMPOSER = {"name": "composer", "reason": "no language model server is set", "where": "stays in this program"}
CASE = DemonstrationCase(
    name="hf",
    label="Heart failure, 80 F",
    about="An ACE inhibitor after angioedema.",
    text=NOTE,
    discharge_medicines=("enalapril 5 mg daily",),
    hospital_course="Diuresed.",
    confirmed_conditions=("T:heart-failure",),
    patient_notes=(PatientNote(note_type="Discharge summary", date="2024-03-01", text="Echo: EF 35 %."),),
)


def span(words: str) -> tuple[int, int]:
    start = NOTE.index(words)
    return start, start + len(words)


def mention(words: str, name: str, group: str, category: str, **more: Any) -> Mention:
    start, end = span(words)
    more = {"assertion": "present", **more}
    return Mention(
        start_char=start, end_char=end, text=words, concept_id=f"T:{name.replace(' ', '-')}", name=name, group=group,
        category=category, score=1.0, **more,
    )  # fmt: skip


LINKED = LinkedNote(
    note=Note(
        text=NOTE,
        sections=(Section(category="allergies", title="Allergies:", start_char=0, body_char=11, end_char=44),),
        mentions=(
            mention("lisinopril", "lisinopril", "CHEM", "drug", allergen=True),
            mention("shortness of breath", "dyspnea", "DISO", "symptom"),
            mention("chest pain", "chest pain", "DISO", "symptom", assertion="negated", assertion_cue="without"),
        ),
    ),
    allergies=Allergies(
        status="listed",
        items=(
            AllergyItem(text="lisinopril", start_char=11, end_char=21, concept_id="T:lisinopril", kind="allergy",
                        reaction="angioedema", checked=True),
            AllergyItem(text="zorbium", start_char=36, end_char=43, concept_id=None, kind="allergy", checked=False),
        ),
    ),
    patient=Patient(age=80, sex="female"),
)  # fmt: skip
CONDITIONS = (
    Condition(
        concept_id="T:heart-failure", name="heart failure", score=1.0, status="possible", focus=True,
        because=(Reason(concept_id="T:dyspnea", name="dyspnea", relation="has_finding", weight=1.0,
                        start_char=span("shortness of breath")[0], end_char=span("shortness of breath")[1]),),
    ),
)  # fmt: skip
PLAN = Plan(
    thoughts=("Dyspnea is a sign of heart failure.",),
    sub_queries=(
        SubQuery(source="book", text="heart failure: diet", reason="diet"),
        SubQuery(source="guideline", text="heart failure", skipped="no passages are indexed for it"),
    ),
)
TO_FAILURE = Step(relation="finding_of", concept_id="T:heart-failure", name="heart failure", group="DISO")
TO_SALT = Step(relation="cluster leap", concept_id="T:salt", name="low salt diet", group="ACTI", leap=True)
SUPPORTING = "Dyspnea is a sign of heart failure."
LEAPT = "from heart failure a leap, with no direct link, to low salt diet (activities and behaviors)."
POLICY = (
    PolicyStep(
        step=1, group="DISO", probabilities={"DISO": 0.9, "ACTI": 0.1}, masked=("CHEM", "PROC"),
        rejected=(Rejected(concept_id="T:asthma", name="asthma <b>", score=-3.25),),
        moves=(Move(keyword="dyspnea", steps=(TO_FAILURE,)), Move(keyword="edema")),
    ),
    PolicyStep(step=2, group="ACTI", probabilities={"ACTI": 1.0}, moves=(Move(keyword="dyspnea", steps=(TO_SALT,)),)),
    PolicyStep(step=3, group="ACTI", probabilities={"stop": 0.6, "DISO": 0.4}, stopped=True),
)  # fmt: skip
EVIDENCE = Evidence(
    paths=(
        ReasoningPath(
            id="K1", keyword="dyspnea", score=1.0, text=f"{SUPPORTING[:-1]}, then {LEAPT}", supported_text=SUPPORTING,
            condition_id="T:heart-failure",
            steps=(Step(relation="", concept_id="T:dyspnea", name="dyspnea", group="DISO"), TO_FAILURE, TO_SALT),
        ),
    ),
    policy=POLICY,
    graph=(GraphItem(id="G1", concept_id="T:heart-failure", text="Heart failure: a heart that pumps too weakly."),),
    passages=(
        Passage(id="P1", source="book", document_id="handbook/hf", title="Heart failure: Diet", licence="starter",
                text="Eat less salt, since salt holds water.", start_char=0, end_char=38, concept_id="T:heart-failure"),
    ),
    notes=(NotePiece(id="N1", note_type="Pasted note", section="Chief Complaint", text="shortness of breath",
                     start_char=span("shortness of breath")[0], end_char=span("shortness of breath")[1]),),
)  # fmt: skip
TEXTS = (
    ("You came because of shortness of breath.", "patient", ("N1",), "supported", 0.9),
    ("This may be heart failure.", "possible", ("K1", "G1"), "partial", 0.5),
    ("Eat less salt, since salt holds water.", "general", ("P1",), "supported", 1.0),
    ("[team to complete: discharge weight]", "patient", (), "not_scored", None),
)


def draft_of(request: DraftRequest, **changes: Any) -> Draft:
    """The finished draft for a request; changes replace its fields."""
    sentences, at = [], 0
    for text, basis, citations, support, score in TEXTS:
        sentences.append(
            Sentence(text=text, section="Your stay", start_char=at, end_char=at + len(text), basis=basis,
                     citations=citations, support=support, support_score=score,
                     condition_id="T:heart-failure" if basis == "possible" else None)
        )  # fmt: skip
        at += len(text) + 1
    values: dict[str, Any] = {
        "id": "11111111-2222-3333-4444-555555555555", "document": request.document, "system": request.system,
        "status": "complete", "seed": request.seed, "note": LINKED.note, "patient": LINKED.patient,
        "generator": Generator(name="composer", reason="no language model server is set"),
        "allergies": LINKED.allergies, "conditions": CONDITIONS, "plan": PLAN, "evidence": EVIDENCE,
        "text": " ".join(s.text for s in sentences), "sentences": tuple(sentences),
        "flags": (Flag(kind="allergy_conflict", severity="severe", message=SEVERE, evidence=("enalapril",)),
                  Flag(kind="gap", severity="info", message="1 place is left for the team to complete.")),
        "checks": Checks(
            compared=(Compared(kind="medicine", text="enalapril", concept_id="T:enalapril", name="enalapril", against=1,
                               found="conflict: lisinopril"),),
            unrecognised=(Unrecognised(kind="allergy", text="zorbium"),)),
        "readability": Readability(fkgl=5.0, smog=7.0, words=20),
        "stages": tuple(StageReport(name=name, reason=f"{name} done", ms=1.5)
                        for name in ("link", "conditions", "paths", "plan", "passages", "write", "verify", "safety")),
    }  # fmt: skip
    return Draft(**{**values, **changes})


class FakeApi(FakeCases):
    """mode: well, unreachable, refused, breaks_off, partial, nothing; held: a draft runs until released."""

    def __init__(self, mode: str = "well", held: bool = False) -> None:
        super().__init__()
        self.mode = mode
        self.policy = "leapnote, data 01234567"
        self.asked: list[DraftRequest] = []
        self.release = threading.Event()
        if not held:
            self.release.set()

    def drafts(self, request: DraftRequest) -> Iterator[StageEvent]:
        self.asked.append(request)
        self._reach()
        if self.mode == "refused":
            raise ApiError(REFUSED)
        draft = self._draft(request)
        yield _event("link", "3 mentions", linked=LINKED)
        yield _event("conditions", "1 condition fits", conditions=CONDITIONS)
        yield _event("paths", "1 path", paths=EVIDENCE.paths, policy=EVIDENCE.policy)
        yield _event("plan", "1 sub-query", plan=PLAN)
        yield _event("passages", "1 passage", evidence=EVIDENCE)
        for sentence in draft.sentences[:2]:
            fields = {"text", "section", "basis", "citations", "condition_id"}
            yield StageEvent(stage="token", data=sentence.model_dump(mode="json", include=fields))
        assert self.release.wait(30)
        if self.mode == "breaks_off":
            raise ApiError(BROKE_OFF)
        yield StageEvent(stage="draft", data=draft.model_dump(mode="json"))

    def systems(self) -> dict[str, Any]:
        self._reach()
        return {
            "default": "leapnote",
            "systems": [
                {"name": "leapnote", "origin": "ours", "what": "all of it"},
                {"name": "no-retrieval", "origin": "all papers", "what": "the note alone"},
            ],
            "documents": ["discharge_instructions", "progress_note", "clinical_answer"],
            "stages": [stage.model_dump() for stage in STAGES],
            "generator": COMPOSER,
            "generators": [{"setting": "", **COMPOSER}],
            "roles": [],
            "waiting": "",
        }

    def prompts(self) -> list[dict[str, Any]]:
        self._reach()
        return [
            {
                "name": "discharge", "version": 3, "hash": "0123456789ab", "what": "Discharge *instructions*",
                "data": ["note", "graph_facts"], "instructions": "You write <b>plainly</b>.", "ending": "Write now.",
            }
        ]  # fmt: skip

    def seams(self) -> tuple[Seam, ...]:
        self._reach()
        dose = Registered(name="dose", label="Unusual dose", about="An *unusual* amount.", action="Check it.")
        return (Seam(name="flag kind", registered=(dose,)), Seam(name="planner", registered=()))

    def settings(self) -> list[dict[str, Any]]:
        self._reach()
        return [{"name": "LEAPNOTE_API_PORT", "value": "8600", "meaning": "Port of the API"}]

    def knowledge(self) -> dict[str, Any]:
        self._reach()
        return {
            "notice": NOTICE,
            "graph": {"concepts": 3, "edges": 4, "name": "starter"},
            "sources": [
                {
                    "source": "book",
                    "passages": 1,
                    "documents": 1,
                    "licence": "starter",
                    "refused": "",
                    "collections": [{"name": "own-book", "documents": 1, "passages": 1, "refused": ""}],
                },
                {
                    "source": "guideline",
                    "passages": 0,
                    "documents": 0,
                    "licence": "",
                    "refused": "",
                    "collections": [],
                },
            ],
            "encoder": "words",
            "policy": self.policy,
        }

    def results(self) -> list[dict[str, Any]]:
        self._reach()
        return []

    def cases(self) -> tuple[DemonstrationCase, ...]:
        self._reach()
        return (CASE,)

    def saved_cases(
        self, limit: int = 50, offset: int = 0, state: CaseState | None = None, words: str = ""
    ) -> CasePage:
        self._reach()
        return super().saved_cases(limit, offset, state, words)

    def concepts(self, words: str, limit: int = 20) -> list[dict[str, Any]]:
        self._reach()
        return [row for row in (_concept("heart failure"), _concept("dyspnea")) if words in str(row["name"])]

    def neighbours(self, concept_id: str) -> dict[str, Any]:
        self._reach()
        row = {"relation": "has_finding", "qualifier": "", "concept": _concept("dyspnea")}
        return {"concept": _concept("heart failure"), "neighbours": [row]}

    def paths(self, start: str, end: str) -> dict[str, Any]:
        first = {"relation": "", "concept": _concept("heart failure")}
        return {"steps": [first, {"relation": "has_finding", "concept": _concept("dyspnea")}]}

    def _reach(self) -> None:
        if self.mode == "unreachable":
            raise ApiError(UNREACHABLE, unreachable=True)

    def _draft(self, request: DraftRequest) -> Draft:
        if self.mode == "nothing":
            return draft_of(request, status="nothing_found", sentences=(), text="", flags=())
        if self.mode == "partial":
            stages = (StageReport(name="write", reason="the server closed the connection", ms=2.0),)
            return draft_of(request, status="partial", stages=stages)
        return draft_of(request)


def _concept(name: str) -> dict[str, Any]:
    return {
        "concept_id": f"T:{name.replace(' ', '-')}", "name": name, "group": "DISO", "category": "disease",
        "synonyms": ["CHF"], "definition": "a heart that pumps *too* weakly",
    }  # fmt: skip


def _event(stage: str, reason: str, **values: Any) -> StageEvent:
    data = {
        key: [one.model_dump(mode="json") for one in value]
        if isinstance(value, tuple)
        else value.model_dump(mode="json")
        for key, value in values.items()
    }
    return StageEvent(stage=stage, reason=reason, ms=1.5, data=data)
