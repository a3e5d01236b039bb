"""Makes the material of a document for one patient, whoever writes it: what may be quoted, and the medicine table."""

from collections.abc import Mapping, Sequence

from backend.generation.composer.answers.asked import Kinds
from backend.generation.composer.material import MEDICINES, Material, PassageReader
from backend.generation.letter.medicines.draft_medicines import AvoidedConcepts, DraftMedicines
from backend.generation.letter.medicines.stated.usual_units import DoseKnowledge
from backend.interfaces import Linker
from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.contraindications import Contraindications
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.medicines import MedicineRow
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import AllergyStatus, Assertion, ConditionStatus
from backend.verification.fit.fit_check import FitCheck


class MaterialMaker:
    """Makes materials. It holds no state between requests and may serve several at once.

    Args:
        linker: reads notes, passages and options.
        reach: how far an allergy reaches; no sentence of a passage that names what it reaches is quoted.
        plain: everyday words by concept id.
        avoided: concept ids of whatever a patient is said to react to, wherever it is said.
        contraindications: what should not be given beside what the patient has; None for nothing.
        fit: decides which general sentences are for a patient; without it by the linker alone.
        doses: the usual doses; without them no dose is asked about.
    """

    def __init__(
        self,
        linker: Linker,
        reach: AllergyReach,
        plain: Mapping[str, str],
        avoided: AvoidedConcepts,
        contraindications: Contraindications | None = None,
        fit: FitCheck | None = None,
        doses: DoseKnowledge | None = None,
    ) -> None:
        self.linker = linker
        self.plain = plain
        self.fit = fit or FitCheck(linker)
        self.kinds: Kinds = contraindications.with_classes if contraindications else _itself
        self._reader = PassageReader(linker)
        self._reach = reach
        self._avoided = avoided
        self._medicines = DraftMedicines(linker, reach, avoided, contraindications, doses)
        self._contraindications = contraindications

    def material(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], evidence: Evidence
    ) -> Material:
        """What a document of this patient may be built from."""
        linked = self._with_doubt(request, linked)
        blocked = self._medicines.blocked(request, linked)
        fit = self.fit.of_patient(linked, conditions, request, self._unsuited(linked, conditions))
        listed = (item.concept_id for item in linked.allergies.items if item.concept_id)
        reached = frozenset(concept for one in listed for concept in self._reach.reached(one))
        rests = (linked, conditions, evidence, self._reader, blocked, fit, reached)
        known = self._contraindications
        return Material(*rests) if known is None else Material(*rests, known.treats, known.shows_as)

    def _with_doubt(self, request: DraftRequest, linked: LinkedNote) -> LinkedNote:
        """The note; one that says there are no allergies does not tell it, where another note of the patient lists one."""
        if linked.allergies.status is not AllergyStatus.NONE_KNOWN or not any(self._avoided(request, linked)):
            return linked
        status = {"status": AllergyStatus.NOT_STATED}
        record = linked.record
        if record is not None:
            record = record.model_copy(update={"allergies": record.allergies.model_copy(update=status)})
        return linked.model_copy(update={"allergies": linked.allergies.model_copy(update=status), "record": record})

    def rows(self, request: DraftRequest, linked: LinkedNote, evidence: Evidence) -> tuple[MedicineRow, ...]:
        """The medicine table."""
        return self._medicines.rows(request, linked, evidence)

    def _unsuited(self, linked: LinkedNote, conditions: Sequence[Condition]) -> Mapping[str, frozenset[str]]:
        """What should not be offered beside what the note states as the patient's, what they take, and what the document is about."""
        if self._contraindications is None:
            return {}
        leading = {c.concept_id for c in conditions if c.focus and c.status != ConditionStatus.RULED_OUT}
        taken = {
            m.concept_id
            for m in linked.note.mentions
            if m.category in MEDICINES and m.assertion is Assertion.PRESENT and not m.allergen
        }
        state = self._contraindications.state(linked, conditions, about=True)
        never = self._contraindications.never_beside(state, taken)
        unsuited = self._contraindications.unsuited(state, leading)
        return {one: unsuited.get(one, frozenset()) | never.get(one, frozenset()) for one in (*unsuited, *never)}


def _itself(concept: str) -> tuple[str, ...]:
    return (concept,)
