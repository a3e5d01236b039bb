"""The ages a note states of its patient, in every form: "2-1/2-year-old", "18 month old", "6/12 boy", "78F", "aged 45".

Takes a parsed note; phrases are rows of assets/rules/people/age_triggers.tsv, numbers are read from the words beside them. An age of
a relative, of another time ("at 12 years of age", "hives age 6") or of a decade ("in her 80s") is none. An adult's age outweighs a
child's that stands behind it: a mother's note tells of her baby, and a history of her own childhood.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.nlp.attributes.family import person_words
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.people.whose_age import BACK, NAME, Kind, age_words, is_a_persons, is_anothers
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.vocabulary import SectionCategory

FAMILY, MEASURES = "people/age", "procedures/measure"
_OLDEST = 120
_PER_YEAR = {"years": 1, "sexed": 1, "after": 1, "is": 1, "name": 1, "months": 12, "weeks": 52, "days": 365, "day": 365}
_LETTER_UNITS = {"y": "years", "m": "months", "w": "weeks", "d": "days"}
_BEHIND = ("after", "day", "is", "name")
_GLUED = re.compile(r"(?<![\w./+-])(\d{1,3})(?:(y|m|w|d)/?o|yrs?|y)?\s?([mf])?(?![\w%/]|\.\d)", re.IGNORECASE)
_NUMBERED = WordTest(lambda word: word[:1].isdigit())
_SEXED = re.compile(
    r"(?<![\w./])(?:(?P<age>\d{1,3})\s?/\s?(?P<sex>[MF])|(?P<sex2>[MF])\s?/\s?(?P<age2>\d{1,3}))(?![\w/])"
    r"|^[ \t]*(?P<sex3>M|F|Male|Female),?[ \t](?P<age3>\d{1,3})(?=[ ,.;]|$)"
    r"|\((?P<age4>\d{1,3})\s?(?:y|yo|yrs?)\s?(?P<sex4>[MF])?\)"
    r"|(?<![\w./])(?P<age5>\d{1,2})\s(?P<month>mo)\s(?P<sex5>[MF])(?!\w)",
    re.MULTILINE,
)
"""Ages by a sex or in brackets: "45/F", "M 45, fell", "(47 y)", "15 mo M"."""
_SEX_OR_NUMBER = WordTest(lambda word: word[:1].isdigit() or word in ("m", "f", "male", "female"))
_TOP = 600
"""Characters from the beginning of a note in which the patient is named with an age."""
_TITLED = re.compile(
    r"^[ \t]*((?:(?:re|patient|name|pt|child|resident)\s?:?\s+)?(?:[\"\u201c]?[^\W\d_][\w.'\u2019\"\u201c\u201d-]*\s+){0,3}[^\W\d_][\w.'\u2019-]*),"
    r"\s*(?:DOB[^,\n]{0,30},\s*)?(\d{1,3})(?=\s*(?:$|[.,;]|yrs?\b|years?\b|y\b|  ))",
    re.MULTILINE | re.IGNORECASE,
)
_YEARS = re.compile(r"(\d{1,3})(?:y|yo|yrs?)")
_UNITS = {
    "months": re.compile(r"(\d{0,3})(?:months?|mos?|mths?)"),
    "weeks": re.compile(r"(\d{0,3})(?:weeks?|wks?)"),
    "days": re.compile(r"(\d{0,3})days?"),
}
"""Units behind a number or glued to it: "Age: 20 months", "aged 9mo"."""
_YEAR_WORDS = frozenset(("year", "years", "yr", "yrs", "y"))
_PRONOUNS = frozenset(("her", "his", "their", "my", "she", "he", "the"))
_MONTHS = re.compile(
    r"\b(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    r"|room|rm|ward|bed|chair|bay)\b",
    re.IGNORECASE,
)
_AHEAD = 8
_SURE, _LIKELY, _WEAK, _TOLD = 1.0, 0.9, 0.7, 0.5
_GROWN = 16
"""Years from which an age is an adult's."""
_OF_OTHER_TIMES = frozenset((
    SectionCategory.ALLERGIES, SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY,
    SectionCategory.SOCIAL_HISTORY,
))  # fmt: skip
"""Sections that tell of earlier years and of others in the house: what they give as an age counts least."""


