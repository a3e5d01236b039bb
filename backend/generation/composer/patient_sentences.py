"""Sentences about the patient in everyday words: medicines at home, allergies, and situations that ask for care.

They cite the note, and start, stop and dose nothing: that is the ward's. A dose stands there as the note has it. What was
given, tried or finished before, and what a laboratory measured, is no home medicine. A situation (pregnancy, a donated organ,
failed kidneys, a blood thinner) holds beside the condition that the document is about, whatever that is.
"""

import re
from collections.abc import Iterator, Sequence

from backend.generation.composer.material import Material, QuotedSentence
from backend.generation.composer.wording import Glossary
from backend.nlp.medications.medicine_courses import course_over, given_once, sentence_around
from backend.nlp.people.situations import PREGNANCY, Situation, When, situations_of
from backend.schemas.drafts.note import AllergyItem, Mention
from backend.schemas.vocabulary import AllergyKind, Assertion, Category, SectionCategory

OPENINGS = ("The note from before your stay lists", "The note also lists")
LEFT_OUT = "what to do about a medicine of the note that may not fit an allergy"
ELSEWHERE = frozenset(
    {
        SectionCategory.ALLERGIES,  # what was given for the reaction
        SectionCategory.RESULTS,
        SectionCategory.VITAL_SIGNS,
        SectionCategory.PHYSICAL_EXAM,
        SectionCategory.IMAGING,
        SectionCategory.PROCEDURES,
        SectionCategory.HOSPITAL_COURSE,
        SectionCategory.PLAN,
    }
)


def home_medicines(material: Material, glossary: Glossary) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield sentences with their citations, in the order of the note; what an allergy reaches is left out."""
    own = [m for m in taken(material) if m.concept_id not in material.blocked]
    for place, mention in enumerate(own):
        cites = (*material.piece_ids([mention]), *glossary.source(mention.concept_id))
        yield f"{OPENINGS[min(place, 1)]} {_named(material.linked.note.text, mention, glossary)}.", cites


def left_out(material: Material) -> bool:
    """Whether the note lists a medicine that an allergy reaches: it is not named to the patient, but neither forgotten."""
    return any(m.concept_id in material.blocked for m in taken(material))


def taken(material: Material) -> list[Mention]:
    """The medicines that the note states as taken, each once, in note order: of a list in the note, the entry.

    Beside a list, and for a class ("birth control pill"), the words must say that it is taken.
    """
    text = material.linked.note.text
    stated = [
        m
        for m in material.mentions(Assertion.PRESENT, {Category.DRUG, Category.DRUG_CLASS})
        if m.section not in ELSEWHERE
    ]
    listed = any(m.section is SectionCategory.MEDICATIONS for m in stated)
    own: dict[str, Mention] = {}
    for m in stated:
        if _FINISHED.match(text, m.end_char):
            continue
        if m.section is not SectionCategory.MEDICATIONS:
            if course_over(text, m) or given_once(text, m) or _in_container(text, m):
                continue
            if (listed or m.category is Category.DRUG_CLASS) and not _TAKES.search(sentence_around(text, m)[0]):
                continue
        held = own.get(m.concept_id)
        if held is None or (m.section is SectionCategory.MEDICATIONS and held.section is not m.section):
            own[m.concept_id] = m
    return sorted(own.values(), key=lambda m: m.start_char)


def _in_container(text: str, mention: Mention) -> bool:
    """Whether a medicine outside a list was given here or found by a test: "cefepime after cultures", "UDS fentanyl +"."""
    before, after = sentence_around(text, mention)
    level = mention.text.lower().startswith("vit") and _BARE_NUMBER.match(after)
    return bool(level or _TESTED.search(before) or _HERE.match(after))


def _named(text: str, mention: Mention, glossary: Glossary) -> str:
    """A class is called what the note calls it: "birth control pill" says more than the class's name."""
    if mention.category is Category.DRUG_CLASS:
        return mention.text if mention.text[:2].isupper() else mention.text.lower()
    term = glossary.term(mention.concept_id, mention.name)
    own = mention.text.lower()
    form = (
        own if own.startswith(mention.name.lower()) else mention.name
    )  # "metoprolol succinate" is more than metoprolol
    return term.replace(mention.name, f"{form}{_dose(text, mention)}", 1)


def _dose(text: str, mention: Mention) -> str:
    """` 20 mg twice a day`, as written behind the name, short forms in words; empty where nothing is read with certainty."""
    amount = _AMOUNT.match(text, mention.end_char)
    often = _OFTEN.match(text, amount.end() if amount else mention.end_char)
    words = " ".join(often["often"].lower().replace(".", "").split()) if often else ""
    dose = f"{amount['form'] or ''} {amount['amount']} {amount['unit']}" if amount else ""
    return f"{dose} {_IN_WORDS.get(words, words)}" if words else dose


