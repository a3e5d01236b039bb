"""Fit of single sentences with one patient: what a composer asks before it writes, and the check of what was written.

A sentence that presupposes what the record does not hold (a wound, a medicine, a habit, a stay in hospital), that is of a chapter on
what the patient does not have, or that tells what is somebody else's, denied or past, is not for this patient. Rows of
applicability decide first; other sentences are read by `presuppositions`.
"""

import re
from collections.abc import Collection, Mapping, Sequence

from backend.knowledge.advice.applicability import Applicability
from backend.knowledge.advice.needs import Need, Needs, spoken_against
from backend.knowledge.advice.pointing_words import as_it_stands
from backend.knowledge.advice.raised_levels import raised, raising
from backend.knowledge.advice.red_flags import COMFORT_GOAL, OPENINGS, as_new, level_of, opening_of, sign_of
from backend.knowledge.advice.sign_classes import Level
from backend.nlp.document.sentences import sentences as sentence_spans
from backend.nlp.measures.measures import measures_of
from backend.nlp.measures.units import HOURS, MONTHS
from backend.schemas.drafts.draft import FitVerdict, RaisedLevel
from backend.schemas.drafts.evidence import NotePiece, Passage
from backend.schemas.drafts.gaps import is_no_statement
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.record import PlanKind
from backend.schemas.vocabulary import Fit
from backend.verification.fit.patient_claims import claims_verdict
from backend.verification.fit.patient_facts import Broader, PatientFacts, no_broader
from backend.verification.fit.present_signs import PresentSigns, without_new
from backend.verification.fit.presuppositions import SentenceReader, is_caution
from backend.verification.fit.told_signs import ToldSigns

HANDBOOK = "handbook/"
"""How the ids of the handbook's documents begin; its chapters are for adults."""
SIGNED_INSTRUCTION = "standing/instruction/"
"""How the ids of documents of signed standing instructions begin; whom they are for was asked before they became evidence."""
OF_ONE_KIND = frozenset({"Medicines", "Diet", "Activity", "Precautions", "Follow-up"})
"""Parts of a chapter of which a sentence that names one kind of the illness is for who has that kind."""
HARMLESS = frozenset({"Diet", "Activity", "Precautions", "Warning signs"})
"""Parts of a chapter whose sentences hold for anybody where they do not name what the chapter is about."""
UNKNOWN, _FITS = FitVerdict(fit=Fit.UNKNOWN), FitVerdict(fit=Fit.FITS)
"""Unknown is what is no statement, or what nothing is known about."""
_ANY_AGE, _ANY_SUBJECT, _ADULT = Need("any age"), Need("any subject"), Need("adult", unless_denied=True)
_NONE = Needs()
_OPERATION = "surgery"
_FOR_COMFORT = Needs(((COMFORT_GOAL,),))
_OWN_PRECAUTION = "the note's own return precautions"
_OWN_VISITS = FitVerdict(
    fit=Fit.NOT_FOR_THIS_PATIENT, reason="gives a time for a visit or a test; the note itself plans them"
)
_OUTLASTED = FitVerdict(
    fit=Fit.NOT_FOR_THIS_PATIENT, reason="asks to call once it has lasted for a time; the note tells that it has"
)
_SEEN_BEFORE = FitVerdict(
    fit=Fit.NOT_FOR_THIS_PATIENT, reason="asks to call once it has lasted for a time; the note's own plan comes before"
)
_FOLLOW_UP = "Follow-up"


