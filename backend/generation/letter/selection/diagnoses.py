"""What the team's assessment names, by its titles: the diagnosis with the site and side that the note gives it.

Takes the assessment of a note line by line; gives its titles in words for the patient, each with its place. A title names a problem of
the patient and does nothing else: a line that orders, doses, denies or tells a story is none. What the title says of doubt stays; where only
the record doubts, the title says so.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from backend.generation.letter.plain_language.clause_subjects import PRONOUNS
from backend.generation.letter.plain_language.letter_words import lists, stopped
from backend.generation.letter.plain_language.telegrams import is_telegram, says_kind
from backend.generation.letter.plain_language.verb_forms import verbs
from backend.generation.letter.selection.opening import COMES
from backend.generation.letter.selection.withheld import is_withheld
from backend.generation.letter.story_frames import HISTORIES
from backend.generation.letter.story_likeness import ToldUnit, denies, leans, numbers, stems
from backend.generation.letter.story_selection import Part, Unit
from backend.generation.letter.story_weights import state_of
from backend.generation.letter.story_wording import ASSESSED, WordedUnit, Wording
from backend.nlp.document import sections
from backend.nlp.lexicon.variants import stem
from backend.nlp.people.injected_instructions import has_injected_instructions
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import PatientRecord, ProblemStatement, Statement
from backend.schemas.vocabulary import SectionCategory

MOST = 5
"""Titles that a letter names."""
_LONGEST = 12
"""Words of a title."""
_LEAD = re.compile(r"\s*(?:[-•*#]|\(?\d{1,2}[.)](?!\d)|\(?[a-z][.)](?=\s))*\s*")
_COUNTED = re.compile(r"\s*(\d{1,2})\s+(?=[A-Z])")
_ENDS = re.compile(r"(?<=[A-Za-z)\d])(?<!\bMr)(?<!\bMs)(?<!\bMrs)(?<!\bDr)[.;]\s+|[.;]\s*$")
_PARTS = re.compile(r", (?![^()]*\))")
_CAUSE = re.compile(r",?\s*\?\s*(?:cause|aetiology|etiology)\b", re.IGNORECASE)
_SHORT = re.compile(r"[A-Z]{2,5}")
_REASONED = re.compile(
    r"(?:(?:most|very|more) )?(?:likely|probably|possibly|presumably|thought|felt|believed|suspected|attributed|due|secondary|because)\b(?! (?:pain|better|worse)\b)",
    re.IGNORECASE,
)
"""How a telegram under a title begins that tells what it comes of: "Likely because of diabetes"."""
_LEADING = frozenset(("for", "to"))
_HELD = frozenset(("present", "uncertain"))


class Title(NamedTuple):
    """A title in words for the patient, with its place in the note and what was read in it. until: where what stands under it ends."""

    text: str
    start: int
    end: int
    until: int
    statements: tuple[Statement, ...]


def titles(
    record: PatientRecord,
    note_text: str,
    wording: Wording,
    is_corrected: Callable[[int, int], bool],
    unread: Callable[[str], Sequence[str]],
) -> tuple[Title, ...]:
    """The titles of a note's assessment in its order, each once; none where the first thing that it names is no title.

    Args:
        record: of the note, whose spans index it.
        note_text: the note.
        wording: puts words of the note plainly.
        is_corrected: whether a clinician corrected what stands between two places.
        unread: the words of a text that a patient could not read.
    """
    found: list[Title] = []
    for section in sections(note_text):
        if section.category is not SectionCategory.ASSESSMENT:
            continue
        kind: str | None = None
        for start, end, mark in _lines(note_text, section.body_char, section.end_char):
            if found and kind is not None and mark == kind:
                found[-1] = found[-1]._replace(until=min(found[-1].until, start))
            end = start + len(_name(note_text[start:end]))
            beside = kind is not None and mark not in (kind, None)  # of another list than the titles
            if beside or not is_telegram(note_text[start:end]) or _is_of_person(note_text[start:end]):
                continue
            title = None if is_corrected(start, end) else _title(record, note_text, start, end, wording, unread)
            if title is None and not found:
                return ()  # what the team thought of first is not known
            if title is None or any(stems(title.text) <= stems(one.text) for one in found):
                continue
            kind = mark if mark is not None else kind
            found.append(title._replace(until=section.end_char))
    return tuple(found[:MOST])


def diagnosis_sentence(named: Sequence[Title], opening: str, wording: Wording) -> tuple[str, tuple[Title, ...]]:
    """What the assessment names as one sentence, with the titles in it; empty where the opening says all of them.

    Args:
        named: the titles.
        opening: the sentence that says why they came; empty for none, and then this is it.
        wording: of the note.
    """
    said = stems(opening)
    new = tuple(one for one in named if not stems(one.text) <= said)
    if not new:
        return "", ()
    several = "diagnosis" if len(named) == 1 else "problems" if len(new) == len(named) else "other_problems"
    return wording.in_frame(several if opening else "came_for", "; ".join(one.text for one in new)), new


def told_with(
    named: Sequence[Title], chosen: Sequence[ToldUnit], wording: Wording, units: Sequence[Unit] = ()
) -> list[ToldUnit]:
    """What is chosen of a story, without the titles themselves, and with each title before the first of what leans on it.

    Args:
        named: the titles.
        chosen: in the order of the letter.
        wording: of the note.
        units: all of the note, in its order.
    """
    kept: list[ToldUnit] = []
    led = set[int]()
    untold = not named and _first_is_untold(chosen, units)
    for one in chosen:
        unit, worded = one.worded.unit, one.worded
        if worded.frame == ASSESSED and (untold or any(one.start <= unit.start <= one.end for one in named)):
            continue
        if (
            named
            and unit.section is SectionCategory.ASSESSMENT
            and COMES.match(worded.text)
            and not numbers(worded.text)
        ):
            continue  # the opening says why they came
        if worded.frame and unit.part is Part.FOUND and follows_title(unit, named) and _REASONED.match(worded.text):
            worded = worded._replace(text=stopped(f"This was {wording.lowered(worded.text)}"), frame="")
            one = one._replace(worded=worded)
        over = title_over(unit.start, named) if unit.part is Part.FOUND and not worded.frame else None
        means = follows_title(unit, named) and leans(worded.text)
        if over is not None and (means or (len(named) > 1 and over.start not in led and _leans(over, worded.text))):
            led.add(over.start)
            about = worded._replace(text=f"About {over.text}: {wording.lowered(worded.text)}")
            one = one._replace(worded=about, over=((over.start, over.end),))
        kept.append(one)
    return kept


def _first_is_untold(chosen: Sequence[ToldUnit], units: Sequence[Unit]) -> bool:
    """Whether the first problem that the assessment names is not told, so that the next would stand for it."""
    first = next(
        (
            one
            for one in units
            if one.section is SectionCategory.ASSESSMENT
            and is_telegram(one.text)
            and any(isinstance(each, ProblemStatement) and state_of(each) in _HELD for each in one.statements)
        ),
        None,
    )
    told = {unit.start for one in chosen for unit in (one.worded.unit, *one.again)}
    return first is not None and first.start not in told


VAGUE = "other"
"""The frame of what a plan names without saying what is done."""


def is_named_again(worded: WordedUnit, named: Sequence[Title]) -> bool:
    """Whether a history, or a line of a plan, names nothing but what the titles name: "You reported a history of diabetes"."""
    said = stems("; ".join(one.text for one in named)) | {stem(word) for word in lists()["reporting"]}
    again = worded.unit.section in HISTORIES or worded.frame == VAGUE
    return again and not denies(worded.text) and stems(worded.text) <= said


def _leans(title: Title, text: str) -> bool:
    """Whether a sentence does not say of which problem it is: none of the title's words are in it."""
    return stems(title.text).isdisjoint(stems(text))


