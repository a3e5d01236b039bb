"""A plan in telegram style as sentences: "Clips out 26/10 DN" is "Your clips are to come out on 26/10, by …".

Takes the slots of a text and groups them into items, each of one type; an item is told by the one frame of its type, and only where
all its slots have a place in that frame. Of a text of which one item cannot be told none is told.
"""

import re
from collections.abc import Callable, Sequence

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plan_items.plan_groups import POINTS, WITH, Item, items_of, said_in
from backend.generation.letter.plan_items.plan_slots import Slots

_THEN = "at that visit"
_SEE = "see"
_HOURS = re.compile(r"\b(\d+) hours?$")
_NEXT_DAY = 24
"""Hours within which a review is one of the stay itself."""
_SAID_OF = ("how", "purpose", "cond")
_PLACES = frozenset(("go to ", "play "))


def plan_sentences(slots: Slots, patient: Addressee, *, planned: bool) -> str:
    """A plan as sentences to the patient; empty where one of its items has no frame.

    Args:
        slots: of the note's text.
        patient: who is addressed.
        planned: the text stands where the note plans; elsewhere an item has to say itself that it is to come.
    """
    items = items_of(slots)
    told = [_told(one, patient, planned=planned) for one in items or ()]
    if not told or not all(told):
        return ""
    said = " ".join(told).replace("{you} {have}", f"{patient.you} {'has' if patient.child else 'have'}")
    return said.replace("{you}", patient.you)


def as_was_planned(text: str) -> str:
    """Sentences of a plan whose time has passed when they are read."""
    for now, then in ((" is planned", " was planned"), (" is to be", " was to be"), (" are to be", " were to be")):
        text = text.replace(now, then)
    return text


def _told(one: Item, patient: Addressee, *, planned: bool) -> str:
    for is_it, tell in _FRAMES if not one.only() else ():
        if is_it(one):
            return tell(one, patient, planned)
    return ""


def _limit(one: Item, patient: Addressee, planned: bool) -> str:
    lasts = one.has("span", "length", "medicine")
    if (
        not one.only("not", "doing", "while", "untiloff", "medicine", "span", "length")
        or one.has("while", "untiloff") != one.has("medicine")
        or not (planned or lasts)
    ):
        return ""
    limits = [_while(one, patient), _for(one)]
    if one.has("while") and all(limits):
        limits = [limits[1], ", and not", limits[0]]  # two limits, and the stricter one holds
    return _stopped(f"{_you(patient)} should not {_or(one.held['doing'])}{''.join(limits)}")


def _allowed(one: Item, patient: Addressee, planned: bool) -> str:
    if not planned or not one.only("may", "ok", "doing", "span", "length", "when", "day", "date"):
        return ""
    return _stopped(
        f"{_you(patient)} may {_or(one.held['doing'])}{_at(one)}{''.join(f' {text}' for text in one.held.get('span', ()))}"
    )


def _off(one: Item, patient: Addressee, _: bool) -> str:
    what = [_place(said) for said in one.held["doing"]]
    if not one.only("off", "doing", "span", "length") or not all(what):
        return ""
    return _stopped(f"{_you(patient)} should stay off {_and(what)}{_for(one)}")


def _back(one: Item, patient: Addressee, planned: bool) -> str:
    what = [_place(said) for said in one.held["doing"]]
    if not planned or not one.only("back", "doing", *POINTS) or not all(what) or not one.has(*POINTS):
        return ""
    return _stopped(f"{_you(patient)} can go back to {_and(what)}{_at(one)}")


def _can(one: Item, patient: Addressee, planned: bool) -> str:
    verb, event = ("may", "able") if one.has("able") else ("should not", "unable")
    if not (planned or one.has("span", "length")) or not one.only(event, "span", "length"):
        return ""
    return _stopped(f"{_you(patient)} {verb} {_and(one.held[event])}{_for(one)}")


