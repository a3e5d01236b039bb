"""The seam of the safety checks: what a check reads, what it gives, and how a flag of a registered kind is made.

A check is a function in a module of this package. `@safety_check(name, order=…)` makes the safety stage run it, and
`@flag_kind(name, label=…, about=…, severity=…, action=…, example=…, counterexample=…)` registers each kind of flag that
it raises. Nothing else names either.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from backend.interfaces import Linker
from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.contraindications import Contraindications
from backend.knowledge.hospital.formulary import Formulary
from backend.knowledge.safety.patient.patient_state import PatientState
from backend.knowledge.safety.rows.dose_rows import DoseRow
from backend.registry import FLAG_KINDS
from backend.schemas.drafts.draft import Compared, Flag, NotChecked, Sentence, Unrecognised
from backend.schemas.drafts.evidence import Condition
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Document, Severity
from backend.stores.graph.graph import Graph
from backend.verification.safety.earlier_allergies import EarlierAllergy
from backend.verification.safety.medicines.named_medicines import Medicine

Finding = Flag | Compared | Unrecognised | NotChecked


class SafetyKnowledge(NamedTuple):
    """What the checks compare with.

    reach: how far an allergy reaches in the graph. contraindications: the rows of safety. doses: the usual adult doses, by medicine. linker:
    reads medicines and findings out of lists and sentences. formulary: the hospital's own, empty where it has none.
    """

    graph: Graph
    reach: AllergyReach
    contraindications: Contraindications
    doses: Mapping[str, tuple[DoseRow, ...]]
    linker: Linker
    formulary: Formulary


class CheckedDraft(NamedTuple):
    """What every check reads.

    linked: the note with its record. medicines: those of the note, of the discharge list and of the sentences, each once. earlier:
    allergies that only earlier notes list. state: what the rows of safety ask of the patient.
    """

    request: DraftRequest
    linked: LinkedNote
    conditions: Sequence[Condition]
    sentences: Sequence[Sentence]
    medicines: Sequence[Medicine]
    earlier: Sequence[EarlierAllergy]
    known: SafetyKnowledge
    state: PatientState

    @property
    def has_note(self) -> bool:
        """Whether there is a note: a bare question has no patient."""
        return bool(self.request.text.strip())

    def words_of(self, condition: str) -> tuple[str, ...]:
        """The note's words for a condition that the patient has, or for a kind of it; none where a value alone tells it."""
        record, known = self.linked.record, self.known.contraindications
        wanted = {condition, *known.implying(condition)}
        for one in record.stated_problems if record else ():
            if one.concept_id is not None and one.spans and not wanted.isdisjoint(known.with_classes(one.concept_id)):
                return (" ".join(one.spans[0].text.split()),)
        return ()


class FlagCheck(Protocol):
    """One safety check, registered with `@safety_check`.

    It reads the draft and the shared knowledge and keeps nothing between calls: one check serves several requests at once. It
    gives a flag for each conflict (made with `make_flag`), a row for everything that it compared, and a row for everything
    that it could not compare. The stage sorts flags by severity; within a severity they keep the order of the checks.

    Facts of the registration: `order`, an integer, by which checks run, those without one last; `forbids`, True where a severe
    flag of the check forbids an option of a question that names the medicine.
    """

    def __call__(self, draft: CheckedDraft) -> Iterable[Finding]:
        """What was found in one draft; nothing where nothing speaks against it."""
        ...


class FlagExample(NamedTuple):
    """A request that shows a kind of flag, or one beside it that must not raise it.

    sentence: the draft's one sentence, of basis patient and not supported by what it cites; empty: the draft has none.
    earlier: texts of earlier notes. formulary: rows of a hospital's table.
    """

    note: str
    sentence: str = ""
    medicines: tuple[str, ...] = ()
    earlier: tuple[str, ...] = ()
    formulary: str = ""
    document: Document = Document.CLINICAL_ANSWER


def make_flag(
    kind: str,
    message: str,
    *,
    severity: Severity | None = None,
    sentence: int | None = None,
    evidence: tuple[str, ...] = (),
    medicine: str = "",
) -> Flag:
    """A flag of a registered kind; NotFoundError is raised for a kind that nobody registered.

    Args:
        kind: the kind's registered name.
        message: plain text: what was found, with its values.
        severity: the kind's own where none is given.
        sentence: index into the draft's sentences.
        evidence: ids of evidence or concepts, or words of the note, a list or a sentence.
        medicine: the name of the medicine that it is about, by which flags are grouped.
    """
    entry = FLAG_KINDS.get(kind)
    return Flag(
        kind=entry.name,
        severity=severity or entry.facts["severity"],
        message=message,
        sentence=sentence,
        evidence=evidence,
        medicine=medicine,
    )
