"""SOAP notes from a patient's notes: which part a sentence goes to, in what order, and what is missing."""

import pytest

from backend.generation.composer.material import Material, PassageReader
from backend.generation.composer.soap_visits import has_visit_notes, soap_part, visit_soap
from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.evidence import Evidence, NotePiece
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT, SoapPart


def piece(text: str, kind: str = "Physician", section: str = "Unlabeled", day: str | None = "2024-01-01") -> NotePiece:
    return NotePiece(id="N1", note_type=kind, section=section, date=day, text=text, start_char=0, end_char=len(text))


@pytest.mark.parametrize(
    ("kind", "section", "sentence", "part"),
    [
        ("Physician", "Chief complaint", "Pain.", SoapPart.SUBJECTIVE),
        ("Physician", "Vital signs", "BP 120/80.", SoapPart.OBJECTIVE),
        ("Physician", "Assessment", "Angina.", SoapPart.ASSESSMENT),
        ("Physician", "Assessment", "Angina, will start aspirin.", SoapPart.PLAN),
        ("Physician", "Assessment", "Start ceftriaxone.", SoapPart.PLAN),
        ("Physician", "Assessment", "1) Hold metformin; repeat lactate at six.", SoapPart.PLAN),
        ("Physician", "Assessment", "Increase in dyspnea, likely pneumonia.", SoapPart.ASSESSMENT),
        ("Physician", "Assessment", "Monitor shows atrial fibrillation.", SoapPart.ASSESSMENT),
        ("Physician", "Assessment", "Started on ceftriaxone in the emergency room.", SoapPart.ASSESSMENT),
        ("Physician", "Plan", "Aspirin.", SoapPart.PLAN),
        ("Nursing", "Assessment", "Crackles at both bases.", SoapPart.OBJECTIVE),
        ("Radiology", "Assessment", "Mild oedema.", SoapPart.OBJECTIVE),
        ("Radiology", "Chief complaint", "Dyspnea.", SoapPart.SUBJECTIVE),
        ("Nursing", "Unlabeled", "She complains of pain.", SoapPart.SUBJECTIVE),
        ("Nursing", "Unlabeled", "Will wean oxygen.", SoapPart.PLAN),
        ("Nursing", "Unlabeled", "Lungs clear.", SoapPart.OBJECTIVE),
        ("Social Work", "Unlabeled", "Lives with a son.", SoapPart.SUBJECTIVE),
        ("Podiatry letter", "Unlabeled", "Nails cut.", SoapPart.OBJECTIVE),
        ("Discharge medicines", "Discharge medicines", "aspirin", SoapPart.PLAN),
        (PREVIOUS_VISIT, PREVIOUS_VISIT, "2023-01-01 (Nursing): Will walk.", SoapPart.SUBJECTIVE),
    ],
)
def test_a_sentence_goes_to_the_part_of_its_header_type_or_words(
    kind: str, section: str, sentence: str, part: SoapPart
) -> None:
    assert soap_part(piece(sentence, kind, section), sentence) is part


@pytest.fixture
def texts(tiny_linker: DictionaryLinker, tiny_reach: AllergyReach):
    def written(*pieces: NotePiece) -> list[tuple[str, str]]:
        evidence = Evidence(notes=tuple(p.model_copy(update={"id": f"N{i}"}) for i, p in enumerate(pieces, start=1)))
        material = Material(tiny_linker.link("?"), (), evidence, PassageReader(tiny_linker), frozenset())
        return [(one.section, one.text) for one in visit_soap(material)]

    return written


def test_every_statement_has_its_date_in_time_order_undated_last_and_gaps_are_shown(texts) -> None:
    assert texts(
        piece("Allergies: none.", "Nursing", "Allergies", None),
        piece("Pain is\n  better. Slept.", "Nursing", "Chief complaint", "2024-01-02"),
        piece("Pain.", "Physician", "Chief complaint", "2024-01-01"),
        piece("2023-01-01 (Echo): EF 35 %.", PREVIOUS_VISIT, PREVIOUS_VISIT, "2023-01-01"),
    ) == [
        ("Subjective", "Previous visit: 2023-01-01 (Echo): EF 35 %."),
        ("Subjective", "2024-01-01 (Physician): Pain."),
        ("Subjective", "2024-01-02 (Nursing): Pain is better."),
        ("Subjective", "2024-01-02 (Nursing): Slept."),
        ("Subjective", "Undated (Nursing): Allergies: none."),
        ("Objective", "[team to complete: vital signs, examination and results; no note states them]"),
        ("Assessment", "[team to complete: assessment; no note states one]"),
        ("Plan", "[team to complete: plan; no note states one]"),
    ]


def test_silence_about_allergies_is_a_gap(texts) -> None:
    wording = texts(piece("Pain.", "Physician", "Chief complaint"))
    assert ("Subjective", "[team to complete: allergies; no note found says whether there are any]") in wording


def test_without_pieces_nothing_is_written(texts) -> None:
    assert texts() == []


def test_only_notes_beside_the_pasted_one_make_a_visit() -> None:
    assert not has_visit_notes([piece("x", "Pasted note"), piece("x", "Hospital course")])
    assert has_visit_notes([piece("x", "Podiatry letter")])
    assert has_visit_notes([piece("x", PREVIOUS_VISIT)])
