"""Problem statements: the diagnoses, symptoms and findings that a note states, once each, with whose and which status.

Four readings give them, and of two that meet the earlier stands: mentions of the lexicon, words that state a problem by
themselves, everyday names, and phrases whose last word names a problem (concept_id is then None).
"""

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from backend.nlp.attributes.seam import AttributesOf, SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.course.courses import Beside, course, only_history, stated_course
from backend.nlp.findings.course.problem_evidence import Judged
from backend.nlp.findings.course.problem_scorer import scored
from backend.nlp.findings.course.told_status import may_decide, told_of, with_status
from backend.nlp.findings.measured.superseded import superseded
from backend.nlp.findings.measured.values import Held, telling_values
from backend.nlp.findings.problem_details import body_side, dated_before, onset, severity, stage
from backend.nlp.findings.problem_names import Where, named_problems
from backend.nlp.findings.problem_phrases import by_ending, headed_phrases, sharing_phrases
from backend.nlp.rules import RULES, rule_names
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.note import Mention
from backend.schemas.record import (
    VALUE_ALONE,
    ClinicalStatus,
    Experiencer,
    ProblemStatement,
    RecordSpan,
    VerificationStatus,
)
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

FAMILY = "findings/problem"
PROBLEMS = frozenset({Category.DISEASE, Category.SYMPTOM, Category.FINDING})
_GIVES_WAY = frozenset(
    {Category.PHENOMENON, Category.ACTIVITY, Category.PERSON, Category.PHYSIOLOGY, Category.CONCEPT, Category.SUBSTANCE,
     Category.ANATOMY, Category.DRUG, Category.ORGANISM, Category.PRECAUTION, Category.DIET, Category.OCCUPATION}
)  # fmt: skip
"""Categories of mentions that an everyday name of a problem takes the place of: "smoking" is an activity there."""
_HISTORIES = frozenset({SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY})
_UNREAD = frozenset({SectionCategory.ALLERGIES, SectionCategory.IMMUNIZATIONS})
ConceptOf = Callable[[str], str | None]
"""Gives the concept id of a name, or None where the vocabulary has none."""
_CERTAINTY = {"name": 0.9, "head": 0.7}
_BESIDE = 4  # problems behind one that words behind it may be said of
_UNIT = 2  # letters of the units and marks of a bare value
_NAMED, _KEPT_FROM_PHRASES = 1, 2


class _Found(NamedTuple):
    """A problem in a note by its tokens, before it is judged."""

    first: int
    last: int
    name: str
    concept_id: str | None
    category: Category
    certainty: float
    rule_ids: tuple[str, ...] = ()
    mention: Mention | None = None
    where: Where = Where.EVERYWHERE
    denied: bool = False
    over: bool = False


def problem_statements(
    note: ParsedNote,
    mentions: Sequence[Mention],
    attributes_of: AttributesOf,
    concept_of: ConceptOf,
    values: Sequence[Mention] = (),
) -> tuple[ProblemStatement, ...]:
    """The problems of a note in order of place; those of one name, person and status are one statement.

    Args:
        note: the parsed note.
        mentions: of the note, with their assertions.
        attributes_of: gives the attributes of spans of the note.
        concept_of: the concept id of a name, or None: an everyday name may be that of a concept.
        values: what measured values tell that is no mention of the note.
    """
    judged = judged_problems(note, mentions, attributes_of, concept_of, values)
    over = superseded(note, mentions)
    statements: dict[tuple[str, ...], ProblemStatement] = {}
    said_again: dict[tuple[str, ...], list[RecordSpan]] = defaultdict(list)
    rules: dict[tuple[str, ...], tuple[str, ...]] = {}
    for one, (told, features) in zip(judged, scored(note, judged), strict=True):
        statement = one.statement
        if may_decide(one.told, told, one.runs, features) and not statement.is_value_alone:
            statement = with_status(statement, told)
        if statement.spans[0].start_char in over:
            statement = statement.model_copy(update={"clinical_status": ClinicalStatus.RESOLVED})
        key: tuple[str, ...] = (
            statement.concept_id or statement.name.lower(), statement.experiencer, statement.kinship,
            statement.verification_status, statement.clinical_status, str(statement.hypothetical),
        )  # fmt: skip
        known = statements.get(key)
        if known is not None and known.is_value_alone and not statement.is_value_alone:
            said_again[key].append(known.spans[0])
            statements[key] = statement.model_copy(update={"id": known.id})
        elif known is not None:
            said_again[key].append(statement.spans[0])
            if statement.stage and not known.stage:  # "PMH: heart failure … acute on chronic heart failure"
                statements[key] = known.model_copy(update={"stage": statement.stage})
            rules[key] = (*rules.get(key, ()), *(rule for rule in statement.rule_ids if rule != VALUE_ALONE))
        else:
            statements[key] = statement.model_copy(update={"id": f"problem-{len(statements) + 1}"})
    for key, spans in said_again.items():
        first = statements[key]
        told_by = tuple(dict.fromkeys((*first.rule_ids, *rules.get(key, ()))))
        statements[key] = first.model_copy(update={"spans": (*first.spans, *spans), "rule_ids": told_by})
    return tuple(statements.values())


