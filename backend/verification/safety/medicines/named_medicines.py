"""The medicines a request speaks of, with where each was named, and the names nothing is known about."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from backend.interfaces import Linker
from backend.knowledge.starter import concept_id
from backend.schemas.drafts.draft import Sentence, Unrecognised
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.record import Dosage, MedicationCategory, MedicationStatement, MedicationStatus
from backend.schemas.vocabulary import Assertion, Category, SectionCategory
from backend.verification.fit.presuppositions import is_caution
from backend.verification.fit.statement_words import LOCAL, way_of
from backend.verification.safety.medicines.medicine_courses import course_over

MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})
NOTE, DISCHARGE_LIST, DRAFT = "the note", "the discharge list", "the draft"
"""Where a medicine is named."""
Kinds = Callable[[str], Iterable[str]]
"""A medicine with its classes and ingredients."""
Explained = Callable[[str], str]
"""A concept in plain words; empty where there are none."""
Local = Callable[[str, str], str]
"""The product by which a medicine is given in one way; empty for none."""
NOT_NOW = frozenset(
    {MedicationStatus.STOPPED, MedicationStatus.COMPLETED, MedicationStatus.NOT_TAKEN, MedicationStatus.ON_HOLD}
)
_NO_MEDICINES = frozenset({Category.PROCEDURE, Category.DEVICE, Category.SUBSTANCE, Category.DIET, Category.TEST})
"""What an entry of a medication list may be that is no medicine: oxygen, a walker, a formula."""
_DOSED = re.compile(r"\d\s?(?:mg|mcg|g|units?|mL|mEq|tablets?|puffs?)\b", re.IGNORECASE)
"""What a sentence that tells of a medicine with its dose has."""
_VACCINE = concept_id("vaccine")
LISTED_ALONE = "medications/section"
"""The rule of a statement that nothing but its list tells."""
_DATED = re.compile(r"\b(?:19|20)\d\d\b|\b\d{1,2}/\d{1,4}\b")


class Listed(NamedTuple):
    """A statement about a medicine, and where it stands."""

    statement: MedicationStatement
    where: str


class Medicine(NamedTuple):
    """A medicine and everywhere it is named.

    Attributes:
        concept_id: of the medicine.
        name: the concept's.
        text: the words that named it first.
        where: the places that name it, in words.
        taken: the patient has it or is to have it; else the draft merely names it.
        sentence: the draft's first that names it.
        over: the note reports a course that is over, and nothing else names it as taken.
        here: it was given in hospital alone.
        held: the record has it as on hold, and nothing else has it as taken.
        untaken: the record has it as not taken, and nothing else; a clinician's table leaves it out, or the patient does.
        listed: how the record and the discharge list have it.
        reasons: concept ids of what it is given for.
        broad: only its class is named.
        ends: the note tells when or by what its course ends.
        followed_by: concept ids of what begins in its place.
        goes_home, goes_on: it stands on the discharge list; and there without an end, whatever the note says.
    """

    concept_id: str
    name: str
    text: str
    where: str
    taken: bool
    sentence: int | None = None
    over: bool = False
    here: bool = False
    held: bool = False
    untaken: bool = False
    listed: tuple[Listed, ...] = ()
    reasons: frozenset[str] = frozenset()
    broad: bool = False
    ends: bool = False
    followed_by: frozenset[str] = frozenset()
    goes_home: bool = False
    goes_on: bool = False

    @property
    def dosages(self) -> tuple[Dosage, ...]:
        """How it is taken, as often as that is told."""
        return tuple(one.statement.dosage for one in self.listed)

    @property
    def works_less(self) -> bool:
        """Whether it is not taken now, though it was."""
        return self.over or self.held

    def in_turn_with(self, other: "Medicine") -> bool:
        """Whether the note says that one of two ends as the other begins; an end of which it names no follower is that of either.

        A list for home that has both, the ending one without an end, contradicts the note: then they are taken together.
        """
        return any(
            (second.concept_id in first.followed_by or (first.ends and not first.followed_by))
            and not (first.goes_on and second.goes_home)
            for first, second in ((self, other), (other, self))
        )


class _Named(NamedTuple):
    mention: Mention
    where: str
    taken: bool
    sentence: int | None
    over: bool = False


def named_medicines(
    request: DraftRequest,
    linked: LinkedNote,
    sentences: Sequence[Sentence],
    linker: Linker,
    kinds: Kinds | None = None,
    local: Local | None = None,
    explained: Explained | None = None,
) -> list[Medicine]:
    """Medicines of the note, of the discharge list and of the draft's sentences, each once.

    Args:
        request: what was asked for.
        linked: the note, with its record where there is one.
        sentences: the draft's.
        linker: reads the list and the sentences.
        kinds: a medicine with its classes; without it a class stays beside a member of it.
        local: the product of a medicine that acts where it is put, as which one counts that is given in no other way.
        explained: a concept in plain words, of which a medicine in them is no medicine of the draft: "clots caused by heparin".
    """
    named: dict[str, list[_Named]] = {}
    stated = _stated(linked)
    ordered = _ordered_vaccines(linked, kinds)
    for m in _given_or_taken(linked):
        if stated is not None and m.concept_id not in stated:
            continue  # a culture is resistant to it, a level was taken
        present = m.assertion == Assertion.PRESENT or m.start_char in ordered
        if m.category in MEDICINES and present and not m.allergen:
            named.setdefault(m.concept_id, []).append(_Named(m, NOTE, True, None, course_over(linked.note.text, m)))
    for text in request.discharge_medicines:
        for m in linker.link(text).note.mentions:
            if m.category in MEDICINES:
                named.setdefault(m.concept_id, []).append(_Named(m, DISCHARGE_LIST, True, None))
    plain = _plain_words(linked, explained) if explained is not None else ()
    for place, sentence in enumerate(sentences):
        if is_caution(sentence.text):  # to warn of a medicine is not to give it
            continue
        said = sentence.text.lower()
        at = [(said.find(one), said.find(one) + len(one)) for one in plain if one in said]
        for m in linker.link(sentence.text).note.mentions:
            within = any(first <= m.start_char < last for first, last in at)
            if m.category in MEDICINES and not m.allergen and m.assertion != Assertion.NEGATED and not within:
                named.setdefault(m.concept_id, []).append(_Named(m, DRAFT, False, place))
    here = _given_here_alone(linked)
    listed = _listed(request, linked, linker, ordered)
    found = [_medicine(places, here, listed, linker) for places in named.values()]
    if local is not None:
        found = [_as_given(one, local, linker) for one in found]
    if kinds:
        given = [m for m in found if not (m.over and _VACCINE in kinds(m.concept_id))]  # once given, it is not taken
        return _without_classes(given, kinds)
    return found


def _plain_words(linked: LinkedNote, explained: Explained) -> tuple[str, ...]:
    """How the draft may explain what the note names that is no medicine."""
    concepts = {m.concept_id for m in linked.note.mentions if m.category not in MEDICINES}
    return tuple(words for one in concepts if (words := explained(one).lower()))


def _as_given(medicine: Medicine, local: Local, linker: Linker) -> Medicine:
    """The product that is meant where every statement gives a medicine locally: "timolol 0.5 %, one drop to both eyes"."""
    routes = {way_of(one) for one in medicine.dosages if one.text}
    routes.discard("")
    if len(routes) != 1 or not routes <= LOCAL:
        return medicine
    product = local(medicine.concept_id, next(iter(routes)))
    return medicine._replace(concept_id=product, name=product[3:].replace("-", " ")) if product else medicine


def _given_or_taken(linked: LinkedNote) -> list[Mention]:
    """The note's mentions without those of its immunizations: a vaccine that was given is not taken."""
    given = [
        (one.body_char, one.end_char) for one in linked.note.sections if one.category == SectionCategory.IMMUNIZATIONS
    ]
    return [m for m in linked.note.mentions if not any(start <= m.start_char < end for start, end in given)]


