"""What a visit prescribes beside what is taken at home: no list of all medicines, and what the note decides of the others stands."""

from backend.generation.letter.medicines.medicine_prompts import Prompt
from tests.generation.letter.reading import rows_of

VISIT = (
    "EMERGENCY DEPARTMENT NOTE\n\nMEDICATIONS:\nrivaroxaban 20 mg daily\ncandesartan 8 mg daily\ndigoxin 125 mcg daily\n\n"
    "PLAN:\nDischarged home. Continue rivaroxaban. {}\n\nDISCHARGE MEDICATIONS:\nparacetamol 1 g four times a day\n"
)


def test_what_a_visit_prescribes_is_no_list_of_all_that_is_taken() -> None:
    asked = rows_of(VISIT.format("Sling for comfort."))
    assert asked["rivaroxaban"].action.value == "continue"
    assert (asked["candesartan"].action.value, asked["digoxin"].action.value) == ("undecided", "undecided")
    kept = rows_of(VISIT.format("Rest unchanged."))
    assert {name: row.action.value for name, row in kept.items() if name in ("candesartan", "digoxin")} == {
        "candesartan": "continue",
        "digoxin": "continue",
    }
    assert rows_of(VISIT.format(""), "paracetamol 1 g QDS")["rivaroxaban"].prompt == Prompt.NOT_ON_LIST
