"""Where a denial ends and what is past: sentences that were read wrongly, and others of the same kind."""

import pytest

from backend.schemas.vocabulary import Assertion
from tests.nlp.assessed_spans import assert_spans
from tests.nlp.fresh import linker

P, N, H, Y = Assertion.PRESENT, Assertion.NEGATED, Assertion.HISTORICAL, Assertion.HYPOTHETICAL


@pytest.mark.parametrize(
    ("text", "phrase", "meant"),
    [
        ("Abd pain, nausea, BM none x3d.", "Abd pain", P),
        ("Abd pain, nausea, BM none x3d.", "BM", N),
        ("Cramps and bloating, stool none for 4 days.", "Cramps", P),
        ("Joint fluid: no organisms, needle-shaped crystals.", "needle-shaped crystals", P),
        ("Sputum with no growth, many eosinophils.", "many eosinophils", P),
        ("CSF: no organisms or xanthochromia.", "xanthochromia", N),
        ("He has no joy in anything, wakes at three, eats little.", "eats little", P),
        ("She takes no pleasure in things, cries every day.", "cries every day", P),
        ("Lost 10 kg without trying, night sweats.", "night sweats", P),
        ("Down two sizes without dieting, fevers at night.", "fevers", P),
        ("Urine she could not control and an ache low in her back.", "ache", P),
        ("He could not stand and a pain shot down the leg.", "pain", P),
        ("No cough, fever, chills.", "chills", N),
        ("Overdose at age 22.", "Overdose", H),
        ("Overdose at 22, none since.", "Overdose", H),
        ("Drank a pint of vodka daily for years; none for 14 months.", "pint of vodka daily", H),
        ("She had one bladder infection.", "bladder infection", H),
        ("He has had two kidney infections.", "kidney infections", H),
        ("They are trying to get pregnant.", "pregnant", Y),
        ("Hoping to become pregnant next year.", "pregnant", Y),
        ("Three weeks ago my eyelids were puffy.", "eyelids were puffy", P),
        ("Two weeks ago, her ankles began swelling.", "swelling", P),
        ("Three weeks ago she was treated for pneumonia.", "pneumonia", H),
        ("Summary of conversation with husband: 58 year old woman on warfarin.", "warfarin", P),
        ("Phone call with her daughter: he has diabetes.", "diabetes", P),
        ("Mother: diabetes.", "diabetes", Assertion.FAMILY),
        ("Daughter has gout. h/o PE on apixaban 5 mg.", "PE", H),
        ("Son has asthma, FEV1 2.1. started on trimethoprim today.", "trimethoprim", P),
        ("Her sister has MS. She has weakness of the legs.", "weakness", P),
        ("FH: father gout. Trop 0.9, ECG with ST depression.", "ST depression", P),
        ("FH: CAD. Exam: edema of both legs.", "edema", P),
        ("FH: diabetes. Pt smokes. Fever since Monday.", "Fever", P),
        ("FH: mother MI at 50. She had diabetes too.", "diabetes", Assertion.FAMILY),
        ("FH: gout. Patient's father has asthma.", "asthma", Assertion.FAMILY),
        ("Family History:\nMother: gout. He smokes, as she did.\nFather: asthma.", "asthma", Assertion.FAMILY),
    ],
)
def test_a_phrase_is_asserted(text: str, phrase: str, meant: Assertion) -> None:
    start = text.index(phrase)
    ((found, _),) = assert_spans(text, [(start, start + len(phrase))])
    assert found is meant


@pytest.mark.parametrize(
    ("text", "concept"),
    [
        ("Sex: male. Age: 60.", "sexual activity"),
        ("Gender/Sex F, seen for cough.", "sexual activity"),
        ("Vomiting for 36 hrs.", "hepatorenal syndrome"),
        ("Seen a few hrs later.", "hepatorenal syndrome"),
    ],
)
def test_a_label_and_a_unit_are_no_findings(text: str, concept: str) -> None:
    assert concept not in [m.name for m in linker().link(text).note.mentions]


def test_hepatorenal_syndrome_in_capitals_stays_one() -> None:
    assert "hepatorenal syndrome" in [m.name for m in linker().link("Cirrhosis with HRS.").note.mentions]
