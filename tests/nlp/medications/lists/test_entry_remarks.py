"""What remarks on the entries of a medicine list decide and tell."""

import pytest

from backend.nlp.document.headers import LIST_TITLES
from backend.nlp.document.tokens import tokens
from backend.nlp.document.trigger_automaton import TriggerAutomaton, plain_marks
from backend.nlp.medications.lists.entry_remarks import FAMILY, Remark, entry_remarks, opens_entry
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows

DRUG = "\0 \0"


@pytest.mark.parametrize("family", [FAMILY, LIST_TITLES])
def test_each_row_opens_its_examples_and_not_its_counterexamples(family: str) -> None:
    automaton = TriggerAutomaton(trigger_rows(family))

    def opens(row: TriggerRow, text: str) -> bool:
        words = [word for word in tokens(text).words if word[0].isalnum() or word not in "(-#:"]
        whole = len(words) if family == LIST_TITLES else 0
        found = automaton.find(plain_marks(words))[family]
        return any(one.row.id == row.id and one.first == 0 and one.last >= whole for one in found)

    for row in trigger_rows(family):
        assert [text for text in row.yes if not opens(row, text)] == [], row.id
        assert [text for text in row.no if opens(row, text)] == [], row.id


@pytest.mark.parametrize(
    ("text", "decision", "detail"),
    [
        (f"{DRUG} - NEW", Remark.NEW, ""),
        (f"{DRUG} (newly started)", Remark.NEW, ""),
        (f"{DRUG}, unchanged", Remark.SAME, ""),
        (f"{DRUG} 20 same", Remark.SAME, ""),
        (f"{DRUG} - reduced from 40 mg", Remark.CHANGED, "from 40 mg"),
        (f"{DRUG} -- on hold until the clinic", Remark.HOLD, "until the clinic"),
        (f"{DRUG} - hold, restart 3/4", Remark.RESUME, "restart 3/4"),
        (f"Resume {DRUG} on Monday", Remark.RESUME, "on Monday"),
        (f"{DRUG} - discontinued (kidney injury)", Remark.STOP, "kidney injury"),
        (f"{DRUG}: stopped, bleeding", Remark.STOP, "bleeding"),
        (f"STOP {DRUG}", Remark.STOP, ""),
        ("NO \0", Remark.AVOID, ""),
        (f"{DRUG} - do not take until Friday", Remark.HOLD, "until Friday"),
    ],
)
def test_a_remark_decides_with_what_stands_behind_it(text: str, decision: Remark, detail: str) -> None:
    found = entry_remarks(text)
    assert (found.decision, found.detail, found.unclear) == (decision, detail, False)


@pytest.mark.parametrize(
    ("text", "further"),
    [
        (f"{DRUG} x 5 days then stop", "for 5 days then stop"),
        (f"{DRUG}, 7 days, last dose 1/25", "for 7 days, last dose 1/25"),
        (f"{DRUG} scheduled x 2 weeks", "for 2 weeks"),
        (f"{DRUG} - 2 further days then stop", "for 2 further days then stop"),
        (f"{DRUG} while on codeine", "while on codeine"),
        (f"{DRUG} - hold if SBP <100", "hold if SBP <100"),
        (f"{DRUG} until seen by the surgeon", "until seen by the surgeon"),
        (f"{DRUG} #10, no refills", ""),
        (f"{DRUG} - recheck K in 1 wk", ""),
        (f"{DRUG} (hx DVT)", ""),
    ],
)
def test_how_long_and_under_which_condition_is_told_and_what_is_of_the_team_is_not(text: str, further: str) -> None:
    assert entry_remarks(text) == (None, "", further, False)


@pytest.mark.parametrize("text", [f"{DRUG} - stop smoking", f"{DRUG} no driving", f"{DRUG} start physical therapy"])
def test_a_decision_on_something_else_is_none_of_the_medicine(text: str) -> None:
    assert entry_remarks(text).decision is None


@pytest.mark.parametrize("text", [f"{DRUG} - stop asap", f"{DRUG} (refused)", f"{DRUG} - not as the chart has it"])
def test_what_is_not_read_and_may_turn_it_round_makes_an_entry_unclear(text: str) -> None:
    assert entry_remarks(text).unclear


def test_a_heading_decides_where_the_entry_does_not() -> None:
    assert entry_remarks(f"{DRUG} - falls", label=Remark.STOP) == (Remark.STOP, "falls", "", False)
    assert entry_remarks(f"{DRUG} - held for now", label=Remark.STOP).decision is Remark.HOLD


def test_an_order_before_a_name_opens_an_entry_and_other_words_do_not() -> None:
    assert opens_entry("") and opens_entry("Stop ") and opens_entry("continue the ")
    assert not opens_entry("while on ") and not opens_entry("no smoking near ")
