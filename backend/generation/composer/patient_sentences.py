"""Sentences about the patient in everyday words: allergies, and situations that ask for care.

They cite the note, and start, stop and dose nothing: that is the ward's. A situation (pregnancy, a donated organ,
failed kidneys, a blood thinner) holds beside the condition that the document is about, whatever that is.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from backend.generation.composer.material import Material
from backend.generation.composer.wording import listed
from backend.generation.letter.plain_language.clause_subjects import PRONOUNS, Addressee
from backend.generation.letter.story import addressee
from backend.nlp.allergies.allergy_wording import clipped_names, forbids
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton
from backend.nlp.medications.medicine_events import FAMILY, NO_MEDICINES
from backend.nlp.rules import RULES, rule_names
from backend.nlp.rules.plain_words import Phrases, Term, plain_words
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.note import AllergyItem, PossibleAllergy
from backend.schemas.record import VerificationStatus
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, SectionCategory


@lru_cache(maxsize=1)
def _no_medicines() -> re.Pattern[str]:
    phrases = rule_names(RULES / "letter" / "no_medicines.txt")
    return re.compile(rf"\s*(?:{'|'.join(map(re.escape, phrases))})\s*[.;]?\s*", re.IGNORECASE)


def no_medicines_sentences(material: Material, you: str) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield that no medicine is taken, where the list of medicines says so ("MEDICATIONS: None."), or a sentence of the note."""
    note = material.linked.note
    take, whose = ("take", "Your") if you == "you" else ("takes", "The")
    told = f"{whose} note says that {you} {take} no medicines."
    for section in note.sections:
        if section.category is SectionCategory.MEDICATIONS and _no_medicines().fullmatch(
            note.text, section.body_char, section.end_char
        ):
            piece = material.piece_at(section.body_char)
            yield told, (piece.id,) if piece else ()
            return
    family = [(one.start_char, one.end_char) for one in note.sections if one.category is SectionCategory.FAMILY_HISTORY]
    for piece in material.pieces_of("Pasted note"):
        relative = any(first <= piece.start_char < last for first, last in family)
        if _tells_nothing_taken(piece.text) and not relative:
            yield told, (piece.id,)
            return


def _tells_nothing_taken(sentence: str) -> bool:
    """Whether a sentence says of the patient, and of nothing else, that no medicine is taken now."""
    words = list(tokens(sentence).words)
    found = next((one for one in _nothing_taken().find(words)[FAMILY] if one.row.event == NO_MEDICINES), None)
    if found is None:
        return False
    kinds = word_lists("letter/words_medicines")
    lead = [word for word in words[: found.first] if word not in kinds["now"]]
    behind = {word for word in words[found.last :] if word[:1].isalpha()}
    whole = bool(lead) or words[0] != "no"  # "ALLERGIES: No medications."
    return whole and set(lead) <= kinds["subject"] | {"the"} and behind <= kinds["now"]


@lru_cache(maxsize=1)
def _nothing_taken() -> TriggerAutomaton:
    return TriggerAutomaton(row for row in trigger_rows(FAMILY) if row.event == NO_MEDICINES)


_ALLERGIES = re.compile(r"\s+(allergies)\b", re.IGNORECASE)
NAME_AT_MOST = 4  # words; a longer one that names a known substance is called by the substance


