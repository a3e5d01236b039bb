"""Sections and allergies on transcribed notes: `python -m tests.nlp.transcribed FOLDER [PREFIX …] [-v] [--peer]`.

FOLDER holds notes as transcribed, marked by reading: `note_*.txt`, each with a `.tsv` of its sections in order (header, first
and last words of its body; "> " before a header inside another section), and `bodies_*.tsv` (place, sample, header, body of
an allergies section, none|present|unknown, allergens by ";"). PREFIX: only files whose name goes on so after "note_" and
"bodies_". --peer: medspaCy's sections and a plain rule, under an interpreter that has medspaCy. No note is kept in this
repository.
"""

import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

FORMS: dict[str, Callable[[str], str]] = {
    "raw": str,
    "restored": lambda text: re.sub(r",(?=[A-Z][A-Z0-9 /&'().,-]{1,60}:)", "\n", text),
    "lines": lambda text: re.sub(r"(?<!\d),(?=\d)|,(?=[^\s\d,])|(?<=:),|(?<=: ),|(?<=:  ),|(?<=:   ),", "\n", text),
}
"""How the lost line breaks of a note are given: as commas, before headers alone, everywhere. None changes a place."""
CATEGORIES = (
    (r"ALLERG(?!IC:)|SENSITIVIT", "allergies"), (r"CHIEF COMPLAINT|^REASON|CONSULT REQUEST", "chief_complaint"),
    (r"HISTORY OF (THE )?PRESENT|PRESENT ILLNESS|^HPI|^HISTORY:?$", "history_of_present_illness"),
    (r"PAST MEDICAL|PAST HISTORY|^PMH|(?<!FAMILY )MEDICAL HISTORY", "past_medical_history"),
    (r"SURGICAL|SURGERIES|^PSH", "past_surgical_history"), (r"FAMILY|^FH", "family_history"),
    (r"SOCIAL|^SOCH|HABITS|PERSONAL", "social_history"), (r"MEDICATIONS(?! FOR)|^MEDICINES", "medications"),
    (r"REVIEW OF SYSTEMS|^ROS", "review_of_systems"), (r"PHYSICAL EXAM|^EXAM", "physical_exam"),
    (r"VITAL", "vital_signs physical_exam"), (r"IMAGING|X-RAY|RADIOLOG|RADIOGRAPH", "imaging results"),
    (r"LAB(S|ORATOR)|DIAGNOSTIC|INVESTIGATION|DATA|FINDINGS|EKG|STUDIES", "results imaging"),
    (r"(?<!DEVELOPMENTAL )ASSESSMENT|IMPRESSION|DIAGNOS[IE]S", "assessment"), (r"\bPLANS?\b|RECOMMENDATION", "plan"),
    (r"COURSE|DECISION MAKING", "hospital_course assessment"), (r"IMMUNIZ|VACCIN", "immunizations"),
    (r"^PROCEDURE", "procedures"),
)  # fmt: skip
LOOSE = {"plan": "assessment", "past_surgical_history": "past_medical_history"}
"""Categories that medspaCy has under one name."""
NEUTRAL = {"physical_exam", "vital_signs", "review_of_systems", "results", "other", "imaging"}
TWO = {"allergies", "history_of_present_illness"}
NEAR = 3  # characters between a header as marked and as read


class Marked(NamedTuple):
    """A section as marked: where its header begins, whether inside another section, its last words, what it may be called."""

    place: int
    header: str
    inner: bool
    last: str
    wanted: set[str]


class Read(NamedTuple):
    """A section as read: first character, the one after the last, category."""

    start: int
    end: int
    category: str


class Note(NamedTuple):
    """One note and its sections as marked, in order."""

    name: str
    text: str
    sections: list[Marked]


