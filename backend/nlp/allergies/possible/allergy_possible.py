"""Possible allergies in running text: a medicine, food or material close to an effect that it may have had.

Takes a read note; gives what may be an allergy and is not listed as one, with the words that say why, for a clinician to check.
A sentence counts, and the one after it where that goes on ("Within an hour ..."). Four things make a link: a word of cause, a
word of time after an exposure, a mark ("Keflex -> hives"), and that somebody must not have it again. An effect that is denied,
hypothetical or a relative's counts for nothing, nor does what a reaction was treated with. It finds more than there is: a false
hint costs a glance, and an idiom that no rule knows is caught as well.
"""

from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from backend.nlp.allergies.allergens import Allergens, Lookup
from backend.nlp.allergies.allergy_entry import bounded_sentences
from backend.nlp.allergies.allergy_experiencer import patient_parts
from backend.nlp.allergies.possible.allergy_causes import Cause, Causes
from backend.nlp.allergies.possible.allergy_clauses import Clauses, does
from backend.nlp.allergies.possible.allergy_expected import meant
from backend.nlp.allergies.possible.allergy_next import Next
from backend.nlp.allergies.possible.allergy_persons import Persons
from backend.nlp.allergies.possible.allergy_reasons import other_reason
from backend.nlp.allergies.possible.allergy_signs import Sign, SignKind, Signs, allergy_signs
from backend.nlp.allergies.statements.allergy_links import Links
from backend.nlp.allergies.statements.allergy_tolerated import tolerated_since
from backend.nlp.allergies.statements.allergy_withdrawn import withdrawn
from backend.nlp.document.tokens import Tokens, word_set
from backend.nlp.rules.trigger_automaton import plain_marks
from backend.schemas.drafts.note import Allergies, Mention, PossibleAllergy, Section
from backend.schemas.vocabulary import Assertion, Category, SectionCategory

Cut = Sequence[tuple[int, int]]
Assess = Callable[[Sequence[tuple[int, int]]], list[Assertion]]

_ILLS = frozenset((Category.SYMPTOM, Category.DISEASE, Category.FINDING))
_EFFECTS = frozenset((SignKind.ALLERGIC, SignKind.SIDE, SignKind.BARRED))
_LEFT_OUT = frozenset((SectionCategory.ALLERGIES, SectionCategory.FAMILY_HISTORY, SectionCategory.INSTRUCTIONS))
_NO_FACT = frozenset((Assertion.NEGATED, Assertion.FAMILY, Assertion.HYPOTHETICAL))
_GOES_ON = word_set(
    "within after shortly then later soon it this that these those which almost immediately minutes hours by thereafter only now they"
)
_SWELLING = word_set("lip lips tongue throat face eyelids lids mouth skin body uvula")
_LONGEST_JOINED = 50  # words of clauses that are read as one, where the later ones name no cause
_OPENING = 6
_AROUND = 10  # words quoted on either side of a cause where the effect has no name
_LONGEST_QUOTE = 160
_MOST_EFFECTS = 4  # of one cause in one sentence; the first that is a fact tells it


class _Found(NamedTuple):
    """A cause and its effect. surely: the sentence denies it twice, or its relative is the patient, whatever the rules of assertions say."""

    cause: Cause
    effect: Sign
    surely: bool = False

    def span(self, found: Tokens) -> tuple[int, int]:
        """Where the cause is named."""
        return found.starts[self.cause.first], found.ends[self.cause.last - 1]


