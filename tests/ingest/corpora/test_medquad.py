"""MedQuAD's other names of a page's topic, which its topic is searched by."""

import zipfile
from pathlib import Path

from backend.ingest.corpora.medquad import read_medquad
from backend.ingest.documents.source_documents import Reading
from backend.stores.passages.passage_table import LONGEST_TOPIC, topic_text

PAGE = """<Document id="1" source="GARD" url="https://x.test"><Focus>Gout</Focus>
<FocusAnnotations><Synonyms><Synonym>Podagra</Synonym><Synonym> gout </Synonym><Synonym>Podagra</Synonym>
<Synonym>Crystal arthritis</Synonym></Synonyms></FocusAnnotations>
<QAPairs><QAPair pid="1"><Question qid="1" qtype="treatment">How?</Question><Answer>Rest.</Answer></QAPair></QAPairs></Document>"""


def test_the_synonyms_of_a_page_come_once_each_without_its_title(tmp_path: Path) -> None:
    path = tmp_path / "MedQuAD.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("MedQuAD-master/4_GARD_QA/0000001.xml", PAGE)
    (page,) = read_medquad(path, Reading())
    assert (page.title, page.synonyms) == ("Gout", ("Podagra", "Crystal arthritis"))
    assert topic_text(page.title, page.synonyms) == "Gout; Podagra; Crystal arthritis"


def test_a_topic_takes_as_many_names_as_fit() -> None:
    names = ["a" * 90, "b" * 200, "c" * 90]
    assert topic_text("Gout", names) == f"Gout; {'a' * 90}; {'c' * 90}"
    assert len(topic_text("Gout", names)) <= LONGEST_TOPIC
    assert topic_text("", names) == ""
