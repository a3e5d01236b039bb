"""Says the numbers of charts in words: how often, how long, how many, of what age ("q4h", "x3 days", "polyps x3")."""

import re
from functools import partial

from backend.generation.letter.plain_language.letter_words import lists

_NO_SIZE, _NO_UNIT = (
    r"(?<!\d)(?<!\d )(?<!cm )(?<!mm )(?:\bx|×)\s?",
    r"(?!\s?(?:[.,]\d|cm\b|mm\b|m\b|in\b(?! (?:[A-Z12]|the\b))|inch|x\b))",
)
_NUMBER = r"(?:\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|twenty|thirty|forty)"
_MULTIPLIED = r"(?<=[a-z\d] )(?<!\d )(?<!several )(?<!many )(?<!multiple )(?<!few )(?<!two )(?<!three )(?<!four )(?<!five )(?<!six )(?<!at )(?<!of )(?<!some )(?<!all )\btimes "
"""Behind what is counted, "times" that stands for "x": "infections times three", and no "several times two days ago"."""
_COUNTED = r"(?<=[A-Za-z\d])(?<!\bday)(?<!\bweek)(?<!\bmonth)(?<!\d/\d)"
"""What stands before a stroke that means "each": a number or its unit ("10/day", "2 L / day")."""
_SHAPES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\bq\.?\s?(\d+)(?:\s?-\s?(\d+))?\s?h(?:ours?|rs?)?\b\.?", re.IGNORECASE), "every {0} hours"),
    (re.compile(r"\bq\.?\s?(\d+)\s?(days?|weeks?|months?)\b", re.IGNORECASE), "every {0} {1}"),
    (re.compile(r"(?:\bx|×)\s?(\d+)\s?(days?|weeks?|months?|hours?|years?|minutes?|doses|d|wks?|hrs?|h|mins?|mos?|yrs?)\b(?! after)", re.IGNORECASE), "for {0} {1}"),
    (re.compile(r"\bx\s(?=(?:an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|several|many|few)\b[a-z\s-]{0,16}\b(?:day|week|month|year|hour)s?\b)"), "for "),
    (re.compile(rf"(?<=[a-rtv-z]s ){_NO_SIZE}([2-9]|1\d)\b{_NO_UNIT}", re.IGNORECASE), "({0})"),  # "polyps x3"
    (re.compile(rf"{_NO_SIZE}([02-9]\d*|1\d+)\b{_NO_UNIT}", re.IGNORECASE), "{0} times"),
    (re.compile(rf"{_NO_SIZE}1\b{_NO_UNIT}", re.IGNORECASE), "1 time"),
    (re.compile(rf"{_MULTIPLIED}(?P<n>(?:(?:about|approximately|over|at least|(?:more|greater) than) )?{_NUMBER}) (?P<unit>(?:day|week|month|year|hour)s?)\b(?! (?:ago|before|prior|later|after))", re.IGNORECASE), "for {0} {1}"),
    (re.compile(rf"{_MULTIPLIED}({_NUMBER})\b(?! [a-z])", re.IGNORECASE), "{0} times"),
    (re.compile(r"(?<![\d/.])([1-9]|1[0-2])/52\b"), "{0} weeks"),
    (re.compile(r"\b((?:comes?|came|presents?|presented|presenting|brought|admitted|seen)(?: in| here| today| to [\w ]{1,30}?)? with) an? (\d+|two|three|four|five|six|seven|eight|nine|ten|twelve|[a-z]+ty-[a-z]+)[ -](hour|day|week|month)s?['’]? history of\b", re.IGNORECASE), "{0} {1} {2}s of"),
    (re.compile(r"(?<![\d-])(?<!the )(?<!\d )\b(?:an? )?(\d+|two|three|four|five|six|seven|nine|ten|twelve)[ -](day|week|month|year)s?['’]? (?=(?:known )?history\b)", re.IGNORECASE), "a {0}-{1} "),
    (re.compile(r"((?:\b(?:[Tt]o|[Ii]n|[Aa]t|[Ff]rom|[Bb]y|[Tt]he|VA|Hospital)|\bthe(?: [A-Z][\w.']+){1,3})) ER\b(?! (?:positive|negative|status))"), "{0} emergency room"),
    (re.compile(r"\b(\d+)[\s-]?(?:yo|y/o|y\.o\.?|yrs? old|years old)(?=\s(?:[a-z]|$))", re.IGNORECASE), "{0}-year-old"),
    (re.compile(r"\b(\d+)\s?wks?\b"), "{0} weeks"), (re.compile(r"\b(\d+)\s?mins?\b"), "{0} minutes"),
    (re.compile(r"\b(\d+)\s?(?:hrs?|h)\b"), "{0} hours"),
    (re.compile(r"\b(\d+)\s?d\b"), "{0} days"),
    (re.compile(r"\b(\d+)\s?mos?\b"), "{0} months"), (re.compile(r"\b(\d+)\s?yrs?\b(?! old)"), "{0} years"),
    (re.compile(r"(?<![\w/.,-])(?<!\d\s)([RL])(?=\s(?!spine\b)[a-z]{3,})"), "{0}"),
    (re.compile(r"(?<=\s)<\s?(?=\d)"), "under "), (re.compile(r"(?<=\s)>\s?(?=\d)"), "above "),
    (re.compile(r"(?:(?<=[\s(])|^)(?:≥|>=)\s?(?=\d)"), "at least "), (re.compile(r"(?<=\s)(?:≤|<=)\s?(?=\d)"), "at most "),
    (re.compile(r"~\s?(?=\d)"), "about "), (re.compile(r"(?<=[a-z)] )&(?= [a-z])"), "and"),
    (re.compile(r"\b(\d)\s?x(?=\s?/\s?(?:wk|week|day|month)\b)", re.IGNORECASE), "{0} times"),
    (re.compile(rf"{_COUNTED} ?/ ?(?:wk|week)\b"), " a week"), (re.compile(rf"{_COUNTED} ?/ ?(?:hr|hour)\b"), " an hour"),
    (re.compile(rf"{_COUNTED} ?/ ?(day|month)\b"), " a {0}"),
    (re.compile(r"(?<=\d mg )ON\b|(?<=\dmg )ON\b|(?<=\d m[lL] )ON\b|(?<=\d mcg )ON\b|(?<=tablet )ON\b|(?<=tablets )ON\b"), "at night"),
    (re.compile(r"@ ?([01]\d|2[0-3]):?([0-5]\d)\b"), "at {0}:{1}"), (re.compile(r"(?<=\w) @ (?=\w)"), " at "),
    (re.compile(r"\b[Tt](?:emp)? ?> ?(?=\d)"), "a temperature above "),
)  # fmt: skip
_BYPASSES = re.compile(r"(bypass(?: surgery| grafting)?) ([2-6]) times\b")  # "CABG x3" counts the vessels
_HAVE_WENT = re.compile(r"\b(ha(?:ve|s|d|ving)(?: (?:not|now|all|also|since|[a-z]+ly))*) went\b", re.IGNORECASE)
_THE_BOTH = re.compile(r"\bthe both\b")
_WITH_NUMBER = "every {0} to {1} hours"
_OD = re.compile(r"\b(?:od|OD|Od)\b(?=[\s,.;)]|$)")
_PERIODS = (
    (re.compile(r"\b(?:on|by|until|till|from|since|before|dated|of) \d+/(?:7|12)\b|(?<![\d/.])([1-9]|1[0-4])/7\b(?!/)"), "{0} days"),
    (re.compile(r"\b(?:on|by|until|till|from|since|before|dated|of) \d+/(?:7|12)\b|(?<![\d/.])([1-9]|1[0-8])/12\b(?!/)"), "{0} months"),
)  # fmt: skip
"""Days as sevenths and months as twelfths; behind "on" or "since" stands a date."""
_STROKE = re.compile(r"(?<=[A-Za-z)] )/(?= [a-z])")
_SINGLE = re.compile(r"\b(1|one|a) (minute|hour|day|week|month|year)s\b")
_COURSE = re.compile(
    r"(?P<lead>\b(?:an?|the|this|her|his|your) )?\b(?P<n>\d+) (?P<of>day|week|month)s? (?P<what>course|supply)\b"
)
"""A course with its length: "3 days course"."""
_WORDS = {
    "r": "right",
    "l": "left",
    "d": "days",
    "wk": "weeks",
    "wks": "weeks",
    "hr": "hours",
    "hrs": "hours",
    "h": "hours",
    "min": "minutes",
    "mins": "minutes",
    "mo": "months",
    "mos": "months",
    "yr": "years",
    "yrs": "years",
    "doses": "doses",
}
_GLOSSED_TWICE = re.compile(r"(\([^()]*\b(\w+)\)) (\2)\b(?! \d)")
"""A gloss before the noun that it ends with: "MRI (a magnet scan) scan"."""


