"""Stories of notes, read with everything that ships."""

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import pytest

from backend.container import Container
from backend.generation.letter.medicines.medicine_kinds import TableKnowledge
from backend.generation.letter.story import Story, story
from backend.retrieval.patient_notes.note_pieces import pasted_pieces
from backend.schemas.corrections import Correction
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.record import PatientRecord


class NoteStory(NamedTuple):
    """A note with its record, its pieces and its story."""

    text: str
    record: PatientRecord
    pieces: Sequence[NotePiece]
    story: Story

    @property
    def letter_text(self) -> str:
        """All that the letter tells."""
        return " ".join(one.text for one in self.story.sentences)


class StoryOf(Protocol):
    """Reads a note and tells it."""

    def __call__(self, text: str, *corrections: Correction) -> NoteStory: ...


@pytest.fixture(scope="session")
def known(container: Container) -> TableKnowledge:
    """What ships of the classes above a medicine; nothing speaks against any."""
    return TableKnowledge(container.checks.reach.classes)


@pytest.fixture(scope="session")
def story_of(container: Container) -> StoryOf:
    """Read a note and tell it."""

    def story_of_text(text: str, *corrections: Correction) -> NoteStory:
        linked = container.linker.read(text, corrections)
        assert linked.record is not None
        pieces = [
            piece.model_copy(update={"id": f"N{number}"}) for number, piece in enumerate(pasted_pieces(linked), 1)
        ]
        told = story(linked.record, text, pieces, container.shipped.plain, corrections=corrections)
        return NoteStory(text, linked.record, pieces, told)

    return story_of_text