def follows_title(unit: Unit, named: Sequence[Title]) -> bool:
    """Whether what a unit of the assessment calls "this" is the title that it stands under: no sentence stands between them.

    Args:
        unit: of the note.
        named: the titles.
    """
    over = title_over(unit.start, named) if unit.section is SectionCategory.ASSESSMENT else None
    return over is not None and is_telegram(unit.before) and over.end <= unit.start


def title_over(place: int, named: Sequence[Title]) -> Title | None:
    """The title under which a place of the note stands, behind its line; None for none."""
    return next((one for one in named if one.end < place < one.until), None)


def _lines(note: str, start: int, end: int) -> Iterator[tuple[int, int, str | None]]:
    """Yield where a title of a section may stand, with the mark of its line: the beginning of each line, and what stands behind it up to the first sentence."""
    lines = list(re.finditer(r"[^\n]*[^\s][^\n]*", note[start:end]))
    counted = [int(found[1]) for line in lines if (found := _COUNTED.match(line[0])) is not None]
    in_order = len(counted) > 1 and counted == [*range(1, len(counted) + 1)]  # "1 Cellulitis", "2 Gout"
    for line in lines:
        number = _COUNTED.match(line[0]) if in_order else None
        lead = (number or _LEAD.match(line[0]))[0]  # type: ignore[index]
        begin, stop = start + line.start() + len(lead), start + line.end()
        mark: str | None = re.sub(r"\d+", "1", lead.strip())
        for match in (*_ENDS.finditer(note, begin, stop), None):
            last = stop if match is None else match.start()
            if begin < last:
                yield begin, begin + len(note[begin:last].rstrip()), mark
            if match is None or not is_telegram(_name(note[begin:last])):
                break
            begin, mark = match.end(), None


