"""A hospital's formulary in a draft: what is restricted or lacking is told of what the patient takes, by class too."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity

TABLE = (
    "medicine\tstatus\tinstead\tcondition\tnote\nLipitor\trestricted\t-\task pharmacy\t-\n"
    "proton pump inhibitor\toff\tfamotidine\t-\t-\nomeprazole\ton\t-\t-\t-\nzzz\toff\t-\t-\t-\n"
)


@pytest.fixture(scope="module")
def hospital(container: Container, tmp_path_factory: pytest.TempPathFactory) -> Container:
    """A container whose data folder holds a formulary."""
    data = tmp_path_factory.mktemp("data")
    (data / "knowledge").mkdir()
    (data / "knowledge" / "formulary.tsv").write_text(TABLE, encoding="utf-8")
    return container.changed(data=Path(data))


@pytest.mark.parametrize(
    ("taken", "told"),
    [
        ("atorvastatin", ["atorvastatin is restricted by the hospital's formulary: ask pharmacy."]),
        ("pantoprazole", ["pantoprazole is not on the hospital's formulary; it gives famotidine instead."]),
        ("omeprazole", []),  # the medicine counts before its class
        ("furosemide", []),
    ],
)
def test_what_is_restricted_or_lacking_is_told_of_what_is_taken(
    hospital: Container, taken: str, told: list[str]
) -> None:
    text = f"Allergies: none\n\nHPI: A 60-year-old woman. She takes {taken}."
    flags, _ = hospital.safety.check(DraftRequest(text=text), hospital.linker.link(text), (), ())
    found = [flag for flag in flags if flag.kind == "formulary"]
    assert [flag.message for flag in found] == told
    assert {flag.severity for flag in found} <= {Severity.INFO}


def test_without_a_formulary_nothing_is_told(container: Container) -> None:
    text = "Allergies: none\n\nHPI: A 60-year-old woman. She takes atorvastatin."
    flags, _ = container.safety.check(DraftRequest(text=text), container.linker.link(text), (), ())
    assert [flag for flag in flags if flag.kind == "formulary"] == []
