"""What a document may be built from: the note's mentions and pieces, and the passages' sentences, indexed for writing.

It leaves out every passage sentence that names something the patient reacts to, and counts what it left out; and those that
are not for this patient (`PatientFit`).
"""

from collections import OrderedDict
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import cached_property, lru_cache
from itertools import takewhile
from typing import NamedTuple

from backend.generation.composer.wording import content_words
from backend.interfaces import Linker
from backend.nlp.document import sentences
from backend.nlp.document.tokens import tokens
from backend.nlp.people.situations import names_listed
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.evidence import Condition, Evidence, GraphItem, NotePiece, Passage
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import Assertion, Category, ConditionStatus, Fit, SectionCategory
from backend.verification.fit.fit_check import FitCheck
from backend.verification.fit.medication_orders import names_medicines
from backend.verification.fit.patient_fit import PatientFit
from backend.verification.support.cited import FOR_HOME

CACHED_PASSAGES = 4096
SYMPTOMS = frozenset({Category.SYMPTOM, Category.FINDING})
MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})


class QuotedSentence(NamedTuple):
    """One sentence of a passage, with the concepts it names.

    named: each concept with its half-open code points in the sentence, in order. medicines: those of them that are medicines.
    topic: what the passage's page is about, by its own concept, and by the one that its title names from end to end.
    """

    text: str
    passage: Passage
    concepts: frozenset[str]
    named: tuple[tuple[int, int, str], ...] = ()
    medicines: frozenset[str] = frozenset()
    topic: frozenset[str] = frozenset()

    @property
    def chapter(self) -> str:
        """The name of the chapter that it stands in, in small letters."""
        return self.passage.title.partition(":")[0].lower()


class _ReadSentence(NamedTuple):
    """A sentence of a passage's text as it is kept."""

    text: str
    named: tuple[tuple[int, int, str], ...]
    medicines: frozenset[str]


class PassageReader:
    """Splits passages into sentences with their concepts; a passage text is read once."""

    def __init__(self, linker: Linker) -> None:
        self.linker = linker
        self._read: OrderedDict[str, tuple[_ReadSentence, ...]] = OrderedDict()
        self.is_medicine = lru_cache(maxsize=CACHED_PASSAGES)(self._is_medicine)
        self._named_by = lru_cache(maxsize=CACHED_PASSAGES)(self._concepts_named_by)

    def sentences(self, passage: Passage) -> list[QuotedSentence]:
        """The sentences of a passage with their concepts, in order."""
        found = self._read.get(passage.text)
        if found is None:
            mentions = self.linker.named(passage.text)
            inside = [(a, b, [m for m in mentions if a <= m.start_char < b]) for a, b in sentences(passage.text)]
            found = tuple(
                _ReadSentence(
                    passage.text[a:b],
                    tuple((m.start_char - a, m.end_char - a, m.concept_id) for m in held),
                    frozenset(m.concept_id for m in held if m.category in MEDICINES),
                )
                for a, b, held in inside
            )
            self._read[passage.text] = found
            while len(self._read) > CACHED_PASSAGES:
                self._read.popitem(last=False)
        topic = self._named_by(page_title(passage)) | ({passage.concept_id} if passage.concept_id else frozenset())
        return [
            QuotedSentence(one.text, passage, frozenset(c for *_, c in one.named), one.named, one.medicines, topic)
            for one in found
        ]

    def _is_medicine(self, name: str) -> bool:
        mentions = self.linker.named(name)
        return any(m.category in MEDICINES and m.end_char - m.start_char == len(name) for m in mentions)

    def _concepts_named_by(self, title: str) -> frozenset[str]:
        mentions = self.linker.named(title)
        return frozenset(m.concept_id for m in mentions if m.end_char - m.start_char == len(title))


def page_title(passage: Passage) -> str:
    """The title of a passage's page, without the heading of its section; empty for a page without a title."""
    if passage.title == passage.document_id:  # shown in place of a title
        return ""
    return passage.title.removesuffix(f": {passage.section}") if passage.section else passage.title