def notes(folder: Path, prefixes: list[str], peer: bool) -> list[Note]:
    found = []
    for path in sorted(p for one in prefixes for p in folder.glob(f"note_{one}*.tsv")):
        text = path.with_suffix(".txt").read_text("utf-8").removesuffix("\n")
        at, rows = 0, []
        for line in filter(str.strip, path.read_text("utf-8").splitlines()):
            header, first, last = [*line.split("\t"), "", ""][:3]
            said = header.lstrip("> ").strip()
            places = (m.start() for m in re.finditer(rf"(?<![A-Za-z0-9]){re.escape(said)}", text) if m.start() >= at)
            place = next(
                (p for p in places if _plain(text[p + len(said) : p + len(said) + 200]).startswith(_plain(first))), -1
            )
            if place < 0:
                continue
            at = place + len(said)
            rows.append(Marked(place, said, header.startswith(">"), last, _wanted(said, peer)))
        found.append(Note(path.stem, text, rows))
    return found


def _plain(text: str) -> str:
    return re.sub(r"[^a-z0-9]", "", text.lower())


def _wanted(header: str, peer: bool) -> set[str]:
    names = {
        name
        for pattern, names_of_category in CATEGORIES
        if re.search(pattern, header.upper())
        for name in names_of_category.split()
    }
    return names | ({LOOSE[name] for name in names if name in LOOSE} if peer else set())


def ours(text: str) -> list[Read]:
    from backend.nlp.document import sections

    return [Read(s.start_char, s.end_char, s.category.value) for s in sections(text) if s.title]


def medspacy_reader() -> Callable[[str], list[Read]]:
    import medspacy

    nlp = medspacy.load(enable=["medspacy_tokenizer"])
    for pipe in list(nlp.pipe_names):
        nlp.remove_pipe(pipe)
    nlp.add_pipe("medspacy_sectionizer")
    names = {
        "allergy": "allergies", "diagnoses": "assessment", "problem_list": "assessment", "labs_and_studies": "results",
        "observation_and_plan": "assessment", "reason_for_examination": "chief_complaint",
    }  # fmt: skip

    def read(text: str) -> list[Read]:
        doc = nlp(text)
        spans = [(s.section_span, s.title_span, s.category) for s in doc._.sections]
        return [
            Read(doc[a].idx, doc[b].idx if b < len(doc) else len(text), names.get(category, category))
            for (a, b), (first, last), category in spans
            if a < b and last > first
        ]

    return read


def borders(found: list[Note], form: str, read: Callable[[str], list[Read]], verbose: bool) -> None:
    """Prints recall, precision and the share of whole bodies, of all sections and of allergies and histories alone."""
    for name, two in (("all sections", False), ("allergies and HPI", True)):
        wanted = right = whole = opened = good = 0
        for note in found:
            text = FORMS[form](note.text)
            found_sections, tops = read(text), [m for m in note.sections if not m.inner]
            for mark, after in zip(tops, [*tops[1:], None], strict=True):
                if two and not mark.wanted & TWO:
                    continue
                end = after.place if after else len(text)
                hit = next((one for one in found_sections if abs(one.start - mark.place) <= NEAR), None)
                kind = hit is not None and (not mark.wanted or hit.category in mark.wanted)
                full = hit is not None and _whole(
                    text, hit, found_sections, mark, end, [m for m in note.sections if m.inner]
                )
                wanted, right, whole = wanted + 1, right + kind, whole + full
                if verbose and not (kind and full):
                    print(f"  {note.name} {mark.header!r}: {hit and (hit.category, text[hit.end - 40 : hit.end])}")
            for one in found_sections:
                mark = next((m for m in note.sections if abs(m.place - one.start) <= NEAR), None)
                fits = mark is not None and (one.category in mark.wanted or (not mark.wanted and not mark.inner))
                label = mark is not None and mark.inner and one.category in NEUTRAL and not fits
                if one.category not in TWO if two else label:
                    continue
                opened, good = opened + 1, good + (fits and (not two or one.category in mark.wanted))
        print(
            f"{form:9}{name}: recall {right / wanted:.3f} precision {good / opened:.3f} whole {whole / wanted:.3f} of {wanted}"
        )


