"""What a note says happens to a medicine: the trigger that governs it, and the status, category and change that follow.

A trigger governs the run of medicines ("aspirin, 81 mg, and Plavix") on the side that its row names; one that may govern
either side governs what stands right behind it, else, as a passive or at the end of its clause, what stands before it. The
nearest governs; one behind the run wins over one before it, since it is told later.
"""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote, Sentence
from backend.nlp.document.trigger_automaton import FoundTrigger
from backend.nlp.measures.units import NUMBER_WORDS, is_time, unit_of
from backend.nlp.medications.medicine_names import MedicineWord, medicine_words
from backend.nlp.medications.open_plans import is_left_open
from backend.schemas.vocabulary import SectionCategory

FAMILY = "medications/medication"
BY_SECTION = "medications/section"
"""Rule id of a status that the place of a medicine alone decides."""
RESCUE = "medications/medication/rescue"
"""Rule id of what is kept at home for a bad day, and is neither taken nor stopped."""
SCORED = "medications/scored"
"""Rule id of a status that the scorer decided against the triggers."""
PLAN_ITEM = "medications/plan-item"
"""Rule id of a medicine that is an item of a plan by itself."""
CONDITIONAL = "medications/conditional"
"""Rule id of a plan that holds only under a condition ("if the culture grows")."""
LABELS = ("LIST_STOPPED", "LIST_HELD", "LIST_NEW", "LIST_SAME", "LIST_CHANGED")
"""Labels of a part of a list: what stands below is stopped, held and so on. Each opens a line."""
DECIDED_LIST = "LIST_DECIDED"
"""A list for home by what is said of its entries: one of which nothing is said is not decided."""
LISTS = ("LIST_HOME", "LIST_INPATIENT", "LIST_DISCHARGE", *LABELS)
UNTIL, NEVER = "UNTIL", "NEVER"
SWITCHED, SWITCHED_FROM = "SWITCHED_TO", "SWITCHED_FROM"
NO_MEDICINES = "NO_MEDICINES"
NO_EFFECT, NOT_TOLERATED, TRIED = "NO_EFFECT", "NOT_TOLERATED", "TRIED"
FAILED = (NO_EFFECT, NOT_TOLERATED)
NO_HELP, UNBEARABLE = "no effect", "not tolerated"
"""Why a medicine was given up, as the reader names it where the note tells what came of it."""
DONE = "DONE"
"""Told of a dose that was the last, or the only one: "last dose given this morning, none to take home"."""
NOW, STAY = "LIST_NOW", "STAY"
PAST = ("PAST_TIME", "PAST_DATE")
SETTINGS = ("HOSPITAL", "HOME", *PAST, STAY)
AHEAD = "AHEAD"
"""Told of what is to be done to the patient: what is stopped for it is only held."""
TO_TAKE = "TO_TAKE"
"""Told of what is given along: "given Benadryl to take at night"."""
_WRITTEN = frozenset({"PRESCRIBED", "PRESCRIBED_HERE", "DISCHARGED"})
_DATE = re.compile(r"(?:19|20)\d\d\b|\d{1,2} [/-] \d")
_REACH = {"next": 0, "near": 3, "clause": 12, "sentence": 1000}
_LEFT, _PAST_NEAR = 4, 5
_REMARKS = frozenset({"STOPPED", "HELD", "REFUSED", "NOT_TAKEN", "NEVER", "PAST", "RAN_OUT"})
_REMARK = 3
"""Words between the mark that opens a remark and what it tells: "- mom stopped"."""
_REMARK_MARKS = frozenset("-\u2013\u2014:(,[")
_DASHES = frozenset("-\u2013\u2014:")
"""Marks behind which a remark is of all medicines that "and" joins; else, behind a comma or in brackets it is of the last."""
DECIDED = frozenset({SectionCategory.PLAN, SectionCategory.ASSESSMENT, SectionCategory.INSTRUCTIONS})
REQUEST = "REQUEST"
"""Told of what a patient asks for, which decides nothing."""
_APART = frozenset({*LISTS, *SETTINGS, AHEAD, TO_TAKE, NO_MEDICINES, REQUEST, "NONE"})
"""Events that govern no medicine by themselves."""
_ENDED_BY_UNTIL = frozenset({"TAKES", "GIVEN", "TREATED"})
_ENDS = frozenset({"STOPPED", "HELD", "PAST"})
"""Events that end what an earlier word of the same course began."""
_DOSE_CHANGES = frozenset({"INCREASED", "DECREASED", "CHANGED"})
_ASKED_FOR = _DOSE_CHANGES | {"STOPPED", "STARTED", "PRESCRIBED", "PLANNED"}
_REQUESTED = 12
"""Words between what a patient asks and what is asked for."""
_MARKS_BETWEEN = frozenset("?.")
_GIVEN_UP = frozenset({"TAKES", "STARTED", "PRESCRIBED", "CHANGED"})
"""Events of a medicine that is given up where it is told that it did not work or was not tolerated."""
HERE = frozenset({SectionCategory.HOSPITAL_COURSE, SectionCategory.PROCEDURES})


