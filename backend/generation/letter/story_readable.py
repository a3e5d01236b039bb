"""Which words of a note a letter may keep though they are no everyday words: names that have to be told, or that are explained."""

import re
from collections.abc import Callable, Mapping

from backend.generation.letter.plain_language.in_place import meaning
from backend.schemas.record import PatientRecord, ProblemStatement, ProcedureStatement
from backend.schemas.vocabulary import Category


def readable(
    record: PatientRecord,
    plain: Mapping[str, str],
    keeps: Callable[[ProblemStatement | ProcedureStatement], bool],
) -> frozenset[str]:
    """The words of names that a letter keeps: of medicines, of what everyday words explain, and of what has to be named."""
    names = [name for one in record.medications for name in (one.name, *(span.text for span in one.spans))]
    named: list[ProblemStatement | ProcedureStatement] = [*record.stated_problems, *record.procedures]
    names += [one.spans[0].text for one in named if one.spans and (keeps(one) or meaning(one, plain))]
    return frozenset(word for name in names for word in re.findall(r"[^\W\d_]+", name.lower()))


def is_to_be_named(one: ProblemStatement | ProcedureStatement) -> bool:
    """Whether the name of a problem or procedure may stand as it is: a disease, a procedure, or what nobody knows another word for."""
    return isinstance(one, ProcedureStatement) or one.category is Category.DISEASE or one.concept_id is None
