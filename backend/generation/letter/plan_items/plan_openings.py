"""A line of a plan that leaves out who is to act, as the sentence that says it: "Pt to ring the surgery" is "The patient should ring the surgery".

The rows of assets/rules/letter/plan_opening_triggers.tsv say how such a line opens and how its sentence begins. What is to be done, to
what, when and on which condition stays in the note's own words, and the sentence is turned to its reader like any other.
"""

import re
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from backend.generation.letter.plain_language.letter_words import is_adverb, lists
from backend.generation.letter.plain_language.telegrams import has_finite_verb
from backend.generation.letter.plain_language.verb_forms import SURE, is_auxiliary, is_participle, third_kind, verbs
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows
from backend.nlp.rules.word_lists import word_lists

FAMILY = "letter/plan_opening"
_PATIENT, _TEAM, _THING, _ORDER, _WILL = "PATIENT", "TEAM", "THING", "ORDER", "WILL"
_FIRST = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*")
_CONDITION = re.compile(r"(?:if|when|once|unless)\s", re.IGNORECASE)
_IF = re.compile(r"(?:if|unless)\s", re.IGNORECASE)
_TO_ACT = re.compile(r"(?P<before>[^\W\d_]+)[\s,–-]* to (?P<act>[a-z]+)(?![\w.]*\.\w)")
_INFINITIVE_OF = frozenset(
    (
        "able",
        "unable",
        "need",
        "needs",
        "going",
        "start",
        "starts",
        "fail",
        "fails",
        "due",
        "want",
        "wants",
        "try",
        "not",
        *("continue", "continues", "begin", "begins", "seem", "seems", "tend", "tends", "happen", "happens"),
        *("have", "has", "wish", "wishes", "like", "decide", "decides", "agree", "agrees"),
    )
)
"""Words whose own infinitive follows them: "if unable to swallow", "if he continues to limp"."""
_MARKED = re.compile(r"[,;]\s+|(?<=[^\W\d_])\s*[-–—]+\s+|\s+[-–—]+\s*(?=[A-Z])")
"""Marks behind which another decision of a line may begin."""
_UNMARKED = re.compile(
    r"(?<=[a-z)\d])\s+(?=(?:We|He|She|The patient|Pt) [a-z]|I (?:will|am|would|have)\b"
    r"|(?:we|I) (?:will|['’]ll|are going to|am going to) [a-z]+ (?:her|him|them|his|the|an?|this patient)\b)"
)
"""A sentence that begins behind no full stop: "for pain relief We will refer her"."""
_NOUNS = re.compile(
    r"(?<![\w-])(?:and|or|in|on|at|with|for|to|by|of|from|after|before|if|today|tomorrow|next|this|within|including)(?![\w-])|[,.;:(]"
)


_TOLD = frozenset(("told", "encouraged", "asked", "instructed", "counselled", "counseled", "reminded", "urged"))
"""Words of a note for what the patient was advised, which stay."""
_SO = frozenset(("therefore", "thus", "hence", "otherwise"))
_VOWEL = re.compile(r"[aeiouAEIO]|[FHLMNRSX](?=[A-Z])")
_MEANTIME = re.compile(r"in (?:the )?(?:meantime|interim)\b|meanwhile\b")
_UNSAID = re.compile(r"\b(?P<when>[Ii]f|[Uu]nless|[Ww]hen|[Oo]nce|until) (?P<verb>[a-z]+(?= |[.,;]|$))")
"""A condition whose verb has no subject: "patch testing if recurs"."""


_WOULD = "would"
_PLAN_OF = {"would": "would be", "could": "could be", "may": "may be", "might": "may be"}
_THEN = re.compile(
    r", (?:then )?(?P<modal>(?:would|will|may|might|could) )?(?:also |then )?(?P<rest>(?P<verb>[a-z]+) .+)$", re.DOTALL
)


class Opening(NamedTuple):
    """How a line opens. row: its rule; rest: what stands behind it."""

    row: TriggerRow
    rest: str


