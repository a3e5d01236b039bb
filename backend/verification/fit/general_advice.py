"""Which general sentences are not for this patient.

Another sex, age or pregnancy, a habit or disease that the note denies, or a medicine that something the patient has speaks
against. Warning signs are left out only where they speak of a pregnancy or a period that cannot be: a sign too many is safer
than one too few.
"""

import re
from collections.abc import Collection, Mapping

from backend.nlp.medications.cautions import CAUTIONS
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.vocabulary import Assertion, Category

MENOPAUSE_FROM, MENOPAUSE_TO = 45, 55
_DENIED = frozenset({Category.DISEASE, Category.ACTIVITY, Category.SUBSTANCE})
_CALL = re.compile(r"^(?:call|see|go)\b", re.IGNORECASE)
_ORDER = re.compile(r"^(?:tell|talk|ask|women|people)\b", re.IGNORECASE)
_CONDITIONAL = re.compile(r"\bif you (?:have|take|use|smoke|drink)\b|\bquit\b|\bhelp with\b", re.IGNORECASE)
_WARNS = re.compile(
    r"\bask your (?:team|doctor) when\b|\b(?:can|may|could) (?:\w+ ){0,3}(?:worse|harm|raise|set off)\b",
    re.IGNORECASE,
)
_CHILDBEARING = re.compile(
    r"\bif you (?:are|could be|may be|become|plan|think)[^.,]{0,25}pregnan|\b(?:before|plan an?|become|be|in any new) pregnan"
    r"|\bpregnant or plan\b|\bbirth control pills?\b|\babout birth control\b|\bbreastfeed|\bif you miss a period"
    r"|\bpregnancy\b[^.]*\b(?:tell|ask) your\b",
    re.IGNORECASE,
)
_WOMEN = re.compile(
    r"\bmenopause\b|\bvagina|\bwomb\b|\bperiods?\b(?= (?:and|may|can|are|or))|\b(?:in|help|help some|most|many|some) women\b",
    re.IGNORECASE,
)
_MEN = re.compile(r"\bprostate\b|\berections?\b|\bsperm\b|\btestic", re.IGNORECASE)
_AFTER_MENOPAUSE = re.compile(r"\bafter menopause\b", re.IGNORECASE)
_UNBORN = re.compile(
    r"\bbaby moves\b|\bbaby movements\b|\bflow to the baby\b|\bbefore an early birth\b|\bbaby grows\b", re.IGNORECASE
)
_MENDING = re.compile(
    r"\bheals?\b|\bwounds?\b|\bincisions?\b|\bstitches\b|\bthe cuts?\b|\brash\b|\buntil all\b|\bif you had (?:\w+ )?surgery\b|\bcast\b|\bbandage|\bcatheter\b|\buntil your (?:team|doctor|surgeon)\b"
    r"|\bafter (?:\w+ )?surgery\b|\bwhile you (?:take|recover|rest)\b|\b(?:first|next) (?:few )?(?:days|weeks)\b",
    re.IGNORECASE,
)
_BORN = frozenset({"childbirth", "postpartum period", "breastfeeding"})
_PREGNANT_ASKED = re.compile(r"pregnan|birth control", re.IGNORECASE)


class PatientFit:
    """Build one a draft. unsuited: medicines that should not be offered, with the conditions that speak against them."""

    def __init__(self, linked: LinkedNote, unsuited: Mapping[str, frozenset[str]]) -> None:
        self._patient = linked.patient
        self._unsuited = unsuited
        said: dict[str, bool] = {}
        for m in linked.note.mentions:
            if m.category in _DENIED:
                said[m.concept_id] = said.get(m.concept_id, True) and m.assertion == Assertion.NEGATED
        self._denied = frozenset(concept for concept, denied in said.items() if denied)
        present = {m.name for m in linked.note.mentions if m.assertion == Assertion.PRESENT}
        self._born = not self._patient.pregnant and not _BORN.isdisjoint(present)

    def fits(self, text: str, concepts: Collection[str], about: str) -> bool:
        """Whether a sentence may be written. about: the condition whose chapter it stands in, which knows its own medicines."""
        return not (self._of_another(text) or self._denies(text, concepts) or self._offers(text, concepts, about))

    def lasts(self, text: str) -> bool:
        """Whether a sentence holds long after a disease: what a wound or a cure asks for is over."""
        return not _MENDING.search(text)

    def offers(self, concept: str, about: str) -> bool:
        """Whether a medicine may be named as one to think of for a condition."""
        return not self._unsuited.get(concept, frozenset()) - {about}

    def _offers(self, text: str, concepts: Collection[str], about: str) -> bool:
        named = any(not self.offers(concept, about) for concept in concepts)
        return named and not CAUTIONS.search(text) and not _WARNS.search(text)

    def _denies(self, text: str, concepts: Collection[str]) -> bool:
        conditional = not _CALL.search(text) and _CONDITIONAL.search(text)
        return bool(conditional) and not self._denied.isdisjoint(concepts)

    def _of_another(self, text: str) -> bool:
        sex, age, pregnant = self._patient.sex, self._patient.age, self._patient.pregnant
        call = bool(_CALL.search(text))
        if self._born and _UNBORN.search(text):
            return True
        if pregnant is not None and _ORDER.search(text) and _PREGNANT_ASKED.search(text):
            return bool(_CHILDBEARING.search(text))
        if sex == "male":
            return bool(_CHILDBEARING.search(text)) or (not call and bool(_WOMEN.search(text)))
        if sex == "female":
            if not call and _MEN.search(text):
                return True
            if age is not None and age < MENOPAUSE_FROM:
                return bool(_AFTER_MENOPAUSE.search(text))
            return age is not None and age >= MENOPAUSE_TO and bool(_CHILDBEARING.search(text))
        return False
