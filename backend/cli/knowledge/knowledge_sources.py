"""knowledge add, load, remove for texts: the collections of book, guideline, research and wiki.

An import takes the lock of the sources. While the API runs it has the lock, and the command has it do the work.
"""

import argparse
import json
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from backend.cli.progress import ProgressLine
from backend.errors import ConflictError, InputError
from backend.ingest.importers import text_importer, text_importers
from backend.schemas.vocabulary import Source
from backend.settings import settings

if TYPE_CHECKING:
    from backend.interfaces import Encoder
    from backend.stores.passages.stored_sources import Sources

AT_ONCE = 16


def add_to(add: Any, load: Any, remove: Any) -> None:
    """The parsers of this family: each argument holds the kinds of one action."""
    for importer in text_importers():
        parser = add.add_parser(
            importer.name,
            help=f"{importer.form}; fills {importer.source.value}",
            description="Passages of at most 1,000 characters, indexed by word and by meaning (docs/sources.md). Built beside the "
            "collection of the same name, which is replaced at the end. Stopped or killed, the same command goes on.",
        )
        parser.add_argument("--from", dest="path", type=Path, required=True, metavar="PATH", help=importer.form)
        parser.add_argument(
            "--source",
            default=importer.source.value,
            help=f"book, guideline, research or wiki ({importer.source.value})",
        )
        parser.add_argument("--name", default="", help="of the collection; default: made of the file's name")
        parser.add_argument(
            "--licence", default="", help="shown with every passage; default: as the documents state it"
        )
        parser.add_argument("--limit", type=int, default=1000, help="characters of a passage at most (1000)")
        parser.add_argument(
            "--batch", type=int, default=AT_ONCE, help=f"texts encoded at once; more on a GPU ({AT_ONCE})"
        )
        parser.add_argument(
            "--ray",
            nargs="?",
            const="",
            metavar="ADDRESS",
            help="spread over a Ray cluster, or this machine's processors",
        )
        parser.add_argument("--json", action="store_true")
        parser.set_defaults(run=run_add)
    ready = load.add_parser("collection", help="encode a collection again with the encoder that is set")
    ready.add_argument("name", metavar="NAME")
    ready.add_argument("--batch", type=int, default=AT_ONCE, help=f"texts encoded at once ({AT_ONCE})")
    ready.add_argument("--json", action="store_true")
    ready.set_defaults(run=run_load)
    entities = load.add_parser(
        "entities", help="which passage names which concept, for the system clinicalrag; after a large import"
    )
    entities.add_argument("--json", action="store_true")
    entities.set_defaults(run=run_entities)
    gone = remove.add_parser("collection", help="an imported collection with its indexes")
    gone.add_argument("name", metavar="NAME")
    gone.add_argument("--json", action="store_true")
    gone.set_defaults(run=run_remove)


def listed(data: Path, encoder: str) -> list[dict[str, object]]:
    """A row for each stored collection, for each that is damaged or half imported, and for each source without any.

    encoder: in use; a collection that another one made tells its problem.
    """
    from backend.stores.passages.collection_meta import TEXT_SOURCES, damaged, half_imported
    from backend.stores.passages.collection_meta import listed as stored
    from backend.stores.passages.stored_sources import other_encoder

    metas = stored(data)
    rows: list[dict[str, object]] = [
        {
            "source": meta.source.value,
            "name": meta.name,
            "documents": meta.documents,
            "passages": meta.passages,
            "licence": meta.licence,
            "date": meta.date,
            "encoder": meta.encoder,
            "bytes": meta.bytes,
            "from": meta.origin,
            "fingerprint": meta.fingerprint,
            **({"problem": other_encoder(meta, encoder)} if meta.encoder != encoder else {}),
        }
        for meta in metas
    ]
    rows.extend({"name": name, "problem": problem} for name, problem in damaged(data).items())
    rows.extend(
        {"name": name, "problem": "half imported: the same command goes on with it"} for name in half_imported(data)
    )
    # the starter knowledge's own book has its row elsewhere
    empty = [
        source for source in TEXT_SOURCES if source != Source.BOOK and all(meta.source != source for meta in metas)
    ]
    rows.extend({"source": source.value, "documents": 0, "passages": 0} for source in empty)
    return rows


