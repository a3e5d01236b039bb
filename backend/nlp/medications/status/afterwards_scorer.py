"""What most likely becomes of each medicine of a note after the encounter: a chain of named features, read from a small file.

The file is assets/rules/medications/afterwards_model.json, with its card; backend.training.afterwards_scorer makes it anew. It is a
second reading beside the rules, of all places of a medicine at once; the letter asks it where the rules leave a medicine open.
"""

from collections.abc import Sequence
from functools import lru_cache

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.medications.medicine_runs import StatedMedicine
from backend.nlp.medications.status.afterwards_features import afterwards_evidence, noted_medicines
from backend.nlp.medications.status.status_scorer import Told
from backend.nlp.medications.status.verdicts import Verdict
from backend.nlp.rules import RULES
from backend.nlp.scoring.evidence import Evidence
from backend.nlp.scoring.status_chain import Floats, StatusChain, read_chain
from backend.schemas.record import Afterwards

MODEL = RULES / "medications" / "afterwards_model.json"
AFTERWARDS = tuple(Afterwards)
_COMES_TO = {
    Told.HOME: Afterwards.CONTINUED, Told.GIVEN: Afterwards.HERE, Told.STARTED: Afterwards.STARTED, Told.PLANNED: Afterwards.STARTED,
    Told.HELD: Afterwards.ON_HOLD, Told.STOPPED: Afterwards.STOPPED, Told.PAST: Afterwards.NONE, Told.NOT_TAKEN: Afterwards.NONE,
    Told.OTHER: Afterwards.NONE,
}  # fmt: skip


def come_to(verdict: Verdict) -> Afterwards:
    """What the rules' verdict on one place of a medicine comes to, were it all that the note says."""
    return _COMES_TO[verdict.told]


def afterwards_of(
    note: ParsedNote,
    stated: Sequence[StatedMedicine],
    verdicts: Sequence[Verdict],
    status: Evidence,
    likelihoods: Floats,
) -> dict[str, tuple[Afterwards, float]]:
    """By medicine (`key_of`) what most likely becomes of it, and how likely.

    Args:
        note: the parsed note.
        stated: each place where a medicine is named, in order; one at least.
        verdicts: what the rules say at each of them.
        status: what bears on the status at each of them.
        likelihoods: of each status there, (places, statuses).
    """
    medicines = noted_medicines(stated)
    evidence = afterwards_evidence(note, stated, verdicts, status, likelihoods, medicines)
    last = [come_to(verdicts[one.places[-1]]) for one in medicines]
    rows = afterwards_scorer().likelihoods(evidence, last)
    best = rows.argmax(axis=1)
    return {
        one.key: (AFTERWARDS[int(column)], float(row[column]))
        for one, row, column in zip(medicines, rows, best, strict=True)
    }


@lru_cache(maxsize=1)
def afterwards_scorer() -> StatusChain[Afterwards]:
    """The shipped model. Raises KnowledgeError when the file is missing or malformed."""
    return read_chain(MODEL, AFTERWARDS)
