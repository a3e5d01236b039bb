"""The held-out material of the reader of notes, and how well it is read: `python -m tests.nlp.fresh [round …] [-v]`.

fresh_assertions.tsv, assets/rules/allergies/passages.tsv and fresh_notes.txt hold rounds of passages. Each round was written and labelled before
it was read by the program.
"""

import re
import sys
from collections import Counter
from functools import cache
from pathlib import Path
from typing import NamedTuple

from backend.knowledge.starter import read_starter
from backend.nlp.document import sections
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.vocabulary import Assertion
from backend.settings import ROOT
from tests.nlp.assessed_spans import assert_spans

HERE = Path(__file__).parent
PASSAGES = str(ROOT / "assets" / "rules" / "allergies" / "passages.tsv")
MARKS = {
    "n": Assertion.NEGATED, "h": Assertion.HISTORICAL, "f": Assertion.FAMILY, "y": Assertion.HYPOTHETICAL,
    "u": Assertion.UNCERTAIN, "p": Assertion.PRESENT,
}  # fmt: skip
AROUND = {"note": "{}", "section": "MEDICATIONS:  Aspirin.\n\nALLERGIES:  {}\n\nSOCIAL HISTORY:  Nonsmoker."}
CODES = {
    "cc": {"chief_complaint"}, "hpi": {"history_of_present_illness"}, "pmh": {"past_medical_history"},
    "psh": {"past_surgical_history"}, "med": {"medications"}, "all": {"allergies"}, "fh": {"family_history"},
    "sh": {"social_history"}, "sf": {"social_history", "family_history"}, "pe": {"physical_exam"}, "ros": {"review_of_systems"},
    "lab": {"results"}, "im": {"imaging", "results"}, "as": {"assessment"}, "pl": {"plan"}, "ap": {"assessment", "plan"},
    "hc": {"hospital_course"}, "vs": {"vital_signs", "physical_exam"}, "imm": {"immunizations"}, "ins": {"instructions"},
    "pr": {"procedures"},
}  # fmt: skip
"""What the marks of the notes stand for; [[x]] opens a section of any other category."""


class AssertionReading(NamedTuple):
    """One marked phrase: what its writer meant, what the program reads, and the passage."""

    style: str
    meant: Assertion
    read: Assertion
    phrase: str
    passage: str


class Allergic(NamedTuple):
    """One passage on allergies: status as meant and as read, items that are missing, items that nobody meant.

    unhinted: missing items that are no possible allergy either. hints: possible allergies that nobody meant.
    """

    style: str
    meant: str
    read: str
    missed: tuple[str, ...]
    extra: tuple[str, ...]
    unhinted: tuple[str, ...]
    hints: tuple[str, ...]
    place: str
    passage: str


class Borders(NamedTuple):
    """Counts over notes: sections marked, found right, opened by the program, with the whole body; and what went wrong."""

    wanted: int
    right: int
    opened: int
    whole: int
    wrong: tuple[str, ...]

    @property
    def recall(self) -> float:
        return self.right / self.wanted

    @property
    def precision(self) -> float:
        return self.right / self.opened

    @property
    def bodies(self) -> float:
        return self.whole / self.wanted


def rows(name: str, rounds: tuple[str, ...], cells: int) -> list[list[str]]:
    lines = [line for line in (HERE / name).read_text("utf-8").splitlines() if line and not line.startswith("#")][1:]
    parts = (line.split("\t", cells - 1) for line in lines)  # a passage may hold tabs of its own
    return [one for one in parts if not rounds or one[0] in rounds]


def assertions(*rounds: str) -> list[AssertionReading]:
    found = []
    for _, style, marked in rows("fresh_assertions.tsv", rounds, 3):
        text, meant, spans = "", [], []
        for part in re.split(r"(\{[nhfyup]:[^}]*\})", marked.replace("\\n", "\n")):
            phrase = part[3:-1] if part.startswith("{") else part
            if phrase != part:
                meant.append(MARKS[part[1]])
                spans.append((len(text), len(text) + len(phrase)))
            text += phrase
        read = assert_spans(text, spans)
        found += [
            AssertionReading(style, label, said, text[a:b], text)
            for label, (said, _), (a, b) in zip(meant, read, spans, strict=True)
        ]
    return found


def f1(readings: list[AssertionReading], assertion: Assertion) -> float:
    """Harmonic mean of precision and recall of one assertion, 0 to 1."""
    right = sum(t.meant == t.read == assertion for t in readings)
    wrong = sum((t.meant == assertion) != (t.read == assertion) for t in readings)
    return 2 * right / (2 * right + wrong)


@cache
def linker() -> DictionaryLinker:
    return DictionaryLinker([row for row, _ in read_starter(ROOT / "assets" / "knowledge").concepts])


