"""Questions with what is relevant to each: MedQuAD, BioASQ and PubMedQA as published, or queries with TREC judgements.

The published sets are judged against collections that were imported from the same files: a question's own answer, its own
snippets, its own abstract. Other passages may answer as well, so their figures compare rankings and say nothing absolute.
"""

import hashlib
import re
import zipfile
from collections.abc import Callable, Iterator, Sequence
from enum import StrEnum
from pathlib import Path
from typing import Any, NamedTuple

from backend.errors import InputError
from backend.evaluation.retrieval import TestSet
from backend.evaluation.retrieval.qrels import read_qrels, read_queries
from backend.ingest.documents.file_opening import whole_json
from backend.ingest.documents.safe_xml import Element, inner_text, parsed
from backend.ingest.documents.source_documents import Reading, clean, one_line
from backend.stores.passages.passage_index import PassageRow

OfDocument = Callable[[str], Sequence[PassageRow]]
OWN_ONLY = "Only a question's own {what} counts as relevant; others may answer as well. The figures compare rankings."


class Unit(StrEnum):
    """What is judged."""

    PASSAGE = "passage"
    DOCUMENT = "document"


class Half(StrEnum):
    """Half of a set's topics, by their sha256."""

    EVEN = "even"
    ODD = "odd"


class RetrievalSet(NamedTuple):
    """queries: text by id. qrels: grades by query and by passage id or document id. left_out: by reason.

    topics: what a query is about, where one topic has several queries; halves keep a topic's queries together.
    """

    name: str
    queries: dict[str, str]
    qrels: dict[str, dict[str, int]]
    unit: Unit
    left_out: dict[str, int]
    caveats: tuple[str, ...] = ()
    topics: dict[str, str] = {}

    def half(self, which: Half) -> "RetrievalSet":
        """The queries of the topics whose sha256 is even, or odd: to choose settings on one and measure on the other."""
        odd = which == Half.ODD
        kept = [key for key in self.queries if _odd(self.topics.get(key, self.queries[key])) == odd]
        return self.only(kept)

    def only(self, kept: Sequence[str]) -> "RetrievalSet":
        """These queries alone."""
        return self._replace(
            queries={key: self.queries[key] for key in kept}, qrels={key: self.qrels[key] for key in kept}
        )


class _Set:
    """Fills a set, counting what has nothing to find."""

    def __init__(self) -> None:
        self.queries: dict[str, str] = {}
        self.qrels: dict[str, dict[str, int]] = {}
        self.left_out: dict[str, int] = {}
        self.topics: dict[str, str] = {}

    def add(self, key: str, question: str, relevant: Sequence[str], topic: str = "") -> None:
        if not relevant:
            reason = "nothing of what is relevant is in the imported collections"
            self.left_out[reason] = self.left_out.get(reason, 0) + 1
        elif question:
            self.queries[key] = question
            self.qrels[key] = dict.fromkeys(relevant, 1)
            self.topics[key] = topic or question

    def whole(self, name: str, kind: str, unit: Unit, *caveats: str) -> RetrievalSet:
        if not self.queries:
            raise InputError(
                f"No question of {name} has anything to find in the imported collections. Import it first with: "
                f"python -m backend knowledge add {kind} --from FILE"
            )
        return RetrievalSet(name, self.queries, self.qrels, unit, self.left_out, caveats, self.topics)


def medquad_set(path: Path, of_document: OfDocument) -> RetrievalSet:
    """Each question of MedQuAD's zip with the passages of its own answer."""
    made = _Set()
    try:
        archive = zipfile.ZipFile(path)
    except (OSError, zipfile.BadZipFile) as error:
        raise InputError(f"{path.name!r} is no zip ({type(error).__name__}). Give MedQuAD's zip as it is.") from error
    with archive:
        for name in sorted(name for name in archive.namelist() if name.endswith(".xml")):
            page, stem = parsed(archive.read(name)), Path(name).stem
            if page is None:
                continue
            topic = one_line(page.findtext("Focus") or "")
            for number, (question, rows) in enumerate(_answers(page, stem, of_document), start=1):
                made.add(f"{page.get('source', '')}/{stem}/{number}", question, [_id(row) for row in rows], topic)
    return made.whole(path.name, "medquad", Unit.PASSAGE, OWN_ONLY.format(what="answer"))


