"""The frozen values of the synthetic scenarios, as `scenarios` reads them and the generator draws from them.

assets/training/README.md says what each field means to whoever writes a scenario.
"""

from collections.abc import Mapping
from typing import NamedTuple

from backend.training.synthetic.phrases import Block, Condition, Option

CHANGES = ("start", "stop", "hold", "change", "continue")
Pools = Mapping[str, tuple[Option, ...]]


class Fact(NamedTuple):
    """Something that may be true of a stay or a patient. choices: tags and their weights; one is drawn with chance p."""

    label: str
    choices: tuple[tuple[str, float], ...]
    p: float
    when: Condition


class Vitals(NamedTuple):
    """Ranges at arrival: temperature in F, heart rate, blood pressure as two ranges, respirations, saturation with how."""

    temp: str
    hr: str
    bp: str
    rr: str
    spo2: str
    when: Condition


class Change(NamedTuple):
    """One change of medicines in the letter: what is done, to what, and why."""

    kind: str
    what: Block
    reasons: tuple[Option, ...]


class Letter(NamedTuple):
    """The parts of discharge instructions, in order."""

    why: tuple[Block, ...] = ()
    course: tuple[Block, ...] = ()
    changes: tuple[Change, ...] = ()
    medicines: tuple[Block, ...] = ()
    advice: tuple[Block, ...] = ()
    warnings: tuple[Option, ...] = ()
    follow_up: tuple[Block, ...] = ()


class Scenario(NamedTuple):
    """One reason for admission. comorbidities: chances in place of the shared ones."""

    system: str
    id: str
    conditions: tuple[str, ...]
    weight: float
    ages: tuple[int, int]
    female: float
    tags: tuple[str, ...]
    excluded_drugs: tuple[str, ...]
    comorbidities: Mapping[str, float]
    complaint: tuple[Option, ...]
    presents: tuple[Option, ...]
    hpi: tuple[Block, ...]
    denies: tuple[Option, ...]
    vitals: tuple[Vitals, ...]
    exam: tuple[Block, ...]
    results: tuple[Block, ...]
    treated: tuple[Block, ...]
    facts: tuple[Fact, ...]
    pools: Pools
    instructions: Letter


class Comorbidity(NamedTuple):
    """What a patient may have besides. chance: under 50, 50 to 74, 75 and over. A habit has no names."""

    id: str
    names: tuple[Option, ...]
    chance: tuple[float, float, float]
    when: Condition
    history: tuple[Block, ...]
    medicines: tuple[Block, ...]
    facts: tuple[Fact, ...]
    instructions: Letter


class Allergy(NamedTuple):
    """id is its tag; lines are entries of the allergy section."""

    id: str
    chance: float
    when: Condition
    lines: tuple[Option, ...]


class Style(NamedTuple):
    """A way of writing notes. abbreviate: share of the short forms that are used."""

    id: str
    weight: float
    abbreviate: float
    openings: tuple[Option, ...]
    openings_healthy: tuple[Option, ...]
    vitals: tuple[Option, ...]
    denies: tuple[Option, ...]


class Frames(NamedTuple):
    """The frames of notes: styles, their short forms, and pools of texts."""

    styles: tuple[Style, ...]
    short: tuple[tuple[str, tuple[str, ...]], ...]
    texts: Pools


class Library(NamedTuple):
    """Everything the generator draws from. excluded_drugs: tag to what it excludes; classes: class to its drugs."""

    scenarios: tuple[Scenario, ...]
    comorbidities: tuple[Comorbidity, ...]
    allergies: tuple[Allergy, ...]
    pools: Pools
    excluded_drugs: Mapping[str, tuple[str, ...]]
    classes: Mapping[str, tuple[str, ...]]
    frames: Frames
