"""The medicines that a note names: mentions of drugs and classes, oxygen and fluids, and unknown names in lists of medicines.

An entry of a list whose name no lexicon knows is a medicine all the same: it keeps its own dose, which would else be read
as its neighbour's. A name beside "level", "overdose" or "allergy" is no medicine that is taken.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest
from backend.nlp.findings.measured.observations import claimed
from backend.nlp.findings.measured.value_rows import is_doubtful, is_flag
from backend.nlp.lexicon.variants import english_words
from backend.nlp.measures.routes import FAMILY as ROUTE
from backend.nlp.measures.timing import FAMILY as TIMING
from backend.nlp.measures.units import NUMBER_WORDS, unit_of
from backend.nlp.medications.lists.list_lines import ENTRY_MARKS, begins_item, divides, list_ends, opens_line
from backend.nlp.rules import RULES, words_by_kind
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Category, SectionCategory

NAMES = "medications/medicine_name"
MEASURES = "procedures/measure"
EVENTS = "medications/medication"
_REMARKS = frozenset({"STOPPED", "HELD", "REFUSED", "NOT_TAKEN", "PAST", "RAN_OUT", "AVOID", "GIVEN", "STARTED"})
_DRUGS = frozenset({Category.DRUG, Category.DRUG_CLASS})
_NO_LISTS = frozenset({
    SectionCategory.ALLERGIES, SectionCategory.VITAL_SIGNS, SectionCategory.PHYSICAL_EXAM, SectionCategory.RESULTS,
    SectionCategory.IMAGING, SectionCategory.FAMILY_HISTORY, SectionCategory.DEMOGRAPHICS,
})  # fmt: skip
ITEM = "ITEM"
"""The event of words that are a medicine only where they begin an item of a list: "eye drops"."""
_SUSCEPTIBILITIES = frozenset("SIR")
_MOST_WORDS = 4
_LEAST_LETTERS = 3
_SHORT_INGREDIENT = 5
_GLUED_DOSE = re.compile(r"\d+(?:mg|mcg|g|ml|units?)")
_DOSES = WordTest(lambda word: word in ("mg", "mcg") or _GLUED_DOSE.fullmatch(word))


class MedicineWord(StrEnum):
    """How a word bears on the medicines beside it; the rules file explains each."""

    NOT_NAME = "not_name"
    MEDICINE_NOUN = "medicine_noun"
    HOSPITAL_ONLY = "hospital_only"
    HOSPITAL_OFTEN = "hospital_often"
    NOT_AFTER = "not_after"
    NOT_BEFORE = "not_before"
    GLUE = "glue"
    BLOCKS = "blocks"
    NEW_ORDER = "new_order"
    SUBJECT = "subject"
    PASSIVE = "passive"
    PLURAL = "plural"
    GOES_ON = "goes_on"
    JOIN = "join"
    JOINED = "joined"
    SINGULAR = "singular"
    LEAD = "lead"
    NO_REASON = "no_reason"
    WAITS = "waits"
    PAST_VERB = "past_verb"
    RECENT = "recent"
    PRESENT = "present"
    WHY = "why"
    WHO = "who"
    WHEN = "when"
    USED_WHEN = "used_when"
    TRAILING = "trailing"
    PRESCRIPTION = "prescription"
    CONDITION = "condition"
    DECIDES = "decides"
    OF_ITEM = "of_item"
    BEFORE_DOSE = "before_dose"
    UNDECIDED = "undecided"


class NamedMedicine(NamedTuple):
    """A medicine as named, over tokens first to last, last left out. concept_id is None where no lexicon has it; given_here: it is given in hospital, unless the note says otherwise."""

    first: int
    last: int
    start_char: int
    end_char: int
    name: str
    concept_id: str | None
    recognised: bool
    category: Category
    score: float
    section: SectionCategory
    given_here: bool = False

    @property
    def ingredients(self) -> tuple[str, ...]:
        """The parts of a combination's name; empty for one."""
        parts = [part for part in re.split(r"[-/+]", self.name) if part]
        combined = len(parts) > 1 and self.category is Category.DRUG and min(map(len, parts)) >= _SHORT_INGREDIENT
        return tuple(part.strip() for part in parts) if combined and self.recognised else ()


