"""Every demonstration case end to end: what a clinician expects, and what no draft may ever do.

Expectations stand in assets/cases and were written from clinical judgement. Where the program does not meet one yet,
known_defects.tsv names it with the reason; a line whose defect is gone must go as well.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

from backend.container import Container
from backend.generation.standing.crisis_line import DOCUMENT as CRISIS_LINE
from backend.generation.standing.crisis_line import crisis_lines
from backend.generation.standing.general_warnings import DOCUMENT as GENERAL_WARNINGS
from backend.generation.standing.general_warnings import general_warnings
from backend.pipeline.finishing import evidence_ids
from backend.registry import FLAG_KINDS
from backend.schemas.drafts.draft import Draft, Sentence
from backend.schemas.drafts.medicines import MedicineAction
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.vocabulary import (
    AllergyStatus,
    Assertion,
    Basis,
    Category,
    ConditionStatus,
    Document,
    DraftStatus,
    Support,
)
from backend.systems import SYSTEMS

Drafted = Callable[..., Draft]
HOME = Document.DISCHARGE_INSTRUCTIONS
HARDEST_GRADE = 7.0
LEAST_SUPPORTED = 0.9
MEDICINES = (Category.DRUG, Category.DRUG_CLASS)
DOSE = re.compile(r"\b\d[\d,.]*\s?(?:mg|mcg|µg|g|units?|ml|tablets?|pills?|puffs?|drops?)\b", re.I)
COMMAND = re.compile(
    r"(?:^|[,;:]\s|\b(?:and|or|then|should|must|please)\s)(?:do not |don't |never |always )?"
    r"(?:take(?! care| part| turns)|start(?! dates?)|stop|skip|double|increase|decrease|reduce|halve|quit)\s+"
    r"(?P<what>[^,;:.]*)",
    re.I,
)
OWN_CHOICE = re.compile(
    r"\b(?:ask|tell|call|check with|talk|on your own|unless|until|before|without|while you|only (?:as|if|when)|as (?:your|the)|if your|"
    r"(?:team|doctor|pharmacist) (?:says|may|tells|decides|asks|will))\b",
    re.I,
)
MEDICINE_WORD = re.compile(r"\b(medicines?|medications?|pills?|tablets?|doses?|insulin|drugs?)\b", re.I)
GAP = "[team to complete: "


class Miss(NamedTuple):
    case: str
    field: str
    item: str


@cache
def known_defects() -> dict[Miss, str]:
    lines = (Path(__file__).parent / "known_defects.tsv").read_text().splitlines()
    rows = [line.split("\t") for line in lines if line and not line.startswith("#")]
    return {Miss(case, field, item): reason for case, field, item, reason in rows}


def misses(case: DemonstrationCase, draft: Draft) -> Iterator[Miss]:
    """Everything a clinician expects of the case that the draft does not have."""
    wanted = case.expected
    said: dict[str, set[str]] = {}
    for mention in draft.note.mentions:
        said.setdefault(mention.concept_id, set()).add(mention.assertion.value)
    for field in ("present", "negated", "historical", "family"):
        for concept in getattr(wanted, field):
            if field not in said.get(concept, set()):
                yield Miss(case.name, field, concept)
    if draft.allergies.status != wanted.allergy_status:
        yield Miss(case.name, "allergy_status", wanted.allergy_status)
    listed = [item.text.lower() for item in draft.allergies.items]
    for text in wanted.allergies:
        if not any(text.lower() in item or item in text.lower() for item in listed):
            yield Miss(case.name, "allergies", text)
    expected = [text.lower() for text in wanted.allergies]
    for item in listed:
        if not any(text in item or item in text for text in expected):
            yield Miss(case.name, "no_allergy", item)
    ranked = {condition.concept_id for condition in draft.conditions}
    yield from (Miss(case.name, "conditions", c) for c in wanted.conditions if c not in ranked)
    raised = {flag.kind for flag in draft.flags}
    yield from (Miss(case.name, "flags", kind) for kind in wanted.flags if kind not in raised)
    yield from (Miss(case.name, "absent_flags", kind) for kind in wanted.absent_flags if kind in raised)
    text = draft.text.lower()
    yield from (Miss(case.name, "words", words) for words in wanted.words if words.lower() not in text)
    yield from (Miss(case.name, "forbidden", words) for words in wanted.forbidden if words.lower() in text)


def known_or_fail(found: list[Miss], more: object = "") -> None:
    """Fail for what is not known; else the test is expected to fail, for the reasons of the list."""
    known = known_defects()
    assert [miss for miss in found if miss not in known] == [], more
    if found:
        pytest.xfail("; ".join(sorted({known[miss] for miss in found})))


def test_there_are_enough_cases_of_many_kinds() -> None:
    from_disk = {path.stem for path in (Path(__file__).parents[2] / "assets" / "cases").glob("*.json")}
    assert len(from_disk) >= 18


def test_a_case_is_well_formed(case: DemonstrationCase, container: Container) -> None:
    assert 50 <= len(case.text.split()) <= 900
    assert case.label
    assert case.about
    wanted = case.expected
    named = (*wanted.present, *wanted.negated, *wanted.historical, *wanted.family, *wanted.conditions)
    assert [concept for concept in named if concept not in container.graph.index] == []
    assert all(text.lower() in case.text.lower() for text in wanted.allergies)
    assert wanted.allergy_status in set(AllergyStatus)
    assert {*wanted.flags, *wanted.absent_flags} <= set(FLAG_KINDS.names())
    assert not set(wanted.flags) & set(wanted.absent_flags)


def test_a_clinician_finds_what_is_expected(case: DemonstrationCase, drafted: Drafted) -> None:
    known_or_fail(list(misses(case, drafted(case))))


def test_every_known_defect_still_is_one(cases: list[DemonstrationCase], drafted: Drafted) -> None:
    still = {miss for case in cases for miss in misses(case, drafted(case))}
    others = ("supported", "orders", "grade")  # those are looked for by tests of their own
    gone = [miss for miss in known_defects() if miss not in still and miss.field not in others]
    if gone:
        lines = "\n".join("\t".join(miss) for miss in gone)
        pytest.fail(f"mended: take these lines out of tests/cases/known_defects.tsv\n{lines}", pytrace=False)


@pytest.mark.parametrize("document", list(Document))
def test_every_offset_is_exact(
    case: DemonstrationCase, drafted: Drafted, document: Document, chapters: dict[str, str]
) -> None:
    draft = drafted(case, document)
    assert draft.note.text == case.text
    for span in (*draft.note.mentions, *draft.allergies.items):
        assert case.text[span.start_char : span.end_char] == span.text
    for section in draft.note.sections:
        assert 0 <= section.start_char <= section.body_char <= section.end_char <= len(case.text)
    assert [draft.text[s.start_char : s.end_char] for s in draft.sentences] == [s.text for s in draft.sentences]
    chapters = chapters | {f"{CRISIS_LINE}{whom}": " ".join(crisis_lines(whom)) for whom in ("adult", "child")}
    for passage in draft.evidence.passages:
        if passage.document_id == GENERAL_WARNINGS:  # those of the sentences that are for what the patient has
            assert passage.text == " ".join(one for one in general_warnings() if one in passage.text)
            continue
        assert chapters[passage.document_id][passage.start_char : passage.end_char] == passage.text
    for piece in draft.evidence.notes:
        if piece.note_type == "Pasted note":
            assert case.text[piece.start_char : piece.end_char] == piece.text


@pytest.mark.parametrize("document", list(Document))
def test_every_citation_exists_and_the_patient_s_sentences_cite_the_notes(
    case: DemonstrationCase, drafted: Drafted, document: Document
) -> None:
    draft = drafted(case, document)
    known = evidence_ids(draft.evidence)
    notes = {piece.id for piece in draft.evidence.notes}
    assert draft.removed_citations == 0
    assert draft.sentences
    assert len({*known}) == sum(
        len(group)
        for group in (draft.evidence.paths, draft.evidence.graph, draft.evidence.passages, draft.evidence.notes)
    )
    for sentence in draft.sentences:
        assert set(sentence.citations) <= known
        if sentence.basis == Basis.PATIENT:
            assert set(sentence.citations) & notes, sentence.text


@pytest.mark.parametrize("document", list(Document))
def test_nine_of_ten_scored_sentences_are_supported(
    case: DemonstrationCase, drafted: Drafted, document: Document
) -> None:
    scored = [s for s in drafted(case, document).sentences if s.support != Support.NOT_SCORED]
    supported = [s for s in scored if s.support == Support.SUPPORTED]
    rest = [(s.text, s.reason) for s in scored if s.support != Support.SUPPORTED]
    if document == Document.CLINICAL_ANSWER and not scored:
        return
    if len(supported) < LEAST_SUPPORTED * len(scored):
        known_or_fail([Miss(case.name, "supported", document.value)], rest)
    assert all(0.0 <= (s.support_score or 0.0) <= 1.0 for s in scored)


def test_a_patient_can_read_it(case: DemonstrationCase, drafted: Drafted) -> None:
    draft = drafted(case)
    measured = draft.readability
    assert measured.fkgl is not None
    # of a note that names no condition of today the letter tells its story alone
    assert measured.words >= (100 if any(c.written for c in draft.conditions) else 30)
    miss = Miss(case.name, "grade", Document.DISCHARGE_INSTRUCTIONS.value)
    if measured.fkgl > HARDEST_GRADE:
        known_or_fail([miss], measured.fkgl)
    assert miss not in known_defects(), "mended: take its line out of tests/cases/known_defects.tsv"


def test_no_sentence_starts_stops_or_doses_a_medicine(
    case: DemonstrationCase, drafted: Drafted, container: Container
) -> None:
    orders = [s.text for s in drafted(case).sentences if s.basis != Basis.PATIENT and directs(s, container)]
    known_or_fail([Miss(case.name, "orders", text) for text in orders])


def directs(sentence: Sentence, container: Container) -> bool:
    """Whether a sentence that is not the patient's own note gives an amount or an order about a medicine."""
    medicines = [m for m in container.linker.link(sentence.text).note.mentions if m.category in MEDICINES]
    if medicines and DOSE.search(sentence.text):
        return True
    if OWN_CHOICE.search(sentence.text):
        return False
    for order in COMMAND.finditer(sentence.text):
        if re.search(r"\bback\b", order["what"]):  # leftover pills, to the pharmacy
            continue
        inside = range(order.start("what"), order.end("what"))
        if MEDICINE_WORD.search(order["what"]) or any(m.start_char in inside for m in medicines):
            return True
    return False