class Age(NamedTuple):
    """An age in years, a fraction for children, with the place of its words, the tokens after them and how sure it is."""

    years: float
    start_char: int
    end_char: int
    next_token: int
    sex: str
    certainty: float
    rule_id: str


def stated_ages(note: ParsedNote) -> list[Age]:
    """The patient's ages, the surest first, of equals the first; before a child's age the adult's that stands before it."""
    apart = [s for s in note.sections if s.category is SectionCategory.FAMILY_HISTORY]
    then = {t.last for t in note.triggers[FAMILY] if t.row.event == "then"}
    found = [
        _as_placed(note, age)
        for age in (*_phrased(note, then), *_glued(note, then), *_sexed(note, then), *_titled(note))
        if 0 <= age.years <= _OLDEST and not any(s.start_char <= age.start_char < s.end_char for s in apart)
    ]
    ordered = sorted(found, key=lambda age: (-age.certainty, age.start_char))
    if not ordered or ordered[0].years >= _GROWN:
        return ordered
    child = ordered[0].start_char
    grown = [age for age in ordered if age.years >= _GROWN and age.certainty >= _LIKELY and age.start_char < child]
    return [*grown[:1], *(age for age in ordered if age not in grown[:1])]


def _as_placed(note: ParsedNote, age: Age) -> Age:
    """An age with the certainty that its section leaves it; one joined with a sex or with a person's title keeps its own."""
    section = note.section_at(age.start_char)
    if section is None or section.category not in _OF_OTHER_TIMES or (age.sex and age.certainty == _SURE):
        return age
    return age._replace(certainty=min(age.certainty, _TOLD))


def number_before(note: ParsedNote, i: int) -> tuple[float, int] | None:
    """The number whose words end before token i, with its first token: digits, words, halves ("2-1/2", "three and a half")."""
    words, stop = note.words, i
    if i > 3 and words[i - 1].isdigit() and words[i - 2] == "/" and words[i - 3].isdigit():
        top, low = int(words[i - 3]), int(words[i - 1])
        if not top < low <= 12:
            return None
        whole = _value(words, i - 4 - (words[i - 4] == "-"))
        return (whole[0] + top / low, whole[1]) if whole else (top / low, i - 3)
    if i > 1 and words[i - 1] == "half":
        k = i - 1
        for between in (("a", "one"), ("and", "-")):
            k -= k > 0 and words[k - 1] in between
        whole = _value(words, k - 1)
        return (whole[0] + 0.5, whole[1]) if whole else None
    if i > 3 and words[i - 2] == "." and words[i - 1].isdigit() and words[i - 3].isdigit():
        return float(f"{words[i - 3]}.{words[i - 1]}"), i - 3
    return _value(words, stop - 1)


def _value(words: Sequence[str], i: int) -> tuple[float, int] | None:
    if i < 0:
        return None
    word = words[i]
    if word.isdigit() and len(word) <= 3 and word.isascii():
        return float(word), i
    numbers = _numbers()
    if word not in numbers or word == "half":
        return None
    k = i - 1 - (i > 0 and words[i - 1] == "-")
    if k >= 0 and numbers[word] < 10 and numbers.get(words[k], 0) >= 20:
        return numbers[words[k]] + numbers[word], k
    return numbers[word], i


def _phrased(note: ParsedNote, then: set[int]) -> Iterator[Age]:
    for t in note.triggers[FAMILY]:
        event = t.row.event
        if event == "then":
            continue
        read = _number_behind(note, t) if event in _BEHIND else number_before(note, t.first)
        if read is None:
            continue
        number, place = read
        first, last = (t.first, place + 1) if event in _BEHIND else (place, t.last)
        if event in ("is", "name"):
            first = place
            if not _ends(note, last):
                continue
        if event == "months" and note.words[t.first] == "/" and number > 12:
            continue
        sex, near = _sex_after(note, last)
        if event == "sexed" and not (sex and near <= 3):
            continue
        if event != "day" and is_anothers(note, first, last, then):
            continue
        sure = sex or event in ("after", "is", "name") or (event == "years" and _opens(note, first))
        number += _years_before(note, place) if event == "months" else 0
        certainty = _SURE if sure else _LIKELY if _opens(note, first) else _WEAK
        if event == "after" and not is_a_persons(note, first):
            if number / _PER_YEAR[event] < _GROWN:
                continue  # "hives age 6", "appendicectomy aged 9": of the past
            certainty = _TOLD
        yield Age(
            number / _PER_YEAR[event], note.tokens.starts[first], note.tokens.ends[last - 1], last, sex, certainty,
            t.row.rule_id,
        )  # fmt: skip


