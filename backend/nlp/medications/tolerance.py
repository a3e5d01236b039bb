"""Medicines that a note tells as tolerated: "tolerates cephalexin", "took it without any reaction"; and those that are not to be taken.

Takes a linked note, or its record; gives concept ids. It reads one clause at a time and says nothing of a later reaction.
"""

import re
from collections.abc import Iterator

from backend.nlp.medications.medicine_events import CONDITIONAL
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.record import MedicationStatement, MedicationStatus, PatientRecord, VerificationStatus
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})


def tolerated(linked: LinkedNote) -> dict[str, str]:
    """The clause for each medicine or class that the note says was tolerated; empty where it says so of none."""
    text = linked.note.text
    if not _GATE.search(text):
        return {}
    found: dict[str, str] = {}
    for start, end in _clauses(text):
        clause = text[start:end]
        cue = _CUE.search(clause)
        if cue is None or _NOT.search(clause):
            continue
        named = [
            m
            for m in linked.note.mentions
            if start <= m.start_char < end and m.category in MEDICINES and m.assertion is not Assertion.FAMILY
        ]
        for m in _meant(named, start + cue.start(), start + cue.end(), text[start + cue.end() : end]):
            found.setdefault(m.concept_id, " ".join(clause.split()).strip(" .,;:()"))
    return found


def advisable(record: PatientRecord) -> list[MedicationStatement]:
    """The statements of the medicines whose advice is this patient's, whatever the story tells of the others.

    Left out is what the patient reacts to or was told not to take again, unless a list or a decision of this encounter has it all the
    same; and what would begin only if something happens.
    """
    barred = {
        one.concept_id
        for one in record.allergies.items
        if one.concept_id and not one.possible and one.verification_status is not VerificationStatus.REFUTED
    }
    barred -= {one.concept_id for one in record.medications if _is_decided(one)}
    begun = {one.concept_id for one in record.medications if CONDITIONAL not in one.rule_ids}
    barred |= {one.concept_id for one in record.medications if one.concept_id and _would_begin(one)} - begun
    return [one for one in record.medications if one.concept_id not in barred]


def _is_decided(one: MedicationStatement) -> bool:
    listed = one.section is SectionCategory.MEDICATIONS or one.decided or bool(one.change)
    return listed or one.status is MedicationStatus.INTENDED


def _would_begin(one: MedicationStatement) -> bool:
    return one.status is MedicationStatus.INTENDED and one.section is not SectionCategory.MEDICATIONS


def _meant(named: list[Mention], start: int, end: int, rest: str) -> list[Mention]:
    """What stands behind "tolerates", else the nearest name before it, unless something else is what was tolerated."""
    after = [m for m in named if m.start_char >= end]
    if after:
        return after
    before = [m for m in named if m.end_char <= start]
    return before[-1:] if _ENDS.match(rest) else []


def _clauses(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for border in _BORDER.finditer(text):
        yield start, border.start()
        start = border.end()
    yield start, len(text)


_GATE = re.compile(r"tolerat|without|no reaction|no problem", re.IGNORECASE)
_BORDER = re.compile(r"[.;\n](?!\d)|\b(?:but|although|however|though)\b", re.IGNORECASE)
_CUE = re.compile(
    r"\btolerat(?:es?|ed|ing)\b|\bwithout (?:an? |any )?(?:allergic |adverse )?(?:reactions?|problems?|issues?|trouble|difficulty|incident)\b"
    r"|\bno (?:allergic |adverse )?(?:reactions?|problems?) (?:to|with|on|from)\b",
    re.IGNORECASE,
)
_NOT = re.compile(
    r"\bintoleran|\b(?:not|never|n't|unable to|could ?n.t|cannot|can't|no longer|barely|poorly|hardly) (?:\w+ )?tolerat|tolerat\w+ (?:\w+ )?(?:poorly|badly)"
    r"|\b(?:as|if|until|when|to) tolerat|\b(?:mother|father|sister|brother|son|daughter)\b|\b(?:if|whether|could|may|might|would|should)\b",
    re.IGNORECASE,
)
_ENDS = re.compile(
    r"\s*(?:$|[,)]|well\b|fine\b|before\b|in the past\b|in (?:19|20)\d\d\b|last\b|since\b|twice\b|recently\b|previously\b|without\b|then\b|this\b)",
    re.IGNORECASE,
)