def possible_allergies(
    text: str,
    found: Tokens,
    sections: Sequence[Section],
    cut: Sequence[Cut],
    mentions: Sequence[Mention],
    allergies: Allergies,
    assess: Assess,
    lookup: Lookup,
) -> tuple[PossibleAllergy, ...]:
    """What may be an allergy and is not among `allergies`, each thing once, in the order of the text.

    cut: the sentences of each section. assess: the assertions of spans of this text. lookup: the concept of a word, or None.
    """
    reader = _Reader(text, found, mentions, lookup)
    hints: list[_Found] = []
    for section, own in zip(sections, cut, strict=True):
        if section.category not in _LEFT_OUT:
            hints += reader.read(own)
    spans = [(found.starts[hint.effect.first], found.ends[hint.effect.last - 1]) for hint in hints]
    facts = [hint for hint, told in zip(hints, assess(spans), strict=True) if hint.surely or _fact(hint.effect, told)]
    known = Allergens(lookup)
    return _once(
        text,
        found,
        [one for one in facts if not (_barred(text, found, one) or tolerated_since(text, *one.span(found), known))],
        allergies,
    )


def _barred(text: str, found: Tokens, hint: _Found) -> bool:
    """Whether a hint rests on a medicine being barred for a reason that is no reaction to it."""
    if hint.effect.kind is not SignKind.BARRED:
        return False
    first, last = min(hint.cause.first, hint.effect.first), max(hint.cause.last, hint.effect.last)
    return other_reason(text, found.starts[first], found.ends[last - 1])


def _fact(effect: Sign, told: Assertion) -> bool:
    """Whether an effect is one that the patient had; what is only weighed may come from anything."""
    if effect.kind is SignKind.BARRED:
        return True
    return told not in _NO_FACT and (told is not Assertion.UNCERTAIN or effect.kind is SignKind.ALLERGIC)


