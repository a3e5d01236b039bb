"""A hospital's own instructions: its own sentences for letters, each with whom it is for, in the words of the handbook's applicability.

A table of the hospital's, LEAPNOTE_DATA/knowledge/instructions.tsv. A sentence is told as it stands, under the hospital's name, to patients
whose record holds what it needs. It is data: nothing in it is a place to fill, a citation, or an instruction to a program.
"""

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from backend.errors import KnowledgeError
from backend.knowledge.advice.needs import NAMED, Need, Needs, parse_needs
from backend.knowledge.advice.standing import LONGEST, StandingInstruction
from backend.knowledge.hospital.tables import SHOWN, KnownNames, TableFault, read_rows, stated, table_rows
from backend.nlp.people.injected_instructions import note_has_injected_instructions

CELLS = ("id", "needs", "excludes", "sentence", "section")
FILE = "instructions.tsv"
"""Its name, in the folder `knowledge` of the data folder."""
CHECK = "python -m backend knowledge instructions check FILE"
SECTIONS = ("Medicines", "Diet", "Activity", "Precautions", "Follow-up")
"""The sections of a chapter that an instruction may be told under. Warning signs have levels: change them with knowledge review."""
_ID = re.compile(r"[a-z0-9]+(?:-[a-z0-9]+)*")
_MARKUP = re.compile(r"[\[\]]")
_END = (".", ".)", ".”", '."')


def read_instructions(path: Path) -> list[StandingInstruction]:
    """The rows of a hospital's table; none where there is no file. A fault is a KnowledgeError with file, line, value and what to do."""
    return read_rows(path, instruction_rows, CHECK)


def instruction_rows(text: str) -> tuple[list[StandingInstruction], list[TableFault]]:
    """The rows of a table, and what is wrong with it.

    Args:
        text: with the header line.
    """
    rows: list[StandingInstruction] = []
    faults: list[TableFault] = []
    seen: dict[str, int] = {}
    for found in table_rows(text, CELLS):
        if isinstance(found, TableFault):
            faults.append(found)
            continue
        line, cells = found
        name, sentence, section = cells["id"], cells["sentence"], cells["section"]
        try:
            needs = parse_needs(stated(cells["needs"]), stated(cells["excludes"]))
            wrong = [*_form(name, sentence, section)]
        except KnowledgeError as error:
            needs, wrong = Needs(), [str(error)]
        if (first := seen.setdefault(name, line)) != line:
            wrong.append(f"the id {name[:SHOWN]!r} stands in line {first} too. Give it another.")
        faults += [TableFault(line, what) for what in wrong]
        if not wrong:
            rows.append(StandingInstruction(name, needs, sentence, section, line, own=True))
    return rows, faults


def against_names(rows: Iterable[StandingInstruction], names: KnownNames) -> list[TableFault]:
    """Needs of rows that name no concept of the knowledge, so that nobody could ever meet them.

    Args:
        rows: as instruction_rows gives them.
        names: of the knowledge.
    """
    faults: list[TableFault] = []
    for row in rows:
        for need in (*(one for group in row.needs.all_of for one in group), *row.needs.none_of):
            if need.kind in NAMED and need.kind != "relative" and need.name not in names.preferred:
                other = names.other(need.name)
                advice = f"Write {other!r}." if other else "Write the name of a concept: GET /v1/concepts?q=…"
                faults.append(TableFault(row.line, f"'{need.kind}:{need.name}' names no concept. {advice}"))
    return faults


def in_cells(groups: Iterable[Iterable[Need]]) -> str:
    """Needs as a cell has them; `-` for none.

    Args:
        groups: set apart by ";", each of a choice.
    """
    said = ("|".join(f"{one.kind}:{one.name}" if one.name else one.kind for one in group) for group in groups)
    return "; ".join(filter(None, said)) or "-"


def _form(name: str, sentence: str, section: str) -> Iterator[str]:
    """What is wrong with a row by itself."""
    said = sentence[:SHOWN]
    if not _ID.fullmatch(name):
        yield f"the id {name[:SHOWN]!r} may have small letters, digits and single hyphens. Write it so."
    if section not in SECTIONS:
        yield f"the section {section[:SHOWN]!r} is none of {', '.join(SECTIONS)}. Write one of them."
    if (words := len(sentence.split())) > LONGEST:
        yield f"{said!r} has {words} words, at most {LONGEST} are read by a patient. Make two rows of it."
    if sentence[:1].islower() or not sentence.endswith(_END):
        yield f"{said!r} is no whole sentence. Begin with a capital letter and end with a full stop."
    if found := _MARKUP.search(sentence):
        yield f"{said!r} holds {found[0]!r}, which letters keep for citations and places to fill. Write round brackets."
    if note_has_injected_instructions(sentence):
        yield f"{said!r} reads like an instruction to a program. Write what the patient is to know."
