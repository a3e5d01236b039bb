"""Paraphrases a sentence of a note as a draft would: to the patient, in other words for what has a synonym, numbers and schedules in another form.

A true sentence that stands word for word in what it cites proves nothing about a verifier, so both of a pair, the true and the
wrong one, are paraphrased in the same way. It changes no fact; rules are few, and some sentences come out clumsy.
"""

import random
import re
from collections.abc import Mapping, Sequence

from backend.schemas.drafts.note import Mention

_WHO = re.compile(r"^(?:the patient|patient|pt|she|he|this patient)\b", re.IGNORECASE)
_VERBS = {
    "has": "have", "is": "are", "was": "were", "does": "do", "denies": "deny", "reports": "report", "takes": "take", "states": "state", "notes": "note",
    "describes": "describe", "presents": "present", "feels": "feel", "complains": "complain", "continues": "continue", "endorses": "report", "returns": "return",
}  # fmt: skip
_FORMS: tuple[tuple[str, str], ...] = (
    (r"\btwice (?:a day|daily)\b|\bBID\b", "two times a day"),
    (r"\bonce (?:a day|daily)\b", "every day"),
    (r"\bdaily\b", "every day"),
    (r"(?<=\d)\s?mg\b", " milligrams"),
    (r"\bdenies\b|\bdenied\b", "does not have"),
    (r"\bshortness of breath\b", "trouble breathing"),
    (r"\bhypertension\b", "high blood pressure"),
    (r"\bprior to\b", "before"),
    (r"\bfollowing\b", "after"),
    (r"\bapproximately\b", "about"),
    (r"\bsubsequently\b", "then"),
    (r"\bwithin normal limits\b", "normal"),
)
_DIGITS = {
    "2": "two",
    "3": "three",
    "4": "four",
    "5": "five",
    "6": "six",
    "7": "seven",
    "8": "eight",
    "9": "nine",
    "10": "ten",
}
_SPAN = re.compile(
    r"\b(\d{1,2}|two|three|four|five|six|seven|eight|nine|ten)(?=[\s-]+(?:days?|weeks?|months?|years?|hours?)\b)",
    re.IGNORECASE,
)
_LEADS = ("", "", "Your note says: ", "The note lists: ", "It is written that ")


def paraphrased(
    text: str, mentions: Sequence[Mention], synonyms: Mapping[str, Sequence[str]], kept: tuple[int, int], seed: int
) -> str:
    """The sentence in other words. kept: the stretch that stays as it is, since it is what a pair differs in.

    mentions: of the sentence; synonyms: other names by concept id. Two sentences that differ in the kept stretch alone are paraphrased
    alike: what is drawn depends on the seed and the other words.
    """
    rng = random.Random(seed)
    start, end = kept
    head, middle, tail = text[:start], text[start:end], text[end:]
    head = _renamed(head, [m for m in mentions if m.end_char <= start], synonyms, rng, 0)
    tail = _renamed(tail, [m for m in mentions if m.start_char >= end], synonyms, rng, end)
    lead = rng.choice(_LEADS)
    turned = [pattern for pattern in _FORMS if rng.random() < 0.7]
    words = rng.random() < 0.5
    for pattern, new in turned:
        head, tail = re.sub(pattern, new, head), re.sub(pattern, new, tail)
    if words:
        head, tail = _SPAN.sub(_other_form, head), _SPAN.sub(_other_form, tail)
    whole = _to_you(head + middle + tail)
    return f"{lead}{whole[:1].lower() + whole[1:]}" if lead and not whole[:2].isupper() else lead + whole


def _renamed(
    text: str, mentions: Sequence[Mention], synonyms: Mapping[str, Sequence[str]], rng: random.Random, at: int
) -> str:
    """Half of the mentions under another name."""
    out = text
    for m in sorted(mentions, key=lambda m: -m.start_char):
        others = [name for name in synonyms.get(m.concept_id, ()) if name.lower() != m.text.lower() and len(name) > 3]
        if others and rng.random() < 0.5 and any(c.isalpha() for c in m.text):
            out = out[: m.start_char - at] + rng.choice(others) + out[m.end_char - at :]
    return out


def _other_form(m: re.Match[str]) -> str:
    word = m[1].lower()
    back = {name: digit for digit, name in _DIGITS.items()}
    return _DIGITS.get(word) or back.get(word) or m[1]


def _to_you(text: str) -> str:
    found = _WHO.match(text)
    if found is None:
        return text
    rest = text[found.end() :]
    verb = re.match(r"\s+(\w+)", rest)
    if verb and verb[1].lower() in _VERBS:
        rest = f" {_VERBS[verb[1].lower()]}{rest[verb.end() :]}"
    return f"You{rest}"
