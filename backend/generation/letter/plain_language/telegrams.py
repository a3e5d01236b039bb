"""Whether a text is a sentence or a telegram: notes leave out subjects, articles and verbs ("Chest x-ray negative")."""

import re
from collections.abc import Sequence

from backend.generation.letter.plain_language.clause_subjects import Addressee, ClauseSubjects
from backend.generation.letter.plain_language.letter_words import Word, is_adverb, lists, words_of, written
from backend.generation.letter.plain_language.verb_forms import is_auxiliary, is_participle, is_past, third_kind, verbs
from backend.nlp.rules.word_lists import word_lists

_COMPOUND = re.compile(r"[^\W\d_]+[ -]([^\W\d_]+)\b")
_BREAKS = frozenset(("-", "–", "—", "/", ":"))


def is_telegram(text: str) -> bool:
    """Whether a text leaves out what makes it a sentence: its verb, its subject or its article ("Nasal polyps, had surgery")."""
    text = text[len(says_kind(text)) :]
    words = words_of(text)
    if not words or not has_finite_verb(text):
        return True
    clause, own = ClauseSubjects(words, Addressee()), lists()
    if _is_history(words):
        return True
    if (rest := _behind_lead(words)) and not is_telegram(rest):
        return False  # "In December, your grandmother died"
    first = words[0].low
    finite = [i for i in range(len(words)) if clause.is_finite(i)]
    if _hangs_on_comma(words, finite) or _has_no_subject(words):
        return True
    if _is_only_described(words, finite):
        return True  # "Dry cough, which keeps you awake"
    if (mark := break_of(words)) is not None and not has_finite_verb(written(words[:mark])):
        return True  # "Omeprazole twice a day - you cut it down"
    you = next((i for i, word in enumerate(words) if word.low in ("you", "they")), None)
    if you is not None:
        return first not in own["openers"] and _is_led_by_telegram(words, you)
    if is_adverb(first) or first in own["openers"]:
        begin = next((i for i, word in enumerate(words) if not is_adverb(word.low)), 0)
        if not finite or (begin > 0 and begin == finite[0]):
            return True  # "Later accepted a tablet"
        rest = "".join(word.space + word.text for word in words[begin:]).strip()
        return begin > 0 and words[begin].low not in own["openers"] and is_telegram(rest)
    openers = [
        i
        for i, word in enumerate(words)
        if word.low in own["relatives"]
        and not (word.low == "that" and words[i - 1].low in own["prepositions"])  # "at that time"
    ]
    main = [i for i in finite if not openers or i < openers[0]]
    if not main:
        bound = bool(openers) and openers[0] > 0 and words[openers[0] - 1].text != ","
        return not (bound and len(finite) > 1)  # "Pain, which has improved", but "The test that he had is normal"
    i = main[0]
    low, after = words[i].low, words[i + 1].low if i + 1 < len(words) else ""
    if low in own["seen_by_others"] and (after in own["prepositions"] or after[:1].isdigit()):
        return True  # "Several spots noted on the arms"
    if is_auxiliary(low) or low in own["modals"] or third_kind(low) is not None:
        dated = words[i - 1].text == "," and words[i - 2].text.isdigit()  # "of January 18, 2008, shows"
        return (words[i - 1].text in ",;" and not dated) or i == 0 or words[i - 1].low in own["joins"]
    named = first in own["determiners"] | own["subjects"] | own["patient"]
    commas = sum(word.text == "," for word in words[:i])
    if words[i - 1].text == "," and is_past(low) and (commas == 1 or not named):
        return True  # "Levomepromazine in driver, vomited once"; a name with an aside has two commas
    if first in own["determiners"] | own["subjects"] or not is_participle(low):
        return False
    if words[i - 1].low in own["joins"] | own["sides"]:
        return True  # "Sore throat and blocked ears", "Left sided headache"
    # "Crew recorded 84/50" has an object, "Hepatitis C treated and cleared" has none
    closed = own["prepositions"] | own["joins"] | own["particles"] | own["marks"]
    timed = after[:1].isdigit() and any(
        word.low in own["times"] for word in words[i + 2 : i + 3]
    )  # "diagnosed 11 years ago"
    return not after or timed or after in closed or is_adverb(after) or after[0] in "(–"


def says_kind(text: str) -> str:
    """The words at the beginning of a name that say of which kind a problem is: "Work related" of "Work related stress"; empty for none.

    Args:
        text: of the note.
    """
    first = _COMPOUND.match(text)
    return first[0] if first is not None and first[1].lower() in word_lists("letter/words_history")["kinds"] else ""


def _is_history(words: Sequence[Word]) -> bool:
    """Whether a text only names what somebody has had: "History of effusions and locally advanced cancer by the biopsy that was done"."""
    low = [word.low for word in words]
    main = next((i for i, one in enumerate(low) if one in lists()["relatives"]), len(low))
    return low[:2] == ["history", "of"] and not any(is_auxiliary(one) for one in low[:main])


