"""MedQuAD: questions and answers of twelve NIH sites, from the zip as GitHub gives it.

A document is a page; a section is an answer, headed by the kind of its question ("treatment"), not by the question, so that
an evaluation by these questions finds no copy of them. Three publishers' answers are left out of the distribution by their
licence; those are counted. Report units: question-answer pairs.
"""

import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

from backend.errors import InputError
from backend.ingest.documents.safe_xml import Element, inner_text, parsed
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument, clean, one_line
from backend.registry import corpus_importer
from backend.schemas.vocabulary import Source

LICENCE = "CC BY 4.0 (MedQuAD)"
STRIPPED = frozenset({"ADAM", "MPlusDrugs", "MPlusHerbsSupplements"})
WITHOUT = "the answer is left out of the distribution by its publisher's licence"


@corpus_importer("medquad", label="MedQuAD", source=Source.WIKI, about="MedQuAD's zip as it is", order=1)
def read_medquad(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """All pages that hold an answer, by folder and number.

    path: the zip.

    Yields:
        SourceDocument: one at a time.

    Raises:
        InputError: when it is none.
    """
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{path.name!r} is no zip ({type(error).__name__}). Give MedQuAD's zip as it is.") from error
    with archive:
        names = sorted((name for name in archive.namelist() if name.endswith(".xml")), key=_order)
        if not names:
            raise InputError(f"{path.name!r} holds no XML page. Give MedQuAD's zip as it is.")
        reading.total, reading.unit = len(names), "pages read"
        for number, name in enumerate(names, start=1):
            reading.done = number
            page = parsed(archive.read(name))
            if page is None:
                reading.report.skip("a page that is not well-formed XML", Path(name).name)
                reading.report.seen()
                continue
            document = _document(page, Path(name).stem, reading)
            if document:
                yield document


def _document(page: Element, number: str, reading: Reading) -> SourceDocument | None:
    publisher = page.get("source", "")
    sections = []
    for pair in page.iter("QAPair"):
        reading.report.seen()
        question = pair.find("Question")
        text = clean(inner_text(pair.find("Answer")))
        if text:
            reading.report.keep()
            kind = question.get("qtype", "") if question is not None else ""
            sections.append(Section(one_line(kind), text))
        else:
            reading.report.skip(WITHOUT if publisher in STRIPPED else "an answer without text")
    if not sections:
        return None
    title = one_line(page.findtext("Focus") or "") or f"{publisher} {number}"
    # by the file's name: the ids within some pages are those of other pages
    names = tuple(dict.fromkeys(one_line(inner_text(one)) for one in page.iter("Synonym")))
    synonyms = tuple(name for name in names if name and name.casefold() != title.casefold())
    return SourceDocument(
        f"medquad/{publisher}/{number}", title, tuple(sections), page.get("url", ""), LICENCE, synonyms=synonyms
    )


def _order(name: str) -> tuple[int, str]:
    """Folders in the order of their numbers (1_CancerGov_QA before 10_MPlus_ADAM_QA), then by name."""
    found = re.search(r"/(\d+)_[^/]*/[^/]*$", name)
    return (int(found[1]) if found else 0, name)
