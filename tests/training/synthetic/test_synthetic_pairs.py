"""Synthetic pairs: the same by seed, filled, of one piece, and split by patient."""

import re
from collections import Counter
from pathlib import Path

import pytest

from backend.errors import InputError
from backend.ingest.clinical_notes.note_pairs import SPLITS, Pair
from backend.settings import ROOT
from backend.training.synthetic.scenario_library import Library
from backend.training.synthetic.scenarios import read_library
from backend.training.synthetic.synthetic_pairs import split_of, synthetic_pair, synthetic_pairs
from backend.training.synthetic.synthetic_patient import names_excluded_drug
from tests.training.synthetic.test_scenarios import SCENARIO, folder_with

SHIPPED = ROOT / "assets" / "training" / "scenarios"
# Written here and not read from pools.toml, so that a class that loses a member there is noticed.
CLASSES = {
    "penicillin": "amoxicillin|amoxicillin-clavulanate|ampicillin|piperacillin-tazobactam|nafcillin|penicillin",
    "cephalosporin": "cephalexin|cefazolin|ceftriaxone|cefpodoxime|cefepime|cefuroxime|cefdinir",
    "macrolide": "azithromycin|clarithromycin|erythromycin",
    "fluoroquinolone": "ciprofloxacin|levofloxacin|moxifloxacin",
    "sulfonamide": "trimethoprim-sulfamethoxazole|bactrim",
    "nsaid": "ibuprofen|naproxen|ketorolac|indomethacin|meloxicam|celecoxib|diclofenac",
    "ace inhibitor": "lisinopril|enalapril|captopril|ramipril",
    "opioid": "oxycodone|hydromorphone|morphine|codeine",
    "statin": "atorvastatin|rosuvastatin|simvastatin|pravastatin",
    "vancomycin": "vancomycin",
}
AGAINST = re.compile(r"\b(avoid|do not|not to|stop|hold|held|without|never|instead|allerg|reaction|caused by)", re.I)


@pytest.fixture(scope="module")
def shipped() -> Library:
    return read_library(SHIPPED)


@pytest.fixture(scope="module")
def pairs(shipped: Library) -> list[Pair]:
    """Two pairs of every scenario."""
    return [synthetic_pair(shipped, 5, i, scenario=item.id) for item in shipped.scenarios for i in range(2)]


@pytest.fixture(scope="module")
def allergic(shipped: Library) -> list[Pair]:
    """Two pairs of every scenario, of patients who are allergic to everything in pools.toml."""
    library = shipped._replace(allergies=tuple(item._replace(chance=1.0) for item in shipped.allergies))
    return [synthetic_pair(library, 6, i, scenario=item.id) for item in library.scenarios for i in range(2)]


def test_a_seed_gives_the_same_pairs_whatever_their_number() -> None:
    few, many = list(synthetic_pairs(SHIPPED, 3, 11)), list(synthetic_pairs(SHIPPED, 6, 11))
    assert many[:3] == few
    assert [pair.pair_id for pair in few] == ["synthetic-11-0", "synthetic-11-1", "synthetic-11-2"]


def test_another_seed_gives_other_pairs() -> None:
    one, other = (next(iter(synthetic_pairs(SHIPPED, 1, seed))) for seed in (1, 2))
    assert one.note != other.note and one.text != other.text


def test_every_pair_says_that_it_is_synthetic(pairs: list[Pair]) -> None:
    assert all("synthetic" in pair.notices for pair in pairs)


def test_no_slot_and_no_condition_is_left_in_a_text(pairs: list[Pair]) -> None:
    left = [pair.patient_id for pair in pairs if re.search(r"[{}\[\]]|  ", pair.note + pair.text)]
    assert left == []


def test_a_note_has_its_three_sections_and_a_letter_no_patient_in_the_third_person(pairs: list[Pair]) -> None:
    for pair in pairs:
        heads = [pair.note.lower().find(word) for word in ("allergies", "complaint:", "present illness:")]
        heads[1] = heads[1] if heads[1] > 0 else pair.note.lower().find("reason for visit:")
        heads[2] = heads[2] if heads[2] > 0 else pair.note.find("HPI:")
        assert 0 <= heads[0] < heads[1] < heads[2], pair.patient_id
        assert not re.search(r"\b(he|she) (was|is|has|had)\b", pair.text, re.I), pair.patient_id


def test_lengths_are_those_of_real_notes_and_letters(pairs: list[Pair]) -> None:
    notes = sorted(len(pair.note.split()) for pair in pairs)
    letters = sorted(len(pair.text.split()) for pair in pairs)
    assert notes[0] >= 50 and notes[-1] <= 330, (notes[0], notes[-1])
    assert letters[0] >= 40 and letters[-1] <= 320, (letters[0], letters[-1])
    middle = len(pairs) // 2
    assert 100 <= notes[middle] <= 200 and 100 <= letters[middle] <= 200


@pytest.mark.parametrize("name", CLASSES)
def test_no_letter_gives_a_medicine_of_a_class_that_the_patient_is_allergic_to(name: str, allergic: list[Pair]) -> None:
    drug = re.compile(rf"(?<![\w-])({CLASSES[name]})(?![\w-])", re.I)
    given = [
        (pair.patient_id, sentence)
        for pair in allergic
        for sentence in re.split(r"(?<=[.!?])\s+|\n", pair.text)
        if drug.search(sentence) and not AGAINST.search(sentence)
    ]
    assert given == []