def _stated(linked: LinkedNote) -> frozenset[str] | None:
    """The concepts of which the record says anything; None without a record."""
    if linked.record is None:
        return None
    return frozenset(one.concept_id for one in linked.record.medications if one.concept_id)


def _listed(
    request: DraftRequest, linked: LinkedNote, linker: Linker, ordered: frozenset[int]
) -> dict[str, list[Listed]]:
    """The statements about each medicine: those of the record, then those of the discharge list."""
    found: dict[str, list[Listed]] = {}
    own = [(one, NOTE) for one in (linked.record.medications if linked.record else ())]
    for text in request.discharge_medicines:
        record = linker.read(text).record
        own += [(one, DISCHARGE_LIST) for one in (record.medications if record else ())]
    for statement, where in own:
        concept = statement.concept_id
        if concept:
            if where == NOTE and statement.spans and statement.spans[0].start_char in ordered:
                statement = statement.model_copy(update={"status": MedicationStatus.INTENDED})
            found.setdefault(concept, []).append(Listed(statement, where))
    return found


def _ordered_vaccines(linked: LinkedNote, kinds: Kinds | None) -> frozenset[int]:
    """Where vaccines stand that are to be given: with a dose or timing in a list of medicines, which alone tells of them, without a year."""
    found = set()
    for one in linked.record.medications if linked.record and kinds else ():
        vaccine = kinds is not None and one.concept_id is not None and _VACCINE in kinds(one.concept_id)
        if vaccine and one.spans and one.status is MedicationStatus.COMPLETED and one.rule_ids == (LISTED_ALONE,):
            line = linked.note.text[one.spans[0].end_char :].partition("\n")[0]
            if one.dosage.text and not _DATED.search(line):
                found.add(one.spans[0].start_char)
    return frozenset(found)