def _years_before(note: ParsedNote, place: int) -> float:
    """The months of the years that stand before a number of months, "3-year 2-month-old"; 0 for none."""
    words = note.words
    if place < 2 or words[place - 1] not in _YEAR_WORDS:
        return 0
    years = number_before(note, place - 1 - (words[place - 2] == "-"))
    return 12 * years[0] if years else 0


def _glued(note: ParsedNote, then: set[int]) -> Iterator[Age]:
    """Ages glued to a unit or a sex ("72yo", "78F", "6mo", "82 F"): a shape, read where a sentence or a noun phrase begins."""
    for match in note.shapes(_GLUED, _NUMBERED):
        unit, sex = match[2], match[3]
        if not (unit or sex or match[0].lower().endswith(("y", "yr", "yrs"))):
            continue
        first, last = note.token_range(match.start(), match.end())
        sure = bool(unit)
        if not sure and (_measured(note, first, last) or not (_opens(note, first) and _goes_on(note, last))):
            continue
        if unit and unit.lower() != "y" and not (_opens(note, first) or _sex_after(note, last)[0]):
            continue
        if is_anothers(note, first, last, then):
            continue
        said = {"m": "male", "f": "female"}.get((sex or "").lower(), "") or _sex_after(note, last)[0]
        if not (unit or said):
            continue
        per = _PER_YEAR[_LETTER_UNITS[(unit or "y").lower()]]
        yield Age(
            int(match[1]) / per, match.start(), match.end(), last, said, _SURE if said else _LIKELY, "people/age.glued"
        )


def _sexed(note: ParsedNote, then: set[int]) -> Iterator[Age]:
    """Ages whose shape says so: a sex beside a slash, at the beginning of a line, or years in brackets."""
    for match in _sexed_shapes(note):
        said = {name: value for name, value in match.groupdict().items() if value}
        number = next(int(value) for name, value in said.items() if name.startswith("age"))
        sex = next((value for name, value in said.items() if name.startswith("sex")), "")
        first, last = note.token_range(match.start(), match.end())
        if not is_anothers(note, first, last, then):
            years = number / (_PER_YEAR["months"] if "month" in said else 1)
            full = {"m": "male", "f": "female"}.get(sex[:1].lower(), "")
            certainty = _LIKELY if full or is_a_persons(note, first) else _TOLD  # "Kawasaki (3 y)"
            yield Age(years, match.start(), match.end(), last, full, certainty, "people/age.sexed")


def _sexed_shapes(note: ParsedNote) -> Iterator[re.Match[str]]:
    """The matches of _SEXED, each sought at the word, the bracket or the line that it may begin with."""
    text, starts, ends, done = note.text, note.tokens.starts, note.tokens.ends, 0
    if not text.isascii():
        yield from _SEXED.finditer(text)  # a token may begin with what nobody sees
        return
    for i in note.where(_SEX_OR_NUMBER):
        gap = text[ends[i - 1] if i else 0 : starts[i]]
        blanks = len(gap) - len(gap.rstrip(" \t"))
        bracket = not gap and note.words[max(0, i - 1)] == "("
        for begin in dict.fromkeys((starts[i] - blanks, starts[i] - bracket, starts[i])):
            match = _SEXED.match(text, begin) if begin >= done else None
            if match is not None:
                yield match
                done = match.end()
                break


def _titled(note: ParsedNote) -> Iterator[Age]:
    """An age that ends the name of the patient in the first lines: "RE: Idris B., 9 years", "Wilfred ODUYA-HART, 84."."""
    for match in _TITLED.finditer(note.text, 0, _TOP):
        last = note.token_range(match.start(2), match.end(2))[1]
        named = match[1].split()
        whole = all(word.strip('"\u201c')[:1].isupper() or word.endswith(":") for word in named)
        another = not (person_words().others | _PRONOUNS).isdisjoint(match[1].lower().split())
        if whole and not another and not _MONTHS.search(match[1]):
            yield Age(
                int(match[2]),
                match.start(2),
                match.end(2),
                last,
                _sex_after(note, last)[0],
                _LIKELY,
                "people/age.titled",
            )


