"""Which problems a note tells as quiet: rows prove themselves; what is worse or treated anew is not quiet, wherever else it is."""

import pytest

from backend.container import Container
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.findings.quiet_problems import FAMILY
from backend.nlp.people.situations import situations_of, unsettled_today
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows


@pytest.mark.parametrize("row", trigger_rows(FAMILY), ids=lambda row: row.id)
def test_the_examples_of_a_row_are_read_as_it_says(row: TriggerRow) -> None:
    automaton = TriggerAutomaton(trigger_rows(FAMILY))

    def found(text: str) -> bool:
        return any(one.row.id == row.id for one in automaton.find(plain_marks(tokens(text).words))[FAMILY])

    assert all(map(found, row.yes))
    assert not any(map(found, row.no))


@pytest.mark.parametrize(
    ("note", "quiet"),
    [
        ("HPI: Ear pain. Her depression is well controlled on sertraline.\nASSESSMENT: Otitis externa.", True),
        ("HPI: Ear pain.\nASSESSMENT:\n1. Otitis externa.\n2. Depression. Going well, no change.", True),
        ("HPI: Ear pain.\n\nASSESSMENT AND PLAN\n\nDepression.\n• Steady, in full remission.\n\nOtitis externa.\n• Drops.", True),
        ("HPI: Ear pain. Her depression is not well controlled.\nASSESSMENT: Otitis externa.", False),
        ("HPI: Ear pain. Her depression is stable.\nASSESSMENT: Otitis externa. Depression, worse since May.", False),
        ("HPI: Ear pain.\nASSESSMENT:\n1. Otitis externa.\n2. Depression, stable. Start mirtazapine 15 mg.", False),
        ("HPI: Ear pain. Known depression. She is doing well at school.\nASSESSMENT: Otitis externa. Depression.", False),
    ],
)  # fmt: skip
def test_a_problem_is_quiet_where_the_note_says_so_and_nowhere_else_that_it_is_not(
    container: Container, note: str, quiet: bool
) -> None:
    linked = container.linker.read(note)
    (depression,) = {one.concept_id for one in linked.note.mentions if one.name == "depression"}
    assert (depression not in unsettled_today(linked)) is quiet


def test_a_psychosis_has_its_warning_signs_though_it_is_quiet(container: Container) -> None:
    note = "HPI: Ear pain. His schizophrenia is stable.\nASSESSMENT: Otitis externa. Schizophrenia, stable."
    chapters = {one.row.chapter for one in situations_of(container.linker.read(note))}
    assert "psychosis" in chapters