_ONCE_BEGUN = frozenset({"PRESCRIBED", "STARTED", "GIVEN", "ORDERED", "DISCHARGED", "TAKES"})
"""Events of what may never have been taken all the same."""
_TURNED = frozenset({"STOPPED", "HELD", "RESUMED"})
"""Events that a condition beside them makes none."""
_OPENED = frozenset({"STARTED", "INCREASED", "DECREASED", "CHANGED", *_TURNED})
"""Events that are none where the words before them leave them open."""
_ORDERS = frozenset({"stop", "hold", "omit", "discontinue", "pause", "withhold"})


class Governing(NamedTuple):
    """A trigger that governs a run of medicines, as which event; last_only: of a run, only its last medicine."""

    event: str
    trigger: FoundTrigger
    last_only: bool = False


def governing(
    note: ParsedNote, sentence: Sentence, first: int, last: int, borders: tuple[int, int]
) -> Governing | None:
    """The trigger that governs a run of medicines, or None.

    Args:
        note: the parsed note.
        sentence: the run's.
        first: the run's first token.
        last: where the run ends, its doses included.
        borders: the end of the name before it and the beginning of the one behind it, in tokens.
    """
    found = _governing(note, sentence, first, last, borders)
    if found is None:
        return None
    turn = "RESUMED" if found.event in ("STOPPED", "HELD") else NEVER if found.event in _ONCE_BEGUN else ""
    later = note.triggers_within(FAMILY, max(found.trigger.last, last), min(sentence.last, borders[1])) if turn else ()
    turned = [
        one
        for one in later
        if (one.row.event == turn and one.row.cells["right"] == "-")
        or (one.row.event == "NOT_TAKEN" and found.event == "PRESCRIBED" and _governs_left(note, one, last, borders[1]))
    ]
    found = (
        Governing(turned[0].row.event, turned[0]) if turned else found
    )  # "held and restarted", "prescribed but never filled"
    behind = {one.row.event for one in note.triggers_within(FAMILY, last, min(sentence.last, borders[1]))}
    if found.event == "STOPPED" and AHEAD in behind:
        return found._replace(event="HELD")
    along = {one.row.event for one in note.triggers_within(FAMILY, first, min(sentence.last, borders[1]))}
    given_along = found.event == "GIVEN" and TO_TAKE in along
    found = found._replace(event="PRESCRIBED") if given_along else found
    begun = found.event == "STARTED" or found.trigger.row.event == SWITCHED
    told = _of(MedicineWord.PAST_VERB).isdisjoint(note.words[found.trigger.first : found.trigger.last])
    if begun and told and "if" in note.words[sentence.first : found.trigger.first]:
        return found._replace(event="HYPOTHETICAL")  # "if levels are low we will change to rituximab"
    if found.event in _TURNED and _is_conditional(note, sentence, found, first):
        return found._replace(event="HYPOTHETICAL")
    if found.event in _OPENED and is_left_open(note, found.trigger):
        return found._replace(event="HYPOTHETICAL")  # "we may switch her to", "consider stopping"
    written = given_along or not _of(MedicineWord.PRESCRIPTION).isdisjoint(
        note.words[found.trigger.first : found.trigger.last]
    )
    course = note.sections[sentence.section].category is SectionCategory.HOSPITAL_COURSE
    return found._replace(event="DISCHARGED") if found.event == "PRESCRIBED" and written and course else found


