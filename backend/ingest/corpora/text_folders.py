"""A folder (or one file) of Markdown, HTML, text and PDF: a document a file, its headings kept.

References, addresses and back matter are left out and counted, as are files about the files (licence, readme) and files of other
kinds. Report units: files.
"""

from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from collections.abc import Callable, Iterator
from pathlib import Path

from backend.errors import InputError
from backend.ingest.corpora.html_text import html_sections, markdown_sections, text_sections
from backend.ingest.corpora.nxml import chapter
from backend.ingest.corpora.page_furniture import is_back_matter, reading_matter
from backend.ingest.corpora.pdf import UnreadablePdf, pdf_sections
from backend.ingest.documents.safe_xml import local, parsed
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument, one_line
from backend.registry import corpus_importer
from backend.schemas.vocabulary import Source

LARGEST = 32 * 2**20  # bytes of one text file
_ABOUT_FILES = ("license", "licence", "copying", "readme", "changelog", "contributing", "source.txt", "notice", "toc.")
_Reader = Callable[[str], tuple[str, tuple[Section, ...]]]
_READERS: dict[str, _Reader] = {
    ".md": markdown_sections,
    ".markdown": markdown_sections,
    ".html": html_sections,
    ".htm": html_sections,
    ".xhtml": html_sections,
    ".xml": html_sections,
    ".txt": text_sections,
    ".text": text_sections,
}


@corpus_importer(
    "folder",
    label="Folder of texts",
    source=Source.BOOK,
    about="a folder or file of Markdown, HTML, text and PDF",
    order=8,
)
def read_folder(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """A document for each file with reading matter, in the order of their paths.

    Yields:
        SourceDocument: one at a time.

    Raises:
        InputError: for an empty folder.
    """
    files = sorted(file for file in path.rglob("*") if file.is_file()) if path.is_dir() else [path]
    files = [file for file in files if not any(part.startswith(".") for part in file.relative_to(path).parts)]
    if not files:
        raise InputError(
            f"The folder {path.name!r} holds no files. Name a folder of Markdown, HTML, text or PDF files."
        )
    reading.total, reading.unit = len(files), "files read"
    for number, file in enumerate(files, start=1):
        reading.done = number
        reading.report.seen()
        name = file.relative_to(path).as_posix() if path.is_dir() else file.name
        if path.is_dir() and not file.resolve().is_relative_to(path.resolve()):
            reading.report.skip("a link to a file outside the folder", name)
            continue
        try:
            document = _document(file, name, path.name, reading)
        except _Skipped as skipped:
            reading.report.skip(str(skipped), name)
            continue
        reading.report.keep()
        yield document


class _Skipped(Exception):
    """Why a file gives no document; a phrase for the report."""


def _document(file: Path, name: str, folder: str, reading: Reading) -> SourceDocument:
    title, sections = _parts(file)
    kept = []
    for section in sections:
        if is_back_matter(section.header):
            reading.report.note("Parts headed References, Acknowledgements and the like were left out.")
            continue
        text, references, addresses = reading_matter(section.text)
        if references or addresses:
            reading.report.note("Entries of reference lists and addresses within the text were left out.")
        if text.strip():
            kept.append(Section(section.header, text))
    if not kept:
        raise _Skipped("no reading matter in it")
    return SourceDocument(f"{folder}/{name}", title or _titled(file), tuple(kept))


def _parts(file: Path) -> tuple[str, tuple[Section, ...]]:
    ending = file.suffix.lower()
    if file.name.lower().startswith(_ABOUT_FILES):
        raise _Skipped("a file about the files (licence, readme)")
    if ending == ".pdf":
        try:
            return pdf_sections(file)
        except UnreadablePdf as error:
            raise _Skipped(str(error)) from error
    if ending not in _READERS:
        raise _Skipped(f"a file of another kind ({ending[:8] or 'no ending'})")
    if file.stat().st_size > LARGEST:
        raise _Skipped("a text file larger than 32 MB")
    data = file.read_bytes()
    text = _decoded(data)
    if ending == ".xml":
        root = parsed(data)
        if root is not None and local(root.tag) not in ("div", "html", "body", "section"):
            found = chapter(root, file.stem)
            if found is None:
                raise _Skipped("XML without headed text")
            return found.title, found.sections
    return _READERS[ending](text)


def _decoded(data: bytes) -> str:
    """UTF-16 where its mark says so, else UTF-8, else Windows-1252, which reads Latin-1 as well.

    Raises:
        _Skipped: it is not text.
    """
    wide = data.startswith((BOM_UTF16_LE, BOM_UTF16_BE))
    if not wide and b"\x00" in data[:4096]:
        raise _Skipped("not text")
    try:
        return data.decode("utf-16" if wide else "utf-8-sig")
    except UnicodeDecodeError as error:
        if wide:
            raise _Skipped("not text") from error
        return data.decode("cp1252", errors="replace")


def _titled(file: Path) -> str:
    """A title made of the file's name."""
    words = one_line(file.stem.replace("_", " ").replace("-", " "))
    return words[:1].upper() + words[1:]
