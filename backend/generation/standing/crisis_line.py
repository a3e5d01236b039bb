"""The crisis line of a letter: a passage of our own that is evidence of every system, where the record tells of a crisis.

The lines are rows of assets/rules/letter/crisis_lines.tsv, each a sentence that a letter quotes as it stands.
"""

from collections.abc import Sequence
from functools import lru_cache

from backend.errors import KnowledgeError
from backend.nlp.people.care_frames import crisis_problems, is_child
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.drafts.evidence import Passage
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, Source

DOCUMENT, TITLE = "standing/crisis-line/", "Crisis line"
_WHOM = frozenset({"adult", "child"})


def with_crisis_line(passages: Sequence[Passage], linked: LinkedNote, request: DraftRequest) -> tuple[Passage, ...]:
    """The passages, and behind them the crisis line of a letter for a patient in a crisis.

    Args:
        passages: as retrieved.
        linked: the note with its record.
        request: as it came; only a letter to the patient has the line.
    """
    letter = request.document is Document.DISCHARGE_INSTRUCTIONS and linked.record is not None
    if not letter or linked.record is None or not crisis_problems(linked.record):
        return tuple(passages)
    whom = "child" if is_child(linked.record) else "adult"
    text = " ".join(crisis_lines(whom))
    number = 1 + max((int(p.id[1:]) for p in passages if p.id[1:].isdigit()), default=0)
    line = Passage(
        id=f"P{number}",
        source=Source.BOOK,
        document_id=f"{DOCUMENT}{whom}",
        title=TITLE,
        text=text,
        start_char=0,
        end_char=len(text),
    )
    return (*passages, line)


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[str, str], ...]:
    """The rows by whom they speak to.

    Raises:
        KnowledgeError: a row speaks to nobody known, or somebody has none.
    """
    rows = tuple((whom, text) for whom, text in rule_rows(RULES / "letter" / "crisis_lines.tsv", 2))
    if {whom for whom, _ in rows} != _WHOM:
        raise KnowledgeError(f"crisis_lines.tsv needs rows for each of: {', '.join(sorted(_WHOM))}, and for no other.")
    return rows


def crisis_lines(whom: str) -> tuple[str, ...]:
    """The sentences for an adult, or for the parents of a child."""
    return tuple(text for who, text in _rows() if who == whom)