def with_agent(text: str) -> str:
    """A line of a plan with who is to act; as it is where it leaves out nobody.

    Args:
        text: of the note, a decision without its label.
    """
    opening = opening_of_plan(text)
    if opening is None:
        alone = _condition(text)
        if alone is None:
            return _THEN.sub(_with_plan, _UNSAID.sub(_with_it, text)) if _IF.match(text) else text
        return f"{_UNSAID.sub(_with_it, alone[0])}, the patient should {alone[1]}"
    said, rest = opening.row.cells["said"], _UNSAID.sub(_with_it, opening.rest)
    if opening.row.event == _WILL:
        who = "We" if _actor(rest) == _TEAM else "The patient"
        said = f"{who} {'should' if said == _WOULD and who != 'We' else said}"
    if opening.row.event == _THING:
        return f"{said} {article(rest)}{rest}"
    condition = _condition(rest)
    if condition is not None:
        rest = f"{condition[1]} {condition[0][:1].lower()}{condition[0][1:]}"
    if opening.row.event == _ORDER and rest.startswith("be "):
        return f"The patient is to {rest}"
    if opening.row.event == _ORDER:
        return f"{rest[:1].upper()}{rest[1:]}"
    own = next((word for word in _FIRST.findall(text[: -len(opening.rest)].lower()) if word in _TOLD), "advised")
    said = said.replace("advised", own)
    lead = text[: len(text) - len(opening.rest)].lower()
    if meantime := _MEANTIME.match(lead):
        said = f"{'Meanwhile' if meantime[0] == 'meanwhile' else 'In the meantime'}, {said[:1].lower()}{said[1:]}"
    negated = "not " if re.search(r"\bnot to$", text[: len(text) - len(opening.rest)].rstrip(), re.IGNORECASE) else ""
    if negated and said.endswith(" to"):
        said = f"{said.removesuffix('to')}not to"
    return f"{said} {rest}"


def opening_of_plan(text: str) -> Opening | None:
    """How a line opens that leaves out who is to act; None for any other.

    Args:
        text: of the note.
    """
    found = tokens(text)
    matches = [one for one in _automaton().find(plain_marks(found.words))[FAMILY] if one.first == 0]
    for one in sorted(matches, key=lambda one: -one.last):
        rest = text[found.ends[one.last - 1] :].lstrip(" :,")
        if _goes_with(one.row, rest):
            return Opening(one.row, rest)
    return None


def decisions(text: str) -> Iterator[tuple[int, int]]:
    """Yield where each decision of a line begins and ends that says its own: behind a mark an opening, behind none a new sentence.

    Args:
        text: of the note.
    """
    begin = 0
    own = word_lists("letter/words_decisions")
    for match in sorted((*_MARKED.finditer(text), *_UNMARKED.finditer(text)), key=lambda one: one.start()):
        before, behind = text[begin : match.start()], text[match.end() :]
        first = _FIRST.search(before)
        if first is None or before.count("(") != before.count(")"):
            continue
        led = first[0].lower() in own["conditions"] | lists()["openers"] | lists()["prepositions"] - {"for"}
        if match[0].strip() and (led or has_finite_verb(before)) and opening_of_plan(before) is None:
            continue  # what stands before goes on
        if match[0].strip() and not _begins(behind):
            continue
        if not match[0].strip() and first[0] == before.strip():
            continue  # "Advise we will refer her"
        last = _FIRST.findall(before)[-1].lower()
        if not match[0].strip() and (last in _leaves_open() or is_adverb(last)):
            continue
        yield begin, match.start()
        begin = match.end()
    yield begin, len(text)


def _condition(text: str) -> tuple[str, str] | None:
    """A condition and what is to be done then, where a verb says it: "if no better to ring us", and not "if so switch to letrozole"."""
    text = text.strip().rstrip(" .")
    if _CONDITION.match(text) is None:
        return None
    for one in _TO_ACT.finditer(text):
        if one["act"] in verbs() and one["before"].lower() not in _INFINITIVE_OF:
            when = text[: one.end("before")]
            said = {word.lower() for word in _FIRST.findall(when)}
            whole = ";" in when or not said.isdisjoint(lists()["modals"] | lists()["first_person"])
            return None if whole else (when, text[one.start("act") :])
    return None


def _with_it(one: re.Match[str]) -> str:
    who = "the patient" if one["verb"] in lists()["dropped_subject"] else "it"
    return f"{one['when']} {who} {one['verb']}" if third_kind(one["verb"]) == SURE else one[0]


def _with_plan(one: re.Match[str]) -> str:
    """What is to be done on a condition and not by whom, as the plan: "If it grows, would repeat the scan" is "the plan would be to repeat it"."""
    modal, verb = (one["modal"] or "").strip(), one["verb"]
    actor = _actor(one["rest"])
    if verb not in verbs() or not (modal or actor == _TEAM or verb in word_lists("letter/words_decisions")["order"]):
        return one[0]
    if actor == _PATIENT:
        return f", the patient {'should' if modal == _WOULD else modal} {one['rest']}"
    return f", the plan {_PLAN_OF.get(modal, 'is')} to {one['rest']}"


