"""What a problem's status most likely is, read from a small file.

The file is assets/rules/findings/status_model.json, with its card; backend.training.problem_status makes it anew.
"""

from collections.abc import Sequence
from functools import lru_cache

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.course.problem_evidence import Judged, problem_evidence
from backend.nlp.findings.course.told_status import TOLD, Told
from backend.nlp.rules import RULES
from backend.nlp.scoring.status_chain import StatusChain, read_chain

MODEL = RULES / "findings" / "status_model.json"


@lru_cache(maxsize=1)
def problem_scorer() -> StatusChain[Told]:
    """The shipped model. Raises KnowledgeError when the file is missing or malformed."""
    return read_chain(MODEL, TOLD)


def scored(note: ParsedNote, judged: Sequence[Judged]) -> list[tuple[Told, Sequence[str]]]:
    """What the scorer says of each problem, with its evidence; the rows' own word where no problem is there that it may decide about.

    Args:
        note: the parsed note.
        judged: its problems, in order of place.
    """
    if all(one.told is not Told.PRESENT for one in judged):
        return [(one.told, ()) for one in judged]
    evidence = problem_evidence(note, judged)
    decided = problem_scorer().decide(evidence, [one.told for one in judged])
    return [(told, features) for (told, _), features in zip(decided, evidence.features, strict=True)]
