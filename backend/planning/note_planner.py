"""Leapnote's own plan: sub-queries for each of the five sources by rule, as many as the note's concepts and chapters ask for.

A source that holds nothing is named and skipped with its reason, so that the page can say what was not searched.
"""

import re
from collections.abc import Collection, Sequence

from backend.interfaces import Linker, NoteContext
from backend.nlp.people.situations import names_listed, situations_of
from backend.schemas.drafts.evidence import Condition, Plan, SubQuery
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Assertion, Category, ConditionStatus, Document, Source

PARTS: dict[Document, tuple[str, ...]] = {
    Document.DISCHARGE_INSTRUCTIONS: (
        "What it is",
        "Medicines",
        "Diet",
        "Activity",
        "Precautions",
        "Warning signs",
        "Follow-up",
        "Treatment",
    ),
    Document.PROGRESS_NOTE: ("How it shows", "Tests", "Treatment", "Medicines", "Follow-up", "Precautions"),
    Document.CLINICAL_ANSWER: ("What it is", "How it shows", "Tests", "Treatment"),
}
ASKED: tuple[tuple[str, str], ...] = (
    ("Diet", r"\b(food|eat|eating|diet|drink|drinking|meal|salt|nutrition)"),
    ("Activity", r"\b(exercis|activit|walk|drive|driving|sport|lift|work\b|rest\b)"),
    ("Medicines", r"\b(drug|medicine|medication|pill|tablet|antibiotic|dose)"),
    ("Tests", r"\b(test|diagnos|scan|x-ray|blood work|laborator|imaging)"),
    ("Treatment", r"\b(treat|manag|therap|surg|cure|operation)"),
    ("How it shows", r"\b(symptom|sign\b|signs\b|feel|present|look like)"),
    ("Warning signs", r"\b(warning|emergency|red flag|call|urgent|worse)"),
    ("Precautions", r"\b(avoid|precaution|careful|prevent|safe)"),
    ("Follow-up", r"\b(follow|after discharge|check-up|recheck|appointment)"),
    ("What it is", r"\b(what is|what are|mean|cause|why)"),
)


class RuleNotePlanner:
    """Plans from the leading conditions, the question and what holds for the patient now.

    Args:
        filled: the sources that hold passages.
        linker: reads the medicines of the list for home; without one they are not asked about.
    """

    def __init__(self, filled: Collection[Source], linker: Linker | None = None) -> None:
        self._filled = frozenset(filled)
        self._linker = linker

    def plan(self, context: NoteContext) -> Plan:
        """Queries for the leading conditions' chapters, the question when there is one, and the note's present findings."""
        linked, conditions, paths, request = context
        texts = self._texts(linked, conditions, request)
        queries: list[SubQuery] = []
        for source in Source:
            if source == Source.GRAPH:
                reason = "definitions and one-hop facts of the leading conditions"
                queries.extend(SubQuery(source=source, text=c.name, reason=reason) for c in conditions if c.focus)
            elif source not in self._filled:
                skipped = f"No passages are indexed for source '{source.value}'."
                queries.append(SubQuery(source=source, text="", skipped=skipped))
            else:
                queries.extend(SubQuery(source=source, text=text, reason=reason) for text, reason in texts)
        return Plan(thoughts=tuple(path.text for path in paths), sub_queries=tuple(queries))

    def _texts(
        self, linked: LinkedNote, conditions: Sequence[Condition], request: DraftRequest
    ) -> list[tuple[str, str]]:
        texts: list[tuple[str, str]] = []
        parts = asked_parts(request.question) or PARTS[request.document]
        for condition in (c for c in conditions if c.focus):
            for part in parts:
                texts.append((f"{condition.name}: {part}", f"{part.lower()} for a leading condition"))
        if request.question:
            texts.append((request.question, "the question as asked"))
            texts.extend((f"{request.question} {option}", "the question with an option") for option in request.options)
        if request.document == Document.DISCHARGE_INSTRUCTIONS:
            listed = names_listed(self._linker, request.discharge_medicines) if self._linker else ()
            rows = [s.row for s in situations_of(linked, listed=listed) if s.row.chapter]
            reason = "care that the patient's situation asks for"
            texts.extend((f"{row.chapter}: {part}", reason) for row in rows for part in row.parts)
        history = [c for c in conditions if c.historical and c.status != ConditionStatus.RULED_OUT][:4]
        texts.extend((f"{c.name}: Precautions", "precautions for a condition in the history") for c in history)
        if linked.allergies.items:
            texts.append(("tell doctors and pharmacists about a medicine allergy", "the note lists allergies"))
        signs = [m.name for m in present(linked) if m.category in (Category.SYMPTOM, Category.FINDING)]
        if signs:
            texts.append((", ".join(dict.fromkeys(signs[:8])), "the present findings together"))
        return list(dict.fromkeys(texts))


def asked_parts(question: str) -> tuple[str, ...]:
    """The parts of a handbook chapter that a question asks for, in the order of ASKED; empty when none is named."""
    return tuple(part for part, words in ASKED if re.search(words, question, re.IGNORECASE))


def present(linked: LinkedNote) -> list[Mention]:
    """Mentions that hold for the patient now and are no allergen."""
    return [m for m in linked.note.mentions if m.assertion == Assertion.PRESENT and not m.allergen]
