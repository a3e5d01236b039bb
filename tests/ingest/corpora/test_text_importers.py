"""What each text importer takes, leaves out and counts; the samples are written here."""

import io
import json
import os
import tarfile
import zipfile
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.corpora.medcorp import read_jsonl
from backend.ingest.corpora.medquad import WITHOUT, read_medquad
from backend.ingest.corpora.nxml import read_nxml
from backend.ingest.corpora.wikipedia import read_wikipedia
from backend.ingest.documents.source_documents import Reading, SourceDocument, clean, one_line
from backend.ingest.importers import ReadDocuments, text_importer, text_importers
from backend.settings import ROOT


def run(importer: ReadDocuments, path: Path) -> tuple[list[SourceDocument], Reading]:
    reading = Reading()
    return list(importer(path, reading)), reading


def open_data(*parts: str) -> Path:
    path = Path(os.environ.get("LEAPNOTE_TEST_DATA") or ROOT.parent / "shared" / "data").joinpath(*parts)
    if not path.exists():
        pytest.skip("the open data is not there (LEAPNOTE_TEST_DATA)")
    return path


def page(number: str, source: str, *pairs: tuple[str, str]) -> str:
    inner = "".join(
        f'<QAPair><Question qtype="{kind}">Q?</Question><Answer>{text}</Answer></QAPair>' for kind, text in pairs
    )
    return f'<Document id="{number}" source="{source}" url="https://x.test/{number}"><Focus>Focus {number}</Focus><QAPairs>{inner}</QAPairs></Document>'


def test_medquad_pages_in_order_with_the_answers_that_licences_left_out_counted(tmp_path: Path) -> None:
    with zipfile.ZipFile(tmp_path / "m.zip", "w") as archive:
        archive.writestr("M/10_MPlus_ADAM_QA/1.xml", page("1", "ADAM", ("information", ""), ("causes", " ")))
        archive.writestr("M/2_GARD_QA/2.xml", page("2", "GARD", ("treatment", "Rest.\n\n  Water."), ("outlook", "")))
        archive.writestr("M/1_CancerGov_QA/3.xml", page("3", "CancerGov", ("symptoms", "Pain &amp; fever.")))
        archive.writestr("M/3_GHR_QA/4.xml", "<Document><broken>")
        archive.writestr("M/readme.txt", "no page")
    documents, reading = run(read_medquad, tmp_path / "m.zip")
    assert [document.document_id for document in documents] == ["medquad/CancerGov/3", "medquad/GARD/2"]
    assert documents[1].title == "Focus 2"
    assert documents[1].sections == (("treatment", "Rest.\nWater."),)
    assert documents[0].sections[0].text == "Pain & fever."
    assert documents[1].url == "https://x.test/2"
    # 5 pairs and one page that cannot be read
    assert (reading.report.read, reading.report.kept) == (6, 2)
    assert reading.report.skipped == {WITHOUT: 2, "an answer without text": 1, "a page that is not well-formed XML": 1}
    assert (reading.done, reading.total) == (4, 4)


def test_a_jsonl_line_may_hold_a_document_in_parts(tmp_path: Path) -> None:
    parts = '[{"section": "Causes", "text": "Salt."}, {"section": "Empty", "text": " "}, {"heading": "Tests", "text": "Blood."}, 7]'
    (tmp_path / "c.jsonl").write_text('{"id": "a", "title": "Gout", "sections": ' + parts + "}")
    documents, _ = run(read_jsonl, tmp_path / "c.jsonl")
    assert documents[0].sections == (("Causes", "Salt."), ("Tests", "Blood."))


def test_jsonl_lines_with_their_reasons(tmp_path: Path) -> None:
    rows = ['{"id": "a", "title": "T", "content": "T. Body."}', '{"id": 7, "contents": "Number id."}', "{", "[1]"]
    rows += [
        '{"title": "no id", "content": "x"}',
        '{"id": "b", "content": "  "}',
        "",
        '{"id": "c", "text": "lone \\ud83d half"}',
    ]
    (tmp_path / "c.jsonl").write_text("\n".join(rows))
    documents, reading = run(read_jsonl, tmp_path / "c.jsonl")
    assert [(d.document_id, d.title, d.sections[0].text) for d in documents] == [
        ("a", "T", "Body."),
        ("7", "7", "Number id."),
        ("c", "c", "lone half"),
    ]
    assert reading.report.skipped == {
        "a line that is not JSON": 1,
        "a line that is no JSON object": 1,
        "no id": 1,
        "no content": 1,
    }
    assert reading.report.examples["no id"] == [5]
    assert reading.report.read == 7


