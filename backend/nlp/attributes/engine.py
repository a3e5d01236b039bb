"""What a note says of any span: denied, past, doubted, only thought of, and whose it is. One engine for all statements.

Triggers reach over clauses (scopes); a scope never leaves its sentence, except into the list under a line that ends with
a colon ("Denies:"), and from the answer to a question ("Fever? No."). What no trigger decides, the section does: family
history and past history. It does not know concepts.
"""

from bisect import bisect_left
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from backend.nlp.attributes.earlier_stays import RULE as EARLIER_STAY
from backend.nlp.attributes.earlier_stays import earlier_stays
from backend.nlp.attributes.family import is_blood_relative, kinship_at, own_again
from backend.nlp.attributes.list_items import DASHES, SIGNS, YEARS
from backend.nlp.attributes.other_subjects import RULE as OTHER_SUBJECT
from backend.nlp.attributes.other_subjects import other_subjects
from backend.nlp.attributes.scopes import KINSHIP, SentenceWords, scopes
from backend.nlp.attributes.time_cues import lasting
from backend.nlp.attributes.triggers import FAMILY, Cue, Event, Scope, cues
from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import Experiencer
from backend.schemas.vocabulary import Assertion, SectionCategory

_LIST = "attributes/words_scopes"
_HISTORIES = frozenset({SectionCategory.PAST_MEDICAL_HISTORY, SectionCategory.PAST_SURGICAL_HISTORY})
SECTION, QUESTION, ANSWER = "attributes/section", "attributes/question", "attributes/answer"
_BARE_QUESTION = 6
"""Characters that may stand around the phrase of a question that is no more than it: "new MI?"."""
_LONGEST_NAME = 4
"""Words of a name after the denial that it begins with: "no interest in anything"."""
_LONGEST_RUN = 1000
_LONGEST_LIST = 40
_LONGEST_ITEM = 120


class Attributes(NamedTuple):
    """ConText's attributes of a span.

    Attributes:
        kinship: whose it is where a relative is named ("mother", "paternal aunt").
        cue: the words that decided `assertion`, or the section's title; empty for the default.
        cue_span: where they stand, half-open code points; None for the default.
        rule_ids: the rows and mechanisms that said something of the span, the deciding one first.
    """

    negated: bool = False
    hypothetical: bool = False
    historical: bool = False
    uncertain: bool = False
    experiencer: Experiencer = Experiencer.PATIENT
    kinship: str = ""
    cue: str = ""
    cue_span: tuple[int, int] | None = None
    rule_ids: tuple[str, ...] = ()

    @property
    def holds(self) -> tuple[Assertion, ...]:
        """All that applies, in the order of precedence; empty for what is simply there."""
        if self is _NOTHING_SAID:
            return ()
        flags = (
            self.experiencer is not Experiencer.PATIENT,
            self.hypothetical,
            self.negated,
            self.historical,
            self.uncertain,
        )
        return tuple(one for one, holds in zip(_ORDER, flags, strict=True) if holds)

    @property
    def assertion(self) -> Assertion:
        """What comes first in precedence."""
        return self.holds[0] if self.holds else Assertion.PRESENT

    @property
    def also(self) -> tuple[Assertion, ...]:
        """What applies besides, in the order of precedence."""
        return self.holds[1:]


_NOTHING_SAID = Attributes()
_ORDER = (Assertion.FAMILY, Assertion.HYPOTHETICAL, Assertion.NEGATED, Assertion.HISTORICAL, Assertion.UNCERTAIN)


_PlacedScope = tuple[Scope, int, int, int, int, int]
"""A scope, the code points of its cue and of what it reaches, and where the name ends that its cue is part of, or -1."""
_NOWHERE = (-1, -1)


class _Said(NamedTuple):
    """One thing said of a span: by which words or titled section, and by which rule. person: the token of the one it is of."""

    assertion: Assertion
    span: tuple[int, int]
    rule_id: str
    person: int | None = None
    title: str = ""


def read_attributes(note: ParsedNote, spans: Sequence[tuple[int, int]]) -> list[Attributes]:
    """The attributes of each span, in the order of the spans.

    Args:
        note: the parsed note.
        spans: half-open code points of its text; they may be in any order and overlap.
    """
    reader, known = _Reader(note), note.once(_Known).spans
    note.once(_Known).named.update(spans)
    for span in spans:
        if span not in known:
            known[span] = reader.span(*span)
    return [known[span] for span in spans]