def _is_conditional(note: ParsedNote, sentence: Sentence, found: Governing, first: int) -> bool:
    """Whether a stop or restart is only told for a case to come: "stop it if you vomit", "when to resume it is open"."""
    words, own, one = note.words, note.words[found.trigger.first : found.trigger.last], found.trigger
    kinds = _of(MedicineWord.CONDITION)
    before = words[max(sentence.first, min(one.first, first) - 2) : one.first]
    if found.event == "RESUMED" and not kinds.isdisjoint(before):
        return True
    end = max(one.last, first)
    while end < sentence.last and words[end] not in (".", ";", "\n", ","):
        end += 1
    behind = words[one.last : end]
    if found.event == "RESUMED":
        return not (kinds | {"after"}).isdisjoint(behind)
    return own[0] in _ORDERS and "if" in behind


def _governing(
    note: ParsedNote, sentence: Sentence, first: int, last: int, borders: tuple[int, int]
) -> Governing | None:
    found = [
        one
        for one in note.triggers_within(FAMILY, sentence.first, sentence.last)
        if one.row.event not in _APART and not _is_asked(note, one, sentence.last) and not _ends_course(note, one)
    ]
    times = [one for one in note.triggers_within(FAMILY, last, min(sentence.last, borders[1])) if one.row.event in PAST]
    article = first + (note.words[first] == "the")  # a name that has it: "the pill"
    before = [one for one in found if one.last <= article]
    after = [one for one in found if one.first >= last and one.first < borders[1]]
    inside = [one for one in found if first <= one.first < last and one.last <= last + 1]
    leading = _leading(note, sentence, first, borders[0], before)
    remark = _remark(note, sentence, first, last, borders[1], after, leading)
    if remark is not None:
        return remark
    failed = _failed(note, sentence, last, borders[1], after, leading)
    if failed is not None:
        return failed
    until = begun = None
    for one in [*inside, *after]:
        told = begun.trigger.last if begun is not None else last
        if one.row.cells["left"] != "-" and _governs_left(note, one, told, borders[1]):
            if one.row.event == UNTIL:
                until = until or one
                continue
            if one.row.event in (*FAILED, TRIED):
                continue
            ranged = note.words[one.first - 1][:1].isdigit()
            if one.row.cells["reach"] == "next" and one.row.event == "CHANGED" and (ranged or leading is not None):
                continue  # "1 to 2 tablets"; "increase lisinopril to 20": the verb says more than "to"
            event = one.row.event if one.row.cells["left"] == "=" else one.row.cells["left"]
            adverb = event == "CONTINUED" or (event == "PAST" and one.row.cells["right"] == "-" and leading is not None)
            found_left = Governing(event, one, not adverb and not _is_of_all(note, one, first, last, leading))
            if event not in _ENDED_BY_UNTIL:
                return found_left if event in _ENDS or begun is None else begun
            begun = found_left  # "a heparin drip, which was stopped": what ends it may be told behind
    if begun is not None and begun.event == "GIVEN" and leading is not None and leading.event in _WRITTEN:
        return leading  # "a prescription for albuterol was given"
    if begun is not None:
        return begun
    if leading is not None and until is not None and leading.event in _ENDED_BY_UNTIL:
        # "was on it until March" is over; "takes it until mobile" goes on
        return leading if is_present(note, leading.trigger) else Governing("STOPPED", until)
    if leading is not None:
        return leading
    free = [one for one in times if not any(event.first < one.first for event in after)]
    return next((Governing("PAST", one) for one in free if _worded(note.words[last : one.first]) <= _PAST_NEAR), None)


def _is_of_all(note: ParsedNote, one: FoundTrigger, first: int, last: int, leading: Governing | None) -> bool:
    """Whether a verb behind a run is of all its medicines: a plural ("have both been stopped"), or bare behind what "and" joins.

    "Amlodipine and doxazosin stopped" is of both, if nothing before them is told of the first; a bare verb behind commas alone is of the last.
    """
    words, plural = note.words, _of(MedicineWord.PLURAL)
    if not plural.isdisjoint(words[last : one.first]) or words[one.first] in plural:
        return True
    if leading is not None or not _of(MedicineWord.SINGULAR).isdisjoint(words[last : one.last]):
        return False
    run, following = words[first:last], words[one.last : one.last + 1]
    if one.row.event in _DOSE_CHANGES and following in (["from"], ["to"], ["by"]):
        return False  # to a dose of its own
    joined = not _of(MedicineWord.JOINED).isdisjoint(run) or any(
        mark == "/" and before.isalpha() and behind.isalpha() and unit_of(before) is None and len(before) > 1
        for before, mark, behind in zip(run, run[1:], run[2:], strict=False)
    )
    return joined and {";", "\n"}.isdisjoint(run)


