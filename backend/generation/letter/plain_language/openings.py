"""The opening of a history: "The patient is a 58-year-old man with gout who came with …" as sentences about the patient.

Age, sex and work are left out, since the reader knows them; what stands behind them is told.
"""

import re
from functools import lru_cache

from backend.generation.letter.plain_language.in_place import may_be_noun
from backend.generation.letter.plain_language.letter_words import is_adverb, lists, words_of
from backend.generation.letter.plain_language.verb_forms import SURE, is_auxiliary, is_participle, is_past, third_kind

_AGE = r"(?:\d+(?:\.\d+|[ -]?1/2|½)?|[a-z]+)[\s-]*(?:years?|yrs?|months?|mos?|weeks?|wks?|days?)[\s-]*(?:old|of[\s-]age)|\d+\s?y/?o\b|\d+\s?years? old|\d+[MF]\b|(?:gentle)?(?:man|woman|lady)\b|(?:fe)?male\b|(?<=\ba )patient\b"
_OPENING = re.compile(
    rf"^(?:(?:(?P<whom>the patient|this patient|patient|he|she|(?:mr|mrs|ms|miss)\.?(?:\s[A-Z][\w'’-]*){{1,3}}|this)\s(?:is|was)\s)(?:an?|the)?\s?|an?\s|this\s)?"
    rf"(?P<head>(?:[\w'’-]+\s){{0,4}}?(?:{_AGE}),?[\w'’/\s-]*?)"
    rf"(?=\s(?:who|with|w/|presenting|presents|presented|admitted|brought|referred|transferred|seen|status|after|post|s/p|here|being|complaining|comes|came|sent|has|had|is|was|in|for|from|that)\b|,|\.|$)",
    re.IGNORECASE,
)
_DOING = re.compile(r"\b(?:man|woman|lady|gentleman|male|female|old)\b.*\b(?!young)[a-z]{3,}ing\b", re.IGNORECASE)
_SHOWN = re.compile(r"^this is (?=an? (?:[\w-]+[ ,]+){0,5}(?:gentleman|lady|woman|man|male|female)\b)", re.IGNORECASE)
_THIS = re.compile(r"this (?:gentle)?(?:lady|man|woman|patient) ", re.IGNORECASE)
_BARE = re.compile(r"(?:the |this )?patient (?=with\s)", re.IGNORECASE)  # "Pt with CAD presenting with chest pain"
_ARTICLE = re.compile(r"(?:an?|the)\s", re.IGNORECASE)
_VOWEL_NUMBER = re.compile(r"8|1[18]\b|eigh|eleven", re.IGNORECASE)
_OF_WHOM = re.compile(r"^an? (?:former |new |long-time )?patient of [^,]+,\s+(?=who\b)", re.IGNORECASE)
_OF_ONE = re.compile(r",? (?=was |had )(was|had)")
_LEAD = re.compile(r"(?:briefly|in brief|in summary|in short|to summarize|again),?\s+(?P<next>[a-z])", re.IGNORECASE)
_FOLLOWED = re.compile(r"(?P<who>I|we) (?P<verb>(?:am |are |have )?[a-z]+) (?P<rest>.+)", re.DOTALL)
_DONE = re.compile(
    r"(?:status[\s-]post|s/p|after|post)\s+(?P<what>(?!the (?:age|fact)\b).+)", re.IGNORECASE | re.DOTALL
)
_DATED = re.compile(r"(?<=\b(?:19|20)\d\d) and (?=[^,;]+ in (?:[A-Z][a-z]+ )?(?:19|20)\d\d\b)")
"""Between operations that have each its year."""
_WITH = re.compile(
    r"^with\s(?P<what>.+?)(?:,?\s(?:and\s)?(?P<who>who)\s(?P<who_rest>.+)|,?\s(?<!was )(?<!were )(?<!been )(?P<verb>present(?:s|ed|ing)|admitted|brought|referred|transferred|seen|comes|came|complains)\s(?P<rest>.+))?$",
    re.IGNORECASE | re.DOTALL,
)
_DESCRIBES = re.compile(
    r"(?:an? |the )?(?:[\w-]+ ){0,3}(?:years? of (?:education|schooling|school)|education|degree|children|child|siblings)",
    re.IGNORECASE,
)
"""What tells who somebody is and no trouble: "12 years of education"."""
_DESCRIBED = re.compile(
    rf" with {_DESCRIBES.pattern}(?=,? who\b| (?:present|admitted|brought|referred|seen|came))", re.IGNORECASE
)
_JOINED = re.compile(r",? and(?: s?he)?$")
_WHO_AGAIN = re.compile(r"(?:,| and|, and) who ")
_BLANK = r"(?:_{2,}|\[\*\*[^\]\n]{0,60}\*\*\])"
_MOMENTS = frozenset(("point", "time", "moment", "present", "baseline"))
_BLANK_NAME = re.compile(rf"\b(?:Mr|Mrs|Ms|Miss|Mx)\.?\s{_BLANK}")
_BLANK_AGE = re.compile(rf"\b(an?)\s{_BLANK}[\s-]*(?:years?|yrs?|yr|y)[\s/.-]*(?:old|o)\b\.?[\s-]*", re.IGNORECASE)
_BLANK_ALONE = re.compile(rf"^{_BLANK}(?=\s(?:is|was|has|had|presents|presented|comes|came|reports|denies)\b)")
_NAMED = re.compile(
    r"(?:^|(?<!Mr)(?<!Ms)(?<!Mrs)(?<!Miss)(?<!Dr)[.:\n]\s*)(?:(?:[Tt]he |[Tt]his )?[Pp]atient,?\s)?(?P<name>[A-Z]\.?[A-Z]\.?[A-Z]?\.?|[A-Z][a-z]+(?:\s[A-Z][a-z]+)?),?\s(?:is|was)\s(?:an?\s)?"
    r"(?=(?:[\w'’-]+\s){0,3}?(?:\d+|[a-z]+)[\s-](?:year|yr|month|week|day)s?[\s-](?:old|of age)|(?:\d+)\s?y/?o\b)",
)
"""A note that opens with the patient's name or initials: "AB is a 50-year-old man"."""
_AS_SUBJECT = r"(?=['’]s\s|\s(?:is|was|has|had|also|now|then|did|does|will|would|can|could|[a-z]{2,}(?:s|ed))\b)"
_LABELLED = re.compile(
    r"[A-Z][A-Za-z ]{2,40}:\s+(?=(?:the patient|patient|pt|she|he)\s)|[A-Z][^:.]{2,100}: (?=(?-i:The) )", re.IGNORECASE
)
_ASIDE = re.compile(
    r",\s(?:told (?:the )?(?:patient|pt|parents?|mother|mum)|(?:the )?(?:patient|pt|parents?|mother|mum) (?:is |are )?(?:aware|told|informed))(?=[.,;]|$)"
    r"|,\splease (?:put|add|note|code|record)\b[^.;]*",
    re.IGNORECASE,
)
_GREETING = re.compile(
    r"^(?:(?:hi|hello|dear [a-z]+)\b[ ,]*)?(?:(?:as )?you (?:tell|told|say|said|report|reported|explain|explained) (?:me |us )?(?:that )?(?=you))?",
    re.IGNORECASE,
)
_EVERY = re.compile(r"^(\d+|one|two|three|six) (day|week|month|year)s? ", re.IGNORECASE)
_ASKED = re.compile(r"(?:please\s+)?(?P<verb>[a-z]+)\s+(?:(?:on|for)\s+)?", re.IGNORECASE)