def run_add(args: argparse.Namespace) -> int:
    """0 when imported, 130 when stopped."""
    from backend.ingest.documents.import_task import ImportTask
    from backend.ingest.documents.importing import ImportJob
    from backend.stores.passages.collection_meta import checked_source

    for name, value in (("--limit", args.limit), ("--batch", args.batch)):
        if value < 1:
            raise InputError(f"{name} is {value}; give 1 or more.")
    task = ImportTask(
        text_importer(args.kind).name, checked_source(args.source), args.path, args.name, args.licence, args.limit
    )

    def work(sources: "Sources", encoder: "Encoder", line: ProgressLine) -> dict[str, Any]:
        spreading = None
        if args.ray is not None:
            from backend.ingest.documents.ray_import import RaySpreading

            spreading = RaySpreading(settings().encoder, args.ray)
        return ImportJob(task, sources, encoder, line, at_once=args.batch, spreading=spreading).run().as_json()

    def sent(line: ProgressLine) -> dict[str, Any]:
        from backend.cli.knowledge.through_api import import_through_api

        if args.ray is not None:
            raise InputError("The API is running, and it does not spread imports. Stop it, or leave --ray out.")
        body = {name: getattr(args, name) for name in ("kind", "path", "source", "name", "licence", "limit", "batch")}
        return import_through_api(settings(), body, line)

    return _done(args, work, sent)


def run_load(args: argparse.Namespace) -> int:
    """0 when encoded, 130 when stopped."""
    from backend.cli.knowledge.through_api import encode_through_api
    from backend.ingest.documents.importing import EncodeJob

    def work(sources: "Sources", encoder: "Encoder", line: ProgressLine) -> dict[str, Any]:
        return EncodeJob(args.name, sources, encoder, line, at_once=args.batch).run().as_json()

    return _done(args, work, lambda line: encode_through_api(settings(), args.name, args.batch, line))


def run_entities(args: argparse.Namespace) -> int:
    """0 when every collection has its index of entities, 130 when stopped; what was done is kept."""
    from backend.container import Container

    container = Container(settings())
    try:
        with progress_line() as line:
            container.entity_collections.build(line)
    except KeyboardInterrupt:
        print("Stopped. The same command goes on where it was.", file=sys.stderr)
        return 130
    print(json.dumps({"built": True}) if args.json else "Every collection of book and wiki has its index of entities.")
    return 0


def run_remove(args: argparse.Namespace) -> int:
    from backend.cli.knowledge.through_api import NoApi, remove_through_api
    from backend.stores.passages.stored_sources import Sources

    try:
        # no encoder is needed to remove: every collection is refused, none is opened
        sources = Sources(settings().data, "", "knowledge remove")
    except ConflictError as held:
        try:
            remove_through_api(settings(), args.name)
        except NoApi:
            raise held from None
    else:
        try:
            sources.remove(args.name)
        finally:
            sources.close()
    print(json.dumps({"removed": args.name}) if args.json else f"{args.name} is removed.")
    return 0


def _done(
    args: argparse.Namespace,
    work: "Callable[[Sources, Encoder, ProgressLine], dict[str, Any]]",
    through_api: Callable[[ProgressLine], dict[str, Any]],
) -> int:
    """Run a job with the sources open, or have the API do it that holds them, and tell its result."""
    from backend.cli.knowledge.through_api import NoApi
    from backend.stores.passages.stored_sources import Sources
    from models.encoders.encoders import make_encoder

    encoder = make_encoder(settings().encoder)
    try:
        with progress_line() as line:
            try:
                sources = Sources(settings().data, encoder.name, f"knowledge {args.action}")
            except ConflictError as held:
                try:
                    row = through_api(line)
                except NoApi:
                    raise held from None
            else:
                try:
                    row = work(sources, encoder, line)
                finally:
                    sources.close()
    except KeyboardInterrupt:
        print("Stopped. The same command goes on where it was.", file=sys.stderr)
        return 130
    if args.json:
        print(json.dumps(row, ensure_ascii=False))
        return 0
    print(row["text"])
    print(
        f"{row['name']} ({row['source']}): {row['documents']:,} documents, {row['passages']:,} passages, encoder {row['encoder']}, "
        f"licence: {row['licence'] or 'not stated'}"
    )
    return 0


@contextmanager
def progress_line() -> Iterator[ProgressLine]:
    line = ProgressLine()
    try:
        yield line
    finally:
        line.end()
