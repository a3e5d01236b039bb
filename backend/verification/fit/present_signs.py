"""Whether a warning sign is one that the patient has already: then it warns of what is new or worse, not of what is there.

"Call an ambulance if your legs turn weak" tells nothing to somebody with paraplegia. A sign's symptoms are held against the symptoms
that the record has as there now (assets/rules/fit/persists.txt: one that has lasted as long as a sign asks for is no "if"); what a lasting illness always shows (assets/rules/fit/lasting_triggers.tsv) against its kinds. Nor may a
sign be less urgent than the note's own return precautions make it (assets/rules/fit/comes_back.txt), where those mean the sign itself
and no graver one ("breathless at rest", assets/rules/fit/narrower.txt).
"""

import math
import re
from collections.abc import Callable, Collection, Iterable
from functools import lru_cache

from backend.interfaces import Linker
from backend.knowledge.advice.needs import Needs, parse_needs
from backend.knowledge.advice.red_flags import EMERGENCIES, level_of, sign_of
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.measures.measures import measures_of
from backend.nlp.measures.units import HOURS, MONTHS
from backend.nlp.rules import RULES, rule_names
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.schemas.drafts.note import Mention
from backend.schemas.record import (
    ClinicalStatus,
    Experiencer,
    PatientRecord,
    PlanKind,
    ProblemStatement,
    VerificationStatus,
)
from backend.schemas.vocabulary import Category
from backend.verification.fit.told_signs import Sign, comes_back, signs_of

LASTING = "fit/lasting"
PLAIN = "plain"
"""The event of words by which a sign stands as it is: it says itself that it is worse, or nothing may soften it."""
_SYMPTOMS = frozenset({Category.SYMPTOM, Category.FINDING})
_ILLS = _SYMPTOMS | {Category.DISEASE}
_STATED = frozenset({VerificationStatus.CONFIRMED, VerificationStatus.PROVISIONAL, VerificationStatus.DIFFERENTIAL})
_HOURS = {HOURS: 1.0, MONTHS: 730.5}
_SEEN = frozenset({PlanKind.FOLLOW_UP, PlanKind.RETURN_PRECAUTION})
_NEWLY = re.compile(r"\bnewly ")
_ALTERNATIVES = re.compile(r",\s*(?:or\s+)?|\s+or\s+")


class PresentSigns:
    """Holds the signs of one patient. Build one a draft.

    Args:
        record: of the note.
        linker: names the symptoms of a sign.
        broader: the broader concepts of a concept: a pain in the left lower belly is a belly pain.
        meets: whether the record meets needs.
    """

    def __init__(
        self,
        record: PatientRecord,
        linker: Linker,
        broader: Callable[[str], Iterable[str]],
        meets: Callable[[Needs], bool],
    ) -> None:
        own = {
            one.concept_id
            for one in record.stated_problems
            if one.concept_id and _is_there(one) and one.category in _SYMPTOMS
        }
        self._held = own.union(*(broader(one) for one in own))
        self._since = _durations(record.stated_problems, broader)
        self._seen_again = _first_time(one.text for one in record.plan if one.kind in _SEEN)
        asked = [one.text for one in record.plan if one.kind is PlanKind.RETURN_PRECAUTION and comes_back(one.text)]
        named = {
            m.concept_id
            for text in asked
            for m in linker.named(text)
            if m.category in _ILLS and not (_narrower().match(text, m.end_char) or _narrower().search(m.text))
        }
        self._asked = named.union(*(broader(one) for one in named))
        self._linker = linker
        self._meets = meets

    def holds(self, concepts: Collection[str]) -> bool:
        """Whether one of some symptoms or findings is there."""
        return not self._held.isdisjoint(concepts)

    def has(self, sentence: str) -> bool:
        """Whether the patient has already what a warning sentence warns of, or one of its choices.

        A choice whose words narrow it (to a part of the body, a fall, a time) is another sign.

        Args:
            sentence: as the handbook tells a sign, behind its level; any other has none.
        """
        sign = sign_of(sentence)
        automaton, needs = _lasting()
        found = automaton.find(plain_marks(tokens(sign).words))[LASTING]
        if not sign or any(one.row.event == PLAIN for one in found):
            return False
        if any(self._meets(needs[one.row.rule_id]) for one in found):
            return True
        signs = signs_of(sign, self._linker.named(sign))
        return any(one.whole and not one.words and self._is_held(one) for one in signs)

    def touches(self, sentence: str) -> bool:
        """Whether the patient has the complaints of a warning sentence, or of one of its choices, be they narrowed there or not."""
        sign = sign_of(sentence)
        return any(map(self._is_held, signs_of(sign, self._linker.named(sign))))

    def outlasted(self, sentence: str) -> bool:
        """Whether a sentence asks to call, at no haste, once a complaint has lasted so long as the note tells that it has."""
        if level_of(sentence) in EMERGENCIES or not _persists().search(sign_of(sentence)):
            return False
        sign = sign_of(sentence)
        limit = _longest(sign)
        named = (one.concept_id for one in self._linker.named(sign) if one.category in _ILLS)
        return any(self._since.get(one, -1.0) >= limit for one in named)

    def seen_before(self, sentence: str) -> bool:
        """Whether a sentence asks to call, at no haste, once a complaint has lasted so long that the note's own plan sees the patient before."""
        sign = sign_of(sentence)
        return (
            level_of(sentence) not in EMERGENCIES
            and bool(_persists().search(sign))
            and _longest(sign) >= self._seen_again
        )

    def asked_sooner(self, sentence: str) -> bool:
        """Whether the note itself asks to come back at once for what a sentence leaves to a call or a visit, or one of its choices."""
        if not self._asked or level_of(sentence) in EMERGENCIES:
            return False
        sign = sign_of(sentence)
        named = [one for one in self._linker.named(sign) if one.category in _ILLS]
        return any(choice and all(one.concept_id in self._asked for one in choice) for choice in _choices(sign, named))

    def _is_held(self, sign: Sign) -> bool:
        return bool(sign.concepts) and sign.concepts <= self._held


