"""A small input of each registered importer, written here, with one thing in it that must be left out or is broken."""

import gzip
import json
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, NamedTuple

from backend.schemas.vocabulary import SemanticGroup
from tests.ingest.clinical_notes.test_ccda import DOCUMENT
from tests.ingest.corpora.test_drugbank import XML
from tests.ingest.documents.written_files import paragraphs, pdf_file, word_file
from tests.ingest.umls.test_umls import SAMPLE

ROWS = ({"id": f"z{n}", "title": f"Z {n}", "text": "Never whole.", "content": "Never whole."} for n in range(900))
CUT_SHORT = gzip.compress("\n".join(map(json.dumps, ROWS)).encode())[:-9]


class TextSample(NamedTuple):
    """An input with at least two documents and at least one unit to leave out. broken: the file in it that cannot be read."""

    path: Path
    broken: str = ""


def medquad(folder: Path) -> TextSample:
    page = '<Document id="{0}" source="GARD" url="https://x.test/{0}"><Focus>Gout {0}</Focus><QAPairs><QAPair><Question qtype="treatment">Q?</Question><Answer>{1}</Answer></QAPair></QAPairs></Document>'
    with zipfile.ZipFile(folder / "m.zip", "w") as archive:
        archive.writestr("M/2_GARD_QA/1.xml", page.format(1, "Rest the joint. Drink water."))
        archive.writestr("M/2_GARD_QA/2.xml", page.format(2, "Ask for advice."))
        archive.writestr("M/2_GARD_QA/3.xml", page.format(3, ""))
        archive.writestr("M/3_GHR_QA/broken.xml", "<Document><broken>")
    return TextSample(folder / "m.zip", "broken.xml")


def pubmed(folder: Path) -> TextSample:
    article = "<PubmedArticle><MedlineCitation><PMID>{0}</PMID><Article><ArticleTitle>A trial of rest {0}</ArticleTitle>{1}</Article></MedlineCitation></PubmedArticle>"
    abstract = "<Abstract><AbstractText Label='METHODS'>We asked {0}.</AbstractText><AbstractText>It helped.</AbstractText></Abstract>"
    articles = [article.format(n, abstract.format(n)) for n in (1, 2)] + [article.format(3, "")]
    (folder / "a.xml").write_text(f"<PubmedArticleSet>{''.join(articles)}</PubmedArticleSet>")
    (folder / "broken.xml").write_text("<PubmedArticleSet><PubmedArticle>")
    return TextSample(folder, "broken.xml")


def bioasq(folder: Path) -> TextSample:
    snippets = [
        {
            "document": f"http://x.test/pubmed/{n}",
            "text": f"Colchicine eases gout, trial {n}.",
            "beginSection": "abstract",
        }
        for n in (1, 2, 2)
    ]
    (folder / "a.json").write_text(json.dumps({"questions": [{"body": "?", "snippets": snippets}]}))
    (folder / "broken.json").write_text('{"questions": [{"snippets": ')
    return TextSample(folder, "broken.json")


def pubmedqa(folder: Path) -> TextSample:
    rows: dict[str, Any] = {
        str(n): {"QUESTION": f"Does rest help {n}?", "CONTEXTS": [f"We rested {n}.", "They walked."], "LABELS": ["AIM"]}
        for n in (1, 2)
    }
    (folder / "q.json").write_text(json.dumps(rows | {"3": {"QUESTION": "No context?"}}))
    return TextSample(folder / "q.json")


def jsonl(folder: Path) -> TextSample:
    rows = [{"id": "a", "title": "Gout", "content": "Rest it.\n\nDrink water."}, {"id": "b", "content": "Ice helps."}]
    (folder / "a.jsonl").write_text("\n".join(json.dumps(row) for row in [*rows, {"id": "c"}]))
    (folder / "broken.jsonl.gz").write_bytes(CUT_SHORT)
    return TextSample(folder, "broken.jsonl.gz")


def wikipedia(folder: Path) -> TextSample:
    rows = [{"id": n, "title": f"Gout {n}", "text": "A disease.\n\n== Causes ==\nToo much urate."} for n in (1, 2)]
    rows.append({"id": 3, "title": "Podagra", "text": "#REDIRECT [[Gout]]"})
    (folder / "a.jsonl").write_text("\n".join(json.dumps(row) for row in rows))
    (folder / "broken.jsonl.gz").write_bytes(CUT_SHORT)
    return TextSample(folder, "broken.jsonl.gz")


def nxml(folder: Path) -> TextSample:
    for n in (1, 2):
        (folder / f"a{n}.nxml").write_text(
            f"<book-part id='NBK{n}'><book-part-meta><title-group><title>Gout {n}</title></title-group></book-part-meta><body>"
            f"<sec><title>Care</title><p>Rest the joint. Take {n} tablets.</p></sec></body></book-part>"
        )
    (folder / "broken.nxml").write_text("<book-part><body>")
    return TextSample(folder, "broken.nxml")


def text_folder(folder: Path) -> TextSample:
    (folder / "gout.md").write_text(
        "# Gout\n\nRest the joint.\n\n## Drugs\n\n| drug | dose |\n|---|---|\n| a | 5 mg |\n"
    )
    (folder / "page.html").write_text("<h1>Cough</h1><p>Drink <b>warm</b> water.</p><ul><li>Rest</li></ul>")
    (folder / "table.xlsx").write_bytes(b"PK")
    (folder / "broken.pdf").write_bytes(b"%PDF-1.4 broken")
    return TextSample(folder, "broken.pdf")


def drugbank(folder: Path) -> TextSample:
    (folder / "drugbank.xml").write_text(XML)
    return TextSample(folder / "drugbank.xml")


