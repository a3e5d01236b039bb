"""The medicines that a patient goes home with, against the hospital's own formulary."""

from collections.abc import Iterator

from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Flag
from backend.schemas.vocabulary import Severity
from backend.verification.safety.checks import CheckedDraft, FlagExample, make_flag

KIND = "formulary"


@flag_kind(
    KIND,
    label="Formulary",
    severity=Severity.INFO,
    about="A medicine that the patient takes is restricted by the hospital's own formulary, or is not on it. Without a formulary there is "
    "no such flag.",
    action="Give what the formulary names instead, or record why not.",
    example=FlagExample(
        "Allergies: none\n\nHPI: A 60-year-old woman. She takes rosuvastatin.",
        formulary="rosuvastatin\toff\tatorvastatin\t-\t-",
    ),
    counterexample=FlagExample(
        "Allergies: none\n\nHPI: A 60-year-old woman. She takes atorvastatin.",
        formulary="rosuvastatin\toff\tatorvastatin\t-\t-",
    ),
)
@safety_check("formulary", label="Formulary", order=67)
def formulary(draft: CheckedDraft) -> Iterator[Flag]:
    """Yield a flag for each medicine that is taken and that the formulary restricts or lacks."""
    known = draft.known
    for medicine in draft.medicines:
        row = known.formulary.of(known.contraindications.with_classes(medicine.concept_id)) if medicine.taken else None
        if row is not None and row.words and not medicine.over and not medicine.here:
            told = row.words.replace(row.medicine, medicine.name, 1)
            yield make_flag(KIND, f"{told}.", evidence=(medicine.text,))