@lru_cache(maxsize=1)
def medicine_words() -> dict[MedicineWord, frozenset[str]]:
    """The words of lists of medicines, by kind."""
    return words_by_kind(RULES / "medications" / "words_medications.tsv", MedicineWord)


def named_medicines(note: ParsedNote, mentions: Sequence[Mention]) -> list[NamedMedicine]:
    """The medicines of a note in order of place; they do not overlap.

    Args:
        note: the parsed note.
        mentions: what the lexicon found, of any category.
    """
    known = note.once(_named)
    key = tuple(
        (m.start_char, m.concept_id, m.category, m.allergen or m.section is SectionCategory.ALLERGIES) for m in mentions
    )
    if key not in known:
        known[key] = _read(note, mentions)
    return known[key]


def _named(_: ParsedNote) -> dict[tuple[tuple[int, str, Category, bool], ...], list[NamedMedicine]]:
    return {}


def _read(note: ParsedNote, mentions: Sequence[Mention]) -> list[NamedMedicine]:
    known = _side_by_side(_of_mentions(note, mentions))
    taken = {i for one in known for i in range(one.first, one.last)}
    known += [one for one in _of_rows(note) if taken.isdisjoint(range(one.first - (not one.given_here), one.last))]
    taken.update(i for one in known for i in range(one.first, one.last))
    unknown = list(_unknown(note, taken, taken.union(note.tokens_of(mentions))))
    taken.update(i for one in unknown for i in range(one.first, one.last))
    return sorted([*known, *unknown, *_named_again(note, unknown, taken)])


def _side_by_side(named: Iterable[NamedMedicine]) -> list[NamedMedicine]:
    """Names in order; of two side by side, of which one is a part of the other, one: "Lantus insulin", "insulin Lantus"."""
    found: list[NamedMedicine] = []
    for one in named:
        before = found[-1] if found else None
        if before is None or before.last != one.first:
            found.append(one)
            continue
        words, others = set(before.name.lower().split()), set(one.name.lower().split())
        if before.category is Category.DRUG and one.category is Category.DRUG_CLASS:
            found[-1] = before._replace(last=one.last)  # "amoxicillin abx", "Prozac antidepressant"
        elif others < words or words < others:
            whole = before if others < words else one
            found[-1] = whole._replace(first=before.first, last=one.last)
        else:
            found.append(one)
    return found


def _named_again(note: ParsedNote, unknown: Sequence[NamedMedicine], taken: set[int]) -> Iterator[NamedMedicine]:
    """Where the unknown names of lists stand elsewhere: "Medikinet 5 mg" in the list, and in the plan "stop the Medikinet"."""
    names = {
        note.words[one.first]: one
        for one in unknown
        if one.last == one.first + 1 and len(note.words[one.first]) >= _SHORT_INGREDIENT
        and note.words[one.first] not in english_words()
    }  # fmt: skip
    for i, word in enumerate(note.words if names else ()):
        if word in names and i not in taken:
            start, end = note.tokens.starts[i], note.tokens.ends[i]
            section = note.section_at(start)
            category = section.category if section else SectionCategory.UNLABELED
            if category is not SectionCategory.ALLERGIES:
                yield names[word]._replace(first=i, last=i + 1, start_char=start, end_char=end, section=category)


def _of_mentions(note: ParsedNote, mentions: Sequence[Mention]) -> Iterator[NamedMedicine]:
    results = note.once(claimed)
    none = {i for one in note.triggers[NAMES] if one.row.event == "NONE" for i in range(one.first, one.last)}
    refused = -1  # the end of a name that stands beside a word of no medicine: what is joined to it is none either
    for m in mentions:
        if m.allergen or m.section is SectionCategory.ALLERGIES:
            continue
        if m.category not in _DRUGS and m.category is not Category.SUBSTANCE:
            continue
        first, last = note.token_range(m.start_char, m.end_char)
        listed = m.section is SectionCategory.MEDICATIONS or (m.section not in _NO_LISTS and _is_dosed(note, last))
        if m.category is Category.SUBSTANCE and not listed:
            continue
        if first < last and (
            _is_after(note, first)
            or (0 <= refused < first and medicine_words()[MedicineWord.GLUE].issuperset(note.words[refused:first]))
        ):
            refused = last
        elif (
            first < last
            and first not in none
            and results.isdisjoint(range(first, last))
            and _taken(note, first, last, m.section)
        ):
            yield NamedMedicine(
                first, last, m.start_char, m.end_char, m.name, m.concept_id, True, m.category, m.score, m.section
            )


