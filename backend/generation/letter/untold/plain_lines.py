"""Decisions in telegram style that anybody can read once their short forms are written out: "Repeat colonoscopy in 3 years".

Only where every word is plain, every person is named and every place and time stands by itself is such a line told; what leans on the
note around it, doubts or refers to another clinician is asked of the team.
"""

import re
from collections.abc import Callable, Sequence
from functools import lru_cache
from itertools import pairwise

from backend.generation.letter.plain_language.clause_subjects import Addressee
from backend.generation.letter.plain_language.letter_words import is_adverb, leaning, lists, words_of
from backend.generation.letter.plain_language.reported import to_parent, to_you
from backend.generation.letter.plain_language.second_person import second_person
from backend.generation.letter.plain_language.verb_forms import is_auxiliary, is_narrated, is_participle, verbs
from backend.generation.letter.plan_items.decided_forms import decided_form
from backend.generation.letter.story_selection import Part, Unit
from backend.generation.letter.told_checks.others_told import is_history_of_kin, is_of_other
from backend.generation.letter.told_time.adverbials import from_visit
from backend.generation.letter.untold.whole_telegrams import has_marks
from backend.nlp.measures.units import unit_of
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.record import MedicationStatement, PlanKind
from backend.schemas.vocabulary import SectionCategory

_FEWEST, _MOST = 3, 32
_WORD = re.compile(r"[^\W\d_]{2,}")
_DOSE = re.compile(r"\s+\d[\d.]*\s*([^\W\d_]*)")
_ANY = frozenset((None, PlanKind.OTHER, PlanKind.TREATMENT))
_HOURLY = re.compile(r"\bq\s?\d+\s?h|every \d+ hours?|hourly", re.IGNORECASE)
_NO_SUCH = re.compile(r"not (?:an?|the)\b", re.IGNORECASE)
_PLANS = frozenset((SectionCategory.PLAN, SectionCategory.ASSESSMENT, SectionCategory.INSTRUCTIONS))
_BY_NAME = frozenset((PlanKind.TEST, PlanKind.PENDING_RESULT))
_HISTORY = frozenset((SectionCategory.SOCIAL_HISTORY, SectionCategory.HISTORY_OF_PRESENT_ILLNESS))
_SLASHED = re.compile(r"(?<=[A-Z]{2})/(?=[A-Za-z]{2})|(?<=[a-z]{3})/(?=[A-Z]{2})")
_LABEL = re.compile(r"^(?:[-•*]|\d{1,2}[.)])\s*|^(?:plan|follow[ -]?up|f/u|dispo(?:sition)?)\s*[:-]\s*", re.IGNORECASE)
_SHAPES = (
    (re.compile(r"(?<=[a-z)%]) [&+] (?=[a-z])", re.IGNORECASE), " and "),
    (re.compile(r"(?<=\w),(?=[^\W\d])"), ", "),
    (re.compile(r"\s*(?:→|-+>)\s*(?:the )?(?=emergency|hospital|labor ward)"), ": go to the "),
    (re.compile(r"\s*(?:→|-+>)\s*(?=A&E)"), ": go to "),
    (re.compile(r"\s*(?:→|-+>)\s*(?=(?:911|999|112)\b)"), ": call "),
    (re.compile(r"\s+[\u2013\u2014-]\s+(?=(?:911|999|112)\b)"), ": call "),
    (re.compile(r"<\s*(?=half\b)"), "under "),
    (re.compile(r"\s*(?:→|-+>)\s*(?=(?:call|come|ring|phone|return|see|tell)\b)"), ": "),
)
"""Marks that stand for words between the words of a plan."""


