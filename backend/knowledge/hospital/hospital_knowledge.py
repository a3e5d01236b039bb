"""What a hospital has made of the knowledge that ships: read once, before the knowledge itself."""

from pathlib import Path
from typing import NamedTuple

from backend.knowledge.advice.standing import StandingInstruction
from backend.knowledge.hospital import formulary, instructions
from backend.knowledge.hospital.formulary import FormularyRow, read_formulary
from backend.knowledge.hospital.instructions import read_instructions
from backend.knowledge.review.knowledge_review import FOLDER, KnowledgeReview


class HospitalKnowledge(NamedTuple):
    """The hospital's own part of the knowledge; hospitals that decided nothing are equal.

    Attributes:
        folder: where the knowledge is read from: as it ships, or as it was reviewed.
        chapters: names of reviewed chapters in small letters, each with who reviewed it and when, in words.
        signed: ids of the standing instructions that were signed.
        formulary: rows of the hospital's formulary.
        instructions: the hospital's own instructions.
    """

    folder: Path
    chapters: tuple[tuple[str, str], ...] = ()
    signed: frozenset[str] = frozenset()
    formulary: tuple[FormularyRow, ...] = ()
    instructions: tuple[StandingInstruction, ...] = ()


def hospital_knowledge(review: KnowledgeReview, data: Path) -> HospitalKnowledge:
    """What a data folder holds of decisions, signatures, a formulary and instructions.

    Args:
        review: of the knowledge that ships.
        data: the data folder.
    """
    place = data / FOLDER
    return HospitalKnowledge(
        review.folder(),
        tuple(sorted(review.chapters().items())),
        review.signed(),
        tuple(read_formulary(place / formulary.FILE)),
        tuple(read_instructions(place / instructions.FILE)),
    )