def _number_behind(note: ParsedNote, t: FoundTrigger) -> tuple[float, int] | None:
    words = note.words
    i = t.last
    if t.row.event == "name":
        k = i
        while k < min(len(words), i + NAME) and note.text[note.tokens.starts[k]].isupper():
            k += 1
        if k == i or k >= len(words) or words[k] not in (",", "(", "is"):
            return None
        i = k + 1
    glued = _YEARS.fullmatch(words[i]) if i < len(words) else None
    if glued is not None:
        return float(glued[1]), i
    joined = _unit(words[i]) if i < len(words) and t.row.event == "after" else None
    if joined is not None and joined[1]:
        return float(joined[1]) / _PER_YEAR[joined[0]], i
    if i >= len(words) or not words[i].isdigit() or len(words[i]) > 3:
        return None
    after = words[i + 1 : i + 3]
    if after[:1] in (["/"], ["-"], ["%"]) or (after[:1] == ["."] and after[1:] and after[1].isdigit()):
        return None
    unit = ("months", "") if words[i + 1 : i + 4] == ["m", "/", "o"] else _unit(after[0]) if after else None
    if unit is not None and not unit[1]:
        return (float(words[i]) / _PER_YEAR[unit[0]], i + 1) if t.row.event == "after" else None
    return float(words[i]), i


def _unit(word: str) -> tuple[str, str] | None:
    """The unit that a word names, with the number glued to it."""
    found = ((unit, pattern.fullmatch(word)) for unit, pattern in _UNITS.items())
    return next(((unit, match[1]) for unit, match in found if match is not None), None)


def _ends(note: ParsedNote, i: int) -> bool:
    """Whether a bare age may end before token i: at a mark or a joining word."""
    return i >= len(note.words) or note.words[i] in age_words()[Kind.ENDS]


def _sex_after(note: ParsedNote, i: int) -> tuple[str, int]:
    """The sex of the noun that an age belongs to, and how many words on; empty where a clause begins first."""
    words = note.words
    for k in range(i, min(len(words), i + _AHEAD)):
        word = words[k]
        if word in age_words()[Kind.CLAUSE]:
            break
        if word in ("m", "f") and k - i < 2 and not words[k - 1].isdigit():
            return ("male" if word == "m" else "female"), k - i
        for sex in (Kind.FEMALE, Kind.MALE):
            if word in age_words()[sex]:
                return sex.value, k - i
    return "", 0


def _opens(note: ParsedNote, first: int) -> bool:
    """Whether an age begins a sentence or stands behind an article or "is"."""
    if first == 0 or note.words[first - 1] == "\n" or note.words[first - 1] in age_words()[Kind.OPENS]:
        return True
    at = note.sentence_at(note.tokens.starts[first])
    return at is not None and first - note.sentences[at].first <= 1 and note.words[note.sentences[at].first] != "t"


def _measured(note: ParsedNote, first: int, last: int) -> bool:
    """Whether a number is the value of a measure named shortly before it: "temp 98F".

    Over the end of a line or of a section a name reaches a value that stands alone in its line, as in a table's column.
    """
    alone = note.words[last : last + 1] in ([], ["\n"])
    own = note.section_at(note.tokens.starts[first])
    for t in note.triggers_within(MEASURES, max(0, first - 2 * BACK), first):
        apart = "\n" in note.words[t.last : first] or note.section_at(note.tokens.starts[t.first]) is not own
        if t.last > first - BACK and (alone or not apart):
            return True
    return False


def _goes_on(note: ParsedNote, last: int) -> bool:
    return last >= len(note.words) or note.words[last] not in age_words()[Kind.NOT_AFTER]


@lru_cache(maxsize=1)
def _numbers() -> dict[str, float]:
    return {word: float(value) for word, value in rule_rows(RULES / "people" / "words_numbers.tsv", 2)}
