"""What a note says of a kind of medicine, and what follows for its members."""

import pytest

from backend.generation.letter.medicines.medicine_kinds import TableKnowledge
from backend.generation.letter.medicines.medicine_prompts import Prompt
from backend.generation.letter.medicines.medicine_table import medicine_rows
from backend.schemas.drafts.medicines import MedicineRow
from tests.generation.letter.reading import CLINIC, WARD, linker, record_of


def rows(note: str, known: TableKnowledge) -> dict[str, MedicineRow]:
    made = medicine_rows(record_of(note), (), linker(), lambda _: (), note_text=note, known=known)
    return {row.name: row for row in made}


def decided(note: str, known: TableKnowledge) -> dict[str, str]:
    return {name: row.prompt or row.action.value for name, row in rows(note, known).items()}


@pytest.mark.parametrize(
    ("listed", "plan", "found"),
    [
        ("Imuran 50 mg daily", "Continue the immunosuppressive regimen.", {"Imuran (azathioprine)": "continue"}),
        ("Bystolic 5 mg daily", "Continue beta blocker therapy.", {"Bystolic (nebivolol)": "continue"}),
        ("Tresiba 10 units daily", "Continue current insulin regimen.", {"Tresiba (insulin degludec)": "continue"}),
        ("losartan 50 mg daily", "No change to his blood pressure medicine.", {"losartan": "continue"}),
        (
            "Spiriva once daily\nalbuterol as needed",
            "She will keep using her inhalers.",
            {"Spiriva (tiotropium)": "continue", "albuterol": "as_needed"},
        ),
        (
            "losartan 50 mg daily",
            "Continue statin.",
            {"losartan": Prompt.UNCHANGED.value, "statin": Prompt.CLASS.value},
        ),
        ("statin daily", "Continue statin.", {"statin": "continue"}),
        ("naproxen", "He will continue to take NSAIDs as needed.", {"naproxen": "as_needed"}),
        (
            "naproxen\nmeloxicam",
            "He will continue to take NSAIDs as needed.",
            {"naproxen": "continue", "meloxicam": "continue", "NSAIDs": "as_needed"},
        ),
    ],
)
def test_a_kind_that_goes_on_decides_its_members(
    listed: str, plan: str, found: dict[str, str], known: TableKnowledge
) -> None:
    assert decided(f"{CLINIC}MEDICATIONS:\n{listed}\n\nPLAN: {plan}\n", known) == found


def test_a_kind_in_the_plan_of_a_stay_decides_nothing_for_home(known: TableKnowledge) -> None:
    note = f"{WARD}MEDICATIONS:\nBystolic 5 mg daily\n\nPLAN: Continue beta blocker.\n"
    assert decided(note, known) == {"Bystolic (nebivolol)": Prompt.TAKEN_BEFORE.value}


@pytest.mark.parametrize("plan", ["She should stop all NSAIDs.", "I told her to avoid all NSAIDs."])
def test_a_kind_that_the_plan_ends_stops_a_member_unless_that_does_harm(plan: str, known: TableKnowledge) -> None:
    note = f"{CLINIC}MEDICATIONS:\nAleve 220 mg daily\n\nPLAN: {plan}\n"
    assert decided(note, known) == {"Aleve (naproxen)": "stopped"}
    (asked,) = decided(note, known._replace(kept_up=lambda _: True)).values()
    assert asked.startswith(Prompt.CLASS_ENDED)


def test_what_is_begun_by_its_name_is_not_ended_with_its_kind(known: TableKnowledge) -> None:
    note = f"{CLINIC}PLAN: He would like to avoid IV antibiotics. Start doxycycline 100 mg twice a day.\n"
    assert decided(note, known) == {"doxycycline": "new"}


@pytest.mark.parametrize(
    ("plan", "found"),
    [
        ("1. Emollients\n2. Trial of antihistamine at night\n", {"emollients": "new", "antihistamine": "new"}),
        ("Continue with over-the-counter NSAIDs for pain relief.", {"NSAIDs": "continue"}),
        ("1. Start an antibiotic.", {"antibiotic": Prompt.PLANNED.value}),  # which one?
        ("1. Start abx - nitrofurantoin for 3 days", {"nitrofurantoin": "new"}),
        ("Options discussed are exercise and use of analgesics as needed.", {}),
    ],
)
def test_a_kind_alone_is_told_as_it_is_decided(plan: str, found: dict[str, str], known: TableKnowledge) -> None:
    assert decided(f"{CLINIC}PLAN:\n{plan}\n", known) == found


def test_what_is_taken_beside_its_kind_is_not_told_for_it(known: TableKnowledge) -> None:
    note = f"{CLINIC}HPI: On HRT patches + estradiol.\n\nPLAN: Follow up in a year.\n"
    assert list(rows(note, known)) == ["HRT", "estradiol"]


@pytest.mark.parametrize(
    ("written", "name"),
    [("HRT", "HRT"), ("immunosuppressive medication", "immunosuppressant"), ("a topical steroid", "topical steroid")],
)
def test_a_kind_is_named_once_and_by_the_word_of_the_note(written: str, name: str, known: TableKnowledge) -> None:
    assert list(rows(f"{CLINIC}HPI: She takes {written}.\n", known)) == [name]


def test_what_is_taken_again_after_it_was_stopped_is_taken_and_not_kept_up(known: TableKnowledge) -> None:
    note = f"{CLINIC}HPI: She stopped her Humira in May because of cost.\n\nPLAN: Resume Humira 40 mg every 2 weeks.\n"
    (row,) = rows(note, known).values()
    assert (row.action.value, row.timing, row.prompt) == ("take", "every 2 weeks", "")


def test_a_plan_that_allows_to_go_on_decides(known: TableKnowledge) -> None:
    note = f"{CLINIC}HPI: He used naproxen.\n\nPLAN: He can keep using the naproxen, 220 mg twice a day as needed.\n"
    (row,) = rows(note, known).values()
    assert (row.action.value, row.timing) == ("as_needed", "twice a day, as needed")


@pytest.mark.parametrize(
    ("plan", "told"),
    [
        ("Oilatum - use up to QDS", "4 times a day, at most"),
        ("Oilatum twice a day", "twice a day"),
    ],
)
def test_the_most_that_is_allowed_is_told_as_that(plan: str, told: str, known: TableKnowledge) -> None:
    (row,) = rows(f"{CLINIC}Plan:\n1. {plan.replace('Oilatum', 'Cetraben')}\n", known).values()
    assert (row.action.value, row.timing) == ("new", told)


def test_turns_without_a_dose_leave_the_prescribed_dose(known: TableKnowledge) -> None:
    plan = "I prescribed oxycodone 5 mg every 6 hours as needed. He can alternate oxycodone with Tylenol."
    row = rows(f"{CLINIC}PLAN: {plan}\n", known)["oxycodone"]
    assert (row.dose, row.timing) == ("5 mg", "every 6 hours, as needed")
