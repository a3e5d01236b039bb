"""What a language model is given of one patient: the story and the medicines of the record, and the evidence that fits.

It is what the composer writes from: a letter or a progress note gets evidence on what it may be about (`Condition.written`) alone,
sentence by sentence as it fits. A clinician's question may be about anything, so an answer keeps all evidence.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from backend.generation.composer.answers.against import Direction, direction_of
from backend.generation.composer.answers.options import NOTHING_AGAINST, SpokenAgainst, spoken_against
from backend.generation.composer.material import MEDICINES, Material
from backend.generation.composer.patient_material import MaterialMaker
from backend.generation.composer.situation_advice import situations
from backend.generation.letter.medicines.medicine_sentences import medicine_sentences
from backend.generation.letter.story import Story, story
from backend.generation.model.prompt_material import PromptMaterial
from backend.generation.standing.crisis_line import DOCUMENT as CRISIS_LINE
from backend.interfaces import ForbiddenOptions, none_forbidden
from backend.nlp.people.care_frames import cannot_read, comfort_goal, is_child
from backend.prompts.citations import defused
from backend.schemas.drafts.evidence import Condition, Evidence, GraphItem, Passage
from backend.schemas.drafts.medicines import MedicineRow
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Assertion, ConditionStatus, Document, Fit
from backend.verification.fit.patient_fit import HANDBOOK

STORY_PARTS = ("Why they came", "What was found and done", "What is decided")


class PatientData(NamedTuple):
    """What a model is given of a patient beside the note.

    Attributes:
        person: child, or comfort care, where the patient is or seeks that; else empty.
        story: what the record tells, a sentence a line with its ids; empty without a note.
        medicines: the medicine table, a sentence a line with its ids; empty where it has no row.
        conditions: what the document may be about; for an answer all that were ranked.
        evidence: what may be told, passages without the sentences that do not fit.
        forbidden: by letter why the safety check forbids an option.
        against: what else speaks against the options.
    """

    person: str
    story: str
    medicines: str
    conditions: tuple[Condition, ...]
    evidence: Evidence
    forbidden: Mapping[str, str] = {}
    against: SpokenAgainst = NOTHING_AGAINST

    def prompt_material(self, request: DraftRequest, linked: LinkedNote) -> PromptMaterial:
        """The data of a writing prompt."""
        return PromptMaterial(
            request,
            linked,
            self.conditions,
            self.evidence,
            self.forbidden,
            excluded=self.against.excluded,
            warned={letter: reason for letter, (reason, _) in self.against.warned.items()},
            person=self.person,
            story=self.story,
            medicines=self.medicines,
        )


def patient_data(
    maker: MaterialMaker,
    request: DraftRequest,
    linked: LinkedNote,
    conditions: Sequence[Condition],
    evidence: Evidence,
    forbids: ForbiddenOptions = none_forbidden,
    cautions: ForbiddenOptions = none_forbidden,
) -> PatientData:
    """What a model is given for a request.

    Args:
        maker: makes the composer's material and table.
        request: as it came.
        linked: the note with its record.
        conditions: as ranked.
        evidence: all that was retrieved.
        forbids: which options of a question the safety check forbids.
        cautions: which of them it forbids or warns of.
    """
    material = maker.material(request, linked, conditions, evidence)
    story_text = medicines = ""
    if request.text.strip() and linked.record is not None:
        told = story(material.record, linked.note.text, evidence.notes, maker.plain, corrections=request.corrections)
        story_text = _story(told)
        medicines = _medicines(maker.rows(request, linked, evidence))
    unadvised = comfort_goal(material.record) or cannot_read(material.record, request.going_home)
    frames = (("child", is_child(material.record)), ("comfort care", unadvised))
    person = ", ".join(words for words, holds in frames if holds)
    if request.document is Document.CLINICAL_ANSWER:
        data = PatientData(person, story_text, medicines, tuple(conditions), evidence)
        if not request.options:
            return data
        forbidden, warned = forbids(request, linked, conditions), cautions(request, linked, conditions)
        against = spoken_against(material, request, maker.linker, forbidden, warned, maker.kinds)
        return data._replace(forbidden=forbidden, against=against)
    written = tuple(c for c in material.conditions if c.written or c.status is ConditionStatus.CONFIRMED)
    return PatientData(
        person,
        story_text,
        medicines,
        written,
        _applicable_evidence(material, written, ranked=bool(conditions), advised=not unadvised),
    )


def _story(whole: Story) -> str:
    lines = []
    for part, sentences in zip(STORY_PARTS, (whole.why, whole.found, whole.decided), strict=True):
        lines += [f"{part}: {_line(one.text, one.citations)}" for one in sentences]
    return "\n".join(lines)


def _medicines(rows: Sequence[MedicineRow]) -> str:
    return "\n".join(_line(text, ids) for text, ids in medicine_sentences(rows))


def _line(text: str, ids: Iterable[str]) -> str:
    cited = ", ".join(ids)
    return f"{defused(text)} [{cited}]" if cited else defused(text)


def _applicable_evidence(material: Material, written: Sequence[Condition], *, ranked: bool, advised: bool) -> Evidence:
    """The evidence on what the document may be about, as far as it fits; of a system that ranks nothing, on what the record holds.

    Args:
        material: of the patient.
        written: what the document may be about.
        ranked: whether the system ranks conditions at all.
        advised: whether advice is given at all.
    """
    child = is_child(material.record)
    standing = [p for p in material.evidence.passages if p.document_id.startswith(CRISIS_LINE)]
    if not advised:  # what is known of diseases is about curing and preventing
        return material.evidence.model_copy(update={"passages": tuple(standing), "graph": (), "paths": ()})
    about = {c.concept_id for c in written}
    rows = [one.row for one in situations(material)]
    told = {f"{row.chapter}: {part}".lower() for row in rows for part in row.parts}
    own = about | {
        m.concept_id
        for m in material.linked.note.mentions
        if m.category in MEDICINES and m.assertion is Assertion.PRESENT and not m.allergen
    }
    named = own | {m.concept_id for m in material.linked.note.mentions}
    passages: list[Passage] = []
    for passage in material.evidence.passages:
        if ranked and passage.concept_id and passage.concept_id not in about and passage.title.lower() not in told:
            continue
        if child and not passage.document_id.startswith(HANDBOOK) and passage not in standing:
            continue  # of the handbook alone is it known what holds for children
        if sentences := material.applicable(passage):
            passages.append(passage.model_copy(update={"text": " ".join(q.text for q in sentences)}))

    def fact_fits(item: GraphItem) -> bool:
        if not item.relation:
            return item.concept_id in named
        if child or (ranked and item.concept_id not in own):
            return False
        offered = item.tail_id if direction_of(item.relation) is Direction.HELPS else None
        if offered and (offered in material.blocked or not material.fit.offers(offered, item.concept_id)):
            return False
        return material.fit.verdict(item.text, None, item.concept_id).fit is not Fit.NOT_FOR_THIS_PATIENT

    paths = (k for k in material.evidence.paths if not k.condition_id or k.condition_id in about or not ranked)
    return material.evidence.model_copy(
        update={
            "passages": tuple(passages),
            "graph": tuple(g for g in material.evidence.graph if fact_fits(g)),
            "paths": tuple(paths),
        }
    )
