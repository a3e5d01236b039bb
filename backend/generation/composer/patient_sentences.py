"""Sentences about the patient in everyday words: allergies, and situations that ask for care.

They cite the note, and start, stop and dose nothing: that is the ward's. A situation (pregnancy, a donated organ,
failed kidneys, a blood thinner) holds beside the condition that the document is about, whatever that is.
"""

import re
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from itertools import zip_longest
from typing import NamedTuple

from backend.generation.composer.material import Material, QuotedSentence
from backend.generation.composer.wording import Glossary, listed
from backend.generation.letter.medicines.medicine_decisions import Kind, is_taken_now, kind_of, was_started_on
from backend.generation.letter.medicines.medicine_prompts import Prompt, asks
from backend.generation.letter.medicines.stated.regimens import stated as says_how
from backend.generation.letter.medicines.stated.told_events import events_of
from backend.generation.letter.plain_language.clause_subjects import PRONOUNS, Addressee
from backend.generation.letter.story import addressee
from backend.knowledge.advice.red_flags import EMERGENCIES, WARNING_SIGNS, level_of
from backend.nlp.allergies.allergy_wording import clipped_names
from backend.nlp.allergies.events import forbids
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton
from backend.nlp.medications.medicine_events import FAMILY, NO_MEDICINES
from backend.nlp.medications.tolerance import advisable
from backend.nlp.people.situations import ONE_SENTENCE, PREGNANCY, PROBLEMS, Situation, When, situations_of
from backend.nlp.rules import RULES, rule_names
from backend.nlp.rules.plain_words import Phrases, Term, plain_words
from backend.nlp.rules.trigger_rows import trigger_rows
from backend.nlp.rules.word_lists import word_lists
from backend.schemas.drafts.medicines import MedicineRow
from backend.schemas.drafts.note import AllergyItem, Mention, PossibleAllergy
from backend.schemas.record import ClinicalStatus, MedicationStatement, VerificationStatus
from backend.schemas.vocabulary import AllergyKind, AllergyStatus, SectionCategory
from backend.verification.safety.medicines.named_medicines import is_local


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
    reacted = any(_REACTED.search(one.why_stopped) for one in material.record.medications)
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
_REACTED = re.compile(r"allerg|\breaction", re.IGNORECASE)


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


_WEEKS = re.compile(r"\b\d{1,2}(?:[\s-]*(?:weeks?|wks?)\b|w\d?|\+\d)|\bpregnan", re.IGNORECASE)
_AT_HOME = frozenset((Kind.TAKEN, Kind.CONTINUED, Kind.CHANGED, Kind.STARTED, Kind.DISCHARGE))
MOST: dict[str, int] = {"Precautions": 4, "Warning signs": 4, "Follow-up": 2}


def situations(material: Material, left: Collection[str] = (), part: str = "") -> list[Situation]:
    """Those of the note and of the list for home; a medicine brings one where it is taken at home, a problem where none tells it over.

    Args:
        material: of the patient.
        left: concepts of medicines that the letter tells to leave: how they are taken is no advice.
        part: of the chapters, for which they are asked.
    """
    home, over = _home(material, left, part), _over(material)
    return [
        s
        for s in situations_of(material.linked, listed=material.listed)
        if (s.row.when is not When.TAKEN or _own(s, home) or not s.row.names.isdisjoint(material.listed))
        and (s.row.when not in PROBLEMS or any(m.concept_id not in over for m in s.mentions))
    ]


def taken(material: Material) -> frozenset[str]:
    """The concepts of the medicines that the record has as taken at home, or begun for home, and through the body, each combination with its ingredients.

    What was taken once before somebody came is none of them, nor what the patient was told not to take again.
    """
    body = [(m, kind_of(m)) for m in advisable(material.record) if not is_local(m.dosage)]
    home = [(m, kind) for m, kind in body if kind in _AT_HOME or (kind is Kind.PLANNED and _is_begun(m))]
    own = [m for m, kind in home if kind is not Kind.TAKEN or is_taken_now(m)]
    return frozenset(concept for m in own for concept in (m.concept_id, *m.ingredients) if concept)


def _home(material: Material, left: Collection[str], part: str) -> frozenset[str]:
    """What is taken at home by the record; for warning signs what was begun as well, though nothing says that it goes on.

    A sign that nobody needs does no harm, and who was started on a medicine and not told its signs may come too late.
    """
    home = taken(material)
    if part == WARNING_SIGNS:
        body = [m for m in advisable(material.record) if not is_local(m.dosage)]
        begun = [m for m in body if kind_of(m) is Kind.TAKEN and was_started_on(m)]
        home |= frozenset(concept for m in begun for concept in (m.concept_id, *m.ingredients) if concept)
    return home - frozenset(left)


def _over(material: Material) -> frozenset[str]:
    """The concepts of the patient's problems that one of their statements tells as past, whatever another says."""
    return frozenset(
        one.concept_id
        for one in material.record.stated_problems
        if one.concept_id and one.clinical_status is not ClinicalStatus.ACTIVE and not one.chronic
    )


