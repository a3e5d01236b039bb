"""SOAP notes from a patient's notes: which part a sentence goes to, in what order, and what is missing."""

import pytest

from backend.generation.composer.material import Material, PassageReader
from backend.generation.composer.soap_visits import has_visit_notes, soap_part, visit_soap
from backend.knowledge.allergy_reach import AllergyReach
from backend.nlp.extraction.linker import DictionaryLinker
from backend.schemas.drafts.evidence import Evidence, NotePiece
from backend.schemas.patients.patient_notes import PREVIOUS_VISIT
from backend.schemas.vocabulary import SoapPart


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


def test_every_statement_has_its_date_the_latest_first_undated_last_and_gaps_are_shown(texts) -> None:
    assert texts(
        piece("Allergies: none.", "Nursing", "Allergies", None),
        piece("Pain is\n  better. Slept.", "Nursing", "Chief complaint", "2024-01-02"),
        piece("Pain.", "Physician", "Chief complaint", "2024-01-01"),
        piece("2023-01-01 (Echo): EF 35 %.", PREVIOUS_VISIT, PREVIOUS_VISIT, "2023-01-01"),
    ) == [
        ("Subjective", "2024-01-02 (Nursing): Pain is better."),
        ("Subjective", "2024-01-02 (Nursing): Slept."),
        ("Subjective", "2024-01-01 (Physician): Pain."),
        ("Subjective", "Previous visit: 2023-01-01 (Echo): EF 35 %."),
        ("Subjective", "Undated (Nursing): Allergies: none."),
        ("Objective", "[team to complete: vital signs, examination and results; no note states them]"),
        ("Assessment", "[team to complete: assessment; no note states one]"),
        ("Plan", "[team to complete: plan; no note states one]"),
    ]


def test_a_list_of_allergies_is_told_as_one_however_many_visits_there_are(texts) -> None:
    later = [piece(f"Fever on day {n}.", "Nursing", "HPI", f"2024-01-{n:02}") for n in range(1, 15)]
    found = texts(piece("penicillin (rash), sulfa", "Nursing", "Allergies", "2022-01-02"), *later)
    assert ("Subjective", "2022-01-02 (Nursing): Allergies: penicillin (rash), sulfa") in found


def test_silence_about_allergies_is_a_gap(texts) -> None:
    wording = texts(piece("Pain.", "Physician", "Chief complaint"))
    assert ("Subjective", "[team to complete: allergies; no note found says whether there are any]") in wording


def test_without_pieces_nothing_is_written(texts) -> None:
    assert texts() == []


def test_only_notes_beside_the_pasted_one_make_a_visit() -> None:
    assert not has_visit_notes([piece("x", "Pasted note"), piece("x", "Hospital course")])
    assert has_visit_notes([piece("x", "Podiatry letter")])
    assert has_visit_notes([piece("x", PREVIOUS_VISIT)])


def test_an_older_sentence_is_kept_where_it_says_otherwise_and_once_where_it_says_the_same(texts) -> None:
    found = texts(
        piece("Creatinine is 1.9.", "Physician", "Labs", "2024-01-09"),
        piece("Sodium is 140. Potassium is 4. Chloride is 100.", "Physician", "Labs", "2024-01-09"),
        piece("Glucose is 99.", "Physician", "Labs", "2024-01-08"),
        piece("Creatinine is 1.9.", "Physician", "Labs", "2024-01-06"),
        piece("Creatinine is 1.1.", "Physician", "Labs", "2024-01-02"),
        piece("The scar is well healed.", "Physician", "Exam", "2024-01-01"),
    )
    assert [text for part, text in found if part == "Objective"] == [
        "2024-01-09 (Physician): Creatinine is 1.9.",
        "2024-01-09 (Physician): Sodium is 140.",
        "2024-01-09 (Physician): Potassium is 4.",
        "2024-01-09 (Physician): Chloride is 100.",
        "2024-01-02 (Physician): Creatinine is 1.1.",
    ]


def test_sixty_visits_make_some_forty_lines_with_every_allergy(texts) -> None:
    notes = [
        piece(f"{word} is {n}.", "Physician", section, f"2024-{1 + n // 28:02d}-{1 + n % 28:02d}")
        for n in range(60)
        for section, word in (
            ("Chief complaint", "Pain"),
            ("Labs", "Creatinine"),
            ("Assessment", "Angina"),
            ("Plan", "Aspirin"),
        )
    ]
    found = texts(piece("Allergies: latex.", "Nursing", "Allergies", "2023-01-01"), *notes)
    assert len(found) <= 40
    assert ("Subjective", "2023-01-01 (Nursing): Allergies: latex.") in found
    assert found[0] == ("Subjective", "2024-03-04 (Physician): Pain is 59.")


def test_an_entry_of_a_list_of_allergies_says_that_it_is_one(texts, tiny_linker: DictionaryLinker) -> None:
    # without its header "penicillin (hives)" would read as a medicine that is given, against the very allergy it states
    [(part, listed)] = [
        row
        for row in texts(piece("penicillin (hives)", section="Allergies"), piece("Walks.", section="Plan"))
        if "penicillin" in row[1]
    ]
    assert (part, listed) == (SoapPart.SUBJECTIVE, "2024-01-01 (Physician): Allergies: penicillin (hives)")
    assert [m.allergen for m in tiny_linker.link(listed).note.mentions if m.text == "penicillin"] == [True]


def test_a_sentence_that_names_the_allergy_and_one_of_another_header_stand_as_they_are(texts) -> None:
    written = texts(piece("Allergic to latex.", section="Allergies"), piece("penicillin 500 mg", section="Medications"))
    assert {"2024-01-01 (Physician): Allergic to latex.", "2024-01-01 (Physician): penicillin 500 mg"} <= {
        text for _, text in written
    }
