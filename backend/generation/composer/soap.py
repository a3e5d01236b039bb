"""A progress note (SOAP): what the note itself says, decides and found, what changed since the last visit, and what may be considered.

Subjective and objective come from the note's record, with its sentences where they say more. Assessment and plan are the note's own,
problem by problem; then conditions that it names or that a clinician confirmed, and what the team may consider for them, as far as it
is not done, planned or taken already. A guess stays in the list of conditions.
"""

import re
from collections.abc import Collection, Iterator, Sequence

from backend.generation.composer.material import Material
from backend.generation.composer.progress.already_done import AlreadyDone
from backend.generation.composer.progress.header_lines import FOUND, HISTORY, LABELS, STORY, HeaderLines
from backend.generation.composer.progress.last_visit import since_last_visit, value_courses
from backend.generation.composer.progress.note_plan import NotePlan, bare, note_plan
from backend.generation.composer.progress.vital_signs import VitalSign, vital_signs
from backend.generation.composer.situation_advice import cited, situations
from backend.generation.composer.wording import capital, listed
from backend.nlp.people.care_frames import comfort_goal, is_child
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Condition, GraphItem, NotePiece, Reason
from backend.schemas.drafts.gaps import gap_text
from backend.schemas.drafts.headings import ASSESSMENT, OBJECTIVE, PLAN, SUBJECTIVE
from backend.schemas.drafts.note import Mention
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.patient_notes import dated_statement
from backend.schemas.record import ClinicalStatus, Experiencer, VerificationStatus
from backend.schemas.vocabulary import Assertion, Basis, Category, ConditionStatus, SectionCategory

PASTED_NOTE = "Pasted note"
SUGGESTED = (
    ("diagnosed_by", "consider these tests", 5),
    ("treated_by", "consider treatment with", 6),
    ("monitored_by", "consider, to follow", 3),
    ("has_precaution", "consider these precautions", 3),
    ("has_follow_up", "consider for follow-up", 2),
)
OFFERED = frozenset({"diagnosed_by", "treated_by"})
MOST_CONDITIONS = 4
FITS_FROM = 0.45  # share of the best score from which a condition is told to who asks what may be behind it
MOST_REASONS = 4
MOST_SUMMARY = 5
OF_FAMILY = "family history of "
SIGNS = frozenset(
    {"has_finding", "may_have_finding", "cause_of", "has_warning_sign"}
)  # the others are risks and treatments
_HISTORIES = frozenset(
    {
        SectionCategory.PAST_MEDICAL_HISTORY,
        SectionCategory.PAST_SURGICAL_HISTORY,
        SectionCategory.FAMILY_HISTORY,
        SectionCategory.SOCIAL_HISTORY,
        SectionCategory.MEDICATIONS,
    }
)


def progress_note(material: Material, request: DraftRequest) -> Iterator[WrittenSentence]:
    """Yield the four parts in order; nothing for a note in which nothing was recognised."""
    note, record = material.linked.note, material.record
    if not note.mentions and not record.statements[2:] and not request.hospital_course:
        return
    vitals = _vital_signs(material)
    decided = note_plan(record, note, material.evidence.notes)
    plans = [one for problem in decided.problems for one in problem.plans]
    quoted = [(one.start, one.end) for one in (*plans, *decided.other)]
    lines = HeaderLines(material, vitals, quoted)
    yield from _subjective(material, lines, request)
    objective = list(_objective(material, lines, vitals))
    yield from objective or [_gap(OBJECTIVE, "vital signs, examination and results")]
    yield from _own_assessment(decided)
    named = frozenset(key for problem in decided.problems for key in problem.keys)
    yield from assessment(material, named)
    yield from _own_plan(material, decided)
    if not (is_child(record) or comfort_goal(record)):  # what the graph suggests is for adults who are to be cured
        yield from _suggestions(material)


def _vital_signs(material: Material) -> tuple[VitalSign, ...]:
    own = [o for o in material.record.observations if o.spans and not _in_history(material, o.spans[0].start_char)]
    return vital_signs(own, material.linked.note.text)


def _in_history(material: Material, offset: int) -> bool:
    return material.category_at(offset) in _HISTORIES


def _subjective(material: Material, lines: HeaderLines, request: DraftRequest) -> Iterator[WrittenSentence]:
    for text, cites in since_last_visit(material, request):
        yield _line(SUBJECTIVE, text, cites)
    yield from _quoted(material, SUBJECTIVE, lines.story(), STORY)
    for piece in material.pieces_of("Hospital course"):
        yield _patient(SUBJECTIVE, piece, last=True)
    for pieces in lines.history():
        yield from _quoted(material, SUBJECTIVE, pieces, HISTORY)
    listed_there = lines.lists_medicines
    # "None." of the header, where it lists none
    header = () if listed_there else (SectionCategory.MEDICATIONS,)
    yield from _quoted(material, SUBJECTIVE, [] if listed_there else lines.beside_medicines(), header)
    for text, cites in lines.medicines():
        yield _line(SUBJECTIVE, text, cites)
    yield from _quoted(material, SUBJECTIVE, lines.beside_medicines() if listed_there else [])
    for text, cites in lines.review():
        yield _line(SUBJECTIVE, text, cites)
    said, asked = lines.allergies()
    if said is not None:
        yield _line(SUBJECTIVE, *said)
    if asked:
        yield _gap(SUBJECTIVE, asked)


