"""Forms in which notes write what is decided, as the plain sentence that a letter turns: what was recommended to be done, ordered, explained.

"I have recommended that we obtain an MRI" is "I would like to obtain an MRI", "Lipid panel ordered" is "Lipid panel was ordered". Nothing of
what is decided is changed.
"""

import re
from itertools import pairwise

from backend.generation.letter.plain_language.letter_words import is_adverb, lists, words_of, written
from backend.generation.letter.plain_language.verb_forms import SURE, is_auxiliary, is_participle, verbs
from backend.generation.letter.plan_items.plan_openings import article, with_agent
from backend.generation.letter.story_selection import Unit
from backend.generation.letter.told_time.stay_plans import to_come
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import ProblemStatement

_RECOMMENDED = re.compile(
    r"\b(?P<who>I|we)(?: have|['’]ve| would| am| are)?(?P<also> also)? (?:recommend(?:ed|ing)?|suggest(?:ed|ing)?|advis(?:e|ed|ing))(?: that)? we (?P<also_we>also )?(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_THAT_HE = re.compile(
    r"\b(?P<who>I|we)(?P<also> also)? (?P<said>recommend(?:ed)?|suggest(?:ed)?|advised?|encouraged?)(?: that)? (?P<whom>he|she|(?:the|this) patient) (?P<no>not )?(?P<verb>[a-z]+)\b",
    re.IGNORECASE,
)
_FAR = 5
"""Words of a subject before its verb."""
_WHOM_OF = {"he": "him", "she": "her"}
_HAVE_DONE = re.compile(
    r"\b(?P<who>I|we)(?: have|['’]ve)(?P<also>(?: also| already)?) (?P<done>(?!asked)[a-z]+ed)\b", re.IGNORECASE
)
_DOING = re.compile(
    r"\b(?P<who>I|we)(?: am| are|['’]m|['’]re)(?P<also>(?: also)?) (?P<base>recommend|order|prescrib|advis|suggest|request)ing\b",
    re.IGNORECASE,
)
_CONTRACTED = re.compile(r"\b(?:(?P<i>I)['’]m|(?P<we>we)['’]re)(?P<also>(?: also)?) going to\b", re.IGNORECASE)
_PLAN_THEN = re.compile(r", (?:then )?(?:I|we) (?:plan|intend) to\b", re.IGNORECASE)
_TURNED = re.compile(r"[,;]?\s+however,?\s+(?=(?:if|unless|once|when|should)\b)", re.IGNORECASE)
_WHOM = re.compile(r"\b(?P<who>I|we) will(?P<also>(?: also| now)?) (?P<verb>[a-z]+) (?P<next>[a-z]+)\b", re.IGNORECASE)
_REACHED = frozenset(("call", "ring", "phone", "contact", "refer", "see", "review", "text", "update"))
"""Verbs of the team whose object is the patient where a note leaves it out: "will call with the result"."""
_HANDLED_BEHIND = frozenset(("to", "for", "today", "with", "at", "by", "and", "in", "on", "as", "previously", ".", ""))
_APART = frozenset((",", ";", ":", "-", "–", "—", "/"))
_MUTE = frozenset(("prescrib", "advis"))


def decided_form(text: str) -> str:
    """A decision of a note as a sentence whose subject and verb are written; as it is where it is one already, or cannot be made one.

    Args:
        text: of the note, in plain words.
    """
    text = with_agent(_TURNED.sub(", but ", text))
    text = f"{text[:1].upper()}{text[1:]}" if text.startswith("we ") else text
    text = _CONTRACTED.sub(lambda one: f"{one['i'] or one['we']} will{one['also']}", text)
    text = _PLAN_THEN.sub(", the plan is to", text)
    text = _RECOMMENDED.sub(_would_like, text)
    text = _THAT_HE.sub(_to_do, text)
    text = _with_if(text)
    text = _HAVE_DONE.sub(lambda one: f"{one['who']}{one['also']} {one['done']}", text)
    text = _DOING.sub(
        lambda one: f"{one['who']}{one['also']} {one['base']}{'e' * (one['base'].lower() in _MUTE)}", text
    )
    text = to_come(_with_joins(_was_handled(text)))
    return _WHOM.sub(_with_whom, text)


def is_order(text: str, unit: Unit, *, direct: bool) -> bool:
    """Whether a decision that begins with what may be a verb is an order.

    A form that may be a noun ("shift pattern letter") is a verb where a row of the plan found it, or where it heads what patients do.

    Args:
        text: a decision in plain words.
        unit: of the note.
        direct: what its verb says is done by the patient.
    """
    words = words_of(text) or []
    verb, following = words[0].low, words[1].low if len(words) > 1 else ""
    if verb in lists()["dropped_team"]:
        return False  # "Recommend saline spray" is what the team does
    found = any(span.start_char == unit.start for one in unit.statements for span in one.spans[1:])
    return (direct or found or verbs()[verb].kind == SURE) and following != ":" and not _tells_of_noun(text, unit)


def visit_to_be_made(verb: str, said: str) -> str:
    """An order to make a visit, which the office or the patient may carry out, without saying who: "An eye exam is to be scheduled"; empty for any other.

    Args:
        verb: of the order, as in the note.
        said: the order in plain words to the patient.
    """
    own, words = lists(), words_of(said) or []
    decided = word_lists("letter/words_decisions")
    visits = own["single_visits"] | own["follow_ups"] | decided["visits"]
    head = next((i for i, word in enumerate(words) if word.low in own["prepositions"] | {"and"} - {"up"}), len(words))
    if verb not in decided["books"] or visits.isdisjoint(word.low for word in words[1:head]):
        return ""
    what = said.split(" ", 1)[1].removeprefix("up ").rstrip(" .")
    what = f"{article(what)}{what}"
    return f"{what[:1].upper()}{what[1:]} is to be arranged"


