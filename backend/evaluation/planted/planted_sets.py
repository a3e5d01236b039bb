"""True sentences with what they cite, and beside each the same with one wrong statement planted, from public notes or from drafts.

A note's sentence cites itself and its two neighbours, as they stand in the note. A draft's sentence cites what its writer cited.
Which half a pair belongs to follows from the note's name alone, so that one half can be kept unseen.
"""

import hashlib
import random
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from backend.evaluation.planted.paraphrase import paraphrased
from backend.evaluation.planted.planted import Kind, Planted, Pool, plant
from backend.evaluation.reading.labelled_texts import read_labelled
from backend.ingest.clinical_notes.visit_pairs import VisitNote
from backend.interfaces import Linker
from backend.nlp.document import sentences as split
from backend.schemas.drafts.draft import WrittenSentence
from backend.schemas.drafts.evidence import Evidence, NotePiece
from backend.schemas.drafts.gaps import is_no_statement
from backend.schemas.drafts.note import LinkedNote, Mention
from backend.schemas.vocabulary import Basis, Category, SemanticGroup
from backend.stores.graph.graph_rows import ConceptRow

FEWEST_WORDS, MOST_WORDS = 5, 45
_ORGANISMS = (
    "Mycobacterium kansasii", "Bartonella henselae", "Coxiella burnetii", "Francisella tularensis", "Nocardia brasiliensis", "Sporothrix schenckii",
    "Burkholderia cepacia", "Ehrlichia chaffeensis", "Capnocytophaga canimorsus", "Tropheryma whipplei",
)  # fmt: skip

_VERBAL = frozenset(
    {"has", "have", "is", "was", "feels", "feel", "being", "cannot", "can", "not", "no", "lost", "losing", "throwing"}
)
"""How a name begins that is a clause rather than a name: "has lost weight" ends the list of what is denied."""


class Pair(NamedTuple):
    """true and wrong differ in one statement and rest on the same evidence. held: of the half that is kept unseen."""

    id: str
    kind: Kind
    outside: bool
    held: bool
    true: WrittenSentence
    wrong: WrittenSentence
    linked: LinkedNote
    evidence: Evidence


def pool_of(concepts: Iterable[ConceptRow], linker: Linker, corpora: Sequence[Path] = ()) -> Pool:
    """Names of the graph, and names of published corpora of disease and chemical mentions that the linker does not know."""
    known: dict[Category, list[str]] = {}
    for row in concepts:
        if len(row.name) > 3:
            known.setdefault(Category(row.category), []).append(row.name)
    outside: dict[Category, set[str]] = {}
    sides = {SemanticGroup.CHEM: Category.DRUG, SemanticGroup.DISO: Category.DISEASE}
    for path in corpora:
        for text in read_labelled(path):
            for m in text.mentions:
                if m.group in sides:
                    outside.setdefault(sides[m.group], set()).add(text.text[m.start : m.end])
    outside[Category.ORGANISM] = set(_ORGANISMS)
    kept = {
        category: sorted(
            n
            for n in names
            if re.fullmatch(r"[a-z][a-z ]{5,30}", n, re.IGNORECASE) and not linker.link(f"She has {n}.").note.mentions
        )
        for category, names in outside.items()
    }
    return Pool({category: sorted(names) for category, names in known.items()}, kept)


def note_pairs(
    notes: Sequence[VisitNote],
    linker: Linker,
    pool: Pool,
    synonyms: Mapping[str, Sequence[str]],
    seed: int,
    progress: Callable[[int, int], None],
) -> Iterator[Pair]:
    """Of every sentence that a kind fits, one pair a kind, paraphrased."""
    for done, note in enumerate(notes):
        progress(done, len(notes))
        linked = linker.link(note.text)
        pieces = _pieces(linked)
        for place, piece in enumerate(pieces):
            if not FEWEST_WORDS <= len(piece.text.split()) <= MOST_WORDS:
                continue
            near = pieces[max(0, place - 1) : place + 2]
            mentions = _moved(
                [m for m in linked.note.mentions if piece.start_char <= m.start_char < piece.end_char],
                -piece.start_char,
            )
            cited = " ".join(one.text for one in near)
            for kind in Kind:
                name = f"{note.name}/{place}/{kind}"
                planted = plant(kind, piece.text, mentions, pool, cited, random.Random(f"{seed}/{name}"))
                if planted is None:
                    continue
                true, wrong = _paraphrased_pair(piece.text, mentions, planted, synonyms, _number(f"{seed}/{name}"))
                if true == wrong:
                    continue
                given = WrittenSentence(
                    text=true, section="s", basis=Basis.PATIENT, citations=tuple(one.id for one in near)
                )
                yield Pair(
                    name,
                    kind,
                    planted.outside,
                    held(note.name),
                    given,
                    given.model_copy(update={"text": wrong}),
                    linked,
                    Evidence(notes=tuple(near)),
                )


