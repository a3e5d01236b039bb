"""Whether a name is a result, a vital sign, a medicine or a side: by its row, flag and unit."""

import pytest

from tests.nlp.test_tempting_words import record

READ = (
    # note, measures that are read, medicines that are read
    ("Labs: Na 138, K 3.9, vit D 18 L, B12 212, TSH 2.1.", {"vitamin D 18", "vitamin B12 212"}, set()),
    ("Bloods: folate 4.1, iron 6 (L), Mg 0.62, phosphate 0.7.", {"folate 4.1", "iron 6", "magnesium 0.62"}, set()),
    ("Results: lithium 0.9, creat 88. Continue lithium 800 mg nocte.", {"lithium level 0.9"}, {"lithium 800 mg nocte"}),
    (
        "Medications: digoxin 125 mcg, furosemide 40, levothyroxine 75.",
        set(),
        {"digoxin 125 mcg", "furosemide 40", "levothyroxine 75"},
    ),
    ("Thyroid: TSH 0.4. B12 normal.", {"TSH 0.4"}, set()),
    ("Phenytoin 6.2 (low), valproate 55. Albumin 2.9.", {"phenytoin level 6.2", "valproate level 55"}, set()),
    ("Labs\nHb 10.1\nIron 4\nVit B12 165 L\nZinc 9", {"iron 4", "vitamin B12 165", "zinc 9"}, set()),
    ("Theophylline 22 mg/L, sodium 134.", {"theophylline level 22"}, set()),
    (
        "Takes levothyroxine 100, warfarin 3. INR 2.4, digoxin 1.4, Hb 122.",
        {"digoxin level 1.4"},
        {"levothyroxine 100", "warfarin 3"},
    ),
    ("Gave magnesium 4 g over 20 min.", set(), {"magnesium 4 g"}),
    ("VS: T 38.4, P 118, R 24, BP 96/58, O2 91% RA.", {"respiratory rate 24", "oxygen saturation 91"}, set()),
    ("T 98.2 R 16 P 70.", {"respiratory rate 16", "heart rate 70"}, set()),
)
NOT_READ = (
    ("Calf R 38 L 34 cm, tender. HR 92, RR 18.", "respiratory rate 38"),
    ("Visual acuity R 6/9 L 6/18. IOP R 16, L 22.", "respiratory rate 16"),
    ("Circumference mid-thigh R 52, L 47. Wt 81 kg.", "respiratory rate 52"),
    ("Weight down 6 kg since May.", "weight 6"),
    ("Gave magnesium 4 g over 20 min, then 1 g/h.", "magnesium 4"),
)  # fmt: skip


@pytest.mark.parametrize(("note", "measures", "medicines"), READ)
def test_a_name_is_what_its_row_says(note: str, measures: set[str], medicines: set[str]) -> None:
    read = record(note)
    assert measures <= {f"{one.measure} {one.value_text}" for one in read.observations}
    taken = {f"{one.name} {one.dosage.text}".strip() for one in read.medications}
    assert taken == medicines


@pytest.mark.parametrize(("note", "value"), NOT_READ)
def test_what_only_looks_like_a_value_is_none(note: str, value: str) -> None:
    assert value not in {f"{one.measure} {one.value_text}" for one in record(note).observations}