def _objective(material: Material, lines: HeaderLines, vitals: Sequence[VitalSign]) -> Iterator[WrittenSentence]:
    if vitals:
        places = [material.piece_at(place) for one in vitals for place in one.places]
        cites = tuple(dict.fromkeys(p.id for p in places if p is not None))
        yield _line(OBJECTIVE, f"Vital signs: {', '.join(one.text for one in vitals)}.", cites)
    for pieces in lines.findings():
        yield from _quoted(material, OBJECTIVE, pieces, FOUND)
    for text, cites in value_courses(material):
        yield _line(OBJECTIVE, text, cites)


def _quoted(
    material: Material, part: str, pieces: Sequence[NotePiece], labelled: Collection[SectionCategory] = ()
) -> Iterator[WrittenSentence]:
    """Yield sentences of the note; the first of a header of this part ("asthma, gout.") says what the header is."""
    before: SectionCategory | None = None
    for place, piece in enumerate(pieces):
        category = material.category_at(piece.start_char)
        label = LABELS.get(category, "") if category is not before and category in labelled else ""
        before = category
        following = pieces[place + 1] if place + 1 < len(pieces) else None
        last = following is None or material.category_at(following.start_char) is not category
        yield _patient(part, piece, "" if piece.text.lower().startswith(label.lower()) else label, last=last)


def _patient(part: str, piece: NotePiece, label: str = "", *, last: bool = False) -> WrittenSentence:
    text = " ".join(_TAG.sub(" ", piece.text).split())
    earlier = piece.date and piece.note_type != PASTED_NOTE
    dated = dated_statement(text, piece.date, piece.note_type) if earlier else text
    return WrittenSentence(
        text=f"{label}: {dated}" if label else dated,
        section=part,
        basis=Basis.PATIENT,
        citations=(piece.id,),
        break_after=last,
    )


def _line(part: str, text: str, cites: tuple[str, ...]) -> WrittenSentence:
    return WrittenSentence(text=text, section=part, basis=Basis.PATIENT, citations=cites, break_after=True)


def _own_assessment(decided: NotePlan) -> Iterator[WrittenSentence]:
    """Yield what the note itself says: of the patient as a whole, then of each problem."""
    for piece in decided.summary[:MOST_SUMMARY]:
        yield _line(ASSESSMENT, _sentence(bare(piece.text)), (piece.id,))
    for problem in decided.problems:
        said = [_sentence(bare(piece.text)) for piece in problem.said]
        if not said:
            said = [_sentence(capital(problem.name))]
        elif problem.name.lower() not in " ".join(said).lower():
            said = [f"{capital(problem.name)}:", *said]
        cites = tuple(p.id for p in problem.said) or ((problem.place.id,) if problem.place else ())
        yield _line(ASSESSMENT, " ".join(said), cites)


def _own_plan(material: Material, decided: NotePlan) -> Iterator[WrittenSentence]:
    """Yield what the note itself decides, by problem; what serves none that it names stands under "Other"."""
    parts = [(capital(one.name), one.place, one.plans) for one in decided.problems if one.plans]
    if decided.other:
        parts.append(("Other", None, decided.other))
    for name, place, plans in parts:
        cites = (place.id,) if place is not None else ()
        if cites and not plans[0].text.lower().startswith(name.lower()):
            yield WrittenSentence(text=f"{name}:", section=PLAN, basis=Basis.PATIENT, citations=cites)
        for number, one in enumerate(plans, start=1):
            piece = material.piece_at(one.start)
            text = _sentence(capital(bare(one.text)))
            line = _line(PLAN, text if cites or number > 1 else f"{name}: {text}", (piece.id,) if piece else cites)
            yield line.model_copy(update={"break_after": number == len(plans)})
    without = [_small(one.name) for one in decided.problems if not one.plans and not one.over]
    if without:
        yield _gap(PLAN, f"plan for {listed(without)}; the note states none")
    elif not parts:
        yield _gap(PLAN, "orders, doses and who does what")


def _small(name: str) -> str:
    """A name in the middle of a sentence; an abbreviation stays."""
    return name[:1].lower() + name[1:] if name[1:2].islower() else name