def _care(one: Item, patient: Addressee, planned: bool) -> str:
    if not (planned or one.has("span", "length")) or not one.only("care", "span", "length", "often"):
        return ""
    return _stopped(f"{_you(patient)} should {_and(one.held['care'])}{_often(one)}{_for(one)}")


def _diet(one: Item, patient: Addressee, planned: bool) -> str:
    if not (planned or one.has("span", "length")) or not one.only("diet", "span", "length"):
        return ""
    return _stopped(f"{_you(patient)} should {_and(one.held['diet'])}{_for(one)}")


def _regular(one: Item, patient: Addressee, planned: bool) -> str:
    if not planned or not one.only("regular", "medicine", "span", "length") or not one.has("medicine"):
        return ""
    return _stopped(f"{_you(patient)} should take {_and(one.held['medicine'])} regularly{_for(one)}")


def _begin(one: Item, patient: Addressee, planned: bool) -> str:
    if not planned or not one.only("begin"):
        return ""
    when = one.first("begin").lower().removeprefix("to ").split(" ", 1)[1]
    when = when.removeprefix("it ").removeprefix("this ").replace("asap", "as soon as possible")
    return _stopped(f"{_you(patient)} should start the medicine {when}")


def _removal(one: Item, patient: Addressee, planned: bool) -> str:
    if (
        not one.only("out", "who", "nurse", "clinic", *POINTS)
        or not one.has(*POINTS)
        or not (planned or _is_to_come(one))
    ):
        return ""
    said = one.first("out")
    said = said.replace("your ", "your child's ") if patient.child else said
    return _stopped(f"{said}{_at(one)}{_by(one, ', by')}")


def _referral(one: Item, patient: Addressee, _: bool) -> str:
    to = [
        *(one.held.get("clinic", ())),
        *(one.held.get("who", ())),
        *(one.held.get("service", ())),
        *one.held.get("nurse", ()),
    ]
    if len(to) != 1 or not one.only("refer", "referred", "clinic", "who", "service", "nurse", "why", "tba"):
        return ""
    done = one.has("referred")
    has = ("has been" if done else "is to be") if patient.child else ("have been" if done else "are to be")
    return _stopped(f"{_you(patient)} {has} referred to {to[0]}{_why(one)}{_remarks(one)}")


def _pending(one: Item, _: Addressee, planned: bool) -> str:
    if not one.only("test", "site", "pending", "sent", "due", "again", "called", "grown") or not (
        planned or one.has("pending", "due")
    ):
        return ""
    if len(one.held["test"]) > 1 and one.has("site"):
        return ""
    several = len(one.held["test"]) > 1
    due = f"; it was expected {said_in(one.first('due'))}" if one.has("due") else ""
    return _stopped(
        f"the result{'s' if several else ''} of {_and(_tests(one))} {'were' if several else 'was'} still awaited{due}{_remarks(one)}"
    )


def _visit(one: Item, patient: Addressee, planned: bool) -> str:
    if not one.only(
        "visit", "test", "site", "again", "why", *WITH, *POINTS, "often", "every", "tba", "tocall", *_SAID_OF
    ):
        return ""
    asked = planned and one.has("visit") and one.has("cond") and not one.has(*POINTS, "tba")
    if not (one.has(*POINTS, "tba") if planned else _is_to_come(one)) and not (
        asked or (planned and one.has("visit") and one.has(*WITH))
    ):
        return ""
    kinds = one.held.get("visit", ["visit"])
    if len(kinds) > 1 or any(map(_is_soon, one.times)):
        return ""
    withs = _visit_with(one)
    if withs is None:
        return ""
    if kinds == [_SEE] and not one.has(*POINTS, "test", "often", "every", *_SAID_OF):
        return _stopped(f"please see {withs.removeprefix(' with ').removeprefix(' at ')}{_why(one)}{_remarks(one)}")
    kinds = ["visit"] if kinds == [_SEE] else kinds
    if asked:
        return _stopped(f"please ask for a {kinds[0]}{withs}{_said_of(one)}{_why(one)}{_remarks(one)}")
    tests = (
        f", with {_and([_again(name) for name in _tests(one)] if one.has('again') else _tests(one))}"
        if one.has("test")
        else ""
    )
    if tests and one.has("visit", "clinic", "who") and _THEN in one.held.get("when", ()):
        one.times = [text for text in one.times if text.removeprefix("and ") != _THEN]
    return _stopped(
        f"a {kinds[0]}{withs} is planned for {patient.you}{_at(one)}{_said_of(one)}{_why(one)}{tests}{_remarks(one)}"
    )


