"""What a problem's status most likely is, read from a small file.

The file is assets/rules/findings/status_model.json, with its card; backend.training.problem_status makes it anew.
"""

from functools import lru_cache

from backend.nlp.findings.course.told_status import TOLD, Told
from backend.nlp.rules import RULES
from backend.nlp.scoring.status_chain import StatusChain, read_chain

MODEL = RULES / "findings" / "status_model.json"


@lru_cache(maxsize=1)
def problem_scorer() -> StatusChain[Told]:
    """The shipped model. Raises KnowledgeError when the file is missing or malformed."""
    return read_chain(MODEL, TOLD)