_TAKES = re.compile(
    r"\b(?:takes?|taking|uses?|using|is on|was on|remains on|currently on|maintained on|on)\s+(?:[\w/%.-]+,?\s+){0,9}?$"
    r"|\b(?:her|his|their|home|added|nothing but an?)\s+$",
    re.IGNORECASE,
)
_TESTED = re.compile(r"\b(?:UDS|tox(?:icology)?|drug screen|urine screen|level|assay)\b[^,;]*$", re.IGNORECASE)
_BARE_NUMBER = re.compile(
    r"\s+\d+(?:\.\d+)?(?!\s*(?:mcg|mg|micrograms?|milligrams?|iu|units?|µg|\d|,\d))", re.IGNORECASE
)  # "vit D 11" is a result
_FINISHED = re.compile(r"[^,;.\n(]{0,30}\((?:finished|completed|stopped|ended)\b", re.IGNORECASE)
_HERE = re.compile(
    r"\s*(?:\+\s*[\w-]+\s*)?(?:\d[\d.,]*\s*[a-z]+\s*)?(?:IV\b|IM\b|after cultures|bolus|drip|gtt|infusion|STAT\b|x ?\d\b|in (?:the )?(?:ED|ER|ambulance|triage|field)\b)",
    re.IGNORECASE,
)
_AMOUNT = re.compile(
    r"(?P<form>\s+(?:ER|XR|XL|SR|CR|LA|DR|EC|extended release|succinate|tartrate))?\s+"
    r"(?P<amount>\d[\d,]*(?:\.\d+)?(?:/\d+(?:\.\d+)?)?)\s?(?P<unit>mg|mcg|micrograms?|milligrams?|g|units?|mEq|mL|puffs?)\b",
    re.IGNORECASE,
)
_OFTEN = re.compile(
    r"\s+(?:(?:po|by mouth|orally|oral|sc|subq|sq)\s+)?(?P<often>once daily|twice daily|once a day|twice a day|three times a day|three times daily"
    r"|four times a day|every day|every other day|every morning|every evening|every night|nightly|weekly|once a week|at bedtime|at night|in the morning"
    r"|as needed|with meals|daily|bid|tid|qid|qd|qhs|qam|qpm|prn|b\.i\.d\.?|t\.i\.d\.?)(?![\w/])",
    re.IGNORECASE,
)
_IN_WORDS = {
    "bid": "twice a day", "tid": "three times a day", "qid": "four times a day", "qd": "once a day", "qhs": "at bedtime",
    "qam": "in the morning", "qpm": "in the evening", "prn": "as needed",
}  # fmt: skip


NAME_AT_MOST = 4  # words; a longer one that names a known substance is called by the substance


def allergy_sentences(material: Material) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the allergies and intolerances in the order of the note, each sentence with its citations."""
    for item in material.linked.allergies.items:
        piece = material.piece_at(item.start_char)
        cites: tuple[str, ...] = (piece.id,) if piece else ()
        reaction = f" (reaction: {_reaction(item)})" if item.reaction.strip() else ""
        name = _quiet(item.text, item.name)
        if item.kind == AllergyKind.INTOLERANCE:
            does = "do" if name.lower() == f"{item.name.lower()}s" else "does"
            yield f"Your note says that {name} {does} not agree with you{reaction}.", cites
        else:
            yield f"Your note says that you are allergic to {name}{reaction}.", cites


def _quiet(text: str, name: str) -> str:
    """A name in the middle of a sentence: a known substance in its usual spelling, shouted words in small letters."""
    stripped = text.strip()
    if stripped.lower() == name.lower() or (name and len(stripped.split()) > NAME_AT_MOST):
        return name
    letters = [c for c in stripped if c.isalpha()]
    return stripped.lower() if len(letters) > 4 and all(c.isupper() for c in letters) else stripped


def _reaction(item: AllergyItem) -> str:
    """The reaction without a bracket that opens and never closes."""
    stripped = item.reaction.strip()
    while stripped.count("(") > stripped.count(")"):
        place = stripped.rindex("(")
        stripped = f"{stripped[:place].rstrip(' ,')}, {stripped[place + 1 :].strip()}".strip(" ,")
    words = stripped.split(" ")
    return " ".join(_quiet(word, "") for word in words)


_WEEKS = re.compile(r"\b\d{1,2}(?:[\s-]*(?:weeks?|wks?)\b|w\d?|\+\d)|\bpregnan", re.IGNORECASE)
MOST: dict[str, int] = {"Precautions": 4, "Warning signs": 4, "Follow-up": 2}


def situations(material: Material) -> list[Situation]:
    """Those of the note; one that a medicine brings only where it is taken at home."""
    home = {m.concept_id for m in taken(material)}
    return [s for s in situations_of(material.linked) if s.row.when is not When.TAKEN or _own(s, home)]


def stated(material: Material, situation: Situation, glossary: Glossary) -> tuple[str, tuple[str, ...]]:
    """The sentence that says what the note says, with its citations; none where the note has no piece for it."""
    home = {m.concept_id for m in taken(material)}
    mentions = _own(situation, home) if situation.row.when is When.TAKEN else situation.mentions
    cites = cited(material, mentions)
    if "{name}" not in situation.row.told:
        return situation.row.told, cites
    mention = mentions[0]
    text = situation.row.told.format(name=glossary.term(mention.concept_id, mention.name))
    return text, (*cites, *glossary.source(mention.concept_id)) if cites else ()


def cited(material: Material, mentions: Sequence[Mention]) -> tuple[str, ...]:
    """The piece that says who the patient is where it counts weeks ("G2P1 at 29w4d"), else that of the first mention."""
    start = material.linked.patient.start_char
    piece = material.piece_at(start) if start is not None else None
    pregnant = not mentions or mentions[0].name == PREGNANCY
    if piece and pregnant and _WEEKS.search(piece.text):
        return (piece.id,)
    return material.piece_ids(mentions[:1])


def advice(material: Material, part: str) -> Iterator[QuotedSentence]:
    """Yield the sentences of one part of the chapters, situation by situation."""
    for situation in situations(material):
        if situation.row.chapter:
            yield from material.situation_quotes(situation.row.chapter, part, MOST[part])


def _own(situation: Situation, home: set[str]) -> tuple[Mention, ...]:
    return tuple(m for m in situation.mentions if m.concept_id in home)
