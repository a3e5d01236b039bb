"""A second verb of the patient's behind a comma alone, as notes write it ("has pain, denies fever"), joined as a sentence joins it."""

import re
from collections.abc import Sequence

from backend.generation.letter.plain_language.clause_subjects import PATIENT, SUBJECT_OF, Addressee, ClauseSubjects
from backend.generation.letter.plain_language.letter_words import Word, is_adverb, lists, words_of, written
from backend.generation.letter.plain_language.openings import opening_of
from backend.generation.letter.plain_language.reported import to_you
from backend.generation.letter.plain_language.verb_forms import (
    SURE,
    is_participle,
    is_past,
    third_kind,
    verbs,
    with_you,
)
from backend.generation.letter.told_checks.sentence_flaws import TurnedSentence
from backend.generation.letter.told_time.tenses import past_of

_UNCOUNTED = ("s", "ing", "ness", "ea", "pain", "fever", "blood", "phlegm", "sputum")
_NAME = 4
"""Words of a name with the comma behind it."""
_SHORTEST = 3
"""Words of a sentence with two verbs."""
_BEING = re.compile(
    r"\b(?P<be>was|were|is|are) (?P<first>[^,.;]{3,60}?) and being (?=(?P<next>[a-z]+)\b)", re.IGNORECASE
)
"""Two things that are done to somebody, of which the second lacks its verb: "was admitted and being treated"."""
_TRIED = re.compile(r"\b(?:tried|used|took|taken|(?:been|was|is|were) on|given|put on|prescribed)\b")
_UNHELPED = re.compile(
    r"\b(but) ((?:also )?(?:did not|didn't|does not|doesn't|has not|never) (?:work|worked|help|helped)\b)"
)
"""What was tried, and did not help: "had been on two tablets, but did not work"."""


def with_joined_verbs(text: str, patient: Addressee) -> str:
    """A sentence of a note whose patient has a second verb behind a comma alone, with "and" and who it is: "has pain, denies fever".

    Args:
        text: of the note, in plain words.
        patient: whom the sentence has to be about.
    """
    text = _BEING.sub(_with_be, text)
    words = words_of(text)
    if not words:
        return text
    clause = ClauseSubjects(words, patient)
    first = next((i for i in range(len(words)) if clause.is_finite(i)), None)
    if first is not None and _is_of_thing(words, first):
        name, article = written(words[:first]), "An" if text[:1] in "AEIOaeio" else "A"
        name = name if words[first - 2].low.endswith(_UNCOUNTED) else f"{article} {name[:1].lower()}{name[1:]}"
        return f"{name} which {written(words[first:])}"
    if first is None or (clause.subject_of(first) != PATIENT and not opening_of(text)):
        return text
    text = _UNHELPED.sub(lambda match: f"{match[1]} this {match[2]}", text) if _TRIED.search(text) else text
    words = words_of(text) or words
    clause = ClauseSubjects(words, patient)
    sentence = TurnedSentence(words)
    i = next((i for i in sentence.finite if sentence.runs_on(i) and _is_done_by_person(sentence.low, i)), None)
    if i is None:
        return text
    comma = max(k for k in range(i) if words[k].text == ",")
    who = SUBJECT_OF.get(patient.sex or "", "")
    added = words_of(f" and {who}" if who else " and") or []
    return written([*words[: comma + 1], *added, *words[comma + 1 :]])


def _with_be(match: re.Match[str]) -> str:
    done = is_participle(match["next"])
    return f"{match['be']} {match['first']} and {match['be']} being " if done else match[0]


def with_agreed_verbs(text: str) -> str:
    """A sentence of what the patient had, with its second verb in its person and time: "You had low mood but denies panic attacks".

    Args:
        text: a telegram in a frame that begins with "You" and a past verb.
    """
    words = words_of(text)
    if (
        not words
        or words[0].text != "You"
        or len(words) < _SHORTEST
        or not (words[1].low == "were" or is_past(words[1].low))
    ):
        return text
    sentence, own = TurnedSentence(words), lists()
    of_person = own["dropped_subject"] - own["becomes"] | own["denials"]
    low = [one.low for one in words]
    told = [i for i in range(4, len(low)) if low[i - 2 : i] == [",", "which"] and third_kind(low[i]) is not None]
    put = {i: past_of(with_you(low[i])) for i in told}
    put |= {i: past_of(with_you(words[i].low)) for i in sentence.disagreeing() if words[i].low in of_person}
    if not put:
        return text
    return to_you(written([one._replace(text=put.get(i, one.text)) for i, one in enumerate(words)]))


def _is_of_thing(words: Sequence[Word], verb: int) -> bool:
    """Whether a verb behind a comma tells of the few words before it, a name without a verb: "Dry cough, keeps the patient up"."""
    own, low = lists(), [one.low for one in words[:verb]]
    led = (
        own["determiners"] | own["subjects"] | own["patient"] | own["prepositions"] | own["openers"] | own["negations"]
    )
    name = (
        1 < verb <= _NAME and low[-1] == "," and low.count(",") == 1 and led.isdisjoint(low) and low[0] not in verbs()
    )
    after = words[verb + 1].low if verb + 1 < len(words) else "."
    return (
        name
        and third_kind(words[verb].low) is not None
        and after in own["determiners"] | own["patient"] | {"him", "her"}
    )


def _is_done_by_person(low_words: Sequence[str], i: int) -> bool:
    """Whether a verb at i tells what a person does, feels or has done to them, which no test and no place does."""
    own = lists()
    low = low_words[i]
    after = next((one for one in low_words[i + 1 :] if not is_adverb(one) and one != "not"), ".")
    if low in ("is", "was", "has", "had") or low in own["modals"]:
        done = own["passive_subject"] | own["dropped_subject"]
        helped = after in done or (after.endswith("ing") and len(after) > 4) or after in ("able", "unable", "been")
        verb = after in verbs()
        return helped or (low in ("has", "had") and not is_participle(after)) or (low in own["modals"] and verb)
    sure = third_kind(low) == SURE and low not in own["showing"]
    return sure or low in own["dropped_subject"] or low in own["denials"]
