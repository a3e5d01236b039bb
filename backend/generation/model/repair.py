"""One repair pass over a written draft: sentences that are not supported, or not for this patient, are reworded or removed.

Off by default. Only the sentences so marked are asked about and may change. A new wording is taken only where the verifier finds it
supported, at least in part, and it fits; else the old one stays, marked as it was. What stood there before is kept.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from backend.errors import LeapnoteError
from backend.generation.composer.patient_material import MaterialMaker
from backend.generation.model.context_fit import fitted
from backend.generation.model.injected_evidence import refused
from backend.generation.model.patient_data import patient_data
from backend.generation.model.reply_reading import SentenceReader
from backend.generation.model.reply_stream import ReplySentence
from backend.interfaces import LanguageModel, Verifier
from backend.prompts.asking import Asker
from backend.prompts.citations import defused
from backend.prompts.draft_prompts import REPAIR
from backend.schemas.base import Frozen
from backend.schemas.drafts.draft import FitVerdict, Verdict, WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Repaired
from backend.schemas.vocabulary import Fit, Support

MOST = 30  # sentences of one pass; a draft with more needs another writer, not a repair


class Repair(Frozen):
    """A new wording of one sentence by its number; empty text strikes it."""

    number: int
    text: str = ""


class Repairs(Frozen):
    """What the model is asked for."""

    sentences: tuple[Repair, ...]


class ModelRepairer:
    """The repair by a language model. It holds no state between requests.

    Args:
        model: rewords.
        verifier: says which sentences are supported.
        maker: makes what the model is given of a patient, as the writer is.
    """

    def __init__(self, model: LanguageModel, verifier: Verifier, maker: MaterialMaker) -> None:
        self._model = model
        self._verifier = verifier
        self._maker = maker

    def repair(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        sentences: Sequence[WrittenSentence],
    ) -> Repaired:
        """The sentences after one pass. A model that fails or replies out of form changes nothing, and the reason says so."""
        draft = _Draft(request, linked, conditions, evidence)
        faults = [_fault(*checks) for checks in self._checked(draft, sentences)]
        wrong = dict([(i, fault) for i, fault in enumerate(faults) if fault][:MOST])
        if not wrong:
            return Repaired(tuple(sentences), (), 0, "no sentence needed repair")
        try:
            found = self._asked(draft, sentences, wrong)
        except LeapnoteError as error:
            return Repaired(tuple(sentences), (), 0, f"not repaired: {error}")
        if isinstance(found, str):
            return Repaired(tuple(sentences), (), 0, f"not repaired: {found}")
        bad = refused(evidence, linked.note.text)
        reader = SentenceReader(request.document, False, self._maker.linker, linked, conditions, evidence, bad, None)
        drafts = {i: _reworded(reader, sentences[i], text) for i, text in found.items() if text.strip()}
        better = self._better(draft, {i: new for i, new in drafts.items() if new is not None})
        removed = {i for i, text in found.items() if not text.strip()}
        kept = tuple(better.get(i, sentence) for i, sentence in enumerate(sentences) if i not in removed)
        reason = f"of {len(wrong)} sentences that are unsupported or do not fit {len(better)} were reworded and {len(removed)} removed"
        return Repaired(kept, tuple(sentences[i] for i in sorted(removed)), len(better), reason)

    def _checked(self, draft: "_Draft", sentences: Sequence[WrittenSentence]) -> list[tuple[Verdict, FitVerdict]]:
        verdicts = self._verifier.verify(sentences, draft.linked, draft.evidence)
        fits = self._maker.fit.check(sentences, draft.linked, draft.conditions, draft.evidence, draft.request)
        return list(zip(verdicts, fits, strict=True))

    def _asked(
        self, draft: "_Draft", sentences: Sequence[WrittenSentence], wrong: Mapping[int, str]
    ) -> dict[int, str] | str:
        """The new text of each place that was asked about, empty where it is to be removed.

        Text instead where the reply was of no use.
        """
        lines = [
            f"{number}. {defused(sentences[i].text)} (cites: {', '.join(sentences[i].citations) or 'nothing'}; check: "
            f"{defused(fault)})"
            for number, (i, fault) in enumerate(wrong.items(), start=1)
        ]
        data = patient_data(self._maker, *draft)
        material = data.prompt_material(draft.request, draft.linked)
        fit = fitted(self._model, REPAIR, material, {}, {"sentences": "\n".join(lines)})
        asker = Asker(self._model, draft.request.seed, lambda: fit.fence)
        reply = asker.shaped(replace(REPAIR, longest=fit.reply), Repairs, fit.data)
        if reply.value is None:
            return reply.reason
        there = dict(enumerate(wrong, start=1))
        out: dict[int, str] = {}
        for repair in reply.value.sentences:
            if repair.number in there:
                out.setdefault(there[repair.number], repair.text)
        return out

    def _better(self, draft: "_Draft", drafts: Mapping[int, WrittenSentence]) -> dict[int, WrittenSentence]:
        """The new wordings that no check has anything against."""
        kinds = (draft.evidence.paths, draft.evidence.graph, draft.evidence.passages, draft.evidence.notes)
        known = {item.id for kind in kinds for item in kind}
        asked = [
            new.model_copy(update={"citations": tuple(c for c in new.citations if c in known)})
            for new in drafts.values()
        ]
        good = (Support.SUPPORTED, Support.PARTIAL)
        return {
            i: new
            for i, new, (verdict, fit) in zip(drafts, asked, self._checked(draft, asked), strict=True)
            if verdict.support in good and not _fault(verdict, fit)
        }


class _Draft(NamedTuple):
    """What a draft is written from."""

    request: DraftRequest
    linked: LinkedNote
    conditions: Sequence[Condition]
    evidence: Evidence


def _fault(verdict: Verdict, fit: FitVerdict) -> str:
    """What the checks have against a sentence; empty for nothing."""
    reasons = [verdict.reason] if verdict.support is Support.UNSUPPORTED else []
    reasons += [f"not for this patient: {fit.reason}"] if fit.fit is Fit.NOT_FOR_THIS_PATIENT else []
    return "; ".join(reasons)


def _reworded(reader: SentenceReader, old: WrittenSentence, text: str) -> WrittenSentence | None:
    """The new wording read as any sentence of a model, in the old one's place; None where nothing is left of it."""
    new = reader.read(ReplySentence(" ".join(text.split()), old.section, old.break_after))
    return new.model_copy(update={"before_repair": old.text}) if new is not None else None
