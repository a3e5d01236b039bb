"""Fit: holds every sentence of a draft against the patient's record, whoever wrote it.

One verdict a sentence, by `patient_fit`; a warning that asks for help later than this patient needs does not fit either.
"""

from collections.abc import Collection, Mapping, Sequence

from backend.interfaces import Linker
from backend.knowledge.advice.applicability import Applicability
from backend.schemas.drafts.draft import FitVerdict, WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.gaps import is_no_statement
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Basis, Document, Fit
from backend.verification.fit.patient_facts import Broader, PatientFacts, no_broader
from backend.verification.fit.patient_fit import UNKNOWN, PatientFit
from backend.verification.fit.presuppositions import SentenceReader

_TOO_LATE = FitVerdict(
    fit=Fit.NOT_FOR_THIS_PATIENT, reason="asks for help too late; the note tells why it is more urgent"
)


class FitCheck:
    """Holds no state of a request; it keeps what sentences presuppose by their text, and serves several requests at once.

    Args:
        linker: reads sentences and names.
        applicability: for whom sentences of the handbook hold.
        broader: the broader concepts of a concept, so that apixaban is a blood thinner.
    """

    def __init__(
        self, linker: Linker, applicability: Applicability | None = None, broader: Broader = no_broader
    ) -> None:
        self._linker = linker
        self._applicability = applicability or Applicability()
        self._broader = broader
        self._reader = SentenceReader(linker)

    def of_patient(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition] = (),
        request: DraftRequest | None = None,
        unsuited: Mapping[str, frozenset[str]] | None = None,
    ) -> PatientFit:
        """What decides sentence by sentence for one patient; a composer asks it before it writes.

        Args:
            linked: the note with its record.
            conditions: as ranked; confirmed ones, and those that may be written about, count as the patient's.
            request: with the hospital course, the medicines for home and the question; None for none of them.
            unsuited: medicines that should not be offered, with the conditions that speak against them.
        """
        discharge = () if request is None else request.discharge_medicines
        named = [m.concept_id for line in discharge for m in self._linker.link(line).note.mentions]
        told = "" if request is None else request.hospital_course.strip()
        course = self._linker.read(told).record if told else None
        facts = PatientFacts(linked, conditions, self._broader, self._reader.concept_of, named, course, stay=bool(told))
        question = "" if request is None else request.question
        asked = frozenset(m.concept_id for m in self._linker.link(question).note.mentions) if question else frozenset()
        known = linked.record is not None and (request is None or bool(request.text.strip()))
        patient = linked if known else None
        return PatientFit(
            facts if known else None, self._reader, self._applicability, asked, unsuited or {}, patient, self._broader
        )

    def check(
        self,
        sentences: Sequence[WrittenSentence],
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        request: DraftRequest,
        by_hand: Collection[int] = (),
    ) -> tuple[FitVerdict, ...]:
        """One verdict a sentence, in order.

        Args:
            sentences: as written, whoever wrote them.
            linked: the note with its record.
            conditions: as ranked.
            evidence: what the sentences cite.
            request: as it came.
            by_hand: places of the sentences in a clinician's own words, who knows the family better than the note.
        """
        patient = self.of_patient(linked, conditions, request)
        passages = {passage.id: passage for passage in evidence.passages}
        pieces = {piece.id: piece for piece in evidence.notes}
        letter = request.document is Document.DISCHARGE_INSTRUCTIONS
        verdicts = []
        for place, sentence in enumerate(sentences):
            if is_no_statement(sentence.text):
                verdict = UNKNOWN  # a gap for the team, no statement
            elif sentence.basis is Basis.PATIENT:
                cited = [pieces[c] for c in sentence.citations if c in pieces]
                verdict = patient.claims(sentence.text, cited)
            else:
                passage = next((passages[c] for c in sentence.citations if c in passages), None)
                about = (sentence.condition_id or "") if letter else ""
                verdict = patient.verdict(sentence.text, passage, about, by_hand=place in by_hand)
                if patient.raised(sentence.text) != sentence.text:
                    verdict = _TOO_LATE
                elif passage and (sooner := patient.sooner(sentence.text, passage)):
                    verdict = verdict.model_copy(update={"raised": sooner})
            verdicts.append(verdict)
        return tuple(verdicts)
