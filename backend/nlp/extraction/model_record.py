"""A model's patient record of a note, with every quote found in the text; what cannot be found is dropped and counted."""

import re
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, TypeVar

from backend.nlp.extraction.worded_record import WordedProblem, WordedRecord, WordedStatus
from backend.prompts.asking import Asker
from backend.prompts.evidence_prompts import RECORD
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    ClinicalStatus,
    Dosage,
    Experiencer,
    MedicationStatement,
    PatientRecord,
    PlanKind,
    PlanStatement,
    ProblemStatement,
    ProcedureStatement,
    RecordSpan,
    StatedBy,
    Statement,
    VerificationStatus,
)
from backend.schemas.vocabulary import Category

_CERTAINTY = 0.8
"""Below what a rule reads outright: a model's reading was checked for its words, not for its sense."""
_STATUSES: dict[WordedStatus, dict[str, Any]] = {
    WordedStatus.ACTIVE: {},
    WordedStatus.CHRONIC: {"chronic": True},
    WordedStatus.PAST: {"clinical_status": ClinicalStatus.RESOLVED},
    WordedStatus.DENIED: {"verification_status": VerificationStatus.REFUTED},
    WordedStatus.UNCERTAIN: {"verification_status": VerificationStatus.PROVISIONAL},
    WordedStatus.FAMILY: {"experiencer": Experiencer.RELATIVE},
    WordedStatus.OTHER_PERSON: {"experiencer": Experiencer.OTHER},
}
S = TypeVar("S", bound=Statement)
ReadDosage = Callable[[str], Dosage]


class ModelRecord(NamedTuple):
    """record: None where the model gave none, with the reason. made_up: entries whose quote is not in the note."""

    record: PatientRecord | None
    reason: str = ""
    made_up: int = 0


def model_record(linked: LinkedNote, asker: Asker, read_dosage: ReadDosage) -> ModelRecord:
    """Ask a model for the record of a note.

    Args:
        linked: the note with its mentions, which give a quote's concept.
        asker: the request's talk with the model.
        read_dosage: reads a dosage as written.

    Returns:
        The record, with stated_by=model everywhere, or why there is none.
    """
    reply = asker.shaped(RECORD, WordedRecord, {"note": linked.note.text}, kinds=", ".join(PlanKind))
    if reply.value is None:
        return ModelRecord(None, f"record: {reply.reason}, so the rules' reading stands alone")
    found = _Found(linked, asker.name)
    worded = reply.value
    record = PatientRecord(
        problems=found.each("problem", worded.problems, _problem),
        medications=found.each(
            "medication",
            worded.medications,
            lambda one, base: MedicationStatement(
                **base,
                dosage=read_dosage(one.dosage) if one.dosage else Dosage(),
                status=one.status,
                category=one.category,
                reason=one.reason,
                recognised=base["concept_id"] is not None,
            ),
        ),
        allergies=AllergyRecord(
            items=found.each("allergy", worded.allergies, lambda one, base: _allergy(one.reaction, base))
        ),
        procedures=found.each(
            "procedure", worded.procedures, lambda one, base: ProcedureStatement(**base, status=one.status)
        ),
        plan=found.each("plan", worded.plan, lambda one, base: _plan(one.kind, base)),
    )
    return ModelRecord(record, reply.reason, found.made_up)


def _problem(one: WordedProblem, base: dict[str, Any]) -> ProblemStatement:
    return ProblemStatement(**base, **_STATUSES[one.status])


def _allergy(reaction: str, base: dict[str, Any]) -> AllergyStatement:
    named = {key: value for key, value in base.items() if key != "name"}
    return AllergyStatement(**named, agent=base["name"], reaction=reaction)


def _plan(kind: PlanKind, base: dict[str, Any]) -> PlanStatement:
    kept = {key: value for key, value in base.items() if key not in ("name", "concept_id")}
    return PlanStatement(**kept, kind=kind, text=base["spans"][0].text)


class _Found:
    """Looks for quotes in one note; a quote that is worded several times takes its places in order."""

    def __init__(self, linked: LinkedNote, by: str) -> None:
        self._text = linked.note.text
        self._mentions = linked.note.mentions
        self._by = by
        self._after: dict[tuple[str, str], int] = {}
        self.made_up = 0

    def each(self, kind: str, worded: Sequence[Any], make: Callable[[Any, dict[str, Any]], S]) -> tuple[S, ...]:
        """A statement for each entry whose quote stands in the note as whole words."""
        result: list[S] = []
        for one in worded:
            place = self._place(kind, one.quote)
            if place is None:
                self.made_up += 1
                continue
            start, end = place
            named = next(
                (m for m in self._mentions if m.start_char < end and start < m.end_char and _is(kind, m)), None
            )
            base = {
                "id": f"{kind}-{len(result) + 1}",
                "spans": (RecordSpan(start_char=start, end_char=end, text=self._text[start:end]),),
                "rule_ids": (f"model/{self._by}",),
                "certainty": _CERTAINTY,
                "stated_by": StatedBy.MODEL,
                "concept_id": named.concept_id if named else None,
                "name": named.name if named else one.quote,
            }
            result.append(make(one, base))
        return tuple(result)

    def _place(self, kind: str, quote: str) -> tuple[int, int] | None:
        pattern = re.compile(rf"(?<!\w){re.escape(quote)}(?!\w)")
        found = pattern.search(self._text, self._after.get((kind, quote), 0)) or pattern.search(self._text)
        if found is None:
            return None
        self._after[kind, quote] = found.end()
        return found.span()


_KINDS = {
    "problem": frozenset({Category.DISEASE, Category.SYMPTOM, Category.FINDING}),
    "medication": frozenset({Category.DRUG, Category.DRUG_CLASS}),
    "procedure": frozenset({Category.PROCEDURE, Category.TEST, Category.DEVICE}),
}


def _is(kind: str, mention: Mention) -> bool:
    return kind not in _KINDS or mention.category in _KINDS[kind]
