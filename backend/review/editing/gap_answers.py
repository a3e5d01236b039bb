"""What a gap of a letter asks for, and whether what was typed into it answers that.

The kind of a gap is read from its prompt by rows of assets/rules/letter/gap_kinds.tsv. An answer is refused only where it
cannot be one: no word, a placeholder, a dose without an amount. Whether it is right is for the clinician.
"""

import re
from collections.abc import Sequence
from functools import lru_cache

from backend.errors import InputError, KnowledgeError
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.lexicon.variants import english_words
from backend.nlp.measures.dosage import read_dosages
from backend.nlp.procedures.whom_and_when import when_of
from backend.nlp.rules import RULES, rule_names, rule_rows
from backend.schemas.drafts.gaps import GAP, GapKind
from backend.schemas.record import Dosage

NOT_NEEDED = "not needed"
"""How the record of a gap that stays empty begins; the reason stands behind it."""
REQUIRED_GAP = "the letter cannot do without this place: fill it, or say with a reason why it is not needed."
NEEDS = {
    GapKind.DATE: "a date or a time, such as 12 May or in 2 weeks",
    GapKind.APPOINTMENT: "when or with whom, such as cardiology clinic in 2 weeks",
    GapKind.DOSE: "a dose with its unit, such as 5 mg twice a day",
    GapKind.PHONE: "a phone number",
    GapKind.PERSON: "a name or a role, such as Dr Lee or the district nurse",
    GapKind.WORDS: "an answer in words",
}
"""What each kind needs, as a person reads it."""
_WORD = re.compile(r"[^\W\d_]+(?:['\u2019-][^\W\d_]+)*")
_MARKS = " \t.,;:!?"
"""What may change around a gap when it is filled."""
_VOWELS = frozenset("aeiouyáéíóúàèìòùäëïöüâêîôûãõæøå")
_CONSONANTS = 3  # in a row; more is no word of a language that the letter is written in
_SHORTEST = 5  # letters of a word that stands alone and is in no list
_REASON = 8  # letters of a reason against an alert
_DIGITS = 3  # of a phone number: an emergency number or an extension
_SOME_DATE = re.compile(
    r"\b(?:\d{1,2}[/.-]\d{1,2}(?:[/.-]\d{2,4})?|\d{4}-\d\d-\d\d|(?:mon|tues|wednes|thurs|fri|satur|sun)days?"
    r"|(?:jan|feb|mar|apr|may|jun|jul|aug|sept?|oct|nov|dec)[a-z]{0,6}|(?:19|20)\d\d)\b",
    re.IGNORECASE,
)


def gap_kind(prompt: str) -> GapKind:
    """The kind of what a prompt asks for. Raises KnowledgeError for a row whose own example contradicts it."""
    return next((kind for kind, phrase, _, _ in _rows() if phrase.search(prompt)), GapKind.WORDS)


def check_gap_answer(prompt: str, text: str) -> None:
    """Refuse what does not answer a gap. Raises InputError that says what the gap needs."""
    kind = gap_kind(prompt)
    if not _answers(kind, text):
        raise InputError(f"this place needs {NEEDS[kind]}. Where it needs none, say so with a reason.")


def check_reason(text: str) -> None:
    """Refuse a reason that says nothing. Raises InputError."""
    if not _in_words(text):
        raise InputError("say in a few words why it is not needed.")


def says_why(text: str) -> bool:
    """Whether a reason has content: words that say something, of some length together, each counted once."""
    words = {word.lower() for word in _WORD.findall(text) if _could_be(word)}
    return _in_words(text) and sum(map(len, words)) >= _REASON


