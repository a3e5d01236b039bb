"""When to get help in telegram style: told where all that it is for is plain, and not where something of it is another order."""

import pytest

from backend.generation.letter.plan_items.return_reader import FAMILY, names_help, return_sentences
from backend.nlp.rules.trigger_rows import TriggerRow, trigger_rows


def read(text: str, *hard: str) -> str:
    return return_sentences(text, 0, lambda words, _: words, lambda told: not any(word in told for word in hard))


@pytest.mark.parametrize("row", trigger_rows(FAMILY), ids=lambda row: row.id)
def test_the_examples_of_a_row_are_read_as_it_says(row: TriggerRow) -> None:
    told = [read(text if row.event == "lead" or text[:2] in ("If", "An") else f"Any {text}") for text in row.yes]
    assert all(said.startswith(row.cells["said"].split("#")[0].split("*")[0].split(" if ")[0]) for said in told), told
    assert not any(names_help(text) for text in row.no)


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "RTED for chest tightness, wheeze",
            "Go to the emergency department if any of these happens: chest tightness, wheeze.",
        ),
        (
            "Ring the ward if temp >38.5, pus; 999 for collapse",
            "Call the ward if any of these happens: temperature above 38.5, pus. Call 999 if this happens: collapse.",
        ),
        (
            "If develops rigors/spreading redness to ring back or if vomiting.",
            "Call your team if any of these happens: rigors or spreading redness. Call your team if this happens: vomiting.",
        ),
        ("sooner if worse", "Come back sooner if this happens: the symptoms get worse."),
        ("call if >=155/95", "Call your team if this happens: blood pressure at or above 155/95."),
        (
            "If swelling or numb toes -> return ED",
            "Go to the emergency department if any of these happens: swelling or numb toes.",
        ),
        ("Any bleeding = ED", "Go to the emergency department if this happens: Any bleeding."),
        ("if no stool for 4 days call the clinic", "Call the clinic if this happens: no stool for 4 days."),
    ],
)
def test_it_is_told_with_whom_to_reach(text: str, told: str) -> None:
    assert read(text) == told


@pytest.mark.parametrize(
    "text",
    [
        "If the splint is wet do not take it off, call the clinic",  # another order stands between
        "Take two tablets and return if sick",
        "Return if he vomits",  # of somebody: a sentence
        "Return for review in 2 weeks",
        "Return to work if able",
        "Return if the pain comes back",
        "Returned with a fever",
    ],
)
def test_any_other_is_not(text: str) -> None:
    assert read(text) == ""


def test_what_a_patient_could_not_read_is_not_told_in_part() -> None:
    assert read("Return for fever, HCAP", "HCAP") == ""
    assert names_help("Return for fever, HCAP")