def _is_dosed(note: ParsedNote, i: int) -> bool:
    """Whether a dose stands right behind a name: "magnesium 2 g"; "potassium 4 mEq/L" is none."""
    number, unit, following = [*note.words[i : i + 3], "", "", ""][:3]
    kind = unit_of(unit)
    return number.isdigit() and kind is not None and kind.kind == "dose" and following not in ("/", "%")


def _of_rows(note: ParsedNote) -> Iterator[NamedMedicine]:
    results = note.once(claimed)
    for found in note.triggers[NAMES]:
        start, end = note.tokens.starts[found.first], note.tokens.ends[found.last - 1]
        section = note.section_at(start)
        category = section.category if section else SectionCategory.UNLABELED
        if (
            found.row.event == "NONE"
            or (found.row.event == ITEM and not begins_item(note, found.first))
            or not results.isdisjoint(range(found.first, found.last))
            or category is SectionCategory.ALLERGIES
            or (section and start < section.body_char)
        ):
            continue
        name = (
            found.row.event
            if found.row.event not in ("WRITTEN", ITEM)
            else " ".join(note.text[start:end].lower().split())
        )
        here = found.row.cells["given"] == "here"
        yield NamedMedicine(found.first, found.last, start, end, name, None, True, Category.DRUG, 1.0, category, here)


def _taken(note: ParsedNote, first: int, last: int, section: SectionCategory) -> bool:
    """Whether a name is a medicine's and not a level's, a toxicity's or a test's."""
    words = note.words
    after = last + (last + 1 < len(words) and words[last] == "-")
    level = after < len(words) and (
        words[after] in medicine_words()[MedicineWord.NOT_AFTER]
        or is_flag(note, after)
        or _is_susceptibility(note, last)
    )
    return not level or section is SectionCategory.MEDICATIONS


def _is_susceptibility(note: ParsedNote, place: int) -> bool:
    """Whether a capital S, I or R stands alone at a place, as behind each antibiotic that a culture was tried with."""
    written = note.text[note.tokens.starts[place] : note.tokens.ends[place]]
    alone = (
        place + 1 == len(note.words)
        or note.words[place + 1] in ENTRY_MARKS
        or "\n" in note.text[note.tokens.ends[place] : note.tokens.starts[place + 1]]
    )
    return written in _SUSCEPTIBILITIES and alone


def _is_after(note: ParsedNote, first: int) -> bool:
    """Whether a name stands right behind a word that makes it no medicine that is taken: "anaphylaxis to", "resistant to"."""
    words = note.words
    before = first - 1 - (first > 1 and words[first - 1] in ("of", "to", "("))
    return before >= 0 and words[before] in medicine_words()[MedicineWord.NOT_BEFORE]


def _unknown(note: ParsedNote, taken: set[int], others: set[int]) -> Iterator[NamedMedicine]:
    """Names that no lexicon knows: entries of a medicine list, and elsewhere what stands right before "5 mg daily"."""
    begins = {one.first for one in (*note.triggers[TIMING], *note.triggers[ROUTE])}
    remarks = {one.first for one in note.triggers[EVENTS] if one.row.event in _REMARKS}
    measured = {one.first: one.last for one in note.triggers[MEASURES] if not is_doubtful(note, one)}
    categories = [section.category for section in note.sections]
    last = list_ends(note, taken)
    dosed = {note.sentence_at(note.tokens.starts[i]) for i in note.where(_DOSES)}
    for number, sentence in enumerate(note.sentences):
        section = categories[sentence.section]
        listed = section is SectionCategory.MEDICATIONS and number <= last.get(sentence.section, -1)
        if not (listed or number in dosed) or section in _NO_LISTS:
            continue
        begin, run = sentence.first, opens_line(note, sentence.first)
        for i in range(sentence.first, sentence.last + 1):
            if i < sentence.last and not divides(note, i, sentence.first):
                continue
            named = _entry(note, begin, i, begins, taken, others, listed and run)
            if named is not None and (named.first in remarks or _is_measure(note, named, measured, i)):
                named = None  # "Cefuroxime 250 mg: finished Thursday", "Hb 134"
            if named is not None:
                yield named
            mark = note.words[i] if i < sentence.last else ""
            run = mark == "\n" or (
                run and mark != "(" and (named is not None or _is_name_and_dose(note, begin, i, taken))
            )
            begin = i + 1


