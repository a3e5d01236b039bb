"""A request and its evidence as the data of a writing prompt, each piece with its id, and the order in which pieces may go.

The pasted note stands whole, with an id before each of its pieces, so that nothing of it is lost where a piece is missing.
What the team added, the story of the record and the medicine table stand whole too. Nothing in any text looks like an id but the ids themselves.
"""

import hashlib
import hmac
import secrets
from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from backend.generation.model.injected_evidence import PASTED
from backend.prompts.citations import defused
from backend.prompts.task import first_words
from backend.prompts.template import Fence
from backend.schemas.drafts.evidence import Condition, Evidence, GraphItem, NotePiece, ReasoningPath
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, UNDATED
from backend.schemas.vocabulary import GROUP_NAMES, LETTERS, ConditionStatus

PASSAGE_WORDS = 300
MOST_CONDITIONS = 12
FORBIDDEN = " (must not be chosen: the safety check forbids it for this patient)"
EXCLUDED = " (must not be chosen: a source advises against it for this patient)"
FROM_WARD = frozenset({"Hospital course", "Discharge medicines", "Confirmed by clinician"})


class Item(NamedTuple):
    """One piece of evidence as a prompt shows it. kind: what it is called when it is left out. block: the data it is part of."""

    id: str
    kind: str
    block: str
    text: str


class PromptMaterial:
    """Build one a draft. `leaving` lists what may be left out, the first to go first."""

    def __init__(
        self,
        request: DraftRequest,
        linked: LinkedNote,
        conditions: Sequence[Condition],
        evidence: Evidence,
        forbidden: Mapping[str, str] | None = None,
        *,
        excluded: Collection[str] = (),
        warned: Mapping[str, str] | None = None,
        person: str = "",
        story: str = "",
        medicines: str = "",
    ) -> None:
        """Take what a model may read.

        Args:
            request: as it came.
            linked: the note.
            conditions: those that may be told.
            evidence: what may be told, each piece with its id.
            forbidden: the options that must not be chosen, by letter with the reason.
            excluded: letters of options that must not be chosen since a source advises against them.
            warned: by letter what speaks against an option that may be chosen.
            person: for whom it is, where that is no adult who is to be cured.
            story: the record as sentences with their ids.
            medicines: the medicine table as sentences with their ids.
        """
        self.forbidden = dict(forbidden or {})
        self.excluded = frozenset(excluded)
        pasted = [piece for piece in evidence.notes if piece.note_type == PASTED]
        ward = [piece for piece in evidence.notes if piece.note_type in FROM_WARD]
        previous = [piece for piece in evidence.notes if piece.note_type == PREVIOUS_VISIT]
        fixed = {piece.id for piece in (*pasted, *ward, *previous)}
        earlier = [piece for piece in evidence.notes if piece.id not in fixed]
        self._always = {
            "note": _with_ids(linked.note.text, pasted),
            "ward": "\n".join(f"[{p.id}] {p.note_type}: {defused(p.text)}" for p in ward),
            "person": person,
            "story": story,
            "medicines": medicines,
            "allergies": _allergies(linked),
            "conditions": _conditions(conditions),
            "question": _question(request, self.forbidden, self.excluded, warned or {}),
        }
        passages = [
            Item(
                p.id,
                "passages",
                "passages",
                f"[{p.id}] {defused(p.title)}. {defused(first_words(p.text, PASSAGE_WORDS))}",
            )
            for p in evidence.passages
        ]
        facts = [Item(g.id, "graph facts", "graph_facts", f"[{g.id}] {_fact(g)}") for g in evidence.graph]
        paths = [Item(k.id, "reasoning paths", "paths", f"[{k.id}] {path_line(k)}") for k in evidence.paths]
        notes = [Item(n.id, "pieces of earlier notes", "earlier_notes", _dated(n)) for n in earlier]
        previous_items = [
            Item(n.id, "previous visit's sentences", "previous_visit", f"[{n.id}] {defused(n.text)}") for n in previous
        ]
        self._items = (*previous_items, *notes, *paths, *facts, *passages)
        dates = {piece.id: piece for piece in earlier}
        self.leaving = (
            *_interleaved(passages, facts, paths),
            # the patient's own notes after all that is general: undated ones, then the oldest, allergies last
            *sorted(notes, key=lambda item: _worth(dates[item.id])),
            *reversed(previous_items),
        )

    def data(self, without: Collection[str] = ()) -> dict[str, str]:
        """The data of a writing prompt, some ids left out. `question` is for prompts that take one."""
        blocks: dict[str, list[str]] = {}
        for item in self._items:
            if item.id not in without:
                blocks.setdefault(item.block, []).append(item.text)
        return self._always | {name: "\n".join(lines) for name, lines in blocks.items()}


