"""A judge must reject notes with wrong facts: stand-ins judge what the composer writes of the made-up patients, with facts planted."""

import re
from collections.abc import Callable, Sequence
from pathlib import Path

import pytest

from backend.container import Container
from backend.evaluation.progress_notes.patient_visits import read_patients
from backend.evaluation.progress_notes.soap_run import SoapOptions, evaluate_soap
from backend.evaluation.reports.evaluation_run import RunOptions
from backend.schemas.chat import Message
from backend.schemas.patients.patient_notes import NoteType, claimed_date
from backend.settings import ROOT
from models.llm.engine_scripted import Scripted

PATIENTS = ROOT / "tests" / "benchmarks" / "visits" / "patients.jsonl"
TEXTS = re.compile(r"<<\w+ (?:FIRST|SECOND)>>\n(.*?)\n<</", re.DOTALL)


def told() -> str:
    """Every word of every patient's notes, in one line, with a blank between."""
    found = read_patients(PATIENTS, NoteType.PHYSICIAN)
    return " ".join(" ".join(note.text.split()) for patient in found for note in patient.every)


def foreign(text: str, known: str) -> int:
    """Sentences of a note that no patient's note has."""
    lines = [claimed_date(line)[1].removeprefix("Allergies: ") for line in text.splitlines() if claimed_date(line)[0]]
    return sum(line not in known for line in lines)


def both(messages: Sequence[Message]) -> tuple[str, str]:
    first, second = TEXTS.findall(messages[-1].content)
    return first, second


def reads_the_record(messages: Sequence[Message]) -> str:
    """The one of the two with fewer sentences that nobody wrote."""
    first, second = (foreign(text, told()) for text in both(messages))
    return f'{{"choice": "{"first" if first < second else "second" if second < first else "neither"}"}}'


def prefers_what_is_made_up(messages: Sequence[Message]) -> str:
    first, second = (foreign(text, told()) for text in both(messages))
    return f'{{"choice": "{"first" if first > second else "second" if second > first else "neither"}"}}'


def takes_the_first(messages: Sequence[Message]) -> str:
    return '{"choice": "first"}'


@pytest.mark.parametrize(
    ("judge", "rejects"), [(reads_the_record, 1.0), (takes_the_first, 0.5), (prefers_what_is_made_up, 0.0)]
)
def test_only_a_judge_that_reads_the_record_rejects_notes_with_wrong_facts(
    container: Container, tmp_path: Path, judge: Callable[[Sequence[Message]], str], rejects: float
) -> None:
    options = SoapOptions(
        PATIENTS,
        RunOptions(tmp_path, "2031-01-01", limit=3, resamples=50),
        ("cli-rag",),
        generator="composer",
        in_turn=True,
        planted=True,
    )
    model = Scripted(answer=judge)
    result, _ = evaluate_soap(container, options, model)
    found = {one.measure: one for one in result.figures if one.system == "cli-rag"}
    assert (found["rejects_perturbed"].value, found["rejects_perturbed"].n) == (rejects, 3)
    assert found["planted"].value and found["preferred"].n == 3
    # of each patient the held-out note and the perturbed one, in both orders
    assert len(model.calls) >= 12
