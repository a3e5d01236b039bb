"""Studies with contrast, planned or done now, as what is given in them: a CT pulmonary angiogram gives iodinated contrast.

Takes a note with its record; gives medicines for the checks. Which study brings which contrast, says
assets/rules/safety/contrast_studies.tsv. A study that the note has without contrast, or of the past, gives none.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from backend.knowledge.starter import concept_id
from backend.nlp.rules import RULES, rule_rows
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.record import ProcedureStatement, ProcedureStatus
from backend.schemas.vocabulary import Assertion
from backend.verification.safety.medicines.named_medicines import NOT_NOW, NOTE, Medicine

_CONTRAST = frozenset(map(concept_id, ("contrast medium", "iodinated contrast", "gadolinium-based contrast")))
_NOW = frozenset({ProcedureStatus.PLANNED, ProcedureStatus.DONE_NOW})
_STOP = re.compile(r"[.;\n]")
_WORD = re.compile(r"[a-z]+(?:-[a-z]+)?")
_BEFORE = 5
"""Words before a study that may say that it is done without contrast, or not at all."""


class Brings(NamedTuple):
    """A word of a study's name, the contrast that it brings with its name, and whether it always does."""

    word: str
    contrast: str
    name: str
    always: bool


def contrast_given(linked: LinkedNote) -> Iterator[Medicine]:
    """The contrast that studies of the note bring, each once."""
    record, seen = linked.record, set[str]()
    refused = {one.concept_id for one in (record.medications if record else ()) if one.status in NOT_NOW}
    for study in record.procedures if record else ():
        row = next((row for row in _rows() if row.word in study.name.split()), None)
        if row is None or study.status not in _NOW or not study.spans:
            continue
        beside = [one for one in linked.note.mentions if one.concept_id in _CONTRAST and _together(linked, study, one)]
        given = [one for one in beside if one.assertion is Assertion.PRESENT and not one.allergen]
        own = {row.contrast, *(one.concept_id for one in given)}
        plain = not word_lists("safety/words_contrast")["without"].isdisjoint(_before(linked, study))
        if not (given or (row.always and not beside)) or plain or not own.isdisjoint(refused) or row.contrast in seen:
            continue
        seen.add(row.contrast)
        text = study.spans[0].text
        yield Medicine(row.contrast, row.name, text, NOTE, taken=True, here=True)


def _together(linked: LinkedNote, study: ProcedureStatement, mention: Mention) -> bool:
    """Whether a contrast is named in the sentence of a study."""
    span = study.spans[0]
    first, last = min(span.end_char, mention.end_char), max(span.start_char, mention.start_char)
    return _STOP.search(linked.note.text[first:last]) is None


def _before(linked: LinkedNote, study: ProcedureStatement) -> list[str]:
    """The words of a study and those right before it in its sentence."""
    span = study.spans[0]
    clause = _STOP.split(linked.note.text[: span.start_char])[-1]
    return _WORD.findall(clause.lower())[-_BEFORE:] + _WORD.findall(span.text.lower())


@lru_cache(maxsize=1)
def _rows() -> tuple[Brings, ...]:
    return tuple(
        Brings(word, concept_id(contrast), contrast, always == "yes")
        for word, contrast, always in rule_rows(RULES / "safety" / "contrast_studies.tsv", 3)
    )
