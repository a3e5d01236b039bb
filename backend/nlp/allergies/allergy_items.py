"""The items that the page shows, from the entries that were read: each thing once, with its concept, kind and reaction.

Takes the note, the entries in the order in which they were read, and what the graph knows; gives items with exact offsets.
What nothing knows stays as written, unchecked. It reads no text but that of the entries and the few words before them.
"""

import re
from collections.abc import Sequence

from backend.nlp.allergies.allergens import Allergens
from backend.nlp.allergies.allergy_entry import Entry
from backend.nlp.allergies.allergy_vocabulary import is_noise, reaction_kind
from backend.schemas.drafts.note import AllergyItem
from backend.schemas.vocabulary import Category


def allergy_items(text: str, entries: Sequence[Entry], allergens: Allergens) -> tuple[AllergyItem, ...]:
    """The items of a text, in order of place, each thing once."""
    items: list[AllergyItem] = []
    held: dict[str, int] = {}
    for one in [part for whole in _told(text, entries, allergens) for part in _parts(text, whole, allergens)]:
        said = text[one.start : one.end]
        if is_noise(said) or one.start >= one.end or _remedy(text, one):
            continue
        concept = allergens.concept(said) or allergens.within(said)
        item = AllergyItem(
            text=said,
            start_char=one.start,
            end_char=one.end,
            concept_id=concept.concept_id if concept else None,
            name=concept.name if concept else "",
            kind=reaction_kind(one.said, one.reaction),
            reaction=" ".join(_paired(one.reaction).strip(" ,.;:-").split()),
            checked=concept is not None,
        )
        # Pork and beef may be one concept of the graph; a brand and its medicine are one thing indeed.
        same = concept is not None and concept.category in (Category.DRUG, Category.DRUG_CLASS)
        key = concept.concept_id if concept and same else said.lower()
        if key not in held:
            held[key] = len(items)
            items.append(item)
        elif item.reaction and not items[held[key]].reaction:
            items[held[key]] = items[held[key]].model_copy(update={"reaction": item.reaction, "kind": item.kind})
    return tuple(sorted(items, key=lambda item: item.start_char))


def told_again(text: str, start: int, end: int) -> bool:
    """Whether words beside a name call it an allergy: "cephalexin, as she is penicillin allergic"; no "given penicillin"."""
    before = text[max(0, start - _NEAR) : start]
    return bool(_ALLERGIC_AFTER.match(text, end) or (_ALLERGIC_BEFORE.search(before) and not _GIVEN.search(before)))


def _paired(reaction: str) -> str:
    """A reaction without quotation marks and brackets that have lost their other half."""
    for left, right in _PAIRS:
        if reaction.count(left) % 2 if left == right else reaction.count(left) != reaction.count(right):
            reaction = reaction.replace(left, "").replace(right, "")
    return reaction


def _told(text: str, entries: Sequence[Entry], allergens: Allergens) -> list[Entry]:
    """The entries; a disease or symptom after a known name is its reaction ("Aspirin, peptic ulcer")."""
    kept: list[Entry] = []
    for one in entries:
        last = kept[-1] if kept else None
        # "Aspirin, peptic ulcer"; "codeine resulting in nausea, vomiting, disorientation"
        near = last is not None and (_REST if last.reaction else _NEXT).fullmatch(text, last.end, one.start) is not None
        if last and near and not one.reaction:
            said = text[one.start : one.end]
            if allergens.only_reaction(said) and allergens.known(text[last.start : last.end]):
                kept[-1] = last._replace(reaction=", ".join(filter(None, (last.reaction, said))))
                continue
        kept.append(one)
    return kept


def _parts(text: str, whole: Entry, allergens: Allergens) -> list[Entry]:
    """An entry that nothing knows but that names several known things: those, and it itself, that nothing be lost."""
    if allergens.known(text[whole.start : whole.end]):
        return [whole]
    inner = allergens.inside(text, whole.start, whole.end)
    if "/" in text[whole.start : whole.end]:
        halves = list(_HALF.finditer(text, whole.start, whole.end))
        if all(allergens.known(half[0]) for half in halves):  # "penicillin/cephalosporin -- hives"
            return [whole._replace(start=half.start(), end=half.end()) for half in halves]
    return [whole] if len(inner) < 2 else [*(whole._replace(start=a, end=b) for a, b in inner), whole]


def _remedy(text: str, one: Entry) -> bool:
    """Whether it is what the patient carries against a reaction, or was given for it."""
    before = max(0, one.start - 40)
    carried = _CARRIED.search(text, before, one.start) and _RESCUE.match(text, one.start, one.end)
    # "latex, treated with penicillin - rash" is no remedy: only what eases a reaction is, and what has none of its own
    eased = not one.reaction and _REMEDY.search(text, before, one.start) and _EASES.match(text, one.start, one.end)
    return bool(carried or eased)


_NEAR = 60
_HALF = re.compile(r"[^/\s][^/]*[^/\s]")
_ALLERGIC_AFTER = re.compile(r"[\s-]*(?:allerg(?:ic|y|ies)|anaphylaxis)\b", re.IGNORECASE)
_ALLERGIC_BEFORE = re.compile(
    r"\b(?:allergic|allerg(?:y|ies)|anaphyla\w+|(?:allergic |adverse )?reactions?)\s+to\s+[^.;:\n]*$", re.IGNORECASE
)
_GIVEN = re.compile(
    r"\b(?:giv|gave|receiv|took|tak|start|tolerat|on\b|but\b|however|cover|treat|prescri)", re.IGNORECASE
)
_PAIRS = (('"', '"'), ("\u201c", "\u201d"), ("(", ")"), ("[", "]"))
_NEXT = re.compile(r"\s*[,;:(-]\s*(?:\w+\s+){0,2}")
_REST = re.compile(r"[^.;:()\n]{0,80}[,\s](?:and |or )?")
_CARRIED = re.compile(r"\b(?:has|carries|carry|uses|owns|have) (?:an? )?$", re.IGNORECASE)
_RESCUE = re.compile(r"epi|auto-?injector", re.IGNORECASE)
_EASES = re.compile(
    r"epi\b|epi-?pen|epinephrine|adrenaline|diphenhydramine|benadryl|(?:anti)?-?histamine|chlorphen\w+|cetirizine|loratadine|famotidine|ranitidine"
    r"|\w*(?:prednis|cortiso|steroid)\w*|\w+(?:asone|onide|tadine|rizine)\b|flonase|nasacort|zyrtec|claritin|allegra|singulair|montelukast|nasal|eye ?drops|solu-?medrol|dexamethasone|albuterol|salbutamol|nebuli[sz]er|naloxone|narcan|glucagon|oxygen|fluids|icu|intubation|hospital",
    re.IGNORECASE,
)
_REMEDY = re.compile(
    r"\b(?:treated with|responded to|relieved (?:by|with)|resolved with|premedicat\w+ with|required|requiring)"
    r" (?:an? |iv |im |oral )?$",
    re.IGNORECASE,
)
