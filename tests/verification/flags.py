"""Sentences and flags of the safety tests."""

from collections.abc import Callable

from backend.knowledge.safety.rows.clauses import DoseUnit, Period
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.schemas.drafts.draft import Checks, Flag, Sentence
from backend.schemas.vocabulary import Basis, Support

Check = Callable[..., tuple[tuple[Flag, ...], Checks]]
DOSES = (DoseRow("T:furosemide", "oral", 20, 80, DoseUnit.MG, Period.DOSE),)
QUIET = "Allergies: none\n\nHPI: A 60-year-old woman."


def said(
    text: str, section: str = "Answer", basis: Basis = Basis.GENERAL, support: Support = Support.SUPPORTED
) -> Sentence:
    return Sentence(
        text=text, section=section, start_char=0, end_char=len(text), basis=basis, citations=("N1",), support=support
    )


def of(flags: tuple[Flag, ...], kind: str) -> list[Flag]:
    return [flag for flag in flags if flag.kind == kind]
