"""What the statements of a clause say, where the clause itself cannot be told to its patient.

A clause that is a telegram of the clinic, is too long, or has words that a patient cannot read still holds what was read in it: "noted
radiographically to have a left proximal humerus fracture and a nondisplaced left hip fracture" names two fractures. Only what the
patient had or has and what was done is named: nothing that is denied, doubted, a relative's or a plan, and no number.
"""

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from types import MappingProxyType
from typing import NamedTuple

from backend.generation.letter.plain_language.clause_subjects import PRONOUNS
from backend.generation.letter.plain_language.in_place import may_be_noun
from backend.generation.letter.plain_language.letter_words import is_adverb, lists
from backend.generation.letter.plain_language.verb_forms import is_auxiliary, is_past
from backend.generation.letter.story_selection import Unit
from backend.generation.letter.story_weights import feature_of
from backend.nlp.lexicon.variants import stem
from backend.schemas.record import (
    Experiencer,
    MedicationStatement,
    ProblemStatement,
    ProcedureStatement,
    ProcedureStatus,
    StatedBy,
    VerificationStatus,
)
from backend.schemas.vocabulary import Category, SectionCategory

_NAMED = frozenset((Category.DISEASE, Category.SYMPTOM))
_DONE = frozenset((ProcedureStatus.DONE_NOW, ProcedureStatus.PAST))
_ARTICLE = re.compile(r"\ban?\s+(?:(?!bit\b|little\b)[\w-]+\s+)?$", re.IGNORECASE)
_MEANWHILE = re.compile(r"\bduring\s+(?:[\w-]+\s+){0,2}$", re.IGNORECASE)
_DEFINITE = re.compile(r"\b(?:the|this|that|his|her)\s+$", re.IGNORECASE)
_PLACE = re.compile(
    r"\s+(?:in|of|on|over|to)\s+(?:the|both|left|right)\s+(?!last|past|previous|same|first)(?:[\w-]+\s+){0,2}?[\w-]+"
    r"(?=[,.;)]|\s+(?:and|or|which|that|with|who|for|since|when|after|from|but|is|was|has|had)\b|\s*$)"
)
"""Where a problem is, said after its name."""
_NEXT = re.compile(r" (?![a-z]+ing\b)([A-Za-z]+)")
_VOWEL = re.compile(r"[aeiouAEIOU]|[FHLMNRSX](?:[A-Z-]|$)|x-")
"""What a name begins with that is spoken with a vowel: "an MRI"."""
_LONGEST = 8
"""Words of a name."""
_SIDES = frozenset(("left", "right"))
_STATES = frozenset(("unable", "able"))
_ONE_IN_S = ("ss", "us", "is")
_CLAUSE = 2
"""Words of a clause that is read as a problem: "periods stopped"."""
_KIN = 4
"""Letters that words of one root share."""


class _Item(NamedTuple):
    start: int
    end: int
    text: str
    name: str
    problem: bool
    concept: str


def of_one_time(unit: Unit, histories: Collection[SectionCategory]) -> tuple[Unit, bool]:
    """A unit without its problems that are over, and whether it names no other: what is past is told as history alone."""
    others = tuple(one for one in unit.statements if feature_of(one) != "problem:past")
    if len(others) == len(unit.statements) or unit.section in histories:
        return unit, unit.section in histories
    if not any(isinstance(one, ProblemStatement) for one in others):
        return unit, True
    return unit._replace(statements=others), False


