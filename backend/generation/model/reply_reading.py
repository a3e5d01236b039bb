"""A model's sentence as the draft takes it: without markup, with its ids, and with what it rests on, decided by code.

An id that does not exist stays, for the pipeline to count and remove. What orders something about a medicine, or
what was found in this patient, can rest on the patient's notes alone. A gap is one only if it names neither a medicine nor a
number; other text in brackets is a sentence.
"""

import re
from collections.abc import Collection, Sequence

from backend.generation.model.citation_proposal import Proposer
from backend.generation.model.injected_evidence import PASTED
from backend.generation.model.plain_text import plain
from backend.generation.model.reply_stream import ReplySentence
from backend.interfaces import Linker
from backend.prompts.citations import marked
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence
from backend.schemas.drafts.headings import ACTIVITY, DIET, FOLLOW_UP, MEDICINES_PART, PRECAUTIONS, WARNING, WHY
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Assertion, Basis, Category, ConditionStatus, Document
from backend.verification.fit.medication_orders import MEDICINES, claims_of_patient, orders_medicine

ABSENT = frozenset({Assertion.NEGATED, Assertion.FAMILY, Assertion.HISTORICAL})
_GAP = re.compile(r"\[\s*team to complete\s*:?\s*([^\[\]]{1,200}?)\s*\]\.?", re.IGNORECASE)
_MARKED_POSSIBLE = re.compile(r"^\s*\[possible[^\[\]]{0,40}\]\s*", re.IGNORECASE)
_HEDGED = re.compile(r"\b(?:possibl[ey]|may|might|could|can fit|can be|perhaps|suspected|likely|probably)\b", re.I)
_HELP = re.compile(
    r"\b(?:call|emergency|ambulance|911|112|right away|at once|get help|seek help|come back|same day|tell your .{1,30} at your next visit if)\b",
    re.I,
)
_NEXT = re.compile(
    r"\b(?:appointment|follow[- ]?up|see your (?:doctor|team)|clinic visit|check-?up|next visit)\b", re.I
)
_EAT = re.compile(r"\b(?:eat|food|drink|salt|diet|meals?|fluids?|alcohol|sugar)\b", re.I)
_MOVE = re.compile(r"\b(?:walk|activity|exercise|rest|lift|drive|stairs|work|bed)\b", re.I)
_CARE = re.compile(r"\b(?:allerg\w+|avoid|careful|weigh yourself|safe|precaution|remind|wear)\b", re.I)


