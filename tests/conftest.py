"""One loaded container for the whole session, and a graph small enough to know by heart."""

import hashlib
import json
from collections.abc import Callable, Iterator, Sequence

import numpy as np
import pytest

from backend.container import Container
from backend.container.process_tuning import freeze_loaded
from backend.knowledge.allergy_reach import AllergyReach, Risk
from backend.knowledge.starter import concept_id, read_relations
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.patients.case import DemonstrationCase
from backend.schemas.vocabulary import Document
from backend.settings import ROOT, Settings
from backend.stores.graph.graph import Graph
from backend.stores.graph.graph_rows import ConceptRow, RelationRow, TripleRow

CASES = ROOT / "assets" / "cases"
QUESTION = "What could explain this, and which tests and treatments should the team think of?"
DISEASE, SYMPTOM, TEST, DRUG, CLASS = "disease", "symptom", "test", "drug", "drug_class"

# name, group, category, synonyms, plain words, condition, must not miss
TINY_CONCEPTS: tuple[tuple[str, str, str, tuple[str, ...], str, bool, bool], ...] = (
    ("heart failure", "DISO", DISEASE, ("CHF",), "a heart that pumps too weakly", True, False),
    ("pneumonia", "DISO", DISEASE, (), "an infection of the lungs", True, False),
    ("pulmonary embolism", "DISO", DISEASE, (), "a blood clot in the lung", True, True),
    ("gout", "DISO", DISEASE, (), "", False, False),
    ("dyspnea", "DISO", SYMPTOM, ("shortness of breath",), "shortness of breath", False, False),
    ("leg swelling", "DISO", SYMPTOM, (), "", False, False),
    ("fever", "DISO", SYMPTOM, (), "", False, False),
    ("cough", "DISO", SYMPTOM, (), "", False, False),
    ("chest pain", "DISO", SYMPTOM, (), "", False, False),
    ("rash", "DISO", SYMPTOM, (), "", False, False),
    ("chest x-ray", "PROC", TEST, (), "", False, False),
    ("low salt diet", "ACTI", "diet", (), "", False, False),
    ("daily weight", "ACTI", "precaution", (), "", False, False),
    ("clinic visit", "PROC", "follow_up", (), "", False, False),
    ("lung", "ANAT", "anatomy", (), "", False, False),
    ("antihypertensive", "CHEM", CLASS, (), "", False, False),
    ("ACE inhibitor", "CHEM", CLASS, (), "", False, False),
    ("penicillin", "CHEM", CLASS, ("penicillins",), "", False, False),
    ("cephalosporin", "CHEM", CLASS, (), "", False, False),
    ("NSAID", "CHEM", CLASS, (), "", False, False),
    ("lisinopril", "CHEM", DRUG, ("Zestril",), "", False, False),
    ("enalapril", "CHEM", DRUG, (), "", False, False),
    ("furosemide", "CHEM", DRUG, ("Lasix",), "a water pill for leg swelling", False, False),
    ("amoxicillin", "CHEM", DRUG, (), "", False, False),
    ("amoxicillin-clavulanate", "CHEM", DRUG, ("Augmentin",), "", False, False),
    ("ceftriaxone", "CHEM", DRUG, (), "", False, False),
    ("ibuprofen", "CHEM", DRUG, (), "", False, False),
    ("naproxen", "CHEM", DRUG, (), "", False, False),
    ("warfarin", "CHEM", DRUG, (), "", False, False),
)
TINY_TRIPLES: tuple[tuple[str, str, str, str], ...] = (
    ("heart failure", "has_finding", "dyspnea", ""),
    ("heart failure", "has_finding", "leg swelling", ""),
    ("heart failure", "has_warning_sign", "chest pain", ""),
    ("heart failure", "has_diet_advice", "low salt diet", ""),
    ("heart failure", "has_precaution", "daily weight", ""),
    ("heart failure", "has_follow_up", "clinic visit", ""),
    ("heart failure", "diagnosed_by", "chest x-ray", ""),
    ("heart failure", "treated_by", "lisinopril", ""),
    ("heart failure", "treated_by", "furosemide", ""),
    ("pneumonia", "has_finding", "fever", ""),
    ("pneumonia", "has_finding", "cough", ""),
    ("pneumonia", "may_have_finding", "dyspnea", ""),
    ("pneumonia", "has_finding_site", "lung", ""),
    ("heart failure", "has_risk_factor", "gout", ""),
    ("pneumonia", "diagnosed_by", "chest x-ray", ""),
    ("pneumonia", "treated_by", "amoxicillin", ""),
    ("pulmonary embolism", "has_finding", "dyspnea", ""),
    ("pulmonary embolism", "has_finding", "chest pain", ""),
    ("pulmonary embolism", "treated_by", "warfarin", ""),
    ("antihypertensive", "has_subclass", "ACE inhibitor", ""),
    ("lisinopril", "has_class", "ACE inhibitor", ""),
    ("enalapril", "has_class", "ACE inhibitor", ""),
    ("furosemide", "has_class", "antihypertensive", ""),
    ("amoxicillin", "has_class", "penicillin", ""),
    ("amoxicillin-clavulanate", "has_ingredient", "amoxicillin", ""),
    ("ceftriaxone", "has_class", "cephalosporin", ""),
    ("penicillin", "cross_reacts_with", "cephalosporin", "low risk"),
    ("ibuprofen", "has_class", "NSAID", ""),
    ("naproxen", "has_class", "NSAID", ""),
    ("NSAID", "contraindicated_with", "heart failure", ""),
    ("lisinopril", "contraindicated_with", "gout", "severe"),
    ("NSAID", "interacts_with", "warfarin", "more bleeding"),
    ("lisinopril", "has_adverse_effect", "cough", ""),
)
TINY_FAMILIES = dict.fromkeys(
    ("penicillin", "cephalosporin", "NSAID", "ACE inhibitor", "a class the graph does not know"), Risk.HIGH
)


