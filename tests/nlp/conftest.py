"""A vocabulary small enough to read: names, synonyms and abbreviations that share a form."""

import pytest

from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.lexicon.names import NameIndex
from backend.stores.graph.graph_rows import ConceptRow

ROWS = (
    ("chest pain", "DISO", "symptom", ("CP", "pain in chest")),
    ("dyspnea", "DISO", "symptom", ("shortness of breath", "SOB", "dyspnoea", "can't catch my breath")),
    ("leg swelling", "DISO", "symptom", ("lower extremity edema",)),
    ("duodenal ulcer", "DISO", "disease", ()),
    ("rib fracture", "DISO", "disease", ()),
    ("palpitations", "DISO", "symptom", ()),
    ("nausea", "DISO", "symptom", ()),
    ("vomiting", "DISO", "symptom", ()),
    ("fever", "DISO", "symptom", ()),
    ("cough", "DISO", "symptom", ()),
    ("confusion", "DISO", "symptom", ("altered mental status", "AMS")),
    ("pneumonia", "DISO", "disease", ("PNA",)),
    ("hypertension", "DISO", "disease", ("HTN", "high blood pressure")),
    ("type 2 diabetes mellitus", "DISO", "disease", ("DM", "diabetes mellitus")),
    ("heart failure", "DISO", "disease", ("CHF", "congestive heart failure")),
    ("acute heart failure", "DISO", "disease", ()),
    ("atrial fibrillation", "DISO", "disease", ("AF", "a-fib")),
    ("pulmonary embolism", "DISO", "disease", ("PE",)),
    ("mitral stenosis", "DISO", "disease", ("MS",)),
    ("multiple sclerosis", "DISO", "disease", ("MS",)),
    ("rheumatoid arthritis", "DISO", "disease", ("RA",)),
    ("stroke", "DISO", "disease", ("CVA", "cerebrovascular accident")),
    ("costovertebral angle tenderness", "DISO", "symptom", ("CVA tenderness",)),
    ("acute lymphoblastic leukemia", "DISO", "disease", ("ALL",)),
    ("common cold", "DISO", "disease", ("cold",)),
    ("fall", "DISO", "finding", ("fell",)),
    ("Crohn's disease", "DISO", "disease", ()),
    ("chest x-ray", "PROC", "test", ("CXR", "chest radiograph")),
    ("prothrombin time", "PROC", "test", ("PT",)),
    ("blood test", "PROC", "test", ("test",)),
    ("Wells score", "PROC", "test", ("Wells",)),
    ("prednisone", "CHEM", "drug", ()),
    ("prednisolone", "CHEM", "drug", ()),
    ("hydralazine", "CHEM", "drug", ()),
    ("hydroxyzine", "CHEM", "drug", ()),
    ("metoprolol", "CHEM", "drug", ("Lopressor",)),
    ("penicillin", "CHEM", "drug", ("PCN", "penicillins")),
    ("WAS", "GENE", "gene", ()),
    ("migraine", "DISO", "disease", ("megrim",)),
    ("aortic stenosis", "DISO", "disease", ("AS",)),
    ("mitral murmur", "DISO", "symptom", ()),
    ("rheumatic fever", "DISO", "disease", ()),
)


def concept_id(name: str) -> str:
    return "T:" + name.replace(" ", "-")


@pytest.fixture(scope="session")
def rows() -> tuple[ConceptRow, ...]:
    return tuple(ConceptRow(concept_id(name), name, group, category, names) for name, group, category, names in ROWS)


@pytest.fixture(scope="session")
def index(rows: tuple[ConceptRow, ...]) -> NameIndex:
    return NameIndex.build(rows)


@pytest.fixture(scope="session")
def linker(rows: tuple[ConceptRow, ...]) -> DictionaryLinker:
    return DictionaryLinker(rows)
