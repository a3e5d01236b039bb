"""Which list a medicine stands in."""

import pytest

from backend.schemas.record import MedicationCategory, MedicationStatement, MedicationStatus
from tests.nlp.fresh import linker

STAY = "DISCHARGE SUMMARY\nHe was admitted with pneumonia.\n"


def statements(note: str) -> dict[str, MedicationStatement]:
    """The medicines by name."""
    record = linker().read(note).record
    assert record is not None
    return {one.name: one for one in record.medications}


@pytest.mark.parametrize("title", ["DISCHARGE MEDICATIONS:", "TTO:", "Meds on d/c:", "MEDS ON DC", "Take home meds:"])
def test_a_list_for_home_has_many_titles(title: str) -> None:
    found = statements(f"{STAY}{title}\nramipril 5 mg daily\nfurosemide 40 mg daily - hold until Monday\n")
    assert {one.listed for one in found.values()} == {MedicationCategory.DISCHARGE}


@pytest.mark.parametrize(
    "title",
    [
        "Medication at the time of discharge:", "Drugs on leaving hospital:", "DISCHARGED ON:", "MEDICATIONS WHEN SHE LEFT:",
        "Treatment on discharge", "Medicines for home", "Tablets to leave with", "Current medications at discharge", "Sent home on",
        "Medicines he leaves with",
    ],
)  # fmt: skip
def test_a_title_says_in_any_words_that_a_list_is_of_what_is_taken_on_leaving(title: str) -> None:
    found = statements(
        f"{STAY}HOSPITAL COURSE: He did well.\n\n{title}\nramipril 5 mg daily\nprednisone 20 mg for 5 days\n"
    )
    assert {one.listed for one in found.values()} == {MedicationCategory.DISCHARGE}


@pytest.mark.parametrize("title", ["Medicines at home:", "Drugs on the ward:", "Medications on admission"])
def test_other_lists_are_not_of_what_is_taken_on_leaving(title: str) -> None:
    found = statements(f"{STAY}HOSPITAL COURSE: He did well.\n\n{title}\nramipril 5 mg daily\n")
    assert found["ramipril"].listed is not MedicationCategory.DISCHARGE


@pytest.mark.parametrize(
    "sentence",
    [
        "On going home his medicines are ramipril 5 mg daily and senna.",
        "When he left he was on ramipril 5 mg daily.",
        "Discharged to his daughter's home on ramipril 5 mg daily.",
        "D/c home w/ ramipril 5 mg daily.",
    ],
)
def test_prose_tells_what_is_taken_on_leaving(sentence: str) -> None:
    one = statements(f"{STAY}HOSPITAL COURSE: He did well. {sentence}\n")["ramipril"]
    assert (one.status, one.category) == (MedicationStatus.INTENDED, MedicationCategory.DISCHARGE)


def test_a_list_under_rx_is_new_and_what_it_denies_is_not() -> None:
    note = "PED ED NOTE\n\nDISPO: home with mom\nRx\n cefdinir 100 mg PO BID x 10 days\nNo rectal diazepam indicated.\n"
    found = statements(note)
    assert found["cefdinir"].change == "started"
    assert (found["diazepam"].status, found["diazepam"].listed) == (MedicationStatus.NOT_TAKEN, None)


def test_what_was_given_for_the_last_time_is_of_the_stay() -> None:
    note = f"{STAY}DISCHARGE MEDICATIONS:\nprednisolone 20 mg daily - last dose given this morning, none to take home\nsenna 15 mg\n"
    found = statements(note)
    assert (found["prednisolone"].status, found["prednisolone"].listed) == (
        MedicationStatus.COMPLETED, MedicationCategory.INPATIENT,
    )  # fmt: skip
    assert found["senna"].listed is MedicationCategory.DISCHARGE


def test_labels_of_a_list_decide_what_stands_below_them() -> None:
    note = (
        f"{STAY}DISCHARGE MEDICATIONS:\nbisoprolol 2.5 mg daily\nSTOPPED:\nnaproxen\namitriptyline 10 mg\nON HOLD\nmetformin\n"
        "New:\nsenna 15 mg at night\n"
    )
    found = statements(note)
    assert {name: one.status for name, one in found.items()} == {
        "bisoprolol": MedicationStatus.INTENDED,
        "naproxen": MedicationStatus.STOPPED,
        "amitriptyline": MedicationStatus.STOPPED,
        "metformin": MedicationStatus.ON_HOLD,
        "senna": MedicationStatus.INTENDED,
    }
    assert found["senna"].change == "started"


def test_words_of_a_sentence_are_no_label() -> None:
    note = f"{STAY}MEDICATIONS:\nHe stopped: naproxen made him sick.\nramipril 5 mg daily\n"
    assert statements(note)["ramipril"].status is MedicationStatus.ACTIVE


LIST = (
    "\nMeds:\nlosartan 50 mg daily same\napixaban 5 mg bid NEW\namlodipine 10 mg daily STOP\nomeprazole 20 mg daily\n"
)


def test_a_list_that_says_what_becomes_of_its_entries_is_for_home_where_the_patient_leaves() -> None:
    leaving = statements(f"64M with pneumonia, discharged home today on oral antibiotics.\n{LIST}")
    assert {one.listed for one in leaving.values() if one.name != "antibiotic"} == {MedicationCategory.DISCHARGE}
    staying = statements(f"64M admitted with pneumonia.\n{LIST}")
    assert MedicationCategory.DISCHARGE not in {one.listed for one in staying.values()}


def test_lines_that_medicines_open_are_a_list_without_a_title() -> None:
    lines = LIST.split("Meds:\n")[1]
    found = statements(f"Medicine D/C note\n\nCC: cough\n64M with pneumonia, better.\n\n{lines}")
    assert {one.listed for one in found.values()} == {MedicationCategory.DISCHARGE}
    prose = "losartan 50 mg daily same\nHe feels well.\nHe walks.\namlodipine 5 mg NEW\n"
    told = statements(f"Medicine D/C note\n\nCC: cough\n64M with pneumonia, better.\n\n{prose}")
    assert {one.listed for one in told.values()} == {None}


def test_that_some_were_stopped_before_makes_no_list_for_home() -> None:
    note = f"{STAY}HOME MEDICATIONS:\nwarfarin 5 mg daily - stopped last week\naspirin 81 mg daily - stopped in May\n"
    assert {one.listed for one in statements(note).values()} == {MedicationCategory.COMMUNITY}


@pytest.mark.parametrize(
    "remark",
    [
        "spironolactone 25 mg daily - HOLD, recheck K first",
        "apixaban 2.5 mg bid (amyloid screen), start date 10/8",
        "lisinopril 10 mg daily\nFollow up with Dr. Smith 10/8",
        "lisinopril 10 mg daily (age + creat)",
    ],
)
def test_a_remark_is_no_unknown_medicine(remark: str) -> None:
    found = statements(f"{STAY}DISCHARGE MEDICATIONS:\n{remark}\n")
    assert all(one.recognised for one in found.values()), list(found)


def test_an_unknown_name_that_opens_its_line_or_goes_on_a_list_is_kept() -> None:
    lines = statements(
        f"{STAY}DISCHARGE MEDICATIONS:\nzorvexin 10 mg daily\nlisinopril 10 mg daily, Trimbolax 5 mg bid\n"
    )
    assert {name for name, one in lines.items() if not one.recognised} == {"zorvexin", "Trimbolax"}