_TIME_FIRST = re.compile(
    r"(?P<time>(?:about |around )?(?:\d+|an?|one|two|three|four|five|six|seven|eight|nine|ten) (?:minute|hour|day|week|month|year)s? ago),? (?P<verb>[a-z]+) (?!by\b)",
    re.IGNORECASE,
)
_FEELING = re.compile(r"^[Ff]eeling (?=[a-z]+\b)(?!of\b|in\b|is\b|was\b|that\b)")
"""What a telegram begins with that tells how somebody feels: "Feeling unwell for 8 days"."""
_AS_LISTED = re.compile(r"(?P<lives>You lived? [^,;.]*?) ?[,;] ?(?P<tail>[A-Za-z-]+(?: [a-z-]+){0,2})\.?$")
_FEELS = "The patient feels "
_LISTED = re.compile(r",? and |, ")
_HAD = re.compile(r"(?:pains?|aches?|ness|fevers?|chills|cramps|sweats|headaches?|cough|nausea)$")
_NAMES = 3
"""Words of what is felt or had in a list."""
_FOLLOWED_UP = re.compile(
    r"^[Ff]ollow[ -]?up (?=[a-z])(?!(?:of|for|on|after|with|in|to|from|at|and|visit|appointment|exam|evaluation|care|since)\b)"
)
"""A complaint that is a follow-up of what stands behind it: "Follow up diabetes"."""
_FOLLOW_UP = re.compile(r"\b(?<!to )[Ff]ollow[ -]?up\b(?=\s*[.,;]?\s*$| (?:of|for|on|after|visit|appointment)\b)")


