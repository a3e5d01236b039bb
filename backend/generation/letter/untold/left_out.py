"""The note's own lines of which a letter tells nothing, to be shown beside it: a clinician puts them into words, or leaves them."""

from collections.abc import Sequence

from backend.generation.letter.untold.untold_plans import UntoldPlan
from backend.generation.letter.untold.untold_results import UntoldResult
from backend.schemas.drafts.evidence import NotePiece
from backend.schemas.drafts.gaps import UntoldLine


class LeftOut:
    """Collects the lines of one note.

    Args:
        note_text: the note.
        pieces: of the pasted note; only what they hold is shown.
    """

    def __init__(self, note_text: str, pieces: Sequence[NotePiece]) -> None:
        self._text, self._pieces = note_text, pieces
        self._found: list[UntoldLine] = []

    def add(self, section: str, lines: Sequence[UntoldPlan | UntoldResult]) -> None:
        """Keep lines that would stand in a section of the letter."""
        for one in lines:
            if any(piece.start_char < one.end and one.start < piece.end_char for piece in self._pieces):
                text = " ".join(self._text[one.start : one.end].split())
                self._found.append(UntoldLine(section=section, text=text, start_char=one.start, end_char=one.end))

    def lines(self) -> tuple[UntoldLine, ...]:
        """The lines in the note's order, each stretch once."""
        kept: list[UntoldLine] = []
        for one in sorted(self._found, key=lambda one: (one.start_char, -one.end_char)):
            if not kept or one.end_char > kept[-1].end_char:
                kept.append(one)
        return tuple(kept)