def _said_of(one: Item) -> str:
    """How a visit is held, what for, and under which condition."""
    return "".join(f" {text}" for kind in _SAID_OF for text in one.held.get(kind, ()))


def _test(one: Item, _: Addressee, planned: bool) -> str:
    future = _is_to_come(one)
    kinds = ("test", "site", "again", "do", "why", "often", "every", "who", "nurse", "clinic", "cond", *POINTS)
    if not one.only(*kinds) or not (planned or future):
        return ""
    if len(one.held["test"]) > 1 and one.has("site"):
        return ""
    what = _tests(one)
    several = len(what) > 1 or not what[0].startswith(("a ", "an ", "the "))
    verb = "repeated" if one.has("again") else "done"
    lead = (
        ", through"
        if any(said.startswith(("your ", "the ")) for kind in WITH for said in one.held.get(kind, ()))
        else ", with"
    )
    return _stopped(
        f"{_and(what)} {'are' if several else 'is'} to be {verb}{_often(one)}{_at(one)}{_said_of(one)}{_by(one, lead)}{_why(one)}{_remarks(one)}"
    )


def _service(one: Item, patient: Addressee, planned: bool) -> str:
    """Who comes home or where help is given."""
    named = [*one.held.get("service", ()), *(one.held.get("nurse", ()) if not one.has("service") else ())]
    if len(named) != 1 or not one.only("service", "nurse", "often", "from", "why", "span", "length", *POINTS):
        return ""
    if not (planned or one.has("from")):
        return ""
    lasts = "".join(f" {text}" for text in one.held.get("span", ()))
    return _stopped(f"planned for {patient.you}: {named[0]}{_often(one)}{lasts}{_at(one)}{_why(one)}")


def _no_follow_up(one: Item, _: Addressee, __: bool) -> str:
    return _stopped(one.first("nofollow")) if one.only("nofollow") else ""


def _note(one: Item, patient: Addressee, _: bool) -> str:
    if not one.only("note", "span", "length") or not one.has("span", "length"):
        return ""
    have = "has" if patient.child else "have"
    return _stopped(f"{_you(patient)} {have} been given {_and(one.held['note'])}{_for(one)}")


def _is_soon(when: str) -> bool:
    """Whether a time is so near that what is then is part of the stay: "in 2 hours"."""
    hours = _HOURS.search(when)
    return hours is not None and int(hours[1]) < _NEXT_DAY


def _is_to_come(one: Item) -> bool:
    """Whether an item says itself that it is to come: "in 6 weeks", "again Thursday", "10:15"; a date alone may be past."""
    if not one.has(*POINTS):
        return one.has("who") and one.has("do", "test") and "your" in " ".join(one.held["who"])
    return one.has("length", "when", "clock", "again", "do", "who", "nurse")


