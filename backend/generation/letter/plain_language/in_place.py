"""Whether plain words can stand where a term stands; where they cannot, the term stays and they follow it in brackets.

A word put for another has to fit its neighbours: it repeats none of them ("general malaise" is no "general general ill feeling"), a phrase
does not stand before a noun ("migratory (moving around) joint pains"), and "a" needs one of something.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.generation.letter.plain_language.everyday import jargon
from backend.generation.letter.plain_language.letter_words import is_adverb, lists
from backend.generation.letter.plain_language.verb_forms import EITHER, is_auxiliary, is_past, participle_of, third_kind
from backend.nlp.lexicon.variants import english_words, stem
from backend.nlp.rules import RULES, rule_rows
from backend.schemas.record import ProblemStatement, ProcedureStatement
from backend.schemas.vocabulary import Category

_BEFORE = re.compile(r"([^\W\d_]+)\s+$")
_AFTER = re.compile(r"\s+([^\W\d_]+)")
_GLOSS = re.compile(r"(?: \([^()]*\))?")
"""What explains an adjective behind it, which its plain words say."""
_NOUN = re.compile(r" (?:([a-z][a-z-]+)(?![\w/'’])|\([^()]*\))")
_MOST_MEANING, _MOST_OF_SUBJECT, _SHORTEST, _ROOT = 8, 12, 3, 4
_ADDS = 2
"""Words of its own that a meaning has which repeats words of the name."""
_ONE = frozenset(("a", "an", "one", "another"))
_PHRASE, _BESIDE = 2, 2
"""Words of a plain wording that may stand behind its term, and of its neighbours that it may not repeat."""
_WORDS = re.compile(r"[^\W\d_]+")
_SAME_CLAUSE = re.compile(r"[,.;:()]|\b(?:and|or|but|nor)\b")
_SMALL = frozenset(("the", "and", "for", "with", "not", "hour", "day", "week", "month", "year", "time"))
_ONTO = frozenset(("on", "onto", "upon", "through", "over"))
_OWNS = frozenset(("have", "has", "had", "having"))
_SIDES = frozenset(("left", "right", "bilateral"))
_GRADES = frozenset(("more", "most", "very", "less", "quite", "so", "too"))
_NO_ATTRIBUTE = frozenset(("not", "no", "without", "around", "up", "down", "out", "off", "back", "over"))


_DOUBLED = re.compile(
    r"\b([a-z]+(?: [a-z]+){0,3}),? (?:and|or|and/or|as well as) (?:very |some |also )?\1\b(?![-'’])", re.IGNORECASE
)


class Piece(NamedTuple):
    """A stretch of a text that is being put plainly. term, said: the note's words and the plain ones; empty where nothing was put for them."""

    text: str
    term: str = ""
    said: str = ""


def without_doubles(text: str) -> str:
    """A text in which two terms that were put by the same words, and are joined by "and" or "or", are said once: "dizziness and dizziness".

    Args:
        text: in plain words.
    """

    def once(match: re.Match[str]) -> str:
        following = _AFTER.match(text, match.end())
        after = "" if following is None else following[1].lower()
        goes_on = may_be_noun(after) or after in ("of", "for", "with")  # "cough and cough syrup"
        own = lists()
        idiom = (
            match[1].lower() in own["adverbs"] | own["prepositions"] | own["particles"] | own["comparatives"] | _GRADES
        )
        return match[0] if goes_on or idiom or len(match[1]) <= _SHORTEST else match[1]

    return _DOUBLED.sub(once, text)


def with_places_behind(text: str) -> str:
    """A text with adjectives of place and time behind their noun: "bilateral knee pain" gives "knee pain on both sides".

    Only where the noun ends with its clause or at a small word, since what a list describes is not known.

    Args:
        text: in plain words otherwise.
    """
    rows = _places_behind()
    told, at = "", 0
    for match in re.finditer(r"[A-Za-z]+", text):
        row = rows.get(match[0].lower()) if match.start() >= at else None
        begin = _GLOSS.match(text, match.end()).end()  # type: ignore[union-attr]
        end = _end_of_noun(text, begin) if row is not None else 0
        if row is None or not end:
            continue
        noun = text[begin:end].lstrip()
        noun = f"{noun[:1].upper()}{noun[1:]}" if match[0][:1].isupper() else noun
        before = (
            re.sub(r"\b([Aa])n $", r"\1 ", text[at : match.start()])
            if noun[:1].lower() not in "aeiou"
            else text[at : match.start()]
        )
        told, at = f"{told}{before}{noun} {row}", end
    return told + text[at:]


def _end_of_noun(text: str, begin: int) -> int:
    """Where the noun ends that begins at a place, with its words in brackets; 0 where there is none, or a list of them."""
    end = begin
    while (word := _NOUN.match(text, end)) is not None and (word[1] is None or _goes_on_noun(text, word)):
        end = word.end()
    following = _AFTER.match(text, end)
    low = following[1].lower() if following is not None else ""
    listed = low in ("and", "or") or may_be_noun(low) or third_kind(low) is not None
    return 0 if end == begin or listed or text[end : end + 1] in ("/", "-") else end


