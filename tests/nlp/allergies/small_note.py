"""A note beside a dictionary of a few names, so that a part of the reader of allergies can be asked by itself."""

from typing import NamedTuple

from backend.nlp.allergies.agents import Agents
from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_wording import Wording, wording
from backend.nlp.document.parsed_note import ParsedNote, parse_note
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.lexicon.matches import Candidate
from backend.schemas.vocabulary import Category

NAMES: dict[str, tuple[str, Category]] = {
    "penicillin": ("penicillin", Category.DRUG_CLASS),
    "amoxicillin": ("amoxicillin", Category.DRUG),
    "amoxil": ("amoxicillin", Category.DRUG),
    "codeine": ("codeine", Category.DRUG),
    "latex": ("latex", Category.ALLERGEN),
    "shellfish": ("shellfish", Category.DIET),
    "contrast dye": ("contrast dye", Category.DRUG),
    "walker": ("walker", Category.DEVICE),
    "hives": ("hives", Category.SYMPTOM),
    "asthma": ("asthma", Category.DISEASE),
    "chest x-ray": ("chest x-ray", Category.TEST),
}
"""What each name says, and of which category."""


class SmallNote(NamedTuple):
    """A parsed note with what the readers of allergies take of it."""

    note: ParsedNote
    wording: Wording
    allergens: Allergens
    agents: Agents

    @property
    def words(self) -> list[str]:
        return self.wording.words

    def triggers(self) -> list[FoundTrigger]:
        return list(self.wording.triggers)

    def said(self, first: int, last: int) -> str:
        return self.note.written(first, last)


def lookup(phrase: str) -> Candidate | None:
    """The concept of a name; nothing else is known."""
    found = NAMES.get(phrase.strip().lower())
    return Candidate(f"S:{found[0]}", found[0], "CHEM", found[1].value, 1.0, "a name") if found else None


def small_note(text: str) -> SmallNote:
    """A note in which no mention is marked, so that every word is asked for."""
    note, allergens = parse_note(text), Allergens(lookup)
    words = wording(note)
    return SmallNote(note, words, allergens, Agents(note, words, (), allergens))
