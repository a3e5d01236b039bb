"""The clause behind a medicine: why it was stopped, held or refused, in the note's words, or until when; under which condition it is planned.

For a reason it looks behind the word that ends the medicine, in the same sentence and up to the next thing that is told of a medicine ("stopped
because of a cough", "stopped, as it made her dizzy"), then before the medicine ("because of bleeding, aspirin was stopped").
"""

from collections.abc import Collection

from backend.nlp.attributes.seam import SpanAttributes
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.measures.amounts import is_length
from backend.nlp.measures.units import NUMBER_WORDS, is_time
from backend.nlp.medications.courses import FAMILY as COURSE
from backend.nlp.medications.medicine_events import DECIDED, FAMILY, NO_MEDICINES, PAST, SETTINGS, Governing
from backend.nlp.medications.medicine_names import MedicineWord, NamedMedicine, medicine_words
from backend.nlp.medications.medicine_runs import StatedMedicine
from backend.nlp.medications.open_plans import Signs, is_for_a_case, is_left_open, is_named_open, is_put_off
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.vocabulary import SectionCategory

_ENDS = frozenset({"STOPPED", "HELD", "REFUSED"})
_LOOKED_AT, _MOST = 14, 12
"""Words behind the verb in which a reason begins, and words of a reason."""
_BREAKS = frozenset({";", "\n", ")", "]"})
_BESIDE = frozenset({*SETTINGS, *PAST, "AHEAD", "UNTIL", "NONE"})
"""Events that end no reason."""
_PLANS = frozenset({"PLANNED", "ORDERED", "TRIAL"})
"""Events of what is only to come."""
_EXCEPT = frozenset({"for", "other", "except", "besides", "beyond", "that", "which", "until", "to", "at"})
"""Words behind "no medications" that make it not all medicines, or not now."""
_BEFORE_WHEN = 4
"""Words behind "restart" before which it is told when."""
_BESIDE_DOSE = frozenset({"at", "to", "and", "per", "as", "with", "by", "from", "now"})
"""Words of those that may follow a decision that tell no time."""
_REPEATED = frozenset({"every", "each", "per"})
"""Words before a time that tell how often."""
_DIVIDING = frozenset({",", ".", ";", "\n"})
_PLANNED = frozenset({SectionCategory.PLAN, SectionCategory.INSTRUCTIONS})
_PARTING = frozenset({",", ";", ".", "/", "&", "+", "-", "\u2013", ":", ")", "\u2022"})
"""Marks between the items of a line of a plan."""
_PAIRED = 3
"""Words at most behind "and" in an item of a plan that names two medicines."""
_FAR = 10
"""Words behind a planned medicine in which its condition begins."""


def why_ended(note: ParsedNote, one: NamedMedicine, found: Governing | None) -> str:
    """The reason, without its "because of"; for a hold without one, the words that say until when. Empty where the note tells neither.

    Args:
        note: the parsed note.
        one: the medicine.
        found: what governs it.
    """
    number = note.sentence_at(one.start_char)
    if found is None or found.event not in _ENDS or number is None:
        return ""
    sentence = note.sentences[number]
    behind = max(found.trigger.last, one.last if found.trigger.last <= one.first else 0)
    end = _next_event(note, behind, sentence.last)
    for i in range(behind, min(end, behind + _LOOKED_AT)):
        if _parts(note, i):
            break
        begins = _begins(note, i)
        if begins:
            return _words(note, begins, end)
    first = min(one.first, found.trigger.first)
    lead = next(
        (begins for i in range(sentence.first, min(first, sentence.first + 2)) if (begins := _begins(note, i))), 0
    )
    comma = next((i for i in range(lead, first) if note.words[i] == ","), first)
    if lead and comma < first:
        return _words(note, lead, comma)
    if found.event == "HELD":
        until = medicine_words()[MedicineWord.WHEN]
        for i in range(behind, min(end, behind + _LOOKED_AT)):
            if note.words[i] in until or (note.words[i] == "for" and _is_time(note, i + 1)):
                return _words(note, i, end)
    return ""


