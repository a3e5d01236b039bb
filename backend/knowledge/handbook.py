"""Handbook chapters to passages: a passage a section, cut on sentence borders where a section is longer than a passage.

Offsets index the chapter's text, which is its sections joined by single spaces.
"""

from collections.abc import Iterable

from backend.knowledge.starter import HandbookSection, concept_id
from backend.nlp.document import passages
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow

LICENCE = "Leapnote starter knowledge; not reviewed by a clinician; not a guideline; adults only"


def handbook_passages(sections: Iterable[HandbookSection]) -> list[PassageRow]:
    """All passages of the handbook, in file order; they are of the source `book`."""
    rows: list[PassageRow] = []
    chapter, offset = "", 0
    for section in sections:
        if section.condition != chapter:
            chapter, offset = section.condition, 0
        concept = concept_id(section.condition)
        for start, end in passages(section.text):
            rows.append(
                PassageRow(
                    key=f"handbook/{concept[3:]}/{section.title}/{start}",
                    source=Source.BOOK,
                    document_id=f"handbook/{concept[3:]}",
                    title=f"{chapter[:1].upper()}{chapter[1:]}: {section.title}",
                    text=section.text[start:end],
                    start_char=offset + start,
                    end_char=offset + end,
                    licence=LICENCE,
                    section=section.title,
                    concept_id=concept,
                )
            )
        offset += len(section.text) + 1
    return rows
