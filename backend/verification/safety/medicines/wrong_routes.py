"""Medicines that are to be given by a way by which they must never be: vincristine into the spinal fluid, potassium pushed into a vein.

Which ways those are, say the rows of assets/knowledge/safety/routes.tsv; a way that nobody tells is no wrong one.
"""

from collections.abc import Iterator

from backend.knowledge.safety.patient.clause_truth import Subject, verdict
from backend.knowledge.safety.rows.clauses import Route
from backend.knowledge.safety.rows.grades import severity_of
from backend.knowledge.safety.rows.route_rows import PUSH, RouteRow
from backend.nlp.measures.routes import route_in_words, speeds_in
from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Flag
from backend.schemas.record import Dosage
from backend.schemas.vocabulary import Severity
from backend.verification.safety.checks import CheckedDraft, FlagExample, make_flag
from backend.verification.safety.medicines.named_medicines import Medicine

KIND = "route"


@flag_kind(
    KIND,
    label="Wrong route",
    severity=Severity.SEVERE,
    about="A medicine of the note or of the discharge list is to be given by a way that harms: into the spinal fluid, into a vein, as a push, under the "
    "skin. It is severe where it must never be, else a warning.",
    action="Check by which way it is meant, and write the right one.",
    example=FlagExample(
        "Allergies: none\n\nHPI: A 60-year-old woman.", medicines=("Vincristine 2 mg intrathecally once",)
    ),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman.", medicines=("Vincristine 2 mg IV once",)),
)
@safety_check("routes", label="Routes", order=55, forbids=True)
def wrong_routes(draft: CheckedDraft) -> Iterator[Flag]:
    """Yield a flag for each medicine that is given by a way that a row of it, or of a class of it, forbids."""
    known = draft.known.contraindications
    for medicine in draft.medicines:
        rows = known.index.wrong_ways(medicine.concept_id) if medicine.taken and not medicine.works_less else ()
        told: set[RouteRow] = set()
        for listed in medicine.listed if rows else ():
            dosage = listed.statement.dosage
            row = next((one for one in rows if one not in told and _given_so(one, medicine, dosage, draft)), None)
            if row is not None:
                told.add(row)
                yield make_flag(
                    KIND,
                    f"{medicine.name} {_way(row, dosage)} (\u201c{dosage.text}\u201d) in {listed.where}: {row.effect}.",
                    severity=severity_of(row.grade),
                    evidence=(f"{medicine.text} {dosage.text}",),
                    medicine=medicine.name,
                )


def _given_so(row: RouteRow, medicine: Medicine, dosage: Dosage, draft: CheckedDraft) -> bool:
    if not row.forbids(dosage.route, push=PUSH in speeds_in(dosage.text)):
        return False
    kinds = frozenset(draft.known.contraindications.with_classes(medicine.concept_id))
    return verdict(row.when, row.unless, draft.state, Subject(kinds, (dosage,), reasons=medicine.reasons)).holds


def _way(row: RouteRow, dosage: Dosage) -> str:
    pushed = row.push and dosage.route == Route.INTRAVENOUS
    return f"as a push {route_in_words(dosage.route)}" if pushed else route_in_words(dosage.route)
