"""Products that act where they are put: no systemic interaction through what they hold, but every allergy."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity


def flags(container: Container, note: str, kind: str) -> list[Flag]:
    text = f"Allergies: sulfa (hives), neomycin (rash)\n\nHPI: A 60-year-old woman {note}"
    found, _ = container.safety.check(DraftRequest(text=text), container.linker.link(text), (), ())
    return [flag for flag in found if flag.kind == kind and flag.severity is not Severity.INFO]


@pytest.mark.parametrize(
    ("local", "swallowed", "other"),
    [
        ("diclofenac gel", "diclofenac", "apixaban"),
        ("fusidic acid eye drops", "fusidic acid tablets", "atorvastatin"),
        ("Fucibet cream", "fusidic acid tablets", "atorvastatin"),
        ("ciprofloxacin eye drops", "ciprofloxacin", "tizanidine"),
        ("oral vancomycin", "gentamicin", "furosemide"),
        ("fusidic acid cream three times daily", "fusidic acid 500 mg three times daily", "atorvastatin"),
        ("metronidazole gel twice daily", "metronidazole 400 mg three times daily", "warfarin"),
        ("miconazole cream twice daily", "miconazole oral gel four times daily", "warfarin 3 mg daily"),
    ],
)
def test_a_local_treatment_meets_no_medicine_that_is_swallowed(
    container: Container, local: str, swallowed: str, other: str
) -> None:
    assert flags(container, f"takes {local} and {other}.", "interaction") == []
    assert flags(container, f"takes {swallowed} and {other}.", "interaction")


def test_what_eye_drops_do_to_the_whole_body_is_still_told(container: Container) -> None:
    assert flags(container, "with asthma. She takes timolol eye drops.", "contraindication")


@pytest.mark.parametrize("product", ["silver sulfadiazine cream", "Maxitrol eye drops", "Naseptin cream", "Otomize"])
def test_an_allergy_reaches_what_a_local_treatment_holds(container: Container, product: str) -> None:
    assert flags(container, f"takes {product}.", "allergy_conflict")
