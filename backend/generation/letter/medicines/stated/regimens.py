"""Regimens: what a medicine's dosages come to, in words, and whether two of them are the same.

Only what both sides state is compared: a list without a dose contradicts no dose.
"""

import re
from collections.abc import Sequence

from backend.nlp.measures.dosage_words import dosage_in_words, joining_words
from backend.nlp.measures.timing import are_parts_of_day, per_day
from backend.nlp.measures.units import UNITS, unit_of
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import Dosage, MedicationStatement

AS_WRITTEN = "(as written)"
"""What stands behind a dosage in the note's own shorthand."""
_VOWELS = frozenset("aeiouy")
_FIGURES = re.compile(r"[\d.,/%\u00bd]*")
_CLOSE = 0.01
_MEANT = frozenset({"ONCE", "CONT"})
"""Timings that are no rhythm, and are compared by their codes."""

Regimen = tuple[Dosage, ...]
"""The dosages of one prescription: one, or the parts of a day ("5 mg in the morning and 10 mg at night")."""


def stated(regimen: Regimen) -> bool:
    """Whether a regimen says anything of how much or when."""
    return any(_says(one) for one in regimen)


def same_regimen(a: Regimen, b: Regimen) -> bool:
    """Whether two regimens agree in everything that both state; one that states nothing agrees with any."""
    first, second = [one for one in a if _says(one)], [one for one in b if _says(one)]
    if not first or not second:
        return True
    if len(first) != len(second):
        return False
    left = list(second)
    for one in first:
        match = next((other for other in left if _same(one, other)), None)
        if match is None:
            return False
        left.remove(match)
    return True


def is_part_of(one: Regimen, whole: Regimen) -> bool:
    """Whether a regimen is one dose of another that has several: "restart at the usual dose (5 mg tonight)" beside 4 mg and 5 mg in turn."""
    return len(one) == 1 < len(whole) and any(_same_amount(one[0], part) for part in whole)


def fuller(regimens: Sequence[Regimen]) -> Regimen:
    """The regimen that states most; the first of equals."""
    return max(regimens, key=lambda regimen: sum(_says(one) for one in regimen), default=())


def comparable(a: Regimen, b: Regimen) -> bool:
    """Whether two regimens can be compared: both are understood, or one states nothing, or they are word for word the same."""
    if not stated(a) or not stated(b) or same_regimen(a, b):
        return True
    return not any(dosage_in_words(one).as_written for one in (*a, *b))


def is_stepped(regimen: Regimen) -> bool:
    """Whether a regimen is a course whose steps say how long each lasts, so that its own words tell it in order."""
    steps = [one.step for one in regimen]
    return (
        steps == list(range(1, len(regimen) + 1))
        and len(steps) > 1
        and all(one.days or one.until for one in regimen[:-1])
    )


def same_amounts(a: Regimen, b: Regimen) -> bool:
    """Whether two regimens of one dosage each state the same amount by the same way, whatever they say of when."""
    if len(a) != 1 or len(b) != 1 or a[0].dose is None:
        return False
    return _same_amount(a[0], b[0]) and a[0].route == b[0].route


def repeated_once(regimen: Regimen) -> Regimen:
    """A regimen without an amount that it states twice: "10 mg tablet, take 1 tablet (10 mg) daily" is 10 mg daily."""
    if len(regimen) < 2 or len({one.timing for one in regimen if one.timing}) > 1:
        return regimen
    first = regimen[0]
    if any(one.dose is None or not _same_amount(first, one) for one in regimen):
        return regimen
    timed = next((one for one in regimen if one.timing or one.as_needed), first)
    fields = {
        name: getattr(timed, name) for name in ("timing", "timing_text", "with_text", "as_needed", "as_needed_for")
    }
    route = next((one.route for one in regimen if one.route), "")
    return (first.model_copy(update={**fields, "route": route, "text": " ".join(one.text for one in regimen)}),)


def joined_parts(regimens: Sequence[Regimen]) -> list[Regimen]:
    """Regimens with those that are different parts of one day put together: morning and night are one prescription."""
    whole: list[Regimen] = []
    for regimen in regimens:
        at = next((i for i, other in enumerate(whole) if _parts_apart(other, regimen)), None)
        if at is None:
            whole.append(regimen)
        else:
            whole[at] = (*whole[at], *regimen)
    return whole


