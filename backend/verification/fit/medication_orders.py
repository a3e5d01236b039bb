"""Whether a sentence orders to start, stop, change or dose a medicine, and whether it claims something of the patient.

Either must rest on the patient's own notes: the writer gives such a sentence the basis `patient` and lets it cite nothing else,
so that a book can never support it. The safety checks ask by it whether a medicine is offered. It reads words, not meaning.
"""

import re
from collections.abc import Collection, Sequence

from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Category

MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})

_MEDICINE = re.compile(
    r"\b(?:medicines?|medications?|drugs?|pills?|tablets?|capsules?|inhalers?|injections?|doses?|antibiotics?|insulin|blood thinners?|painkillers?|"
    r"water pills?|steroids?|prescriptions?|infusions?)\b",
    re.IGNORECASE,
)
_VERB = (
    r"(?:take|taking|start|begin|initiate|stop|quit|discontinue|continue|keep taking|resume|restart|hold|withhold|skip|increase|raise|decrease|reduce|lower|"
    r"double|halve|switch|change|replace|inject|inhale|apply|use|give|administer|prescribe|order|infuse|titrate|taper|wean|finish|add)"
)
# "while you take", "if you had", "that your blood is": what may be, not what is or is to be
_NOT_IF = "".join(
    rf"(?<!\b{word}\s)"
    for word in (
        "while",
        "before",
        "after",
        "when",
        "if",
        "that",
        "who",
        "how",
        "since",
        "unless",
        "whether",
        "until",
        "once",
    )
)
_OPENS = (
    r"(?:^|[.:;]\s+|,\s+(?=(?:take|start|stop|give|begin|increase|double)\b)|\b(?:then|please|instead|immediately)\s+)"
)
_DIRECTED = (
    rf"\b{_NOT_IF}(?:you|he|she|they|(?:the )?patients?|team|nurses?)\s+(?:(?:should|must|can|may|need to|needs to|have to|has to|ought to|will|shall|are to|is to)\s+)?"
    r"(?:now |also |safely |immediately )*"
)
_ORDER = re.compile(
    rf"(?:{_OPENS}|{_DIRECTED}){_VERB}\b(?!\s+(?:care|it easy|part|place|note|turns|time)\b)", re.IGNORECASE
)
_ORDERED = re.compile(
    r"\b(?:is|are|be) (?:to be )?(?:started|stopped|given|held|increased|reduced|doubled|discontinued) (?:now|today|at home|on)\b",
    re.IGNORECASE,
)
_CLAUSE_ENDS = re.compile(r"[,;.:]\s|\b(?:while|before|after|when|since|because|if|that|unless|until)\b", re.IGNORECASE)
_FORBIDS = re.compile(
    rf"\b(?:do not|don't|never|avoid|stay away from|should not|must not|no longer|without)\s+(?:{_VERB}|\w+ing)\b|\bavoid\b",
    re.IGNORECASE,
)
_BY_ONESELF = re.compile(
    r"\b(?:on your own|(?:by|for) yourself|without (?:advice|medical advice|being told|asking|checking|talking|speaking))\b",
    re.IGNORECASE,
)
"""What is forbidden only so far as nobody of the team has said it: no order about the medicine."""
_LEFT_TO_TEAM = re.compile(
    r"\b(?:ask|tell|check with|talk to|speak with|call) (?:(?:your|a|the|every|each) (?:[\w-]+ ){0,3}?(?:team|doctors?|surgeon|pharmacists?|dentists?|nurse|clinic|midwife)\b|before\b)|"
    r"\b(?:team|doctors?|clinicians?|physicians?|surgeons?|prescribers?) (?:may|might|can|could|will|would)\b|"
    r"\b(?:may|might|can|could) be (?:treated|used|considered|given|started)\b|\bto consider\b",
    re.IGNORECASE,
)
_DOSE = re.compile(
    r"\b\d[\d.,/]*\s?(?:mg|mcg|µg|g|ml|units?|iu|meq|mmol|puffs?|tablets?|capsules?|drops?|pills?)\b|\b(?:once|twice|three times) (?:a|per) day\b",
    re.IGNORECASE,
)
_PATIENT = r"(?:you|he|she|the patient|this patient|patient)"
_STATES = (
    r"(?:were|was|had|came|received|underwent|felt|told|reported|reports?|has been|have been|presented|presents|denied|denies|takes|is taking|are taking|"
    r"is on|are on|(?:is|are) (?:not |now )?(?:allergic|healthy|cured|well|free of)|(?:has|have) (?:no|an? (?:history|known)|recovered)|recovered|tested|weighs?|weighed)"
)
_PARTS = (
    r"(?:scans?|x-?rays?|tests?|results?|notes?|labs?|records?|exam|examination|heart rate|blood pressure|temperature|weight|allerg(?:y|ies)|diagnosis|"
    r"condition)"
)
_CLAIM = re.compile(
    rf"\b{_NOT_IF}{_PATIENT}\s+{_STATES}\b|\b{_NOT_IF}your {_PARTS}\s+(?:was|were|is|are|shows?|showed|found|says?|lists?|names?|has|had|came|do|does|did)\b|"
    r"\b(?:no|without) (?:known )?(?:drug )?allerg(?:y|ies)\b|\byour (?:team|doctors?) (?:found|has found|decided|gave|started|stopped|changed)\b",
    re.IGNORECASE,
)


def orders_medicine(text: str, mentions: Sequence[Mention], taken: Collection[str]) -> bool:
    """Whether a sentence orders something about a medicine, or how much of it to take.

    mentions: of the sentence. taken: concept ids of the medicines that the patient takes; a warning off one of those is an
    order to stop it, off any other a precaution. What is left to the team to decide is no order.
    """
    drugs = [m for m in mentions if m.category in MEDICINES and not m.allergen]
    dose = _DOSE.search(text)
    if not (drugs or dose or _MEDICINE.search(text)) or _LEFT_TO_TEAM.search(text):
        return False
    if _FORBIDS.search(text):
        return not _BY_ONESELF.search(text) and any(m.concept_id in taken for m in drugs)
    if (drugs and dose) or _ORDERED.search(text):
        return True
    for order in _ORDER.finditer(text):
        ends = _CLAUSE_ENDS.search(text, order.end())
        stop = ends.start() if ends else len(text)
        # "use a soft toothbrush while you take a blood thinner" orders the toothbrush
        meant = any(order.start() <= m.start_char < stop for m in drugs) or _MEDICINE.search(text, order.end(), stop)
        if meant or (dose and order.end() <= dose.start() < stop):
            return True
    return False


def names_medicines(text: str) -> bool:
    """Whether a sentence speaks of medicines by any of their common words: pills, tablets, antibiotics."""
    return _MEDICINE.search(text) is not None


def claims_of_patient(text: str) -> bool:
    """Whether a sentence states what was, is or was found in this patient, rather than what holds in general."""
    return bool(_CLAIM.search(text))
