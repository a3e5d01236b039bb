"""BioASQ task B: the PubMed snippets of its questions; a file, or a folder of them.

A document is an abstract as far as snippets quote it: the title snippet, if there is one, is its title, and snippets that lie in
one another are kept once, in the order of their offsets. Questions and ideal answers are not imported: they are what an
evaluation asks and compares with. Report units: snippets.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.ingest.documents.file_opening import named_if_damaged, text_of, whole_json
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument, clean, one_line
from backend.registry import corpus_importer
from backend.schemas.vocabulary import Source

LICENCE = "PubMed abstract, quoted by BioASQ; its publisher may hold the copyright"


class _Snippet(NamedTuple):
    section: str
    start: int
    end: int
    text: str


@corpus_importer(
    "bioasq", label="BioASQ", source=Source.RESEARCH, about="BioASQ task B JSON, a file or a folder", order=3
)
def read_bioasq(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """One document a quoted abstract, in the order in which the files first quote them.

    Raises InputError.

    Yields:
        SourceDocument: one at a time.
    """
    quoted: dict[str, list[_Snippet]] = {}
    files = _files(path)
    for file in files:
        with named_if_damaged(file, files, reading.report):
            for question in _questions(file, reading):
                for snippet in question.get("snippets", []) if isinstance(question, dict) else []:
                    reading.report.seen()
                    _take(snippet, quoted, reading)
    for address, snippets in quoted.items():
        yield _document(address, snippets, reading)


def _files(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(path.rglob("*.json"))
    # a folder of several data sets may hold other JSON, as PubMedQA's
    files = [file for file in files if b'"snippets"' in file.read_bytes()]
    if not files:
        raise InputError(f"The folder {path.name!r} holds no JSON file with snippets. Give BioASQ's files.")
    return files


def _questions(file: Path, reading: Reading) -> list[Any]:
    whole = whole_json(file, reading)
    rows = whole.get("questions") if isinstance(whole, dict) else whole
    if not isinstance(rows, list):
        raise InputError(f"{file.name!r} has no list of questions. Give a BioASQ task B file as it is published.")
    return rows


def _take(snippet: Any, quoted: dict[str, list[_Snippet]], reading: Reading) -> None:
    text = clean(text_of(snippet, "text")) if isinstance(snippet, dict) else ""
    address = text_of(snippet, "document").strip() if isinstance(snippet, dict) else ""
    if not text or not address:
        reading.report.skip("no text or no document")
        return
    start, end = (int(snippet.get(f"offsetIn{name}Section") or 0) for name in ("Begin", "End"))
    place = str(snippet.get("beginSection", ""))
    quoted.setdefault(address, []).append(_Snippet(place, start, max(end, start), text))


def _document(address: str, snippets: list[_Snippet], reading: Reading) -> SourceDocument:
    number = address.rstrip("/").rsplit("/", 1)[-1]
    ordered = sorted(set(snippets), key=lambda s: (s.section, s.start, -s.end))
    if len(ordered) < len(snippets):
        reading.report.skip("the same snippet of another question", count=len(snippets) - len(ordered))
    body: list[_Snippet] = []
    titles = [snippet.text for snippet in ordered if snippet.section == "title"]
    for snippet in ordered:
        if snippet.section == "title":
            continue
        if any(snippet.text in other.text for other in body):
            reading.report.skip("a snippet within a longer one")
        else:
            body.append(snippet)
    title = one_line(max(titles, key=len)) if titles else ""
    reading.report.keep(len(body) + len(titles))
    # where only the title was quoted, it is all there is to read
    sections = tuple(Section("", snippet.text) for snippet in body) or (Section("", title),)
    return SourceDocument(f"pubmed/{number}", title, sections, f"https://pubmed.ncbi.nlm.nih.gov/{number}/", LICENCE)