def _is_name_and_dose(note: ParsedNote, first: int, last: int, taken: set[int]) -> bool:
    """Whether an entry is a known medicine with its dosage and no remark, behind which the list goes on in one line."""
    named = [i for i in range(first, last) if i in taken]
    return bool(named) and not any(
        word[:1].isalpha() and word in english_words() and unit_of(word) is None
        for word in note.words[named[-1] + 1 : last]
    )


def _is_measure(note: ParsedNote, named: NamedMedicine, measured: Mapping[int, int], last: int) -> bool:
    """Whether a name is that of a measure with its value: a number behind it that is no dose."""
    if not note.once(claimed).isdisjoint(range(named.first, named.last)):
        return True
    end = measured.get(named.first)
    value = end is not None and end < last and note.words[end][:1].isdigit()
    return value and not note.where_within(_DOSES, named.first, last)


def _entry(
    note: ParsedNote, first: int, last: int, begins: set[int], taken: set[int], others: set[int], listed: bool
) -> NamedMedicine | None:
    """The unknown name that an entry begins with, or None."""
    words, kinds = note.words, medicine_words()
    while first < last and (not words[first][:1].isalnum() or words[first] in kinds[MedicineWord.LEAD]):
        first += 1
    if first < last and words[first].isdigit():
        return None
    end = first
    while end < last and end - first <= _MOST_WORDS and not _dose_begins(note, end, begins):
        end += 1
    head = words[first:end]
    if not head or len(head) > _MOST_WORDS or not taken.isdisjoint(range(first, last)):
        return None
    if not others.isdisjoint(range(first, end)) or any(word in kinds[MedicineWord.NOT_NAME] for word in head):
        return None
    letters = [word for word in head if word[:1].isalpha()]
    strange = [word for word in letters if len(word) >= _LEAST_LETTERS and word not in english_words()]
    noun = bool(letters) and letters[-1] in kinds[MedicineWord.MEDICINE_NOUN]
    doses = end < last and _dose_begins(note, end, begins)
    if not (strange or (listed and noun) or (listed and doses and letters and _is_measured(note, end, last, begins))):
        return None
    if not listed and not (strange == letters and doses and note.where_within(_DOSES, end, min(end + 4, last))):
        return None
    if not (doses or (listed and noun)) or (not doses and end < last):
        return None  # a sentence or a heading ("Gen NAD"), not an entry
    start_char, end_char = note.tokens.starts[first], note.tokens.ends[end - 1]
    section = note.section_at(start_char)
    written = " ".join(note.text[start_char:end_char].split())
    category = section.category if section else SectionCategory.UNLABELED
    return NamedMedicine(first, end, start_char, end_char, written, None, False, Category.DRUG, 0.5, category)


def _is_measured(note: ParsedNote, first: int, last: int, begins: set[int]) -> bool:
    """Whether a dose has its unit, its form or how often: no date is one."""
    words = note.words[first : min(first + _MOST_WORDS, last)]
    return any(
        first + i in begins
        or _GLUED_DOSE.fullmatch(word)
        or ((unit := unit_of(word)) is not None and unit.kind in ("dose", "form"))
        for i, word in enumerate(words)
    )


def _dose_begins(note: ParsedNote, i: int, begins: set[int]) -> bool:
    word = note.words[i]
    number = (word[:1].isdigit() and not word[-1:].isalpha()) or _GLUED_DOSE.fullmatch(word) is not None
    unit = unit_of(word)
    return number or i in begins or word in NUMBER_WORDS or (unit is not None and unit.kind == "form")
