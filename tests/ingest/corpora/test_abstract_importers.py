"""What the importers of abstracts take, leave out and count: PubMed, BioASQ, PubMedQA; the samples are written here."""

import gzip
import json
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.corpora.bioasq import read_bioasq
from backend.ingest.corpora.pubmed import read_pubmed
from backend.ingest.corpora.pubmedqa import read_pubmedqa
from backend.ingest.documents.source_documents import Reading, SourceDocument
from backend.ingest.importers import ReadDocuments
from backend.settings import ROOT

PUBMED = """<?xml version="1.0"?><!DOCTYPE PubmedArticleSet PUBLIC "-//NLM//DTD" "https://dtd.nlm.nih.gov/x.dtd">
<PubmedArticleSet>{}</PubmedArticleSet>"""
ARTICLE = """<PubmedArticle><MedlineCitation><PMID>{0}</PMID><Article><Journal><JournalIssue><PubDate><Year>2019</Year>
<Month>Mar</Month></PubDate></JournalIssue></Journal><ArticleTitle>On <i>salt</i> {0}.</ArticleTitle><Abstract>{1}</Abstract>
<PublicationTypeList><PublicationType>{2}</PublicationType></PublicationTypeList></Article></MedlineCitation></PubmedArticle>"""


def run(importer: ReadDocuments, path: Path) -> tuple[list[SourceDocument], Reading]:
    reading = Reading()
    return list(importer(path, reading)), reading


def open_data(*parts: str) -> Path:
    path = Path(os.environ.get("LEAPNOTE_TEST_DATA") or ROOT.parent / "shared" / "data").joinpath(*parts)
    if not path.exists():
        pytest.skip("the open data is not there (LEAPNOTE_TEST_DATA)")
    return path


def test_pubmed_abstracts_with_their_labelled_parts(tmp_path: Path) -> None:
    parts = '<AbstractText Label="METHODS">We <b>asked</b> 5.</AbstractText><AbstractText Label="UNLABELLED">Yes.</AbstractText>'
    articles = [ARTICLE.format(1, parts, "Journal Article"), ARTICLE.format(2, "", "Journal Article")]
    articles += [ARTICLE.format(3, parts, "Retracted Publication"), "<DeleteCitation><PMID>9</PMID></DeleteCitation>"]
    with gzip.open(tmp_path / "pubmed1.xml.gz", "wt") as file:
        file.write(PUBMED.format("".join(articles)))
    documents, reading = run(read_pubmed, tmp_path)
    (document,) = documents
    assert (document.document_id, document.title, document.date) == ("pubmed/1", "On salt 1.", "2019-03")
    assert document.sections == (("Methods", "We asked 5."), ("", "Yes."))
    assert document.url == "https://pubmed.ncbi.nlm.nih.gov/1/"
    assert reading.report.skipped == {"no abstract": 1, "a retracted publication": 1}
    assert "withdraws citations" in reading.report.notes[0]
    assert run(read_pubmed, tmp_path / "pubmed1.xml.gz")[0] == documents


def test_bioasq_snippets_make_one_document_an_abstract(tmp_path: Path) -> None:
    def snippet(text: str, start: int, section: str = "abstract", number: int = 7) -> dict[str, object]:
        return {
            "document": f"http://www.ncbi.nlm.nih.gov/pubmed/{number}",
            "text": text,
            "offsetInBeginSection": start,
            "offsetInEndSection": start + len(text),
            "beginSection": section,
        }

    one = [snippet("The end.", 90), snippet("A title.", 0, "title"), snippet("The start and more.", 0)]
    two = [snippet("start and", 4), snippet("The end.", 90), snippet("Other.", 0, number=8), {"text": ""}]
    (tmp_path / "b.json").write_text(
        json.dumps({"questions": [{"body": "Why?", "ideal_answer": ["So."], "snippets": one}, {"snippets": two}]})
    )
    documents, reading = run(read_bioasq, tmp_path)
    assert [document.document_id for document in documents] == ["pubmed/7", "pubmed/8"]
    assert documents[0].title == "A title."
    assert [section.text for section in documents[0].sections] == ["The start and more.", "The end."]
    assert documents[1].title == ""
    assert reading.report.kept == 4
    assert reading.report.skipped == {
        "no text or no document": 1,
        "the same snippet of another question": 1,
        "a snippet within a longer one": 1,
    }
    assert "So." not in str(documents)


def test_pubmedqa_contexts_without_the_conclusion(tmp_path: Path) -> None:
    row = {
        "QUESTION": "Does it?",
        "CONTEXTS": ["We ask.", "We saw."],
        "LABELS": ["AIM"],
        "LONG_ANSWER": "It does.",
        "YEAR": "2001",
    }
    (tmp_path / "q.json").write_text(json.dumps({"5": row, "6": {"QUESTION": "Empty?", "CONTEXTS": []}}))
    documents, reading = run(read_pubmedqa, tmp_path / "q.json")
    assert documents[0].sections == (("Aim", "We ask."), ("", "We saw."))
    assert (documents[0].title, documents[0].date) == ("Does it?", "2001")
    assert "It does." not in str(documents)
    assert reading.report.skipped == {"no context": 1}


@pytest.mark.data
@pytest.mark.parametrize(
    ("importer", "parts", "most"),
    [(read_pubmedqa, ("pqal_train500.json",), 500), (read_bioasq, ("Task10BGoldenEnriched",), 10_000)],
)
def test_open_question_sets_are_read(importer: Callable[..., object], parts: tuple[str, ...], most: int) -> None:
    documents, reading = run(importer, open_data("bioasq_pubmedqa", *parts))  # type: ignore[arg-type]
    assert 0 < len(documents) <= most
    assert all(document.document_id.removeprefix("pubmed/").isdigit() for document in documents)
    assert reading.report.read == reading.report.kept + reading.report.skipped_count


@pytest.mark.parametrize(
    "text",
    [
        '<!DOCTYPE x [<!ENTITY a "ha"><!ENTITY b "&a;&a;">]><PubmedArticleSet><PubmedArticle>&b;</PubmedArticle></PubmedArticleSet>',
        '<!DOCTYPE x [<!ENTITY f SYSTEM "file:///etc/hostname">]><PubmedArticleSet>&f;</PubmedArticleSet>',
    ],
)
def test_xml_that_declares_entities_is_refused(tmp_path: Path, text: str) -> None:
    (tmp_path / "x.xml").write_text(text)
    with pytest.raises(InputError, match="declares entities, which are refused"):
        run(read_pubmed, tmp_path / "x.xml")


def test_xml_cut_short_says_where(tmp_path: Path) -> None:
    (tmp_path / "x.xml").write_text(PUBMED.format(ARTICLE.format(1, "", ""))[:200])
    with pytest.raises(InputError, match=r"'x\.xml' cannot be read as XML: it breaks at line"):
        run(read_pubmed, tmp_path / "x.xml")
    whole = gzip.compress(PUBMED.format(ARTICLE.format(1, "", "") * 50).encode())
    (tmp_path / "y.xml.gz").write_bytes(whole[: len(whole) // 2])
    with pytest.raises(InputError, match="cut short or damaged"):
        run(read_pubmed, tmp_path / "y.xml.gz")
