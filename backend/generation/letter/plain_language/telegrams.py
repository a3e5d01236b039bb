"""Whether a text is a sentence or a telegram: notes leave out subjects, articles and verbs ("Chest x-ray negative")."""

from backend.generation.letter.plain_language.clause_subjects import Addressee, ClauseSubjects
from backend.generation.letter.plain_language.letter_words import is_adverb, lists, words_of
from backend.generation.letter.plain_language.verb_forms import is_auxiliary, is_participle, is_past, third_kind, verbs


def is_telegram(text: str) -> bool:
    """Whether a text leaves out what makes it a sentence: its verb, its subject or its article ("Nasal polyps, had surgery")."""
    words = words_of(text)
    if not words or not has_finite_verb(text):
        return True
    clause, own = ClauseSubjects(words, Addressee()), lists()
    first = words[0].low
    finite = [i for i in range(len(words)) if clause.is_finite(i)]
    you = next((i for i, word in enumerate(words) if word.low in ("you", "they")), None)
    if you is not None:
        # "Appendix removal when you were nine" has its only verb in the clause that says when
        begins = next((i for i in range(1, you) if words[i].low in own["circumstances"]), None)
        return begins is not None and not any(i < begins for i in finite) and first not in own["openers"]
    if is_adverb(first) or first in own["openers"]:
        begin = next((i for i, word in enumerate(words) if not is_adverb(word.low)), 0)
        if not finite or (begin > 0 and begin == finite[0]):
            return True  # "Later accepted a tablet"
        rest = "".join(word.space + word.text for word in words[begin:]).strip()
        return begin > 0 and words[begin].low not in own["openers"] and is_telegram(rest)
    openers = [i for i, word in enumerate(words) if word.low in own["relatives"]]
    main = [i for i in finite if not openers or i < openers[0]]
    if not main:
        bound = bool(openers) and openers[0] > 0 and words[openers[0] - 1].text != ","
        return not (bound and len(finite) > 1)  # "Pain, which has improved", but "The test that he had is normal"
    i = main[0]
    low, after = words[i].low, words[i + 1].low if i + 1 < len(words) else ""
    if low in own["seen_by_others"] and (after in own["prepositions"] or after[:1].isdigit()):
        return True  # "Several spots noted on the arms"
    if is_auxiliary(low) or low in own["modals"] or third_kind(low) is not None:
        return words[i - 1].text in ",;" or i == 0 or words[i - 1].low in own["joins"]
    if words[i - 1].text == "," and sum(word.text == "," for word in words[:i]) == 1 and is_past(low):
        return True  # "Levomepromazine in driver, vomited once"; a name with an aside has two commas
    if first in own["determiners"] | own["subjects"] or not is_participle(low):
        return False
    # "Crew recorded 84/50" has an object, "Hepatitis C treated and cleared" has none
    closed = own["prepositions"] | own["joins"] | own["particles"] | own["marks"]
    timed = after[:1].isdigit() and any(
        word.low in own["times"] for word in words[i + 2 : i + 3]
    )  # "diagnosed 11 years ago"
    return not after or timed or after in closed or is_adverb(after) or after[0] in "(–"


def has_finite_verb(text: str) -> bool:
    """Whether a text has a verb that makes it a sentence rather than a telegram."""
    words = words_of(text)
    if words is None:
        return False
    clause = ClauseSubjects(words, Addressee())
    own = lists()
    for i, word in enumerate(words):
        if clause.is_finite(i):
            return True
        if word.low in ("you", "they") and not word.quoted:
            k = i + 1
            while k < len(words) and is_adverb(words[k].low):
                k += 1
            following = words[k].low if k < len(words) else ""
            if following in verbs() and following not in own["prepositions"] and (i == 0 or words[i - 1].low != "to"):
                return True
    return False