def is_done_at_home(verb: str, following: str) -> bool:
    """Whether the verb of an order is of what patients do themselves: "limit salt", "do not drive"."""
    first = word_lists("letter/words_decisions")["first_verbs"]
    return (
        verb in lists()["patient_verbs"]
        or (verb, following) in (("do", "not"), ("make", "sure"))
        or (verb in first and following != "of")
    )


def _tells_of_noun(text: str, unit: Unit) -> bool:
    """Whether what looks like an order is a noun: with its own verb ("Repeat blood count was ordered"), or as a name ("contact dermatitis")."""
    problems = (one for one in unit.statements if isinstance(one, ProblemStatement))
    if any(one.spans[0].start_char == unit.start and " " in one.spans[0].text for one in problems):
        return True
    low = [word.low for word in words_of(text) or ()]
    closed = lists()["openers"] | {"till", "til", ",", ";", "."}
    end = next((i for i, word in enumerate(low) if word in closed), len(low))
    joined = not {"and", "or"}.isdisjoint(low[:end])
    return not joined and any(word in ("is", "was", "are", "were", "has", "have") for word in low[1:end])


def _with_if(text: str) -> str:
    """A condition that stands with its verb before its subject, with "if": "Should the headaches become more frequent"."""
    words = words_of(text) or []
    if not words or words[0].text != "Should":
        return text
    at = next((i for i, word in enumerate(words[2 : 2 + _FAR], 2) if word.low in verbs()), None)
    if at is None:
        return text
    at -= words[at - 1].low == "not"
    should = words[at]._replace(text=f"should {words[at].text}")
    return written([words[0]._replace(text="If"), *words[1:at], should, *words[at + 1 :]])


def _would_like(one: re.Match[str]) -> str:
    if one["verb"].lower() not in verbs():
        return one[0]
    also = " also" if one["also"] or one["also_we"] else ""
    return f"{one['who']} would{also} like to {one['verb']}"


def _to_do(one: re.Match[str]) -> str:
    """What is recommended that somebody does, as what they are advised to do; a form of the past or the present decides nothing."""
    if one["verb"].lower() not in verbs():
        return one[0]
    whom = _WHOM_OF.get(one["whom"].lower(), one["whom"].lower())
    said = "advised" if one["said"].lower().endswith("d") and one["said"].lower() != "recommend" else "advise"
    return f"{one['who']}{one['also'] or ''} {said} {whom} {one['no'] or ''}to {one['verb']}"


def _with_whom(one: re.Match[str]) -> str:
    if one["verb"] not in _REACHED or one["next"] not in lists()["prepositions"] | {"back", "again"}:
        return one[0]
    return f"{one['who']} will{one['also']} {one['verb']} the patient {one['next']}"


def _was_handled(text: str) -> str:
    """A test or prescription with what was done with it, as a sentence: "Lipid panel ordered to assess cholesterol"."""
    words = words_of(text)
    if not words or any(
        is_auxiliary(word.low) or word.low in lists()["modals"] or word.text in _APART for word in words
    ):
        return text
    small = lists()["prepositions"] - {"for", "of"} | lists()["openers"] | lists()["subjects"] | {"i", "we"}
    for i, word in enumerate(words[1:], 1):
        after = words[i + 1].low if i + 1 < len(words) else ""
        ordered = words[0].low in verbs() and verbs()[words[0].low].kind == SURE and i > 1 and words[1].low != "for"
        if word.low in small or ordered:
            return text
        if word.low in lists()["handled"] | {"placed", "scheduled", "booked", "made"} and is_participle(word.low):
            if after not in _HANDLED_BEHIND:
                return text
            before = [one.low for one in words[:i]]
            several = "and" in before or (before[-1].endswith("s") and not before[-1].endswith(("ss", "us", "is")))
            space = word._replace(text=f"{'were' if several and 'for' not in before else 'was'} {word.text}")
            return written([*words[:i], space, *words[i + 1 :]])
    return text


def _with_joins(text: str) -> str:
    """Orders that follow one another behind no mark, joined: "to reduce coffee avoid alcohol"."""
    words = words_of(text) or []
    low = [word.low for word in words]
    led = next((i for i, (a, b) in enumerate(pairwise(low)) if a == "to" and b in verbs()), None)
    if led is None:
        return text
    closed = lists()["prepositions"] | lists()["joins"] | lists()["openers"] | lists()["modals"] | lists()["subjects"]
    closed |= lists()["determiners"] | lists()["marks"] | lists()["negations"] | {"to", "i", "we"} | lists()["letting"]
    own = word_lists("letter/words_decisions")
    ordered = own["to_do"] | own["order"]
    for i in range(led + 3, len(words) - 1):
        before, verb = low[i - 1], low[i]
        if verb in lists()["openers"] - lists()["prepositions"] or is_auxiliary(verb):
            return text
        sure = (verb in ordered and verbs()[verb].kind == SURE) if verb in verbs() else False
        sure |= verb in own["first_verbs"] and low[i + 1] in ("more", "less", "plenty", "the", "your", "his", "her")
        if (
            sure
            and before.isalpha()
            and before not in closed
            and not (is_adverb(before) or is_auxiliary(before) or before in verbs())
        ):
            joined = words[i]._replace(text=f"and {words[i].text}")
            return written([*words[:i], joined, *words[i + 1 :]])
    return text
