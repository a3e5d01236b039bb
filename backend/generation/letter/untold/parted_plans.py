"""Cuts a decision in telegram style into its parts, where a part can be told and the rest cannot: "HF clinic 3/20 - restart the pill then".

What leans on the part before it ("until seen", "if well") stays with it; what is not read is told only where it is a whole sentence.
"""

import re
from collections.abc import Iterator, Sequence

from backend.generation.letter.plan_items.plan_openings import decisions
from backend.generation.letter.plan_items.plan_reader import PlanReader
from backend.generation.letter.story_selection import Part, Unit
from backend.generation.letter.untold.for_home import ForHome, names_wishes
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import PlanStatement, Statement

_SOONER = r"|,?\s+or\s+(?=(?:earlier|sooner)\b)|,\s+(?=(?:earlier|sooner)\b)"
_SENTENCE = re.compile(
    r"(?<=[^\W\d]{3})\.\s+|(?<=[^\W\d]{2})(?<!Dr|Mr|Ms|St|vs)\.\s+(?=[A-Z\d])|(?<=[\d)])\.\s+(?=[^\W\d])|;\s+" + _SOONER
)
_DASH = re.compile(rf"{_SENTENCE.pattern}|\s+[-\u2013\u2014]+\s+")
_FIRST = re.compile(r"[^\W\d_]+")


def parted(found: Sequence[Unit], note: str, reader: PlanReader, home: ForHome) -> list[Unit]:
    """Units with those decisions in parts of which only some are read, or are of the time after leaving.

    Args:
        found: units of the note, in order.
        note: the note.
        reader: of the note's plan.
        home: tells what is of the time after leaving.
    """
    whole = _with_conditions(found, note)
    return [one for unit in whole for said in _decisions(unit, reader) for one in _parts(said, reader, home)]


def _with_conditions(found: Sequence[Unit], note: str) -> Iterator[Unit]:
    """Yield units, what is decided "for now" together with the condition that turns it: "no scan now; however, if it lasts we will order one"."""
    conditions = word_lists("letter/words_decisions")["conditions"]
    held: Unit | None = None
    for one in found:
        first = [match[0].lower() for match in _FIRST.finditer(one.text)][:2]
        turns = first[:1] == ["however"] and not conditions.isdisjoint(first[1:])
        if held is not None and turns and held.section is one.section and note[held.end : one.start].strip() in ",;":
            text, statements = note[held.start : one.end], (*held.statements, *one.statements)
            weight = max(held.weight, one.weight)
            held = held._replace(
                end=one.end, text=text, statements=statements, weight=weight, part=Part.DECIDED, reason_alone=False
            )
            continue
        if held is not None:
            yield held
        held = one
    if held is not None:
        yield held


def _decisions(unit: Unit, reader: PlanReader) -> Sequence[Unit]:
    """A unit as the decisions that say each for itself who is to act: "fluids, rest, advised to ring if worse"."""
    if unit.part is not Part.DECIDED or names_wishes(unit) or reader.sentences(unit.text, unit.start, unit.section):
        return (unit,)
    return [_part(unit, start, end) for start, end in decisions(unit.text)]


def _parts(unit: Unit, reader: PlanReader, home: ForHome) -> Sequence[Unit]:
    wishes = names_wishes(unit)
    if unit.part is not Part.DECIDED or wishes or reader.sentences(unit.text, unit.start, unit.section):
        return (unit,)
    for border in (_DASH, _SENTENCE):
        parts = [_part(unit, start, end) for start, end in _places(unit.text, border)]
        read = [bool(reader.sentences(one.text, one.start, one.section)) for one in parts]
        kept = [told or home.decides(one) for told, one in zip(read, parts, strict=True)]
        if any(read) or (border is _SENTENCE and len(set(kept)) > 1):
            return tuple(_joined(unit, parts, read, kept))
    return (unit,)


def _joined(unit: Unit, parts: Sequence[Unit], read: Sequence[bool], kept: Sequence[bool]) -> Iterator[Unit]:
    """Yield what is read part by part, and what follows one another of the rest as one."""
    start = 0
    for i, one in enumerate(parts):
        if read[i]:
            yield one
            start = i + 1
        elif i + 1 == len(parts) or read[i + 1] or kept[i + 1] != kept[i]:
            yield _part(unit, parts[start].start - unit.start, one.end - unit.start)._replace(cut=True)
            start = i + 1


def _places(text: str, border: re.Pattern[str]) -> list[tuple[int, int]]:
    """Where the parts of a text begin and end."""
    leaning = word_lists("letter/words_decisions")["leaning"]
    found: list[tuple[int, int]] = []
    begin = 0
    for match in border.finditer(text):
        following = _FIRST.match(text, match.end())
        if following is not None and following[0].lower() in leaning and "." not in match[0]:
            continue
        if text.count("(", begin, match.start()) != text.count(")", begin, match.start()):
            continue
        found.append((begin, match.start()))
        begin = match.end()
    return [*found, (begin, len(text))]


def _part(unit: Unit, start: int, end: int) -> Unit:
    first, last = unit.start + start, unit.start + end
    held = tuple(one for one in unit.statements if _is_of(one, first, last))
    return unit._replace(start=first, end=last, text=unit.text[start:end], statements=held)


def _is_of(one: Statement, start: int, end: int) -> bool:
    """Whether a statement stands in a stretch: a plan by the words that state it."""
    spans = one.spans[1:] if isinstance(one, PlanStatement) and len(one.spans) > 1 else one.spans[:1]
    return any(span.start_char < end and start < span.end_char for span in spans)
