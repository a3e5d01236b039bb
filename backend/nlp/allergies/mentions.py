"""What allergies mean for the mentions of a note: which name an allergen or its reaction, and which ills are a past reaction's."""

import re
from collections.abc import Sequence

from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.course.courses import course
from backend.schemas.drafts.note import Allergies, AllergyItem, Mention, PossibleAllergy
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

_REACTION_NEAR = 12
"""Characters between an allergy and its reaction: brackets and arrows."""
_NEAR = 80
"""Characters between what is possibly an allergen and its effect."""
_AGAIN = 12
"""Words between "allergic to" and a name."""
_ENDS = re.compile(r"\n|[.!?](?:\s|$)")
_ILLS = frozenset((Category.SYMPTOM, Category.DISEASE, Category.FINDING))


def with_allergies(note: ParsedNote, mentions: Sequence[Mention], allergies: Allergies) -> tuple[Mention, ...]:
    """The mentions in order: allergens and reactions marked, ills of a reaction of the past historical."""
    listed = {item.concept_id for item in allergies.items if item.concept_id}
    if not listed and not allergies.items and not allergies.possible:
        return tuple(mentions)
    past = _past(note, allergies)
    agents = [item.end_char for item in allergies.items]
    agents += [mention.end_char for mention in mentions if mention.concept_id in listed]
    found = []
    for mention in mentions:
        marked = _as_past(mention, past)
        if (
            any(_of_allergy(mention, item) for item in allergies.items)
            or (mention.concept_id in listed and _called_allergy(note, mention))
            or _is_listed_reaction(note, mention, agents)
        ):
            marked = marked.model_copy(update={"allergen": True})
        found.append(marked)
    return tuple(found)


def _of_allergy(mention: Mention, item: AllergyItem) -> bool:
    if item.start_char <= mention.start_char and mention.end_char <= item.end_char:
        return True
    near = abs(mention.start_char - item.end_char) <= len(item.reaction) + _REACTION_NEAR
    return bool(item.reaction) and near and mention.text.lower() in item.reaction.lower()


def _is_listed_reaction(note: ParsedNote, mention: Mention, agents: Sequence[int]) -> bool:
    """Whether an ill stands behind an agent in its line of a list: a second reaction, or that of an agent named once more.

    Args:
        note: the parsed note.
        mention: of the note.
        agents: where the names of what the patient reacts to end, wherever they stand.
    """
    section = note.section_at(mention.start_char)
    if (
        section is None
        or section.category is not SectionCategory.ALLERGIES
        or mention.assertion is not Assertion.PRESENT
    ):
        return False
    if mention.category not in _ILLS or course(mention.name.lower()) == "chronic":
        return False
    last = max((end for end in agents if end <= mention.start_char), default=None)
    return last is not None and not _ENDS.search(note.text[last : mention.start_char])


def _called_allergy(note: ParsedNote, mention: Mention) -> bool:
    """Whether words beside a name call it an allergy: "cephalexin, as she is penicillin allergic"; no "given penicillin"."""
    first, last = note.token_range(mention.start_char, mention.end_char)
    table = phrases("lists")
    after = [word for word in note.words[last : last + 2] if word != "-"]
    if after and "called" in table.of(after[0]):
        return True
    for i in range(first - 1, max(0, first - _AGAIN), -1):
        word = note.words[i]
        if word in (".", ";", "\n", ":") or "given" in table.of(word):
            return False
        if "called" in table.of(word) and i + 1 < first and note.words[i + 1] in ("to", "of"):
            return True
    return False


def _past(note: ParsedNote, allergies: Allergies) -> list[tuple[int, int, int, int, str, str | None]]:
    """Of each allergy told as of the past: its place, its sentence, the words that say so, and its reaction where listed."""
    table = phrases("relations")
    found = []
    every: list[PossibleAllergy | AllergyItem] = [*allergies.possible, *allergies.items]
    for one in every:
        at = note.sentence_at(one.start_char)
        if at is None:
            continue
        sentence = note.sentences[at]
        marks = table.found(list(note.words), sentence.first, sentence.last)
        past = next((m for m in marks if "past" in m.kinds), None)
        if past and not any("today" in m.kinds for m in marks):
            reaction = one.reaction if isinstance(one, AllergyItem) else None
            cue = note.written(past.first, past.last)
            found.append((one.start_char, one.end_char, sentence.start_char, sentence.end_char, cue, reaction))
    return found


def _as_past(mention: Mention, past: Sequence[tuple[int, int, int, int, str, str | None]]) -> Mention:
    if mention.assertion is not Assertion.PRESENT or mention.category not in _ILLS:
        return mention
    for start, end, left, right, cue, reaction in past:
        apart = max(mention.start_char - end, start - mention.end_char)
        near = left <= mention.start_char < right and apart <= _NEAR
        if near and (reaction is None or mention.text.lower() in reaction.lower()):
            return mention.model_copy(update={"assertion": Assertion.HISTORICAL, "assertion_cue": cue})
    return mention
