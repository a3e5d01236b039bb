"""The shipped safety rows by probes: pairs, contraindications and values of synthetic patients, with the grade that a pharmacist would give.

The rows of safety_probes.tsv are patients of one line each; ordinary_patients.md holds whole notes of people who are treated as they should be.
"""

import math
import re
from pathlib import Path

import pytest

from backend.container.container import Container
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity

HERE = Path(__file__).parent
KINDS = ("interaction", "contraindication")
GRAVEST = (Severity.SEVERE, Severity.WARNING, Severity.INFO)
MEDICINES_A_WARNING = 3
"""At most one warning for so many medicines of somebody who is treated as they should be."""


def probes() -> list[tuple[str, ...]]:
    lines = (HERE / "safety_probes.tsv").read_text(encoding="utf-8").splitlines()
    return [tuple(line.split("\t")) for line in lines if line and not line.startswith("#")][1:]


def ordinary_patients() -> dict[str, str]:
    parts = re.split(r"^## (.+)$", (HERE / "ordinary_patients.md").read_text(encoding="utf-8"), flags=re.MULTILINE)
    return dict(zip(parts[1::2], (text.strip() for text in parts[2::2]), strict=True))


def flags(container: Container, note: str) -> list[Flag]:
    found, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    return list(found)


def note_of(who: str, problems: str, values: str, medicines: str) -> str:
    person, _, rest = who.partition(", ")
    age, sex = person.split()
    parts = [one.strip() for one in problems.split(";")]
    today = " and ".join(one.removeprefix("now: ") for one in parts if one.startswith("now: "))
    history = "\n".join(f"- {one}" for one in parts if not one.startswith("now: ") and one != "-")
    came = f"was admitted with {today}" if today else "was seen today"
    listed = "\n".join(f"- {one.strip()}" for one in medicines.split(";"))
    blocks = (
        "Allergies: none known",
        f"HPI: A {age}-year-old {sex}{f', {rest},' if rest else ''} {came}.",
        f"Past medical history:\n{history}" if history else "",
        f"Labs: {values}" if values != "-" else "",
        f"Medications:\n{listed}",
    )
    return "\n\n".join(filter(None, blocks)) + "\n"


@pytest.mark.parametrize(("who", "problems", "values", "medicines", "expected"), probes())
def test_a_patient_of_one_line_gets_the_grade_that_a_pharmacist_gives(
    container: Container, who: str, problems: str, values: str, medicines: str, expected: str
) -> None:
    found = [flag for flag in flags(container, note_of(who, problems, values, medicines)) if flag.kind in KINDS]
    gravest = next((one for one in GRAVEST if any(flag.severity is one for flag in found)), None)
    told = [(flag.severity.value, flag.message) for flag in found]
    if expected == "quiet":
        assert gravest in (None, Severity.INFO), told
    else:
        assert gravest is not None, f"nothing; expected {expected}"
        assert gravest.value == expected, told


@pytest.mark.parametrize("name", ordinary_patients())
def test_somebody_who_is_treated_as_they_should_be_gets_few_warnings_and_nothing_severe(
    container: Container, name: str
) -> None:
    note = ordinary_patients()[name]
    found = [flag for flag in flags(container, note) if flag.kind in (*KINDS, "dose", "monitoring")]
    assert [flag.message for flag in found if flag.severity is Severity.SEVERE] == []
    medicines = len(re.findall(r"^- .*\d", note.partition("Medications:")[2], flags=re.MULTILINE))
    warnings = [flag.message for flag in found if flag.severity is Severity.WARNING]
    assert len(warnings) <= math.ceil(medicines / MEDICINES_A_WARNING), warnings


@pytest.mark.parametrize(
    "told", ["Immunizations: BCG in childhood.", "HPI: He was vaccinated with BCG before starting school."]
)
def test_a_vaccine_of_the_past_is_no_vaccine_to_give(container: Container, told: str) -> None:
    note = f"Allergies: none known\n\n{told}\n\nPast medical history:\n- HIV infection\n\nMedications:\n- tacrolimus 1 mg twice daily\n"
    assert [flag.message for flag in flags(container, note) if "BCG" in flag.message] == []


def test_the_probes_are_many_and_of_every_grade() -> None:
    rows = probes()
    assert len(rows) >= 120
    assert {row[-1] for row in rows} == {"severe", "warning", "info", "quiet"}