def test_wikipedia_headings_are_kept_and_its_back_matter_is_not(tmp_path: Path) -> None:
    text = "Gout is a joint disease.\n\n== Causes ==\nToo much urate.\n=== Diet ===\nBeer.\n== See also ==\nPseudogout.\n=== More ===\nX.\n"
    rows = [
        {"id": 1, "title": "Gout", "text": text, "url": "https://w.test/Gout"},
        {"title": "G", "text": "#REDIRECT [[Gout]]"},
    ]
    rows += [{"title": "Cold", "text": "Cold may refer to:\n* a"}, {"title": "Empty", "text": ""}]
    (tmp_path / "w.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    documents, reading = run(read_wikipedia, tmp_path / "w.jsonl")
    assert documents[0].sections == (("", "Gout is a joint disease."), ("Causes", "Too much urate."), ("Diet", "Beer."))
    assert (documents[0].document_id, documents[0].licence) == ("wikipedia/1", "CC BY-SA 4.0 (Wikipedia)")
    assert reading.report.skipped == {"a redirect": 1, "a disambiguation page": 1, "no title or no text": 1}


NXML = """<book-part-wrapper><book-part id="NBK1"><book-part-meta><title-group><title>Gout</title></title-group>
<pub-date><year>2023</year><month>8</month></pub-date><permissions><license><license-p>CC BY-NC-ND</license-p></license></permissions></book-part-meta>
<body><sec><title>Treatment</title><p>Rest the joint <xref ref-type="bibr" rid="r1">1</xref>[<xref>2</xref>].</p>
<list><list-item><p>Ice</p></list-item></list><sec><title>Drugs</title><p>Colchicine.</p>
<table-wrap><table><tbody><tr><td>drug</td><td>dose</td></tr></tbody></table></table-wrap></sec></sec>
<sec><title>Review Questions</title><p>Click here.</p></sec><sec><title>References</title><ref-list/></sec></body></book-part></book-part-wrapper>"""


@pytest.mark.parametrize("packed", [False, True])
def test_bookshelf_chapters_keep_nested_headings(tmp_path: Path, packed: bool) -> None:
    files = {"b/gout.nxml": NXML, "b/empty.nxml": "<book-part><body/></book-part>", "b/bad.nxml": "<x>"}
    if packed:
        with tarfile.open(tmp_path / "b.tar.gz", "w:gz") as archive:
            for name, text in sorted(files.items()):
                entry = tarfile.TarInfo(name)
                entry.size = len(text.encode())
                archive.addfile(entry, io.BytesIO(text.encode()))
    else:
        (tmp_path / "b").mkdir()
        for name, text in files.items():
            (tmp_path / name).write_text(text)
    documents, reading = run(read_nxml, tmp_path / "b.tar.gz" if packed else tmp_path / "b")
    (document,) = documents
    assert (document.document_id, document.title, document.date, document.licence) == (
        "bookshelf/NBK1",
        "Gout",
        "2023-08",
        "CC BY-NC-ND",
    )
    assert document.sections == (
        ("Treatment", "Rest the joint.\nIce"),
        ("Treatment: Drugs", "Colchicine.\ndrug | dose"),
    )
    assert reading.report.skipped == {"not well-formed XML, or larger than 64 MB": 1, "no headed text": 1}


def test_a_chapters_table_tells_a_drug_in_each_of_its_rows(tmp_path: Path) -> None:
    rows = "<tr><td rowspan='2'>heparin</td><td>5,000</td></tr><tr><td>10,000</td></tr><tr><td>warfarin</td><td>5 mg</td></tr>"
    (tmp_path / "t.nxml").write_text(NXML.replace("<tr><td>drug</td><td>dose</td></tr>", rows))
    (document,), _ = run(read_nxml, tmp_path / "t.nxml")
    assert document.sections[1][1] == "Colchicine.\nheparin | 5,000\nheparin | 10,000\nwarfarin | 5 mg"


def test_a_line_in_another_encoding_is_told_as_such(tmp_path: Path) -> None:
    good = json.dumps({"id": "a", "title": "Rest", "content": "Rest."}).encode()
    (tmp_path / "p.jsonl").write_bytes('{"id": "b", "content": "café"}'.encode("latin-1") + b"\n{x\n" + good)
    documents, reading = run(read_jsonl, tmp_path / "p.jsonl")
    assert [d.document_id for d in documents] == ["a"]
    assert reading.report.examples == {"a line that is not UTF-8": [1], "a line that is not JSON": [2]}


@pytest.mark.parametrize("kind", [one.name for one in text_importers()])
def test_no_importer_takes_bytes_that_are_something_else(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "x.bin"
    path.write_bytes(bytes(range(256)) * 20)
    reading = Reading()
    try:
        assert list(text_importer(kind).read(path, reading)) == []
        assert reading.report.skipped_count
    except InputError as error:
        assert "x.bin" in str(error)


def test_an_unknown_kind_lists_the_known_ones() -> None:
    with pytest.raises(InputError, match="medquad, pubmed, bioasq"):
        text_importer("nothing")


def test_running_text_is_cleaned_and_lists_stay_lists() -> None:
    assert clean("One\nline.\r\n\r\nTwo\x00 \ufeffthree.\n- a\n- b\n\n \n") == "One line.\nTwo three.\n- a\n- b"
    assert one_line("a\n b" + "c" * 400).startswith("a bccc")
    assert len(one_line("c" * 400)) == 300


@pytest.mark.data
def test_medquad_whole_from_the_zip() -> None:
    """16,407 answers, as its README and ours state; every other pair is left out by a licence."""
    documents, reading = run(read_medquad, open_data("medquad", "MedQuAD-master.zip"))
    assert reading.report.kept == 16_407
    assert sum(len(document.sections) for document in documents) == 16_407
    assert reading.report.read == reading.report.kept + reading.report.skipped_count
