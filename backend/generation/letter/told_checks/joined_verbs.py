"""A second verb of the patient's behind a comma alone, as notes write it ("has pain, denies fever"), joined as a sentence joins it."""

import re
from collections.abc import Sequence

from backend.generation.letter.plain_language.clause_subjects import PATIENT, SUBJECT_OF, Addressee, ClauseSubjects
from backend.generation.letter.plain_language.letter_words import is_adverb, lists, words_of, written
from backend.generation.letter.plain_language.openings import opening_of
from backend.generation.letter.plain_language.verb_forms import SURE, is_participle, third_kind, verbs
from backend.generation.letter.told_checks.sentence_flaws import TurnedSentence

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
    words = words_of(text)
    if not words:
        return text
    clause = ClauseSubjects(words, patient)
    first = next((i for i in range(len(words)) if clause.is_finite(i)), None)
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
