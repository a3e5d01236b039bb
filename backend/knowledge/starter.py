"""Read the starter knowledge: plain TSV and Markdown, one file a body system.

Takes the folder assets/knowledge; gives concepts, triples in their relation's own direction with those that safety rows state, the
rows themselves, doses and handbook sections, each with the file and line it came from. It does not judge: `starter_check` does.
"""

import re
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.knowledge.advice.applicability import ApplicabilityRow, read_applicability
from backend.knowledge.advice.red_flags import FOLDER as RED_FLAGS
from backend.knowledge.advice.red_flags import WARNING_SIGNS, RedFlag, WhomRow, read_red_flags, read_whom, warning_signs
from backend.knowledge.advice.sign_classes import SignClasses, sign_classes
from backend.knowledge.advice.standing import StandingInstruction, read_standing
from backend.knowledge.advice.told_under import ToldUnder, read_told_under
from backend.knowledge.safety.rows.clauses import ConceptNames
from backend.knowledge.safety.rows.coverage import CoverageRow, read_coverage
from backend.knowledge.safety.rows.dose_rows import DoseRow, read_doses
from backend.knowledge.safety.rows.implied import ImpliedRow, read_implied
from backend.knowledge.safety.rows.safety_facts import safety_facts
from backend.knowledge.safety.rows.safety_rows import SafetyRows, read_safety_rows
from backend.knowledge.safety.rows.undosed import UndosedRow, read_undosed
from backend.schemas.vocabulary import Category
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow

SECTIONS = (
    "What it is",
    "How it shows",
    "Tests",
    "Treatment",
    "Medicines",
    "Diet",
    "Activity",
    "Precautions",
    WARNING_SIGNS,
    "Follow-up",
)


class Line(NamedTuple):
    """Where a row stands: file stem (the body system) and line number, counted from 1."""

    system: str
    number: int


class HandbookSection(NamedTuple):
    """One section of one chapter: its plain text is what gets retrieved and cited."""

    condition: str
    title: str
    text: str
    where: Line


class Starter(NamedTuple):
    """The shipped knowledge as its files have it, each row with its place."""

    concepts: list[tuple[ConceptRow, Line]]
    triples: list[tuple[TripleRow, Line]]
    doses: list[tuple[DoseRow, Line]]
    relations: dict[str, RelationRow]
    handbook: list[HandbookSection]
    applicability: tuple[ApplicabilityRow, ...] = ()
    red_flags: tuple[RedFlag, ...] = ()
    safety: SafetyRows = SafetyRows()
    sign_classes: SignClasses = SignClasses()
    implied: tuple[ImpliedRow, ...] = ()
    standing: tuple[StandingInstruction, ...] = ()
    coverage: tuple[CoverageRow, ...] = ()
    told_under: tuple[ToldUnder, ...] = ()
    whom: tuple[WhomRow, ...] = ()
    undosed: tuple[UndosedRow, ...] = ()


@cache
def concept_id(name: str) -> str:
    """The id of a starter concept, made from its name: `heart failure` is `LN:heart-failure`."""
    return "LN:" + re.sub(r"[^a-z0-9]+", "-", name.lower().replace("'", "")).strip("-")


def read_starter(folder: Path) -> Starter:
    """Read the whole folder.

    Raises:
        KnowledgeError: naming file and line where a row has the wrong shape.
    """
    if not (folder / "relations.tsv").is_file():
        raise KnowledgeError(f"There is no starter knowledge in {folder.name!r}. Set LEAPNOTE_KNOWLEDGE to its folder.")
    relations = read_relations(folder / "relations.tsv")
    inverse = {row.inverse: row.relation for row in relations.values() if row.inverse != row.relation}
    concepts = [item for path in _files(folder, "concepts") for item in _concepts(path)]
    triples = [item for path in _files(folder, "triples") for item in _triples(path, inverse)]
    names = concept_names(row for row, _ in concepts)
    doses = [(row, Line(row.file, row.line)) for row in read_doses(folder, names)]
    safety = read_safety_rows(folder, names)
    implied = read_implied(folder, names)
    facts = safety_facts(safety, [row for row, _ in doses], names)
    triples += [(fact.triple, Line(fact.file, fact.line)) for fact in facts]
    written = [section for path in sorted((folder / "handbook").glob("*.md")) for section in _chapters(path)]
    classes = sign_classes(folder / RED_FLAGS)
    red_flags = tuple(read_red_flags(folder))
    handbook = list(_with_warning_signs(written, warning_signs(red_flags)))
    applicability = (*read_applicability(folder), *(flag.applicability for flag in red_flags))
    return Starter(
        concepts=concepts,
        triples=triples,
        doses=doses,
        relations=relations,
        handbook=handbook,
        applicability=applicability,
        red_flags=red_flags,
        safety=safety,
        sign_classes=classes,
        implied=implied,
        standing=read_standing(folder),
        coverage=read_coverage(folder),
        told_under=read_told_under(folder),
        whom=read_whom(folder),
        undosed=read_undosed(folder, names),
    )


