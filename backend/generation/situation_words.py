"""What a patient reads of a situation that asks for care: pregnancy, a donated organ, failed kidneys, a blood thinner.

Takes the material of one draft; gives what the note states, citing it, and sentences of the situation's chapter. It holds beside the
condition that the document is about, whatever that is.
"""

from collections.abc import Iterator

from backend.generation.home_medicines import taken
from backend.generation.material import Material, QuotedSentence
from backend.generation.wording import Glossary
from backend.schemas.note import Mention
from backend.text.situations import Situation, When, situations_of

MOST: dict[str, int] = {"Precautions": 4, "Warning signs": 4, "Follow-up": 2}


def situations(material: Material) -> list[Situation]:
    """Those of the note; one that a medicine brings only where it is taken at home."""
    home = {m.concept_id for m in taken(material)}
    return [s for s in situations_of(material.linked) if s.row.when is not When.TAKEN or _own(s, home)]


def stated(material: Material, situation: Situation, glossary: Glossary) -> tuple[str, tuple[str, ...]]:
    """The sentence that says what the note says, with its citations; none where the note has no piece for it."""
    home = {m.concept_id for m in taken(material)}
    mention, *_ = _own(situation, home) if situation.row.when is When.TAKEN else situation.mentions
    cites = material.piece_ids([mention])
    if "{name}" not in situation.row.told:
        return situation.row.told, cites
    text = situation.row.told.format(name=glossary.term(mention.concept_id, mention.name))
    return text, (*cites, *glossary.source(mention.concept_id)) if cites else ()


def advice(material: Material, part: str) -> Iterator[QuotedSentence]:
    """Sentences of one part of the chapters, situation by situation."""
    for situation in situations(material):
        if situation.row.chapter:
            yield from material.situation_quotes(situation.row.chapter, part, MOST[part])


def _own(situation: Situation, home: set[str]) -> tuple[Mention, ...]:
    return tuple(m for m in situation.mentions if m.concept_id in home)