class PatientFit:
    """Decides for one patient. Build one a draft, with FitCheck.of_patient.

    Args:
        facts: what the record holds; None where there is no note, so that nothing can be held against it.
        reader: reads sentences.
        applicability: for whom sentences of the handbook hold.
        asked: concepts that the request asks about, which need not be the patient's.
        unsuited: medicines that should not be offered, with the conditions that speak against them.
        linked: the note; None where there is none.
        broader: the broader concepts of a concept.

    Attributes:
        present: the signs that are there today; None where there is no note.
    """

    def __init__(
        self,
        facts: PatientFacts | None,
        reader: SentenceReader,
        applicability: Applicability,
        asked: frozenset[str],
        unsuited: Mapping[str, frozenset[str]],
        linked: LinkedNote | None = None,
        broader: Broader = no_broader,
    ) -> None:
        self._linked = linked
        record = linked.record if linked is not None else None
        self.present = PresentSigns(record, reader.linker, broader, self.meets) if record is not None else None
        plan = record.plan if record is not None else ()
        self._visits_decided = any(one.kind is PlanKind.FOLLOW_UP for one in plan)
        self._facts = facts
        self._broader = broader
        self._reader = reader
        self._applicability = applicability
        self._asked = asked
        self._unsuited = unsuited
        self._failed: dict[Need, str] = {}

    def verdict(self, text: str, passage: Passage | None = None, about: str = "", by_hand: bool = False) -> FitVerdict:
        """Whether a general sentence belongs to this patient, with the reason where it does not.

        Args:
            text: one sentence.
            passage: the passage that it cites; the subject of its chapter must be the patient's.
            about: the id of a condition that it is written about, where it cites no passage.
            by_hand: it is a clinician's own, and may name a relative whom the note does not.
        """
        facts = self._facts
        if facts is None or is_no_statement(text):
            return UNKNOWN
        if _is_signed(passage):
            return _FITS
        text = as_it_stands(text, passage.text) if passage else text
        subject = passage.concept_id if passage and passage.concept_id else about
        chapter = passage.title.partition(":")[0] if passage else ""
        for_adults = passage is not None and passage.document_id.startswith(HANDBOOK)
        row = self._applicability.needs(text, chapter) if for_adults else None
        if row is not None and (_ANY_SUBJECT,) in row.all_of:
            subject = ""
        section = passage.section if passage else ""
        reason = self._other_subject(text, subject, chapter, section) or self._other_kind(
            text, subject, chapter, section
        )
        if reason:
            return FitVerdict(fit=Fit.NOT_FOR_THIS_PATIENT, reason=reason)
        return self._held(text, chapter, section, for_adults=for_adults, held=bool(subject), by_hand=by_hand)

    def claims(self, text: str, pieces: Sequence[NotePiece]) -> FitVerdict:
        """Whether what a sentence tells of the patient is the patient's own and of today by the pieces that it cites."""
        if self._linked is None:
            return UNKNOWN
        verdict = claims_verdict(text, self._reader, self._linked, pieces)
        if verdict.fit is not Fit.NOT_FOR_THIS_PATIENT and (reason := self.unheld(text, pieces)):
            return FitVerdict(fit=Fit.NOT_FOR_THIS_PATIENT, reason=reason)
        return verdict

    def unheld(self, text: str, pieces: Sequence[NotePiece]) -> str:
        """What a sentence that cites the patient's notes presupposes though neither the record nor these pieces hold it, in words.

        Args:
            text: one sentence.
            pieces: the pieces that it cites; what they presuppose themselves they may well tell.

        Returns:
            The reason; empty where there is none.
        """
        if self._facts is None:
            return ""
        needs = self._reader.read(text).needs
        theirs = [self._reader.read(piece.text).needs for piece in pieces]
        presupposed = {need for one in theirs for group in (*one.all_of, one.none_of) for need in group}
        said = " ".join(piece.text.lower() for piece in pieces)
        named = frozenset[str]().union(*(self._reader.concepts(piece.text) for piece in pieces))
        for group in needs.all_of:
            reasons = [self._fails(need) for need in group]
            if (
                all(reasons)
                and presupposed.isdisjoint(group)
                and not any(
                    n.name and (self._reader.concept_of(n.name) in named or _stands(n.name, said)) for n in group
                )
            ):
                return reasons[0]
        against = (need for need in needs.none_of if need not in presupposed and self._facts.holds(need))
        return next(map(spoken_against, against), "")

    def fits(self, text: str, concepts: Collection[str], about: str, passage: Passage | None = None) -> bool:
        """Whether a composer may write a sentence of a chapter that it chose.

        Args:
            text: one sentence of the handbook.
            concepts: what it names.
            about: the condition whose chapter it stands in, which knows its own medicines; empty for none.
            passage: where it stands; None where that is not known.
        """
        if _is_signed(passage):
            return True
        chapter = passage.title.partition(":")[0] if passage else ""
        held = self._held(text, chapter, passage.section if passage else "", for_adults=bool(about), held=True)
        section = passage.section if passage else ""
        own = not self._offers(text, concepts, about) and not self._other_kind(text, about, chapter, section)
        return held.fit is not Fit.NOT_FOR_THIS_PATIENT and own

    def meets(self, needs: Needs) -> bool:
        """Whether the record holds everything that needs ask, and nothing of what must not be; never where there is no note."""
        if self._facts is None:
            return False
        held = all(any(not self._fails(need) for need in group) for group in needs.all_of)
        return held and not any(self._facts.holds(need) for need in needs.none_of)

    def lasts(self, text: str) -> bool:
        """Whether a sentence holds long after a disease: what a wound or a cure asks for is over."""
        reading = self._reader.read(text)
        kinds = {need.kind for group in reading.needs.all_of for need in group}
        return not reading.mending and kinds.isdisjoint(
            {"wound", "stitches", "operation", "operation done", "catheter"}
        )

    def takes(self, concept: str) -> bool:
        """Whether the patient takes a medicine, or one of its class; of a patient without a note nothing is known."""
        return self._facts is not None and self._facts.takes(concept)

    def begins(self, concept: str) -> bool:
        """Whether a medicine, or one of its class, was started, changed or is to be taken from now on."""
        return self._facts is not None and self._facts.begins(concept)

    def takes_for_long(self, concept: str) -> bool:
        """Whether a medicine, or one of its class, is taken without an end that the note tells."""
        return self._facts is not None and self._facts.takes_for_long(concept)

    def receives(self, concept: str) -> bool:
        """Whether the patient takes a medicine or is given it here, or another antibiotic."""
        return self._facts is not None and self._facts.receives(concept)

    def has_named(self, text: str) -> bool:
        """Whether words name something, and all that they name is the patient's."""
        named = self._reader.concepts(text)
        return bool(named) and self._facts is not None and all(map(self._facts.has_concept, named))

    def raised(self, text: str) -> str:
        """A warning at the level that its sign has for this patient: a fever with a donated organ does not wait, nor what the note asks to come for."""
        text = raised(text, self.meets)
        if self._asked_sooner(text):
            return f"{OPENINGS[Level.EMERGENCY_DEPARTMENT]}{sign_of(text)}."
        return text

    def _asked_sooner(self, text: str) -> bool:
        return self.present is not None and not self.meets(_FOR_COMFORT) and self.present.asked_sooner(text)

    def told(self, text: str) -> str:
        """A warning as this patient should be told it: at its level, and of a sign that is there already as new or worse."""
        text = self.raised(text)
        return as_new(without_new(text)) if self.has_already(text) else text

    def has_already(self, text: str) -> bool:
        """Whether a warning tells a sign that the patient has already."""
        return self.present is not None and self.present.has(text)

    def sooner(self, text: str, passage: Passage) -> RaisedLevel | None:
        """Why a warning asks for help sooner than a passage that tells its sign; None where it does not."""
        sign = sign_of(text)
        told = (passage.text[start:end] for start, end in sentence_spans(passage.text)) if sign else ()
        own = next((one for one in told if sign_of(one) == sign), "")
        found = raising(own, self.meets)
        if own and level_of(text) is Level.EMERGENCY_DEPARTMENT and self._asked_sooner(own):
            return RaisedLevel(source_says=opening_of(own), because=_OWN_PRECAUTION)
        if self._facts is None or found is None or found.level is not level_of(text):
            return None
        need = next(one for group in found.needs.all_of for one in group if not self._fails(one))
        return RaisedLevel(source_says=opening_of(own), because=self._facts.told_as(need))

    def told_signs(self) -> ToldSigns:
        """Which warning signs a letter to this patient tells already; of a new letter none."""
        return ToldSigns(self._reader.linker.named, self._broader)

    def takes_any(self) -> bool:
        """Whether the patient takes any medicine."""
        return self._facts is not None and self._facts.takes_any

    def is_operation(self, concept: str) -> bool:
        """Whether a concept is an operation, as the graph has it."""
        return self._reader.concept_of(_OPERATION) in self._broader(concept)

    def is_offer(self, text: str) -> bool:
        """Whether a sentence only tells what a team may give, or what is given to people at large."""
        reading = self._reader.read(text)
        return reading.offers or reading.at_large

    def offers(self, concept: str, about: str) -> bool:
        """Whether a medicine may be named as one to think of for a condition."""
        return not self._unsuited.get(concept, frozenset()) - {about}

    def _offers(self, text: str, concepts: Collection[str], about: str) -> bool:
        named = any(not self.offers(concept, about) for concept in concepts)
        return named and not self.warns(text)

    def warns(self, text: str) -> bool:
        """Whether a sentence warns of what it names: it holds for those too who do not take it."""
        return is_caution(text) or self._reader.read(text).warns

    def _other_subject(self, text: str, subject: str, chapter: str, section: str) -> str:
        """Why the subject of a sentence is not the patient's; empty where it is, or where it names no subject."""
        facts = self._facts
        if not subject or facts is None or subject in self._asked or facts.has_concept(subject):
            return ""
        named = subject in self._reader.concepts(text) or (chapter and chapter.lower() in text.lower())
        if section in HARMLESS and not named:
            return ""
        name = chapter[:1].lower() + chapter[1:] if chapter[1:2].islower() else chapter
        return f"is about {name or 'a condition'}; {facts.without_concept(subject)}"

    def _other_kind(self, text: str, subject: str, chapter: str, section: str) -> str:
        """Why a sentence without a row is about another kind of its chapter's illness: of hepatitis B where the patient has hepatitis C."""
        facts = self._facts
        if (
            facts is None
            or not subject
            or section not in OF_ONE_KIND
            or self.warns(text)
            or self._applicability.needs(text, chapter)
        ):
            return ""
        kinds = [one for one in self._reader.ills(text) if subject in self._broader(one.concept_id)]
        if not kinds or any(facts.has_concept(one.concept_id) for one in kinds):
            return ""
        return f"is about {kinds[0].name}; {facts.without_concept(kinds[0].concept_id)}"

    def _held(
        self, text: str, chapter: str, section: str, *, for_adults: bool, held: bool, by_hand: bool = False
    ) -> FitVerdict:
        """The verdict on a sentence whose subject is the patient's. held: the record holds that subject."""
        if section == _FOLLOW_UP and self._visits_decided and _gives_a_time(text):
            return _OWN_VISITS
        if self.present is not None and self.present.outlasted(text):
            return _OUTLASTED
        if self.present is not None and self.present.seen_before(text):
            return _SEEN_BEFORE
        row = self._applicability.needs(text, chapter) if for_adults else None
        reading = self._reader.read(text) if self._facts else None
        needs = row if row is not None else reading.needs if reading else _NONE
        needs = self._applicability.joined(needs, section) if for_adults else needs
        if reading is not None and reading.always != _NONE:
            needs = Needs(needs.all_of + reading.always.all_of, needs.none_of + reading.always.none_of)
        if for_adults and (_ANY_AGE,) not in needs.all_of and (reason := self._fails(_ADULT)):
            return FitVerdict(fit=Fit.NOT_FOR_THIS_PATIENT, reason=reason)
        for group in needs.all_of:
            reasons = [self._fails(need) for need in group]
            if all(reasons) and not (by_hand and any(need.kind == "relative" for need in group)):
                return FitVerdict(fit=Fit.NOT_FOR_THIS_PATIENT, reason=reasons[0])
            held = held or not all(reasons)
        for need in needs.none_of:
            if self._facts is not None and self._facts.holds(need):
                return FitVerdict(fit=Fit.NOT_FOR_THIS_PATIENT, reason=spoken_against(need))
        return _FITS if held or row is not None else UNKNOWN

    def _fails(self, need: Need) -> str:
        """Why a need fails; empty where it does not. Asked once a draft."""
        if self._facts is None:
            return ""
        if need not in self._failed:
            self._failed[need] = self._facts.why(need) if self._facts.missing(need) else ""
        return self._failed[need]


def _gives_a_time(text: str) -> bool:
    return any(one.unit in (HOURS, MONTHS) for one in measures_of(text).numbers)


def _stands(name: str, text: str) -> bool:
    return re.search(rf"(?<!\w){re.escape(name.lower())}", text) is not None


def _is_signed(passage: Passage | None) -> bool:
    return passage is not None and passage.document_id.startswith(SIGNED_INSTRUCTION)
