"""Sentences of a plan that hold nothing for its patient: who came, that things were talked over and agreed, the name of a problem.

What a plan tells has an act, a time, a result or a reason. A sentence of talk without any of these is left out, whatever its words; what
opens with who the patient is and why they came repeats the history; a line that only names a problem heads the lines below it.
"""

import re
from collections.abc import Sequence

from backend.generation.letter.plain_language.letter_words import is_adverb, lists
from backend.generation.letter.plain_language.openings import opening_of, opening_sentences
from backend.generation.letter.plain_language.telegrams import is_telegram, says_kind
from backend.generation.letter.plain_language.verb_forms import SURE, is_auxiliary, third_kind, verbs, with_you
from backend.nlp.lexicon.variants import stem
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import (
    MedicationStatement,
    ObservationStatement,
    PlanKind,
    PlanStatement,
    ProblemStatement,
    Statement,
)

_WORD = re.compile(r"[a-z]+(?:['’-][a-z]+)*|\d+")
_NAME = re.compile(r"^(?:(?:Mr|Mrs|Ms|Miss|Dr)\.? )?[A-Z][\w'’.-]*(?: [A-Z][\w'’.-]*){0,3},? is (?=an? )")
_CAME = re.compile(
    r"The patient (?:has|had|is here|was|presents|presented|presenting|comes|came|returns|returned|follows|complains|complained)\b"
)
_QUOTED = re.compile(r"[\"“](.+)[\"”]\.?")
_INCLUDING = re.compile(r",|\b(?:including|such as|like)\b")
_TO_DO = frozenset(
    (PlanKind.DIET, PlanKind.ACTIVITY, PlanKind.RETURN_PRECAUTION, PlanKind.FOLLOW_UP, PlanKind.PENDING_RESULT)
)
_ACT = re.compile(
    r"\b(?:to|will|should|must|may|can|could|would) (?:not )?(?P<verb>[a-z]+)|\b(?P<doing>[a-z]{2,})ing\b"
)


def tells_who_came(text: str) -> bool:
    """Whether a sentence says who the patient is and why they came, and nothing else: "Mr. Lee is a 70-year-old man who presents for a check".

    Args:
        text: of the note.
    """
    text = _NAME.sub("The patient is ", text.strip())
    if not opening_of(text):
        return False
    said = opening_sentences(text)
    return bool(said) and all(_CAME.match(one) and " will " not in one for one in said or ())


def holds_talk_alone(text: str, inside: Sequence[Statement]) -> bool:
    """Whether a sentence tells that people talked, understood or agreed, and holds no act, time, result or reason of its own.

    Args:
        text: of the note.
        inside: the statements that it holds.
    """
    words = [word.replace("’", "'") for word in _WORD.findall(text.lower())]
    own, kinds = lists(), word_lists("letter/words_decisions")
    talk = _talk()
    at = next((i for i, word in enumerate(words) if stem(word) in talk), None)
    if at is None or not (kinds["obliges"] - {"advised"}).isdisjoint(words) or "that" in words:
        return False
    if any(word.isdigit() or word in own["times"] - {"past"} for word in words):
        return False
    if any(isinstance(one, MedicationStatement | ObservationStatement) for one in inside):
        return False
    if any(isinstance(one, PlanStatement) and one.kind in _TO_DO for one in inside):
        return False
    if not kinds["conditions"].isdisjoint(words) or not own["contrasts"].isdisjoint(words):
        return False
    if not {"answered", "addressed"}.isdisjoint(words) and not {"questions", "question", "concerns"}.isdisjoint(words):
        return True
    said = own["telling"] | own["reporting"]
    behind = " ".join(words[at + 1 :])
    return not any(_is_act(match) for match in _ACT.finditer(behind)) and not any(
        third_kind(word) == SURE and not (stem(word) in talk or is_auxiliary(word) or word in said) for word in words
    )


def names_talk_alone(text: str) -> bool:
    """Whether a line without a verb only names what was talked over before a treatment: "The risks of anesthesia including stroke"."""
    words = _WORD.findall(text.lower())
    own = lists()
    head = next((word for word in words if word not in own["determiners"] | own["joins"]), "")
    return head in own["weighed"] and is_telegram(_INCLUDING.split(text, maxsplit=1)[0])


def gives_reason_alone(text: str) -> bool:
    """Whether a clause is the reason of another that was cut from it: "Given that the tablets do not help".

    Args:
        text: of the note.
    """
    words = _WORD.findall(text.lower())
    return words[:1] != [] and words[0] in lists()["reasons"] and "," not in text and text.rstrip()[-1:] not in ".!?"


def quotes_complaint(text: str) -> bool:
    """Whether a line of a plan is what the patient says of themself, between marks: "“My knee hurts”".

    Args:
        text: of the note.
    """
    quoted = _QUOTED.fullmatch(text.strip())
    return quoted is not None and not lists()["first_person"].isdisjoint(re.findall(r"[a-z']+", quoted[1].lower()))


def names_care_alone(text: str) -> bool:
    """Whether a line says how the care is and not what it is: "Supportive management".

    Args:
        text: of the note.
    """
    words = _WORD.findall(text.lower())
    return len(words) > 1 and set(words) <= word_lists("letter/words_decisions")["care_alone"]


def names_problems_alone(text: str, inside: Sequence[Statement]) -> bool:
    """Whether a line only names what the patient has, with its side, stage and course: "Chronic kidney disease, stage 3".

    Args:
        text: of the note.
        inside: the statements that it holds.
    """
    if not inside or not all(isinstance(one, ProblemStatement) for one in inside):
        return False
    left = text[len(says_kind(text)) :]
    for one in inside:
        left = left.replace(one.spans[0].text, " ", 1)
    own = lists()
    small = (
        own["telegram"]
        | own["turns"]
        | own["numbered"]
        | own["joins"]
        | own["sides"]
        | own["doubts"]
        | own["determiners"]
    )
    return all(word in small | {"of", "in", "on"} or word.isdigit() for word in _WORD.findall(left.lower()))


def _is_act(match: re.Match[str]) -> bool:
    """Whether a verb behind the talk is something that is done, and no more talk: "to rest", "taking it daily"."""
    verb = match["verb"] or match["doing"]
    own = lists()
    closed = (
        own["prepositions"] | own["determiners"] | {"his", "her", "their", "him", "your", "including", "understanding"}
    )
    if match[0] in closed or verb in closed:
        return False
    if stem(match[0]) in _talk() or stem(verb) in _talk() or is_auxiliary(verb) or is_adverb(verb):
        return False
    return match["verb"] is not None or any(base in verbs() for base in (verb, f"{verb}e", verb[:-1]))


def _talk() -> frozenset[str]:
    """Stems of words by which people talk things over and agree."""
    own = lists()
    talk = own["talk"] - {"reviewed"}  # "Films reviewed, no fracture" is a result
    return frozenset(stem(with_you(word)) for word in talk) | frozenset(map(stem, talk))
