"""The composer: writes documents from evidence alone, without a language model, cited by construction.

It leaves out what it has no evidence for, and never offers a thing that the patient reacts to.
"""

from collections.abc import Generator as Steps
from collections.abc import Iterable, Iterator, Mapping, Sequence

from backend.generation.composer.answer import answer_sentences
from backend.generation.composer.answers.options import answer_option
from backend.generation.composer.discharge import discharge_instructions
from backend.generation.composer.patient_material import MaterialMaker
from backend.generation.composer.soap import progress_note
from backend.generation.composer.soap_visits import has_visit_notes, visit_soap
from backend.generation.composer.wording import Glossary
from backend.generation.letter.medicines.draft_medicines import AvoidedConcepts
from backend.generation.letter.medicines.stated.usual_units import DoseKnowledge
from backend.generation.standing.standing_sentences import standing_sentences, with_standing
from backend.generation.writers.writer_parts import WriterParts
from backend.interfaces import ForbiddenOptions, Linker, none_forbidden
from backend.knowledge.allergy_reach import AllergyReach
from backend.knowledge.contraindications import Contraindications
from backend.registry import writer
from backend.schemas.chat import Cancelled, never
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.gaps import UntoldLine
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import WriterReport
from backend.schemas.vocabulary import Document, DraftStatus
from backend.verification.fit.fit_check import FitCheck

NAME = "composer"


@writer(NAME, label="Composer (no language model)", order=1)
def composer_of(parts: WriterParts) -> "Composer":
    """Writes from the evidence alone, without a language model, cited by construction."""
    return Composer(
        parts.linker,
        parts.reach,
        parts.plain,
        parts.avoided,
        parts.contraindications,
        parts.forbids,
        parts.fit,
        parts.cautions,
        parts.doses,
    )


def pasted(request: DraftRequest, linked: LinkedNote) -> Iterable[str]:
    """Concepts that the pasted note lists as allergies, and those that it may report as one."""
    return linked.allergies.concept_ids


class Composer:
    """The writer without a language model. It holds no state between requests.

    Args:
        linker: reads notes, passages and options.
        reach: how far an allergy reaches; no sentence of a passage that names what it reaches is quoted.
        plain: everyday words by concept id, for wording only; every fact comes from the evidence.
        avoided: concept ids of whatever a patient is said to react to, wherever it is said.
        contraindications: what should not be given beside what the patient has; without it only the safety check compares.
        forbids: which options of a question the safety check forbids; they are never chosen.
        fit: decides which general sentences are for a patient; without it by the linker alone.
        cautions: which of them it forbids or warns of; they are never chosen either.
        doses: the usual doses; one far above them is not printed.
    """

    name = NAME

    def __init__(
        self,
        linker: Linker,
        reach: AllergyReach,
        plain: Mapping[str, str],
        avoided: AvoidedConcepts = pasted,
        contraindications: Contraindications | None = None,
        forbids: ForbiddenOptions = none_forbidden,
        fit: FitCheck | None = None,
        cautions: ForbiddenOptions = none_forbidden,
        doses: DoseKnowledge | None = None,
    ) -> None:
        self._maker = MaterialMaker(linker, reach, plain, avoided, contraindications, fit, doses)
        self._forbids = forbids
        self._cautions = cautions

    def stream(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        cancelled: Cancelled = never,
    ) -> Iterator[WrittenSentence | WriterReport]:
        """Yield the sentences, then a report with the option chosen; without evidence for any sentence, that nothing was found."""
        status, steps = DraftStatus.NOTHING_FOUND, self.write(request, linked, conditions, evidence)
        while True:
            try:
                sentence = next(steps)
            except StopIteration as ended:
                answer = self.answer(request, linked, conditions, evidence)
                yield WriterReport(status=status, answer=answer, untold=ended.value)
                return
            status = DraftStatus.COMPLETE
            yield sentence
            if cancelled():
                yield WriterReport(status=DraftStatus.CANCELLED, reason="cancelled")
                return

    def write(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], evidence: Evidence
    ) -> Steps[WrittenSentence, None, tuple[UntoldLine, ...]]:
        """Yield the sentences of the document asked for, in order; none where there is no evidence for any.

        Returns:
            What the note decides or found and a letter does not tell.
        """
        material = self._maker.material(request, linked, conditions, evidence)
        standing = standing_sentences(request, linked, evidence)
        match request.document:
            case Document.DISCHARGE_INSTRUCTIONS:
                rows = self._maker.rows(request, linked, evidence)
                glossary = Glossary(self._maker.plain, material.definitions())
                return (yield from discharge_instructions(material, glossary, request, rows, standing))
            case Document.PROGRESS_NOTE:
                # a system that ranks no conditions writes the visits as the patient's notes have them (CLI-RAG)
                by_visits = not conditions and has_visit_notes(evidence.notes)
                note = visit_soap(material) if by_visits else progress_note(material, request)
                yield from with_standing((one for one in note), standing, request.document)
            case Document.CLINICAL_ANSWER:
                forbidden = self._forbids(request, linked, conditions)
                cautions = self._cautions(request, linked, conditions)
                yield from answer_sentences(
                    material, request, self._maker.linker, forbidden, cautions, self._maker.kinds
                )
        return ()

    def answer(
        self, request: DraftRequest, linked: LinkedNote, conditions: Sequence[Condition], evidence: Evidence
    ) -> str:
        """The letter of the permitted option with the most evidence; empty without options or evidence."""
        if request.document != Document.CLINICAL_ANSWER or not request.options:
            return ""
        material = self._maker.material(request, linked, conditions, evidence)
        forbidden = self._forbids(request, linked, conditions)
        cautions = self._cautions(request, linked, conditions)
        return answer_option(material, request, self._maker.linker, forbidden, cautions, self._maker.kinds).letter
