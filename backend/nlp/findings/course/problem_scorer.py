"""What a problem's status most likely is, read from a small file.

The file is assets/rules/findings/status_model.json, with its card; backend.training.problem_status makes it anew.
"""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.course.problem_evidence import Judged, evidence_of
from backend.nlp.findings.course.told_status import TOLD, Told
from backend.nlp.rules import RULES
from backend.nlp.scoring.status_chain import StatusChain, read_chain

MODEL = RULES / "findings" / "status_model.json"
_REACH = 8
"""Problems on either side of one over which a chain still tells something of it."""


@lru_cache(maxsize=1)
def problem_scorer() -> StatusChain[Told]:
    """The shipped model. Raises KnowledgeError when the file is missing or malformed."""
    return read_chain(MODEL, TOLD)


def scored(note: ParsedNote, judged: Sequence[Judged]) -> list[tuple[Told, Sequence[str]]]:
    """What the scorer says of each problem, with its evidence; the rows' own word far from every problem that it may decide about.

    Args:
        note: the parsed note.
        judged: its problems, in order of place.
    """
    found: list[tuple[Told, Sequence[str]]] = [(one.told, ()) for one in judged]
    stretches = list(_stretches(judged))
    for stretch, evidence in zip(stretches, evidence_of(note, judged, stretches), strict=True):
        decided = problem_scorer().decide(evidence, [judged[at].told for at in stretch])
        for at, (told, _), features in zip(stretch, decided, evidence.features, strict=True):
            found[at] = told, features
    return found


def _stretches(judged: Sequence[Judged]) -> Iterator[range]:
    """Yield the places from a little before a problem that is there to a little behind it; those that meet are one."""
    begin = end = 0
    for at in (i for i, one in enumerate(judged) if one.told is Told.PRESENT):
        if at - _REACH > end:
            if begin < end:
                yield range(begin, end)
            begin = at - _REACH
        end = min(at + _REACH + 1, len(judged))
    if begin < end:
        yield range(begin, end)