def named_patient(note: str) -> re.Pattern[str] | None:
    """Where a note calls the patient by a name or initials without a title; None for one that does not open so.

    Initials may be a short form as well ("AF"): they are the patient's where they begin a clause with a verb, or own something.
    """
    small = lists()["subjects"] | lists()["patient"] | _persons() | lists()["determiners"]
    named = next((one for one in _NAMED.finditer(note) if one["name"].split()[0].lower() not in small), None)
    if named is None:
        return None
    name = rf"\b{re.escape(named['name'])}(?!\w)"
    begins = r"(?:^|(?<=[.;,] )|(?<=\bthat )|(?<=\band )|(?<=\bwhen )|(?<=\bbut )|(?<=\bwhile )|(?<=\bbecause ))"
    return re.compile(
        rf"(?:(?:\b[Tt]he |\b[Tt]his )?\b[Pp]atient,? {name}|{begins}{name}{_AS_SUBJECT}|{name}(?=['’]s\s))"
    )


def with_names(text: str, named: re.Pattern[str] | None = None) -> str:
    """The text with "The patient" for a blanked name of a person with a title or at its beginning, and without a blanked age.

    De-identification leaves blanks: "Mr. ___ is a ___ year old man". One that stands for anything else (a place, a date, a doctor) stays, so
    that its sentence is not turned.

    Args:
        text: of the note.
        named: the name or initials by which the note calls the patient.
    """
    if named is not None:
        text = named.sub(lambda match: "The patient" if match.start() == 0 else "the patient", text)
    text = _BLANK_AGE.sub(lambda match: f"{match[1]} ", text)
    text = _BLANK_ALONE.sub("The patient", text)
    return _BLANK_NAME.sub(lambda match: "The patient" if match.start() == 0 else "the patient", text)


def opening_of(text: str) -> str:
    """The words of an opening that tell age and sex and are not told ("This is a 58-year-old man"); empty where there are none."""
    bare, lead = _without_lead(text.strip())
    match = _OPENING.match(bare)
    if match is None:
        return ""
    described = _DESCRIBED.match(bare, match.end())
    return lead + match[0] + (described[0] if described is not None else "")