def _is_only_described(words: Sequence[Word], finite: Sequence[int]) -> bool:
    """Whether all that a text tells of what it names stands in a clause behind ", which", that goes on to its end."""
    which = next((i for i in range(1, len(words)) if words[i].low == "which" and words[i - 1].text == ","), 0)
    return which > 0 and min(finite, default=0) > which and not any(word.text == "," for word in words[which:])


def _behind_lead(words: Sequence[Word]) -> str:
    """What stands behind a phrase that leads a text, where it begins with whose it is: "On Wednesday evening, your cough got worse"."""
    own = lists()
    comma = next((i for i, word in enumerate(words) if word.text == ","), 0)
    if not comma or words[0].low not in own["prepositions"] or comma + 1 >= len(words):
        return ""
    begins = own["determiners"] | own["subjects"] | own["titles"] | {"your", "both", "we"}
    return written(words[comma + 1 :]) if words[comma + 1].low in begins else ""


def break_of(words: Sequence[Word]) -> int | None:
    """The first dash, stroke or colon that stands free and parts a telegram ("Asthma - inhaler as needed"); None where there is none."""
    free = (i for i in range(1, len(words) - 1) if words[i].text in _BREAKS and not words[i].quoted)
    return next((i for i in free if words[i + 1].space and (words[i].space or words[i].text == ":")), None)


def _hangs_on_comma(words: Sequence[Word], finite: Sequence[int]) -> bool:
    """Whether what leads a text has no verb, and behind its comma one follows: "Bone scan repeat, it is overdue", "Pills at night, explained that"."""
    own = lists()
    commas = [i for i in range(1, len(words) - 1) if words[i].text == ","]
    first = words[0].low
    led = first in own["prepositions"] | own["openers"] | own["determiners"] | own["subjects"] | own["patient"]
    led = led or (first in verbs() and commas[:1] != [1])  # "Awake, playing, ate toast" is no order
    if led or is_adverb(first) or any(words[i - 1].text == "," for i in finite):
        return False  # "Diabetes, found in 2010, is well controlled"
    for comma in commas:
        following = words[comma + 1].low
        if any(i < comma for i in finite):
            return False
        if following in ("so", "but") and any(i > comma for i in finite):
            return True  # "Dizzy on day 2, so the water tablet was stopped"
        if (following == "it" and comma + 2 in finite) or (is_past(following) and comma + 1 not in finite):
            return True
    return False


def _has_no_subject(words: Sequence[Word]) -> bool:
    """Whether a text begins with its past verb, or ends with what was done and has no auxiliary: "Slept 7 hours", "Sick day rules leaflet given"."""
    own = lists()
    low = [word.low for word in words if word.text not in ".!"]
    following = low[1] if len(low) > 1 else ""
    begins = is_past(low[0]) and low[0] not in verbs() and not low[0].endswith("ly")
    if begins and (following[:1].isdigit() or following in own["prepositions"] | own["determiners"]):
        return True
    return low[-1] in own["handled"] and not any(is_auxiliary(one) or one in own["modals"] for one in low)


def _is_led_by_telegram(words: Sequence[Word], you: int) -> bool:
    """Whether "you" is only in a clause that hangs on words without a verb: "Appendix removal when you were nine", "Offered a patch and you declined"."""
    own = lists()
    clauses = own["circumstances"] | {"as", "if", "and", "but"}
    begins = next((i for i in range(you - 1, 0, -1) if words[i].low in clauses or words[i].low == ","), None)
    if begins is None:
        return False
    before = written(words[:begins]).rstrip(" ,")
    if words[begins].low == ",":  # "Stopping again stressed, you were not ready"
        led = words[0].low in own["prepositions"] | own["openers"] or is_adverb(words[0].low)
        return begins == you - 1 and not led and is_past(words[begins - 1].low) and is_telegram(before)
    if words[begins].low in own["joins"]:
        return begins == you - 1 and words[0].low not in own["determiners"] | own["subjects"] and is_telegram(before)
    return is_telegram(before) and words[0].low not in verbs()


def has_finite_verb(text: str) -> bool:
    """Whether a text has a verb that makes it a sentence rather than a telegram."""
    words = words_of(text)
    if words is None:
        return False
    clause = ClauseSubjects(words, Addressee())
    own = lists()
    inside = 0
    for i, word in enumerate(words):
        inside += (word.text == "(") - (word.text == ")")
        if clause.is_finite(i) and not inside:
            return True  # "Lamotrigine level 2.9 (was 7.1)" has its verb in an aside
        if word.low in ("you", "they") and not word.quoted and not inside:
            k = i + 1
            while k < len(words) and is_adverb(words[k].low):
                k += 1
            following = words[k].low if k < len(words) else ""
            if following in verbs() and following not in own["prepositions"] and (i == 0 or words[i - 1].low != "to"):
                return True
    return False
