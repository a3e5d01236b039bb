"""A library of one patient who is always the same, to be written about."""

import random
from pathlib import Path

from backend.training.synthetic.scenario_library import Library
from backend.training.synthetic.scenarios import read_library
from backend.training.synthetic.synthetic_pairs import words_for
from backend.training.synthetic.synthetic_patient import Patient, Voice, draw_patient
from tests.training.synthetic.test_scenarios import COMORBIDITIES, SCENARIO, folder_with

HPI = '"The toe hurt at night."'


def library_of(folder: Path, scenario: str = SCENARIO, comorbidities: str = COMORBIDITIES, hpi: str = HPI) -> Library:
    """The shipped frames around one scenario and some comorbidities."""
    return read_library(folder_with(folder, scenario.replace("HPI", hpi), comorbidities))


def speaking(library: Library, seed: int = 0) -> tuple[Patient, Voice]:
    rng = random.Random(seed)
    patient = draw_patient(library, library.scenarios[0], rng)
    return patient, Voice(library, patient, words_for(patient), rng)
