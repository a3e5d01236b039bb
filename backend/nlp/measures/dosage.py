"""Dosages in a stretch of a note: dose, unit, how many tablets or puffs, form, route, timing, as needed and for what.

A grammar over tokens: numbers and units are shapes, all words are rows (units.tsv, timing and route triggers). A second
dose of the same kind begins a second dosage ("300 mg in the morning and 600 mg at night"). It does not know whose they are.
"""

import re
from bisect import bisect_left
from collections.abc import Sequence

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.document.tokens import WordTest
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.measures.amounts import LONG_NUMBER, Amounts, is_length
from backend.nlp.measures.beside_doses import (
    BRACKET,
    arrow_end,
    before_end,
    greatest,
    is_change,
    is_of_other,
    is_sometimes,
    needed_for,
    read_bracket,
    stands_apart,
    step_begin,
)
from backend.nlp.measures.open_dosage import FoundDosage, OpenDosage
from backend.nlp.measures.routes import FAMILY as ROUTE
from backend.nlp.measures.timing import (
    ALTERNATE,
    CHART,
    CODES,
    DAY,
    IN_TURN,
    JOIN,
    LATIN,
    ONCE,
    PRN,
    WITH,
    Timing,
    chart_hour,
    timings,
)
from backend.nlp.measures.timing import FAMILY as TIMING
from backend.nlp.measures.units import NUMBER_WORDS, PORTIONS, is_time, unit_of
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.vocabulary import SectionCategory

_CLOCK = re.compile(r"\d{1,2}(?::\d\d)?\s?(?P<half>[ap])\.?\s?m\b\.?", re.IGNORECASE)
_OTHER_DAY = re.compile(r"/\s?(?P<n>\d+(?:\.\d+)?)\s?(?P<unit>[a-z\u00b5\u03bc]+)\b", re.IGNORECASE)
_MOST_GAP = 4
_YEAR = re.compile(r"(?:19[5-9]|20[0-4])\d")
_BEHIND_BARE = frozenset((",", ";", ".", "\n", "and", "(", "|", "for"))
"""What may stand behind a dose without a unit."""


def read_dosages(note: ParsedNote, first: int, last: int) -> list[FoundDosage]:
    """The dosages among tokens first to last of a note, last left out; none where they state none.

    Reading stops at what is no part of a dosage for some words on end, so that a number further on is not taken for a dose.

    Args:
        note: the parsed note.
        first: the token behind the medicine's name, or the first of a dosage before it.
        last: where the next medicine, the entry or the sentence begins.

    Returns:
        Them in order; most often one.
    """
    known = note.once(_read)
    if (first, last) not in known:
        known[first, last] = _Reader(note, first, last).read() if dosage_places(note, first, last) else []
    return known[first, last]


def _read(_: ParsedNote) -> dict[tuple[int, int], list[FoundDosage]]:
    return {}


def dosage_places(note: ParsedNote, first: int, last: int) -> Sequence[int]:
    """Where among tokens first to last, last left out, something of a dosage may begin, in order."""
    places = note.once(_places)
    return places[bisect_left(places, first) : bisect_left(places, last)]


def _places(note: ParsedNote) -> list[int]:
    triggers = {one.first for one in (*note.triggers[TIMING], *note.triggers[ROUTE])}
    words = note.where(_BEGINS)
    points = (i - 1 for i in words if i and note.words[i - 1] == "." and note.words[i][:1].isdigit())
    return sorted({*triggers, *words, *points, *note.where(CODES)})


def _begins(word: str) -> bool:
    """Whether a word is a number or the form of a medicine."""
    unit = unit_of(word)
    return word[:1].isdigit() or word in NUMBER_WORDS or word in PORTIONS or (unit is not None and unit.kind == "form")


_BEGINS = WordTest(_begins)


