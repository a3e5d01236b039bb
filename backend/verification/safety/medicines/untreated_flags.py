"""What a patient has and nothing is given for, by rows of safety: an anticoagulant in atrial fibrillation, insulin in type 1 diabetes.

What is taken, given or planned counts, and of tests what is told as done or planned; what is on hold or over does not.
"""

from collections.abc import Iterator, Mapping

from backend.knowledge.safety.patient.clause_truth import Subject, verdict
from backend.knowledge.safety.rows.grades import severity_of
from backend.knowledge.safety.rows.safety_rows import UntreatedRow
from backend.registry import flag_kind, safety_check
from backend.schemas.vocabulary import Severity
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, make_flag
from backend.verification.safety.medicines.monitoring_flags import told_tests
from backend.verification.safety.medicines.named_medicines import Medicine

KIND = "untreated"
_NAMED = 3


@flag_kind(
    KIND,
    label="Nothing is given for it",
    severity=Severity.INFO,
    about="The patient has something that usually asks for a medicine or a test, and the note and the discharge list tell none. It is a warning "
    "where its absence harms within days.",
    action="Ask whether it is left out on purpose, and write the decision down.",
    example=FlagExample("Allergies: none\n\nHPI: A 70-year-old woman with atrial fibrillation. She takes metoprolol."),
    counterexample=FlagExample(
        "Allergies: none\n\nHPI: A 70-year-old woman with atrial fibrillation. She takes apixaban."
    ),
)
@safety_check("untreated", label="What nothing is given for", order=67)
def untreated(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield a flag for each condition of the patient for which a row asks and nothing is there."""
    rows = draft.known.contraindications.index.untreated
    if not draft.has_note or not any(_there(row, draft) for row in rows):
        return
    known = draft.known.contraindications
    given = {kind for m in draft.medicines if m.taken and not m.works_less for kind in known.with_classes(m.concept_id)}
    given |= told_tests(draft)
    idle = {kind: m for m in draft.medicines if m.works_less for kind in known.with_classes(m.concept_id)}
    for row in rows:
        if _there(row, draft) and given.isdisjoint(row.needs):
            yield make_flag(
                KIND,
                _message(row, draft, idle),
                severity=severity_of(row.grade),
                evidence=draft.words_of(row.condition),
            )


def _there(row: UntreatedRow, draft: CheckedDraft) -> bool:
    state = draft.state
    if row.condition not in state.present and not (row.past_counts and row.condition in state.past):
        return False
    return verdict(row.when, row.unless, state, Subject(stages=state.present.get(row.condition, frozenset()))).holds


def _message(row: UntreatedRow, draft: CheckedDraft, idle: Mapping[str, Medicine]) -> str:
    graph = draft.known.graph
    paused = next((idle[one] for one in row.needs if one in idle), None)
    wanted = " or ".join(graph.row(one).name for one in row.needs[:_NAMED])
    told = f"{paused.name} is on hold or over" if paused is not None else f"no {wanted} is told"
    reason = f": {row.reason}" if row.reason else ""
    return f"{graph.row(row.condition).name}, and {told}{reason}."