def stated(material: Material, situation: Situation, glossary: Glossary) -> tuple[str, tuple[str, ...]]:
    """The sentence that says what the note says, with its citations; none where its row has none or the note no piece for it."""
    home = taken(material)
    if not situation.row.sentence:
        return "", ()
    mentions = _own(situation, home) if situation.row.when is When.TAKEN else situation.mentions
    if situation.row.when is When.TAKEN and not mentions:
        return "", ()  # the note tells nothing of what the list for home alone names
    cites = cited(material, mentions)
    if "{name}" not in situation.row.sentence:
        return situation.row.sentence, cites
    mention = mentions[0]
    text = situation.row.sentence.format(name=glossary.term(mention.concept_id, mention.name))
    return text, (*cites, *glossary.source(mention.concept_id)) if cites else ()


def cited(material: Material, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """The piece that says who the patient is where it counts weeks ("G2P1 at 29w4d"), else that of the first mention."""
    start = material.linked.patient.start_char
    piece = material.piece_at(start) if start is not None else None
    pregnant = not mentions or mentions[0].name == PREGNANCY
    if piece and pregnant and _WEEKS.search(piece.text):
        return (piece.id,)
    return material.piece_ids(mentions[:1])


_THIS_PILL = re.compile(r"\bthis (?:kind of )?(?:[a-z-]+ ){0,4}?pill\b(?: against clots)?")
_OF_THIS_KIND = re.compile(r"\bof this kind\b")


class Advised(NamedTuple):
    """A sentence of a situation's chapter, with the concepts and the names of the medicines that bring it; none for another situation."""

    quote: QuotedSentence
    concepts: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def said(self, rows: Sequence[MedicineRow]) -> tuple[str, tuple[str, ...]]:
        """The sentence with the patient's medicines by name for "this blood pressure pill", and the pieces that name them.

        Empty where the sentence points to a medicine and no row names it: nobody could tell which of their pills is meant.
        """
        text = self.quote.text
        if not (_THIS_PILL.search(text) or _OF_THIS_KIND.search(text)):
            return text, ()
        held = [row for row in rows if self._is_of(row)]
        if not held:
            return "", ()
        names = " or ".join(dict.fromkeys(row.name for row in held))
        text = _OF_THIS_KIND.sub(f"like {names}", _THIS_PILL.sub(names, text))
        return text, tuple(dict.fromkeys(cite for row in held for cite in row.citations[:1]))

    def _is_of(self, row: MedicineRow) -> bool:
        if asks(row.prompt, (Prompt.CLASS, Prompt.CLASS_KEPT)):
            return False
        own = self.concepts & {row.concept_id or "", *row.ingredients}
        return bool(own) or not self.names.isdisjoint(
            {row.name.lower(), row.name.rpartition("(")[2].rstrip(")").lower()}
        )


def advice(
    material: Material, part: str, left: Collection[str] = (), whens: Collection[When] = frozenset(When)
) -> Iterator[Advised]:
    """Yield the sentences of one part of the chapters: the first of each situation, the gravest before, then the second of each.

    What sends to emergency treatment goes before all else. What the letter is about has its own chapter in it already; of an illness
    that the patient did not come for one sentence is enough, of one of today one of each level of emergency.

    Args:
        material: of the patient.
        part: of the chapters.
        left: concepts of medicines that the letter tells to leave.
        whens: the rows that count.
    """
    about = {condition.name for condition in material.focus}
    home = _home(material, left, part)
    held = [
        s
        for s in situations(material, left, part)
        if part in s.row.parts and s.row.when in whens and s.row.chapter not in about
    ]
    told = [
        [
            Advised(quote, frozenset(m.concept_id for m in _own(s, home)), s.row.names & material.listed)
            if s.row.when is When.TAKEN
            else Advised(quote)
            for quote in _quotes(material, s, part)
        ]
        for s in held
        if s.row.chapter
    ]
    all_told = [one for round_ in zip_longest(*told) for one in round_ if one is not None]
    yield from sorted(
        all_told, key=lambda one: level_of(one.quote.text) not in EMERGENCIES if part == WARNING_SIGNS else False
    )


def _quotes(material: Material, situation: Situation, part: str) -> list[QuotedSentence]:
    """The sentences of one part of a situation's chapter: of an illness that the patient did not come for the first, of one of today the first of each level of emergency."""
    quotes = material.situation_quotes(situation.row.chapter, part, MOST[part])
    if situation.row.when not in ONE_SENTENCE:
        return quotes
    if situation.row.when is not When.TODAY or part != WARNING_SIGNS:
        return quotes[:1]
    first = {level_of(quote.text): quote for quote in reversed(quotes)}
    return [quote for quote in quotes if quote is quotes[0] or quote in (first.get(level) for level in EMERGENCIES)]


def _own(situation: Situation, home: frozenset[str]) -> tuple[Mention, ...]:
    return tuple(m for m in situation.mentions if m.concept_id in home)


def _is_begun(one: MedicationStatement) -> bool:
    """Whether a plan begins a medicine: it orders it, or tells how it is taken."""
    return bool(events_of(one) & {"ORDERED", "STARTED"}) or says_how((one.dosage,))
