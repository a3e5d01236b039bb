"""The settings by subject, and what is registered: what an operator wants to change, not the order in which the program reads them.

A setting that no pattern names comes last, under OTHERS of ADVANCED, so that none is left out.
"""

from collections.abc import Iterable, Mapping
from fnmatch import fnmatchcase
from typing import Any, NamedTuple

from app.words.words import _, later
from backend.schemas.seams import Seam
from backend.settings import Settings

MODEL, KNOWLEDGE = later("Model"), later("Knowledge and sources")
DATA, ADVANCED = later("Data and privacy"), later("Advanced")
OTHERS = later("Others")
PREFIX = "LEAPNOTE_"

# group, section, patterns of names without the prefix; the first that fits takes a setting
PLACES: tuple[tuple[str, str, tuple[str, ...]], ...] = (
    (MODEL, later("Who writes"), ("generator", "llm_url", "llm_key", "more_generators")),
    (
        MODEL,
        later("Models for single tasks"),
        ("*_model", "entailment", "judge_support", "uncertainty_samples", "repair"),
    ),
    (MODEL, later("A vLLM server that Leapnote starts"), ("vllm_*", "llm_port", "llm_status")),
    (MODEL, later("Limits and waiting"), ("llm_*",)),
    (
        KNOWLEDGE,
        later("Graph, policies and encoder"),
        (
            "knowledge",
            "sources",
            "graph",
            "policies",
            "encoder",
            "name_encoder",
            "condition_ranker",
            "passage_ranker",
            "rerank*",
        ),
    ),
    (KNOWLEDGE, later("Words of drafts"), ("locale", "docx_template")),
    (KNOWLEDGE, "Neo4j", ("neo4j_*",)),
    (DATA, later("Where data are stored"), ("data", "database_url", "retention_days")),
    (DATA, later("Who has access"), ("host", "allowed_hosts", "login", "api_token", "api_port", "page_port")),
    (DATA, later("Size and time limits"), ("max_note_chars", "timeout_s")),
    (ADVANCED, later("How much evidence a draft uses"), ("paths", "walk", "passages", "conditions", "evidence_tokens")),
    (ADVANCED, later("The patient's own notes"), ("patient_*",)),
    (ADVANCED, later("Published systems"), ("rar2_*", "imedrag_*", "spo_*", "planner_trained_for", "clinicalrag_*")),
)


class Setting(NamedTuple):
    """now: the value in words. changed: whether it differs from the default."""

    name: str
    what: str
    now: str
    changed: bool


class Section(NamedTuple):
    """A titled table of settings."""

    title: str
    settings: tuple[Setting, ...]


def sections(rows: Iterable[Mapping[str, Any]], group: str) -> tuple[Section, ...]:
    """The sections of a group, in the order of PLACES; those without a setting are left out."""
    found: dict[str, list[Setting]] = {}
    for row in rows:
        here, title = place(_bare(str(row["name"])))
        if here == group:
            found.setdefault(title, []).append(setting(row))
    order = [title for _, title, _ in PLACES] + [OTHERS]
    return tuple(Section(title, tuple(found[title])) for title in order if title in found)


def place(name: str) -> tuple[str, str]:
    """Group and section of a setting by its name without the prefix."""
    for group, title, patterns in PLACES:
        if any(fnmatchcase(name, pattern) for pattern in patterns):
            return group, title
    return ADVANCED, OTHERS


def setting(row: Mapping[str, Any]) -> Setting:
    """A row of the API in words. A secret's value is only known to be set or not."""
    name, value = str(row["name"]), str(row["value"])
    field = Settings.model_fields.get(_bare(name))
    usual = "" if field is None else str(field.get_default(call_default_factory=True))
    changed = value == "set" or value not in ("not set", usual)
    return Setting(name, str(row["meaning"] or ""), _in_words(value), changed)


class SeamTable(NamedTuple):
    """What is registered in one seam. rows: what it is, its name, and its label for people."""

    title: str
    rows: tuple[tuple[str, str, str], ...]


def seam_tables(seams: Iterable[Seam]) -> tuple[SeamTable, ...]:
    """A table a seam, in the order of the API; of a flag kind also what to do about the flag."""
    return tuple(
        SeamTable(
            f"{seam.name.capitalize()} ({len(seam.registered)})",
            tuple((f"{one.about} {one.action}".strip(), one.name, one.label) for one in seam.registered),
        )
        for seam in seams
    )


def _in_words(value: str) -> str:
    unset = later("not set")
    words = {"": unset, unset: unset, "True": later("yes"), "False": later("no")}
    return _(words[value]) if value in words else value


def _bare(name: str) -> str:
    return name.removeprefix(PREFIX).lower()
