"""What a patient's own note says to a question beside it: the pieces that name what is asked, and what its plan decides."""

from backend.generation.composer.answers.asked import Asked, stems
from backend.generation.composer.answers.relevance import meets
from backend.generation.composer.material import Material
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.evidence import NotePiece

MOST_PIECES = 3
PASTED = "Pasted note"


def pieces_that_answer(material: Material, asked: Asked) -> list[NotePiece]:
    """The pieces of the pasted note that answer, in its order; none where the question is of general knowledge."""
    knowledge = word_lists("answers/words_asked")["knowledge"]
    if not asked.of_patient or asked.conditions or (asked.aspect and asked.aspect.name in knowledge):
        return []
    record = material.linked.record
    kinds = asked.aspect.plan if asked.aspect else frozenset()
    planned = [one for one in record.plan if one.kind in kinds and one.spans] if record else []
    decided = [piece for one in planned if (piece := material.piece_at(one.spans[0].start_char))]
    named = [piece for piece in material.pieces_of(PASTED) if _names(piece, material, asked)]
    must = any(thing.must for thing in asked.things)
    chosen = [piece for piece in decided if piece in named] or named if must else [*decided, *named]
    distinct = {piece.id: piece for piece in chosen}
    return sorted(distinct.values(), key=lambda piece: piece.start_char)[:MOST_PIECES]


def _names(piece: NotePiece, material: Material, asked: Asked) -> bool:
    """Whether a piece, or the header it stands under, names what is asked: a disease or medicine, or else any of its words."""
    must = [thing for thing in asked.things if thing.must]
    mentions = material.linked.note.mentions
    concepts = {m.concept_id for m in mentions if piece.start_char <= m.start_char < piece.end_char}
    words = stems(f"{piece.section} {piece.text}")
    return any(meets(thing, concepts, words) for thing in must or asked.things)
