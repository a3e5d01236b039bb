"""A second verb of the patient's behind a comma alone, as notes write it ("has pain, denies fever"), joined as a sentence joins it."""

from collections.abc import Sequence

from backend.generation.letter.plain_language.clause_subjects import PATIENT, SUBJECT_OF, Addressee, ClauseSubjects
from backend.generation.letter.plain_language.letter_words import is_adverb, lists, words_of, written
from backend.generation.letter.plain_language.verb_forms import is_participle, verbs
from backend.generation.letter.told_checks.sentence_flaws import TurnedSentence


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
    if first is None or clause.subject_of(first) != PATIENT:
        return text
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
    low, k = (
        low_words[i],
        next(
            (m for m in range(i + 1, len(low_words)) if not is_adverb(low_words[m]) and low_words[m] != "not"),
            len(low_words),
        ),
    )
    after = low_words[k] if k < len(low_words) else "."
    if low in ("is", "was", "has", "had") or low in own["modals"]:
        done = own["passive_subject"] | own["dropped_subject"]
        helped = after in done or (after.endswith("ing") and len(after) > 4) or after in ("able", "unable", "been")
        verb = after in verbs()
        return helped or (low in ("has", "had") and not is_participle(after)) or (low in own["modals"] and verb)
    return low in own["dropped_subject"] or low in own["denials"]
