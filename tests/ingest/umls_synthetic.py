"""A release of any size with the shape of a real one, made from a seed, to measure the importer with. Nothing in it is real.

    python -m tests.ingest.umls_synthetic FOLDER --concepts 443000 --others 4 --measure

writes MRCONSO, MRSTY, MRDEF and MRREL into FOLDER. --others says how many rows of other sources stand beside each row of
SNOMED CT (a full release has about nine). --measure imports it in a fresh process and prints one JSON line: lines and
megabytes a second of each pass, and the peak resident memory.
"""

import argparse
import json
import random
import resource
import subprocess
import sys
import time
from pathlib import Path

SOURCE, OTHER = "SNOMEDCT_US", "OTHERSRC"
PAIRS = (
    ("isa", "inverse_isa"),
    ("has_finding_site", "finding_site_of"),
    ("has_associated_morphology", "associated_morphology_of"),
    ("has_causative_agent", "causative_agent_of"),
    ("due_to", "cause_of"),
    ("interprets", "is_interpreted_by"),
    ("has_method", "method_of"),
    ("has_clinical_course", "clinical_course_of"),
)
TYPES = ("T047", "T033", "T184", "T061", "T060", "T023", "T121", "T074", "T007", "T080")
WORDS = tuple(
    f"{a}{b}{c}"
    for a in ("bra", "cle", "dor", "fin", "gal", "hep")
    for b in ("ti", "mo", "nu", "ra", "se")
    for c in ("sis", "ma", "tory", "al")
)


def write(folder: Path, concepts: int, others: int, seed: int) -> None:
    """About 3 names, 1.1 types and 6.5 facts (each from both ends) a concept, and `others` rows of another source for each."""
    draw = random.Random(seed)
    folder.mkdir(parents=True, exist_ok=True)

    def cui(number: int) -> str:
        return f"C{9_000_000 - number:07d}"

    with (folder / "MRCONSO.RRF").open("w") as out:
        for number in range(concepts):
            stem = " ".join(draw.choices(WORDS, k=3))
            for place, (kind, name) in enumerate(
                (("PT", stem), ("FN", f"{stem} (finding)"), ("SY", f"{stem} {number}"))
            ):
                a = number * 3 + place
                status = "S" if place else "P"
                out.write(
                    f"{cui(number)}|ENG|{status}|L{a:08d}|PF|S{a:08d}|Y|A{a:08d}|{a}|{number}||{SOURCE}|{kind}|{number}|{name}|9|N|256|\n"
                )
                for extra in range(others):
                    out.write(
                        f"{cui(number + extra * concepts)}|ENG|S|L{a:08d}|PF|S{a:08d}|Y|A{a:08d}|{a}|{number}||{OTHER}|PT|{number}|{name} {extra}|0|N||\n"
                    )
    with (folder / "MRSTY.RRF").open("w") as out, (folder / "MRDEF.RRF").open("w") as definitions:
        for number in range(concepts):
            for kind in {draw.choice(TYPES), draw.choice(TYPES) if number % 10 == 0 else "T047"}:
                out.write(f"{cui(number)}|{kind}|B2.2.1.2.1|Some type|AT{number:08d}|256|\n")
            if number % 10 == 0:
                definitions.write(
                    f"{cui(number)}|A{number:08d}|AT{number:08d}||NCI|{' '.join(draw.choices(WORDS, k=12))}.|N|256|\n"
                )
    with (folder / "MRREL.RRF").open("w") as out:
        for number in range(concepts * 13 // 2):
            one, two = draw.randrange(concepts), draw.randrange(concepts)
            name, inverse = PAIRS[min(draw.randrange(12), len(PAIRS) - 1)]
            for first, second, relation in ((one, two, name), (two, one, inverse)):
                out.write(
                    f"{cui(first)}|A{first:08d}|SCUI|RO|{cui(second)}|A{second:08d}|SCUI|{relation}|R{number:09d}|{number}|{SOURCE}|{SOURCE}|0|Y|N|256|\n"
                )
                for _ in range(others):
                    out.write(
                        f"{cui(first)}|A{first:08d}|AUI|SIB|{cui(second)}|A{second:08d}|AUI||R{number:09d}||{OTHER}|{OTHER}|||N||\n"
                    )


def measure(folder: Path) -> dict[str, object]:
    """Import the folder without checkpoints; seconds and rates a pass, rows, and the peak memory of this process."""
    from backend.ingest.umls.umls import UmlsRelease

    started: dict[str, float] = {}
    ended: dict[str, float] = {}

    def progress(done: int, total: int, what: str) -> None:
        now = time.perf_counter()
        started.setdefault(what, now)
        if done == total:
            ended[what] = now

    begin = time.perf_counter()
    release = UmlsRelease(folder)
    concepts = sum(1 for _ in release.concepts(progress))
    middle = time.perf_counter()
    triples = sum(1 for _ in release.triples(progress))
    end = time.perf_counter()
    figures: dict[str, object] = {}
    for table in ("MRCONSO", "MRSTY", "MRDEF", "MRREL"):
        path = folder / f"{table}.RRF"
        with path.open("rb") as lines:
            count = sum(1 for _ in lines)
        seconds = max(ended.get(table, 0) - started.get(table, 0), 1e-9)
        figures[table] = {
            "lines": count,
            "mb": round(path.stat().st_size / 1e6),
            "s": round(seconds, 2),
            "lines_per_s": round(count / seconds),
        }
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    return figures | {
        "concepts": concepts,
        "triples": triples,
        "concepts_s": round(middle - begin, 1),
        "triples_s": round(end - middle, 1),
        "peak_mb": peak,
    }


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--concepts", type=int, default=20_000)
    parser.add_argument("--others", type=int, default=2)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--measure", action="store_true")
    parser.add_argument("--only-measure", action="store_true")
    args = parser.parse_args()
    if args.only_measure:
        print(json.dumps(measure(args.folder)))
        return
    write(args.folder, args.concepts, args.others, args.seed)
    if args.measure:
        subprocess.run(
            [sys.executable, "-m", "tests.ingest.umls_synthetic", str(args.folder), "--only-measure"], check=True
        )


if __name__ == "__main__":
    main()
