"""knowledge add, load, remove for texts: the collections of book, guideline, research and wiki.

An import takes the lock of the sources. While the API runs it has the lock, and the command has it do the work.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from backend.cli.cli_options import Json, Name
from backend.cli.program import INTERRUPTED, CommandLine
from backend.cli.progress import ProgressLine
from backend.errors import ConflictError, InputError
from backend.schemas.vocabulary import Source
from backend.settings import settings

if TYPE_CHECKING:
    from backend.ingest.importers import TextImporter
    from backend.interfaces import Encoder
    from backend.stores.passages.stored_sources import Sources

AT_ONCE = 16
Batch = Annotated[int, typer.Option("--batch", help="texts encoded at once; more on a GPU")]
OF_TEXTS = (
    "Passages of at most 1,000 characters, indexed by word and by meaning (docs/sources.md). Built beside the collection of "
    "the same name, which is replaced at the end. Stopped or killed, the same command goes on."
)


def add_kinds(kinds: CommandLine) -> None:
    """A command for each text importer."""
    from backend.ingest.importers import text_importers

    for kind in text_importers():
        kinds.add(kind.name, f"{kind.form}; fills {kind.source.value}", help=OF_TEXTS)(_import_command(kind))


def add_to(load: CommandLine, remove: CommandLine) -> None:
    """The commands of collections: each argument holds the kinds of one action."""
    load.add("collection", "encode a collection again with the encoder that is set")(encode_again)
    load.add("entities", "which passage names which concept, for the system clinicalrag; after a large import")(
        index_entities
    )
    remove.add("collection", "an imported collection with its indexes")(remove_collection)


def _import_command(kind: "TextImporter") -> Callable[..., int]:
    """The command of a form of text: its input and usual source are in the help."""

    def import_texts(
        path: Annotated[Path, typer.Option("--from", metavar="PATH", help=kind.form)],
        source: Annotated[
            str, typer.Option("--source", help=", ".join(source for source in Source if source != Source.GRAPH))
        ] = kind.source.value,
        name: Annotated[str, typer.Option("--name", help="of the collection; default: made of the file's name")] = "",
        licence: Annotated[
            str, typer.Option("--licence", help="shown with every passage; default: as the documents state it")
        ] = "",
        limit: Annotated[int, typer.Option("--limit", help="characters of a passage at most")] = 1000,
        batch: Batch = AT_ONCE,
        ray: Annotated[
            str | None,
            typer.Option("--ray", metavar="[ADDRESS]", help="spread over a Ray cluster, or this machine's processors"),
        ] = None,
        as_json: Json = False,
    ) -> int:
        """0 when imported, 130 when stopped.

        Raises:
            InputError: for a limit or batch below 1.
        """
        from backend.ingest.documents.import_task import ImportTask
        from backend.ingest.documents.importing import ImportJob
        from backend.stores.passages.collection_meta import checked_source

        for flag, value in (("--limit", limit), ("--batch", batch)):
            if value < 1:
                raise InputError(f"{flag} is {value}; give 1 or more.")
        task = ImportTask(kind.name, checked_source(source), path, name, licence, limit)

        def work(sources: "Sources", encoder: "Encoder", line: ProgressLine) -> dict[str, Any]:
            from backend.container import Container

            spreading = None
            if ray is not None:
                from backend.ingest.documents.ray_import import RaySpreading

                spreading = RaySpreading(settings().encoder, ray)
            names = Container(settings()).shipped.other_names
            job = ImportJob(task, sources, encoder, line, at_once=batch, spreading=spreading, other_names=names)
            return job.run().as_json()

        def sent(line: ProgressLine) -> dict[str, Any]:
            from backend.cli.knowledge.through_api import import_through_api

            if ray is not None:
                raise InputError("The API is running, and it does not spread imports. Stop it, or leave --ray out.")
            body = {"kind": kind.name, "path": path, "source": source, "name": name}
            return import_through_api(settings(), {**body, "licence": licence, "limit": limit, "batch": batch}, line)

        return _done("add", as_json, work, sent)

    return import_texts


def encode_again(name: Name, batch: Batch = AT_ONCE, as_json: Json = False) -> int:
    """0 when encoded, 130 when stopped."""
    from backend.cli.knowledge.through_api import encode_through_api
    from backend.ingest.documents.importing import EncodeJob

    def work(sources: "Sources", encoder: "Encoder", line: ProgressLine) -> dict[str, Any]:
        return EncodeJob(name, sources, encoder, line, at_once=batch).run().as_json()

    return _done("load", as_json, work, lambda line: encode_through_api(settings(), name, batch, line))


def index_entities(as_json: Json = False) -> int:
    """0 when every collection has its index of entities, 130 when stopped; what was done is kept."""
    from backend.container import Container

    container = Container(settings())
    try:
        with ProgressLine().watched("passages are opened") as line:
            container.entity_collections.build(line)
    except KeyboardInterrupt:
        print("Stopped. The same command goes on where it was.", file=sys.stderr)
        return INTERRUPTED
    print(json.dumps({"built": True}) if as_json else "Every collection of book and wiki has its index of entities.")
    return 0


def remove_collection(name: Name, as_json: Json = False) -> None:
    """Remove it here, or have the API do it that holds the sources.

    Raises:
        ConflictError: another command holds the sources, and no API answers.
    """
    from backend.cli.knowledge.through_api import NoApi, remove_through_api
    from backend.stores.passages.stored_sources import Sources

    try:
        # no encoder is needed to remove: every collection is refused, none is opened
        sources = Sources(settings().data, "", "knowledge remove")
    except ConflictError as held:
        try:
            remove_through_api(settings(), name)
        except NoApi:
            raise held from None
    else:
        try:
            sources.remove(name)
        finally:
            sources.close()
    print(json.dumps({"removed": name}) if as_json else f"{name} is removed.")


def listed(data: Path, encoder: str) -> list[dict[str, object]]:
    """A row for each stored collection, for each that is damaged or half imported, and for each source without any.

    encoder: in use; a collection that another one made has a problem in its row.
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


def _done(
    action: str,
    as_json: bool,
    work: "Callable[[Sources, Encoder, ProgressLine], dict[str, Any]]",
    through_api: Callable[[ProgressLine], dict[str, Any]],
) -> int:
    """Run a job with the sources open, or have the API do it that holds them, and print its result.

    Raises:
        ConflictError: another command holds the sources, and no API answers.
    """
    from backend.cli.knowledge.through_api import NoApi

    try:
        with ProgressLine().watched("sources and encoder are opened") as line:
            from backend.stores.passages.stored_sources import Sources
            from models.encoders.encoders import make_encoder

            encoder = make_encoder(settings().encoder)
            try:
                sources = Sources(settings().data, encoder.name, f"knowledge {action}")
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
        return INTERRUPTED
    if as_json:
        print(json.dumps(row, ensure_ascii=False))
        return 0
    print(row["text"])
    print(
        f"{row['name']} ({row['source']}): {row['documents']:,} documents, {row['passages']:,} passages, encoder {row['encoder']}, "
        f"licence: {row['licence'] or 'not stated'}"
    )
    return 0
