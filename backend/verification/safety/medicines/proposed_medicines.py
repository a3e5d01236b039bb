"""The medicines that an option of a question would give the patient.

Takes the option and the question's text; gives the mentions of medicines that choosing the option gives. An option that stops
a medicine, names its harm, or answers a question after a harm or after what to avoid gives none.
"""

import re

from backend.interfaces import Linker
from backend.nlp.document import sentences
from backend.schemas.drafts.note import Mention
from backend.schemas.vocabulary import Assertion
from backend.verification.fit.presuppositions import is_caution
from backend.verification.safety.medicines.named_medicines import MEDICINES

_ASKS_FOR_HARM = re.compile(
    r"\bcontraindicated|\bleast (?:appropriate|likely|suitable|safe)|\bexcept\b|\bside effect|\badverse"
    r"|\bbe (?:avoided|stopped|discontinued|withheld|held|blamed|suspected)|\bnot (?:be )?(?:given|used|taken|appropriate)"
    r"|\b(?:should|would|must) (?:(?!(?:to|be)\b)\w+ ){1,6}(?:avoid|stop|discontinue|withhold|hold)\b|\b(?:should|must) avoid\b",
    re.IGNORECASE,
)
"""What the last sentence of a question says that asks for a harm, not for what to give."""
_STATES_HARM = re.compile(
    r"\bcaus(?:e|es|ed|ing|ative)\b|\bresponsible\b|\bexplains?\b|\bcontributed\b|\ballergic\b", re.IGNORECASE
)
"""The same, where the sentence does not ask what to give: "what is right for diarrhea caused by an antibiotic?" does."""
_ASKS_TO_GIVE = re.compile(
    r"\b(?:should|must|may|can|could) (?:\w+ )?(?:be )?(?:given|used|started|chosen|added|take|use|have|give|start|choose|add|get)\b"
    r"|\b(?:right|safe|best|suitable|appropriate|indicated|treatment|choice|replaces?|treats?) (?:for|in|of|to)\b",
    re.IGNORECASE,
)
_STOPS = re.compile(
    r"\b(?:stop|stopping|discontinue|hold|withhold|avoid|cease|taper|withdraw|wean|reverse|replace|switch from|change from"
    r"|instead of|rather than|without|off|no|not)\b"
    r"(?:(?!\b(?:start|begin|give|add|to|with|continue|use|prescribe)\b)[^,.;])*$",
    re.IGNORECASE,
)
"""Words before a medicine, up to it, that take it away."""
_HARM = re.compile(
    r"^(?:[- ]induced|[- ](?:toxicity|overdose|poisoning|withdrawal|allergy|reaction|hypersensitivity|intolerance|level|"
    r"resistance|desensiti[sz]ation)\b)",
    re.IGNORECASE,
)
"""Words behind a medicine that make a finding of it."""


def asks_for_harm(question: str) -> bool:
    """Whether the last sentence of a question asks for a harm, or for what to avoid, and not for what to give."""
    asked = sentences(question)
    last = question[slice(*asked[-1])] if asked else ""
    states_harm = _STATES_HARM.search(last) and not _ASKS_TO_GIVE.search(last)
    return bool(_ASKS_FOR_HARM.search(last) or states_harm)


def proposed_medicines(option: str, question: str, linker: Linker) -> list[Mention]:
    """The medicines that an option gives, in order.

    Args:
        option: the text of one option.
        question: the whole question; empty where only a note was given.
        linker: reads medicines out of the option.

    Returns:
        The mentions of medicines and their classes; none where the option, or the question, is about no giving.
    """
    if asks_for_harm(question):
        return []
    if is_caution(option):
        return []
    return [
        m
        for m in linker.link(option).note.mentions
        if m.category in MEDICINES
        and not m.allergen
        and m.assertion != Assertion.NEGATED
        and not _STOPS.search(option[: m.start_char])
        and not _HARM.search(option[m.end_char :])
    ]
