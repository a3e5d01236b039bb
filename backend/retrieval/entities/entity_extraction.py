"""Medical entities of a note, each with its category: what a source is looked up by (ClinicalRAG Eq. 1, the MEE agent).

Takes a linked note, and a linked question where there is one beside it; gives entities in the order of how much they
matter. With a model it is the model that names them, and each must stand in the text letter by letter; without one the
dictionary linker does. What the note denies, says of a relative or only supposes, and what the patient reacts to, is never
looked up. It does not know whether an entity is worth looking up.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from typing import Annotated, NamedTuple

from pydantic import Field, ValidationError

from backend.interfaces import Linker
from backend.prompts.asking import Asker
from backend.prompts.evidence_prompts import ENTITIES
from backend.schemas.base import Frozen
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

MOST_ASKED = 64  # entities a model may name
EXCLUDED = frozenset({Assertion.FAMILY, Assertion.HYPOTHETICAL, Assertion.NEGATED})
EXCLUDED_SECTIONS = frozenset({SectionCategory.ALLERGIES, SectionCategory.FAMILY_HISTORY})
FIRST = (
    SectionCategory.CHIEF_COMPLAINT,
    SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
    SectionCategory.ASSESSMENT,
    SectionCategory.UNLABELED,
    SectionCategory.OTHER,
)


class EntityCategory(StrEnum):
    """The categories C of Eq. 1; the paper gives examples and no list."""

    SYMPTOM = "symptom"
    DISEASE = "disease"
    TREATMENT = "treatment"
    TEST = "test"
    DRUG = "drug"
    ANATOMY = "anatomy"


CATEGORIES: Mapping[Category, EntityCategory] = {
    Category.SYMPTOM: EntityCategory.SYMPTOM,
    Category.FINDING: EntityCategory.SYMPTOM,
    Category.PHYSIOLOGY: EntityCategory.SYMPTOM,  # pregnancy
    Category.PHENOMENON: EntityCategory.SYMPTOM,  # trauma, a bite
    Category.DISEASE: EntityCategory.DISEASE,
    Category.ORGANISM: EntityCategory.DISEASE,
    Category.PROCEDURE: EntityCategory.TREATMENT,
    Category.DEVICE: EntityCategory.TREATMENT,
    Category.DIET: EntityCategory.TREATMENT,
    Category.TEST: EntityCategory.TEST,
    Category.DRUG: EntityCategory.DRUG,
    Category.DRUG_CLASS: EntityCategory.DRUG,
    Category.SUBSTANCE: EntityCategory.DRUG,
    Category.ANATOMY: EntityCategory.ANATOMY,
}
"""What the dictionary's categories are as entities; the others (persons, places, occupations …) are none."""


class Entity(NamedTuple):
    """text: as written at start_char of its text. name: what is looked up. concept_id: empty when the graph has none."""

    text: str
    category: EntityCategory
    name: str
    concept_id: str
    start_char: int


class Extracted(NamedTuple):
    """entities: each thing once. made_up: spans of a model that do not stand in the text. excluded: not looked up.

    by: who extracted. fell: what fell back and why, else empty.
    """

    entities: tuple[Entity, ...]
    by: str
    made_up: int = 0
    excluded: int = 0
    fell: str = ""


class WordedEntity(Frozen):
    """An entity as a model names it, before its words are looked for in the note."""

    text: Annotated[str, Field(min_length=1)]
    category: EntityCategory
    status: Assertion


class WordedEntities(Frozen):
    """The reply of the extraction prompt."""

    entities: tuple[WordedEntity, ...]


def extracted(note: LinkedNote, question: LinkedNote | None, linker: Linker, asker: Asker | None) -> Extracted:
    """The entities of the question, then of the note: its complaint and history first."""
    texts = [part for part in (question, note) if part is not None]
    if asker is None:
        return from_dictionary(texts)
    data = {"note": note.note.text, "question": question.note.text if question else ""}
    prompt_values = {"categories": ", ".join(EntityCategory), "statuses": ", ".join(Assertion), "most": MOST_ASKED}
    reply = asker.shaped(ENTITIES, WordedEntities, data, mend=_mended, **prompt_values)
    if reply.value is None:
        return from_dictionary(texts)._replace(fell=f"entities: {reply.reason}, so the dictionary names them")
    fell = f"entities: {reply.reason}" if reply.reason else ""
    return _verified(reply.value.entities, texts, linker, asker.name)._replace(fell=fell)


