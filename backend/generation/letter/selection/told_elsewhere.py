"""Clauses of a note that other parts of the letter tell: lists of medicines, lists of allergies, and lists of what was measured."""

import re
from collections.abc import Sequence

from backend.generation.letter.story_weights import feature_of
from backend.nlp.document.headers import known_header
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import (
    AllergyStatement,
    MedicationCategory,
    MedicationStatement,
    MedicationStatus,
    ObservationStatement,
    PlanStatement,
    ProblemStatement,
    Statement,
)
from backend.schemas.vocabulary import SectionCategory

_BESIDE_A_MEDICINE, _BESIDE_ONE_GIVEN_HERE = 6, 4
"""Words beside its medicines that a line of a list may have."""
_MOSTLY = 0.7
"""Of what was read in a line of a list of medicines, the share that is medicines."""
_BESIDE_A_VALUE = 3
"""Words for each value of a clause that only lists them: "Hemoglobin 9.1, white count 12"."""
BY_ITS_WORDS = 0.9
"""The certainty of a plan that words tell, and not only its section."""


def heads_allergies(text: str, start: int, inside: Sequence[Statement]) -> bool:
    """Whether a clause is the list of allergies, which stands inside another section: "Allergies  lamotrigine (rash)"."""
    first = next((one.spans[0].start_char - start for one in inside if isinstance(one, AllergyStatement)), 0)
    header = known_header(text[: max(0, first)].strip(" :-"))
    return header is not None and header.category is SectionCategory.ALLERGIES


def is_list_entry(text: str, start: int, inside: Sequence[Statement], section: SectionCategory) -> bool:
    """Whether a line only lists a medicine as taken: the table of medicines tells it. A sentence that says more is none."""
    medicines = [one for one in inside if isinstance(one, MedicationStatement)]
    if section is SectionCategory.MEDICATIONS and len(medicines) > 1 and len(medicines) >= _MOSTLY * len(inside):
        words = {word.lower() for word in re.findall(r"[^\W\d_]+", text)}
        # what becomes of one of them may be decided elsewhere
        return words.isdisjoint(word_lists("letter/words_decisions")["order"]) or all(
            one.status is MedicationStatus.ACTIVE and not one.change for one in medicines
        )
    sure = [one for one in inside if isinstance(one, PlanStatement) and one.certainty >= BY_ITS_WORDS]
    others = [one for one in inside if not isinstance(one, MedicationStatement | PlanStatement)]
    left = text
    for span in (span for one in medicines for span in one.spans if start <= span.start_char < start + len(text)):
        left = left.replace(span.text, " ", 1)
    here = any(one.category is MedicationCategory.INPATIENT for one in medicines)
    return (
        bool(medicines)
        and len(re.findall(r"[^\W\d_]{2,}", left)) <= (_BESIDE_ONE_GIVEN_HERE if here else _BESIDE_A_MEDICINE)
        and not sure
        and not others
        and all(one.status is MedicationStatus.ACTIVE and not one.change for one in medicines)
    )


def is_values(inside: Sequence[Statement], words: Sequence[str]) -> bool:
    """Whether a clause only lists what was measured: the letter tells the values that were not normal, with what they mean."""
    values = [one for one in inside if isinstance(one, ObservationStatement)]
    rated = {span.start_char for one in values for span in one.spans}
    held = (
        one
        for one in inside
        if one not in values
        and feature_of(one) != "problem:denied"
        and not (isinstance(one, ProblemStatement) and {one.spans[0].start_char, one.spans[0].end_char + 1} & rated)
    )  # "pain 3/10" is what the value is of
    others = [one for one in held if any(c.isalpha() for c in one.spans[0].text)]
    return bool(values) and not others and len(words) <= _BESIDE_A_VALUE * len(values)
