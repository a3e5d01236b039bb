"""Notes that decide on each medicine in their own way: how many rows of the letter do what the note decides, and how many the opposite."""

import json
from pathlib import Path

import pytest

from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from tests.generation.letter.reading import linker, rows_of

NOTES = Path(__file__).parents[3] / "benchmarks" / "medicine_decisions"
GOES_ON = frozenset({MedicineAction.CONTINUE, MedicineAction.AS_NEEDED, MedicineAction.TAKE})
BEGUN = frozenset({MedicineAction.NEW, MedicineAction.TAKE})
ALIKE = {
    "continue": GOES_ON,
    "as_needed_continue": GOES_ON,
    "changed": frozenset({MedicineAction.CHANGED}),
    "new": BEGUN,
    "stopped": frozenset({MedicineAction.STOPPED}),
    "held": frozenset({MedicineAction.ON_HOLD}),
    "undecided": frozenset({MedicineAction.UNDECIDED}),
    "hospital_only": frozenset({MedicineAction.HOSPITAL_ONLY, None}),
    "not_patients": frozenset({None}),
}
TAKEN = GOES_ON | BEGUN | {MedicineAction.CHANGED}
ENDED = frozenset({MedicineAction.STOPPED, MedicineAction.ON_HOLD})
OPPOSITE = {
    **dict.fromkeys(("continue", "as_needed_continue", "changed", "new"), ENDED),
    **dict.fromkeys(("stopped", "held", "hospital_only", "not_patients"), TAKEN),
    "undecided": frozenset[MedicineAction](),
}


def concepts(name: str) -> frozenset[str]:
    return frozenset(one.concept_id for one in linker().link(name).note.mentions)


def row_of(rows: dict[str, MedicineRow], name: str) -> MedicineRow | None:
    own = concepts(name)
    return next(
        (
            row
            for row in rows.values()
            if name in row.name.lower().split() or own & {*row.ingredients, row.concept_id} or row.name.lower() == name
        ),
        None,
    )


@pytest.mark.parametrize(("part", "right", "opposite"), [("open", 0.64, 0.02), ("apart", 0.63, 0.02)])
def test_rows_do_what_the_note_decides(part: str, right: float, opposite: float) -> None:
    counts = {"rows": 0, "right": 0, "opposite": 0}
    for line in (NOTES / f"{part}.jsonl").read_text().splitlines():
        note = json.loads(line)
        rows = rows_of(note["text"])
        for gold in note["rows"]:
            row = row_of(rows, gold["medicine"])
            action = row.action if row is not None else None
            counts["rows"] += 1
            counts["right"] += action in ALIKE[gold["action"]]
            counts["opposite"] += action in OPPOSITE[gold["action"]]
    assert counts["right"] / counts["rows"] >= right, counts
    assert counts["opposite"] / counts["rows"] <= opposite, counts


def test_a_dose_that_is_to_change_without_the_new_one_is_asked_about() -> None:
    note = "DISCHARGE SUMMARY\nMeds on admission: furosemide 40 mg om, ramipril 5 mg om, amlodipine 10 mg od\n\nChanges:\n- double the furosemide\n- amlodipine stopped (ankle oedema)\n- ramipril: hold until clinic 16/02\n- apixaban 5 mg bd started\n"
    actions = {name: row.action.value for name, row in rows_of(note).items()}
    assert actions["furosemide"] == "undecided"
    assert (actions["amlodipine"], actions["ramipril"]) == ("stopped", "on_hold")


def test_a_plan_decides_beside_what_it_prescribes() -> None:
    note = "ED NOTE\n\nMEDICATIONS:\namlodipine 10 mg daily\napixaban 5 mg twice daily\n\nPLAN:\nAmlodipine cut back to 5 mg daily.\nTTO paracetamol 1 g QDS\n"
    rows = rows_of(note)
    assert (rows["amlodipine"].action.value, rows["amlodipine"].dose) == ("changed", "5 mg")


@pytest.mark.parametrize(
    ("line", "action"),
    [
        ("tacrolimus 3 mg BID >>> 3 mg AM / 2 mg PM", "changed"),
        ("Loperamide 2 mg prn – bin it", "stopped"),
        ("Tamsulosin 400 mcg od - keep on", "continue"),
        ("nitrofurantoin 50 mg nocte, pause while on cefalexin", "on_hold"),
        ("Finasteride 5 mg od - start, takes months to work", "new"),
        ("Plavix 75 mg daily, stop after 21 days", "undecided"),
    ],
)
def test_a_medicine_s_own_entry_decides_on_it(line: str, action: str) -> None:
    note = f"Clinic review.\n\nDoing well.\n{line}\n"
    first = next(iter(rows_of(note).values()))
    assert first.action.value == action