def _sentence(text: str) -> str:
    """A text that ends as a sentence does."""
    words = " ".join(text.split()).rstrip(" ,;")
    return words if words.endswith((".", "?", "!", ":")) else f"{words}."


def assessment(material: Material, said: Collection[str] = ()) -> Iterator[WrittenSentence]:
    """Yield the conditions that the note names or the draft may tell of, each with what speaks for it.

    Args:
        material: of the draft.
        said: concepts and names that stand in the note's own assessment, which tells them better; one that a clinician confirmed is
            told all the same.
    """
    shown = weak = 0
    for condition in material.conditions:
        if condition.historical and not condition.focus and not condition.must_not_miss:
            continue
        if condition.written or condition.status is not ConditionStatus.POSSIBLE:
            own = condition.concept_id in said or condition.name.lower() in said
            background = not condition.written and _is_background(material, condition)
            if (own or background) and condition.status is not ConditionStatus.CONFIRMED:
                continue
            shown += 1
            if shown <= MOST_CONDITIONS:
                yield _assessed(material, condition)
        elif condition.must_not_miss:
            weak += 1
    if weak:
        what = (
            "1 more condition that must not be missed fits" if weak == 1 else f"{weak} more that must not be missed fit"
        )
        yield _gap(ASSESSMENT, f"whether {what} better than the findings here say; see the list of conditions")
    if not shown and not said:
        named = _named_disease(material)
        if named is not None:
            yield named
            yield _gap(ASSESSMENT, "assessment; the note states none of its own")
        else:
            yield _gap(ASSESSMENT, "assessment; the note names no condition of today")


def _named_disease(material: Material) -> WrittenSentence | None:
    """The first disease that the note's story names as the patient's and of today, in the note's words, though no chapter is about it."""
    for one in material.record.stated_problems:
        place = one.spans[0].start_char if one.spans else -1
        piece = material.piece_at(place)
        own = one.experiencer is Experiencer.PATIENT and one.verification_status is VerificationStatus.CONFIRMED
        today = one.clinical_status is ClinicalStatus.ACTIVE and not one.hypothetical
        if piece and own and today and one.category is Category.DISEASE and material.category_at(place) in STORY:
            return _line(ASSESSMENT, f"{capital(one.spans[0].text)}, named in the note.", (piece.id,))
    return None


def explanations(material: Material) -> Iterator[WrittenSentence]:
    """Yield what may be behind the findings, the best fit first, for who asks for it: here what merely fits is told as possible."""
    candidates = [c for c in material.conditions if not c.historical and (c.focus or c.stated or c.score >= FITS_FROM)]
    diseases = [c for c in candidates if c.margin is not None]
    for condition in sorted(diseases, key=lambda c: -c.score)[:MOST_CONDITIONS]:
        yield _assessed(material, condition)


def _is_background(material: Material, condition: Condition) -> bool:
    """Whether the note names a condition only as history, in a review of systems, or beside a medicine."""
    spans = [s for one in material.record.stated_problems if one.concept_id == condition.concept_id for s in one.spans]
    asked = _HISTORIES | {SectionCategory.REVIEW_OF_SYSTEMS}
    return bool(spans) and all(material.category_at(span.start_char) in asked for span in spans)


def _assessed(material: Material, condition: Condition) -> WrittenSentence:
    family: dict[int | None, Mention] = {
        m.start_char: m for m in material.linked.note.mentions if m.assertion == Assertion.FAMILY
    }
    speaking = [r for r in condition.because if r.weight > 0 and (r.name != condition.name or r.start_char in family)]
    reasons: dict[str, Reason] = {}
    for reason in speaking:
        words = _reason(reason, family.get(reason.start_char))
        if words and len(reasons) < MOST_REASONS:
            reasons.setdefault(words, reason)
    signs = [words for words, reason in reasons.items() if reason.relation in SIGNS]
    # the family last: what follows it would read as theirs
    risks = sorted(reasons.keys() - set(signs), key=lambda t: (t.startswith(OF_FAMILY), list(reasons).index(t)))
    named = [r for r in condition.because if r.weight > 0 and r.name == condition.name][:1]
    pieces = [material.piece_at(r.start_char) for r in (*reasons.values(), *named) if r.start_char is not None]
    cites = tuple(dict.fromkeys(p.id for p in pieces if p is not None))
    matching = [f"{listed(signs)} {'fits' if len(signs) == 1 else 'fit'} it"] if signs else []
    likelier = [f"more likely with {listed(risks)}"] if risks else []
    why = f": {'; '.join([*matching, *likelier])}" if reasons else ""
    status = {
        ConditionStatus.CONFIRMED: "confirmed",
        ConditionStatus.IN_NOTE: "named in the note" if condition.stated else "named as likely in the note",
        ConditionStatus.POSSIBLE: "possible",
        ConditionStatus.RULED_OUT: "ruled out",
    }[condition.status]
    alert = " Must not be missed." if condition.must_not_miss else ""
    confirmed = condition.status == ConditionStatus.CONFIRMED
    return WrittenSentence(
        text=f"{capital(condition.name)}, {status}{why}.{alert}",
        section=ASSESSMENT,
        basis=Basis.PATIENT if confirmed and cites else Basis.POSSIBLE,
        citations=(*cites, *material.path_ids(condition, 1), *material.reason_ids(condition)),
        condition_id=None if confirmed else condition.concept_id,
        break_after=True,
    )