def when_resumed(note: ParsedNote, one: NamedMedicine, found: Governing | None) -> str:
    """When a medicine that was held is taken again, in the note's words: "in 48 hours, i.e., Thursday supper"; empty where none is told.

    Args:
        note: the parsed note.
        one: the medicine.
        found: what governs it.
    """
    number = note.sentence_at(one.start_char)
    if found is None or found.trigger.row.event not in ("RESUMED", "HELD") or number is None:
        return ""
    last, trigger = note.sentences[number].last, found.trigger
    if trigger.row.event == "HELD":
        later = note.triggers_within(FAMILY, max(trigger.last, one.last), last)
        again = next((t for t in later if t.row.event == "RESUMED"), None)
        if again is None or "\n" in note.words[max(trigger.last, one.last) : again.first]:
            return ""
        trigger = again
    begin = max(trigger.last, one.last) if trigger.first <= one.first else trigger.last
    words = note.words
    begin -= begin == trigger.last and _tells_when(note, begin - 1)  # "restart on Monday"
    places = range(begin, min(begin + _BEFORE_WHEN, last))
    at = next((i for i in places if _tells_when(note, i) and words[i - 1] not in _REPEATED), last)
    if not _DIVIDING.isdisjoint(words[begin:at]):
        return ""
    end = at
    while end < min(last, at + _MOST) and words[end] not in _BREAKS:
        if words[end] == "." and end + 1 < last and note.written(end + 1, end + 2)[:1].isupper():
            break
        end += 1
    return " ".join(note.written(at, end).split()).rstrip(" .,")


def _tells_when(note: ParsedNote, i: int) -> bool:
    """Whether a word begins when something is done again: a day, "in", "once", a date; no dose."""
    word, following = note.words[i], note.words[i + 1] if i + 1 < len(note.words) else ""
    if word[:1].isdigit():
        return following in ("/", "-") or is_time(following)
    return word in word_lists("medications/words_remarks")["follows"] - _BESIDE_DOSE


def is_conditional(note: ParsedNote, stated: StatedMedicine, attributes: SpanAttributes) -> bool:
    """Whether a medicine is only thought of, comes later, or is planned under a condition that stands right behind it or that the attributes of its name tell.

    Args:
        note: the parsed note.
        stated: the medicine with what is told of it.
        attributes: of its name.
    """
    found = stated.governing
    if found is None or found.event not in _PLANS:
        thought_of = found is not None and found.event == "HYPOTHETICAL"
        return thought_of or (stated.named.section in DECIDED and is_named_open(note, stated.named.first))
    if attributes.hypothetical or is_left_open(note, found.trigger):
        return True
    first = max([stated.named.last, *(d.last for d in stated.dosages), found.trigger.last])
    at = note.sentence_at(stated.named.start_char)
    if at is not None and is_put_off(note, note.sentences[at], found.trigger, stated.named.last, first):
        return True
    for i in range(first, min(first + _FAR, len(note.words) - 1)):
        word, following = note.words[i], note.words[i + 1]
        if word in ("if", "unless"):
            return following not in medicine_words()[MedicineWord.USED_WHEN]
        if not word[:1].isalnum() or word in medicine_words()[MedicineWord.JOIN]:
            return False
    return False


def told_for_case(note: ParsedNote, stated: StatedMedicine, signs: Signs) -> StatedMedicine:
    """A medicine that a note ends only for a case to come, as one that is only thought of; any other as it is.

    Args:
        note: the parsed note.
        stated: the medicine with what is told of it.
        signs: of the note.
    """
    found = stated.governing
    if found is None or found.event not in _ENDS or not is_for_a_case(note, found.trigger, signs):
        return stated
    return stated._replace(governing=found._replace(event="HYPOTHETICAL"))


def with_own_dosages(note: ParsedNote, stated: StatedMedicine, others: Collection[tuple[int, int]]) -> StatedMedicine:
    """A medicine without amounts that are no dose of it: the step of a change ("taper by 5 mg each week"), or what names an illness ("paracetamol OD").

    Args:
        note: the parsed note.
        stated: the medicine with what is told of it.
        others: spans of what the note names that is no treatment.
    """
    own = (d for d in stated.dosages if (d.start_char, d.end_char) not in others)
    return stated._replace(dosages=tuple(d for d in own if not d.first or note.words[d.first - 1] != "by"))


def heads_item(note: ParsedNote, stated: StatedMedicine) -> bool:
    """Whether a medicine is an item of a plan by itself: "1. Regular paracetamol", "rest, fluids, ibuprofen if needed"; no part of a told sentence.

    Args:
        note: the parsed note.
        stated: the medicine, which no trigger governs.
    """
    one, kinds = stated.named, medicine_words()
    section = note.section_at(one.start_char)
    if section is None or one.section not in _PLANNED or stated.context.ordered:
        return False
    begin = max(section.body_char, note.text.rfind("\n", 0, one.start_char) + 1)
    lead = [word for word in note.words[note.token_range(begin, one.end_char)[0] : one.first] if word != "\n"]
    if not (kinds[MedicineWord.WHO] | kinds[MedicineWord.UNDECIDED]).isdisjoint(lead):
        return False
    last = max([one.last, *(d.last for d in stated.dosages)])
    last = next(
        (course.last for course in note.triggers_within(COURSE, last, last + _FAR) if course.first == last), last
    )
    dosed = min((d.first for d in stated.dosages), default=one.last)
    between = (word for word in note.words[one.last : dosed][1:] if word[:1].isalnum())
    if not kinds[MedicineWord.BEFORE_DOSE].issuperset(between):
        return False  # words that were not read stand before its dose
    following = note.words[last] if last < len(note.words) else "\n"
    mark = next((i for i in range(len(lead) - 1, -1, -1) if lead[i] in _PARTING or lead[i] == "and"), -1)
    own = [word for word in lead[mark + 1 :] if word.isalpha()]
    if not kinds[MedicineWord.WAITS].isdisjoint(lead[mark + 1 :]):
        return False
    return kinds[MedicineWord.OF_ITEM].issuperset(own) and (
        not following[:1].isalnum()
        or is_length(note.words, last)
        or following in kinds[MedicineWord.OF_ITEM] | {"if"}
        or (following == "and" and _ends_soon(note, last + 1))
    )