def judged_problems(
    note: ParsedNote,
    mentions: Sequence[Mention],
    attributes_of: AttributesOf,
    concept_of: ConceptOf,
    values: Sequence[Mention] = (),
) -> list[Judged]:
    """Every problem of a note, in order of place, with what the rows say of it, before the scorer is asked.

    Args:
        note: the parsed note.
        mentions: of the note, with their assertions.
        attributes_of: gives the attributes of spans of the note.
        concept_of: the concept id of a name, or None.
        values: what measured values tell that is no mention of the note.
    """
    found = sorted(_all(note, mentions, concept_of, values), key=lambda one: (one.first, one.last))
    starts, ends = note.tokens.starts, note.tokens.ends
    asked = [i for i, one in enumerate(found) if one.mention is None or _of_family(one.mention)]
    attributes = dict(
        zip(asked, attributes_of([(starts[found[i].first], ends[found[i].last - 1]) for i in asked]), strict=True)
    )
    judged = []
    places = [Beside(one.first, one.last, _runs(one)) for one in found]
    for i, one in enumerate(found):
        runs, said = places[i].runs, _said(one, attributes.get(i))
        statement = _statement(note, one, said, attributes.get(i), runs, places[i + 1 : i + 1 + _BESIDE])
        if statement is not None:
            judged.append(Judged(one.first, one.last, statement, told_of(statement), runs, said.holds, said.cue))
    return judged


def _all(
    note: ParsedNote, mentions: Sequence[Mention], concept_of: ConceptOf, values: Sequence[Mention]
) -> Iterator[_Found]:
    """Every problem of the note; none shares a token with another."""
    taken = bytearray(len(note.words) + 1)
    others: dict[tuple[int, int], Mention] = {}
    held = {one.start: one.held for one in note.once(telling_values)}
    for value in values:
        first, last = _tokens(note, value)
        taken[first:last] = bytes([_NAMED]) * (last - first)
        yield _Found(first, last, value.name, value.concept_id, value.category, value.score, (VALUE_ALONE,), value)
    for mention in mentions:
        first, last = _tokens(note, mention)
        if first >= last:
            continue
        if mention.category in PROBLEMS or mention.allergen:
            taken[first:last] = bytes([_NAMED]) * (last - first)
            told = held.get(mention.start_char) if _is_bare(mention) else None
            if not mention.allergen and told is not Held.NOT and mention.name not in _no_problems():
                rules = (VALUE_ALONE,) if told is Held.ALONE else ()
                yield _Found(
                    first, last, mention.name, mention.concept_id, mention.category, mention.score, rules, mention
                )
        else:
            others[first, last] = mention
            if mention.category not in _GIVES_WAY or (mention.category is Category.DRUG and last - first > 1):
                taken[first:last] = bytes([_KEPT_FROM_PHRASES]) * (last - first)
    for section in note.sections:
        if section.category in _UNREAD:
            first, last = note.token_range(section.start_char, section.end_char)
            taken[first:last] = bytes([_NAMED]) * (last - first)
    for trigger in note.triggers[FAMILY]:
        if trigger.row.event != "stated" or any(taken[trigger.first : trigger.last]):
            continue
        own = note.section_at(note.tokens.starts[trigger.first])
        if own is None or own.category is not SectionCategory.FAMILY_HISTORY:
            taken[trigger.first : trigger.last] = bytes([_NAMED]) * (trigger.last - trigger.first)
            name = trigger.row.cells["name"] or " ".join(note.written(trigger.first, trigger.last).lower().split())
            yield _Found(
                trigger.first, trigger.last, name, None, Category.SYMPTOM, _CERTAINTY["name"], (trigger.row.rule_id,)
            )
    for named in named_problems(note):
        if _NAMED in taken[named.first : named.last]:
            continue
        other = others.get((named.first, named.last))
        if other is not None and other.category not in _GIVES_WAY:
            continue
        if other is None and _KEPT_FROM_PHRASES in taken[named.first : named.last] and named.last - named.first == 1:
            continue  # a word of a longer name of something else: "stress test"
        taken[named.first : named.last] = bytes([_NAMED]) * (named.last - named.first)
        yield _Found(
            named.first, named.last, named.name, other.concept_id if other else concept_of(named.name), named.category,
            _CERTAINTY["name"], ("findings/problem_names",), None, named.where, named.denied, named.over,
        )  # fmt: skip
    for phrase in sharing_phrases(note, taken):
        taken[phrase.first : phrase.last] = bytes([_NAMED]) * (phrase.last - phrase.first)
        yield _Found(
            phrase.first, phrase.last, phrase.name(note), None, Category.DISEASE, _CERTAINTY["name"],
            ("findings/words_phrases",),
        )  # fmt: skip
    for phrase in headed_phrases(note, taken):
        if not any(taken[phrase.first : phrase.last]):
            taken[phrase.first : phrase.last] = bytes([_NAMED]) * (phrase.last - phrase.first)
            category = Category.DISEASE if by_ending(note.words[phrase.last - 1]) else Category.FINDING
            yield _Found(
                phrase.first, phrase.last, phrase.name(note), None, category, _CERTAINTY["head"],
                ("findings/words_phrases",),
            )  # fmt: skip