def _reason(reason: Reason, family: Mention | None) -> str:
    """What speaks for a condition, in words; of the family only a disease, as the note calls it: "diabetes" says no type."""
    if family is None:
        return reason.name
    words = family.text if reason.name[:1].isupper() else family.text.lower()  # "Parkinson's disease" stays so
    return f"{OF_FAMILY}{words}" if family.category is Category.DISEASE else ""


def _suggestions(material: Material) -> Iterator[WrittenSentence]:
    """Yield what the team may consider for the conditions written about, without what is done, planned or taken."""
    done = AlreadyDone(material.record, material.linked.note.mentions)
    left = 0
    for condition in material.focus:
        possible = condition.status == ConditionStatus.POSSIBLE
        if possible and not condition.written:
            continue
        for relation, label, most in SUGGESTED:
            wanted = [g for g in _facts(material, condition, relation) if not done.has(g) and _holds(material, g)]
            facts = [g for g in wanted if not material.fit.receives(g.tail_id or "")][:most]
            if facts:
                yield WrittenSentence(
                    text=f"{capital(condition.name)}: {label}: {listed(map(_end_in_words, facts))}.",
                    section=PLAN,
                    basis=Basis.POSSIBLE if possible else Basis.GENERAL,
                    citations=tuple(g.id for g in facts),
                    condition_id=condition.concept_id if possible else None,
                    break_after=True,
                )
        left += _left_out(material, condition)
    yield from _weighed(material)
    if left:
        what = "1 test or treatment is" if left == 1 else f"{left} tests or treatments are"
        yield _gap(PLAN, f"{what} left out here because of an allergy or of what else the patient has")


def _weighed(material: Material) -> Iterator[WrittenSentence]:
    """Yield what every order is held against: a pregnancy, a donated organ, failed kidneys, a blood thinner."""
    held = situations(material)
    names = listed(one.mentions[0].name if one.mentions else one.row.chapter for one in held)
    cites = tuple(dict.fromkeys(c for one in held for c in cited(material, one.mentions)))
    if cites:
        yield WrittenSentence(
            text=f"Care with each order: {names}.",
            section=PLAN,
            basis=Basis.PATIENT,
            citations=cites,
            break_after=True,
        )


def _holds(material: Material, fact: GraphItem) -> bool:
    """Whether the patient has what a fact asks for: "in septic shock", "with low potassium"; a grade of the illness nobody can read."""
    when = _WHEN.search(fact.text)
    return when is None or material.fit.has_named(when[1])


def _left_out(material: Material, condition: Condition) -> int:
    """How many of a condition's tests and treatments the patient's allergies and conditions speak against."""
    offered = [g for g in material.evidence.graph if g.concept_id == condition.concept_id and g.relation in OFFERED]
    matching = [g for relation in OFFERED for g in _facts(material, condition, relation)]
    return len(offered) - len(matching)


def _facts(material: Material, condition: Condition, relation: str) -> list[GraphItem]:
    """A condition's facts of one kind: what its chapter names comes first, what the patient should not have not at all."""
    found = [
        g
        for g in material.evidence.graph
        if g.concept_id == condition.concept_id
        and g.relation == relation
        and g.tail_id not in material.blocked
        and not any(name in g.tail_name.lower() for name in material.allergen_names)
    ]
    if relation == "has_precaution":  # hands are washed without a note that says so
        found = [g for g in found if material.is_medicine(g.tail_name)]
    if relation in OFFERED:
        found = [g for g in found if material.fit.offers(g.tail_id or "", condition.concept_id)]
    return sorted(found, key=lambda g: not material.named_by_chapter(condition, g))


def _end_in_words(fact: GraphItem) -> str:
    """A fact's end with when it holds; what a precaution names is a medicine to take care with."""
    when = _WHEN.search(fact.text)
    name = f"{fact.tail_name} ({when[1]})" if when else fact.tail_name
    return f"care with {name}" if fact.relation == "has_precaution" else name


def _gap(part: str, what: str) -> WrittenSentence:
    return WrittenSentence(text=gap_text(what), section=part, basis=Basis.GENERAL, break_after=True)


_WHEN = re.compile(r"\(([^()]+)\)\.$")
_TAG = re.compile(r"</?[A-Za-z][^<>]{0,200}>")  # of a document that was pasted with its markup
