"""Synthetic notes, names and passages, all from a seed.

Takes concepts of the starter knowledge for their words; gives texts about no real person. The notes have the shape of
an admission note and mean nothing clinically: which diagnosis stands beside which symptom is chance.
"""

import random
import re
from collections.abc import Iterator, Sequence

import numpy as np

from backend.stores.graph.graph_rows import ConceptRow

NOTE_WORDS = 500
SYLLABLES = [
    "ab", "ac", "al", "am", "an", "ar", "as", "at", "bra", "bri", "car", "cel", "ci", "cor", "cra", "cy", "da", "de",
    "di", "dro", "du", "e", "ef", "en", "er", "fa", "fi", "fla", "flu", "ga", "ge", "gli", "go", "gra", "ha", "he",
    "hi", "hy", "ic", "il", "in", "ir", "ka", "ke", "ki", "la", "le", "li", "lo", "lu", "ly", "ma", "me", "mi", "mo",
    "mu", "my", "na", "ne", "ni", "no", "nu", "o", "ol", "om", "on", "op", "or", "os", "pa", "pe", "phe", "pi", "pla",
    "po", "pro", "py", "ra", "re", "ri", "ro", "sa", "sca", "se", "si", "so", "spi", "sta", "sto", "sul", "ta", "te",
    "thi", "ti", "to", "tra", "tri", "ty", "ul", "ur", "va", "ve", "vi", "vo", "xa", "ze", "zo",
]  # fmt: skip
ENDINGS = [
    "itis", "osis", "emia", "oma", "pathy", "algia", "uria", "ectomy", "scopy", "mab", "pril", "sartan", "azole",
    "mycin", "statin", "in", "ine", "ate", "ase", "oid", "al",
]  # fmt: skip
HABITS = (
    "severe",
    "acute",
    "chronic",
    "recurrent",
    "left",
    "right",
    "bilateral",
    "mild",
    "early",
    "late",
    "type 1",
    "type 2",
)
PLACES = (
    "of the arm",
    "of the leg",
    "in childhood",
    "with complication",
    "without complication",
    "due to injury",
    "stage 2",
)
OPENINGS = (
    "Reports {symptom} for {n} days, with {symptom} and {symptom}.",
    "Denies {symptom}, {symptom} or {symptom}.",
    "{Symptom} began {n} hours ago and is worse at night; no {symptom}.",
    "Has a history of {disease}, for which takes {drug} {n} mg daily.",
    "Was seen in clinic {n} days ago for {disease} and was told to return if {symptom} recurs.",
    "Mother had {disease}; brother has {disease}.",
    "Possible {disease} was considered because of {symptom} and a {test} that was not conclusive.",
    "The {test} on arrival was reviewed; {finding} was noted, and {test} is pending.",
    "Took {drug} at home without relief, then {drug}.",
    "On examination there is {symptom}; no {symptom}.",
    "Lives with family on the second floor and walks {n} blocks without a rest.",
    "Rule out {disease}.",
    "Came with family, who helped with the story, and was seen in the evening by the team that was on call that night.",
    "Has been eating and drinking less than usual, and stayed in the chair for most of the last {n} days.",
    "Slept {n} minutes at a time, then woke, walked to the kitchen, and came back to bed; nothing like this before.",
    "Works as a driver, has two children, and likes to read; no travel in the last {n} months.",
    "Was told of the plan and agreed with it, and asked that a daughter be called later today.",
    "The family doctor had looked at this about {n} weeks before and had not changed anything then.",
)
HEADERS = (
    "CHIEF COMPLAINT:",
    "HISTORY OF PRESENT ILLNESS:",
    "PAST MEDICAL HISTORY:",
    "MEDICATIONS:",
    "FAMILY HISTORY:",
    "PHYSICAL EXAM:",
    "RESULTS:",
    "ASSESSMENT:",
)


def notes(concepts: Sequence[ConceptRow], count: int, seed: int = 0) -> list[str]:
    """Notes of NOTE_WORDS words or a few more, each different, every section headed."""
    rng = random.Random(seed)
    said = {
        kind: [name for row in concepts if row.category == kind for name in (row.name, *row.synonyms)]
        for kind in ("symptom", "finding", "disease", "drug", "test")
    }
    said = {kind: names or [kind] for kind, names in said.items()}
    return [_note(rng, said) for _ in range(count)]