@pytest.mark.parametrize(
    ("text", "wanted"),
    [
        ("Take ibuprofen for the pain.", True),
        ("You should stop your water pills.", True),
        ("Never skip your insulin.", True),
        ("Heart failure is treated with furosemide 40 mg.", True),
        ("Ask your team before you take ibuprofen.", False),
        ("Do not take ibuprofen on your own with a blood thinner.", False),
        ("Do not stop your blood thinner unless your doctor says so.", False),
        ("Take a walk each day.", False),
        ("Your team may give water pills.", False),
        ("Drink 2 liters of water.", False),
    ],
)
def test_the_test_itself_knows_an_order_when_it_sees_one(container: Container, text: str, wanted: bool) -> None:
    sentence = Sentence(text=text, section="s", start_char=0, end_char=len(text), basis=Basis.GENERAL)
    assert directs(sentence, container) is wanted


CONFLICTS = {
    "heart-failure-ace-angioedema": "sacubitril-valsartan",
    "pneumonia-penicillin-amoxicillin": "amoxicillin-clavulanate",
    "thunderclap-headache": "iodinated contrast",
    "hip-fracture-latex-sulfa": "celecoxib",
    "drug-rash-lamotrigine": "lamotrigine",
    "cellulitis-injected-instruction": "cefadroxil",
    "pulmonary-embolism-hit": "enoxaparin",
    "giant-cell-arteritis": "aspirin",
}


