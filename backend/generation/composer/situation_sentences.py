"""What a patient reads of a situation that asks for care: pregnancy, a donated organ, failed kidneys, a blood thinner.

Takes the material of one draft; gives what the note states, citing it, and sentences of the situation's chapter. It holds beside the
condition that the document is about, whatever that is.
"""

import re
from collections.abc import Iterator, Sequence

from backend.generation.composer.home_medicines import taken
from backend.generation.composer.material import Material, QuotedSentence
from backend.generation.composer.wording import Glossary
from backend.nlp.people.situations import PREGNANCY, Situation, When, situations_of
from backend.schemas.drafts.note import Mention

_WEEKS = re.compile(r"\b\d{1,2}(?:[\s-]*(?:weeks?|wks?)\b|w\d?|\+\d)|\bpregnan", re.IGNORECASE)
MOST: dict[str, int] = {"Precautions": 4, "Warning signs": 4, "Follow-up": 2}


def situations(material: Material) -> list[Situation]:
    """Those of the note; one that a medicine brings only where it is taken at home."""
    home = {m.concept_id for m in taken(material)}
    return [s for s in situations_of(material.linked) if s.row.when is not When.TAKEN or _own(s, home)]


def stated(material: Material, situation: Situation, glossary: Glossary) -> tuple[str, tuple[str, ...]]:
    """The sentence that says what the note says, with its citations; none where the note has no piece for it."""
    home = {m.concept_id for m in taken(material)}
    mentions = _own(situation, home) if situation.row.when is When.TAKEN else situation.mentions
    cites = cited(material, mentions)
    if "{name}" not in situation.row.told:
        return situation.row.told, cites
    mention = mentions[0]
    text = situation.row.told.format(name=glossary.term(mention.concept_id, mention.name))
    return text, (*cites, *glossary.source(mention.concept_id)) if cites else ()


def cited(material: Material, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """The piece that tells who the patient is where it counts weeks ("G2P1 at 29w4d"), else that of the first mention."""
    start = material.linked.patient.start_char
    piece = material.piece_at(start) if start is not None else None
    pregnant = not mentions or mentions[0].name == PREGNANCY
    if piece and pregnant and _WEEKS.search(piece.text):
        return (piece.id,)
    return material.piece_ids(mentions[:1])


def advice(material: Material, part: str) -> Iterator[QuotedSentence]:
    """Sentences of one part of the chapters, situation by situation."""
    for situation in situations(material):
        if situation.row.chapter:
            yield from material.situation_quotes(situation.row.chapter, part, MOST[part])


def _own(situation: Situation, home: set[str]) -> tuple[Mention, ...]:
    return tuple(m for m in situation.mentions if m.concept_id in home)
