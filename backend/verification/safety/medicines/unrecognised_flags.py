"""Medicines that nothing is known of: every draft says which they are, since nothing was checked for them."""

from collections.abc import Iterator, Sequence

from backend.registry import flag_kind, safety_check
from backend.schemas.drafts.draft import Flag, Unrecognised
from backend.schemas.vocabulary import Severity
from backend.verification.safety.checks import CheckedDraft, Finding, FlagExample, make_flag
from backend.verification.safety.medicines.named_medicines import unrecognised_medicines

KIND = "medicine_not_recognised"
_NAMED = 12  # names that the flag tells; the checks list all


@flag_kind(
    KIND,
    label="Medicine not recognised",
    severity=Severity.WARNING,
    about="The note, the discharge list or the draft names medicines that the knowledge graph does not know: no allergy, interaction, "
    "contraindication or dose of theirs was checked.",
    action="Check these medicines yourself, or correct their spelling.",
    example=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman.", medicines=("Zorbitrexate 5 mg daily",)),
    counterexample=FlagExample("Allergies: none\n\nHPI: A 60-year-old woman.", medicines=("Furosemide 40 mg daily",)),
)
@safety_check(KIND, label="Medicines not recognised", order=35)
def medicines_not_recognised(draft: CheckedDraft) -> Iterator[Finding]:
    """Yield a row for each unknown medicine, and one flag that names them."""
    unknown = unrecognised_medicines(draft.request, draft.linked, draft.sentences, draft.known.linker)
    yield from unknown
    yield from unknown_flag(unknown)


def unknown_flag(unknown: Sequence[Unrecognised]) -> Iterator[Flag]:
    """One flag that names the medicines among what was not recognised; none where there are none."""
    unknown = [one for one in unknown if one.kind == "medicine"]
    if unknown:
        names = list(dict.fromkeys(" ".join(one.text.split())[:60] for one in unknown))
        more = f" and {len(names) - _NAMED} more" if len(names) > _NAMED else ""
        yield make_flag(
            KIND,
            f"Not recognised, so not checked: {', '.join(names[:_NAMED])}{more}.",
            evidence=tuple(one.text for one in unknown),
        )
