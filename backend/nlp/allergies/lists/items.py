"""What is read as an allergy, and the items that the page shows of it: each thing once, with its concept, kind and reaction."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import phrases
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import plain_marks
from backend.nlp.lexicon.matches import Candidate
from backend.schemas.drafts.note import AllergyItem
from backend.schemas.vocabulary import AllergyKind, Category, SectionCategory


class Entry(NamedTuple):
    """What the patient reacts to, over tokens first to last, last left out, and the code points that tell the reaction.

    said: further words that bear on the kind. rule_id: the row or grammar that read it. doubted: the note asks whether it is one, or
    names another cause. against: the tokens that deny this one alone.
    """

    first: int
    last: int
    reaction: str = ""
    said: str = ""
    rule_id: str = ""
    doubted: bool = False
    against: tuple[tuple[int, int], ...] = ()


def allergy_items(note: ParsedNote, entries: Sequence[Entry], allergens: Allergens) -> tuple[AllergyItem, ...]:
    """The items of a note, in order of place, each thing once."""
    items: list[AllergyItem] = []
    held: dict[str, int] = {}
    for one in entries:
        said = note.written(one.first, one.last)
        concept = allergens.concept(said) or allergens.within(said)
        if not _is_agent(note, one, said, concept):
            continue
        item = AllergyItem(
            text=said,
            start_char=note.tokens.starts[one.first],
            end_char=note.tokens.ends[one.last - 1],
            concept_id=concept.concept_id if concept else None,
            name=concept.name if concept else "",
            kind=reaction_kind(one.said, one.reaction),
            reaction=" ".join(_paired(one.reaction).strip(" ,.;:-").split()),
            checked=concept is not None,
        )
        # Pork and beef may be one concept of the graph; a brand and its medicine are one thing indeed.
        same = concept is not None and concept.category in (Category.DRUG, Category.DRUG_CLASS)
        key = concept.concept_id if concept and same else said.lower()
        if key not in held:
            held[key] = len(items)
            items.append(item)
        elif item.reaction and not items[held[key]].reaction:
            items[held[key]] = items[held[key]].model_copy(update={"reaction": item.reaction, "kind": item.kind})
    return tuple(sorted(items, key=lambda item: item.start_char))


def _is_agent(note: ParsedNote, one: Entry, said: str, concept: Candidate | None) -> bool:
    """Whether an entry names a thing: no mark of a form, no word that points elsewhere, no header of another section."""
    start = note.tokens.starts[one.first]
    if any(s.start_char <= start < s.body_char and s.category is not SectionCategory.ALLERGIES for s in note.sections):
        return False  # "REACTION TO HOSPITALIZATION: The patient is unresponsive."
    if concept is not None:
        may_not = one.rule_id.rpartition("/")[2].startswith("barred")
        return concept.category != Category.DEVICE or not may_not  # "unable to use a walker"
    words = re.findall(r"[^\W\d_]{2,}", said.lower())
    if words and words[0] in _SIDES:
        return False  # where the reaction was: "ciprofloxacin, tendon rupture, left Achilles"
    return any(_POINTS.isdisjoint(phrases("lists").of(word)) for word in words)


def reaction_kind(said: str, reaction: str) -> AllergyKind:
    """Allergy, unless the words (`said`) or the reaction speak of an intolerance and of no allergic reaction."""
    kinds = _kinds(reaction)
    if "severe" in kinds or any("allergic" in one and "weak" not in one for one in _each(reaction)):
        return AllergyKind.ALLERGY
    if "intolerant" in kinds or "intolerance" in _kinds(said):
        return AllergyKind.INTOLERANCE
    return AllergyKind.ALLERGY


def is_severe(reaction: str) -> bool:
    """Whether a reaction is one that outweighs whatever speaks against it: "anaphylaxis"."""
    return "severe" in _kinds(reaction)


def _each(words: str) -> list[frozenset[str]]:
    found, table = list(plain_marks(tokens(words).words)), phrases("lists")
    return [*map(table.of, found), *(mark.kinds for mark in table.found(found, 0, len(found)))]


def _kinds(words: str) -> frozenset[str]:
    return frozenset().union(*_each(words))


def _paired(reaction: str) -> str:
    """A reaction without quotation marks and brackets that have lost their other half."""
    for left, right in _PAIRS:
        if reaction.count(left) % 2 if left == right else reaction.count(left) != reaction.count(right):
            reaction = reaction.replace(left, "").replace(right, "")
    return reaction


_SIDES = frozenset(("left", "right"))
_POINTS = frozenset(("elsewhere", "noise", "vague"))
_PAIRS = (('"', '"'), ("\u201c", "\u201d"), ("(", ")"), ("[", "]"))