class WordEncoder:
    """A vector of hashed words: equal words, equal vectors; no weights to load."""

    name = "words"
    dimension = 64

    def __init__(self) -> None:
        self.encoded: list[str] = []

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        self.encoded.extend(texts)
        rows = np.full((len(texts), self.dimension), 1e-3, dtype=np.float32)
        for i, text in enumerate(texts):
            for word in text.lower().replace(".", " ").split():
                rows[i, hashlib.sha256(word.encode()).digest()[0] % self.dimension] += 1.0
        return rows / np.linalg.norm(rows, axis=1, keepdims=True)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        return self.encode(texts)


@pytest.fixture
def encoder() -> WordEncoder:
    return WordEncoder()


@pytest.fixture(scope="session")
def relations() -> dict[str, RelationRow]:
    return read_relations(ROOT / "assets" / "knowledge" / "relations.tsv")


@pytest.fixture(scope="session")
def tiny_rows() -> tuple[ConceptRow, ...]:
    return tuple(ConceptRow(tiny_id(name), name, *rest) for name, *rest in TINY_CONCEPTS)


@pytest.fixture(scope="session")
def tiny_triples() -> tuple[TripleRow, ...]:
    return tuple(TripleRow(tiny_id(h), relation, tiny_id(t), qualifier) for h, relation, t, qualifier in TINY_TRIPLES)


@pytest.fixture(scope="session")
def tiny_graph(
    tiny_rows: tuple[ConceptRow, ...], tiny_triples: tuple[TripleRow, ...], relations: dict[str, RelationRow]
) -> Graph:
    return Graph(tiny_rows, tiny_triples, relations)


@pytest.fixture(scope="session")
def tiny_linker(tiny_rows: tuple[ConceptRow, ...]) -> DictionaryLinker:
    return DictionaryLinker(tiny_rows)


@pytest.fixture(scope="session")
def tiny_reach(tiny_graph: Graph) -> AllergyReach:
    return AllergyReach(tiny_graph, TINY_FAMILIES)


def tiny_id(name: str) -> str:
    return "T:" + name.replace(" ", "-")


@pytest.fixture(scope="session")
def named() -> Callable[[str], str]:
    """The id of a concept of the tiny graph."""
    return tiny_id


@pytest.fixture(scope="session")
def test_settings(tmp_path_factory: pytest.TempPathFactory) -> Settings:
    return Settings(_env_file=None, data=tmp_path_factory.mktemp("data"))


@pytest.fixture(scope="session")
def container(test_settings: Settings) -> Container:
    """Everything that ships, loaded once."""
    loaded = Container(test_settings)
    loaded.warm()
    freeze_loaded()
    return loaded


def demonstration_cases() -> list[DemonstrationCase]:
    return [DemonstrationCase.model_validate(json.loads(path.read_text())) for path in sorted(CASES.glob("*.json"))]


@pytest.fixture(scope="session")
def cases() -> list[DemonstrationCase]:
    return demonstration_cases()


def pytest_collection_finish() -> None:
    """The garbage collector leaves alone what is loaded by now, of which the tests alone are twenty thousand values."""
    freeze_loaded()


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """A test that asks for `case` runs once for each demonstration case."""
    if "case" in metafunc.fixturenames:
        found = demonstration_cases()
        metafunc.parametrize("case", found, ids=[case.name for case in found])


@pytest.fixture(scope="session")
def chapters(container: Container) -> dict[str, str]:
    """The text of each handbook chapter by document id, as passages index it."""
    parts: dict[str, list[str]] = {}
    for section in container.starter.handbook:
        parts.setdefault("handbook/" + concept_id(section.condition)[3:], []).append(section.text)
    return {document: " ".join(texts) for document, texts in parts.items()}


def request_of(case: DemonstrationCase, document: Document, system: str = "leapnote", seed: int = 0) -> DraftRequest:
    return DraftRequest(
        text=case.text,
        question=QUESTION if document == Document.CLINICAL_ANSWER else "",
        document=document,
        system=system,
        seed=seed,
        discharge_medicines=case.discharge_medicines,
        hospital_course=case.hospital_course,
        confirmed_conditions=case.confirmed_conditions,
        patient_notes=case.patient_notes,
    )


@pytest.fixture(scope="session")
def case_request() -> Callable[..., DraftRequest]:
    """The request a case stands for, for a document, a system and a seed."""
    return request_of


@pytest.fixture(scope="session")
def drafted(container: Container) -> Iterator[Callable[..., Draft]]:
    """The draft of a case; each is written once a session."""
    known: dict[tuple[str, Document], Draft] = {}

    def write(case: DemonstrationCase, document: Document = Document.DISCHARGE_INSTRUCTIONS) -> Draft:
        key = (case.name, document)
        if key not in known:
            known[key] = container.pipeline("leapnote").run(request_of(case, document))
        return known[key]

    yield write
    known.clear()
