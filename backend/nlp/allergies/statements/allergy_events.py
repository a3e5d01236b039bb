"""Reads allergies told as something that happened: "angioedema attributed to lisinopril", "codeine ... it makes him vomit".

Takes a sentence; gives entries with exact offsets, of known medicines and allergens only. Four forms are read: a reaction
tied to what follows it, a name set right before its reaction ("bee sting anaphylaxis"), a pronoun that stands for the last
name ("Reglan because it gave her dystonia"), and what was stopped when a reaction came. What is given against reactions
is never taken for their cause.
"""

import re
from collections.abc import Callable, Iterator

from backend.nlp.allergies.allergy_entry import Entry
from backend.nlp.allergies.allergy_vocabulary import has_reaction, reaction_part
from backend.nlp.allergies.lists.allergy_pieces import Known
from backend.nlp.allergies.statements.allergy_objects import REACTION_END
from backend.nlp.attributes.gated_patterns import gated


def event_entries(text: str, start: int, end: int, known: Known, doubted: Callable[[int], bool]) -> Iterator[Entry]:
    """The entries of text[start:end]. doubted tells whether what is said at a place is denied or no fact."""
    lowered = text[start:end].lower()
    reacts = REACTS.within(lowered)
    for match in REACTION.finditer(text, start, end) if reacts else ():
        if doubted(match.start()):
            continue
        tied = _TIED.match(text, match.end(), end)
        if tied and not _HELPED.search(tied[0]):
            yield from _named(name_after(text, tied.end(), end, known), text, match[0])
        close = _BEFORE.search(text, start, match.start())
        if close:
            span = name_before(text, start, close.start(), known, _NAME_WORDS)
            if span and span[1] == close.start():
                yield from _named(span, text, match[0])
    for match in _IT_DID.finditer(text, start, end, lowered):
        told = reaction_part(REACTION_END.split(text[match.end() : min(end, match.end() + 80)])[0])[0]
        if has_reaction(told) and not doubted(match.start()):
            yield from _named(name_before(text, start, match.start(), known), text, told)
    if not reacts:
        return
    for match in _GOT_AND.finditer(text, start, end):
        if not doubted(match.start()) and not _HELPED.search(text, match.start("did"), match.end()):
            span = name_before(text, match.end("given"), match.start("did"), known, _GIVEN_WORDS)
            yield from _named(span, text, match["told"])
    for match in _BLAMED.finditer(text, start, end):
        if REACTION.search(text, start, end) and not doubted(match.start()):
            yield from _named(name_before(text, start, match.start(), known, _NAME_WORDS), text, "")
    for match in _STOPPED_WHEN.finditer(text, start, end):
        if not doubted(match.start()):
            yield from _named(name_before(text, start, match.start(), known, _NAME_WORDS), text, match["told"])


def name_before(text: str, start: int, at: int, known: Known, reach: int = 16) -> tuple[int, int] | None:
    """The last known name that ends at most `reach` words before a place, the longest that ends there."""
    spans = [m.span() for m in _WORD.finditer(text, max(start, at - 160), at)]
    for last in range(len(spans) - 1, max(-1, len(spans) - 1 - reach), -1):
        for first in range(max(0, last - _NAME_WORDS + 1), last + 1):
            left, right = spans[first][0], spans[last][1]
            if not _APART.search(text, left, right) and known(text[left:right]):
                return left, right
    return None


def name_after(text: str, at: int, end: int, known: Known) -> tuple[int, int] | None:
    """The known name that begins at a place, the longest of at most three words."""
    spans = [m.span() for m in _WORD.finditer(text, at, min(end, at + 60))][:_NAME_WORDS]
    for last in range(len(spans) - 1, -1, -1):
        left, right = spans[0][0], spans[last][1]
        if not _APART.search(text, left, right) and known(text[left:right]):
            return left, right
    return None


def _named(span: tuple[int, int] | None, text: str, told: str) -> Iterator[Entry]:
    if span and not REMEDIES.search(text, *span):
        yield Entry(*span, reaction=told)


