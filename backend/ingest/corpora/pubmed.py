"""PubMed: the baseline and update files (pubmedXXnNNNN.xml.gz), one file or a folder of them.

A document is an abstract with its title; labelled parts (BACKGROUND, METHODS) are its sections. Report units: citations.
"""

from collections.abc import Iterator
from pathlib import Path

from backend.errors import InputError
from backend.ingest.documents.file_opening import named_if_damaged
from backend.ingest.documents.safe_xml import Element, elements, inner_text, local
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument, clean, one_line
from backend.registry import corpus_importer
from backend.schemas.vocabulary import Source

_ELEMENTS = frozenset({"PubmedArticle", "PubmedBookArticle", "DeleteCitation"})
LICENCE = "PubMed abstract; its publisher may hold the copyright"
_MONTHS = {
    m: n
    for n, m in enumerate(["jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec"], start=1)
}


def pubmed_files(path: Path) -> list[Path]:
    """The files of a folder by name, or the one file.

    Raises:
        InputError: for a folder without any.
    """
    files = sorted([*path.glob("*.xml"), *path.glob("*.xml.gz")]) if path.is_dir() else [path]
    if not files:
        raise InputError(
            f"The folder {path.name!r} holds no .xml or .xml.gz file. Give PubMed's files, or one of them."
        )
    return files


@corpus_importer(
    "pubmed",
    label="PubMed",
    source=Source.RESEARCH,
    about="PubMed baseline XML, a file (.xml, .xml.gz) or a folder",
    parts=pubmed_files,
    order=2,
)
def read_pubmed(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """All citations with an abstract, file by file in the order of their names.

    Raises InputError.

    Yields:
        SourceDocument: one at a time.
    """
    deleted = False
    files = pubmed_files(path)
    for file in files:
        with named_if_damaged(file, files, reading.report):
            for element in elements(file, _ELEMENTS, reading.follow):
                if local(element.tag) == "DeleteCitation":
                    deleted = True
                    continue
                reading.report.seen()
                document = _document(element, reading)
                if document:
                    reading.report.keep()
                    yield document
    if deleted:
        reading.report.note(
            "An update file withdraws citations; they stay where an earlier file brought them. Import from a newer "
            "baseline to be rid of them."
        )


def _document(element: Element, reading: Reading) -> SourceDocument | None:
    pmid = (element.findtext(".//MedlineCitation/PMID") or element.findtext(".//BookDocument/PMID") or "").strip()
    abstract = element.find(".//Abstract")
    sections = tuple(
        Section(_header(part.get("Label", "")), text)
        for part in (abstract.findall("AbstractText") if abstract is not None else ())
        if (text := clean(inner_text(part)))
    )
    if not pmid.isdigit():
        reading.report.skip("no PubMed number")
    elif not sections:
        reading.report.skip("no abstract")
    elif any(
        kind.text in ("Retracted Publication", "Withdrawn Publication") for kind in element.iter("PublicationType")
    ):
        reading.report.skip("a retracted publication")
    else:
        title = one_line(inner_text(element.find(".//ArticleTitle"))).strip("[]")
        address = f"https://pubmed.ncbi.nlm.nih.gov/{pmid}/"
        return SourceDocument(f"pubmed/{pmid}", title, sections, address, LICENCE, _date(element))
    return None


def _header(label: str) -> str:
    """BACKGROUND becomes Background; a label that says nothing, nothing."""
    return "" if label.upper() in ("", "UNLABELLED", "UNASSIGNED") else one_line(label).capitalize()


def _date(element: Element) -> str:
    """The day of publication as far as it is stated, ISO."""
    found = next((date for name in ("ArticleDate", "PubDate") for date in element.iter(name)), None)
    if found is None:
        return ""
    year = (found.findtext("Year") or (found.findtext("MedlineDate") or "")[:4]).strip()
    month = (found.findtext("Month") or "").strip().lower()
    day = (found.findtext("Day") or "").strip()
    if not (year.isdigit() and len(year) == 4):
        return ""
    number = int(month) if month.isdigit() else _MONTHS.get(month[:3], 0)
    if not 1 <= number <= 12:
        return year
    return f"{year}-{number:02d}-{int(day):02d}" if day.isdigit() and 1 <= int(day) <= 31 else f"{year}-{number:02d}"
