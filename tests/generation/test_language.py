"""Notes of other languages are refused for writing; telegraphic English is not."""

import pytest

from backend.generation.language import is_english

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