def _tokens(note: ParsedNote, mention: Mention) -> tuple[int, int]:
    """The tokens that a mention takes in, also of a token that it begins within."""
    first = bisect_left(note.tokens.ends, mention.start_char + 1)
    return first, max(bisect_left(note.tokens.starts, mention.end_char), first)


def _of_family(mention: Mention) -> bool:
    return Assertion.FAMILY in (mention.assertion, *mention.also)


def _is_bare(mention: Mention) -> bool:
    """Whether a mention is a number with no more than its unit."""
    return mention.text[:1].isdigit() and not any(len(w) > _UNIT and w.isalpha() for w in mention.text.split())


@lru_cache(maxsize=1)
def _signs() -> frozenset[str]:
    return frozenset(rule_names(RULES / "findings" / "signs.txt"))


@lru_cache(maxsize=1)
def _no_problems() -> frozenset[str]:
    return frozenset(rule_names(RULES / "findings" / "no_problems.txt"))


class _Said(NamedTuple):
    """What the attributes engine says of a problem, the words by which, and whose it is."""

    holds: frozenset[Assertion]
    cue: str
    experiencer: Experiencer


def _said(one: _Found, attributes: SpanAttributes | None) -> _Said:
    experiencer = attributes.experiencer if attributes is not None else Experiencer.PATIENT
    mention = one.mention
    if mention is None:
        assert attributes is not None, "attributes are asked for what is no mention"
        flags = (
            (Assertion.NEGATED, attributes.negated), (Assertion.UNCERTAIN, attributes.uncertain),
            (Assertion.HYPOTHETICAL, attributes.hypothetical), (Assertion.HISTORICAL, attributes.historical),
        )  # fmt: skip
        return _Said(frozenset(name for name, holds in flags if holds), attributes.cue, experiencer)
    holds = frozenset((mention.assertion, *mention.also))
    if _is_bare(mention):
        holds -= {Assertion.NEGATED, Assertion.UNCERTAIN}  # "no stridor, BP 92/50": what is measured is there
    if Assertion.FAMILY in holds and experiencer is Experiencer.PATIENT:
        experiencer = Experiencer.RELATIVE
    return _Said(holds, mention.assertion_cue, experiencer)