def from_dictionary(texts: Sequence[LinkedNote]) -> Extracted:
    """The mentions of the texts whose category is one of an entity."""
    found: list[Entity] = []
    excluded = 0
    for text in texts:
        for mention in sorted(text.note.mentions, key=_importance):
            category = CATEGORIES.get(mention.category)
            if category is not None and is_excluded(mention):
                excluded += 1
            elif category is not None:
                found.append(Entity(mention.text, category, mention.name, mention.concept_id, mention.start_char))
    return Extracted(_once(found), "the dictionary", excluded=excluded)


def is_excluded(mention: Mention) -> bool:
    """Whether the note denies it, says it of a relative, supposes it, or names it as an allergen or the reaction to one."""
    return mention.allergen or mention.assertion in EXCLUDED


def _verified(worded: Sequence[WordedEntity], texts: Sequence[LinkedNote], linker: Linker, by: str) -> Extracted:
    """The entities whose words stand in a text, in a place where they may be looked up."""
    found: list[Entity] = []
    made_up = excluded = 0
    for entity in worded:
        places = [(text, start) for text in texts for start in _places(text.note.text, entity.text)]
        allowed = [place for place in places if _allowed(*place, len(entity.text))]
        if not places:
            made_up += 1
        elif entity.status in EXCLUDED or not allowed:
            excluded += 1
        else:
            text, start = allowed[0]
            concept, name = _concept(text, start, entity.text, linker)
            found.append(Entity(entity.text, entity.category, name, concept, start))
    return Extracted(_once(found), by, made_up, excluded)


def _places(text: str, span: str) -> Iterator[int]:
    """Where a span stands in a text as whole words, letter by letter."""
    return (found.start() for found in re.finditer(rf"(?<!\w){re.escape(span)}(?!\w)", text))


def _allowed(text: LinkedNote, start: int, length: int) -> bool:
    """Whether nothing that the linker knows of this place bars it."""
    end = start + length
    if any(s.category in EXCLUDED_SECTIONS and s.start_char < end and start < s.end_char for s in text.note.sections):
        return False
    if any(item.start_char < end and start < item.end_char for item in text.allergies.items):
        return False
    return not any(is_excluded(m) for m in text.note.mentions if m.start_char < end and start < m.end_char)


def _concept(text: LinkedNote, start: int, span: str, linker: Linker) -> tuple[str, str]:
    """Id and name of the concept that exactly this span names: in its place, else by itself; else no id and the span."""
    here = [m for m in text.note.mentions if (m.start_char, m.end_char) == (start, start + len(span))]
    alone = [m for m in linker.link(span).note.mentions if m.text == span] if not here else []
    for mention in here + alone:
        return mention.concept_id, mention.name
    return "", span


def _importance(mention: Mention) -> tuple[int, int]:
    place = FIRST.index(mention.section) if mention.section in FIRST else len(FIRST)
    return place, mention.start_char


def _once(entities: Sequence[Entity]) -> tuple[Entity, ...]:
    """Each concept once, and each name that has none."""
    distinct: dict[str, Entity] = {}
    for entity in entities:
        distinct.setdefault(entity.concept_id or entity.name.lower(), entity)
    return tuple(distinct.values())


def _mended(found: object) -> object:
    """What can be used of a reply: the entries that are whole, without what they have too many."""
    entries = found.get("entities") if isinstance(found, dict) else None
    kept = []
    for entry in entries if isinstance(entries, list) else ():
        try:
            whole = {key: entry[key] for key in WordedEntity.model_fields}
            kept.append(WordedEntity.model_validate(whole).model_dump())
        except (TypeError, KeyError, IndexError, ValidationError):
            continue
    return {"entities": kept}