def bioasq_set(path: Path, of_document: OfDocument) -> RetrievalSet:
    """Each question of a task B file with the passages that hold its snippets, or lie in them."""
    made = _Set()
    for row in _listed(path):
        relevant: dict[str, None] = {}
        for snippet in row.get("snippets") or ():
            text = clean(str(snippet.get("text", "")))
            number = str(snippet.get("document", "")).rstrip("/").rsplit("/", 1)[-1]
            for held in of_document(f"pubmed/{number}") if text and number else ():
                if held.text in text or text in held.text:
                    relevant[_id(held)] = None
        made.add(str(row.get("id", "")), one_line(str(row.get("body", ""))), list(relevant))
    return made.whole(path.name, "bioasq", Unit.PASSAGE, OWN_ONLY.format(what="snippets"))


def pubmedqa_set(path: Path, of_document: OfDocument) -> RetrievalSet:
    """Each question with the document of its own abstract."""
    made = _Set()
    rows = whole_json(path, Reading())
    if not isinstance(rows, dict):
        raise InputError(f"{path.name!r} is no object of questions by PubMed number. Give PubMedQA's file as it is.")
    for number, row in rows.items():
        document = f"pubmed/{number}"
        made.add(str(number), one_line(str(row.get("QUESTION", ""))), [document] if of_document(document) else [])
    title = (
        "PubMedQA's question is its article's title, so that whatever searches titles finds it: a check, not a test."
    )
    return made.whole(path.name, "pubmedqa", Unit.DOCUMENT, OWN_ONLY.format(what="abstract"), title)


def judged_set(queries: Path, qrels: Path, unit: Unit | None = None) -> RetrievalSet:
    """Queries with TREC judgements: documents by the ids they were imported with, passages as `document#start-end`.

    The unit is read from the ids where it is None. Queries without a relevant document are left out and counted.

    Raises:
        InputError: a line has another shape, or no query is left.
    """
    texts, grades = read_queries(queries), read_qrels(qrels)
    judged = {key: grades[key] for key in texts if any(grade > 0 for grade in grades.get(key, {}).values())}
    if not judged:
        raise InputError(f"No query of {queries.name} has a relevant document in {qrels.name}. Do the query ids agree?")
    ids = [document for row in judged.values() for document in row]
    found = unit or (Unit.PASSAGE if all(_PASSAGE.search(one) for one in ids) else Unit.DOCUMENT)
    without = len(texts) - len(judged)
    left_out = {"no document is judged relevant": without} if without else {}
    return RetrievalSet(queries.name, {key: texts[key] for key in judged}, judged, found, left_out)


PUBLISHED: dict[str, Callable[[Path, OfDocument], RetrievalSet]] = {
    TestSet.MEDQUAD: medquad_set,
    TestSet.BIOASQ: bioasq_set,
    TestSet.PUBMEDQA: pubmedqa_set,
}


def _answers(page: Element, number: str, of_document: OfDocument) -> Iterator[tuple[str, list[PassageRow]]]:
    """Each question of a page with the passages of its answer: the importer joins the answers by a blank line."""
    held = of_document(f"medquad/{page.get('source', '')}/{number}")
    start = 0
    for pair in page.iter("QAPair"):
        text = clean(inner_text(pair.find("Answer")))
        if text:
            end = start + len(text)
            question = pair.find("Question")
            asked = "" if question is None else one_line(inner_text(question))
            yield asked, [row for row in held if start <= row.start_char < end]
            start = end + 2


def _listed(path: Path) -> Iterator[dict[str, Any]]:
    """The questions of one task B file, or of a folder of them."""
    files = [path] if not path.is_dir() else sorted(path.rglob("*.json"))
    for file in files:
        whole_file = whole_json(file, Reading())
        rows = whole_file.get("questions") if isinstance(whole_file, dict) else None
        if isinstance(rows, list):
            yield from (row for row in rows if isinstance(row, dict))
        elif not path.is_dir():
            raise InputError(f"{file.name!r} has no list of questions. Give a BioASQ task B file as it is published.")


def _id(row: PassageRow) -> str:
    return f"{row.document_id}#{row.start_char}-{row.end_char}"


def _odd(topic: str) -> bool:
    return bool(int(hashlib.sha256(topic.encode()).hexdigest(), 16) % 2)


_PASSAGE = re.compile(r"#\d+-\d+$")