def _whole(text: str, hit: Read, found_sections: list[Read], mark: Marked, end: int, inner: list[Marked]) -> bool:
    """Whether a body ends where the next section begins; pieces that begin at a header inside it belong to it."""
    last = hit.end
    for one in found_sections:
        if last <= one.start < end and not text[last : one.start].strip(" ,\n"):
            last = one.end if any(abs(one.start - m.place) <= NEAR for m in inner) else last
    bare = text[:last].rstrip(" ,\n")
    close = text.rfind(mark.last, mark.place, end) if mark.last else -1
    return bare == text[:end].rstrip(" ,\n") or (close >= 0 and bare == text[: close + len(mark.last)].rstrip(" ,\n"))


def bodies(folder: Path, prefixes: list[str], found: list[Note], form: str, verbose: bool) -> None:
    """Prints how the bodies of allergies sections are read, each in its note or between two other sections."""
    from .fresh import linker

    status = apart = asked = known = missed = items = extra = 0
    free = {note.name.removeprefix("note_")[:1]: [] for note in found}
    for note in found:
        free[note.name.removeprefix("note_")[:1]].append(note.text)
    for row in _bodies(folder, prefixes):
        header, body, label, named = row[2], row[3].strip(" ,"), row[4], row[5]
        meant = {"none": "none_known", "present": "listed", "unknown": "unreadable"}[label]
        at = re.compile(re.escape(header.strip().rstrip(":")) + r"\s*:?[\s,]*" + re.escape(body) + r"[\s,]*(?=[A-Z]|$)")
        own = free.get(row[-1], [])  # a stretch of the collection has its own notes
        place = next((text for text in own if at.search(text)), None)
        if place is not None:
            own.remove(place)
        text = FORMS[form](place or f"MEDICATIONS: , Aspirin.,ALLERGIES: , {body},SOCIAL HISTORY: , Nonsmoker.")
        read = linker().link(text).allergies
        want = [name.strip().lower() for name in named.split(";") if name.strip()]
        got = [item.text.lower() for item in read.items]
        lost = [name for name in want if not any(name in one or one in name for one in got)]
        more = [one for one in got if not any(name in one or one in name for name in want)]
        fits = read.status.value == meant or (label == "unknown" and read.status.value == "not_stated")
        status, asked, known = status + fits, asked + 1, known + (label != "unknown")
        apart += label != "unknown" and read.status.value == meant
        items, missed, extra = items + len(want), missed + len(lost), extra + len(more)
        if verbose and (lost or more or not fits):
            print(f"  {row[1]}: {meant}, read {read.status.value}, missed {lost}, more {more}")
    print(
        f"{form:9}bodies: status {status / asked:.3f} of {asked}, none against present {apart / known:.3f} of {known}, "
        f"allergens found {items - missed} of {items}, invented {extra}"
    )


def plain_rule(folder: Path, prefixes: list[str]) -> None:
    from peers import plain_status  # stands beside this file, for an interpreter without Leapnote's packages

    rows = [row for row in _bodies(folder, prefixes) if row[4] != "unknown"]
    right = sum((plain_status(row[3]) == "none_known") == (row[4] == "none") for row in rows)
    print(f"plain rule: none against present {right / len(rows):.3f} of {len(rows)}")


def _bodies(folder: Path, prefixes: list[str]) -> list[list[str]]:
    files = sorted(path for one in prefixes for path in folder.glob(f"bodies_{one}*.tsv"))
    lines = [(line, path) for path in files for line in path.read_text("utf-8").splitlines() if line.strip()]
    return [[*[*line.split("\t"), *[""] * 6][:6], path.stem.removeprefix("bodies_")[:1]] for line, path in lines]


def main(words: list[str]) -> None:
    folder, peer, verbose = Path(words[0]), "--peer" in words, "-v" in words
    prefixes = [word for word in words[1:] if not word.startswith("-")] or [""]
    found = notes(folder, prefixes, peer)
    read = medspacy_reader() if peer else ours
    for form in FORMS:
        borders(found, form, read, verbose)
        if not peer:
            bodies(folder, prefixes, found, form, verbose)
    if peer:
        plain_rule(folder, prefixes)


if __name__ == "__main__":
    main(sys.argv[1:])