def _ends_soon(note: ParsedNote, first: int) -> bool:
    """Whether little follows before the next mark: "paracetamol and ibuprofen prn,", and no verb of a sentence."""
    end = next((i for i in range(first, len(note.words)) if not note.words[i][:1].isalnum()), len(note.words))
    return end - first <= _PAIRED


def waits(note: ParsedNote, one: NamedMedicine) -> bool:
    """Whether the sentence of a medicine puts off what it decides: "if", "tomorrow", "consider"."""
    at = note.sentence_at(one.start_char)
    words = () if at is None else note.words[note.sentences[at].first : note.sentences[at].last]
    return not medicine_words()[MedicineWord.WAITS].isdisjoint(words)


def is_of_before(note: ParsedNote, found: Governing | None) -> bool:
    """Whether a plan tells what was done before it: "had already been stopped"."""
    return found is not None and "had" in note.words[found.trigger.first : found.trigger.last]


def _begins(note: ParsedNote, i: int) -> int:
    """The token at which a reason begins whose first word stands at a place; 0 where none does."""
    words, kinds = note.words, medicine_words()
    following = words[i + 1] if i + 1 < len(words) else ""
    if words[i] in kinds[MedicineWord.WHY]:
        return i + 1 + (following in ("of", "to"))
    if words[i] in ("as", "since", "after") and following in kinds[MedicineWord.WHO]:
        return i + 1 if words[i] != "after" or following in kinds[MedicineWord.SUBJECT] else 0
    return i + 1 if words[i] == "for" and following[:1].isalpha() and not _is_time(note, i + 1) else 0


def _is_time(note: ParsedNote, first: int) -> bool:
    """Whether words tell how long or when, and not what for: "for now", "for a few days"."""
    words, kinds = note.words[first : first + 4], medicine_words()
    number = any(word[:1].isdigit() or word in NUMBER_WORDS for word in words[:2])
    return number or any(map(is_time, words)) or bool(words and words[0] in kinds[MedicineWord.NO_REASON])


def _next_event(note: ParsedNote, first: int, last: int) -> int:
    """Where "and" or a comma goes on to the next thing that is told of a medicine, else the end of the sentence."""
    joins = medicine_words()[MedicineWord.JOIN] | {","}
    found = [one.first for one in note.triggers_within(FAMILY, first, last) if one.row.event not in _BESIDE]
    found = [at - (note.words[at - 1] == "not") for at in found]  # "held for AKI and not restarted"
    return min([last, *(at for at in found if note.words[at - 1] in joins)])


def _parts(note: ParsedNote, i: int) -> bool:
    """Whether a token ends what is said: a full stop that is no decimal's."""
    if note.words[i] != ".":
        return note.words[i] in _BREAKS
    return not (0 < i < len(note.words) - 1 and note.words[i - 1][-1:].isdigit() and note.words[i + 1][:1].isdigit())


def _words(note: ParsedNote, first: int, last: int) -> str:
    end = first
    while end < min(last, first + _MOST) and not _parts(note, end) and (end == first or note.words[end] != ","):
        end += 1
    joins = medicine_words()[MedicineWord.JOIN] | medicine_words()[MedicineWord.TRAILING]
    while end > first and note.words[end - 1] in joins:
        end -= 1
    return " ".join(note.written(first, end).split())


def takes_nothing(note: ParsedNote) -> bool:
    """Whether the note says that no medicine is taken now: "currently on no medications"; a bare list "none" may be of this place alone."""
    words, kinds = note.words, medicine_words()
    for one in note.triggers[FAMILY]:
        section = note.section_at(note.tokens.starts[one.first])
        if one.row.event != NO_MEDICINES or (section and section.category is SectionCategory.FAMILY_HISTORY):
            continue
        begins = words[max(0, one.first - 2) : one.first + 1]
        following = words[one.last] if one.last < len(words) else ""
        now = following == "at" and words[one.last + 1 : one.last + 2] in (["present"], ["this"], ["the"])
        if kinds[MedicineWord.PAST_VERB].isdisjoint(begins) and (now or following not in _EXCEPT):
            return True
    return False