def without_new(sentence: str) -> str:
    """A warning of what is new without saying so, for a patient who has it: "newly confused" is "confused"."""
    return _NEWLY.sub("", sentence)


def _is_there(one: ProblemStatement) -> bool:
    """Whether a problem is the patient's own and of now, or may be."""
    own = one.experiencer is Experiencer.PATIENT and not one.hypothetical
    return own and one.clinical_status is ClinicalStatus.ACTIVE and one.verification_status in _STATED


def _durations(problems: Iterable[ProblemStatement], broader: Callable[[str], Iterable[str]]) -> dict[str, float]:
    """The hours that the patient's complaints have lasted, by concept and broader concept; without end for a lasting one."""
    found: dict[str, float] = {}
    for one in problems:
        if one.concept_id and _is_there(one):
            hours = math.inf if one.chronic else _longest(one.onset)
            for concept in (one.concept_id, *broader(one.concept_id)) if hours else ():
                found[concept] = max(hours, found.get(concept, 0.0))
    return found


def _first_time(plans: Iterable[str]) -> float:
    """The shortest time that a note's own visits or calls name, in hours; without end where they name none."""
    times = (one for text in plans for one in measures_of(text).numbers if one.unit in _HOURS)
    return min((float(one.value) * _HOURS[one.unit] for one in times), default=math.inf)


def _longest(text: str) -> float:
    """The longest time that a text names, in hours; 0 for none."""
    numbers = (one for one in measures_of(text).numbers if one.unit in _HOURS)
    return max((float(one.value) * _HOURS[one.unit] for one in numbers), default=0.0)


def _choices(sign: str, named: Iterable[Mention]) -> list[list[Mention]]:
    """What a sign names, by its choices: "chest pain or trouble breathing" has two, a fever with belly pain is one."""
    ends = [*(one.end() for one in _ALTERNATIVES.finditer(sign)), len(sign)]
    choices: list[list[Mention]] = [[] for _ in ends]
    for mention in named:
        choices[next(i for i, end in enumerate(ends) if mention.end_char <= end)].append(mention)
    return choices


@lru_cache(maxsize=1)
def _narrower() -> re.Pattern[str]:
    phrases = rule_names(RULES / "fit" / "narrower.txt")
    return re.compile(rf"\s+(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1)
def _persists() -> re.Pattern[str]:
    phrases = rule_names(RULES / "fit" / "persists.txt")
    return re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, phrases))})(?!\w)", re.IGNORECASE)


@lru_cache(maxsize=1)
def _lasting() -> tuple[TriggerAutomaton, dict[str, Needs]]:
    rows = trigger_rows(LASTING)
    return TriggerAutomaton(rows), {row.rule_id: parse_needs(row.event) for row in rows if row.event != PLAIN}