def plain_shapes(text: str, *, od: bool = False, periods: bool = False) -> str:
    """A text with its numbers as a patient reads them.

    Args:
        text: in plain words.
        od: the note means "once a day" by "od".
        periods: the note means three days by "3/7" and three months by "3/12".
    """
    for pattern, form in _SHAPES:
        text = pattern.sub(lambda match, form=form: _shaped(match, form), text)  # type: ignore[misc]
    text = _STROKE.sub(lambda match: "and" if _joins_things(text[: match.start()]) else "or", text)
    for pattern, form in _PERIODS if periods else ():
        text = pattern.sub(lambda match, form=form: _shaped(match, form) if match[1] else match[0], text)  # type: ignore[misc]
    if periods:
        text = _COURSE.sub(lambda one: f"{one['lead'] or 'a '}{one['n']}-{one['of']} {one['what']}", text)
    if od:
        text = _OD.sub("once a day", text)
    text = _THE_BOTH.sub("both", _HAVE_WENT.sub(r"\1 gone", _BYPASSES.sub(r"\1 (\2 grafts)", text)))
    return _SINGLE.sub(r"\1 \2", _GLOSSED_TWICE.sub(r"\3 \1", text))


def _joins_things(before: str) -> bool:
    """Whether a stroke behind these words joins two things to be done: "asthma review / inhaler technique"."""
    last = before.rsplit(maxsplit=1)[-1:]
    return bool(last) and last[0].lower() in lists()["visits"] | {"review"}


