"""What a piece of advice needs of a patient, as data: `wound`, `takes:warfarin`, `smoker?`, and the table of the kinds.

A need fails unless the patient's record holds it; with `?` at its end, or of a kind that says so, it fails only where the record denies
it. Kinds are those of PERSON, which are read from who the patient is and where, those of NAMED, which take a name behind a colon, those of AGES
and the rows of assets/rules/fit/kinds.tsv, which say by which words of the record's statements they are held.
"""

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import NamedTuple

from backend.errors import KnowledgeError
from backend.nlp.rules import RULES, rule_rows

AGES = frozenset({"age from", "age under"})
"""Kinds that take a number of years, 0.25 for three months."""
NAMED = frozenset({"has", "takes", "lasting", "medicine", "given", "undecided", "procedure", "device", "relative"})
"""has: a problem of the patient; takes: a medicine taken now; lasting: one whose end the note does not tell; medicine: taken or on hold;
given: taken, on hold or given here; undecided: a medicine that the note does not stop;
relative: somebody the note tells of."""
PERSON: Mapping[str, str] = MappingProxyType(
    {
        "adult": "an adult",
        "child": "a child",
        "stated child": "a child",
        "older": "somebody older",
        "female": "a woman",
        "male": "a man",
        "childbearing": "a woman who may become pregnant",
        "after menopause": "a woman after menopause",
        "pregnant": "a pregnancy",
        "not known to be pregnant": "a pregnancy that the note has told already",
        "smoker": "smoking",
        "drinks alcohol": "drinking alcohol",
        "uses drugs": "drug use",
        "overweight": "weighing too much",
        "weak pump": "a heart that pumps weakly",
        "one side": "a complaint of one side",
        "pain of a place": "pain elsewhere",
        "inpatient stay": "a stay in hospital",
        "allergy": "an allergy",
        "comfort goal": "comfort as the goal of care",
        "new medicine": "a medicine that was started",
        "any age": "",
        "any subject": "",
    }
)
"""Kinds that are read from person, habits and encounter, with what a reader is told where they fail.

stated child: only where the note gives a child's age; any age: it holds for children too; any subject: also for those who do not
have what its chapter is about.
"""
UNLESS_DENIED = frozenset(
    {"adult", "child", "older", "female", "male", "childbearing", "after menopause", "not known to be pregnant", "inpatient stay", "allergy"}
)  # fmt: skip
STATEMENTS = frozenset(
    {"problems", "procedures", "today", "done", "operations", "devices", "medications", "social", "plan"}
)
_ANY, _ALSO = "|", ";"
_YEARS = re.compile(r"\d+(?:\.\d+)?")


class Need(NamedTuple):
    """One thing that must hold.

    Attributes:
        kind: as the module says.
        name: of a concept or relative, for kinds of NAMED; years, for kinds of AGES.
        unless_denied: it fails only where it is denied.
        said: how a sentence calls it, for a reader; empty for its name.
    """

    kind: str
    name: str = ""
    unless_denied: bool = False
    said: str = ""


class Needs(NamedTuple):
    """What a piece of advice asks: of each group of all_of at least one, and nothing of none_of."""

    all_of: tuple[tuple[Need, ...], ...] = ()
    none_of: tuple[Need, ...] = ()


class KindRow(NamedTuple):
    """One row of the table of kinds."""

    kind: str
    sources: frozenset[str]
    words: tuple[str, ...]
    missing: str
    unless_denied: bool


@lru_cache(maxsize=8)
def need_kinds(folder: Path = RULES) -> Mapping[str, KindRow]:
    """The rows of `<folder>/fit/kinds.tsv` by kind.

    Raises:
        KnowledgeError: a row looks at statements there are not, has no words, or repeats a kind.
    """
    path = folder / "fit" / "kinds.tsv"
    rows: dict[str, KindRow] = {}
    for kind, sources, words, missing, unless_denied in rule_rows(path, 5):
        looked = frozenset(sources.split())
        if unknown := looked - STATEMENTS:
            raise KnowledgeError(
                f"{path.name}: '{kind}' looks at {', '.join(sorted(unknown))}; use {', '.join(sorted(STATEMENTS))}."
            )
        if kind in rows or kind in PERSON or kind in NAMED:
            raise KnowledgeError(f"{path.name}: the kind '{kind}' is there already. Give each kind one row.")
        if unless_denied not in ("yes", "no") or not (words and missing):
            raise KnowledgeError(f"{path.name}: '{kind}' needs words, what is missing, and yes or no at its end.")
        rows[kind] = KindRow(kind, looked, tuple(words.split(_ANY)), missing, unless_denied == "yes")
    return MappingProxyType(rows)


def parse_need(text: str) -> Need:
    """A need as it is written.

    Raises:
        KnowledgeError: its kind is none, or a name is missing or too much.
    """
    stripped = text.strip()
    plain = stripped.removesuffix("?").strip()
    kind, colon, name = (part.strip() for part in plain.partition(":"))
    rows = need_kinds()
    if kind in AGES:
        if not _YEARS.fullmatch(name):
            raise KnowledgeError(f"'{stripped}': write {kind}:YEARS.")
        return Need(kind, name, unless_denied=True)
    if kind not in NAMED and kind not in PERSON and kind not in rows:
        known = ", ".join(
            sorted({*PERSON, *rows, *(f"{one}:NAME" for one in NAMED), *(f"{one}:YEARS" for one in AGES)})
        )
        raise KnowledgeError(f"'{stripped}' is no need. Use one of: {known}.")
    if (kind in NAMED) != bool(colon and name):
        raise KnowledgeError(f"'{stripped}': write {kind}:NAME." if kind in NAMED else f"'{stripped}' takes no name.")
    always = kind in UNLESS_DENIED or (kind in rows and rows[kind].unless_denied)
    return Need(kind, name, always or stripped.endswith("?"))


def parse_needs(needed: str, excluded: str = "") -> Needs:
    """Needs as they are written: set apart by ";", of which each may be a choice set apart by "|"; "-" or nothing for none.

    One that is no need is a KnowledgeError.
    """
    groups = [part for part in needed.split(_ALSO) if part.strip() not in ("", "-")]
    without = [part for part in excluded.split(_ALSO) if part.strip() not in ("", "-")]
    return Needs(
        tuple(tuple(parse_need(one) for one in group.split(_ANY)) for group in groups),
        tuple(parse_need(one) for one in without),
    )


def missing_words(need: Need) -> str:
    """What a reader is told that a sentence speaks of: "a wound", "warfarin"."""
    if need.kind in NAMED:
        return f"your {need.name}" if need.kind == "relative" else f"“{need.said or need.name}”"
    if need.kind in AGES:
        return f"somebody of another age ({need.kind.removeprefix('age ')} {need.name} years)"
    if need.kind in PERSON:
        return PERSON[need.kind]
    return need_kinds()[need.kind].missing


def spoken_against(need: Need) -> str:
    """Why a sentence that must not stand beside what the record holds is not for this patient, in words for a reader."""
    if need.kind == "comfort care":
        return "is about prevention or training; the note tells of comfort care"
    if need.kind == "comfort goal":
        return "asks for emergency treatment; the note tells of comfort as the goal of care"
    if need.kind == "unable to walk":
        return "asks for walking or training; the note tells that the patient cannot walk"
    return f"does not hold beside {missing_words(need)}"