def _goes_on_noun(text: str, word: re.Match[str]) -> bool:
    """Whether a word goes on a noun: "cramps" may be a verb, and is none before a comma or "at"."""
    low = word[1].lower()
    if may_be_noun(low):
        return True
    following = _AFTER.match(text, word.end())
    ends = following is None or following[1].lower() in lists()["prepositions"] or is_auxiliary(following[1].lower())
    return third_kind(low) == EITHER and ends


@lru_cache(maxsize=1)
def _places_behind() -> dict[str, str]:
    """The rows of adjectives_behind.tsv. A test reads their examples."""
    return {written: plain for written, plain, *_ in rule_rows(RULES / "letter" / "adjectives_behind.tsv", 5)}


def placed(text: str, begin: int, end: int, said: str) -> str:
    """What stands for the term at begin to end: the plain words, without a word that a neighbour says, or the term with them in brackets.

    Args:
        text: with the term.
        begin: where it begins.
        end: where it ends.
        said: its plain words.
    """
    before, after = _BEFORE.search(text, max(0, begin - 40), begin), _AFTER.match(text, end)
    left = before[1].lower() if before else ""
    right = after[1].lower() if after else ""
    words = said.split()
    words[0] = _behind_have(text[:begin], words[0])
    if words[-2:] == ["on", "it"] and right in _ONTO:
        words = words[:-2]  # "put weight on it": the note names on what
    if len(words) > 1 and (stem(words[0].lower()) == stem(left) or (words[0] == "very" and left in _GRADES)):
        words = words[1:]
    if len(words) > 1 and right and stem(words[-1].lower()) == stem(right):
        words = words[:-1]
    if len(words) == 2 and words[0].lower() in lists()["spare_adjectives"] and may_be_noun(left):
        words = words[1:]  # "a right lung spot"
    found = text[begin:end]
    if {stem(word.lower()) for word in words} <= {stem(word.lower()) for word in found.split()}:
        return " ".join(words)
    if len(words) == 1 and stem(words[0].lower()) in (stem(left), stem(right)):
        return found
    if left in _OWNS and words[0].lower() == "passing":  # of water, a stool, gas: what is done, and not had
        return in_brackets(found, said)
    same_thing = stem(words[-1].lower()) == stem(found.rsplit(maxsplit=1)[-1].lower())  # "left great toe" is a big toe
    if (
        left in _SIDES
        and " " in found
        and len(words) > 1
        and _is_thing(found)
        and (not same_thing or _is_phrase(words))
    ):
        return in_brackets(found, said)
    if right and right in _complements(words) and not found.isupper():
        return in_brackets(found, said)  # "dysphagia to solids", "hematoma of the leg"
    if " " not in found and (left in _SIDES or _is_described(left)) and _is_described_behind(words):
        return in_brackets(found, said)  # "mild hydronephrosis", "sleep apnea", "left ureterolithiasis"
    if left in _ONE and _is_no_one(found, words) and not may_be_noun(right):
        return in_brackets(found, said)
    part_of = "of" in words[1:-1]  # "frontal lobe epilepsy", "lumbar spine x-ray"
    if len(words) > 1 and may_be_noun(right) and (part_of if " " in found else _is_phrase(words)):
        return in_brackets(found, said)
    return " ".join(words)


def _behind_have(before: str, word: str) -> str:
    """A past form as a participle where "have" stands before it: "has not come back"."""
    last = next(
        (one for one in reversed(before.lower().split()) if one not in ("not", "yet") and not is_adverb(one)), ""
    )
    return participle_of(word) if last.removesuffix("n't") in _OWNS else word


def in_brackets(term: str, said: str) -> str:
    """A term with plain words in brackets, without the term that they repeat in brackets of their own: "EGD (camera test of the stomach)"."""
    return f"{term} ({said.removesuffix(f' ({term})')})"


def without_repeats(pieces: Sequence[Piece]) -> str:
    """The pieces of a text as one, each plain wording behind its term in brackets where its words stand beside it already.

    Two terms that stand beside each other may be said with one word: "hyponatraemia Na 124", "abdominal guarding".
    """
    texts = [one.text for one in pieces]
    for i, one in enumerate(pieces):
        words = one.said.lower().split()
        if not one.term or "(" in one.text or len(words) < _PHRASE or words[0] in lists()["prepositions"]:
            continue
        if one.term[1:] != one.term[1:].lower():
            continue  # a short form, which brackets would leave to be read
        before = _WORDS.findall(_SAME_CLAUSE.split("".join(texts[:i]))[-1])[-_BESIDE:]
        after = _WORDS.findall(_SAME_CLAUSE.split("".join(texts[i + 1 :]))[0])[:_BESIDE]
        beside = {stem(word.lower()) for word in (*before, *after)} - _SMALL
        written = {stem(word) for word in one.term.lower().split()}
        if any(stem(word) in beside - written for word in words if len(word) >= _SHORTEST):
            texts[i] = in_brackets(one.term, one.said)
    return "".join(texts)


