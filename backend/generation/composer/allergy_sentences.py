"""The patient's allergies as a patient reads them, each citing the note.

Takes the material of one draft; gives sentences. What the note calls a thing stays, but for capitals that only shout.
"""

from collections.abc import Iterator

from backend.generation.composer.material import Material
from backend.schemas.drafts.note import AllergyItem
from backend.schemas.vocabulary import AllergyKind

NAME_AT_MOST = 4  # words; a longer one that names a known substance is called by the substance


def allergy_sentences(material: Material) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Sentences with their citations: the allergies and intolerances in the order of the note."""
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


def _quiet(text: str, name: str) -> str:
    """A name in the middle of a sentence: a known substance in its usual spelling, shouted words in small letters."""
    told = text.strip()
    if told.lower() == name.lower() or (name and len(told.split()) > NAME_AT_MOST):
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