def allergies(*rounds: str) -> list[Allergic]:
    found = []
    for _, style, status, items, place, text in rows(PASSAGES, rounds, 6):
        want = [item.lower() for item in items.split("|") if item]
        read = linker().link(AROUND[place].format(text.replace("\\n", "\n"))).allergies
        got = [item.text.lower() for item in read.items]
        missed = tuple(w for w in want if not any(w in g or g in w for g in got))
        extra = tuple(g for g in got if not any(w in g or g in w for w in want))
        hinted = [one.text.lower() for one in read.possible]
        unhinted = tuple(w for w in missed if not any(w in h or h in w for h in hinted))
        hints = tuple(h for h in hinted if not any(w in h or h in w for w in want))
        found.append(Allergic(style, status, read.status.value, missed, extra, unhinted, hints, place, text))
    return found


def notes(*rounds: str) -> list[tuple[str, str, dict[int, str]]]:
    """Each note's style, its text, and where its sections begin, with their marks."""
    found = []
    for raw in re.split(r"^=== ", (HERE / "fresh_notes.txt").read_text("utf-8"), flags=re.M)[1:]:
        head, _, body = raw.partition("\n")
        if rounds and head.split()[0] not in rounds:
            continue
        text, places = "", {}
        for part in re.split(r"(\[\[\w+\]\])", body):
            if mark := re.fullmatch(r"\[\[(\w+)\]\]", part):
                places[len(text)] = mark[1]
            else:
                text += part
        found.append((head, text, places))
    return found


def borders(*rounds: str, only: frozenset[str] = frozenset()) -> Borders:
    """only: marks to count; none counts all but x, and then also sections opened where none was marked."""
    wanted = right = opened = whole = 0
    wrong = []
    counted = only or frozenset(CODES)
    categories = set().union(*(CODES[mark] for mark in counted))
    for head, text, places in notes(*rounds):
        found = sections(text)
        ends = [*list(places)[1:], len(text)][: len(places)]
        for (place, mark), end in zip(places.items(), ends, strict=True):
            if mark not in counted:
                continue
            hit = next((s for s in found if s.title and abs(s.start_char - place) <= 3), None)
            good = hit is not None and hit.category.value in CODES[mark]
            full = hit is not None and text[: hit.end_char].rstrip(" ,\n") == text[:end].rstrip(" ,\n")
            wanted, right, whole = wanted + 1, right + good, whole + full
            if not (good and full):
                wrong.append(
                    f"{head}: {mark} {text[place : place + 40]!r} read as {hit and (hit.category.value, text[hit.start_char : hit.end_char][-30:])}"
                )
        for section in found:
            if not section.title or section.category.value not in categories:
                continue
            mark = next((mark for at, mark in places.items() if abs(at - section.start_char) <= 3), "")
            if mark in counted or mark != "x":
                opened += 1
                if mark not in counted:
                    wrong.append(f"{head}: opened {section.category.value} {section.title!r} at {section.start_char}")
    return Borders(wanted, right, opened, whole, tuple(wrong))


def main(arguments: list[str]) -> None:
    rounds = tuple(a for a in arguments if a != "-v")
    readings, read = assertions(*rounds), allergies(*rounds)
    for assertion in Assertion:
        if not any(assertion in (t.meant, t.read) for t in readings):
            continue  # a round without it
        print(
            f"assertion {assertion.value}: F1 {f1(readings, assertion):.3f} of {sum(t.meant == assertion for t in readings)}"
        )
    right = sum(a.meant == a.read for a in read)
    if read:
        print(
            f"allergies: status {right / len(read):.3f} of {len(read)}, missed {sum(len(a.missed) for a in read)} allergens,"
            f" {sum(len(a.unhinted) for a in read)} of them without a flag; false flags {sum(len(a.hints) for a in read)}"
        )
    for name, marks in (("all", frozenset()), ("allergies and HPI", frozenset({"all", "hpi"}))):
        b = borders(*rounds, only=marks)
        if not b.wanted:
            continue  # a round without notes
        print(
            f"sections, {name}: recall {b.recall:.3f}, precision {b.precision:.3f}, whole {b.bodies:.3f} of {b.wanted}"
        )
    if "-v" in arguments:
        print(Counter((t.meant.value, t.read.value) for t in readings if t.meant != t.read))
        for t in readings:
            if t.meant != t.read:
                print(f"{t.meant.value}>{t.read.value} <{t.phrase}> {t.passage!r}")
        for a in read:
            if a.meant != a.read or a.missed or a.extra or a.hints:
                errors = f"missed {a.missed} unhinted {a.unhinted} extra {a.extra} hints {a.hints}"
                print(f"{a.meant}>{a.read} {errors} {a.passage!r}")
        print(*borders(*rounds).wrong, sep="\n")


if __name__ == "__main__":
    main(sys.argv[1:])