class Material:
    """Everything one document is written from. Build one a draft.

    Args:
        linked: the note.
        conditions: the ranked conditions; those ruled out are left out.
        evidence: what may be cited.
        reader: splits passages.
        blocked: the concepts that no quoted sentence may name.
        fit: which general sentences are for this patient; read anew from the note where it is None.
        reached: what a listed allergy reaches at all, however little is to be feared; no general advice is told of it by name.
        treats: whether a medicine is a treatment of a condition, by their ids; without it none is.
        shows_as: the ids of a condition's findings, by its id; none without it.
    """

    def __init__(
        self,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        reader: PassageReader,
        blocked: frozenset[str],
        fit: PatientFit | None = None,
        reached: frozenset[str] = frozenset(),
        treats: Callable[[str, str], bool] = lambda medicine, condition: False,
        shows_as: Callable[[str], Collection[str]] = lambda condition: (),
    ) -> None:
        self.linked = linked
        self.record = linked.record or PatientRecord()
        self.conditions = [c for c in conditions if c.status != ConditionStatus.RULED_OUT]
        self.focus = [c for c in self.conditions if c.focus]
        self.evidence = evidence
        self._reader = reader
        self.blocked = blocked
        self.reached = reached
        self.treats = treats
        self.shows_as = shows_as
        self.fit = fit or FitCheck(reader.linker).of_patient(linked, conditions)
        self.allergen_names = frozenset(item.name.lower() for item in linked.allergies.items if item.name)
        self.left_out = 0
        self._chapters: dict[str, list[tuple[frozenset[str], frozenset[str]]]] = {}
        self._pieces = sorted((p for p in evidence.notes if p.note_type == "Pasted note"), key=lambda p: p.start_char)

    def read(self, text: str) -> PatientRecord:
        """The record of another note of the patient."""
        return self._reader.linker.read(text).record or PatientRecord()

    @cached_property
    def listed(self) -> frozenset[str]:
        """The names of the medicines on the list for home."""
        lines = (piece.text for piece in self.evidence.notes if piece.note_type == FOR_HOME)
        return names_listed(self._reader.linker, lines)

    def mentions(
        self,
        assertion: Assertion,
        categories: Iterable[Category],
        sections: Iterable[SectionCategory] | None = None,
    ) -> list[Mention]:
        """Mentions of one assertion and some categories, in note order; allergens are left out."""
        wanted = frozenset(categories)
        where = None if sections is None else frozenset(sections)
        return [
            m
            for m in self.linked.note.mentions
            if m.assertion == assertion
            and m.category in wanted
            and not m.allergen
            and (where is None or m.section in where)
        ]

    def piece_ids(self, mentions: Iterable[Mention]) -> tuple[str, ...]:
        """The N ids of the pieces that hold the mentions, in note order."""
        ids = (self.piece_at(m.start_char) for m in mentions)
        return tuple(dict.fromkeys(piece.id for piece in ids if piece is not None))

    def piece_at(self, offset: int) -> NotePiece | None:
        """The pasted piece that covers an offset of the note."""
        for piece in self._pieces:
            if piece.start_char <= offset < piece.end_char:
                return piece
        return None

    def pieces_of(self, note_type: str) -> list[NotePiece]:
        """The pieces of the patient's notes of one type, in order."""
        return [p for p in self.evidence.notes if p.note_type == note_type]

    def pieces_in(self, sections: Iterable[SectionCategory]) -> list[NotePiece]:
        """The pasted pieces under the given kinds of header, in note order."""
        wanted = frozenset(sections)
        spans = [(s.start_char, s.end_char) for s in self.linked.note.sections if s.category in wanted]
        return [p for p in self._pieces if any(a <= p.start_char < b for a, b in spans)]

    def category_at(self, offset: int) -> SectionCategory:
        """The kind of header that an offset of the note stands under."""
        for section in self.linked.note.sections:
            if section.start_char <= offset < section.end_char:
                return section.category
        return SectionCategory.UNLABELED

    def named_by_chapter(self, condition: Condition, fact: GraphItem) -> bool:
        """Whether the retrieved passages about a condition name a fact's end, as a concept or by all its words in one sentence."""
        quotes = self._chapters.get(condition.concept_id)
        if quotes is None:
            about = [p for p in self.evidence.passages if p.concept_id == condition.concept_id]
            quotes = [(q.concepts, content_words(q.text)) for p in about for q in self._reader.sentences(p)]
            self._chapters[condition.concept_id] = quotes
        words = content_words(fact.tail_name)
        return any(fact.tail_id in concepts or (words and words <= said) for concepts, said in quotes)

    def is_medicine(self, name: str) -> bool:
        """Whether the name of a fact's end is that of a medicine; a vaccine or vitamin is none to take care with."""
        prevents = word_lists("letter/words_medicines")["preventing"]
        return prevents.isdisjoint(name.lower().split()) and self._reader.is_medicine(name)

    def quotes(self, condition: Condition, section: str) -> list[QuotedSentence]:
        """Sentences of the retrieved passages about one condition's part; blocked ones are counted, not given."""
        out: list[QuotedSentence] = []
        for passage in self.evidence.passages:
            if passage.concept_id == condition.concept_id and passage.section == section:
                out.extend(self.allowed(self._reader.sentences(passage)))
        return out

    def situation_quotes(self, chapter: str, section: str, most: int) -> list[QuotedSentence]:
        """Sentences of a chapter about a situation, whose own medicines are no offer; blocked ones are counted, not given."""
        title = f"{chapter}: {section}".lower()
        passages = [p for p in self.evidence.passages if p.title.lower() == title]
        quotes = [q for p in passages for q in self._reader.sentences(p)]
        return [q for q in self._unblocked(quotes) if self.fit.fits(q.text, (), chapter, q.passage)][:most]

    def all_quotes(self) -> list[QuotedSentence]:
        """Every sentence of the passages that may be quoted, in the passages' order."""
        return [q for passage in self.evidence.passages for q in self.allowed(self._reader.sentences(passage))]

    def every_quote(self) -> list[QuotedSentence]:
        """Every sentence of the passages, those too that may not be written: what advises against an option may name it."""
        return [q for passage in self.evidence.passages for q in self._reader.sentences(passage)]

    def is_for_patient(self, quote: QuotedSentence, about: str = "") -> bool:
        """Whether the check of fit will let a quote stand. about: the condition it is written about; empty for none."""
        return self.fit.verdict(quote.text, quote.passage, about).fit is not Fit.NOT_FOR_THIS_PATIENT

    def is_of_own_medicines(self, quote: QuotedSentence, *, begun: bool) -> bool:
        """Whether advice on medicines is for this patient: it names one that they take, or tells them what to do with all those that they take.

        What a team may give is none, nor is what is given to people at large. begun: only of one that was started or changed, and of
        no list of which they take some; what goes on as before has been explained.
        """
        if begun and not (any(map(self.fit.begins, quote.medicines)) and all(map(self.fit.takes, quote.medicines))):
            return False
        addressed = not word_lists("letter/words_advice")["addressed"].isdisjoint(tokens(quote.text).words)
        of_all = self.fit.takes_any() and names_medicines(quote.text) and addressed
        own = any(map(self.fit.takes, quote.medicines)) if quote.medicines else of_all
        return own and not self.fit.is_offer(quote.text)

    def allowed(self, quotes: Iterable[QuotedSentence]) -> list[QuotedSentence]:
        """The sentences that name nothing the patient reacts to and that fit this patient."""
        free = self._unblocked(quotes)
        return [q for q in free if self.fit.fits(q.text, q.concepts, q.passage.concept_id, q.passage)]

    def applicable(self, passage: Passage) -> list[QuotedSentence]:
        """The sentences of a passage that whoever writes may use, in order: allowed ones whose subject is this patient's."""
        return [
            q
            for q in self.allowed(self._reader.sentences(passage))
            if self.fit.verdict(q.text, passage).fit is not Fit.NOT_FOR_THIS_PATIENT
        ]

    def _unblocked(self, quotes: Iterable[QuotedSentence]) -> list[QuotedSentence]:
        kept = []
        for quote in quotes:
            if quote.concepts & self.blocked:
                self.left_out += 1
            else:
                kept.append(quote)
        return kept

    def definitions(self) -> dict[str, str]:
        """The G id of each concept's definition."""
        return {g.concept_id: g.id for g in self.evidence.graph if not g.relation}

    def reason_ids(self, condition: Condition) -> tuple[str, ...]:
        """The G ids of the facts that join a condition to what speaks for it."""
        spoken = {r.concept_id for r in condition.because if r.weight > 0}
        facts = [g for g in self.evidence.graph if g.concept_id == condition.concept_id]
        joined = [g.id for g in facts if g.tail_id in spoken]
        # a broader or narrower finding speaks for it: then the definition says at least what the condition is
        return tuple(joined or [g.id for g in facts if not g.relation])

    def reasons_cited(self, condition: Condition, most: int = 3) -> tuple[str, ...]:
        """The N ids of the pieces that hold what speaks for a condition: first its name as the note writes it."""
        places = [r.start_char for r in condition.because if r.start_char is not None and r.weight >= 0]
        pieces = (self.piece_at(place) for place in places)
        return tuple(dict.fromkeys(piece.id for piece in pieces if piece is not None))[:most]

    def path_ids(self, condition: Condition, most: int = 2) -> tuple[str, ...]:
        """The K ids of the paths whose edges lead from the keyword to a condition, best first; a leap is no evidence."""
        through = []
        for path in self.evidence.paths:
            joined = takewhile(lambda step: not step.leap, path.steps)
            if path.supported_text and any(step.concept_id == condition.concept_id for step in joined):
                through.append(path.id)
        return tuple(through[:most])