def _is_asked(note: ParsedNote, one: FoundTrigger, last: int) -> bool:
    """Whether a stop is only asked about, or a change asked for, which decides nothing: "stop the ramipril?", "he requested an increase"."""
    words = note.words
    if one.row.event in _ASKED_FOR and is_requested(note, one.first):
        return True
    if one.row.event != "STOPPED":
        return False
    marks = (
        words[i]
        for i in range(one.last, min(last + 1, len(words)))
        if words[i] in ";\n"
        or (words[i] in _MARKS_BETWEEN and not note.text[note.tokens.ends[i] : note.tokens.ends[i] + 1].isalnum())
    )
    return next(marks, "") == "?" or words[max(0, one.first - 1) : one.first] == ["?"]


def _ends_course(note: ParsedNote, one: FoundTrigger) -> bool:
    """Whether an order only tells how long a medicine is taken: "75 mg daily, stop after 21 days"."""
    behind = [*note.words[one.last : one.last + 3], "", "", ""]
    number = behind[1].isdigit() or behind[1] in NUMBER_WORDS
    long = number and behind[0] in ("after", "in") and is_time(behind[2])
    return one.row.event == "STOPPED" and note.words[one.first] in _ORDERS and long


def is_requested(note: ParsedNote, place: int) -> bool:
    """Whether words before a place ask for what it tells: "he requested an increase"; not "he asked, and we increased it"."""
    before = [
        one for one in note.triggers_within(FAMILY, max(0, place - _REQUESTED), place) if one.row.event == REQUEST
    ]
    between = note.words[before[-1].last : place] if before else ()
    return bool(before) and _of(MedicineWord.DECIDES).isdisjoint(between)


def _leading(
    note: ParsedNote, sentence: Sentence, first: int, border: int, before: Sequence[FoundTrigger]
) -> Governing | None:
    """The nearest trigger before a run that governs it, or None."""
    for one in reversed(before):
        earlier = border if sentence.first < border <= one.first else 0
        if one.row.cells["right"] != "-" and _governs_right(note, one, first, earlier):
            return Governing(one.row.event if one.row.cells["right"] == "=" else one.row.cells["right"], one)
    return None


def _failed(
    note: ParsedNote,
    sentence: Sentence,
    last: int,
    border: int,
    after: Sequence[FoundTrigger],
    leading: Governing | None,
) -> Governing | None:
    """What came of a trial that is over: "but it did not work"; what is given here, taken still, or was tried today is none."""
    words = note.words
    outcomes = [one for one in after if one.row.event in (*FAILED, TRIED) and _governs_left(note, one, last, border)]
    if not outcomes or not _of(MedicineWord.RECENT).isdisjoint(words[sentence.first : sentence.last]):
        return None
    one = outcomes[0]
    if leading is None:
        one_of_many = not {"which", "that"}.isdisjoint(words[one.first : one.last])
        return Governing(one.row.event, one, one_of_many) if one.row.event in FAILED else None
    if leading.event in ("PAST", "TRIAL"):
        return Governing(TRIED, leading.trigger) if one.row.event == NO_EFFECT else Governing(one.row.event, one)
    over = one.row.event in FAILED and leading.event in _GIVEN_UP and not is_present(note, leading.trigger)
    return Governing(one.row.event, one) if over else None


def is_present(note: ParsedNote, found: FoundTrigger) -> bool:
    """Whether a trigger's verb tells what is taken now: "takes", "is on", and not "was taking"."""
    words = note.words[found.first : found.last]
    return not _of(MedicineWord.PRESENT).isdisjoint(words) and not was_taken(note, found)


def was_taken(note: ParsedNote, found: FoundTrigger) -> bool:
    """Whether a trigger's verb is of the past: "was on", "took"."""
    return not _of(MedicineWord.PAST_VERB).isdisjoint(note.words[found.first : found.last])