def draft_pairs(
    drafts: Iterable[tuple[str, Sequence[WrittenSentence], LinkedNote, Evidence]], linker: Linker, pool: Pool, seed: int
) -> Iterator[Pair]:
    """Of every sentence of a draft that a kind fits, one pair a kind, as it was written."""
    for name, sentences, linked, evidence in drafts:
        texts = {item.id: item.text for kind in (evidence.graph, evidence.passages, evidence.notes) for item in kind}
        texts |= {path.id: path.supported_text for path in evidence.paths}
        for place, sentence in enumerate(sentences):
            if not sentence.citations or is_no_statement(sentence.text):
                continue
            cited = " ".join(texts[c] for c in sentence.citations if c in texts)
            mentions = linker.link(sentence.text).note.mentions
            for kind in Kind:
                of = f"{name}/{place}/{kind}"
                planted = plant(kind, sentence.text, mentions, pool, cited, random.Random(f"{seed}/{of}"))
                if planted is not None:
                    wrong = sentence.model_copy(update={"text": planted.text})
                    yield Pair(of, kind, planted.outside, held(name), sentence, wrong, linked, evidence)


def held(name: str) -> bool:
    """Whether a note is of the half that is kept unseen."""
    return bool(hashlib.sha256(name.encode()).digest()[0] % 2)


def synonyms_of(
    concepts: Iterable[ConceptRow],
    categories: Collection[Category] = (Category.SYMPTOM, Category.DISEASE, Category.FINDING, Category.TEST),
) -> dict[str, tuple[str, ...]]:
    """The names of each concept, short forms left out."""
    return {
        row.concept_id: tuple(
            n
            for n in (row.name, *row.synonyms)
            if len(n) > 3 and not n.isupper() and n.split()[0].lower() not in _VERBAL
        )
        for row in concepts
        if Category(row.category) in categories
    }


def _paraphrased_pair(
    text: str, mentions: Sequence[Mention], planted: Planted, synonyms: Mapping[str, Sequence[str]], seed: int
) -> tuple[str, str]:
    """Both sentences of a pair, paraphrased alike."""
    new_end = planted.end + len(planted.text) - len(text)
    others = [m for m in mentions if m.end_char <= planted.start or m.start_char >= planted.end]
    after = [m for m in others if m.start_char >= planted.end]
    moved = [*(m for m in others if m.start_char < planted.start), *_moved(after, len(planted.text) - len(text))]
    true = paraphrased(text, others, synonyms, (planted.start, planted.end), seed)
    return true, paraphrased(planted.text, moved, synonyms, (planted.start, new_end), seed)


def _moved(mentions: Sequence[Mention], by: int) -> list[Mention]:
    return [m.model_copy(update={"start_char": m.start_char + by, "end_char": m.end_char + by}) for m in mentions]


def _pieces(linked: LinkedNote) -> list[NotePiece]:
    text = linked.note.text
    out = list[NotePiece]()
    for section in linked.note.sections:
        for start, end in split(text, section.body_char, section.end_char):
            out.append(
                NotePiece(
                    id=f"N{len(out) + 1}",
                    note_type="Pasted note",
                    section=section.title or section.category.value,
                    text=text[start:end],
                    start_char=start,
                    end_char=end,
                )
            )
    return out


def _number(text: str) -> int:
    return int.from_bytes(hashlib.sha256(text.encode()).digest()[:4], "big")