_Frame = tuple[Callable[[Item], bool], Callable[[Item, Addressee, bool], str]]
_FRAMES: tuple[_Frame, ...] = (
    (lambda one: one.has("nofollow"), _no_follow_up),
    (lambda one: one.has("note"), _note),
    (lambda one: one.only("called"), lambda one, patient, planned: _stopped(one.first("called"))),
    (lambda one: one.has("not") and one.has("doing"), _limit),
    (lambda one: one.has("may", "ok") and one.has("doing"), _allowed),
    (lambda one: one.has("off") and one.has("doing"), _off),
    (lambda one: one.has("back") and one.has("doing"), _back),
    (lambda one: one.has("not"), lambda one, patient, planned: ""),
    (lambda one: one.has("able", "unable"), _can),
    (lambda one: one.has("care"), _care),
    (lambda one: one.has("diet"), _diet),
    (lambda one: one.has("regular"), _regular),
    (lambda one: one.has("begin"), _begin),
    (lambda one: one.has("out"), _removal),
    (lambda one: one.has("refer", "referred"), _referral),
    (lambda one: one.has("test") and one.has("pending", "sent", "due"), _pending),
    (lambda one: one.has("service"), _service),
    (lambda one: one.has("often") and one.has("nurse") and not one.has("visit", "test"), _service),
    (lambda one: one.has("visit") or (one.has(*WITH) and not one.has("test")) or one.has("clinic"), _visit),
    (lambda one: one.has("test"), _test),
)


def _tests(one: Item) -> list[str]:
    site = f" of {one.first('site')}" if one.has("site") else ""
    return [f"{name}{site}" for name in one.held["test"]]


def _again(name: str) -> str:
    lead = next((lead for lead in ("a ", "an ", "the ") if name.startswith(lead)), "")
    return f"{'a ' if lead == 'an ' else lead}repeat {name.removeprefix(lead)}"


def _visit_with(one: Item) -> str | None:
    """With whom, and where: "with Dr Hsu at the stroke clinic"; None for more than one of a kind."""
    if any(len(one.held.get(kind, ())) > 1 for kind in WITH):
        return None
    persons = [said for kind in ("who", "nurse") for said in one.held.get(kind, ())]
    clinic = one.first("clinic")
    named = f" with {_and(persons)}" if persons else ""
    return named + (f" {'at' if clinic.endswith('clinic') else 'with'} {clinic}" if clinic else "")


def _at(one: Item) -> str:
    """When: every time, in the order of the note."""
    return "".join(f" {text}" for text in one.times)


def _for(one: Item) -> str:
    lasts = [*one.held.get("span", ()), *(f"for {text}" for text in one.held.get("length", ()))]
    return "".join(f" {text.replace('x ', 'for ', 1) if text.startswith('x ') else text}" for text in lasts)


def _often(one: Item) -> str:
    return "".join(f" {text}" for text in one.held.get("often", ()))


def _by(one: Item, lead: str) -> str:
    who = [*one.held.get("who", ()), *one.held.get("nurse", ()), *one.held.get("clinic", ())]
    return f"{lead} {_and(who)}" if who else ""


def _why(one: Item) -> str:
    return f", because of {_and(one.held['why'])}" if one.has("why") else ""


def _while(one: Item, patient: Addressee) -> str:
    if not one.has("medicine"):
        return ""
    takes, named = "takes" if patient.child else "take", _and(one.held["medicine"])
    if one.has("untiloff"):
        return f" until {patient.you} no longer {takes} {named}"
    return f" while {patient.you} {takes} {named}"


def _remarks(one: Item) -> str:
    """What a note adds to an item: that no date is set, that somebody will call."""
    every = "".join(f", {text}" for text in one.held.get("every", ()))
    kinds = ("tba", "tocall", "grown", "called")
    return every + "".join(f"; {text}" for kind in kinds for text in one.held.get(kind, ()))


def _place(said: str) -> str:
    lead = next((one for one in _PLACES if said.startswith(one)), "")
    return said.removeprefix(lead) if lead else ""


def _you(patient: Addressee) -> str:
    return patient.you


def _and(texts: Sequence[str]) -> str:
    return " and ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


def _or(texts: Sequence[str]) -> str:
    return " or ".join(filter(None, (", ".join(texts[:-1]), texts[-1])))


def _stopped(text: str) -> str:
    return f"{text[:1].upper()}{text[1:]}."