def items(
    unit: Unit,
    note_text: str,
    said: Callable[[str, int], str],
    is_plain: Callable[[str], bool],
    plain: Mapping[str, str] = MappingProxyType({}),
) -> list[str]:
    """What a unit names, each in words for the patient, in the note's order; nothing where it names no problem.

    Args:
        unit: of the note.
        note_text: the note.
        said: words of the note, with where they begin, in plain words.
        is_plain: whether a patient can read words.
        plain: everyday words by concept id, for a name that no words of the note tell plainly.
    """
    found: list[str] = []
    known: list[set[str]] = []
    problems = 0
    end = unit.start
    for item in sorted(_items(unit, note_text, said), key=lambda one: (one.start, -one.end)):
        if item.start < end:
            continue
        end = item.end
        text = " ".join(said(item.text, item.start).split())
        if not is_plain(text) or _tells(text):
            text = " ".join(said(item.name, -1).split())
        if not is_plain(text) and item.concept in plain:
            text = plain[item.concept]
        words = set(text.lower().split())
        if len(words) > _LONGEST or not words.isdisjoint(PRONOUNS):
            continue  # a clause, and no name
        if text.lower().startswith("the ") or words - lists()["determiners"] <= lists()["vague"]:
            continue  # "the run" is one that the sentence tells of, "a pain" says nothing
        if words <= lists()["operations"] and not item.problem:
            continue  # "surgery" alone names none
        if not is_plain(text) or any(words <= other for other in known) or not (item.problem or _is_operation(text)):
            continue
        for wider in [other for other in known if other < words and " ".join(sorted(other)) in map(_sorted, found)]:
            known.remove(wider)  # "vomiting, lasting vomiting"
            found = [one for one in found if set(one.lower().split()) != wider]
            problems -= item.problem
        known.append(words)
        problems += item.problem
        before = note_text[unit.start : item.start]
        if " " not in text and _DEFINITE.search(before):
            problems -= item.problem
            continue  # "the cut" is one that another sentence tells of
        found.append(_with_article(text, before) if text == item.text or item.problem else text)
    return found if problems else []


def _sorted(name: str) -> str:
    return " ".join(sorted(name.lower().split()))


def _tells(text: str) -> bool:
    """Whether words for a problem are no name: "don't want to be here", "scan 820 mL"."""
    words = text.lower().split()
    return any(is_auxiliary(word) or word.endswith("n't") or word.isdigit() for word in words)


def are_symptoms(unit: Unit) -> bool:
    """Whether all that a unit names is what the patient felt."""
    had = [one for one in unit.statements if isinstance(one, ProblemStatement) and _is_had(one)]
    operated = any(isinstance(one, ProcedureStatement) for one in unit.statements)
    return not operated and all(one.category is Category.SYMPTOM for one in had)


def planned_procedures(unit: Unit) -> list[str]:
    """The known procedures that a unit plans, by the note's names with their side, each once, in the note's order."""
    found: dict[str, str] = {}
    if any(isinstance(one, MedicationStatement) for one in unit.statements):
        return []  # "plan to taper" is of the medicine, which its table tells
    for one in unit.statements:
        if isinstance(one, ProcedureStatement) and one.status is ProcedureStatus.PLANNED and one.concept_id:
            written = " ".join(one.spans[0].text.split())
            side = one.body_side if one.body_side in _SIDES and one.body_side not in written.lower() else ""
            found.setdefault(one.concept_id, f"{side} {written}".strip())
    return list(found.values())


def _items(unit: Unit, note_text: str, said: Callable[[str, int], str]) -> Iterator[_Item]:
    for one in unit.statements:
        span = one.spans[0]
        if isinstance(one, ProblemStatement) and _is_had(one):
            if _MEANWHILE.search(note_text[unit.start : span.start_char]):
                continue  # when a test was done is no trouble: "during drowsiness and sleep"
            placed = _PLACE.match(note_text[span.end_char : unit.end])
            noun = as_noun(span.text, one.name) or _short_form(span.text, said(span.text, span.start_char))
            if (
                noun and placed is not None and said(span.text, span.start_char) == span.text
            ):  # "pain over the left hip"
                text = note_text[span.start_char : span.end_char + placed.end()]
                yield _Item(span.start_char, span.end_char + placed.end(), text, text, True, one.concept_id or "")
            else:
                following = _NEXT.match(note_text[span.end_char : unit.end])
                parts = span.text.lower().split()
                if len(parts) == _CLAUSE and parts[0].endswith("s") and is_past(parts[1]):
                    continue  # "periods stopped", "doses missed" tell, and name nothing
                if following is not None and may_be_noun(following[1].lower()):
                    noun = one.name  # a part of a longer name: "off balance gait"
                text = one.name if _is_named_elsewhere(one) else noun
                if not text and (one.stated_by is StatedBy.CLINICIAN or " " in span.text):
                    text = one.name  # a noun for "unable to walk"; one word alone may be read by too wide a name
                if not text:
                    continue
                side = one.body_side if one.body_side in _SIDES and " " in text else ""  # no "left pain"
                side = "" if side in text.lower() else side
                yield _Item(
                    span.start_char,
                    span.end_char,
                    f"{side} {text}".strip(),
                    f"{side} {one.name}".strip(),
                    True,
                    one.concept_id or "",
                )
        elif isinstance(one, ProcedureStatement) and one.status in _DONE and one.concept_id is not None:
            yield _Item(span.start_char, span.end_char, span.text, one.name, False, one.concept_id)