def opening_sentences(text: str) -> list[str] | None:
    """The sentences about "the patient" that an opening tells; None where the text opens otherwise."""
    text, _ = _without_lead(text.strip())
    bare = _BARE.match(text)
    if bare is not None:
        return _after_opening(text[bare.end() :], "The patient")
    match = _OPENING.match(text)
    if match is not None and (_DOING.search(match["head"]) or _acts(text)):
        return None  # "a 40-year-old woman visiting with her husband": what follows goes on from what she does
    if match is None:
        shown = _SHOWN.match(text)
        return [f"The patient is {text[shown.end() :]}"] if shown is not None else None
    sentences = _after_opening(text[match.end() :].lstrip(" ,"), "The patient")
    if sentences is not None or match["whom"]:
        if sentences is None and match["whom"].lower() == "this":
            return [f"The patient is {text[len('This is') :].lstrip()}"]
        return sentences
    head = text if _ARTICLE.match(text) else f"{'an' if _VOWEL_NUMBER.match(text) else 'a'} {text}"
    return [f"The patient is {head[:1].lower()}{head[1:]}"]


def _without_lead(text: str) -> tuple[str, str]:
    """A text without "Briefly," before it, and what was left out."""
    lead = _LEAD.match(text)
    return (text, "") if lead is None else (f"{lead['next'].upper()}{text[lead.end() :]}", text[: lead.start("next")])


def _after_opening(rest: str, subject: str) -> list[str] | None:
    """What stands behind "a 58-year-old man", as sentences about the patient; None where it is no verb and no "with"."""
    rest = _OF_WHOM.sub("", rest)
    first, _, after = rest.partition(" ")
    low = first.lower()
    if low in ("who", "whom"):
        if followed := _FOLLOWED.match(after):  # "whom I follow for his gout"
            return [f"{followed['who']} {followed['verb']} {subject.lower()} {followed['rest']}"]
        *earlier, last = _parts_of_who(
            after
        )  # "who is in eleventh grade, who presents with a cough, was found to have"
        said = [*(f"{one}." for one in earlier), _OF_ONE.sub(r" and \1", last, count=1) if earlier else last]
        return [f"{subject} {one}" for one in said] if _verb_follows(after) else None
    if low == "with":
        split = _WITH.match(rest)
        if split is None:
            return None
        what, verb = _cut_at_verb(split["what"])
        if verb:  # "with gout describes a pain"
            after = rest[len("with ") :].lstrip()[len(what) :].lstrip()[len(verb) :].lstrip()
            had = _JOINED.sub("", what.rstrip(" ,."))  # "with one kidney, and he had a repair"
            return [f"{subject} has {had}.", f"{subject} {verb} {after}"]
        whole = f"{subject} has {split['what'].rstrip(' ,.')}."
        has = [] if _DESCRIBES.fullmatch(split["what"].rstrip(" ,.")) else [whole]
        if split["who"]:
            before_who = split["what"].rsplit(" ", 1)[-1].lower().strip(",")
            if before_who in _persons() or not _verb_follows(split["who_rest"]):
                return None
            *earlier, last = _parts_of_who(split["who_rest"])
            return [*has, *(f"{subject} {one}." for one in earlier), f"{subject} {last}"]
        if split["verb"]:
            return [*has, f"{subject} {_as_verb(split['verb'])} {split['rest']}"]
        return [whole]
    if low in lists()["opening_participles"] or low in lists()["opening_verbs"]:
        return [f"{subject} {_as_verb(first)} {after}"]
    if low in lists()["brought"]:
        return [f"{subject} was {rest}"]
    done = _DONE.match(rest)
    if done is not None and not done["what"].split(maxsplit=1)[0].lower().endswith("ing"):
        what, who, more = done["what"].partition(" who ")
        came = [f"{subject} {more}"] if who and _verb_follows(more) else []
        operations = _DATED.split(what.rstrip(" ,.") if came else done["what"])
        operated = [f"{subject} has had {one.rstrip(' ,.')}." for one in operations]
        return [*operated, *came] if came or len(operated) > 1 else [f"{subject} has had {done['what']}"]
    return [f"{subject} is {rest}"] if low == "here" else None