def regimens_of(statements: Sequence[MedicationStatement]) -> list[Regimen]:
    """The distinct regimens: dosages of one mention are parts of one, and so are those of different parts of the day."""
    mentioned: dict[int, Regimen] = {}
    for number, one in enumerate(statements):
        place = one.spans[0].start_char if one.spans else -1 - number
        mentioned[place] = (*mentioned.get(place, ()), one.dosage)
    return distinct(joined_parts([regimen for regimen in mentioned.values() if stated(regimen)]))


def distinct(regimens: Sequence[Regimen]) -> list[Regimen]:
    """The regimens without those that agree with another, of which the fuller is kept."""
    kept: list[Regimen] = []
    for regimen in regimens:
        at = next((i for i, other in enumerate(kept) if same_regimen(other, regimen)), None)
        if at is None:
            kept.append(regimen)
        else:
            kept[at] = fuller([kept[at], regimen])
    return kept


def regimen_words(regimen: Regimen) -> tuple[str, str]:
    """The dose and the timing in words; of several parts, everything as the dose."""
    said = [one for one in regimen if _says(one)]
    worded = [dosage_in_words(one) for one in said]
    if not worded:
        return "", ""
    if len(worded) == 1:
        return worded[0].dose, worded[0].timing
    whole: dict[str, str] = {}
    for one, words in zip(said, worded, strict=True):
        joins = joining_words(one)
        whole.setdefault(
            " ".join(part for part in (words.dose, words.timing) if part), f", {joins} " if joins else " and "
        )
    return "".join(f"{joins}{words}" for words, joins in whole.items()).removeprefix(" and "), ""


def is_shorthand(regimen: Regimen) -> bool:
    """Whether a regimen has words that were not understood and that a patient cannot read: "po w/ tx prn", "140 q.", "60 mg/m2"."""
    written = (dosage_in_words(one) for one in regimen)
    return any(
        _is_short(word) for words in written if words.as_written for word in f"{words.dose} {words.timing}".split()
    )


def _is_short(word: str) -> bool:
    plain = word.strip(",;()[].").lower()
    if _FIGURES.fullmatch(plain) or unit_of(plain) is not None:
        return False
    shorthand = plain in word_lists("letter/words_medicines")["shorthand"]
    return shorthand or not plain.replace("-", "").isalpha() or _VOWELS.isdisjoint(plain)


def as_one(regimen: Regimen) -> str:
    """A regimen in one phrase: "5 mg once a day"."""
    return " ".join(part for part in regimen_words(regimen) if part)


def _says(one: Dosage) -> int:
    amount = one.dose is not None or one.quantity is not None
    return 2 * amount + bool(one.timing) + bool(one.as_needed)


def _parts_apart(a: Regimen, b: Regimen) -> bool:
    return bool(a and b) and are_parts_of_day([one.timing for one in (*a, *b)])


def _same(a: Dosage, b: Dosage) -> bool:
    words = dosage_in_words(a), dosage_in_words(b)
    if words[0].as_written or words[1].as_written:
        return _plain(a.text) == _plain(b.text)
    if a.as_needed != b.as_needed and (a.timing or b.timing or a.as_needed_for or b.as_needed_for):
        return False
    if a.route and b.route and a.route != b.route:
        return False
    return _same_amount(a, b) and _same_timing(a.timing, words[0].timing, b.timing, words[1].timing)


def _same_amount(a: Dosage, b: Dosage) -> bool:
    if a.per_kg != b.per_kg:
        return False
    own, other = _amount(a), _amount(b)
    if own is not None and other is not None:
        units = {own[1], other[1]} - {""}
        return len(units) <= 1 and abs(own[0] - other[0]) < _CLOSE * max(own[0], 1e-9) and a.dose_high == b.dose_high
    if a.quantity is not None and b.quantity is not None:
        return (a.quantity, a.quantity_high, a.form) == (b.quantity, b.quantity_high, b.form)
    return True


def _amount(one: Dosage) -> tuple[float, str] | None:
    """How much at a time in the unit that its kind is counted in: two tablets of 5 mg are 10 mg."""
    if one.dose is None:
        return None
    unit, factor = UNITS.get(one.unit.lower(), (one.unit.lower(), 1.0))
    many = one.quantity if one.quantity is not None and one.quantity_high is None else 1.0
    return one.dose * factor * many, unit


def _same_timing(code: str, words: str, other: str, others: str) -> bool:
    if not code or not other or code == other:
        return True
    if _MEANT & {code, other} or are_parts_of_day([code, other]):
        return False
    often, beside = per_day(words), per_day(others)
    return often is not None and beside is not None and abs(often - beside) < _CLOSE


def _plain(text: str) -> str:
    return " ".join(text.lower().split())