def _short_form(text: str, told: str) -> str:
    """The note's words where they are a short form in capitals that the letter tells in plain words: "COPD"; such a name is a noun."""
    return text if text.isupper() and len(text) > 1 and told != text else ""


def _is_named_elsewhere(one: ProblemStatement) -> bool:
    """Whether a first place tells an illness by a sign and another names it: "ST elevation in II ... inferior ST elevation infarction"."""
    named = _roots(one.name)
    first, *others = (_roots(span.text) for span in one.spans)
    return one.category is Category.DISEASE and not first & named and any(other & named for other in others)


def _roots(text: str) -> frozenset[str]:
    return frozenset(stem(word) for word in re.findall(r"[^\W\d_]{3,}", text.lower()))


def _is_had(one: ProblemStatement) -> bool:
    return (
        one.concept_id is not None
        and one.category in _NAMED
        and one.verification_status is VerificationStatus.CONFIRMED
        and one.experiencer is Experiencer.PATIENT
        and not one.hypothetical
    )


def _is_operation(text: str) -> bool:
    """Whether the plain words of a procedure name an operation rather than a test, which tells nothing without what it found."""
    return not lists()["operations"].isdisjoint(text.lower().split())


def as_noun(text: str, name: str) -> str:
    """The note's words for a problem where they are a noun; empty where they may be none, as "groggy", "dizzy on standing" and "gained 4 kg".

    Args:
        text: the note's words.
        name: of the concept, which is a noun.
    """
    words, named = text.lower().split(), name.lower().split()
    shared = {word.removesuffix("s") for word in named}
    if words[0] in lists()["negations"] or (words != named and sorted(words) == sorted(named)):
        return ""  # "insight poor" is a sentence without its verb
    if words[0] in lists()["particles"] | lists()["prepositions"]:
        return ""  # "off balance"
    last = text.rsplit(maxsplit=1)[-1]
    if len(words) > 1 and last.isupper() and len(last) > 1:
        return text  # "mild SOB": a short form names
    if len(words) == 1:
        return text if words[0].removesuffix("s") in shared else ""
    if any(word[:_KIN] == words[0][:_KIN] and word.removesuffix("s") != words[0].removesuffix("s") for word in named):
        return ""  # "dizzy", of dizziness
    unsure = is_past(words[0]) or words[0].endswith("ing") or words[0] in _STATES
    unsure = unsure or is_adverb(words[0]) or is_adverb(words[-1])
    return text if not unsure or words[0] in shared or words[-1].removesuffix("s") in shared else ""


def can_be_had(text: str) -> bool:
    """Whether "You had" can stand before a telegram: it has a determiner, or is no single thing ("back pain", "chills"), as "lump" is one."""
    words: list[str] = re.findall(r"[^\W_]+", text.lower())
    own = lists()
    if not words or words[0] in own["determiners"] or words[0][0].isdigit():
        return bool(words)
    end = next((i for i, word in enumerate(words) if word in own["prepositions"] | own["joins"]), len(words))
    head = words[max(0, end - 1)]
    return head.endswith(("ing", "ness", "ea", "s", "pain", "fever", "blood", "phlegm", "sputum"))


def _with_article(text: str, before: str) -> str:
    """A name with the article that the note gives it, unless it has a determiner of its own."""
    last = text.rsplit(maxsplit=1)[-1].lower()
    if (last.endswith("s") and not last.endswith(_ONE_IN_S)) or (last.endswith("ing") and last == text.lower()):
        return text  # "a shaking chill" put as "shaking chills"
    if _ARTICLE.search(before) is None or text.split(maxsplit=1)[0].lower() in lists()["determiners"]:
        return text
    return f"{'an' if _VOWEL.match(text) else 'a'} {text}"