def _begins(text: str) -> bool:
    """Whether a text behind a mark begins a decision of its own, or speaks of the patient again."""
    opening = opening_of_plan(text)
    if opening is not None:
        return opening.row.event != _ORDER
    first = _FIRST.match(text)
    return _condition(text) is not None or (first is not None and first[0].lower() in ("pt", "patient"))


def _goes_with(row: TriggerRow, rest: str) -> bool:
    """Whether what stands behind an opening is what its sentence needs: the verb that is to be done, or a noun."""
    first = _FIRST.match(rest)
    if first is None:
        return False
    low = first[0].lower()
    if _condition(rest) is not None and row.event == _PATIENT:
        return True
    if row.event == _WILL and not _actor(rest):
        return False
    after = _FIRST.match(rest, first.end() + 1)
    lacking = after is None or after[0].lower() in lists()["prepositions"] | lists()["openers"]
    if row.event in (_TEAM, _WILL) and lacking and low in lists()["needing_object"] | {"retry"}:
        return False  # "will taper, 10 mg for 2 weeks"
    if row.event == _ORDER and low == "be":
        return after is not None and after[0].lower() in lists()["passive_subject"] | {"listed", "reviewed"}
    is_verb = low in verbs() or low == "be"
    if row.id == "patient.needs":
        return low == "to" or not is_auxiliary(low)
    if row.id == "patient.bare":
        return is_verb and low not in lists()["prepositions"]
    if row.event == _THING:
        return not is_verb_alone(low) and not has_finite_verb(re.split(r"\b(?:if|unless|when|once)\b", rest)[0])
    return is_verb or is_adverb(low) or low == "not" or row.event in (_PATIENT, _TEAM, _WILL)


def _actor(rest: str) -> str:
    """Who does what stands behind a "will" without its subject, the patient or the team; empty where its verb is of neither."""
    words = [match[0].lower() for match in _FIRST.finditer(rest)]
    while words and (words[0] == "not" or (is_adverb(words[0]) and words[0] not in verbs())):
        words.pop(0)
    verb, own = words[0] if words else "", word_lists("letter/words_decisions")
    after = next((word for word in words[1:] if word not in lists()["determiners"]), "")
    if verb == "be":
        return _PATIENT if after in lists()["passive_subject"] | {"listed", "reviewed"} else ""
    if verb in own["reaches"]:
        return _TEAM if after in own["reached_by_team"] else _PATIENT if after in own["reached_by_patient"] else ""
    if verb in own["either_acts"] and after in own["either_behind"]:
        return ""  # "take swab", "send photo"
    if verb in own["own_acts"]:
        return _PATIENT
    seen = verb != "see" or (len(words) > 1 and words[1] in own["seen_by_team"])
    own_home = re.search(r"\bat home\b", rest, re.IGNORECASE) is not None
    return _TEAM if verb in own["team_acts"] and seen and not (own_home or after.endswith("ing")) else ""


def is_verb_alone(low: str) -> bool:
    """Whether a word is a form that no noun has."""
    return low in ("be", "have") or (low.endswith("ing") and low[:-3] in verbs())


def article(noun: str) -> str:
    """The article that a note leaves out before one visit or test: "for telephone review", and not "for bloods"."""
    head = _NOUNS.split(noun, maxsplit=1)[0].split()
    if not head or head[0].lower() in lists()["determiners"] | {"his", "her", "their", "our", "my", "your"}:
        return ""
    own = lists()
    counted = (
        own["single_visits"] | own["follow_ups"] | own["tests"] | {"appointment", "referral", "call", "test", "swab"}
    )
    last = head[-1].lower()
    if last not in counted or last.endswith(("ing", "s", "tomography")) or is_participle(head[0].lower()):
        return ""
    return "an " if _VOWEL.match(head[0]) else "a "


@lru_cache(maxsize=1)
def _leaves_open() -> frozenset[str]:
    """Words behind which a sentence goes on whatever follows."""
    own = lists()
    return (
        own["openers"] | own["prepositions"] | own["joins"] | own["determiners"] | own["titles"] | own["modals"] | _SO
    )


@lru_cache(maxsize=1)
def _automaton() -> TriggerAutomaton:
    return TriggerAutomaton(trigger_rows(FAMILY))