def test_every_allergy_conflict_a_pharmacist_would_see_is_flagged(case: DemonstrationCase, drafted: Drafted) -> None:
    named = [f.message for f in drafted(case).flags if f.kind == "allergy_conflict"]
    medicine = CONFLICTS.get(case.name)
    if medicine is None:
        return
    assert any(message.startswith(medicine) for message in named), named


def test_general_text_names_nothing_an_allergy_reaches(
    case: DemonstrationCase, drafted: Drafted, container: Container
) -> None:
    draft = drafted(case)
    blocked = {c for item in draft.allergies.items if item.concept_id for c in container.reach.reached(item.concept_id)}
    for sentence in draft.sentences:
        if sentence.basis != Basis.PATIENT:
            named = {m.concept_id for m in container.linker.link(sentence.text).note.mentions}
            assert not named & blocked, sentence.text


def test_nothing_denied_or_of_the_family_is_told_as_the_patient_s(
    case: DemonstrationCase, drafted: Drafted, container: Container
) -> None:
    """By the case's own expectations, not by what the linker made of the note."""
    wanted = case.expected
    theirs = {*wanted.present, *wanted.historical}
    others = {c for c in (*wanted.negated, *wanted.family) if c not in theirs}
    for sentence in drafted(case).sentences:
        if sentence.basis == Basis.PATIENT and sentence.section == "Why you came":
            stated = {
                m.concept_id
                for m in container.linker.link(sentence.text).note.mentions
                if m.assertion == Assertion.PRESENT
            }
            assert not stated & others, sentence.text