def _title(
    record: PatientRecord,
    note: str,
    start: int,
    end: int,
    wording: Wording,
    unread: Callable[[str], Sequence[str]],
) -> Title | None:
    """What stands between two places as a title; None where it is none."""
    text = note[start:end]
    words = re.findall(r"[a-z']+", text.lower())
    inside = [one for one in record.statements if _stands_in(one, start, end)]
    problems = [one for one in inside if isinstance(one, ProblemStatement)]
    others = [one for one in inside if not isinstance(one, ProblemStatement)]
    if not problems or any(_ends_in(one, start, end) for one in others):
        return None
    if any(state_of(one) not in _HELD for one in problems) or ":" in text or text.count("(") != text.count(")"):
        return None
    before = re.findall(r"[a-z]+", text[: min(_place_in(one, start, end) for one in problems) - start].lower())
    if not _LEADING.isdisjoint(before):
        return None  # "dietitian for weight loss"
    ordered = (
        words[0] in verbs() and not says_kind(text) and all(_place_in(one, start, end) > start for one in problems)
    )
    if ordered or denies(text) or is_withheld(text) or has_injected_instructions(text):
        return None
    if not PRONOUNS.keys().isdisjoint(words) or not word_lists("letter/words_history")["past"].isdisjoint(words):
        return None
    asked = _CAUSE.sub("", text)
    told = _readable(wording.name(asked, start) or wording.name(_without_short_form(asked), -1), unread)
    unsure = all(state_of(one) == "uncertain" for one in problems)
    if told and unsure and "?" not in text and lists()["doubts"].isdisjoint(words):
        told = f"possible {told}"
    return Title(told, start, end, end, tuple(problems)) if told else None


def _without_short_form(text: str) -> str:
    """A name without the short form of a part of the body's: "Right knee MCL strain" gives "Right knee strain"; empty for any other."""
    words = text.split()
    body = word_lists("findings/words_phrases")["body"]
    kept = [
        word
        for i, word in enumerate(words)
        if not (_SHORT.fullmatch(word) and 0 < i < len(words) - 1 and words[i - 1].lower() in body)
    ]
    return " ".join(kept) if len(kept) < len(words) else ""


def _readable(name: str, unread: Callable[[str], Sequence[str]]) -> str:
    """A name without the words before its noun that a patient could not read, and without the parts whose noun is one; empty where its first is."""
    kept: list[str] = []
    for part in _PARTS.split(name):
        hard = set(unread(part))
        words = [word for word in part.split() if word.strip("()") not in hard]
        if not words or part.split()[-1].strip("()") in hard:
            break
        if words[-1].lower() in word_lists("letter/words_history")["no_name_alone"]:
            words = part.split()  # "pain syndrome" names less than "patellofemoral pain syndrome"
        kept.append(" ".join(words))
        if sum(len(one.split()) for one in kept) > _LONGEST:
            kept.pop()
            break
    return ", ".join(kept)


def _name(text: str) -> str:
    """The words of a line that name, without what it orders, denies or explains behind them."""
    cut = word_lists("letter/words_history")["behind"]
    for match in re.finditer(r"(?:,\s*|\s+[-\u2013]\s+|\s+)([a-z/]+)", text, re.IGNORECASE):
        dashed = "-" in match[0] or "\u2013" in match[0]
        if match.start() and (match[1].lower() in cut or dashed):
            return text[: match.start()].rstrip(" ,-\u2013").removesuffix(" to").removesuffix(",")
    return text.rstrip(" .,;")


def _stands_in(one: Statement, start: int, end: int) -> bool:
    return any(not span.note_id and start <= span.start_char < end for span in one.spans)


def _is_of_person(text: str) -> bool:
    """Whether a telegram tells who the patient is: "70-year-old man with gout"."""
    return not lists()["patient"].isdisjoint(re.findall(r"[a-z]+", text.lower()))


def _ends_in(one: Statement, start: int, end: int) -> bool:
    """Whether a statement stands whole between two places; a decision that begins with the title goes on behind it."""
    return any(not span.note_id and start <= span.start_char and span.end_char <= end for span in one.spans)


def _place_in(one: Statement, start: int, end: int) -> int:
    return min(span.start_char for span in one.spans if not span.note_id and start <= span.start_char < end)
