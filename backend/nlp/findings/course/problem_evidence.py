"""What is known of a stated problem and bears on its status: the named features that the scorer weighs.

Its section and the note's, the words of its line on both sides, how it runs by its name, what the attributes engine says and by which
row, and what the note tells of the same problem elsewhere.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.findings.course.told_status import Told
from backend.nlp.lexicon.variants import stem
from backend.nlp.scoring.evidence import Evidence
from backend.nlp.scoring.word_kinds import word_kinds
from backend.nlp.scoring.words_beside import STOPS, Named, WordsBeside
from backend.schemas.record import ProblemStatement
from backend.schemas.vocabulary import Assertion

_YEAR = re.compile(r"(?:19|20)\d\d")
_AGES = frozenset(("at", "age", "aged", "@"))
_REACH, _VERB = 10, 4
"""Tokens of a side that are looked at for times; letters of a word that is no verb of the past though it ends like one."""
_NEAR = 6
"""Statements of the same problem elsewhere that are looked at."""


class Judged(NamedTuple):
    """A problem by its tokens with what the rows say of it.

    runs: how it runs by its name. holds: all that the attributes engine says. cue: the words by which.
    """

    first: int
    last: int
    statement: ProblemStatement
    told: Told
    runs: str
    holds: frozenset[Assertion]
    cue: str


def problem_evidence(note: ParsedNote, judged: Sequence[Judged]) -> Evidence:
    """What bears on the status of each problem.

    Args:
        note: the parsed note.
        judged: its problems, in order of place.
    """
    return next(evidence_of(note, judged, [range(len(judged))]))


def evidence_of(note: ParsedNote, judged: Sequence[Judged], stretches: Iterable[range]) -> Iterator[Evidence]:
    """Yield what bears on the status of the problems of each stretch, which all of the note may tell.

    Args:
        note: the parsed note.
        judged: its problems, in order of place.
        stretches: places among them.
    """
    reader = _Reader(note, judged)
    for stretch in stretches:
        features = tuple(tuple(dict.fromkeys(reader.of(at))) for at in stretch)
        yield Evidence(features, tuple(reader.bond(at) for at in stretch[:-1]))


class _Reader:
    def __init__(self, note: ParsedNote, judged: Sequence[Judged]) -> None:
        self._note, self._judged = note, judged
        starts = note.tokens.starts
        self._spans = [Named(one.first, one.last, starts[one.first]) for one in judged]
        self._beside = WordsBeside(note, self._spans, word_kinds("findings/words_status"), set())
        self._latest = max((word for word in note.words if _YEAR.fullmatch(word)), default="")
        self._places: dict[str, list[int]] = {}
        for at, one in enumerate(judged):
            self._places.setdefault(_same(one), []).append(at)
        self._told = [one.told.value for one in judged]
        self._sections = [one.statement.section.value for one in judged]

    def of(self, at: int) -> Iterable[str]:
        """The features of one problem; some twice."""
        said = self._beside.said(self._spans[at], self._judged[at].runs or "any")
        title = self._beside.title(self._spans[at])
        return chain(self._own(at), said, title, self._times(at), self._elsewhere(at))

    def bond(self, at: int) -> str:
        """What parts a problem from the next."""
        return self._beside.bond(self._spans[at], self._spans[at + 1])

    def _own(self, at: int) -> Iterator[str]:
        one = self._judged[at]
        section, runs = one.statement.section.value, one.runs or "any"
        yield f"section:{section}"
        yield f"runs:{runs}"
        yield f"kind:{one.statement.category.value}"
        yield f"section:{section}:runs:{runs}"
        yield f"section:{section}:rule:{one.told.value}"
        yield f"runs:{runs}:rule:{one.told.value}"
        if one.statement.onset:
            yield "onset"
        for name in sorted(one.holds):
            yield f"attribute:{name}"
            yield f"attribute:{name}:{section}"
        for word in one.cue.lower().split():
            yield f"by:{stem(word)}"
        for rule in one.statement.rule_ids:
            yield f"row:{rule}"
        for word in one.statement.name.lower().split():
            yield f"name:{stem(word)}"

    def _times(self, at: int) -> Iterator[str]:
        """Years, ages and verbs of the past beside it, to the next mark or problem."""
        words, one, runs = self._note.words, self._spans[at], self._judged[at].runs or "any"
        number = self._note.sentence_at(one.start_char)
        if number is None:
            return
        sentence = self._note.sentences[number]
        before = self._spans[at - 1].last if at else 0
        after = self._spans[at + 1].first if at + 1 < len(self._spans) else len(words)
        near = range(max(sentence.first, before, one.first - _REACH), min(sentence.last, after, one.last + _REACH))
        sides = (("left", range(one.first - 1, near.start - 1, -1)), ("right", range(one.last, near.stop)))
        for side, places in sides:
            for i in places:
                word = words[i]
                if word in STOPS:
                    break
                if _YEAR.fullmatch(word):
                    when = "earlier" if word < self._latest else "latest"
                    yield f"time:{side}:year"
                    yield f"time:year:{when}"
                    yield f"time:year:{runs}"
                elif word.isdigit() and i and words[i - 1] in _AGES:
                    yield f"time:{side}:age"
                    yield f"time:age:{runs}"
                elif len(word) > _VERB and word.endswith("ed"):
                    yield f"time:{side}:verb"

    def _elsewhere(self, at: int) -> Iterator[str]:
        """What is said of those beside it, and of the same one elsewhere."""
        told, sections = self._told, self._sections
        for name, other in (("previous", at - 1), ("next", at + 1)):
            if 0 <= other < len(told) and sections[other] == sections[at]:
                yield f"{name}:{told[other]}"
        for place in self._places[_same(self._judged[at])][:_NEAR]:
            if place != at:
                when = "later" if place > at else "earlier"
                yield f"{when}:{told[place]}"
                yield f"{when}:section:{sections[place]}"


def _same(one: Judged) -> str:
    """What problems of one name share."""
    return one.statement.concept_id or one.statement.name.lower()
