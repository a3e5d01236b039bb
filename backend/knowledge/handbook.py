"""Handbook chapters to passages: a passage a section, cut on sentence borders where a section is longer than a passage.

Offsets index the chapter's text, which is its sections joined by single spaces.
"""

from collections.abc import Iterable, Mapping

from backend.knowledge.starter import HandbookSection, concept_id
from backend.nlp.document import passages
from backend.schemas.vocabulary import Source
from backend.stores.passages.passage_index import PassageRow

LICENCE = "Leapnote starter knowledge; {review}; not a guideline; adults only"
UNREVIEWED = "not reviewed by a clinician"


def handbook_passages(sections: Iterable[HandbookSection], reviews: Mapping[str, str] = {}) -> list[PassageRow]:
    """All passages of the handbook, in file order; they are of the source `book`.

    Args:
        sections: as the starter's files have them.
        reviews: who reviewed a chapter and when, in words, by its name in small letters.
    """
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
                    licence=LICENCE.format(review=reviews.get(chapter.lower(), UNREVIEWED)),
                    section=section.title,
                    concept_id=concept,
                )
            )
        offset += len(section.text) + 1
    return rows
