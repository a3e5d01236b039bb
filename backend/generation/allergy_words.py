"""The patient's allergies, and what else asks for care with every medicine, as a patient reads them, each citing the note.

Takes the material of one draft; gives sentences. What the note calls a thing stays, but for capitals that only shout.
"""

from collections.abc import Iterator
from typing import NamedTuple

from backend.generation.material import Material
from backend.schemas.note import AllergyItem
from backend.schemas.vocabulary import AllergyKind, Assertion, Category

STATES = frozenset({Category.PHYSIOLOGY, Category.FINDING, Category.DISEASE})


class State(NamedTuple):
    """What speaks for care with every medicine: how its concept is named, and what the patient is told."""

    word: str
    text: str


PREGNANT = State("pregnan", "Your note says that you are pregnant, so ask your team before you take any medicine.")
BREASTFEEDING = State(
    "breastfeed", "Your note says that you breastfeed, so ask your team before you take any medicine."
)


def allergy_sentences(material: Material) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Sentences with their citations: the allergies and intolerances in the order of the note, then pregnancy or breastfeeding."""
    for item in material.linked.allergies.items:
        piece = material.piece_at(item.start_char)
        cites: tuple[str, ...] = (piece.id,) if piece else ()
        reaction = f" (reaction: {_reaction(item)})" if item.reaction.strip() else ""
        name = _quiet(item.text, item.name)
        if item.kind == AllergyKind.INTOLERANCE:
            does = "do" if name.lower() == f"{item.name.lower()}s" else "does"
            yield f"Your note says that {name} {does} not agree with you{reaction}.", cites
        else:
            yield f"Your note says that you are allergic to {name}{reaction}.", cites
    states = [PREGNANT] if material.linked.patient.pregnant else []
    for state in (*states, BREASTFEEDING):
        stated = [m for m in material.mentions(Assertion.PRESENT, STATES) if state.word in m.name.lower()]
        if found := material.piece_ids(stated[:1]):
            yield state.text, found


def _quiet(text: str, name: str) -> str:
    """A name in the middle of a sentence: a known substance in its usual spelling, shouted words in small letters."""
    told = text.strip()
    if told.lower() == name.lower():
        return name
    letters = [c for c in told if c.isalpha()]
    return told.lower() if len(letters) > 4 and all(c.isupper() for c in letters) else told


def _reaction(item: AllergyItem) -> str:
    """The reaction without a bracket that opens and never closes."""
    told = item.reaction.strip()
    while told.count("(") > told.count(")"):
        place = told.rindex("(")
        told = f"{told[:place].rstrip(' ,')}, {told[place + 1 :].strip()}".strip(" ,")
    words = told.split(" ")
    return " ".join(_quiet(word, "") for word in words)
