"""What a patient has and nothing is given for: told where a row asks, silent where something of it is taken, given or planned."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.draft import Flag
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity

HEAD = "Allergies: none known\n\nHPI: A 70-year-old man"


def told(container: Container, note: str) -> list[Flag]:
    found, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    return [flag for flag in found if flag.kind == "untreated"]


@pytest.mark.parametrize(
    ("rest", "words", "severity"),
    [
        ("with atrial fibrillation. He takes metoprolol.", "no anticoagulant is told", Severity.INFO),
        ("with type 1 diabetes mellitus. He takes ramipril.", "no insulin is told", Severity.WARNING),
        ("with a mechanical mitral valve. Warfarin is on hold.", "warfarin is on hold or over", Severity.WARNING),
        ("with weakness. Potassium 7.0 today.", "no electrocardiogram is told", Severity.INFO),
    ],
)
def test_what_is_missing_is_told(container: Container, rest: str, words: str, severity: Severity) -> None:
    found = [flag for flag in told(container, f"{HEAD} {rest}") if words in flag.message]
    assert [flag.severity for flag in found] == [severity]


@pytest.mark.parametrize(
    "rest",
    [
        "with atrial fibrillation. He takes apixaban 5 mg BID.",
        "with type 1 diabetes mellitus. He takes insulin glargine 20 units.",
        "with weakness. Potassium 7.0 today. ECG showed peaked T waves.",
        "whose mother had atrial fibrillation.",
        "with cough.",
    ],
)
def test_what_is_there_is_not(container: Container, rest: str) -> None:
    words = ("anticoagulant", "insulin", "electrocardiogram")
    assert [flag.message for flag in told(container, f"{HEAD} {rest}") if any(w in flag.message for w in words)] == []