def _without_classes(medicines: list[Medicine], kinds: Kinds) -> list[Medicine]:
    """The medicines without classes of which a member is named beside them: "her statin" is the simvastatin."""
    above = {kind for one in medicines for kind in kinds(one.concept_id) if kind != one.concept_id}
    return [one for one in medicines if not (one.broad and one.concept_id in above)]


def _given_here_alone(linked: LinkedNote) -> frozenset[str]:
    """The concepts of which the record tells nothing but that they were given in hospital; a schedule says that it goes on there."""
    statements = linked.record.medications if linked.record else ()
    given = {one.concept_id for one in statements if one.category is MedicationCategory.INPATIENT}
    kept = {
        one.concept_id
        for one in statements
        if one.category is not MedicationCategory.INPATIENT or (one.dosage.timing and one.status not in NOT_NOW)
    }
    return frozenset(concept for concept in given - kept if concept)


def _medicine(
    found: Sequence[_Named], here: frozenset[str], listed: Mapping[str, Sequence[Listed]], linker: Linker
) -> Medicine:
    places = list(dict.fromkeys(one.where for one in found))
    first = found[0].mention
    own = tuple(listed.get(first.concept_id, ()))
    taken = [one for one in own if one.statement.status not in NOT_NOW]
    statuses = {one.statement.status for one in own}
    over = all(one.over for one in found if one.taken) and any(one.taken for one in found)
    ended = bool(own) and not taken
    reasons = " ".join(one.statement.reason for one in taken if one.statement.reason)
    return Medicine(
        concept_id=first.concept_id,
        name=first.name,
        text=first.text,
        where=" and ".join([", ".join(places[:-1]), places[-1]]) if len(places) > 1 else places[0],
        taken=any(one.taken for one in found),
        sentence=next((one.sentence for one in found if one.sentence is not None), None),
        over=over or (ended and MedicationStatus.ON_HOLD not in statuses),
        held=ended and MedicationStatus.ON_HOLD in statuses,
        untaken=ended and statuses == {MedicationStatus.NOT_TAKEN},
        listed=tuple(taken),
        reasons=frozenset(m.concept_id for m in linker.link(reasons).note.mentions) if reasons else frozenset(),
        broad=first.category == Category.DRUG_CLASS,
        ends=any(one.statement.ends for one in own),
        followed_by=frozenset(concept for one in own for concept in one.statement.replaced_by),
        goes_home=any(one.where == DISCHARGE_LIST for one in own),
        goes_on=any(one.where == DISCHARGE_LIST and not one.statement.ends for one in own),
        here=first.concept_id in here and all(one.where == NOTE for one in found if one.taken),
    )


def gives(sentence: str, concept: str, linker: Linker) -> bool:
    """Whether a sentence of a draft has a medicine as taken or to be taken; what it stops, holds or tells of the hospital is not."""
    record = linker.read(sentence).record if not is_caution(sentence) else None
    return any(
        one.concept_id == concept and one.status not in NOT_NOW and one.category is not MedicationCategory.INPATIENT
        for one in (record.medications if record else ())
    )


def unrecognised_medicines(
    request: DraftRequest, linked: LinkedNote, sentences: Sequence[Sentence], linker: Linker
) -> list[Unrecognised]:
    """What stands as a medicine in the note, on the discharge list or in the draft and is known as none, each text once.

    Those of the note are the record's.
    """
    out = [
        Unrecognised(kind="medicine", text=text.strip())
        for text in request.discharge_medicines
        if text.strip() and not any(m.category in MEDICINES for m in linker.link(text).note.mentions)
    ]
    others = {m.start_char for m in linked.note.mentions if m.category in _NO_MEDICINES}
    told = " ".join(one.text.lower() for one in out)
    unknown = [
        one
        for one in (linked.record.medications if linked.record else ())
        if not one.recognised and not (one.spans and one.spans[0].start_char in others)
    ]
    for sentence in sentences:
        if _DOSED.search(sentence.text) and not is_caution(sentence.text):
            record = linker.read(sentence.text).record
            unknown += [
                one.model_copy(update={"spans": ()})
                for one in (record.medications if record else ())
                if not one.recognised
            ]
    for one in unknown:
        if one.name.lower() not in told:
            told += f" {one.name.lower()}"
            span = one.spans[0] if one.spans else None
            out.append(
                Unrecognised(
                    kind="medicine",
                    text=one.name,
                    start_char=span.start_char if span else None,
                    end_char=span.end_char if span else None,
                )
            )
    return out
