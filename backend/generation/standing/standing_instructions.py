"""Standing instructions of a letter: passages for what the hospital's clinicians signed, or wrote themselves, and this patient needs.

Each is evidence of every system, so that the letter tells it as it stands and cites it, whoever writes. Unsigned ones are never told.
"""

from collections.abc import Collection, Iterable, Sequence

from backend.knowledge.advice.needs import Need
from backend.knowledge.advice.standing import StandingInstruction, signed_instructions
from backend.nlp.people.care_frames import cannot_read, comfort_goal, is_child
from backend.schemas.drafts.evidence import Condition, Passage
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, Source
from backend.verification.fit.fit_check import FitCheck
from backend.verification.fit.patient_fit import SIGNED_INSTRUCTION

TITLE = "Standing instruction, signed by the hospital's clinicians"
OWN_TITLE = "The hospital's own instruction, not of the handbook"
_ANY_AGE = Need("any age")


class SignedInstructions:
    """Adds what was signed and holds for a patient to what a letter may be written from. Serves several requests at once.

    Args:
        rows: the instructions, signed or not.
        fit: asks whether what an instruction needs is the patient's.
        signed_ids: of the instructions that were signed; none are told without.
        own: the hospital's own, which were signed by whoever installed them.
    """

    def __init__(
        self,
        rows: Iterable[StandingInstruction],
        fit: FitCheck,
        signed_ids: Collection[str] = frozenset(),
        own: Iterable[StandingInstruction] = (),
    ) -> None:
        self._rows = (*signed_instructions(rows, signed_ids), *own)
        self._fit = fit

    def added(
        self, passages: Sequence[Passage], linked: LinkedNote, request: DraftRequest, conditions: Sequence[Condition]
    ) -> tuple[Passage, ...]:
        """The passages, and behind them each signed instruction whose needs the patient's record holds.

        Args:
            passages: as retrieved.
            linked: the note with its record.
            request: as it came; only a letter has them. Signed ones are for adults whose goal is not comfort, the hospital's own for
                adults unless they say `any age`.
            conditions: as ranked.
        """
        letter = request.document is Document.DISCHARGE_INSTRUCTIONS and bool(request.text.strip())
        record = linked.record
        if not self._rows or not letter or record is None or cannot_read(record, request.going_home):
            return tuple(passages)
        child, comfort = is_child(record), comfort_goal(record)
        rows = [
            row
            for row in self._rows
            if not (child and (_ANY_AGE,) not in row.needs.all_of) and not (comfort and not row.own)
        ]
        patient = self._fit.of_patient(linked, conditions, request)
        number = max((int(p.id[1:]) for p in passages if p.id[1:].isdigit()), default=0)
        told = [row for row in rows if patient.meets(row.needs)]
        return (*passages, *(_passage(row, number + i) for i, row in enumerate(told, start=1)))


def _passage(row: StandingInstruction, number: int) -> Passage:
    return Passage(
        id=f"P{number}",
        source=Source.BOOK,
        document_id=f"{SIGNED_INSTRUCTION}{'own/' if row.own else ''}{row.id}",
        title=OWN_TITLE if row.own else TITLE,
        text=row.told,
        start_char=0,
        end_char=len(row.told),
        section=row.section,
    )
