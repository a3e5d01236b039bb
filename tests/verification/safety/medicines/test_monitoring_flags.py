"""Monitoring: what is measured counts however its level is named, and what was not done for long counts as missing."""

import pytest

from backend.container.container import Container
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.vocabulary import Severity

HEAD = "Allergies: none known\n\nHPI: A 58-year-old woman"


def missing(container: Container, words: str) -> bool:
    note = f"{HEAD} {words}"
    found, _ = container.safety.check(DraftRequest(text=note), container.linker.link(note), (), ())
    return any(flag.kind == "monitoring" and flag.severity is Severity.WARNING for flag in found)


@pytest.mark.parametrize(
    "words",
    [
        "takes lithium 600 mg nightly, level 0.7 mmol/L last week.",
        "takes lithium 600 mg nightly. Level 0.7 last week.",
        "takes tacrolimus 3 mg twice daily (trough 7.2).",
        "takes tacrolimus 3 mg twice daily, trough level 7.2 ng/mL.",
        "with MRSA in the blood. Vancomycin 1 g IV twice daily. Pre-dose level 15 mg/L. Creatinine 0.9 mg/dL.",
        "takes warfarin 4 mg daily. INR 2.4 today.",
        "takes warfarin 4 mg daily. INR next Tuesday.",
    ],
)
def test_a_level_is_there_by_whatever_name(container: Container, words: str) -> None:
    assert not missing(container, words)


@pytest.mark.parametrize(
    "words",
    [
        "takes lithium 600 mg nightly, with no lithium level for over a year.",
        "takes lithium 600 mg nightly. Lithium level not checked since 2023.",
        "takes lithium 600 mg nightly. Levels due.",
        "takes warfarin 4 mg daily. INR overdue.",
        "takes warfarin 4 mg daily. She has missed her INR checks.",
        "takes tacrolimus 3 mg twice daily and lisinopril 10 mg daily, at a level 2 hospital.",
    ],
)
def test_what_was_not_done_for_long_is_missing(container: Container, words: str) -> None:
    assert missing(container, words)