def _parts_of_who(text: str) -> list[str]:
    """What "who" tells of the patient, parted where another "who" means the patient again: ", who also has asthma"."""
    parts, at = list[str](), 0
    for match in _WHO_AGAIN.finditer(text):
        before = text[at : match.start()]
        another = any(word.low in _persons() or word.text[:1].isupper() for word in words_of(before) or ())
        if not another and _verb_follows(text[match.end() :]):
            parts.append(before.strip(" ,"))
            at = match.end()
    return [*parts, text[at:]]


def _acts(text: str) -> bool:
    """Whether "this lady" is the subject of a sentence: "This lady felt dizzy and fell", and no "this lady diagnosed with gout"."""
    shown = _THIS.match(text)
    if shown is None or not _verb_follows(text[shown.end() :]):
        return False
    verb, _, rest = text[shown.end() :].partition(" ")
    if verb.lower() in ("is", "was") and _ARTICLE.match(rest):
        return False  # "This patient is a 24-year-old woman"
    led = rest.split(" ", 1)[0].lower() in lists()["prepositions"]
    return (
        not (is_participle(verb.lower()) and (led or verb.lower() in lists()["brought"]))
        or verb.lower() in lists()["dropped_subject"]
    )


def _as_verb(word: str) -> str:
    low = word.lower()
    if low == "presenting":
        return "presented"
    if low == "complaining":
        return "complained"
    if low in lists()["brought"]:
        return f"was {low}"
    return low


def _cut_at_verb(text: str) -> tuple[str, str]:
    """A list of conditions up to a verb, and the verb, whose subject the list would hide; the whole list where it holds none."""
    openers = lists()["openers"]
    at, before = 0, ""
    for word in words_of(text) or ():
        if word.low in openers:
            break
        begin = at + len(word.space)
        at = begin + len(word.text)
        has = word.low.startswith("ha") and (word.low != "had" or before in ("and", ","))
        before = word.low
        if third_kind(word.low) == SURE or (is_auxiliary(word.low) and not has):
            return text[:begin].rstrip(), word.text
    return text, ""


def _verb_follows(text: str) -> bool:
    words = words_of(text)
    if not words:
        return False
    begin = next((i + 1 for i, word in enumerate(words[1:5], 1) if word.low in _MOMENTS), 0)
    words = words[begin:] if words[0].low in lists()["prepositions"] else words  # "who at this point has done well"
    for word in words[:4]:
        low = word.low
        if is_auxiliary(low) or low in lists()["modals"] or is_past(low) or third_kind(low) is not None:
            return True
        if not is_adverb(low):
            return False
    return False


def _persons() -> frozenset[str]:
    own = lists()
    return own["female"] | own["male"] | own["person"] | own["people"]


def with_subject(text: str) -> str:
    """A telegram that begins with its time, with whom it tells of: "2 days ago developed a cough"."""
    text = _FEELING.sub("The patient feels ", text)
    if text.startswith(_FEELS):
        return _FEELS + _felt_and_had(text.removeprefix(_FEELS))
    match = _TIME_FIRST.match(text)
    if match is None or not is_past(match["verb"].lower()) or match["verb"].lower() in lists()["seen_by_others"]:
        return text
    return f"{match['time']}, the patient {text[match.start('verb') :]}"


def _felt_and_had(felt: str) -> str:
    """A list of how somebody feels and of what they have, with "and has" before its nouns: "weak, shivery and muscle aches"."""
    parts = [one for one in _LISTED.split(felt.rstrip(" .")) if one]
    nouns = [bool(_HAD.search(one)) for one in parts]
    at = nouns.index(True) if True in nouns else 0
    if not at or not all(nouns[at:]) or any(len(one.split()) > _NAMES for one in parts):
        return felt
    felt_, had = (" and ".join(", ".join(one).rsplit(", ", 1)) for one in (parts[:at], parts[at:]))
    return f"{felt_} and has {had}."


def without_label(text: str) -> str:
    """A sentence about the patient without the heading of a form before it: "Reaction to the stay: she is quiet"."""
    label = _LABELLED.match(text)
    return text if label is None else text[label.end() :].lstrip()[:1].upper() + text[label.end() :].lstrip()[1:]


