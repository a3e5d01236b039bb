"""The labels that head the lines of a plan: told by their words or by standing more than once, and no text of the line."""

import pytest

from backend.nlp.document.sections import sections
from backend.nlp.procedures.plan_labels import LabelledLine, LabelledLines, LineKind
from tests.nlp.statement_reading import read_record


def line_at(note: str, words: str) -> LabelledLine | None:
    return LabelledLines(note, sections(note)).at(note.index(words))


@pytest.mark.parametrize(
    ("line", "kind"),
    [
        ("- Rationale: The film shows gout.", LineKind.REASONING),
        ("2) Testing and imaging: The film shows gout.", LineKind.TEST),
        ("Counselling: The film shows gout.", LineKind.EDUCATION),
        ("* **Further testing:** The film shows gout.", LineKind.TEST),
        ("Drug treatment:\n  - The film shows gout.", LineKind.TREATMENT),
        ("Consent: The film shows gout.", LineKind.AGREEMENT),
    ],
)
def test_a_label_is_told_by_its_words(line: str, kind: LineKind) -> None:
    note = f"ASSESSMENT AND PLAN\n\nGout.\n{line}\n"
    found = line_at(note, "The film")
    assert found is not None
    assert found.kind is kind
    assert note[found.body :].startswith(("The film", "- The film"))


@pytest.mark.parametrize("line", ["Gout: rest.", "Physical therapy: rest twice a week.", "Any blood: rest and call."])
def test_other_words_before_a_colon_are_no_label(line: str) -> None:
    assert line_at(f"PLAN\n\n{line}\n", "rest") is None


def test_what_heads_more_than_one_line_is_a_label_whatever_its_words() -> None:
    note = "PLAN\n\nGout.\n- Shared goals: less pain.\nAsthma.\n- Shared goals: fewer attacks.\n"
    found = line_at(note, "fewer")
    assert found is not None
    assert found.kind is LineKind.OTHER


def test_a_line_ends_with_the_next_label_line_or_paragraph() -> None:
    note = "PLAN\n\n- Rationale: It is swollen. It hurts. - Therapy: Rest.\nWalk daily.\n"
    reasoning, therapy = line_at(note, "It hurts"), line_at(note, "Rest")
    assert reasoning is not None
    assert therapy is not None
    assert (reasoning.kind, therapy.kind) == (LineKind.REASONING, LineKind.TREATMENT)
    assert line_at(note, "Walk") is None


def test_there_are_none_outside_of_plans() -> None:
    assert line_at("HISTORY OF PRESENT ILLNESS\n\nMedications: none.\n", "none") is None


def test_a_plan_is_read_without_the_label_of_its_line() -> None:
    note = "ASSESSMENT AND PLAN\n\nGout.\n- Rationale: The toe is red.\n- Labs: Repeat uric acid.\n- Consent: He agrees to the recommended plan.\n"
    assert [(one.kind.value, one.text) for one in read_record(note).plan] == [("test", "Repeat uric acid.")]