def material_fence(data: dict[str, str]) -> Fence:
    """The fence for a material: the same for the same text while the program runs, so that a server need not read it twice.

    Nobody outside can compute it, and whoever changes a letter of the material gets another.
    """
    joined = "\0".join(f"{name}\0{text}" for name, text in sorted(data.items()))
    return Fence(hmac.new(_secret(), joined.encode("utf-8", "surrogatepass"), hashlib.sha256).hexdigest()[:16])


@lru_cache(maxsize=1)
def _secret() -> bytes:
    return secrets.token_bytes(32)


def path_line(path: ReasoningPath, leap: str = "(leap)") -> str:
    """`concept [semantic group] → relation → concept [semantic group]` (ReinRAG, appendix C.3); a leap says that it is one."""
    out = ""
    for place, step in enumerate(path.steps):
        relation = leap if step.leap else step.relation.replace("_", " ")
        qualified = f" ({step.qualifier})" if step.qualifier and not step.leap else ""
        out += f" → {relation}{qualified} → " if place else ""
        out += f"{defused(step.name)} [{GROUP_NAMES[step.group]}]"
    return out or defused(path.text)


def _fact(item: GraphItem) -> str:
    """The graph's sentence, and a model's wording of it where there is one, marked: it helps to read and is no evidence."""
    reworded = f" (in a model's words, which support nothing: {defused(item.wording)})" if item.wording else ""
    return f"{defused(item.text)}{reworded}"


def _with_ids(text: str, pieces: Sequence[NotePiece]) -> str:
    out, place = "", 0
    for piece in sorted(pieces, key=lambda p: (p.start_char, p.id)):
        start = max(place, piece.start_char)
        out += f"{defused(text[place:start])}[{piece.id}] "
        place = start
    return (out + defused(text[place:])).strip()


def _dated(piece: NotePiece) -> str:
    return f"[{piece.id}] {piece.date or UNDATED} ({defused(piece.note_type)}), {defused(piece.section)}: {defused(piece.text)}"


def _worth(piece: NotePiece) -> tuple[bool, str]:
    return "allerg" in f"{piece.section} {piece.text}".lower(), piece.date or ""


def _allergies(linked: LinkedNote) -> str:
    items = [
        f"{defused(item.text)} ({item.kind.value}{f', {defused(item.reaction)}' if item.reaction else ''})"
        for item in linked.allergies.items
    ]
    return "\n".join(items) or linked.allergies.status.value.replace("_", " ")


def _conditions(conditions: Sequence[Condition]) -> str:
    lines: list[str] = []
    for condition in conditions:
        if condition.status == ConditionStatus.RULED_OUT or (
            len(lines) >= MOST_CONDITIONS and not condition.must_not_miss
        ):
            continue
        speaks = ", ".join(dict.fromkeys(r.name for r in condition.because if r.weight > 0))
        lines.append(
            f"{defused(condition.name)}: {condition.status.value}{', must not be missed' if condition.must_not_miss else ''}"
            f"{f'; fits: {defused(speaks)}' if speaks else ''}"
        )
    return "\n".join(lines)


def _question(
    request: DraftRequest, forbidden: Collection[str], excluded: Collection[str], warned: Mapping[str, str]
) -> str:
    def said(letter: str) -> str:
        if letter in forbidden:
            return FORBIDDEN
        if letter in excluded:
            return EXCLUDED
        return f" (a warning speaks against it: {defused(warned[letter])})" if letter in warned else ""

    options = [
        f"{letter}. {defused(text)}{said(letter)}" for letter, text in zip(LETTERS, request.options, strict=False)
    ]
    return "\n".join([defused(request.question.strip()), *options]).strip()


def _interleaved(*kinds: Sequence[Item]) -> list[Item]:
    """The lowest ranked first: each kind loses the same share, the first kind named before the others."""
    ranked = [
        (-(place + 1) / len(items), order, item)
        for order, items in enumerate(kinds)
        for place, item in enumerate(items)
    ]
    return [item for *_, item in sorted(ranked, key=lambda entry: entry[:2])]