def without_greeting(text: str) -> str:
    """A text that speaks to the patient without its greeting and without who told it: "Hi, you tell me that you have a cough"."""
    return _GREETING.sub("", text)


def without_asides(text: str) -> str:
    """A text without what its writer says of telling it: "No aspirin, told patient, please put on the system"."""
    return _ASIDE.sub("", text)


def without_request(text: str) -> str:
    """A reason without the words by which a colleague asks: "Please evaluate sore mouth"; what follows up is written as the noun it is."""
    text = _FOLLOWED_UP.sub("follow-up of ", _FOLLOW_UP.sub("follow-up", text))
    asked = _ASKED.match(text)
    return text[asked.end() :] if asked and asked["verb"].lower() in lists()["requests"] else text


def of_what(text: str) -> str:
    """A visit with what it is of, as a letter says it: "3 months follow-up diabetes" gives "a 3-month follow-up of diabetes"."""
    match = _follow_up().match(text)
    if match is None:
        return text
    lead = _EVERY.sub(lambda one: f"a {one[1]}-{one[2]} ", match["lead"])
    return f"{lead}{match['visit']} of {text[match.end() :]}"


def is_state(text: str) -> bool:
    """Whether a reason is how somebody feels, an adjective without its noun: "tired all the time", and no "weak legs"."""
    first, _, rest = text.lower().partition(" ")
    return first in lists()["felt_states"] and not may_be_noun(re.sub(r"\W.*", "", rest, flags=re.DOTALL))


def is_visit(text: str) -> bool:
    """Whether a reason is what is done there and no trouble: "follow-up on gout", "weight loss evaluation"."""
    own = lists()
    low = [word.low for word in words_of(text) or ()]
    end = next((i for i, word in enumerate(low) if word in own["prepositions"] | own["marks"] | {"and"}), len(low))
    return end > 0 and low[end - 1] in own["visits"]


def visit_with_article(text: str) -> str:
    """A visit with its article: "annual exam" gives "an annual exam"; a follow-up, and what has a determiner, needs none."""
    own = lists()
    low = [word.low for word in words_of(text) or ()]
    end = next((i for i, word in enumerate(low) if word in own["prepositions"] | own["marks"] | {"and"}), len(low))
    if low[0] in own["determiners"] or low[end - 1] not in own["single_visits"]:
        return text
    small = f"{text[:1].lower()}{text[1:]}" if text[1:2].islower() else text
    return f"{'an' if small[:1] in 'aeio' else 'a'} {small}"


@lru_cache(maxsize=1)
def _follow_up() -> re.Pattern[str]:
    own = lists()
    ends = "|".join(map(re.escape, sorted(own["prepositions"] | own["visits"] | own["joins"])))
    visits = "|".join(map(re.escape, sorted(own["follow_ups"], key=len, reverse=True)))
    return re.compile(rf"(?P<lead>(?:[\w'-]+ ){{0,3}}?)(?P<visit>{visits}) (?=[a-z])(?!(?:{ends})\b)", re.IGNORECASE)


def without_filler(text: str) -> str:
    """A sentence without what tells nothing: ", unfortunately.", and behind how somebody lives a bare noun, "You live alone, librarian."."""
    text = _filler().sub("", text)
    tail = _AS_LISTED.match(text)
    own = lists()
    closed = own["prepositions"] | own["openers"] | own["joins"] | own["determiners"] | own["negations"]
    first = tail["tail"].split()[0].lower() if tail is not None else "and"
    bare = first not in closed and not is_adverb(first) and not is_participle(first) and not first.endswith("ing")
    return f"{tail['lives']}." if tail is not None and bare else text


@lru_cache(maxsize=1)
def _filler() -> re.Pattern[str]:
    return re.compile(rf",\s(?:{'|'.join(sorted(lists()['fillers']))})(?=\s*(?:\.|$))", re.IGNORECASE)