def _shaped(match: re.Match[str], form: str) -> str:
    groups = [g for g in match.groups() if g is not None]
    if form == "every {0} hours" and len(groups) == 2:
        return _WITH_NUMBER.format(*groups)
    return form.format(*(_WORDS.get(g.lower(), g) for g in groups))


def listed_strokes(text: str) -> str:
    """A text with commas in a list whose items strokes part, three or more: "no fever/cough/rash" gives "no fever, cough, rash"."""
    return _STROKES.sub(lambda match: re.sub(r"\s*/\s*", ", ", match[0]), text)


_STROKES = re.compile(r"(?<![\w/])[a-z]{3,}(?: [a-z]+)?(?:/[a-z]{3,}(?: [a-z]+)?){2,}(?![\w/])")


def name_shapes(text: str) -> str:
    """A name with the marks of charts said in words: "?UTI/cystitis" gives "possible UTI or cystitis"."""
    for shape, words in _OF_NAMES:
        text = shape.sub(partial(_filled, words), text)
    return " ".join(text.split())


def _filled(words: str, match: re.Match[str]) -> str:
    return words.format(*(one.lower() for one in match.groups()))


def keeps_capitals(text: str, said: str) -> bool:
    """Whether plain words keep a short form of a text, in small letters: "ALL maintenance" is not "all maintenance"."""
    quiet = " ".join(word.lower() for word in said.split() if word not in text.split() or not word.isupper())
    return any(re.search(rf"\b{one.lower()}\b", quiet) for one in _CAPITALS.findall(text))


_CAPITALS = re.compile(r"\b[A-Z]{2,5}\b")
_OF_NAMES: tuple[tuple[re.Pattern[str], str], ...] = (
    (re.compile(r"\?+\s*(?=[A-Za-z])"), " possible "),
    (re.compile(r"\bpossible ([A-Z])(?=[a-z])(?![a-z]+['’]s)"), "possible {0}"),
    (re.compile(r"\s*\+/-\s*"), " with or without "),
    (re.compile(r"(?<=[a-z)])\s*/\s*(?=[A-Za-z])"), " or "),
    (re.compile(r"(?<=[a-z)])(?<!\bor)(?<!\band)\s+possible\b"), ", possible"),
)
