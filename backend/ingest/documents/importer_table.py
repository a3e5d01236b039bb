"""The kinds of text that can be imported: a table of names, importers, and the source each usually fills."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from backend.errors import InputError
from backend.ingest.corpora.bioasq import read_bioasq
from backend.ingest.corpora.medcorp import read_jsonl
from backend.ingest.corpora.medquad import read_medquad
from backend.ingest.corpora.nxml import read_nxml
from backend.ingest.corpora.pubmed import pubmed_files, read_pubmed
from backend.ingest.corpora.pubmedqa import read_pubmedqa
from backend.ingest.corpora.text_folders import read_folder
from backend.ingest.corpora.wikipedia import read_wikipedia
from backend.ingest.documents.file_opening import json_files
from backend.ingest.documents.source_documents import Importer
from backend.ingest.graphs.drugbank import read_drugbank
from backend.schemas.vocabulary import Source


class Kind(NamedTuple):
    """One kind of input. source: where it goes unless the user says otherwise.

    parts: the files of an input that may be read apart from one another, in order; None where one pass must see all.
    """

    name: str
    importer: Importer
    source: Source
    what: str
    parts: Callable[[Path], list[Path]] | None = None


KINDS: tuple[Kind, ...] = (
    Kind("medquad", read_medquad, Source.WIKI, "MedQuAD's zip as it is"),
    Kind(
        "pubmed", read_pubmed, Source.RESEARCH, "PubMed baseline XML, a file (.xml, .xml.gz) or a folder", pubmed_files
    ),
    Kind("bioasq", read_bioasq, Source.RESEARCH, "BioASQ task B JSON, a file or a folder"),
    Kind("pubmedqa", read_pubmedqa, Source.RESEARCH, "PubMedQA's JSON"),
    Kind(
        "jsonl",
        read_jsonl,
        Source.BOOK,
        "JSONL with id, title and content (MedCorp, MedRAG), a file or a folder",
        json_files,
    ),
    Kind(
        "wikipedia",
        read_wikipedia,
        Source.WIKI,
        "Wikipedia as JSONL: id, title, text, url; a file or a folder",
        json_files,
    ),
    Kind("nxml", read_nxml, Source.BOOK, "NCBI Bookshelf or StatPearls: .nxml, a folder, or their tar.gz"),
    Kind("folder", read_folder, Source.BOOK, "a folder or file of Markdown, HTML, text and PDF"),
    Kind("drugbank", read_drugbank, Source.BOOK, "DrugBank's full XML"),
)


def kind_named(name: str) -> Kind:
    """Raises InputError for a name that is none, listing those there are."""
    for kind in KINDS:
        if kind.name == name:
            return kind
    raise InputError(
        f"There is no kind {name[:40]!r} of text to import. Use one of: {', '.join(k.name for k in KINDS)}"
    )
