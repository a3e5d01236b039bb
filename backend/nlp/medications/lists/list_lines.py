"""Where the lines and the items of a list of medicines begin and end."""

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.measures.units import unit_of
from backend.schemas.vocabulary import SectionCategory

ENTRY_MARKS = frozenset(",;\n:.()&")
_BULLETS = " \t-*•·–0123456789.)"
_ITEM_MARKS = frozenset({",", ";", ":", "+", "&", "and", "-", "\n"})


def begins_item(note: ParsedNote, first: int) -> bool:
    """Whether a token begins an item of a list, behind a mark or on its own line, and not behind a strength: "Gaviscon PRN, eye drops"."""
    before = note.words[first - 1] if first else "\n"
    if before not in _ITEM_MARKS and not opens_line(note, first):
        return False
    last = note.words[first - 2] if first > 1 else ""
    return not (before == "," and (last == "%" or last[:1].isdigit() or unit_of(last) is not None))


def opens_line(note: ParsedNote, i: int) -> bool:
    """Whether only bullets and numbers stand before a token in its line, or the title of its section."""
    start = note.tokens.starts[i] if i < len(note.tokens.starts) else len(note.text)
    section = note.section_at(start)
    begin = max(note.text.rfind("\n", 0, start) + 1, section.body_char if section else 0)
    return not note.text[begin:start].strip(_BULLETS)


def list_ends(note: ParsedNote, taken: set[int]) -> dict[int, int]:
    """By section of medicines its last sentence that may be part of the list.

    A list of lines goes on to the end of its section. One that runs on in a line ends with the last medicine that is known: "Meds:
    aspirin 81. Zorbitrex 5 mg. Lisinopril 10. NKDA. BP 132/78." lists three.
    """
    found: dict[int, int] = {}
    for number, sentence in enumerate(note.sentences):
        section = note.sections[sentence.section]
        if section.category is not SectionCategory.MEDICATIONS:
            continue
        start = note.tokens.starts[sentence.first] if sentence.first < len(note.tokens.starts) else 0
        own_line = not note.text[note.text.rfind("\n", 0, start) + 1 : start].strip(_BULLETS)
        first = sentence.section not in found
        if own_line or first or not taken.isdisjoint(range(sentence.first, sentence.last)):
            found[sentence.section] = number
    return found


def divides(note: ParsedNote, i: int, first: int) -> bool:
    """Whether a token ends an entry of a list: a comma, a full stop that is no decimal's or code's, "and"."""
    word = note.words[i]
    if word in ("and", "plus"):
        return True
    if word == "." and i > first:
        single = len(note.words[i - 1]) == 1 and note.words[i - 1].isalpha()
        return not single and note.tokens.starts[i + 1 : i + 2] != [note.tokens.ends[i]]
    return word in ENTRY_MARKS
