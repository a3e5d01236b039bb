"""Letters of the shipped knowledge under a clinician's edits: what the alerts, the problems and the marks do then."""

from datetime import UTC, datetime
from typing import Any

import pytest

from backend.container.container import Container
from backend.generation.layout import DocumentLayout
from backend.review.recheck import Checkers
from backend.review.saved_cases import Cases
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.letter_work import BlockKind
from backend.schemas.patients.saved_case import CaseView, Edit, EditKind, EditsRequest, SaveRequest
from backend.schemas.vocabulary import Support
from backend.stores.database.database import Database

ALLERGIC = (
    "Allergies: penicillin (anaphylaxis)\nHPI: A 60-year-old man with cough for a week.\nMedications:\n{}\nPlan: {}"
)


class Letter:
    """A letter of a note, edited step by step."""

    def __init__(self, cases: Cases, case: CaseView) -> None:
        self.cases, self.now = cases, case

    def do(self, kind: EditKind, **fields: Any) -> CaseView:
        edit = Edit(kind=kind, author="Dr Brand", **fields)
        self.now = self.cases.edit(self.now.id, EditsRequest(version=self.now.version, edits=(edit,)))
        return self.now

    def medicine(self, name: str, action: str, removed: bool = False) -> None:
        row = next(one for one in self.now.draft.medicines if name in one.name)
        kept = {field: getattr(row, field) for field in ("id", "name", "dose", "timing")}
        self.do(EditKind.MEDICINE, medicine={**kept, "action": action, "removed": removed})

    def add(self, text: str, after: int = 0) -> Any:
        live = [s for s in self.now.sentences if not s.deleted]
        self.do(EditKind.INSERT_AFTER, sentence=live[after].id, text=text)
        return next(s for s in self.now.sentences if s.text == text)

    def blocked(self, kind: BlockKind) -> list[str]:
        return [one.message for one in self.now.blocks if one.kind is kind]

    @property
    def texts(self) -> list[str]:
        return [s.text for s in self.now.sentences if not s.deleted]


@pytest.fixture
def letter_of(container: Container, database: Database) -> Any:
    pipeline = container.pipeline("leapnote", "composer")
    checkers = Checkers(
        DocumentLayout(), container.safety, container.checks.verifier(None), None, container.checks.fit,
        container.linker, pipeline.run,
    )  # fmt: skip
    cases = Cases(database, checkers, lambda: datetime.now(UTC))

    def saved(text: str) -> Letter:
        request = DraftRequest(text=text)
        return Letter(
            cases, cases.save(SaveRequest(label="x", draft=pipeline.run(request), request=request, author="A"))
        )

    return saved


@pytest.mark.parametrize(
    ("listed", "name"), [("Augmentin 625 mg three times a day", "Augmentin"), ("amoxicillin 500 mg TID", "amoxicillin")]
)
def test_a_severe_allergy_alert_ends_when_the_letter_stops_holds_or_drops_the_medicine(
    letter_of: Any, listed: str, name: str
) -> None:
    for action, removed in (("stopped", False), ("on_hold", False), ("continue", True)):
        letter = letter_of(ALLERGIC.format(f"{listed}\nmetformin 500 mg BID", "review in 2 weeks"))
        assert letter.blocked(BlockKind.SEVERE), "it is listed, and nothing is decided"
        letter.medicine(name, action, removed)
        assert not letter.blocked(BlockKind.SEVERE)
        letter.add("Take amoxicillin-clavulanate 625 mg three times a day.")
        assert letter.blocked(BlockKind.SEVERE), "the letter gives it all the same"


def test_a_plan_that_stops_the_medicine_leaves_no_severe_alert_until_the_letter_goes_on_with_it(letter_of: Any) -> None:
    letter = letter_of(ALLERGIC.format("Augmentin 625 mg three times a day", "stop Augmentin."))
    assert "Stop taking: Augmentin (amoxicillin-clavulanate)." in letter.texts
    assert not letter.blocked(BlockKind.SEVERE)
    letter.medicine("Augmentin", "continue")
    assert letter.blocked(BlockKind.SEVERE)


LONG_ILL = (
    "Chief Complaint: breathlessness\nHPI: 67F with worsening breathlessness. She had a DVT in 2011.{}\n"
    "Past Medical History: COPD, type 2 diabetes, atrial fibrillation\n"
)


def naming(letter: Letter, name: str) -> list[str]:
    return [text for text in letter.texts if name in text.lower() and text.startswith(("Your", "You "))]


