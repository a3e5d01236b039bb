"""Rows of the rules for problems: each by its own examples; no two rows match the same words; names are filed once."""

from pathlib import Path

import pytest

from backend.errors import KnowledgeError
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.findings import problem_names
from backend.nlp.rules.trigger_automaton import TriggerAutomaton
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows

FAMILIES = ("findings/problem", "findings/course", "findings/onset")
ROWS = [row for family in FAMILIES for row in trigger_rows(family)]


def found(family: str, text: str) -> set[str]:
    return {trigger.row.rule_id for trigger in parse_note(text).triggers[family]}


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row.rule_id)
def test_a_row_is_found_in_its_examples_and_not_in_the_others(row: TriggerRow) -> None:
    assert all(row.rule_id in found(row.family, text) for text in row.yes)
    assert not any(row.rule_id in found(row.family, text) for text in row.no)


@pytest.mark.parametrize("family", FAMILIES)
def test_no_two_rows_match_the_same_words(family: str) -> None:
    automaton = TriggerAutomaton(trigger_rows(family))
    waiting, seen = [automaton._start], set()
    while waiting:  # a clash raises as its state is made
        state = waiting.pop()
        if state.nodes not in seen:
            seen.add(state.nodes)
            words = {word for node in state.nodes for word in automaton._words[node]}
            waiting += [there for word in words if (there := automaton._follow(state, word)) is not None]
    assert len(seen) > len(trigger_rows(family))


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ("gout\tdisease\t\tgout|podagra\nfoot pain\tsymptom\t\tpodagra\n", "podagra"),
        ("gout\tillness\t\tgout\n", "gout"),
    ],
)
def test_a_bad_row_of_names_is_named(tmp_path: Path, rows: str, message: str) -> None:
    path = tmp_path / "problem_names.tsv"
    path.write_text("name\tcategory\twhere\tnames\n" + rows)
    with pytest.raises(KnowledgeError, match=message):
        problem_names._names.__wrapped__(path)
