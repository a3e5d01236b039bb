"""Texts that are no single patient's note in English are said to be so; ordinary notes are not."""

import pytest

from backend.container.container import Container
from backend.nlp.people.unsuited_text import is_english, other_language, patients, unsuited_text
from backend.schemas.vocabulary import Severity

SPANISH = (
    "Paciente de 64 años, fumador, con antecedentes de enfermedad pulmonar, que acude a urgencias por aumento de la tos y fiebre "
    "desde ayer. Alergias: ninguna. Tratamiento habitual: salbutamol a demanda."
)
ITALIAN = (
    "Donna di 71 anni con storia di fibrillazione atriale in terapia con warfarin, giunge in pronto soccorso per caduta accidentale. "
    "Nessuna allergia nota. Nega perdita di coscienza."
)
DUTCH = (
    "Vrouw van 45 jaar, bekend met migraine, komt wegens hevige hoofdpijn sinds gisteren met misselijkheid en braken. Geen koorts. "
    "Geen allergieën bekend. Gebruikt de pil."
)


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (
            "Mujer de 60 años con tos y fiebre desde hace tres días, sin dolor. Toma metformina por la diabetes.",
            "Spanish",
        ),
        ("Homme de 71 ans avec une toux et de la fièvre depuis trois jours, sans douleur dans le thorax.", "French"),
        (
            "Patientin mit Husten und Fieber seit drei Tagen, ohne Schmerzen, keine Allergien, bei der Aufnahme wach.",
            "German",
        ),
        ("A 60-year-old woman with cough and fever for three days. She has no pain.", ""),
        ("71M fever cough SOB x3d, CXR RLL opacity", ""),
        ("Mrs. de la Cruz, 60F, was seen at La Jolla by Dr. del Rio for cough.", ""),
    ],
)
def test_another_language_is_told_by_its_small_words(text: str, language: str) -> None:
    assert other_language(text) == language


@pytest.mark.parametrize(
    ("text", "many"),
    [
        ("Bed 4: 66M with fever and cough.\nBed 5: 29F, vomiting, 9 weeks pregnant.", True),
        ("66M with fever and cough.\nLives with his wife, a 64 F with asthma.", False),
        ("66M with fever.\n\nAssessment: 66 M with pneumonia.", False),
        ("66M with fever.\n\nAssessment: 66-year-old man with pneumonia.", False),
    ],
)
def test_lines_that_begin_with_another_patient_make_more_than_one(text: str, many: bool) -> None:
    assert (len(patients(text)) > 1) is many


def test_a_text_without_anybody_in_it_is_said_to_be_none_and_a_note_is_not(container: Container) -> None:
    page = container.linker.link(
        "Pneumonia inflames the air sacs in the lungs. Symptoms may include cough and fever. Subscribe now."
    )
    (flag,) = unsuited_text(page)
    assert flag.severity == Severity.WARNING
    assert not list(unsuited_text(container.linker.link("CC: cough\nHPI: 70F with cough and fever for two days.")))
    assert not list(unsuited_text(container.linker.link("She has had a cough and fever for two days.")))


@pytest.mark.parametrize("text", [SPANISH, ITALIAN, DUTCH])
def test_other_languages_are_none(text: str) -> None:
    assert not is_english(text)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "chest pain",
        "72F HTN DM2 CKD3 CAD s/p CABG x3 2011 p/w SOB x2d, orthopnea, PND, 8 lb wt gain, noncompliant w/ Lasix; BNP 1400, CXR pulm edema",
        "CC: N/V/D. HPI: 33F G2P1 at 20w p/w N/V x3d, no F/C, tol PO poorly. PMH asthma. Meds PNV, albuterol PRN. NKDA.",
        "Señora Álvarez-Núñez is a 50-year-old woman who came from México last week with fever, chills and a cough.",
    ],
)
def test_english_is_whatever_its_style(text: str) -> None:
    assert is_english(text)
