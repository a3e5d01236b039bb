"""Reads a line of a table of allergies: labelled cells ("Allergen: X Reaction: Y"), or cells set apart by bars or tabs."""

import re
from collections.abc import Callable

from backend.nlp.allergies.allergy_entry import Entry, trimmed
from backend.nlp.allergies.allergy_vocabulary import has_reaction, is_noise, is_reaction


def table_row(text: str, start: int, end: int) -> list[Entry] | None:
    """A line of labelled cells ("Allergen: X Reaction: Y"), or of cells set apart by tabs, bars or wide gaps.

    None when the line is no row of a table. A reaction alone is an entry of an empty span.
    """
    labels = list(_LABEL.finditer(text, start, end))
    if labels and text.count("(", start, labels[0].start()) > text.count(")", start, labels[0].start()):
        return None  # "Penicillin (severity: high; reaction: hives); sulfa" is a list
    if (labels and (labels[0].start() - start) <= _LABEL_LEAD) or any(_IS_REACTION.match(m[1]) for m in labels):
        found: list[Entry] = []
        left, right = trimmed(text, start, labels[0].start())
        if left < right:
            found.append(Entry(left, right))
        for label, following in zip(labels, [*labels[1:], None], strict=True):
            stop = following.start() if following else end
            left, right = trimmed(text, label.end(), stop)
            if left >= right:
                continue
            if _IS_ALLERGEN.match(label[1]):
                found.extend(Entry(*trimmed(text, *part)) for part in _named(text, left, right))
            elif _IS_REACTION.match(label[1]):
                found.append(Entry(left, left, text[left:right]))
        if not found and len(labels) == 1 and _ABOUT.match(labels[0][1]):
            return []  # "Severity: severe" on a line of its own
        # "Drug: penicillin, sulfa" is a list under a label, not a row of cells.
        if any(e.start == e.end for e in found) or len(labels) > 1:
            return [e for e in found if e.start == e.end or not is_noise(text[e.start : e.end])]
        return None
    cells = [m for m in _CELL.finditer(text, start, end) if m[0].strip(" -•*")]
    barred = "|" in text[start:end] or "\t" in text[start:end]
    row = len(cells) > 1 and (barred or any(is_reaction(cell[0]) for cell in cells[1:]))
    if not row or ("," in text[start:end] and "|" not in text[start:end]):
        return None
    # "Drug | Penicillin | Hives", "High | Penicillin | Hives": the name stands in the first cell that can be one.
    if is_noise(cells[0][0]) and not (_DATE.fullmatch(cells[0][0].strip()) or _DEGREE.fullmatch(cells[0][0].strip())):
        return []
    name = next((cell for cell in cells if not (_beside(cell[0].strip()) or is_reaction(cell[0]))), cells[0])
    left, right = trimmed(text, name.start(), name.end())
    about = [cell[0].strip() for cell in cells if cell is not name and not _beside(cell[0].strip())]
    told = ", ".join([cell for cell in about if has_reaction(cell)] or about)
    if left >= right or is_noise(text[left:right]):
        return []
    return [Entry(left, right, told, said=" ".join(cell[0].strip() for cell in cells))]


def _beside(cell: str) -> bool:
    """Whether a cell tells when, of what kind or how bad, and neither what reacts nor how."""
    return bool(_DATE.fullmatch(cell) or _DEGREE.fullmatch(cell)) or is_noise(cell)


def _named(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The parts of a labelled cell: "penicillin, sulfa"; a bracket stays with its name."""
    if "(" in text[start:end]:
        return [(start, end)]
    at = [start, *(start + m.end() for m in _COMMA.finditer(text[start:end]))]
    return list(zip(at, [*at[1:], end], strict=True))


def names_nothing(table: list[Entry]) -> bool:
    """Whether a row of a table names nothing."""
    return all(one.start == one.end for one in table)


def names_after_label(text: str, start: int, end: int, known: Callable[[str], bool]) -> bool:
    """Whether what stands after a label is a name after all: "Adverse reactions: erythromycin (nausea)"."""
    after = re.split(r"[:=]", text[start:end], maxsplit=1)[-1]
    return any(known(part.strip(" .")) for part in re.split(r"[,;(/]|\s-\s|\band\b", after) if part.strip(" ."))


_LABEL_LEAD = 2
_COMMA = re.compile(r"[,;]\s+(?:and\s+)?")
_LABEL = re.compile(
    r"(?<![\w-])((?:drug |food |adverse |allergy |allergic |type of )?(?:allergens?|substance|agent|rxns?|reactions?(?: type| severity)?"
    r"|severity|manifestations?|onset(?: date)?|criticality|date(?: noted)?|noted|status|comments?|drug(?: name)?|medication|allergy"
    r"|category|type|source|verified|recorded)s?)\s*[:=]\s*",
    re.IGNORECASE,
)
_IS_ALLERGEN = re.compile(
    r"(?:(?:drug |food |allergy )?(?:allergen|substance|agent)|drug(?: name)?|medication|allergy)s?$", re.IGNORECASE
)
_IS_REACTION = re.compile(r"(?:adverse |allergic )?(?:reaction|rxn|manifestation)s?$", re.IGNORECASE)
_ABOUT = re.compile(
    r"(?:severity|onset(?: date)?|criticality|date(?: noted)?|status|verified|recorded|source|category)$", re.IGNORECASE
)
_CELL = re.compile(r"[^|\t]+?(?=\s*(?:\||\t|\s{2,}|$))(?=[|\t\s]|$)")
_DATE = re.compile(r"[\d/.\s-]+|(?:in |since |circa )?(?:19|20)\d\d|(?:childhood|as a child)", re.IGNORECASE)
_DEGREE = re.compile(
    r"(?:very )?(?:high|medium|low|mild|moderate|severe|minor|major|critical|life[- ]threatening|fatal|unspecified|active|inactive)"
    r"(?: (?:severity|criticality|risk))?|(?:drug|food|medication|environmental?|contact|pharmacological)(?: (?:allergy|intolerance|ingredient|class))?|allergy|intolerance",
    re.IGNORECASE,
)
