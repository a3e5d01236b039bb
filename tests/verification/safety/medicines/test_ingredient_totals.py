"""What several products, or one taken regularly and as needed, bring of an ingredient in a day, for this patient."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity

HEAD = "Allergies: none known\n\nHPI: A 60-year-old man"
S, W = Severity.SEVERE, Severity.WARNING


def told(container: Container, note: str, *listed: str) -> list[Flag]:
    request = DraftRequest(text=note, discharge_medicines=listed)
    found, _ = container.safety.check(request, container.linker.link(note), (), ())
    return [one for one in found if one.kind in ("dose", "interaction") and one.severity is not Severity.INFO]


@pytest.mark.parametrize(
    ("patient", "listed", "severity"),
    [
        (", 80 kg.", ("paracetamol 1 g QDS", "co-codamol 30/500 two tablets QDS"), S),  # 4 + 4 g
        (", 80 kg.", ("Norco two tablets every 6 hours", "Tylenol 1000 mg TID"), S),  # 8 * 325 + 3000 mg
        (", 80 kg.", ("Solpadol two tablets QDS", "Panadol 1 g QDS"), S),
        (", 80 kg.", ("paracetamol 1 g QDS", "paracetamol 1 g QDS PRN"), S),
        (", 80 kg.", ("co-codamol 30/500 two tablets every 4 hours",), S),  # 12 * 500 mg
        (", 80 kg.", ("paracetamol 500 mg QDS", "co-codamol 30/500 one tablet QDS"), None),  # 4 g
        (", 80 kg.", ("Norco 5/325 one tablet every 6 hours", "Tylenol 650 mg every 6 hours"), None),  # 3.9 g
        (", 80 kg.", ("co-codamol 30/500 two tablets QDS",), None),
        (". Weight 42 kg.", ("co-codamol 30/500 two tablets QDS",), W),  # 4 g; 15 mg/kg every 6 hours is 2.5
        (" with decompensated cirrhosis.", ("Percocet 5/325 two tablets every 6 hours",), W),  # 2.6 g; 2 at most
        (" with diabetes.", ("Janumet 50/1000 BD", "metformin 1 g BD"), W),  # 4 g
        (" with diabetes.", ("Janumet 50/500 BD", "metformin 500 mg BD"), None),
        (" with asthma.", ("Fostair 100/6 two puffs BD",), None),
        (" with hypertension.", ("bendroflumethiazide 2.5 mg OD", "indapamide 2.5 mg OD"), W),
        (" with heart failure.", ("furosemide 40 mg OD", "bumetanide 1 mg OD"), W),
    ],
)
def test_a_sum_of_a_day_is_held_to_what_is_usual_for_the_patient(
    container: Container, patient: str, listed: tuple[str, ...], severity: Severity | None
) -> None:
    found = told(container, HEAD + patient, *listed)
    assert [one.severity for one in found][:1] == ([severity] if severity else []), [one.message for one in found]


def test_a_dose_of_the_ward_is_no_second_one_at_home(container: Container) -> None:
    note = HEAD + ".\n\nHospital course: Paracetamol 1 g QDS was given on the ward."
    assert told(container, note, "paracetamol 1 g QDS PRN") == []
