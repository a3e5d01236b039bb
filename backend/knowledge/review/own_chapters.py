"""Whole chapters that a hospital adds: of a concept that the knowledge has and tells no chapter of.

A chapter is written as those of the handbook, with its warning signs as lines `level: sign` under their heading. It is kept as a decision, and
stands in files of its own beside the shipped ones; a disease or finding that gets a chapter becomes a condition. It makes no concept and no fact.
"""

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from backend.errors import InputError
from backend.knowledge.advice.red_flags import WARNING_SIGNS
from backend.knowledge.review.decisions import Decision, Verdict
from backend.knowledge.review.items import NONE, Kind, ReviewItem
from backend.knowledge.starter import concept_id
from backend.knowledge.starter_check import OWN_CHAPTERS, SENTENCE_END
from backend.schemas.vocabulary import Category

HANDBOOK, RED_FLAGS, APPLICABILITY = (
    f"handbook/{OWN_CHAPTERS}.md", f"red_flags/{OWN_CHAPTERS}.tsv", f"applicability/{OWN_CHAPTERS}.tsv",
)  # fmt: skip
_HEADS = {
    RED_FLAGS: "concept\tsign\tlevel\tneeds\texcludes",
    APPLICABILITY: "chapter\tsection\tsentence\tneeds\texcludes\treason",
}
_NAME = re.compile(r"# +(?P<name>.+)")
_CONDITIONS = frozenset({Category.DISEASE, Category.FINDING})
_CATEGORY, _FLAGS, _CELLS = 2, 5, 6
_FLAG = "condition"


def own_chapter(text: str) -> ReviewItem:
    """A hospital's chapter as an item.

    Raises:
        InputError: it does not begin with a line `# name`.
    """
    text = text.strip()
    found = _NAME.fullmatch(text.split("\n", 1)[0].strip()) if text else None
    if found is None:
        raise InputError("A chapter begins with a line '# name', the name of a concept of the knowledge.")
    name = found["name"].strip()
    return ReviewItem(_item_id(name), Kind.CHAPTER, name, text, (), HANDBOOK, 1, text.count("\n") + 1)


def own_chapters(decisions: Mapping[str, Decision]) -> list[ReviewItem]:
    """The chapters that were added and stand, in the order of their names."""
    added = [own_chapter(one.text) for one in decisions.values() if one.verdict is Verdict.ADDED]
    return sorted(added, key=lambda item: item.title)


def concept_row(shipped: Path, name: str) -> tuple[str, int, list[str]] | None:
    """The file, the line (counted from 0) and the cells of a concept; None where nothing has the name."""
    for path in sorted((shipped / "concepts").glob("*.tsv")):
        for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")):
            cells = line.split("\t")
            if cells[0].strip() == name and not line.startswith("#"):
                return path.relative_to(shipped).as_posix(), number, [cell.strip() for cell in cells]
    return None


def own_files(shipped: Path, chapters: Iterable[ReviewItem], texts: Mapping[str, str]) -> dict[str, str]:
    """The files that hold the hospital's chapters, and those of concepts that become conditions.

    Args:
        shipped: the knowledge as it ships.
        chapters: those that were added.
        texts: files that other decisions have changed already.

    Raises:
        InputError: a chapter of what is no concept, or a warning sign without a level.
    """
    found: dict[str, str] = {}
    bodies, signs, rows = list[str](), list[str](), list[str]()
    for chapter in chapters:
        concept = concept_row(shipped, chapter.title)
        if concept is None:
            raise InputError(
                f"{chapter.title!r} is the name of no concept. A chapter is of a concept that the knowledge has."
            )
        body, own = _apart(chapter)
        bodies.append(body)
        signs += own
        file, line, cells = concept
        category = cells[_CATEGORY]
        if category == Category.SYMPTOM:
            rows += _for_everybody(chapter.title, body)
        if category in _CONDITIONS and _FLAG not in cells[_FLAGS:][:1]:
            before = found.get(file) or texts.get(file) or (shipped / file).read_text(encoding="utf-8")
            found[file] = _flagged(before, line, cells)
    if bodies:
        found[HANDBOOK] = "\n\n".join(bodies) + "\n"
        found[RED_FLAGS] = "\n".join([_HEADS[RED_FLAGS], *signs]) + "\n"
    if rows:
        found[APPLICABILITY] = "\n".join([_HEADS[APPLICABILITY], *rows]) + "\n"
    return found


def _item_id(name: str) -> str:
    return f"{Kind.CHAPTER}/{concept_id(name)[3:]}"


def _apart(chapter: ReviewItem) -> tuple[str, list[str]]:
    """The chapter without its warning signs, and these as rows."""
    kept, signs, under = list[str](), list[str](), False
    for line in chapter.text.split("\n"):
        if line.startswith("#"):
            under = line.strip("# ").strip() == WARNING_SIGNS
        if not under:
            kept.append(line)
        elif line.strip() and not line.startswith("#"):
            level, colon, sign = line.strip().lstrip("-* ").partition(":")
            if not colon or not sign.strip():
                raise InputError(
                    f"{chapter.title}: a warning sign is written 'level: sign', not {line.strip()[:60]!r}."
                )
            signs.append("\t".join((chapter.title, sign.strip().rstrip("."), level.strip(), NONE, NONE)))
    return "\n".join(kept).strip(), signs


def _for_everybody(name: str, body: str) -> list[str]:
    """A row for each sentence of a symptom's chapter: the hospital's own sentences hold for every adult."""
    rows, title = list[str](), ""
    for line in body.split("\n"):
        title = line.removeprefix("## ").strip() if line.startswith("## ") else title
        if title and line.strip() and not line.startswith("#"):
            rows += ["\t".join((name, title, one, NONE, NONE, NONE)) for one in SENTENCE_END.split(line.strip())]
    return rows


def _flagged(text: str, line: int, cells: list[str]) -> str:
    """A file of concepts in which one is a condition."""
    row = [*cells, *[""] * (_CELLS - len(cells))]
    row[_FLAGS] = "|".join(filter(None, (row[_FLAGS], _FLAG)))
    lines = text.split("\n")
    lines[line] = "\t".join(row)
    return "\n".join(lines)