class _Reader:
    def __init__(self, note: ParsedNote, first: int, last: int) -> None:
        self._note, self._first, self._last = note, first, last
        release = word_lists("measures/words_dosage")["release"]
        self._begin = first + (first < last and note.words[first] in release)
        self._timings = {one.first: one for one in timings(note, first, last)}
        self._routes = {one.first: one for one in note.triggers_within(ROUTE, first, last)}
        self._amounts = Amounts(note, last)
        self._open = OpenDosage()
        self._now: OpenDosage | None = None  # of which the next was taken before
        self._found: list[OpenDosage] = []

    def read(self) -> list[FoundDosage]:
        words, i, gap = self._note.words, self._first, 0
        ends, steps, apart = (word_lists("measures/words_dosage")[kind] for kind in ("ends", "step", "apart"))
        while i < self._last:
            if words[i] in apart:
                break
            if self._open.first >= 0 and is_of_other(self._note, self._amounts, self._timings, i, self._last):
                break
            over = gap > _MOST_GAP or ((self._open.timings or "as_needed" in self._open.values) and words[i] in ends)
            over &= greatest(self._note, self._timings, i) == i or self._open.first < 0
            if over:  # "100 mg daily, last dose Friday evening"; "100 mg daily until Friday, then 50 mg"
                step = step_begin(self._note.words, i, self._last)
                if step == i:
                    break
                self._close()
                i = self._begin = step
                gap = 0
                continue
            if (
                i == self._open.last
                and (to := arrow_end(self._note, self._timings, i, self._last)) > i
                and self._open.first >= 0
            ):
                self._open.before_change = True
                self._close()
                i = self._begin = to
                continue
            end = self._element(i)
            if end > i:
                i, gap = end, 0
                continue
            if i == self._open.last and (was := before_end(self._note, self._amounts, i, self._last)) > i:
                self._now, i = self._open, was
                self._close()
                self._begin = i
                continue
            gap = 0 if words[i] in steps else gap + words[i][:1].isalnum()
            i += 1
        self._close()
        return [one.finished(self._note) for one in self._found]

    def _element(self, i: int) -> int:
        """Read what begins at a token into the open dosage; gives where it ends, or i where nothing begins."""
        timing = self._timings.get(i)
        if timing is not None:
            return self._timing(timing)
        route = self._routes.get(i)
        if route is not None:
            return self._route(route)
        at = greatest(self._note, self._timings, i)
        if at > i and self._open.first >= 0 and not self._open.timings:
            self._open.add(i, at, with_text=self._note.written(i, at))
            return self._timing(self._timings[at])
        word = self._note.words[i]
        if word == "(" and (close := self._bracket(i)) > i:
            return close
        if word == "/" and (end := self._in_turn(i)) > i:
            return end
        if (code := LATIN.get(self._note.written(i, i + 1))) and self._ends_dose(i):
            self._open.add(i, i + 1)
            self._open.timings.append(Timing(i, i + 1, code, 1.0, False, "measures/timing/latin"))
            return i + 1
        if word[:1].isdigit() or word in NUMBER_WORDS or word in PORTIONS or (word == "." and i + 1 < self._last):
            return i + 3 if is_length(self._note.words, i) else self._number(i)
        unit = unit_of(word)
        if unit is not None and unit.kind == "form":
            self._open.add(i, i + 1, form=unit.name)
            return i + 1
        return i

    def _ends_dose(self, i: int) -> bool:
        """Whether the word at a token stands right behind a dose and ends what is said of it."""
        words = self._note.words
        behind = (
            i == self._open.last and bool(self._open.values.keys() & {"dose", "quantity"}) and not self._open.timings
        )
        return behind and (i + 1 >= self._last or not words[i + 1][:1].isalnum() or i + 1 in self._timings)

    def _bracket(self, i: int) -> int:
        """Where a bracket ends that says the open dose in another way or what it was before; i for none."""
        words = self._note.words
        close = next((j for j in range(i + 1, min(i + BRACKET, self._last)) if words[j] == ")"), i)
        if close == i or any(i < j < close for j in self._timings):
            return i
        told = read_bracket(self._note, self._amounts, self._open, i, close)
        if told is None:
            return i
        if told is not self._open:
            self._found.append(told)
        self._open.asides.append((i, close + 1))
        return close + 1

    def _strength(self, i: int) -> int:
        """Where the strength of a liquid ends that begins at a token, "250 mg/5 mL - 210 mg"; i for none."""
        end = self._amounts.strength(i, dosed="dose" in self._open.values)
        if end > i:
            self._open.values.setdefault("strength", self._note.written(i, end))
            if self._open.first >= 0:
                self._open.asides.append((i, end))
        return end

    def _timing(self, timing: Timing) -> int:
        end = timing.last
        end += end < self._last and self._note.words[end] == "." and self._note.words[end - 1] in _LETTERS
        counted = timing.code == ONCE and self._note.words[timing.last - 1] in ("1", "one")
        if counted and timing.last < self._last and is_time(self._note.words[timing.last]):
            return timing.last  # "x 1 week" is how long
        if timing.code == JOIN:
            if self._open.values.keys() & {"dose", "quantity"} and self._dose_follows(end):
                self._close()
                self._open.add(timing.first, end, with_text=self._note.written(timing.first, timing.last))
            return end
        of_next = "dose" in self._open.values or "".join(self._note.words[end : end + 1]).isalpha()
        if timing.code == PRN and of_next and is_sometimes(self._note, timing.first, end, self._last):
            return end  # of the dose behind it, or of an ill
        if timing.code == PRN:
            end, reason = needed_for(self._note, {*self._timings, *self._routes}, end, self._last)
            self._open.add(timing.first, end, as_needed=True, as_needed_for=reason)
            return end
        if timing.code == WITH:
            self._open.add(timing.first, end, with_text=self._note.written(timing.first, timing.last))
            return end
        if self._open.timings and timing.first - self._open.last > 2 and timing.code != DAY:
            return timing.first  # a second frequency apart from the first is of something else
        self._open.add(timing.first, end)
        self._open.timings.append(timing)
        return end

    def _dose_follows(self, i: int) -> bool:
        """Whether a number with a unit follows, days of the week between at most: "except Sunday 50 mcg"."""
        words = self._note.words
        while i < self._last and (i in self._timings or words[i] in ("and", ",", "for")):
            i = self._timings[i].last if i in self._timings else i + 1
        return (
            i < self._last and words[i][:1].isdigit() and self._amounts.unit(self._amounts.values(i)[3])[0] is not None
        )

    def _route(self, route: FoundTrigger) -> int:
        end = route.last
        if end < self._last and self._note.words[end] == "." and self._note.words[end - 1] in _LETTERS:
            end += 1
        self._open.add(route.first, end, route=route.row.event)
        return end

    def _number(self, i: int) -> int:
        if (strong := self._strength(i)) > i:
            return strong
        value, high, second, at = self._amounts.values(i)
        if value is None:
            return i
        end = self._amounts.token_at(at)
        if (clock := max(self._clock(i), self._hour(i))) > i:
            return clock
        unit, per = self._amounts.unit(at)
        if unit is not None and unit.kind in ("time", "other"):
            unit_end = self._amounts.unit_end(at)
            return self._amounts.token_at(unit_end) if unit_end else end  # for 7 days, 30 packs
        if unit is None:
            of_age = self._note.words[i].lstrip("0123456789") in word_lists("measures/words_dosage")["age"]
            return i if of_age else self._bare(i, end, value, high, second)
        stop = self._amounts.token_at(self._amounts.unit_end(at))
        if unit.kind == "form":
            self._next("quantity")
            self._open.add(i, stop, quantity=value, quantity_high=high, form=unit.name)
            return stop
        if i and self._note.words[i - 1] == "=" and "dose" in self._open.values and not self._open.timings:
            for name in ("dose", "dose_high", "unit", "per_kg", "quantity", "quantity_high"):
                self._open.values.pop(
                    name, None
                )  # "0.5 mg/kg = 10 mg", "2.5 mg tab x 6 = 15 mg": the whole is what is taken
        self._next("dose", i)
        if self._found and self._open.first < 0 and is_sometimes(self._note, i - 1, i, self._last):
            self._open.add(i - 1, i, with_text=self._note.words[i - 1])
        form = unit_of(self._note.words[stop]) if stop < self._last else None
        name = f"{unit.name}/{per}" if per in ("hr", "min", "mL", "m2") else unit.name
        if unit.name == unit.counted_in and unit.factor != 1:  # 4 million units
            value, high = value * unit.factor, high * unit.factor if high is not None else None
        self._open.add(i, stop, dose=value, dose_high=high, unit=name, per_kg=per == "kg")
        if per == "day":
            self._open.timings.append(Timing(i, stop, "QD", 1.0, True, "measures/timing/daily"))
        if form is not None and form.kind == "form":
            self._open.add(stop, stop + 1, form=form.name)
            stop += 1
        return stop

    def _in_turn(self, i: int) -> int:
        """Where the second of two doses ends that are taken in turn, "4mg/5mg alt days"; i for none."""
        other = _OTHER_DAY.match(self._note.text, self._note.tokens.starts[i])
        open_dose = i == self._open.last and "dose" in self._open.values and not self._open.timings
        unit = unit_of(other["unit"].lower()) if other is not None and open_dose else None
        if other is None or unit is None:
            return i
        behind = self._timings.get(self._amounts.token_at(other.end()))
        if behind is None or behind.code != ALTERNATE:
            return i
        self._close()
        self._open.add(i + 1, behind.last, dose=float(other["n"]), unit=unit.name, with_text=IN_TURN)
        return behind.last

    def _clock(self, i: int) -> int:
        """Where a time of day ends that begins at a token, "at 5 p.m."; i for none. It is a timing where nothing tells one."""
        found = _CLOCK.match(self._note.text, self._note.tokens.starts[i])
        if found is None:
            return i
        end = self._amounts.token_at(found.end())
        if not self._open.timings:
            code = "QAM" if found["half"].lower() == "a" else "QPM"
            self._open.add(i, end)
            self._open.timings.append(Timing(i, end, code, 1.0, False, "measures/timing/clock"))
        return end

    def _hour(self, i: int) -> int:
        """Where an hour of a chart ends that stands right behind a dose or another hour, "5 mg 0800 2000"; i for none."""
        place = self._note.tokens.starts[i]
        section, hour = self._note.section_at(place), chart_hour(self._note.text, place)
        listed = section is not None and section.category is SectionCategory.MEDICATIONS
        behind = self._open.last == i and bool(self._open.values.keys() & {"dose", "quantity"})
        if hour is None or not listed or not behind or any(one.rule_id != CHART for one in self._open.timings):
            return i
        end = self._amounts.token_at(hour[1])
        self._open.add(i, end)
        self._open.timings.append(Timing(i, end, hour[0], 1.0, False, CHART))
        return end

    def _bare(self, first: int, end: int, value: float, high: float | None, second: bool) -> int:
        """A number without a unit: a dose right behind the name where something of a dosage follows, else how many."""
        if self._note.words[first] in ("a", "an"):
            return first
        if self._before(first) == "from" and end < self._last and self._note.words[end] == "to":
            self._next("dose", first)
            self._open.add(first, end, dose=value)  # from 20 to 40 mg
            return end
        follows = end in self._timings or end in self._routes
        if first == self._begin or (self._note.words[first - 1] in ("-", ",", "(") and first == self._begin + 1):
            ends = (
                end >= self._last
                or self._note.words[end] in _BEHIND_BARE | word_lists("measures/words_dosage")["ends"]
                or stands_apart(self._note, end)
                or self._note.written(end, end + 1) in LATIN
                or self._before(first) == "to"
                or arrow_end(self._note, self._timings, end, self._last) > end
            )
            if follows or second or (ends and not _YEAR.fullmatch(self._note.words[first])):
                small = value < LONG_NUMBER and self._note.words[first][:1].isalpha()
                self._next("quantity" if small else "dose", first)
                if small:
                    self._open.add(first, end, quantity=value, quantity_high=high)
                else:
                    self._open.add(first, end, dose=value, dose_high=high)
                return end
        if follows and value < LONG_NUMBER:
            self._next("quantity")
            self._open.add(first, end, quantity=value, quantity_high=high)
            return end
        return first

    def _next(self, kind: str, first: int | None = None) -> None:
        """Begin another dosage where the open one has such a value, or a timing, already."""
        words = self._note.words
        changes = first is not None and first > 0 and words[first - 1] in ("from", "to")
        if (
            kind in self._open.values
            or self._open.before_change
            or (self._open.timings and "dose" in self._open.values and kind == "dose")
        ):
            self._close()
        if changes and first is not None and words[first - 1] == "from":
            self._open.before_change = True

    def _close(self) -> None:
        if self._open.first >= 0:
            self._found.append(self._open)
            if self._now is not None and self._now is not self._open:
                self._open.before_change |= is_change(self._now, self._open)
                self._now = None
        self._open = OpenDosage()

    def _before(self, i: int) -> str:
        return self._note.words[i - 1] if i else ""


_LETTERS = frozenset("dmosncrhqo")
"""Last letters of codes with dots, whose last dot is theirs: p.o., b.i.d., p.r.n., q.h.s."""