class _Reader:
    def __init__(self, text: str, found: Tokens, mentions: Sequence[Mention], lookup: Lookup) -> None:
        self._text = text
        self._starts = found.starts
        self._words = plain_marks(found.words)
        self._signs: Signs = allergy_signs()
        self._persons = Persons(text, found.starts, self._words)
        self._causes = Causes(text, found, self._words, mentions, lookup)
        self._next = Next(self._words, self._signs, self._causes)
        ills = [m for m in mentions if m.category in _ILLS]
        self._ills = [(bisect_left(self._starts, m.start_char), bisect_left(self._starts, m.end_char)) for m in ills]

    def read(self, cut: Cut) -> list[_Found]:
        """The hints of one section's sentences."""
        hints: list[_Found] = []
        before = (0, 0)
        for start, end in bounded_sentences(self._text, cut):
            first, last = bisect_left(self._starts, start), bisect_left(self._starts, end)
            near = before[0] if before[1] == first else first
            goes_on = not _GOES_ON.isdisjoint(self._words[first : first + _OPENING])
            causes = self._causes.among(near, last)
            told = bool(causes) and not self._signs.telling.isdisjoint(self._words[near if goes_on else first : last])
            told = told or any(does(self._words, cause, last) for cause in causes)
            if not told or any(True for _ in withdrawn(self._text, start, end)):
                before = (first, last)
                continue
            for left, right in self._own_clauses(start, end):
                if not self._persons.aside(left, right):
                    hints += self._sentence(left, right)
                    if before[1] == left and self._goes_on(left, right):
                        hints += self._sentence(before[0], right, joint=left)
                    elif before[1] == left:
                        hints += [_Found(*pair) for pair in self._next.told(before[0], left, right)]
                goes_on = (left > first and self._words[left - 1] == ";") or self._next.of_it(left, right)
                goes_on = goes_on and before[1] == left and not self._causes.among(left, right)
                before = (before[0] if goes_on and right - before[0] < _LONGEST_JOINED else left, right)
        return hints

    def _goes_on(self, left: int, right: int) -> bool:
        """Whether a clause may tell what came of the one before it: it says so, or names no cause of its own."""
        if not _GOES_ON.isdisjoint(self._words[left : left + _OPENING]):
            return True
        return all(cause.remedy for cause in self._causes.among(left, right))

    def _own_clauses(self, start: int, end: int) -> Iterator[tuple[int, int]]:
        """The clauses of a sentence that do not tell of a relative's reaction, by their words."""
        for left, right in patient_parts(self._text, start, end):
            yield from self._clauses(bisect_left(self._starts, left), bisect_left(self._starts, right))

    def _clauses(self, first: int, last: int) -> Iterator[tuple[int, int]]:
        """The parts of a sentence between semicolons, none of them empty: each has its own subject."""
        for i in range(first, last):
            if self._words[i] == ";":
                yield first, i + 1
                first = i + 1
        if first < last:
            yield first, last

    def _parts(self, signs: Sequence[Sign], effects: Sequence[Sign]) -> list[Sign]:
        """Parts that swell in reactions, whatever is said to have become of them: "her lips like sausages". As a side effect they count."""
        told = {i for effect in effects for i in range(effect.first, effect.last)}
        return [
            Sign(SignKind.SIDE, sign.first, sign.last)
            for sign in signs
            if sign.kind is SignKind.PART
            and sign.first not in told
            and self._words[sign.first] in _SWELLING
            and self._words[sign.first - 1] != "by"
        ]

    def _sentence(self, first: int, last: int, joint: int | None = None) -> list[_Found]:
        """joint: where the second of two sentences begins; then only what goes from one to the other counts."""
        causes = self._causes.among(first, last)
        if not causes:
            return []
        signs = self._signs.found(self._words, first, last)
        effects = [sign for sign in signs if sign.kind in _EFFECTS]
        eased = {sign.first for sign in signs if sign.kind is SignKind.EASED}
        inside = [ill for ill in self._ills if first <= ill[0] and ill[1] <= last]
        effects += self._parts(signs, effects)
        effects += [Sign(SignKind.ILL, *ill) for ill in inside if eased.isdisjoint(range(*ill))]
        clauses = Clauses(self._words, signs, first, last)
        links = Links(self._words, signs, effects, first, last, joint is not None)
        # a second sentence that names a cause of its own speaks of that one
        own = joint is not None and any(joint <= cause.first and not cause.remedy for cause in causes)
        hints: list[_Found] = []
        for cause in causes:
            if joint is not None and cause.first < joint and (own or cause.denied):
                continue
            over = [e for e in effects if joint is None or (cause.first < joint) != (e.first < joint)]
            tied = (
                _Found(cause, effect, self._persons.surely(first, last, cause, effect))
                for effect in over
                if links.tied(cause, effect, self._causes)
            )
            hints += islice(tied, _MOST_EFFECTS)
            around = Sign(SignKind.BARRED, max(first, cause.first - _AROUND), min(last, cause.last + _AROUND))
            if (
                cause.first < (joint or last)
                and clauses.told(cause, len(causes) == 1)
                and not meant(self._words, cause, around)
            ):
                hints.append(_Found(cause, around))
        return hints


def _once(text: str, found: Tokens, hints: Sequence[_Found], allergies: Allergies) -> tuple[PossibleAllergy, ...]:
    listed = {item.concept_id for item in allergies.items if item.concept_id} | {
        item.text.lower() for item in allergies.items
    }
    result: dict[str, PossibleAllergy] = {}
    for cause, effect, _ in sorted(hints):
        start, end = found.starts[cause.first], found.ends[cause.last - 1]
        name = text[start:end]
        keys = {name.lower(), cause.concept_id}
        taken = any(item.start_char < end and start < item.end_char for item in allergies.items)
        if taken or not listed.isdisjoint(keys) or any(name.lower() in known for known in listed):
            continue
        first, last = min(cause.first, effect.first), max(cause.last, effect.last)
        told = " ".join(text[found.starts[first] : found.ends[last - 1]].split())
        result.setdefault(
            cause.concept_id or name.lower(),
            PossibleAllergy(
                text=name,
                start_char=start,
                end_char=end,
                concept_id=cause.concept_id or None,
                name=cause.name,
                because=told if len(told) <= _LONGEST_QUOTE else f"{told[:_LONGEST_QUOTE]} ...",
            ),
        )
    return tuple(result.values())