class SentenceReader:
    """Reads the sentences of one draft. Build one a draft.

    refused, left_out, cleaned and proposed are counted as WriterReport has them.
    """

    def __init__(
        self,
        document: Document,
        paragraph: bool,
        linker: Linker,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        refused: Collection[str],
        proposer: Proposer | None,
    ) -> None:
        self._document = document
        self._paragraph = paragraph
        self._linker = linker
        self.refused = frozenset(refused)
        self._proposer = proposer
        # as the composer has it: a condition of the history is no guess, unless the document is about it
        self._possible = {
            c.concept_id for c in conditions if c.status == ConditionStatus.POSSIBLE and (c.focus or not c.historical)
        }
        self._ruled_out = {c.concept_id for c in conditions if c.status == ConditionStatus.RULED_OUT}
        self._taken = {
            m.concept_id for m in linked.note.mentions if m.category in MEDICINES and m.assertion == Assertion.PRESENT
        } - {m.concept_id for m in linked.note.mentions if m.allergen}
        self._about = {p.id: p.concept_id for p in evidence.passages}
        self._about |= {g.id: g.concept_id for g in evidence.graph}
        self._about |= {k.id: k.condition_id or "" for k in evidence.paths}
        self._pieces = {n.id: n for n in evidence.notes}
        self._linked = linked
        self.left_out = self.cleaned = self.proposed = 0

    def read(self, reply: ReplySentence) -> WrittenSentence | None:
        """The sentence; None where nothing is left of it, or it names a condition that was ruled out."""
        bare = marked(reply.text)
        text, changed = plain(bare.text)
        self.cleaned += changed
        gap = self._gap(text)
        if gap:
            return WrittenSentence(text=gap, section=reply.section, basis=Basis.GENERAL, break_after=reply.last)
        text = _without_brackets(_MARKED_POSSIBLE.sub("", text))
        if not any(c.isalnum() for c in text):
            return None
        mentions = self._linker.link(text).note.mentions
        named = [m.concept_id for m in mentions if m.assertion not in ABSENT]
        if self._ruled_out & set(named):
            self.left_out += 1
            return None
        ids = self.allowed(bare.ids)
        ordering = self._document != Document.CLINICAL_ANSWER and orders_medicine(text, mentions, self._taken)
        claiming = claims_of_patient(text)
        proposed = False
        # what cited refused evidence gets no better evidence from the program
        if not bare.ids and self._proposer is not None:
            found = self._proposer.propose(text, mentions, notes_only=ordering or claiming)
            ids, proposed = ((found,), True) if found else ((), False)
        condition = self._rests_on(named, ids)
        claiming = claiming and not (condition and _HEDGED.search(text))
        if ordering or claiming:
            # neither a book nor a path can say what this patient had, has or is to take
            ids = tuple(name for name in ids if name not in self._about)
        proposed = proposed and bool(ids)
        own = [name for name in ids if name in self._pieces]
        if condition and not _HEDGED.search(text) and any(condition in self._named_in(name) for name in own):
            condition = None  # the patient's own note names it: no guess of the program
        if condition and not ordering and (own or not claiming):
            basis = Basis.POSSIBLE
        else:
            basis = Basis.PATIENT if ordering or claiming or own else Basis.GENERAL
        self.proposed += proposed
        return WrittenSentence(
            text=text,
            section=self._section(text, mentions) if self._paragraph else reply.section,
            basis=basis,
            citations=ids,
            condition_id=condition,
            break_after=reply.last,
            proposed=proposed,
        )

    def allowed(self, ids: Sequence[str]) -> tuple[str, ...]:
        """The ids without those that no sentence may rest on; ids that do not exist stay."""
        return tuple(name for name in ids if name not in self.refused)

    def _named_in(self, name: str) -> frozenset[str]:
        """The concepts that a piece of the patient's notes names as present or as history."""
        piece = self._pieces[name]
        if piece.note_type != PASTED:
            found: Sequence[Mention] = self._linker.link(piece.text).note.mentions
        else:
            found = [m for m in self._linked.note.mentions if piece.start_char <= m.start_char < piece.end_char]
        return frozenset(m.concept_id for m in found if m.assertion in (Assertion.PRESENT, Assertion.HISTORICAL))

    def _rests_on(self, named: Sequence[str], ids: Sequence[str]) -> str | None:
        """The condition nobody has confirmed that a sentence names, or that its evidence is about."""
        about = [self._about.get(name, "") for name in ids]
        return next((concept for concept in (*named, *about) if concept in self._possible), None)

    def _gap(self, text: str) -> str:
        """The gap that a text is and nothing else, in its one form; empty for any other text."""
        found = _GAP.fullmatch(text.strip())
        if found is None or re.search(r"\d", found[1]):
            return ""
        if any(m.category in MEDICINES for m in self._linker.link(found[1]).note.mentions):
            return ""
        return f"[team to complete: {found[1]}]"

    def _section(self, text: str, mentions: Sequence[Mention]) -> str:
        """Of a paragraph without headings: the part that a sentence speaks to."""
        kinds = {m.category for m in mentions}
        if _HELP.search(text):
            return WARNING
        if Category.FOLLOW_UP in kinds or _NEXT.search(text):
            return FOLLOW_UP
        if _CARE.search(text) or Category.PRECAUTION in kinds:
            return PRECAUTIONS
        if kinds & MEDICINES or re.search(r"\bmedicines?\b", text, re.IGNORECASE):
            return MEDICINES_PART
        if Category.DIET in kinds or _EAT.search(text):
            return DIET
        return ACTIVITY if Category.ACTIVITY in kinds or _MOVE.search(text) else WHY


def _without_brackets(text: str) -> str:
    """Text in brackets would count as a gap for the team and not be checked: a sentence is written without them."""
    stripped = text.strip()
    if stripped.startswith("[") and stripped.rstrip(".").endswith("]"):
        return stripped.replace("[", "").replace("]", "").strip()
    return stripped