class _Known:
    """What is known of a note by the spans and sentences that were asked for."""

    def __init__(self, note: ParsedNote) -> None:
        self.clauses = [clause.first for clause in note.clauses]
        self.scopes: dict[int, list[Scope]] = {}
        self.placed: dict[int, list[_PlacedScope]] = {}
        self.around: dict[int, list[_Said]] = {}
        self.spans: dict[tuple[int, int], Attributes] = {}
        self.named: set[tuple[int, int]] = set()


class _Reader:
    """One note being read."""

    def __init__(self, note: ParsedNote) -> None:
        known = note.once(_Known)
        self._note = note
        self._clauses, self._scopes, self._around = known.clauses, known.scopes, known.around
        self._placed, self._named = known.placed, known.named

    def span(self, start: int, end: int) -> Attributes:
        at = self._note.sentence_at(start)
        if at is None:
            return _NOTHING_SAID
        said: dict[Assertion, _Said] = {}
        for scope, said_first, said_last, begins, ends, name_end in self._placed_scopes(at):
            if start <= said_first and said_last <= end:
                continue  # a cue that is part of the name says nothing of it
            if 0 <= name_end < end:
                continue  # nor of what follows the name
            # of a name that is part of the cue it says what it says: "not palpable"
            if (said_first < end and start < said_last) or (
                begins <= start < ends if said_first < begins else begins < end <= ends
            ):
                person = scope.cue_first if scope.rule_id == KINSHIP else None
                found = _Said(scope.assertion, self._place(scope.cue_first, scope.cue_last), scope.rule_id, person)
                said.setdefault(scope.assertion, found)
                past = scope.past or (scope.assertion is Assertion.NEGATED and self._habit(at, start, end))
                if past:
                    said.setdefault(Assertion.HISTORICAL, found)
        if Assertion.FAMILY not in said and (other := self._other(start)) is not None:
            said[Assertion.FAMILY] = _Said(Assertion.FAMILY, self._place(other, other + 1), OTHER_SUBJECT, other)
        if at not in self._around:
            self._around[at] = [
                *self._inherited(at), *self._answered(at), *self._by_section(at), *self._of_earlier_stay(at)
            ]  # fmt: skip
        for one in self._around[at]:
            said.setdefault(one.assertion, one)
        if not said and self._asked(at, start, end):
            mark = self._note.sentences[at].end_char
            said[Assertion.UNCERTAIN] = _Said(Assertion.UNCERTAIN, (mark - 1, mark), QUESTION)
        return self._attributes(said, at, start) if said else _NOTHING_SAID

    def _other(self, start: int) -> int | None:
        """The token of the person of whom a pronoun of the other sex speaks at a place; None for the patient."""
        others = self._note.once(other_subjects)
        return next((one.person for one in others if one.start <= start < one.end), None) if others else None

    def _attributes(self, said: dict[Assertion, _Said], at: int, start: int) -> Attributes:
        first = next(said[one] for one in _ORDER if one in said)
        experiencer, kinship = Experiencer.PATIENT, ""
        if Assertion.FAMILY in said:
            experiencer, kinship = self._whose(said[Assertion.FAMILY], at, start)
        rules = [said[one].rule_id for one in _ORDER if one in said]
        return Attributes(
            Assertion.NEGATED in said,
            Assertion.HYPOTHETICAL in said,
            Assertion.HISTORICAL in said,
            Assertion.UNCERTAIN in said,
            experiencer,
            kinship,
            first.title or self._note.text[slice(*first.span)],
            first.span,
            tuple(dict.fromkeys(rules)),
        )

    def _whose(self, said: _Said, at: int, start: int) -> tuple[Experiencer, str]:
        """The one a statement is of: named by its scope, or else the last relative named before it in its sentence."""
        words = self._note.words
        if said.person is not None:
            blood = is_blood_relative(words, said.person)
            return (Experiencer.RELATIVE if blood else Experiencer.OTHER), kinship_at(words, said.person)
        first = self._note.sentences[at].first
        before = self._note.token_range(start, start)[0]
        named = (kinship_at(words, i) for i in range(before - 1, first - 1, -1))
        return Experiencer.RELATIVE, next((one for one in named if one), "")

    def _habit(self, at: int, start: int, end: int) -> bool:
        """Whether a habit is denied without a time, so of the past too, as charts have it: who has stopped is told as one who did."""
        lists = word_lists(_LIST)
        words = self._note.words
        first, last = self._note.token_range(start, end)
        said = words[first:last]
        if lists["habits"].isdisjoint(said):
            return False
        narrow = [word for word in said if word in lists["habits"] and word not in ("drug", "drugs", "substance")]
        if not narrow and said[-1] not in lists["habits"] | lists["habit_ends"]:
            return False  # "drug reaction"
        sentence = self._note.sentences[at]
        return lists["these_days"].isdisjoint(words[sentence.first : sentence.last])

    def _placed_scopes(self, at: int) -> list[_PlacedScope]:
        if at not in self._placed:
            self._placed[at] = [
                (
                    scope,
                    *self._place(scope.cue_first, scope.cue_last),
                    *(self._place(scope.first, scope.last) if scope.first < scope.last else _NOWHERE),
                    self._of_a_name(scope, at),
                )
                for scope in self._sentence_scopes(at)
            ]
        return self._placed[at]

    def _of_a_name(self, scope: Scope, at: int) -> int:
        """Where the name ends that a denial is part of, which denies nothing more: "no energy, poor sleep, headaches"; or -1.

        Where "or" joins what follows it is a list of what is denied: "no appetite, nausea or vomiting".
        """
        words, sentence = self._note.words, self._note.sentences[at]
        if scope.assertion is not Assertion.NEGATED or not {"or", "nor"}.isdisjoint(words[scope.first : scope.last]):
            return -1
        start = self._note.tokens.starts[scope.cue_first]
        near = range(scope.cue_last + 1, min(scope.cue_last + _LONGEST_NAME, sentence.last) + 1)
        ends = (self._note.tokens.ends[i - 1] for i in near)
        return max((one for one in ends if (start, one) in self._named), default=-1)

    def _sentence_scopes(self, at: int) -> list[Scope]:
        if at not in self._scopes:
            note = self._note
            first, last = note.sentences[at].first, note.sentences[at].last
            borders = self._clauses[bisect_left(self._clauses, first + 1) : bisect_left(self._clauses, last)]
            found = self._cues(first, last)
            years, signs = note.where_within(YEARS, first, last), note.where_within(SIGNS, first, last - 1)
            dashes = [i for i in note.where_within(DASHES, first, last - 1) if self._is_apart(i)]
            places = (borders, years, signs, [i for i in signs if self._is_set(i)], dashes)
            self._scopes[at] = scopes(SentenceWords(note.words, first, last, found, *places))
        return self._scopes[at]

    def _is_set(self, i: int) -> bool:
        """Whether a plus or minus is set to the word after it and apart from the one before ("-fever")."""
        starts, text = self._note.tokens.starts, self._note.text
        apart = starts[i] == 0 or text[starts[i] - 1] in " \"'\t("
        return apart and starts[i + 1] == self._note.tokens.ends[i] and self._note.words[i + 1][:1].isalpha()

    def _is_apart(self, i: int) -> bool:
        """Whether a dash stands between blanks: "not given - anuric"."""
        start, end = self._note.tokens.starts[i], self._note.tokens.ends[i]
        return self._note.text[start - 1 : start] == " " and self._note.text[end : end + 1] == " "

    def _inherited(self, at: int) -> list[_Said]:
        """What a line that ends with a colon says of the list under it."""
        opener = self._note.once(_openers)[at]
        if opener is None or at - opener > _LONGEST_LIST:
            return []
        last = self._note.sentences[opener].last
        return [
            _Said(scope.assertion, self._place(scope.cue_first, scope.cue_last), scope.rule_id)
            for scope in self._sentence_scopes(opener)
            if scope.last == last
        ]

    def _answered(self, at: int) -> list[_Said]:
        """What an answer after a question says, as in "Fever? No."."""
        sentences = self._note.sentences
        if self._note.words[sentences[at].last - 1] != "?" or at + 1 >= len(sentences):
            return []
        reply = self._reply(at + 1)
        if not _refuses([self._note.words[i] for i in reply]):
            return []
        return [_Said(Assertion.NEGATED, self._place(reply.start, reply.start + 1), ANSWER)]

    def _asked(self, at: int, start: int, end: int) -> bool:
        """Whether a phrase is a question by itself, and no yes follows: "PE? DVT?"."""
        sentence = self._note.sentences[at]
        around = start - sentence.start_char + sentence.end_char - end
        if self._note.words[sentence.last - 1] != "?" or around > _BARE_QUESTION:
            return False
        if at + 1 >= len(self._note.sentences):
            return True
        lists = word_lists(_LIST)
        reply = [self._note.words[i] for i in self._reply(at + 1)][:2]
        return not (reply and (reply[0] in lists["replies_yes"] or " ".join(reply) in _CONSENTS))

    def _reply(self, at: int) -> range:
        """The words of an answer, without marks before it and who speaks ("Patient: No.")."""
        words, first, last = self._note.words, self._note.sentences[at].first, self._note.sentences[at].last
        speaker = next((i + 1 for i in range(first, min(first + 3, last)) if words[i] == ":"), first)
        begin = next((i for i in range(speaker, last) if words[i][:1].isalnum()), last)
        return range(begin, last)

    def _by_section(self, at: int) -> list[_Said]:
        note, sentence = self._note, self._note.sentences[at]
        section = note.sections[sentence.section]
        place = (section.start_char, section.start_char + len(section.title))
        if section.category is SectionCategory.FAMILY_HISTORY:
            return (
                []
                if self._own_again(at)
                else [_Said(Assertion.FAMILY, place, f"{SECTION}.family", title=section.title)]
            )
        lists = word_lists(_LIST)
        title = section.title.lower().split()
        if not lists["doubtful_titles"].isdisjoint(title):
            return [_Said(Assertion.UNCERTAIN, place, f"{SECTION}.differential", title=section.title)]
        if section.category not in _HISTORIES:
            return []
        if not lists["current"].isdisjoint(title):
            return []
        if ("problems" in title or "problem" in title) and lists["list_titles"].issuperset(title):
            return []
        words = note.words[sentence.first : sentence.last]
        if not lists["current"].isdisjoint(words):
            return []
        found = self._cues(sentence.first, sentence.last)
        recent = any(cue.trigger.event is Event.RECENT for cue in found) or lasting(
            note.words, sentence.first, sentence.last
        )
        past_stated = not lists["before"].isdisjoint(words) or any(
            len(word) == 4 and word.isdigit() and word[:2] in ("19", "20") for word in words
        )
        # a run-on note tells today's story under the header of the history: "PMH: gout. Here for cough x3d."
        return (
            []
            if recent and not past_stated
            else [_Said(Assertion.HISTORICAL, place, f"{SECTION}.past", title=section.title)]
        )

    def _of_earlier_stay(self, at: int) -> list[_Said]:
        told = self._note.once(earlier_stays).get(at)
        return [_Said(Assertion.HISTORICAL, self._place(*told), EARLIER_STAY)] if told else []

    def _own_again(self, at: int) -> bool:
        """Whether a family history that runs on in one line has come back to the patient."""
        sentences, here = self._note.sentences, self._note.sentences[at]
        body = self._note.sections[here.section].body_char
        run = self._note.text[body : here.end_char]
        if here.end_char - body > _LONGEST_RUN or "\n" in run.strip():
            return False
        first = at
        while first and sentences[first - 1].section == here.section:
            first -= 1
        return any(own_again(self._note.words, one.first, one.last) for one in sentences[first + 1 : at + 1])

    def _cues(self, first: int, last: int) -> list[Cue]:
        return cues(self._note.triggers_within(FAMILY, first, last))

    def _place(self, first: int, last: int) -> tuple[int, int]:
        return self._note.tokens.starts[first], self._note.tokens.ends[last - 1]


def _openers(note: ParsedNote) -> list[int | None]:
    """By sentence: the line ending with a colon that opens the list of short lines which it stands in."""
    found: list[int | None] = [None]
    for number, (above, one) in enumerate(pairwise(note.sentences)):
        goes_on = one.end_char - one.start_char <= _LONGEST_ITEM
        if not goes_on or note.text.count("\n", above.end_char, one.start_char) != 1:
            found.append(None)
        else:
            found.append(number if note.words[above.last - 1] == ":" else found[-1])
    return found


_REFUSALS = frozenset(("not really", "not at all", "not that i know of"))
_CONSENTS = frozenset(
    ("a little", "a bit", "i do", "i have", "i did", "he does", "he has", "he did", "she does", "she has", "she did")
)


def _refuses(reply: Sequence[str]) -> bool:
    """Whether an answer is a no: "No.", "Not really.", "No, nothing like that, just the cramping."."""
    said = [word for word in reply if word[:1].isalnum()]
    if not said:
        return False
    if len(said) == 1 or " ".join(said) in _REFUSALS:
        return said[0] in word_lists(_LIST)["replies_no"] or len(said) > 1
    return reply[0] == "no" and reply[1] == "," and "?" not in reply