TEXTS: dict[str, Callable[[Path], TextSample]] = {
    "medquad": medquad,
    "pubmed": pubmed,
    "bioasq": bioasq,
    "pubmedqa": pubmedqa,
    "jsonl": jsonl,
    "wikipedia": wikipedia,
    "nxml": nxml,
    "folder": text_folder,
    "drugbank": drugbank,
}


class GraphSample(NamedTuple):
    """paths: with at least one unit to leave out. broken: paths of the same form, one of them damaged, and its name."""

    paths: tuple[Path, ...]
    broken: tuple[Path, ...]
    named: str
    choices: dict[str, Any] = {}


def umls(folder: Path) -> GraphSample:
    (folder / "MRCONSO.RRF").write_bytes(b"\xff\xfe no row of eighteen cells\n" * 3)
    for table in ("MRSTY", "MRREL"):
        (folder / f"{table}.RRF").write_bytes((SAMPLE / f"{table}.RRF").read_bytes())
    return GraphSample((SAMPLE,), (folder,), "MRCONSO")


def obo(folder: Path) -> GraphSample:
    terms = "[Term]\nid: X:1\nname: airway disease\n\n[Term]\nid: X:2\nname: asthma\nis_a: X:1\nis_a: X:9\n\n[Term]\nid: X:3\n"
    (folder / "a.obo").write_text(f"format-version: 1.2\n\n{terms}")
    (folder / "broken.obo").write_text("no ontology")
    paths = (folder / "a.obo",)
    group = {"group": SemanticGroup.DISO, "scopes": ("EXACT",), "category": "", "prefix_group": ()}
    return GraphSample(paths, (*paths, folder / "broken.obo"), "broken.obo", group)


def tsv(folder: Path) -> GraphSample:
    (folder / "c.tsv").write_text("id\tname\tgroup\nA\tasthma\tDISO\nB\tsalbutamol\tCHEM\nC\tnothing\tNONE\n")
    (folder / "e.tsv").write_text("head\trelation\ttail\nB\teases\tA\nB\teases\tZ\n")
    (folder / "broken.tsv").write_bytes(gzip.compress(b"head\trelation\ttail\n" * 900)[:-9])
    paths = (folder / "c.tsv", folder / "e.tsv")
    return GraphSample(paths, (paths[0], folder / "broken.tsv"), "broken.tsv")


def drug_facts(folder: Path) -> GraphSample:
    (folder / "drugbank.xml").write_text(XML)
    (folder / "broken.xml").write_text(XML[:-40])
    return GraphSample((folder / "drugbank.xml",), (folder / "broken.xml",), "broken.xml")


GRAPHS: dict[str, Callable[[Path], GraphSample]] = {"umls": umls, "obo": obo, "tsv": tsv, "drug-facts": drug_facts}


class NoteSample(NamedTuple):
    """texts: every note's text, in order. leaves_out: whether something in it must be left out and counted."""

    data: bytes
    texts: tuple[str, ...]
    leaves_out: bool = False


EVENTS = (
    "ROW_ID,SUBJECT_ID,HADM_ID,CHARTDATE,CHARTTIME,CATEGORY,ISERROR,TEXT\n"
    '1,7,70,2101-10-20,,Nursing,,"Walked, twice"\n2,7,70,2101-10-21,,Physician ,,Dyspnea\n3,7,70,2101-10-22,,Physician ,1,wrong\n'
)
BUNDLE = {
    "resourceType": "Bundle",
    "entry": [
        {
            "resource": {
                "resourceType": "DiagnosticReport",
                "subject": {"reference": "Patient/p1"},
                "effectiveDateTime": "2031-02-03",
                "conclusion": "No pneumonia.",
            }
        },
        {"resource": {"resourceType": "DocumentReference", "status": "entered-in-error"}},
    ],
}
NOTES: dict[str, NoteSample] = {
    "c-cda": NoteSample(
        DOCUMENT.encode(),
        (
            "Admission Date: 2031-02-01\nDischarge Date: 2031-02-04\n\nAllergies:\n- Substance: Penicillin; Reaction: Hives\n"
            "- Substance: Latex\n\nHospital Course:\nBetter after furosemide.\n- Walks & eats",
        ),
    ),
    "fhir": NoteSample(json.dumps(BUNDLE).encode(), ("Conclusion:\nNo pneumonia.",), True),
    "noteevents": NoteSample(EVENTS.encode(), ("Walked, twice", "Dyspnea"), True),
    "laboratory": NoteSample(
        b"subject_id,charttime,label,value,valueuom,flag\n7,2031-02-01 06:00:00,Potassium,4.1,mmol/L,\n7,2031-06-11,Potassium,3.2,mmol/L,L\n7,2031-06-11,Sodium,___,,\n",
        ("Results:\nPotassium 4.1 mmol/L.", "Results:\nPotassium 3.2 mmol/L (low); before 4.1 mmol/L on 2031-02-01."),
        True,
    ),
    "notes": NoteSample(
        b'{"note_type": "Nursing", "date": "2031-02-02", "text": "Weight 81 kg."}\n{"text": "Cough."}\n',
        ("Weight 81 kg.", "Cough."),
    ),
    "pdf": NoteSample(pdf_file("# Consult, 2031-02-01", "Swelling is less."), ("Swelling is less.",)),
    "docx": NoteSample(
        word_file(paragraphs("# Consult, 2031-02-01", "Swelling is less.", "---", "No fever.")),
        ("Swelling is less.", "No fever."),
    ),
    "text": NoteSample(b"# Consult, 2031-02-01\nSwelling is less.\n---\nNo fever.", ("Swelling is less.", "No fever.")),
}