class PlainLines:
    """Reads the lines of one note.

    Args:
        said: words of the note, with where they begin, in plain words.
        is_read: whether a patient can read words; second, whether names in capitals may stay, as names of tests do.
        patient: who is addressed.
    """

    def __init__(
        self, said: Callable[[str, int], str], is_read: Callable[[str, bool], bool], patient: Addressee
    ) -> None:
        self._said, self._is_read, self._patient = said, is_read, patient

    def line(self, unit: Unit) -> str:
        """A decision as a line to the patient; empty where it cannot be read by itself.

        Args:
            unit: of the note.
        """
        decided = unit.part is Part.DECIDED or unit.section in _PLANS
        decided |= unit.kind is not None and unit.section not in _HISTORY
        if not decided or _lacks_unit(unit) or _is_for_team(unit):
            return ""
        apart = _SLASHED.sub(",", unit.text)  # as long as the note's words, which the reading of names indexes
        text = decided_form(_LABEL.sub("", " ".join(self._said(apart, unit.start).split()))).strip(" .,;:")
        for shape, words in _SHAPES:
            text = shape.sub(words, text)
        if (first := _WORD.match(text)) is not None and first[0].lower() in lists()["modals"]:
            return ""  # who will is not said
        few = len(_WORD.findall(text)) < _FEWEST or len(text.split()) > _MOST
        if few or "?" in text or has_marks(text) or not self._is_read(text, unit.kind in _BY_NAME):
            return ""
        return "" if leaning().search(text) or _is_broken(text, decided_form(unit.text)) else self._turned(text, unit)

    def _turned(self, text: str, unit: Unit) -> str:
        turned = second_person(text, self._patient, unit.before)
        if turned is not None and self._patient.child:
            named = _of_others().isdisjoint(word.low for word in words_of(turned) or ())
            turned = to_parent(turned, self._patient.sex) or (turned if named else None)
        if turned is None or _lacks_verb(turned) or is_of_other(turned):
            return ""
        timed = from_visit(to_you(turned), decided=True, child=self._patient.child)
        return "" if timed is None else timed.text.strip(" .,;:")


@lru_cache(maxsize=1)
def _of_others() -> frozenset[str]:
    """Words that mean the child or a parent without a name, of whom a line to the parents has to say which."""
    return lists()["subjects"] - {"you", "your", "they", "their", "it", "there"}


def _lacks_unit(unit: Unit) -> bool:
    """Whether a medicine's dose stands without its unit: "take extra bumetanide 1"."""
    ends = (one.spans[0].end_char - unit.start for one in unit.statements if isinstance(one, MedicationStatement))
    found = (_DOSE.match(unit.text, end) for end in ends if 0 <= end <= len(unit.text))
    return any(match is not None and unit_of(match[1].lower()) is None for match in found)


def _is_for_team(unit: Unit) -> bool:
    """Whether a line is the ward's: a condition with nothing that somebody at home does ("if spikes: change line"), what happened, hourly checks, whose history a relative has."""
    words, own = [one.low for one in words_of(unit.text) or ()], word_lists("letter/words_decisions")
    conditional = not own["conditions"].isdisjoint(words[:1]) and own["felt"].isdisjoint(words)
    told = unit.kind in _ANY and is_narrated(unit.text) and lists()["negations"].isdisjoint(words[:1])
    hourly = unit.kind in _BY_NAME and _HOURLY.search(unit.text) is not None
    untold = (conditional and own["to_do"].isdisjoint(words)) or told or hourly or is_history_of_kin(unit.text)
    return untold or _NO_SUCH.match(unit.text) is not None


def _lacks_verb(text: str) -> bool:
    """Whether "you" stands before no verb of its own: "you happy", "you given clip card"."""
    words, own = [one.low for one in words_of(text) or ()], lists()
    verbal = own["modals"] | {"to", "should", "have", "are", "were", "had"}
    behind = (b for a, b in pairwise(words) if a == "you")
    return any(
        not (b in verbal or is_auxiliary(b) or is_adverb(b) or (b in verbs() and not is_participle(b))) for b in behind
    )


def _is_broken(text: str, written: str) -> bool:
    """Whether words put for a short form broke a line: "done in before surgery", or a bracket is left open."""
    words = [word.low for word in words_of(text) or ()]
    doubled = _doubled(words) - _doubled([word.low for word in words_of(written) or ()])
    small = lists()["prepositions"] | lists()["joins"]
    return not words or bool(doubled) or text.count("(") != text.count(")") or words[-1] in small - {"down", "off"}


def _doubled(words: Sequence[str]) -> frozenset[tuple[str, str]]:
    small = lists()["prepositions"]
    return frozenset((a, b) for a, b in pairwise(words) if a in small and b in small)