def symptom_chapters(starter: Starter) -> frozenset[str]:
    """The names of the symptoms that have a chapter; a condition that is a symptom too (syncope) has a whole one instead."""
    symptoms = {row.name for row, _ in starter.concepts if row.category == Category.SYMPTOM and not row.condition}
    return frozenset(section.condition for section in starter.handbook if section.condition in symptoms)


def chapters_of_complaints(starter: Starter) -> dict[str, str]:
    """By id of a complaint or disease, the id of what has the chapter that tells of it: its own, or that of a row of told_under.tsv."""
    own = {concept_id(name): concept_id(name) for name in symptom_chapters(starter)}
    return {concept_id(row.concept): concept_id(row.chapter) for row in starter.told_under} | own


def concept_names(concepts: Iterable[ConceptRow]) -> ConceptNames:
    """The names by which rows of other files name concepts."""
    rows = list(concepts)
    synonyms = {synonym.lower(): row.name for row in rows for synonym in row.synonyms}
    return ConceptNames({row.name: (row.concept_id, row.category) for row in rows}, synonyms)


def read_relations(path: Path) -> dict[str, RelationRow]:
    """The closed list of relations by name; `*` as a category means any."""
    rows = {}
    for _, cells in _rows(path, 7, 7):
        rows[cells[0]] = RelationRow(
            cells[0], cells[1], frozenset(cells[2].split(",")), frozenset(cells[3].split(",")), *cells[4:]
        )
    return rows


def _files(folder: Path, kind: str) -> list[Path]:
    return sorted((folder / kind).glob("*.tsv"))


def _rows(path: Path, least: int, most: int) -> Iterator[tuple[int, list[str]]]:
    for number, line in enumerate(path.read_text(encoding="utf-8").split("\n")[1:], start=2):
        if line.startswith("#") or not line.strip():
            continue
        cells = list(map(str.strip, line.split("\t")))
        while len(cells) > least and not cells[-1]:
            cells.pop()
        if not least <= len(cells) <= most:
            raise KnowledgeError(
                f"{path.name}:{number} in {path.parent.name}/ has {len(cells)} cells, not {least} to {most}: "
                f"{line.strip()[:80]!r}. Separate the cells by single tabs."
            )
        yield number, cells + [""] * (most - len(cells))


def _concepts(path: Path) -> Iterator[tuple[ConceptRow, Line]]:
    for number, (name, group, category, synonyms, plain, flags) in _rows(path, 3, 6):
        marks = set(filter(None, flags.split("|")))
        names = tuple(dict.fromkeys(s.strip() for s in synonyms.split("|") if s.strip() and s.strip() != name))
        row = ConceptRow(
            concept_id(name), name, group, category, names, plain, "condition" in marks, "must_not_miss" in marks
        )
        yield row, Line(path.stem, number)


def _triples(path: Path, inverse: dict[str, str]) -> Iterator[tuple[TripleRow, Line]]:
    system = path.stem
    for number, (head, relation, tail, qualifier) in _rows(path, 3, 4):
        if relation in inverse:
            head, relation, tail = tail, inverse[relation], head
        yield TripleRow(concept_id(head), relation, concept_id(tail), qualifier), Line(system, number)


def _chapters(path: Path) -> Iterator[HandbookSection]:
    condition, title, start, body = "", "", 0, list[str]()
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), "# "], start=1):
        heading = re.match(r"(#{1,2})\s+(.*)|# $", line)
        if heading is None:
            body.append(line)
            continue
        text = " ".join(" ".join(body).split())
        if condition and title:
            yield HandbookSection(condition, title, text, Line(path.stem, start))
        body, start = [], number
        if heading[1] == "##":
            title = heading[2].strip()
        else:
            condition, title = (heading[2] or "").strip(), ""


def _with_warning_signs(written: list[HandbookSection], flags: dict[str, list[RedFlag]]) -> Iterator[HandbookSection]:
    """Yield the sections, with that of warning signs where its place is; one that was written keeps it only without rows."""
    behind = frozenset(SECTIONS[SECTIONS.index(WARNING_SIGNS) + 1 :])
    for chapter, sections in groupby(written, key=lambda section: section.condition):
        waiting = flags.get(chapter, [])
        for section in sections:
            if waiting and section.title in behind:
                yield _warning_section(waiting)
                waiting = []
            if section.title != WARNING_SIGNS or chapter not in flags:
                yield section
        if waiting:
            yield _warning_section(waiting)


def _warning_section(flags: list[RedFlag]) -> HandbookSection:
    text = " ".join(flag.sentence for flag in flags)
    return HandbookSection(flags[0].concept, WARNING_SIGNS, text, Line(f"{RED_FLAGS}/{flags[0].file}", flags[0].line))