def _remark(
    note: ParsedNote,
    sentence: Sentence,
    first: int,
    last: int,
    border: int,
    after: Sequence[FoundTrigger],
    leading: Governing | None,
) -> Governing | None:
    """What a remark says that ends a line which begins with the medicine: "warfarin 5 mg - on hold", "Zocor 20 mg (not taking)"."""
    words = note.words
    begin = next((i + 1 for i in range(first - 1, sentence.first - 1, -1) if words[i] == "\n"), sentence.first)
    end = next((i for i in range(last, sentence.last) if words[i] == "\n"), sentence.last)
    led = all(not word[:1].isalpha() or word in _of(MedicineWord.LEAD) for word in words[begin:first])
    if border < end or not led:
        return None
    for one in after:
        if one.last > end or one.row.event not in _REMARKS or "then" in words[last : one.last]:
            continue
        mark = next((i for i in range(one.first - 1, last - 1, -1) if not words[i][:1].isalnum()), None)
        apart = one.first - 1 - mark if mark is not None else 0 if one.first == last else _REMARK + 1
        following = words[one.last] if one.last < end else ""
        ends = not following[:1].isalpha() or following in _of(MedicineWord.GOES_ON)
        if ends and apart <= _REMARK and (mark is None or words[mark] in _REMARK_MARKS):
            of_all = mark is not None and words[mark] in _DASHES and {",", "\n"}.isdisjoint(words[first:last])
            of_all |= mark is None and _is_of_all(note, one, first, last, leading)
            of_all |= not _of(MedicineWord.PLURAL).isdisjoint(words[last : one.last])
            return Governing(one.row.event, one, not of_all)
    return None


def _governs_left(note: ParsedNote, one: FoundTrigger, last: int, border: int) -> bool:
    words, row = note.words, one.row
    between = words[last : one.first]
    # A phrase that can only look back ("and stopped it") reaches as far as its row says; one of either side is kept close.
    reach = _REACH[row.cells["reach"]]
    stands_for = words[one.last - 1] in _of(MedicineWord.SUBJECT)  # "ibuprofen; not to take it"
    if (";" in between and not stands_for) or _worded(between) > (
        reach if row.cells["right"] == "-" else min(reach, _LEFT)
    ):
        return False
    if not stands_for and not _of(MedicineWord.JOIN).isdisjoint(between[:-1]):
        return False  # of what "and" adds: "aspirin helps and the cough was stopped"
    if row.event == "CONTINUED" and not _of(MedicineWord.CONDITION).isdisjoint(between):
        return False
    if row.cells["right"] != "=":
        return True
    explains = not (_of(MedicineWord.WHEN) | _of(MedicineWord.WHY)).isdisjoint(words[one.last : one.last + 1])
    if border <= one.last + 1 and border < len(words) and words[one.last] not in (",", ";", ".") and not explains:
        return False  # the next medicine stands right behind it, and not in what explains it: "on hold until antibiotics are over"
    passive = not _of(MedicineWord.PASSIVE).isdisjoint(words[max(last, one.first - 1) : one.last])
    following = words[one.last] if one.last < len(words) else ""
    timed = any(t.first == one.last and t.row.event in PAST for t in note.triggers_within(FAMILY, one.last, border))
    timed = timed or _DATE.match(" ".join(words[one.last : one.last + 3])) is not None
    ends = timed or not following[:1].isalnum() or following in _of(MedicineWord.GOES_ON) or following[:1] == "x"
    said = {word for word in between if word[:1].isalnum()}
    return passive or (ends and said <= _of(MedicineWord.SUBJECT))


def _governs_right(note: ParsedNote, one: FoundTrigger, first: int, border: int) -> bool:
    words, row = note.words, one.row
    between = words[one.last : first]
    if row.cells["reach"] == "sentence":
        return True
    if ";" in between or not _of(MedicineWord.BLOCKS).isdisjoint(between):
        return False
    if any(mark == "," and word in _of(MedicineWord.NEW_ORDER) for mark, word in pairwise(between)):
        return False  # "stop naproxen, use acetaminophen"
    if ")" in between and "(" not in between:
        return False  # a remark in brackets on the medicine before it
    if border > 0 and words[first - 1] == "\n":
        return False  # a remark on the entry of the line before
    if row.cells["left"] == "=" and "," in between and border > 0:
        return False  # a passive of the medicine before it
    if row.event in _ENDS and "," in between:
        told = note.triggers_within(FAMILY, one.last, one.last + between.index(","))
        if any(t.row.event in PAST for t in told) or _DATE.match(" ".join(between[:3])):
            return False  # what ended then is told before: "a smoker, quit 2 years ago, albuterol as needed"
    return _worded(between) <= _REACH[row.cells["reach"]]


def _of(kind: MedicineWord) -> frozenset[str]:
    return medicine_words()[kind]


def _worded(words: Sequence[str]) -> int:
    return sum(word[:1].isalnum() for word in words)