@pytest.mark.parametrize(
    ("concept", "name"),
    [
        ("LN:atrial-fibrillation", "atrial fibrillation"),
        ("LN:type-2-diabetes-mellitus", "diabetes"),
        ("LN:chronic-obstructive-pulmonary-disease", "copd"),
    ],
)
@pytest.mark.parametrize("kind", [EditKind.CONFIRM_CONDITION, EditKind.LEAD_CONDITION])
def test_a_condition_that_the_letter_tells_is_told_once_when_it_is_confirmed(
    letter_of: Any, concept: str, name: str, kind: EditKind
) -> None:
    letter = letter_of(LONG_ILL.format(""))
    before = naming(letter, name)
    letter.do(kind, concept_id=concept)
    assert [t for t in naming(letter, name) if "history" in t or "found that" in t] == before
    assert len(before) == 1


@pytest.mark.parametrize(
    ("words", "concept", "name"),
    [
        ("", "LN:deep-vein-thrombosis", "blood clot in a deep vein"),
        (" It may be pneumonia.", "LN:pneumonia", "pneumonia"),
    ],
)
def test_what_was_past_or_doubted_is_told_anew_when_it_is_confirmed(
    letter_of: Any, words: str, concept: str, name: str
) -> None:
    letter = letter_of(LONG_ILL.format(words))
    letter.do(EditKind.CONFIRM_CONDITION, concept_id=concept)
    assert any(text.startswith("Your team found that you have") for text in naming(letter, name))


def test_a_condition_made_past_keeps_its_plain_words(letter_of: Any) -> None:
    letter = letter_of(LONG_ILL.format(""))
    letter.do(EditKind.PAST_CONDITION, concept_id="LN:chronic-obstructive-pulmonary-disease")
    assert [text for text in naming(letter, "chronic") if "chronic lung disease (COPD)" in text]
    assert not naming(letter, "obstructive")


STAY = (
    "Allergies: none\nChief Complaint: abdominal pain\nHPI: 35F with right lower quadrant pain and vomiting, no fever. "
    "Laparoscopic appendectomy yesterday for acute appendicitis. Her mother has asthma. HbA1c 6.1.\nMedications: none\n"
    "Plan: surgical clinic in two weeks."
)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("You had a heart attack.", "heart attack, which the note does not"),
        ("We found a kidney stone.", "kidney stone, which the note does not"),
        ("A scan showed a tumour in your liver.", "tumour, which the note does not"),
        ("You had a fever.", "fever, which the note denies"),
        ("You have asthma.", "asthma, which the note tells of somebody else (mother)"),
        ("Your HbA1c was 9.2.", "HbA1c 9.2, which the note does not"),
        ("You did not have appendicitis.", "denies appendicitis, which the note states"),
    ],
)
def test_a_clinicians_own_claim_that_the_record_does_not_carry_is_marked_and_blocks_nothing(
    letter_of: Any, text: str, why: str
) -> None:
    letter = letter_of(STAY)
    before = [(one.kind, one.message) for one in letter.now.blocks]
    sentence = letter.add(text)
    assert sentence.support is Support.UNSUPPORTED
    assert sentence.reason.startswith("the clinician's own words: ") and why in sentence.reason
    assert [(one.kind, one.message) for one in letter.now.blocks] == before


@pytest.mark.parametrize(
    "text",
    [
        "You had appendicitis.",
        "Your pain and vomiting came from your appendix.",
        "Your HbA1c was 6.1.",
        "You had no fever.",
        "Call us if you have chest pain.",
        "You may have a headache tomorrow.",
        "Watch for fever.",
        "A heart attack needs an ambulance.",
        "Bring this letter with you.",
        "Take paracetamol 1 g four times a day.",
        "Your mother has asthma.",
    ],
)
def test_a_clinicians_own_words_that_claim_nothing_else_of_the_patient_have_no_mark(letter_of: Any, text: str) -> None:
    sentence = letter_of(STAY).add(text)
    assert (sentence.support, sentence.reason) == (Support.NOT_SCORED, "the clinician's own words")


def test_what_a_clinician_confirmed_is_not_lacking(letter_of: Any) -> None:
    letter = letter_of("Allergies: none\nChief Complaint: cough\nHPI: 50F with cough, fever and green sputum.")
    assert letter.add("You have pneumonia.").support is Support.UNSUPPORTED
    letter.do(EditKind.CONFIRM_CONDITION, concept_id="LN:pneumonia")
    (sentence,) = [s for s in letter.now.sentences if s.text == "You have pneumonia."]
    assert sentence.support is Support.NOT_SCORED
