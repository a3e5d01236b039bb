"""What the patient was given here, as one plain sentence ("You were given antibiotics (Zosyn and vancomycin) and fluid into a vein.").

Told is a medicine of the stay whose sentence says that it was given; not what is only ordered, refused, or of an earlier time.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import NamedTuple

from backend.generation.letter.plain_language.letter_words import lists
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.results import is_unsure
from backend.nlp.measures.earlier_times import is_earlier
from backend.schemas.record import Experiencer, MedicationCategory, MedicationStatement, MedicationStatus, PatientRecord
from backend.schemas.vocabulary import SectionCategory

_LONGEST = 7
"""Words that say what a medicine is."""
_NARRATED = frozenset(
    (
        SectionCategory.HISTORY_OF_PRESENT_ILLNESS,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.ASSESSMENT,
        SectionCategory.UNLABELED,
        SectionCategory.OTHER,
    )
)
_GIVEN = frozenset((MedicationStatus.ACTIVE, MedicationStatus.COMPLETED))
_THIS = re.compile(r"(?:this|it|which)\b", re.IGNORECASE)
_BECAUSE = re.compile(r"(?:^|[-,;:\n])\s*given\s+(?:that|the|this|these|his|her|their|its)\b")
"""What is no giving: "Given that the tablets do not help"."""
_NAMES_MORE = frozenset(("including", "beginning", "starting", "morning", "evening", "following"))
"""Words in -ing between what is given and its giving; any other begins what came of it: "was treated there, resulting in …"."""
_ANTIBIOTIC = re.compile(r"\bantibiotic\b")


class Given(NamedTuple):
    """A medicine in plain words, where it stands, and its statement. group: of what kind it is, where several are told together."""

    text: str
    group: str
    span: tuple[int, int]
    statement: MedicationStatement


def given_here(
    record: PatientRecord, note: ParsedNote, plain: Mapping[str, str], said: Callable[[str, int], str]
) -> Iterator[Given]:
    """Yield the medicines that were given in this encounter, in the note's order.

    Args:
        record: of the note.
        note: parsed; the record's spans index its text.
        plain: everyday words by concept id.
        said: puts words of the note plainly.
    """
    seen: set[str] = set()
    for one in record.medications:
        if one.category is not MedicationCategory.INPATIENT or one.status not in _GIVEN or one.refused or not one.spans:
            continue
        span = one.spans[0]
        key = one.concept_id or one.name.lower()
        if one.experiencer is not Experiencer.PATIENT or one.section not in _NARRATED or span.note_id or key in seen:
            continue
        if not _is_told_given(note, span.start_char):
            continue
        seen.add(key)
        name, means = " ".join(said(span.text, span.start_char).split()), plain.get(one.concept_id or "", "")
        group = "antibiotics" if _ANTIBIOTIC.search(means) else ""
        explained = means and not group and len(means.split()) <= _LONGEST and "(" not in name
        text = f"{name} ({means})" if explained else name
        yield Given(text, group, (span.start_char, span.end_char), one)


def _is_told_given(note: ParsedNote, start: int) -> bool:
    """Whether the sentence of a medicine says, before it, that it was given, and nothing by which it may not have been now."""
    at = note.sentence_at(start)
    if at is None:
        return False
    sentence = note.sentences[at]
    text = note.text[sentence.start_char : sentence.end_char]
    following = note.sentences[at + 1] if at + 1 < len(note.sentences) else sentence
    after = note.text[start : sentence.end_char]
    after += (
        note.text[following.start_char : following.end_char] if _THIS.match(note.text, following.start_char) else ""
    )
    said = set(re.findall(r"[a-z]+", after.lower()))
    if not lists()["left_off"].isdisjoint(said) or ("continued" in said and not lists()["negations"].isdisjoint(said)):
        return False  # "was given diltiazem, this was not continued"
    leading = _BECAUSE.sub(" ", note.text[sentence.start_char : start].lower())
    words = re.findall(r"[a-z']+", leading)
    before, giving = set(words), [n for n, word in enumerate(words) if word in lists()["given"]]
    return (
        bool(giving)
        and not any(word.endswith("ing") and word not in _NAMES_MORE for word in words[giving[-1] + 1 :])
        and lists()["negations"].isdisjoint(before)
        and not is_unsure(text)
        and not is_earlier(text)
    )