_NAME_WORDS = 3
_GIVEN_WORDS = 8
_WORD = re.compile(r"[^\W_][\w'/-]*")
_APART = re.compile(r"[.,;:()\n\"\u201c\u201d]")
REACTION = re.compile(
    r"\b(?:rash(?:es)?|hives|urticaria|angio-?(?:o)?edema|anaphyla\w+(?: shock| reaction)?|bronchospasm|laryngospasm|wheez\w+|flush(?:ed|ing)|swell(?:ing|s|ed)?(?: up)?"
    r"|itch(?:y|ing|iness|es)?|prurit\w+|welts|blister\w*|exanthem|stevens[- ]johnson(?: syndrome)?|SJS|DRESS|red[- ]man(?: syndrome)?|serum sickness"
    r"|(?:throat|chest) (?:clos\w+|swelling|swelled|tightness|tight)|(?:drug |pruritic |skin )?eruption|puffy|swollen|whelps|hypersensitivity|exfoliat\w+|(?:acute )?dystoni\w+|erythroderma|necrolysis)\b",
    re.IGNORECASE,
)
REACTS = gated(
    REACTION,
    "rash hives urticaria edema anaphyla spasm wheez flush swell itch prurit welts blister exanthem stevens sjs dress red serum"
    " throat chest eruption puffy swollen whelps hypersens exfoliat dystoni erythroderma necrolysis",
)
_GIVEN = (
    r"(?:(?:being|taking|receiving|starting|given|exposure|eating|using|ingesting|a|an|the|his|her|their|first|second|third|last|one|single|dose|doses|course|day|#?\d+"
    r"|of|oral|iv|intravenous|po|topical|prior|previous|use|administration|infusion|injection)\s+)*"
)
_TIED = re.compile(
    r"(?:,?[^\S\n]+(?!but\b|no\b|not\b|without\b|who\b)[\w%/-]+){0,4}?,?[^\S\n]+(?:to(?!\s+be\b)|with|from|after|attributed to|(?:due|secondary|related|owing) to|caused by|triggered by"
    r"|because of|following|during|on|upon|minutes after|hours after|within (?:an?|\w+) (?:hours?|minutes?|days?|doses?) of|(?:minutes|hours|days) of|as a result of|owing to|on account of|(?:when(?:ever)?|(?:each|every) time) (?:(?:s?he|the patient|they) )?(?:was |were |is )?(?:given|taking|took|takes|eats|ate|exposed to))"
    rf"\s+{_GIVEN}(?=\w)",
    re.IGNORECASE,
)
_HELPED = re.compile(
    r"\b(?:treat\w*|reliev\w*|relief|respon\w*|resolv\w*|improv\w*|better|clear\w*|gone|manag\w*|control\w*|started|add\w*|sent|discharg\w*|home|premedicat\w*|tolerat\w*"
    r"|switch\w*|chang\w*|transition\w*|replac\w*|asthma|infect\w*|cellulitis|return\w*|call (?:if|for|your|us|the)|received|and was given|given with)\b",
    re.IGNORECASE,
)
_BEFORE = re.compile(
    r"(?:[ -](?:induced|associated|related|triggered|provoked))?[ -](?:facial |severe |skin )?$", re.IGNORECASE
)
_IT_DID = gated(
    re.compile(
        r"\b(?:it|that|this|they|these|those|which)\s+(?:(?:has|have|had|always|once|also|usually|previously|just)\s+)*(?:(?:caus(?:es?|ed)|g(?:ives?|ave|iven)|mak(?:es?)|made|brought on|led to|put"
        r"|induced|triggered|turn(?:s|ed)|left|sent|drove|knocked)\b|brought (?:him|her|them) out in)(?:\s+(?:him|her|them|the patient|patient|pt|a|an|some|to|have|get|feel|bad|terrible|severe|very))*\s+",
        re.IGNORECASE,
    ),
    "caus giv gave mak made brought led put induced trigger turn left sent drove knocked",
)
_STOPPED_WHEN = re.compile(
    r"\s+(?:(?:is|was|were|has been|had been|had to be)\s+)?(?:\w+ly\s+)?(?:stopped|discontinued|held|d/c'?d|dc'd|withdrawn|switched|changed|replaced|abandoned)\b"
    r"(?:\s+[\w/-]+){0,6}?\s+(?:when|because|due to|after|as|for|since|secondary to|given|following|owing to|on account of)\b(?:\s+(?!no\b|not\b|without\b)[\w-]+){0,7}?\s+"
    rf"(?P<told>{REACTION.pattern})",
    re.IGNORECASE,
)
_BLAMED = re.compile(
    r"\s+(?:(?:is|was|were|being|felt to be|thought to be)\s+)*(?:complicated by|followed by|implicated|blamed|(?:the )?(?:likely )?culprit|responsible)\b",
    re.IGNORECASE,
)
# "received cefazolin and promptly developed hypotension and urticaria"
_GOT_AND = re.compile(
    rf"(?P<given>\b(?:received|given|took|taken|takes|tried|started(?: on)?|ate|eaten|eating|exposed to|stung by|bitten by|injected with|after|following)\s+{_GIVEN})"
    r"(?:[\w/-]+\s+){0,3}?[\w/-]+(?P<between>,?\s+(?:[\w-]+,?\s+){0,5}?(?P<did>developed|had|broke|came|got|experienced|became|noted|noticed|suffered|went into)\s+(?:(?!no\b|not\b|without\b)[\w-]+,?\s+){0,8}?)"
    r"(?P<told>(?!itch|swell|wheez|flush)" + REACTION.pattern[2:] + ")",
    re.IGNORECASE,
)
# What is given against a reaction.
REMEDIES = re.compile(
    r"epi(?:nephrine|pen)?\b|adrenaline|albuterol|salbutamol|diphenhydramine|benadryl|predniso|steroid|cort(?:isone|ef)|medrol|dexameth|famotidine|ranitidine"
    r"|cetirizine|loratadine|fexofenadine|hydroxyzine|antihistamine|zyrtec|claritin|allegra|chlorphen|oxygen|nebuli|ipratropium|triamcinolone|calamine",
    re.IGNORECASE,
)