def test_no_document_is_about_a_condition_that_was_ruled_out(case: DemonstrationCase, drafted: Drafted) -> None:
    wanted = case.expected
    absent = {*wanted.negated, *wanted.family} - {*wanted.present, *wanted.historical, *wanted.conditions}
    assert [c.name for c in drafted(case).conditions if c.focus and c.concept_id in absent] == []


def test_all_gaps_are_visible_and_counted(case: DemonstrationCase, drafted: Drafted) -> None:
    draft = drafted(case)
    gaps = [s for s in draft.sentences if GAP in s.text]
    assert all(s.support == Support.NOT_SCORED and s.support_score is None for s in gaps)
    assert draft.text.count(GAP) == len(gaps)
    assert [gap.prompt for gap in draft.gaps] == [s.text.partition(GAP)[2].strip(": ]") for s in gaps]
    sections = {s.section for s in gaps}
    assert "Follow-up" in sections
    of_medicines = [s.text for s in gaps if s.section == "Your medicines"]
    assert of_medicines or case.discharge_medicines
    undecided = [row.name for row in draft.medicines if row.action is MedicineAction.UNDECIDED]
    assert not case.discharge_medicines or all(
        any(name.lower() in text.lower() for name in undecided) for text in of_medicines
    )
    assert not (case.hospital_course and "What was found and done" in sections)
    silent = draft.allergies.status in (AllergyStatus.NOT_STATED, AllergyStatus.UNREADABLE)
    assert any("allergies" in s.text for s in gaps) is silent
    (flag,) = [f for f in draft.flags if f.kind == "gap"]
    assert flag.message.startswith(f"{len(gaps)} ")


def test_what_is_not_confirmed_is_marked(case: DemonstrationCase, drafted: Drafted) -> None:
    draft = drafted(case)
    status = {c.concept_id: c.status for c in draft.conditions}
    for condition in draft.conditions:
        if condition.concept_id in case.confirmed_conditions:
            assert condition.status is ConditionStatus.CONFIRMED
        else:
            assert condition.status in (ConditionStatus.POSSIBLE, ConditionStatus.IN_NOTE)
    written = {c.concept_id for c in draft.conditions if c.written}
    for sentence in draft.sentences:
        if sentence.condition_id:
            assert sentence.condition_id in written
            guess = status[sentence.condition_id] is ConditionStatus.POSSIBLE
            assert sentence.basis is (Basis.POSSIBLE if guess else Basis.GENERAL)


@pytest.mark.parametrize("document", list(Document))
def test_the_same_seed_writes_the_same_draft(
    case: DemonstrationCase,
    drafted: Drafted,
    container: Container,
    case_request: Callable[..., DraftRequest],
    document: Document,
) -> None:
    again = container.pipeline("leapnote").run(case_request(case, document))
    changing = {"id", "stages", "timings_ms"}
    assert again.model_dump(exclude=changing) == drafted(case, document).model_dump(exclude=changing)


@pytest.mark.parametrize("system", [entry.name for entry in SYSTEMS])
@pytest.mark.parametrize("place", range(6))
def test_every_system_runs(
    cases: list[DemonstrationCase],
    container: Container,
    case_request: Callable[..., DraftRequest],
    system: str,
    place: int,
) -> None:
    case = cases[place * len(cases) // 6]
    draft = container.pipeline(system).run(case_request(case, HOME, system))
    assert draft.system == system
    assert draft.status == DraftStatus.COMPLETE
    assert {s for sentence in draft.sentences for s in sentence.citations} <= evidence_ids(draft.evidence)
    if system == "no-retrieval":
        assert (draft.conditions, draft.evidence.paths, draft.evidence.passages, draft.evidence.graph) == (
            (),
            (),
            (),
            (),
        )
    if system in ("random1hop", "sim1hop", "drknows"):
        assert draft.evidence.paths
        assert draft.evidence.passages == ()
    if case.name in CONFLICTS:  # safety does not depend on retrieval
        assert "allergy_conflict" in {flag.kind for flag in draft.flags}
