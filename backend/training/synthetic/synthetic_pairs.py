"""Synthetic pairs of a pre-admission note and discharge instructions, from the scenarios of assets/training.

No real patient stands behind them and no clinician has reviewed them. They train what ships; they prove nothing about
real notes.
"""

import hashlib
import random
import re
import sys
from collections.abc import Collection, Iterator
from pathlib import Path

from backend.errors import InputError, KnowledgeError
from backend.ingest.clinical_notes.note_pairs import Pair
from backend.training.synthetic.scenario_check import check, faults
from backend.training.synthetic.scenario_library import Library, Scenario
from backend.training.synthetic.scenarios import read_library
from backend.training.synthetic.synthetic_letter import write_letter
from backend.training.synthetic.synthetic_note import write_note
from backend.training.synthetic.synthetic_patient import Patient, Voice, draw_patient

SYNTHETIC, HELD_OUT = "synthetic", "held_out_scenario"
_TRAIN, _VALIDATION = 80, 90  # of a hundred


def synthetic_pairs(folder: Path, n: int, seed: int, hold_out: Collection[str] = ()) -> Iterator[Pair]:
    """Pairs 0 to n - 1 of a seed; pair i is the same whatever n is.

    Args:
        folder: of the scenarios.
        n: how many.
        seed: of all draws.
        hold_out: ids of scenarios kept for `test`.

    Yields:
        The pairs in order.

    Raises:
        InputError: a scenario that is to be held out is none of them.
    """
    library = read_library(folder)
    check(library)
    if unknown := sorted(set(hold_out) - {scenario.id for scenario in library.scenarios}):
        raise InputError(
            f"There is no scenario {unknown[0]!r} to hold out. Choose ids from the files in {folder.name!r}."
        )
    for i in range(n):
        yield synthetic_pair(library, seed, i, hold_out)


def synthetic_pair(library: Library, seed: int, i: int, hold_out: Collection[str] = (), scenario: str = "") -> Pair:
    """Pair i of a seed; scenario names the only one to draw from, empty for any."""
    rng = random.Random(f"leapnote {seed} {i} {scenario}")
    choices = [item for item in library.scenarios if scenario in ("", item.id)]
    drawn: Scenario = rng.choices(choices, [item.weight for item in choices])[0]
    patient = draw_patient(library, drawn, rng)
    voice = Voice(library, patient, words_for(patient), rng)
    note, text = (
        _one_of(text) for text in (write_note(library, patient, voice), write_letter(library, patient, voice))
    )
    patient_id = patient_key(patient)
    held = drawn.id in hold_out
    split = "test" if held else split_of(patient_id)
    return Pair(f"synthetic-{seed}-{i}", patient_id, split, note, text, (SYNTHETIC, HELD_OUT) if held else (SYNTHETIC,))


def _one_of(text: str) -> str:
    """`1 days` is `1 day`: a drawn number may be one."""
    return re.sub(r"(?<![\d.-])1 (day|week|month|year|hour|minute|unit|liter|pound|bowel movement)s\b", r"1 \1", text)


def patient_key(patient: Patient) -> str:
    """The scenario and a digest of all that was drawn: who is alike in everything counts as one patient."""
    drawn = "|".join((str(patient.age), *sorted(patient.tags)))
    return f"{patient.scenario.id}-{hashlib.sha256(drawn.encode()).hexdigest()[:12]}"


def split_of(patient_id: str) -> str:
    """80 % train, 10 % validation, 10 % test, by a hash: the same patient is always in the same split."""
    hundredth = int(hashlib.sha256(patient_id.encode()).hexdigest()[:8], 16) % 100
    return "train" if hundredth < _TRAIN else "validation" if hundredth < _VALIDATION else "test"


def words_for(patient: Patient) -> dict[str, str]:
    """The words for the patient that any text may use as slots."""
    age, female = patient.age, patient.female
    he, his, him = ("she", "her", "her") if female else ("he", "his", "him")
    article = "an" if age in (18, *range(80, 90)) else "a"
    return {
        "age": str(age),
        "a": article,
        "he": he,
        "He": he.capitalize(),
        "his": his,
        "His": his.capitalize(),
        "him": him,
        "himself": "herself" if female else "himself",
        "man": "woman" if female else "man",
        "gentleman": "lady" if female else "gentleman",
        "M": "F" if female else "M",
        "Mr": "Ms." if female else "Mr.",
    }


def _main(arguments: list[str]) -> int:
    """`python -m backend.training.synthetic.synthetic_pairs FOLDER [SCENARIO [NUMBER]]`: print each fault, or samples of a scenario."""
    library = read_library(Path(arguments[0]))
    found = list(dict.fromkeys(faults(library)))
    for fault in found:
        print(fault)
    if found:
        return KnowledgeError.exit_status
    print(f"{len(library.scenarios)} scenarios, {len(library.comorbidities)} comorbidities, no fault")
    for i in range(int(arguments[2]) if len(arguments) > 2 else 2 * (len(arguments) > 1)):
        pair = synthetic_pair(library, 0, i, scenario=arguments[1])
        print(f"\n=== {pair.pair_id} {pair.patient_id}\n{pair.note}\n\n--- letter\n{pair.text}")
    return 0


if __name__ == "__main__":
    sys.exit(_main(sys.argv[1:]))
