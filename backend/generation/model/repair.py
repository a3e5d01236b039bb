"""One repair pass over a written draft: sentences that their citations do not support are reworded from the evidence, or removed.

Off by default. Only the sentences found unsupported are asked about and may change. A new wording is taken only where the
verifier finds it supported, at least in part; else the old one stays, unsupported as it was. What stood there before is kept.
"""

from collections.abc import Sequence
from dataclasses import replace

from backend.errors import LeapnoteError
from backend.generation.model.context_fit import fitted
from backend.generation.model.injected_evidence import refused
from backend.generation.model.prompt_material import PromptMaterial
from backend.generation.model.reply_reading import SentenceReader
from backend.generation.model.reply_stream import ReplySentence
from backend.interfaces import LanguageModel, Linker, Verifier
from backend.prompts.asking import Asker
from backend.prompts.citations import defused
from backend.prompts.draft_prompts import REPAIR
from backend.schemas.base import Frozen
from backend.schemas.drafts.draft import Verdict, WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.drafts.written import Repaired
from backend.schemas.vocabulary import Support

MOST = 30  # sentences of one pass; a draft with more needs another writer, not a repair


class Repair(Frozen):
    """A new wording of one sentence by its number; empty text strikes it."""

    number: int
    text: str = ""


class Repairs(Frozen):
    """What the model is asked for."""

    sentences: tuple[Repair, ...]


class ModelRepairer:
    """The repair by a language model. It holds no state between requests."""

    def __init__(self, model: LanguageModel, linker: Linker, verifier: Verifier) -> None:
        self._model = model
        self._linker = linker
        self._verifier = verifier

    def repair(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        sentences: Sequence[WrittenSentence],
    ) -> Repaired:
        """The sentences after one pass. A model that fails or replies out of form changes nothing, and the reason says so."""
        verdicts = self._verifier.verify(sentences, linked, evidence)
        wrong = [i for i, verdict in enumerate(verdicts) if verdict.support == Support.UNSUPPORTED][:MOST]
        if not wrong:
            return Repaired(tuple(sentences), (), 0, "no sentence needed repair")
        try:
            found = self._asked(request, linked, conditions, evidence, sentences, verdicts, wrong)
        except LeapnoteError as error:
            return Repaired(tuple(sentences), (), 0, f"not repaired: {error}")
        if isinstance(found, str):
            return Repaired(tuple(sentences), (), 0, f"not repaired: {found}")
        bad = refused(evidence, linked.note.text)
        reader = SentenceReader(request.document, False, self._linker, linked, conditions, evidence, bad, None)
        drafts = {i: _reworded(reader, sentences[i], text) for i, text in found.items() if text.strip()}
        better = self._better({i: new for i, new in drafts.items() if new is not None}, linked, evidence)
        removed = {i for i, text in found.items() if not text.strip()}
        kept = tuple(better.get(i, sentence) for i, sentence in enumerate(sentences) if i not in removed)
        reason = f"of {len(wrong)} unsupported sentences {len(better)} were reworded and {len(removed)} removed"
        return Repaired(kept, tuple(sentences[i] for i in sorted(removed)), len(better), reason)

    def _asked(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        sentences: Sequence[WrittenSentence],
        verdicts: Sequence[Verdict],
        wrong: Sequence[int],
    ) -> dict[int, str] | str:
        """The new text of each place that was asked about, empty where it is to be removed.

        Text instead where the reply was of no use.
        """
        lines = [
            f"{number}. {defused(sentences[i].text)} (cites: {', '.join(sentences[i].citations) or 'nothing'}; check: "
            f"{verdicts[i].reason})"
            for number, i in enumerate(wrong, start=1)
        ]
        material = PromptMaterial(request, linked, conditions, evidence)
        fit = fitted(self._model, REPAIR, material, {}, {"sentences": "\n".join(lines)})
        asker = Asker(self._model, request.seed, lambda: fit.fence)
        reply = asker.shaped(replace(REPAIR, longest=fit.reply), Repairs, fit.data)
        if reply.value is None:
            return reply.reason
        there = dict(enumerate(wrong, start=1))
        out: dict[int, str] = {}
        for repair in reply.value.sentences:
            if repair.number in there:
                out.setdefault(there[repair.number], repair.text)
        return out

    def _better(
        self, drafts: dict[int, WrittenSentence], linked: LinkedNote, evidence: Evidence
    ) -> dict[int, WrittenSentence]:
        known = {
            item.id for kind in (evidence.paths, evidence.graph, evidence.passages, evidence.notes) for item in kind
        }
        asked = {
            i: new.model_copy(update={"citations": tuple(c for c in new.citations if c in known)})
            for i, new in drafts.items()
        }
        verdicts = self._verifier.verify(list(asked.values()), linked, evidence)
        good = (Support.SUPPORTED, Support.PARTIAL)
        return {i: new for (i, new), verdict in zip(asked.items(), verdicts, strict=True) if verdict.support in good}


def _reworded(reader: SentenceReader, old: WrittenSentence, text: str) -> WrittenSentence | None:
    """The new wording read as any sentence of a model, in the old one's place; None where nothing is left of it."""
    new = reader.read(ReplySentence(" ".join(text.split()), old.section, old.break_after))
    return new.model_copy(update={"before_repair": old.text}) if new is not None else None
