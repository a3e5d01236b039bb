"""A model's record: only what it quotes letter by letter, merged with the rules' in a fixed order, and refusals said."""

import json
from typing import Any

import pytest

from backend.errors import MissingError
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.extraction.merged_record import merged_record
from backend.nlp.extraction.model_reader import ModelRecordReader
from backend.schemas.chat import Completion
from backend.schemas.record import (
    AllergyRecord,
    AllergyStatement,
    Dosage,
    MedicationStatement,
    PatientRecord,
    ProblemStatement,
    RecordSpan,
    StatedBy,
    VerificationStatus,
)

NOTE = "Allergies: penicillin.\nHPI: He has a cough and a zonky feeling. No fever. Takes metoprolol 25 mg daily."
EMPTY: dict[str, list[Any]] = {name: [] for name in ("problems", "medications", "allergies", "procedures", "plan")}


class Says:
    """A model that replies with one text, or fails."""

    name = "scripted"

    def __init__(self, reply: dict[str, Any] | str | Exception) -> None:
        self._reply = reply

    def chat(self, *given: Any, **more: Any) -> tuple[Completion, ...]:
        if isinstance(self._reply, Exception):
            raise self._reply
        return (Completion(self._reply if isinstance(self._reply, str) else json.dumps({**EMPTY, **self._reply})),)


@pytest.fixture
def read(linker: DictionaryLinker):
    def run(reply: dict[str, Any] | str | Exception):
        return ModelRecordReader(Says(reply)).read(linker.read(NOTE), 0)

    return run


def test_what_only_the_model_states_is_added_and_marked(read) -> None:
    linked, said = read({"problems": [{"quote": "zonky feeling", "status": "active"}]})
    stated = linked.record.problems[-1]
    assert (stated.name, stated.stated_by, stated.concept_id) == ("zonky feeling", StatedBy.MODEL, None)
    assert NOTE[stated.spans[0].start_char : stated.spans[0].end_char] == "zonky feeling"
    assert "scripted read the record" in said
    assert len({p.id for p in linked.record.problems}) == len(linked.record.problems)


def test_a_quote_that_is_not_in_the_note_is_dropped_and_counted(read) -> None:
    before, _ = read({})
    linked, said = read(
        {"problems": [{"quote": "pancreatitis", "status": "active"}, {"quote": "cou", "status": "past"}]}
    )
    assert linked.record == before.record and "2 entries quote what the note does not hold" in said


def test_a_listed_allergy_stands_and_the_models_is_only_possible(read) -> None:
    linked, _ = read({"allergies": [{"quote": "metoprolol", "reaction": "rash"}]})
    assert [(a.spans[0].text, a.possible) for a in linked.record.allergies.items] == [
        ("penicillin", False),
        ("metoprolol", True),
    ]


@pytest.mark.parametrize("reply", ["no json", MissingError("The server has gone.")])
def test_without_a_usable_reply_the_rules_stand_alone_and_it_is_said(read, reply) -> None:
    linked, said = read(reply)
    assert linked.record is not None and "so the rules' reading stands alone" in said


def statement(by: StatedBy, **more: Any) -> MedicationStatement:
    span = RecordSpan(start_char=5, end_char=9, text="drug")
    return MedicationStatement(id="medication-1", spans=(span,), concept_id="D", name="drug", stated_by=by, **more)


def test_a_status_that_a_rule_decided_beats_the_models_and_one_that_none_decided_does_not() -> None:
    theirs = statement(StatedBy.MODEL, status="stopped", reason="gout", rule_ids=("model/x",))
    decided = statement(StatedBy.RULES, rule_ids=("medications/takes",))
    by_default = statement(StatedBy.RULES, dosage=Dosage(dose=5, unit="mg"))
    model = PatientRecord(medications=(theirs,))
    (one,) = merged_record(PatientRecord(medications=(decided,)), model).medications
    assert (one.status, one.reason, one.stated_by) == ("active", "gout", StatedBy.RULES)
    (one,) = merged_record(PatientRecord(medications=(by_default,)), model).medications
    assert (one.status, one.dosage.dose, one.stated_by) == ("stopped", 5, StatedBy.MODEL)


def test_a_model_cannot_take_an_allergy_back() -> None:
    span = RecordSpan(start_char=0, end_char=4, text="nuts")
    listed = AllergyStatement(id="allergy-1", spans=(span,), agent="nuts")
    model = AllergyRecord(items=(listed.model_copy(update={"verification_status": VerificationStatus.REFUTED}),))
    rules = PatientRecord(allergies=AllergyRecord(items=(listed,)))
    assert merged_record(rules, PatientRecord(allergies=model)).allergies.items == (listed,)


def test_what_rules_say_of_other_places_is_kept() -> None:
    ours = ProblemStatement(
        id="problem-7", spans=(RecordSpan(start_char=0, end_char=2, text="ab"),), concept_id=None, name="ab"
    )
    theirs = ours.model_copy(update={"id": "problem-1", "spans": (RecordSpan(start_char=4, end_char=6, text="cd"),)})
    merged = merged_record(PatientRecord(problems=(ours,)), PatientRecord(problems=(theirs,)))
    assert [p.id for p in merged.problems] == ["problem-7", "problem-8"]
