"""PubMedQA: the abstracts of its questions, with their labelled parts. Report units: questions.

The question is the article's title, as PubMedQA made it; the conclusion (LONG_ANSWER) and the decision are not imported: they
are what an evaluation compares with.
"""

from collections.abc import Iterator
from itertools import zip_longest
from pathlib import Path

from backend.errors import InputError
from backend.ingest.documents.file_opening import whole_json
from backend.ingest.documents.source_documents import Reading, Section, SourceDocument, clean, one_line
from backend.registry import corpus_importer
from backend.schemas.vocabulary import Source

LICENCE = "PubMed abstract, by PubMedQA (MIT); its publisher may hold the copyright"


@corpus_importer("pubmedqa", label="PubMedQA", source=Source.RESEARCH, about="PubMedQA's JSON", order=4)
def read_pubmedqa(path: Path, reading: Reading) -> Iterator[SourceDocument]:
    """One document a question, in file order.

    Yields:
        SourceDocument: one at a time.

    Raises:
        InputError: the file is no object of questions.
    """
    rows = whole_json(path, reading)
    if not isinstance(rows, dict) or not all(isinstance(row, dict) for row in rows.values()):
        raise InputError(f"{path.name!r} is no object of questions by PubMed number. Give PubMedQA's file as it is.")
    for number, row in rows.items():
        reading.report.seen()
        contexts, labels = row.get("CONTEXTS"), row.get("LABELS")
        parts = [str(part) for part in contexts] if isinstance(contexts, list) else []
        heads = [str(label) for label in labels] if isinstance(labels, list) else []
        sections = tuple(
            Section(one_line(head).capitalize(), clean(part))
            for part, head in zip_longest(parts, heads[: len(parts)], fillvalue="")
            if part.strip()
        )
        if not sections:
            reading.report.skip("no context")
            continue
        reading.report.keep()
        title = one_line(str(row.get("QUESTION", "")))
        year = str(row.get("YEAR") or "")
        yield SourceDocument(
            f"pubmed/{number}", title, sections, f"https://pubmed.ncbi.nlm.nih.gov/{number}/", LICENCE, year
        )