def allergy_sentences(material: Material) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the allergies and intolerances in the order of the note, each sentence with its citations."""
    to = addressee(material.record)
    you = to.you
    note, are, have = ("Your note", "are", "have") if you == "you" else ("The note", "is", "has")
    stated = material.record.allergies.items
    barred = {one.spans[0].start_char for one in stated if one.spans and any(map(forbids, one.rule_ids))}
    doubted = {one.spans[0].start_char for one in stated if one.verification_status is VerificationStatus.UNCONFIRMED}
    for item in material.linked.allergies.items:
        piece = material.piece_at(item.start_char)
        cites: tuple[str, ...] = (piece.id,) if piece else ()
        said = _reaction(item, to)
        reaction = f" (reaction: {said})" if said else ""
        name = _quiet(item.text, item.name)
        kind = _ALLERGIES.match(material.linked.note.text, item.end_char)
        season = any(clipped_names().get(word, "").endswith(" allergen") for word in name.lower().split())
        if season or (kind is not None and item.name.lower() not in item.text.lower()):
            # "seasonal allergies" are had, and no substance
            yield f"{note} says that {you} {have} {name.lower()} allergies{reaction}.", cites
        elif item.start_char in barred and not reaction:
            yield f"{note} says that {you} {are} not to take {name}.", cites
        elif item.kind == AllergyKind.INTOLERANCE and item.start_char in doubted:
            agrees = "agree" if name.lower() == f"{item.name.lower()}s" else "agrees"
            yield f"{note} asks whether {name} {agrees} with {you}{reaction}.", cites
        elif item.kind == AllergyKind.INTOLERANCE:
            does = "do" if name.lower() == f"{item.name.lower()}s" else "does"
            yield f"{note} says that {name} {does} not agree with {you}{reaction}.", cites
        elif item.start_char in doubted:
            yield f"{note} asks whether {you} {are} allergic to {name}.", cites
        else:
            yield f"{note} says that {you} {are} allergic to {name}{reaction}.", cites
    allergies = material.linked.allergies
    # what the note only lets one suspect is enough not to tell a patient that there is nothing
    reacted = any(REACTED.search(one.why_stopped) for one in material.record.medications)
    if allergies.status is AllergyStatus.NONE_KNOWN and allergies.text.strip() and not (allergies.possible or reacted):
        place = material.linked.note.text.find(allergies.text.strip())
        piece = material.piece_at(place) if place >= 0 else None
        if piece:
            drugs = "drug " if _OF_DRUGS.search(allergies.text) else ""
            yield f"{note} lists no known {drugs}allergies.", (piece.id,)


def asked_allergies(possible: Sequence[PossibleAllergy]) -> str:
    """What the team is asked of what a note only lets one suspect; empty for nothing."""
    return f"whether these are allergies: {listed(one.text for one in possible)}" if possible else ""


_OF_DRUGS = re.compile(r"\b(?:drug|medication|medicine|medicinal|nkda|nkma)", re.IGNORECASE)
REACTED = re.compile(r"allerg|\breaction", re.IGNORECASE)
"""Of the words why a medicine was stopped: it may be what the patient reacts to."""


def _quiet(text: str, name: str) -> str:
    """A name in the middle of a sentence: a known substance in its usual spelling, a shouted brand with a capital, other words small."""
    stripped = text.strip()
    if stripped.lower() == name.lower() or (name and len(stripped.split()) > NAME_AT_MOST) or _is_short(stripped, name):
        return name
    letters = [c for c in stripped if c.isalpha()]
    if len(letters) <= 4 or not all(c.isupper() for c in letters):
        return stripped
    brand = bool(name) and " " not in stripped
    return stripped.capitalize() if brand else stripped.lower()


def _is_short(text: str, name: str) -> bool:
    """Whether a word is clipped from a substance's name or an abbreviation of it: "vanc", "sulfa", "ASA"; not a brand."""
    word, first = text.lower(), name.lower().partition(" ")[0]
    if " " in word or not name or " " in name or name.isupper():
        return False
    return (first.startswith(word) and word != first) or (text.isupper() and len(text) <= _CAPITALS)


_CAPITALS = 4
"""Letters of an abbreviation."""


def _reaction(item: AllergyItem, to: Addressee) -> str:
    """The reaction without a bracket that opens and never closes; none in words for another person: "made her wheeze".

    What the patient said of themselves is said to them: "makes me sick".
    """
    stripped = item.reaction.strip()
    words = stripped.lower().split()
    if not PRONOUNS.keys().isdisjoint(words) or "i" in words:
        return ""
    own = {"me": to.you, "my": to.your}
    stripped = _FIRST_PERSON.sub(lambda found: own[found[0].lower()], stripped)
    while stripped.count("(") > stripped.count(")"):
        place = stripped.rindex("(")
        stripped = f"{stripped[:place].rstrip(' ,')}, {stripped[place + 1 :].strip()}".strip(" ,")
    stripped = "".join(_in_plain_words(", ".join(_reaction_parts(stripped))))
    return " ".join(_quiet(word, "") for word in stripped.split(" "))


def _reaction_parts(reaction: str) -> Iterator[str]:
    """Yield the parts of a reaction that tell one, each without who says it: "wheeze this adm", "upset only per patient"."""
    lists = word_lists("letter/words_reactions")
    for place, part in enumerate(_PARTS.split(reaction)):
        words = part.split()
        small = [word.lower() for word in words]
        end = next((i for i in range(1, len(words)) if small[i] in lists["source"]), len(words))
        if not (place and small[:1] and small[0] in lists["aside"]) and not lists["kind"].issuperset(small[:end]):
            yield " ".join(words[:end])


_FIRST_PERSON = re.compile(r"\b(?:me|my)\b", re.IGNORECASE)
_PARTS = re.compile(r"\s+[-\u2013]\s+|[,;]\s+")


def _in_plain_words(text: str) -> Iterator[str]:
    """Yield a text with the words of charts said plainly: "SOB", "red man syndrome"."""
    phrases, plain = _charts()
    at = 0
    for match in phrases.found(text):
        term = plain[" ".join(match[0].lower().split())]
        said = term.plain if not term.exact or match[0] == term.written else match[0]
        yield text[at : match.start()] + said
        at = match.end()
    yield text[at:]


@lru_cache(maxsize=1)
def _charts() -> tuple[Phrases, dict[str, Term]]:
    terms = {
        term.written.lower(): term for term in reversed(plain_words()) if not term.last and term.written[0].isalnum()
    }
    return Phrases([*terms]), terms
