"""knowledge add umls, obo, tsv: import a graph under a name, with progress and a report of what was left out."""

import argparse
import json
import sys
from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.progress import ProgressLine
from backend.errors import InputError
from backend.schemas.vocabulary import Category, SemanticGroup
from backend.settings import Settings, settings

if TYPE_CHECKING:
    from backend.ingest.documents.import_report import ImportReport
    from backend.ingest.umls.umls_settings import UmlsSettings
    from backend.stores.graph.graph import Graph
    from backend.stores.graph.graph_rows import RelationRow
    from backend.stores.graph.snapshot_meta import About

UMLS_LICENCE = "UMLS Metathesaurus licence, and those of its sources"
NOT_STATED = "not stated"
RELATION_LISTS = ("proposed", "drknows", "union", "all")
Import = Callable[[Path, ProgressLine], "tuple[Graph, ImportReport]"]


def add_to(kinds: Any) -> None:
    """The parsers of this family."""
    umls = kinds.add_parser(
        "umls",
        help="a UMLS release in RRF",
        description="Imports a subset of a UMLS release (docs/umls.md). Stopped or killed, the same command goes on after "
        "the last finished file.",
    )
    umls.add_argument(
        "--from", dest="source", type=Path, required=True, metavar="FOLDER", help="the one of MRCONSO.RRF"
    )
    _common(umls, "umls", UMLS_LICENCE)
    umls.add_argument("--sources", type=names, metavar="A,B", help="whose concepts are taken (SNOMEDCT_US)")
    umls.add_argument("--language", metavar="LAT", help="(ENG)")
    umls.add_argument("--other-synonyms", action="store_true", help="names of other sources for these concepts too")
    umls.add_argument("--relation-sources", type=names, metavar="A,B", help="whose relations (those of --sources)")
    umls.add_argument("--relation-list", choices=RELATION_LISTS, help="which relations (proposed)")
    umls.add_argument(
        "--relation-file", type=Path, metavar="FILE", help="another list than assets/rules/umls_relations"
    )
    umls.add_argument("--groups", type=_groups, metavar="DISO,CHEM", help="semantic groups to keep (all 15)")
    umls.add_argument(
        "--definition-sources", type=names, metavar="A,B", help="the most wanted first; none: no definitions"
    )
    umls.set_defaults(run=run_umls)
    obo = kinds.add_parser("obo", help="ontologies in OBO format", description="docs/graphs.md says what is read.")
    obo.add_argument("--from", dest="source", type=Path, nargs="+", required=True, metavar="FILE")
    _common(obo, "obo", NOT_STATED)
    obo.add_argument("--group", type=_group, default=SemanticGroup.DISO, help="semantic group of every term (DISO)")
    obo.add_argument(
        "--prefix-group",
        type=_prefix,
        action="append",
        default=[],
        metavar="UBERON=ANAT",
        help="the group of terms whose ids begin so; may be repeated",
    )
    obo.add_argument(
        "--category", choices=[c.value for c in Category], default="", metavar="CATEGORY", help="of every term"
    )
    obo.add_argument("--scopes", type=names, default=("EXACT",), metavar="A,B", help="synonyms taken as names (EXACT)")
    obo.set_defaults(run=run_obo)
    tsv = kinds.add_parser("tsv", help="concepts and edges as TSV", description="docs/graphs.md says which columns.")
    tsv.add_argument(
        "--from",
        dest="source",
        type=Path,
        nargs="+",
        required=True,
        metavar="PATH",
        help="a folder with concepts.tsv and edges.tsv (and relations.tsv), or the two files",
    )
    _common(tsv, "tsv", NOT_STATED)
    tsv.add_argument("--relations", type=Path, metavar="FILE", help="relation and its inverse, words for both")
    tsv.add_argument("--name-from-id", action="store_true", help="a concept without a name is called by its id")
    tsv.set_defaults(run=run_tsv)


def run_umls(args: argparse.Namespace) -> int:
    from backend.ingest.graphs.graph_build import build_snapshot
    from backend.ingest.umls.umls import UmlsRelease

    chosen = umls_settings(args)
    work = settings().data / "work" / "umls"
    told = {name: ", ".join(v) if isinstance(v, list | tuple) else str(v) for name, v in chosen.as_json().items()}
    about = _about(args, f"UMLS, {', '.join(chosen.sources)}", told)

    def whole(folder: Path, line: ProgressLine) -> "tuple[Graph, ImportReport]":
        release = UmlsRelease(args.source, chosen, work)

        def files(done: int, total: int, table: str) -> None:
            line(done, total, f"bytes of {table}")

        graph, joined = build_snapshot(
            release.concepts(files), release.triples(files), release.relations, folder, about, line
        )
        if joined.skipped:  # its rows were counted once, as those of the files
            release.report.add(joined, "graph: ")
        release.clear()
        return graph, release.report

    return imported(args, whole, about, "The same command goes on after the last finished file.")


def run_obo(args: argparse.Namespace) -> int:
    from backend.ingest.graphs.obo import OboSettings, import_obo

    chosen = OboSettings(args.group, dict(args.prefix_group), args.category, args.scopes)
    told = {
        "group": args.group.value,
        "prefix_groups": ", ".join(f"{prefix}={group.value}" for prefix, group in args.prefix_group),
        "category": args.category,
        "scopes": ", ".join(args.scopes),
    }
    about = _about(args, ", ".join(path.name for path in args.source), told)
    known = starter_relations(settings())
    return imported(
        args, lambda folder, line: import_obo(tuple(args.source), folder, about, chosen, known, line), about
    )


