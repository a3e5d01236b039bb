"""Medicines that go on though the note has them as the cause of what the patient has now: "hyponatremia due to indapamide"."""

import re
from collections.abc import Iterator
from itertools import pairwise

from backend.nlp.medications.medicine_events import SCORED
from backend.nlp.medications.merged_statements import WEAK
from backend.nlp.rules.word_lists import word_lists
from backend.registry import safety_check
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Assertion, Category, Severity
from backend.verification.safety.checks import CheckedDraft, make_flag
from backend.verification.safety.medicines.contraindication_flags import KIND
from backend.verification.safety.medicines.named_medicines import MEDICINES, Medicine

_PROBLEMS = frozenset({Category.DISEASE, Category.SYMPTOM, Category.FINDING})
_WORD = re.compile(r"[a-z]+|[^a-z\s,-]")
_FARTHEST = 60
"""Code points between a problem and a medicine."""
_LESS = "decreased"


@safety_check("blamed_medicines", label="Medicines with the blame", order=45)
def blamed_medicines(draft: CheckedDraft) -> Iterator[Flag]:
    """Yield a warning for each medicine that goes on and is the cause of a problem of today, where no row of safety speaks of the two."""
    known = draft.known.contraindications
    for problem, blamed in _blamed(draft.linked):
        if problem.concept_id not in draft.state.present:
            continue
        for medicine in draft.medicines:
            kinds = known.with_classes(medicine.concept_id)
            if blamed.concept_id not in kinds or not _goes_on(medicine):
                continue
            against = known.against(medicine.concept_id, draft.state, medicine.dosages, medicine.reasons)
            ways = {problem.concept_id, *known.with_classes(problem.concept_id)}
            told = any(why.verdict.holds and why.row.condition in ways for why in against)
            if told or not draft.state.allergens.isdisjoint(kinds):
                continue
            yield make_flag(
                KIND,
                f"{medicine.name} in {medicine.where} goes on, and the note has it as the cause of {problem.name}: stop it, or say why it goes on.",
                severity=Severity.WARNING,
                evidence=(medicine.text, problem.text),
                medicine=medicine.name,
            )


def _goes_on(medicine: Medicine) -> bool:
    """Whether it is told as taken, and no lower dose answers the harm; what only the blame names may be over."""
    said = [one.statement for one in medicine.listed]
    told = any(one.dosage.text or (one.certainty > WEAK and SCORED not in one.rule_ids) for one in said)
    return medicine.taken and not medicine.works_less and told and all(one.change != _LESS for one in said)


def _blamed(linked: LinkedNote) -> Iterator[tuple[Mention, Mention]]:
    """The problems that are there with the medicine that the note blames, each pair of concepts once."""
    places = sorted(
        (m for m in linked.note.mentions if not m.allergen and m.category in _PROBLEMS | MEDICINES),
        key=lambda m: m.start_char,
    )
    words, seen = word_lists("safety/words_blame"), set[tuple[str, str]]()
    for first, second in pairwise(places):
        pair = (first, second) if first.category in _PROBLEMS else (second, first)
        problem, medicine = pair
        if problem.category not in _PROBLEMS or medicine.category not in MEDICINES:
            continue
        said = _WORD.findall(linked.note.text[first.end_char : second.start_char].lower())
        blames = words["by" if problem is first else "brings"]
        near = second.start_char - first.end_char <= _FARTHEST
        if not near or problem.assertion is not Assertion.PRESENT or blames.isdisjoint(said):
            continue
        key = problem.concept_id, medicine.concept_id
        if key not in seen and (blames | words["beside"]).issuperset(said):
            seen.add(key)
            yield problem, medicine