def check_rewritten(before: str, after: str) -> None:
    """Refuse a sentence that lost its gaps, or the words around them, without an answer: rewriting it is filling it.

    Args:
        before: the sentence with its gaps.
        after: as it is to read. A gap may stay as it is.

    Raises:
        InputError: as `check_gap_answer` does; or words around a gap are gone, or another gap stands in its place.
    """
    texts, prompts = GAP.split(before)[::2], GAP.findall(before)
    if not prompts:  # a gap without an end
        check_gap_answer("", after)
        return
    if not set(GAP.findall(after)) <= set(prompts):
        raise InputError(REQUIRED_GAP)
    rest, asked = after, list[str]()
    for text, prompt in zip(texts, (*prompts, ""), strict=True):
        if piece := text.strip(_MARKS):
            answer, found, rest = rest.partition(piece)
            if not found:
                raise InputError("the words around this place must stay: fill the place alone.")
            _check_filled(asked, answer)
            asked.clear()
        asked.append(prompt)
    _check_filled(asked[:-1], rest)


def _check_filled(prompts: Sequence[str], answer: str) -> None:
    """Refuse what stands where gaps stood, unless it is the gap itself or answers it."""
    for prompt in prompts:
        if prompt not in GAP.findall(answer):
            check_gap_answer(prompt, answer)


def _answers(kind: GapKind, text: str) -> bool:
    if kind is GapKind.PHONE:
        return sum(c.isdecimal() for c in text) >= _DIGITS
    if kind is GapKind.DATE:
        return _tells_time(text)
    if kind is GapKind.DOSE:
        note = parse_note(f"take {text}")
        return any(_is_amount(one.dosage) for one in read_dosages(note, 1, len(note.words)))
    if kind is GapKind.APPOINTMENT:
        return _tells_time(text) or _in_words(text)
    return _in_words(text)


def _is_amount(found: Dosage) -> bool:
    return found.dose is not None or found.quantity is not None


def _tells_time(text: str) -> bool:
    note = parse_note(text)
    return bool(_SOME_DATE.search(text)) or (bool(note.words) and when_of(note, 0, len(note.words)) is not None)


def _in_words(text: str) -> bool:
    """Whether it says something: one known word, a name, or two that could be words of any language; no placeholder."""
    words = _WORD.findall(text)
    if " ".join(re.split(r"[\W_]+", text.lower())).strip() in _no_answers():
        return False
    likely = [word for word in words if _could_be(word)]
    return len(likely) > 1 or any(_known(word) or len(word) >= _SHORTEST or word.istitle() for word in likely)


def _could_be(word: str) -> bool:
    low = word.lower()
    if len(low) < 2 or len(set(low)) < 2:
        return False
    if low in english_words() or low in _clinical_words():
        return True
    run = most = 0
    for c in low:
        run = 0 if c in _VOWELS or not c.isalpha() else run + 1
        most = max(most, run)
    # a script without these vowels is taken as it is
    return not low.isascii() or (most <= _CONSONANTS and any(c in _VOWELS for c in low))


def _known(word: str) -> bool:
    return word.lower() in english_words() or word.lower() in _clinical_words()


@lru_cache(maxsize=1)
def _no_answers() -> frozenset[str]:
    names = rule_names(RULES / "letter" / "no_answers.txt")
    return frozenset(" ".join(re.split(r"[\W_]+", name.lower())).strip() for name in names)


@lru_cache(maxsize=1)
def _clinical_words() -> frozenset[str]:
    forms = {row[0] for row in rule_rows(RULES / "lexicon" / "short_forms.tsv", 4)}
    whom = {row[0] for row in rule_rows(RULES / "plan" / "words_whom.tsv", 2)}
    denied = {word for word, kind in rule_rows(RULES / "allergies" / "words_lists.tsv", 2) if kind == "none"}
    return frozenset(forms | whom | denied)


@lru_cache(maxsize=1)
def _rows() -> tuple[tuple[GapKind, re.Pattern[str], str, str], ...]:
    rows = []
    for kind, phrase, yes, no in rule_rows(RULES / "letter" / "gap_kinds.tsv", 4):
        shape = re.compile(rf"(?<![\w-]){re.escape(phrase)}(?![\w-])", re.IGNORECASE)
        if not shape.search(yes) or shape.search(no):
            raise KnowledgeError(f"gap_kinds.tsv: the row '{phrase}' does not hold for its own examples. Mend them.")
        rows.append((GapKind(kind), shape, yes, no))
    return tuple(rows)
