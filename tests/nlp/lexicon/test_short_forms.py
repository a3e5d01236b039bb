"""Short forms that are words or titles elsewhere, over the starter vocabulary."""

import pytest

from tests.nlp.fresh import linker


def named(text: str) -> list[str]:
    return [mention.text for mention in linker().link(text).note.mentions]


@pytest.mark.parametrize("text", ["Mrs. Ortega has gout.", "mrs smith has gout.", "MRS JONES HAS GOUT."])
def test_a_title_is_no_scale(text: str) -> None:
    assert [said.lower() for said in named(text)] == ["gout"]


@pytest.mark.parametrize("text", ["Stroke, NIHSS 4, mRS 2 at baseline.", "Premorbid mRS 1, thrombectomy done."])
def test_a_scale_of_disability_is_read_beside_what_it_measures(text: str) -> None:
    assert "mRS" in named(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("A non-diabetic man.", ["man"]),
        ("She is a non smoker.", []),
        ("Non-bloody diarrhea.", ["diarrhea"]),
        ("Non-exertional chest pain.", ["chest pain"]),
        ("Belly soft and non-tender.", ["Belly"]),
        ("Non-Hodgkin lymphoma.", ["Non-Hodgkin lymphoma"]),
        ("He had a non-STEMI.", ["non-STEMI"]),
    ],
)
def test_non_before_a_name_makes_it_its_opposite(text: str, kept: list[str]) -> None:
    assert named(text) == kept


@pytest.mark.parametrize("text", ["Urine obtained by cath.", "Foley cath placed.", "Pain in his left lower jaw."])
def test_what_stands_elsewhere_is_no_finding_of_the_heart_or_the_belly(text: str) -> None:
    names = {mention.name for mention in linker().link(text).note.mentions}
    assert {"coronary angiography", "left lower quadrant pain"}.isdisjoint(names)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("On PD at home, PD fluid is cloudy.", "peritoneal dialysis"),
        ("PD, on carbidopa-levodopa, more tremor.", "Parkinson's disease"),
    ],
)
def test_pd_is_read_by_what_stands_beside_it(text: str, name: str) -> None:
    read = {mention.name for mention in linker().link(text).note.mentions if mention.text == "PD"}
    assert read == {name}


@pytest.mark.parametrize(
    ("text", "peritonitis"),
    [
        ("Too weak to stand, SBP 90s at the facility.", False),
        ("SBP 84 on arrival.", False),
        ("Cirrhosis with ascites, belly tap for SBP.", True),
        ("PMH: cirrhosis, SBP last year.", True),
    ],
)
def test_sbp_beside_a_number_is_a_blood_pressure(text: str, peritonitis: bool) -> None:
    names = {mention.name for mention in linker().link(text).note.mentions}
    assert ("spontaneous bacterial peritonitis" in names) is peritonitis


def test_a_denied_weakness_is_no_lack_of_insight_and_urinary_symptoms_are_no_lack_of_urine() -> None:
    names = {mention.name for mention in linker().link("HPI: Denies weakness. No urinary symptoms.").note.mentions}
    assert names.isdisjoint({"anosognosia", "anuria"})