def run_tsv(args: argparse.Namespace) -> int:
    from backend.ingest.graphs.tsv_export import exported_licence
    from backend.ingest.graphs.tsv_graph import TsvFiles, import_tsv

    files = TsvFiles(*_tsv_files(args), args.name_from_id)
    if args.licence == NOT_STATED:
        args.licence = exported_licence(files.concepts.parent) or NOT_STATED
    told = {"name_from_id": "yes" if args.name_from_id else "no"}
    about = _about(args, f"{files.concepts.name}, {files.edges.name}", told)
    known = starter_relations(settings())
    return imported(args, lambda folder, line: import_tsv(files, folder, about, known, line), about)


def imported(
    args: argparse.Namespace, importer: Import, about: "About", again: str = "Nothing has changed; run it again."
) -> int:
    """Run an import under its name and tell of it. 0 when it is through, 130 when it was stopped."""
    from backend.stores.graph.imported_graphs import ImportedGraphs

    folder = ImportedGraphs(settings().data).folder(args.name)
    line = ProgressLine()
    try:
        graph, report = importer(folder, line)
    except KeyboardInterrupt:
        line.end()
        print(f"Stopped. {again}", file=sys.stderr)
        return 130
    finally:
        line.end()
    if args.json:
        told = {"name": args.name, "folder": str(folder), "concepts": len(graph), "edges": graph.edge_count}
        told |= {"fingerprint": graph.fingerprint, "licence": about.licence, "created": about.created}
        print(json.dumps({**told, "report": report.as_json()}))
        return 0
    print(report.as_text())
    print(f"{args.name}: {len(graph)} concepts, {graph.edge_count} directed edges, fingerprint {graph.fingerprint}")
    print(f"Make it ready with: python -m backend knowledge load graph {args.name} [--with-starter]")
    return 0


def umls_settings(args: argparse.Namespace) -> "UmlsSettings":
    """The importer's choices from the flags; what no flag says stays as the importer has it. Raises InputError."""
    from backend.ingest.umls.umls_settings import RelationList, UmlsSettings

    given: dict[str, Any] = {
        name: getattr(args, name)
        for name in ("sources", "language", "relation_sources", "relation_file")
        if getattr(args, name)
    }
    if args.relation_list:
        given["relation_list"] = RelationList(args.relation_list)
    if args.groups:
        given["groups"] = args.groups
    if args.definition_sources:
        given["definition_sources"] = () if args.definition_sources == ("none",) else args.definition_sources
    if args.relation_file and not args.relation_file.is_file():
        raise InputError(
            f"There is no file {args.relation_file.name!r}. Give a list like assets/rules/umls_relations.tsv."
        )
    return UmlsSettings(**given, other_synonyms=args.other_synonyms)


def starter_relations(chosen: Settings) -> "dict[str, RelationRow]":
    """Relations that are known by name already, with their words."""
    from backend.knowledge.starter import read_relations

    return read_relations(chosen.knowledge / "relations.tsv")


def names(told: str) -> tuple[str, ...]:
    """`A,B` as a tuple; an empty one is refused."""
    found = tuple(name.strip() for name in told.split(",") if name.strip())
    if not found:
        raise argparse.ArgumentTypeError("give names, separated by commas")
    return found


def _common(parser: argparse.ArgumentParser, name: str, licence: str) -> None:
    parser.add_argument("--name", default=name, help=f"of the graph ({name}); one of that name is replaced in the end")
    parser.add_argument("--licence", default=licence, help=f"({licence})")
    parser.add_argument("--json", action="store_true", help="print the report as JSON")


def _about(args: argparse.Namespace, source: str, told: dict[str, str]) -> "About":
    from backend.stores.graph.snapshot_meta import About

    return About(args.name, source, args.licence, date.today().isoformat(), told)


def _tsv_files(args: argparse.Namespace) -> tuple[Path, Path, Path | None]:
    if len(args.source) == 1:
        folder = args.source[0]
        if not folder.is_dir():
            raise InputError(
                f"There is no folder {folder.name!r}. Give one with concepts.tsv and edges.tsv, or both files."
            )
        found = []
        for stem in ("concepts", "edges", "relations"):
            there = [
                folder / f"{stem}.tsv{packed}" for packed in ("", ".gz") if (folder / f"{stem}.tsv{packed}").is_file()
            ]
            found.append(there[0] if there else None)
        if found[0] is None or found[1] is None:
            raise InputError(f"{folder.name!r} lacks concepts.tsv or edges.tsv. Give the two files with --from.")
        return found[0], found[1], args.relations or found[2]
    if len(args.source) != 2:
        raise InputError("Give one folder, or two files: the concepts, then the edges.")
    return args.source[0], args.source[1], args.relations


def _group(told: str) -> SemanticGroup:
    from backend.ingest.graphs.tsv_graph import group_code

    code = group_code(told)
    if not code:
        known = ", ".join(group.value for group in SemanticGroup)
        raise argparse.ArgumentTypeError(f"{told!r} is no semantic group; choose from {known}")
    return SemanticGroup(code)


def _groups(told: str) -> frozenset[SemanticGroup]:
    return frozenset(_group(name) for name in names(told))


def _prefix(told: str) -> tuple[str, SemanticGroup]:
    prefix, found, group = told.partition("=")
    if not prefix or not found:
        raise argparse.ArgumentTypeError(f"{told!r} is no prefix and group; write UBERON=ANAT")
    return prefix, _group(group)