def _is_no_one(found: str, words: list[str]) -> bool:
    """Whether plain words name no single thing, as a term does: "fainting" for "syncopal episode", "feelings"."""
    own = lists()
    head = next((i for i, word in enumerate(words) if word.lower() in own["prepositions"]), len(words)) - 1
    word = words[head].lower() if head >= 0 else ""
    return (word.endswith("ing") and " " in found and len(words) == 1) or (
        word.endswith("s") and not word.endswith(("ss", "us", "is"))
    )


def _is_described(left: str) -> bool:
    """Whether the word before a term may describe it, and opens or ends nothing."""
    own = lists()
    small = own["denials"] | own["reporting"] | own["telling"] | own["given"] | _OWNS
    return may_be_noun(left) and left not in small and left not in own["letting"]


def _is_described_behind(words: list[str]) -> bool:
    """Whether plain words are a noun with what describes it behind it, which no word before it describes too: "kidney swollen by urine".

    What a noun is of is a part of it: one can have mild "shortness of breath".
    """
    small = lists()["prepositions"]
    behind = [word.lower() for word in words[1:] if word.lower() in small | lists()["openers"]]
    doing = any(word.endswith("ing") for word in words[1:-1])  # "breathlessness lying flat"
    return words[0].lower() not in small and (doing or (bool(behind) and behind != ["of"]))


def _complements(words: list[str]) -> set[str]:
    """The small words that lead on from a term and not from its plain words: "to" behind what is done, "of" behind what is of something."""
    low = [word.lower() for word in words]
    done = {"to"} if len(low) > 1 and low[-1].endswith("ing") else set()
    return done | ({"of"} if "of" in low[1:-1] else set())


def _is_thing(found: str) -> bool:
    """Whether a term names a thing; "greater than", "next to" lead on to one."""
    last = found.rsplit(maxsplit=1)[-1].lower()
    return last != "than" and last not in lists()["prepositions"]


def _is_phrase(words: list[str]) -> bool:
    small = lists()["prepositions"] | _NO_ATTRIBUTE
    return any(word.lower() in small for word in words) or words[0].lower().endswith("ing")


def may_be_noun(word: str) -> bool:
    """Whether the word behind a term may be the noun that the term describes: no small word, and no verb."""
    own = lists()
    small = own["prepositions"] | own["joins"] | own["openers"] | own["modals"] | own["adverbs"] | own["negations"]
    if not word or word in small | own["determiners"] | own["subjects"] or is_adverb(word) or is_auxiliary(word):
        return False
    return not is_past(word) and third_kind(word) is None


def meaning(one: ProblemStatement | ProcedureStatement, plain: Mapping[str, str], *, subject: bool = False) -> str:
    """What a name means in everyday words; empty where its own words are everyday ones.

    Args:
        one: what has the name.
        plain: everyday words by concept id.
        subject: it is what the letter is about, whose name is explained in more words, and though it is plain English.
    """
    words = plain.get(one.concept_id or "", "")
    name = one.spans[0].text.lower() if one.spans else ""
    own = lists()
    most = _MOST_OF_SUBJECT if subject else _MOST_MEANING
    unfit = not words or len(words.split()) > most or any(c.isdigit() for c in words) or not _is_named(one)
    disease = getattr(one, "category", None) is Category.DISEASE
    idiom = disease and (subject or " " in name)  # "bundle branch block"
    if unfit or (not idiom and all(word in english_words() for word in _words_of(name)) and not jargon(f" {name}")):
        return ""
    said = {word[:_ROOT] for word in _words_of(name)}
    says_more = {w for w in _words_of(words) if w[:_ROOT] not in said} - own["determiners"] - own["prepositions"]
    alike = any(word[:_ROOT] in said for word in _words_of(words)) and not jargon(f" {name}")
    repeats = alike and len(says_more) < _ADDS  # "prostate cancer (cancer of the prostate gland)"
    return words if says_more and not repeats and not (own["negations"] | own["doubts"]) & set(_words_of(words)) else ""


def _is_named(one: ProblemStatement | ProcedureStatement) -> bool:
    """Whether the note's words name what the concept is: by its name, by another name in hard words, or by its letters."""
    written = one.spans[0].text if one.spans else ""
    if written.lower() == one.name.lower() or (
        isinstance(one, ProblemStatement) and one.category is not Category.DISEASE
    ):
        return written.lower() == one.name.lower()
    alike = {word[:_ROOT] for word in _words_of(written)} & {
        word[:_ROOT] for word in _words_of(one.name) if len(word) >= _ROOT
    }
    parts = written.split()
    whole = len(parts) > 1 or isinstance(one, ProcedureStatement)  # "nephrostomy" is what its tube is for
    clipped = any(part.isupper() and len(part) >= _SHORTEST for part in parts)  # "IVC filter"
    hard = whole and bool(alike) and (clipped or bool(jargon(f" {written.lower()}"))) and not is_past(parts[-1])
    return hard or (written.isupper() and len(written) >= _SHORTEST)


def _words_of(text: str) -> list[str]:
    return re.findall(r"[^\W\d_]+", text.lower())