def varied(text: str, run: int) -> str:
    """The same note with other numbers: each two- or three-digit number that stands alone grows by run.

    No sentence with a number is then a sentence seen before, and the whole never is.
    """
    changed = re.sub(r"(?<=\s)\d{2,3}(?=\s|[.,;]\s)", lambda found: str(int(found[0]) + run), text)
    return f"{changed.rstrip()}\nSeen at bedside, review number {1000 + run}.\n"


def large_vocabulary(concepts: Sequence[ConceptRow], names: int, seed: int = 0) -> list[ConceptRow]:
    """Concepts that together have so many distinct names: the given ones, variations of their names, and made-up ones."""
    rng = random.Random(seed)
    rows = list(concepts)
    base = [row for row in rows if row.category in ("disease", "symptom", "finding", "procedure", "test", "drug")]
    known = {name.lower() for row in rows for name in (row.name, *row.synonyms)}
    makers = (_variation, _combination, _made_up)
    number = 0
    while len(known) < names:
        row = rng.choice(base)
        own = []
        for _ in range(rng.randint(1, 3)):
            name = rng.choice(makers)(rng, row, base)
            if name.lower() not in known and len(known) < names:
                known.add(name.lower())
                own.append(name)
        if own:
            rows.append(ConceptRow(f"SYN:{number}", own[0], row.group, row.category, tuple(own[1:])))
            number += 1
    return rows


def passages(count: int, words: int = 60, vocabulary: int = 50_000, seed: int = 0) -> Iterator[str]:
    """Passages of so many words, drawn by Zipf-Mandelbrot frequencies (exponent 1.07, shift 2.7) as in English text."""
    rng = np.random.default_rng(seed)
    known = np.array(made_up_words(vocabulary, seed), dtype=object)
    weights = 1.0 / (np.arange(vocabulary) + 2.7) ** 1.07
    edges = np.cumsum(weights / weights.sum())
    for start in range(0, count, 5_000):
        size = min(5_000, count - start)
        drawn = np.minimum(np.searchsorted(edges, rng.random((size, words))), vocabulary - 1)
        for line in known[drawn]:
            yield " ".join(line)


def queries(texts: Sequence[str], count: int, words: int = 8, seed: int = 1) -> list[str]:
    """Queries of so many words, each drawn from one passage: what a question about that passage would share with it."""
    rng = random.Random(seed)
    return [" ".join(rng.sample(rng.choice(texts).split(), words)) for _ in range(count)]


def made_up_words(count: int, seed: int = 0) -> list[str]:
    """Distinct words that look clinical."""
    rng = random.Random(seed)
    found: dict[str, None] = {}
    while len(found) < count:
        found[_word(rng)] = None
    return list(found)


def _note(rng: random.Random, said: dict[str, list[str]]) -> str:
    lines = [f"ALLERGIES: {rng.choice(said['drug'])} (rash)"]
    written, place = 0, 0
    while written < NOTE_WORDS:
        if written * len(HEADERS) >= NOTE_WORDS * place and place < len(HEADERS):
            lines.append(HEADERS[place])
            place += 1
        pattern = rng.choice(OPENINGS)
        line = re.sub(r"\{(\w+)\}", lambda slot: _filled(rng, said, slot[1]), pattern)
        lines.append(line)
        written = sum(len(line.split()) for line in lines)
    return "\n".join(lines) + "\n"


def _filled(rng: random.Random, said: dict[str, list[str]], slot: str) -> str:
    if slot == "n":
        return str(rng.randint(2, 90))
    name = rng.choice(said[slot.lower()])
    return name[:1].upper() + name[1:] if slot[0].isupper() else name


def _word(rng: random.Random) -> str:
    return "".join(rng.choices(SYLLABLES, k=rng.randint(1, 3))) + rng.choice(ENDINGS)


def _variation(rng: random.Random, row: ConceptRow, base: Sequence[ConceptRow]) -> str:
    name = rng.choice((row.name, *row.synonyms))
    return rng.choice((f"{rng.choice(HABITS)} {name}", f"{name} {rng.choice(PLACES)}", f"{_word(rng)} {name}"))


def _combination(rng: random.Random, row: ConceptRow, base: Sequence[ConceptRow]) -> str:
    return f"{row.name} with {rng.choice(base).name}"


def _made_up(rng: random.Random, row: ConceptRow, base: Sequence[ConceptRow]) -> str:
    return " ".join(_word(rng) for _ in range(rng.randint(1, 4)))