def _statement(
    note: ParsedNote,
    one: _Found,
    said: _Said,
    attributes: SpanAttributes | None,
    runs: str,
    beside: Sequence[Beside],
) -> ProblemStatement | None:
    start, end = note.tokens.starts[one.first], note.tokens.ends[one.last - 1]
    mention, cue, experiencer = one.mention, said.cue, said.experiencer
    if mention is not None:
        start, end = mention.start_char, mention.end_char
    denied, unsure = Assertion.NEGATED in said.holds, Assertion.UNCERTAIN in said.holds
    hypothetical, past = Assertion.HYPOTHETICAL in said.holds, Assertion.HISTORICAL in said.holds
    if one.rule_ids[:1] and one.rule_ids[0].startswith(f"{FAMILY}/") and _holds_denial(note, one):
        denied = denied and cue.lower() not in note.written(one.first, one.last).lower()
    by_words, rule = stated_course(note, one.first, one.last, runs, beside)
    corrected = by_words == "corrected" and one.category is Category.DISEASE
    denied = denied or one.denied or _is_denied_within(note, one) or corrected
    section = note.section_at(start)
    category = section.category if section is not None else SectionCategory.UNLABELED
    if not _counts(one.where, denied, category):
        return None
    phrase = mention is None and one.certainty < _CERTAINTY["name"]
    sign = one.name in _signs() or (
        phrase and (one.category is not Category.DISEASE or note.words[one.last - 1] in _signs())
    )
    if denied and sign and category is SectionCategory.PHYSICAL_EXAM:
        return None
    if not by_words and runs != "chronic" and dated_before(note, one.first, one.last, event=runs == "event"):
        by_words = "past"
    resolved = _resolved(runs, by_words, past, only_history(cue), category in _HISTORIES, one.over)
    return ProblemStatement(
        id="problem",
        spans=(RecordSpan(start_char=start, end_char=end, text=note.text[start:end]),),
        rule_ids=(*one.rule_ids, *((rule,) if rule else ())),
        certainty=one.certainty,
        concept_id=one.concept_id,
        name=one.name,
        category=one.category,
        clinical_status=ClinicalStatus.RESOLVED if resolved and not denied else ClinicalStatus.ACTIVE,
        verification_status=_verification(denied, unsure, cue),
        chronic=not denied and not resolved and (runs == "chronic" or (past and runs != "event")),
        hypothetical=hypothetical,
        experiencer=experiencer,
        kinship=attributes.kinship if attributes is not None and experiencer is not Experiencer.PATIENT else "",
        onset=onset(note, one.first, one.last),
        body_side=body_side(note, one.first, one.last),
        severity=severity(note, one.first, one.last),
        stage=stage(note, one.first, one.last),
        section=category,
    )


def _runs(one: _Found) -> str:
    """How it runs, by the words of the note before those of its concept: "renal failure" does not say that it is acute.

    What the concept says stays beats a word of an event: "hay fever" is no fever.
    """
    by_mention = course(one.mention.text.lower()) if one.mention is not None else ""
    if not by_mention:
        return course(one.name.lower())
    kind = one.name.lower().removesuffix(
        " disease"
    )  # "duodenal ulcer" heals, though peptic ulcer disease is its concept
    return "chronic" if course(kind) == "chronic" else by_mention


def _counts(where: Where, denied: bool, section: SectionCategory) -> bool:
    if where is Where.DENIED_OR_REVIEWED:
        return denied or section is SectionCategory.REVIEW_OF_SYSTEMS
    return where is Where.EVERYWHERE or denied or section is SectionCategory.SOCIAL_HISTORY


def _resolved(runs: str, by_words: str, past: bool, by_history: bool, in_history: bool, over: bool) -> bool:
    """Whether a problem is over.

    In this order: its own name or words beside it say so; words beside it say that it is there; it is an event of the
    past; it is past for another reason than standing in the history, which a chronic disease outlives.
    """
    if over or by_words == "resolved":
        return True
    if by_words == "active":
        return False
    if runs == "event":
        return past or in_history or by_words == "past"
    ended = past and not by_history and not in_history
    return (by_words == "past" or ended) and runs != "chronic"


def _verification(denied: bool, unsure: bool, cue: str) -> VerificationStatus:
    """How sure the note is of a problem.

    What it only asks about ("rule out", "?") is one of a differential, what was tested for and has no result unconfirmed ("C. diff
    sent"), what it thinks likely provisional.
    """
    if denied:
        return VerificationStatus.REFUTED
    if not unsure:
        return VerificationStatus.CONFIRMED
    words, lists = cue.lower().split(), word_lists("findings/words_courses")
    if not lists["tested"].isdisjoint(words):
        return VerificationStatus.UNCONFIRMED
    return VerificationStatus.PROVISIONAL if lists["asks"].isdisjoint(words) else VerificationStatus.DIFFERENTIAL


def _holds_denial(note: ParsedNote, one: _Found) -> bool:
    """Whether a stated problem holds a denial of its own: "not able to walk" denies no problem."""
    return not _DENIALS.isdisjoint(note.words[one.first : one.last])


def _is_denied_within(note: ParsedNote, one: _Found) -> bool:
    """Whether "non" before a sign denies it within its own words: "hips non tender", "calves non-tender"; no "non-healing wound"."""
    words = [word for word in note.words[one.first : one.last] if word != "-"]
    signs = word_lists("findings/words_courses")["denied_by_non"]
    return any(
        (word == _NON and after in signs) or (word.startswith(_NON) and word.removeprefix(_NON) in signs)
        for word, after in pairwise((*words, ""))
    )


_NON = "non"
_DENIALS = frozenset(("not", "unable", "cannot", "can't", "couldn't", "no", "without", "never", "stopped"))