def test_such_letters_would_name_these_medicines_without_the_allergies(pairs: list[Pair]) -> None:
    """Else the test above could not fail."""
    text = " ".join(pair.text for pair in pairs).lower()
    assert [name for name, drugs in CLASSES.items() if not re.search(drugs, text)] == []


def test_nobody_on_a_blood_thinner_is_told_to_take_an_nsaid(shipped: Library) -> None:
    forced = tuple(
        item._replace(comorbidities={**item.comorbidities, "atrial-fibrillation": 1.0}) for item in shipped.scenarios
    )
    library = shipped._replace(scenarios=forced)
    drug = re.compile(rf"\b({CLASSES['nsaid']})\b", re.I)
    for item in library.scenarios:
        pair = synthetic_pair(library, 3, 0, scenario=item.id)
        if re.search(r"warfarin|coumadin|apixaban|eliquis", pair.note, re.I):
            sentences = re.split(r"(?<=[.!?])\s+|\n", pair.text)
            assert not [part for part in sentences if drug.search(part) and not AGAINST.search(part)], item.id


def test_a_warning_may_name_what_is_excluded_and_a_longer_name_is_another_drug() -> None:
    pattern = re.compile(r"(?<![\w-])(?:amoxicillin)s?(?![\w-])", re.I)
    assert names_excluded_drug("We started amoxicillin.", pattern)
    assert not names_excluded_drug("Do not take amoxicillin.", pattern)
    assert not names_excluded_drug("We started amoxicillin-clavulanate.", pattern)
    assert names_excluded_drug("Do not drive. We started amoxicillin.", pattern)
    assert not names_excluded_drug("We started amoxicillin.", None)


def test_one_of_something_is_singular(tmp_path: Path) -> None:
    text = SCENARIO.replace("HPI", '"Pain for {1-1} days, {11-11} weeks and {1.1-1.1} hours."')
    note = synthetic_pair(read_library(folder_with(tmp_path, text)), 0, 0).note
    assert "1 day, 11 weeks and 1.1 hours" in note


def test_one_patient_is_in_one_split_and_the_shares_are_those_promised() -> None:
    found = list(synthetic_pairs(SHIPPED, 600, 4))
    splits: dict[str, set[str]] = {}
    for pair in found:
        splits.setdefault(pair.patient_id, set()).add(pair.split)
    assert all(len(names) == 1 for names in splits.values())
    # 80 % of 600 is 480 with a standard deviation of 9.8; five of them are 49
    assert abs(Counter(pair.split for pair in found)["train"] - 480) < 49
    assert {pair.split for pair in found} == set(SPLITS)


def test_a_split_is_a_function_of_the_patient_alone() -> None:
    assert split_of("gout-1") == split_of("gout-1")
    shares = Counter(split_of(f"gout-{i}") for i in range(2000))
    # standard deviations: 17.9 for 1600, 13.4 for 200; five of them
    assert abs(shares["train"] - 1600) < 90 and abs(shares["validation"] - 200) < 68 and abs(shares["test"] - 200) < 68


def test_a_scenario_that_is_held_out_is_only_in_test_and_says_so() -> None:
    found = list(synthetic_pairs(SHIPPED, 150, 0, hold_out=("heart-failure", "pneumonia-community")))
    held = [pair for pair in found if pair.patient_id.startswith(("heart-failure-", "pneumonia-community-"))]
    assert held and all(pair.split == "test" and "held_out_scenario" in pair.notices for pair in held)
    assert all("held_out_scenario" not in pair.notices for pair in found if pair not in held)


def test_an_unknown_scenario_cannot_be_held_out() -> None:
    with pytest.raises(InputError, match="'goat'"):
        next(iter(synthetic_pairs(SHIPPED, 1, 0, hold_out=("goat",))))


def test_facts_decide_what_is_said_in_note_and_letter(tmp_path: Path) -> None:
    text = SCENARIO.replace("HPI", '{ when = "old-attack", say = ["Attack before."] }').replace(
        'why = ["You',
        'course = [{ when = "old-attack", say = ["It came back."] }, { when = "first-attack", say = ["It is new."] }]\nwhy = ["You',
    )
    library = read_library(folder_with(tmp_path, text))
    kinds = Counter()
    for i in range(60):
        pair = synthetic_pair(library, 0, i)
        assert ("Attack before." in pair.note) == ("It came back." in pair.text) != ("It is new." in pair.text)
        kinds["It is new." in pair.text] += 1
    assert kinds[True] and kinds[False]  # weights 1 and 3: none of 60 would have a chance of 3e-8


@pytest.mark.slow
def test_every_wording_of_a_scenario_is_said_sooner_or_later(shipped: Library) -> None:
    """The check follows tags; here patients are drawn. Plain wordings (no slot, no condition) of what is always said."""
    for item in shipped.scenarios:
        plain = [
            option.text
            for block in item.instructions.why
            for option in block.options
            if "{" not in option.text and not option.when.groups
        ]
        letters = " ".join(synthetic_pair(shipped, 9, i, scenario=item.id).text for i in range(80))
        assert [text for text in plain if text not in letters] == [], item.id
