"""knowledge add for what goes beside the sources: DrugBank's facts for the graph, and NOTEEVENTS for patients' notes."""

import argparse
import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.knowledge.knowledge_sources import progress_line
from backend.settings import settings

if TYPE_CHECKING:
    from collections.abc import Sequence

    from backend.stores.graph.graph_rows import ConceptRow


def add_to(add: Any) -> None:
    """The parsers of this family: add holds the kinds of what is added."""
    facts = add.add_parser(
        "drug-facts", help="DrugBank's texts and interactions, joined to the graph's concepts by name"
    )
    facts.add_argument("--from", dest="path", type=Path, required=True, metavar="FILE", help="DrugBank's full XML")
    facts.add_argument("--json", action="store_true")
    facts.set_defaults(run=run_facts)
    notes = add.add_parser("noteevents", help="MIMIC-III's NOTEEVENTS to patients' notes: a line a patient")
    notes.add_argument(
        "--from", dest="path", type=Path, required=True, metavar="FILE", help="NOTEEVENTS.csv or .csv.gz"
    )
    notes.add_argument("--to", type=Path, required=True, metavar="FILE", help="a .jsonl; it will hold patients' notes")
    notes.add_argument("--json", action="store_true")
    notes.set_defaults(run=run_notes)


def run_facts(args: argparse.Namespace) -> int:
    from backend.container import Container
    from backend.ingest.documents.source_documents import Reading
    from backend.ingest.graphs.drugbank import drug_facts

    container, reading, kinds = Container(settings()), Reading(), Counter[str]()
    concept_of = drug_names(container.graph.concepts)
    out = settings().data / "definitions" / f"{container.graph.fingerprint}-drugbank.jsonl"
    out.parent.mkdir(parents=True, exist_ok=True)
    partial = out.with_suffix(".partial")
    with progress_line() as line, partial.open("w", encoding="utf-8") as lines:
        for fact in drug_facts(args.path, reading, concept_of):
            lines.write(json.dumps(fact._asdict(), ensure_ascii=False) + "\n")
            kinds[fact.kind.value] += 1
            line(reading.done, reading.total, reading.unit)
    partial.replace(out)
    if args.json:
        print(json.dumps({"file": str(out), "facts": dict(kinds), "report": reading.report.as_json()}))
        return 0
    print(reading.report.as_text())
    print(
        f"{sum(kinds.values()):,} facts in {out}: {', '.join(f'{count:,} {kind}' for kind, count in kinds.items()) or 'none'}"
    )
    return 0


def run_notes(args: argparse.Namespace) -> int:
    from backend.ingest.clinical_notes.noteevents import write_patients
    from backend.ingest.documents.source_documents import Reading

    reading = Reading()
    with progress_line() as line:
        patients = write_patients(args.path, args.to, reading, line)
    if args.json:
        print(json.dumps({"file": str(args.to), "patients": patients, "report": reading.report.as_json()}))
        return 0
    print(reading.report.as_text())
    print(
        f"{patients:,} patients written to {args.to}. The file holds notes of patients: keep it as you keep the original."
    )
    return 0


def drug_names(concepts: "Sequence[ConceptRow]") -> Callable[[str], str | None]:
    """A chemical's concept id by any of its names, case aside; None for a name that no concept or more than one has."""
    found: dict[str, str | None] = {}
    for row in concepts:
        if row.group == "CHEM":
            for name in {name.lower() for name in (row.name, *row.synonyms)}:
                found[name] = row.concept_id if name not in found else None
    return lambda name: found.get(name.lower())
