"""Which evidence holds injected instructions. Such evidence stays readable, and no sentence may rest on it.

The words are known by `backend.nlp.people.injected_instructions`, and are no wall. The walls are elsewhere: the fence, ids resolved by
code, and a verifier that reads the cited text. What this adds is that a sentence which obeyed such words cannot cite them.
"""

import re
from bisect import bisect_left
from collections.abc import Iterable, Sequence

from backend.nlp.people.injected_instructions import has_injected_instructions
from backend.schemas.drafts.evidence import Evidence, NotePiece

PASTED = "Pasted note"


def refused(evidence: Evidence, note: str) -> frozenset[str]:
    """Ids that no sentence may rest on. note: the pasted note's text.

    A passage, path or fact is refused as a whole. Of the pasted note each piece that holds such words is, and those after it
    up to the next empty line; of another note all pieces of its kind and date.
    """
    whole = [*((p.id, f"{p.title}\n{p.section}\n{p.text}") for p in evidence.passages)]
    whole += [*((g.id, g.text) for g in evidence.graph), *((k.id, k.text) for k in evidence.paths)]
    out = {name for name, text in whole if has_injected_instructions(text)}
    others = [piece for piece in evidence.notes if piece.note_type != PASTED]
    bad = {(p.note_type, p.date) for p in others if has_injected_instructions(f"{p.section}\n{p.text}\n{p.note_type}")}
    out |= {piece.id for piece in others if (piece.note_type, piece.date) in bad}
    return frozenset(out | set(_of_note(note, [p for p in evidence.notes if p.note_type == PASTED])))


def _of_note(note: str, pieces: Iterable[NotePiece]) -> Iterable[str]:
    pasted = sorted(pieces, key=lambda p: p.start_char)
    # a line that the note's sections take for a heading stands in no piece, and speaks to a program all the same
    starts = [p.start_char for p in pasted]
    lines = re.finditer(r"[^\n]+", note)
    between = [(line.start(), line[0]) for line in lines if not _covered(line, pasted, starts)]
    orders = [start for start, text in between if has_injected_instructions(text)]
    orders += [p.start_char for p in pasted if has_injected_instructions(f"{p.section}\n{p.text}")]
    spans = []
    for start in orders:
        empty_line = re.compile(r"\n[^\S\n]*\n").search(note, start)
        spans.append((start, empty_line.start() if empty_line else len(note)))
    return (p.id for p in pasted if any(start <= p.start_char < end for start, end in spans))


def _covered(line: re.Match[str], pieces: Sequence[NotePiece], starts: Sequence[int]) -> bool:
    """Whether any piece stands in the line. pieces: in order, their starts beside them."""
    last = bisect_left(starts, line.end()) - 1
    return last >= 0 and pieces[last].end_char > line.start()
