"""What the patient takes at home, as the note and the ward's list name it, in plain words.

Takes the material of one draft; gives sentences and gaps. It starts, stops and doses nothing: that is the ward's.
"""

import re
from collections.abc import Iterator

from backend.generation.material import Material
from backend.generation.wording import Glossary, distinct_mentions
from backend.schemas.note import Mention
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

MOST = 12
OPENINGS = ("The note from before your stay lists", "The note also lists")
LEFT_OUT = "what to do about a medicine of the note that may not fit an allergy"


def home_medicines(material: Material, glossary: Glossary) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Sentences with their citations, in the order of the note; what an allergy reaches is left out."""
    own = [m for m in _taken(material) if m.concept_id not in material.blocked]
    for place, mention in enumerate(own):
        cites = (*material.piece_ids([mention]), *glossary.source(mention.concept_id))
        yield f"{OPENINGS[min(place, 1)]} {_named(mention, glossary)}.", cites


def left_out(material: Material) -> bool:
    """Whether the note lists a medicine that an allergy reaches: it is not named to the patient, but neither forgotten."""
    return any(m.concept_id in material.blocked for m in _taken(material))


def _taken(material: Material) -> list[Mention]:
    """The medicines that the note states as taken; a class ("birth control pill") only where the words say that it is taken."""
    inside = [
        m
        for m in material.mentions(Assertion.PRESENT, {Category.DRUG, Category.DRUG_CLASS})
        if m.section is not SectionCategory.ALLERGIES  # what was given for the reaction
        and (m.category is Category.DRUG or _said_taken(material.linked.note.text, m))
    ]
    return distinct_mentions(inside, MOST)


def _said_taken(text: str, mention: Mention) -> bool:
    before = text[max(0, mention.start_char - 60) : mention.start_char]
    return mention.section is SectionCategory.MEDICATIONS or _TAKES.search(before) is not None


def _named(mention: Mention, glossary: Glossary) -> str:
    """A class is called what the note calls it: "birth control pill" says more than the class's name."""
    if mention.category is Category.DRUG_CLASS:
        return mention.text if mention.text[:2].isupper() else mention.text.lower()
    return glossary.term(mention.concept_id, mention.name)


_TAKES = re.compile(
    r"\b(?:takes?|taking|uses?|using|is on|was on)\s+(?:an?\s+|her\s+|his\s+|daily\s+)?$", re.IGNORECASE
)
