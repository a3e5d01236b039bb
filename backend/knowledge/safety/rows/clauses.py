"""The conditions of safety rows as data: `eGFR<30; age>=65`, `takes:ACE inhibitor`, `is:acute`, `past counts`.

A closed vocabulary: what is none of it is a KnowledgeError. It parses and tells a clause in words; whether a clause holds of a patient is
decided by `clause_truth`.
"""

import re
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import NamedTuple, TypeVar

from backend.errors import KnowledgeError
from backend.knowledge.safety.rows.value_table import value_table
from backend.schemas.vocabulary import Category

NONE = "-"
_ALSO, _ANY = ";", "|"
PAST_COUNTS, IN_TURN = "past counts", "in turn"
PLANNED, FAMILY = "planned", "family"
_ALSO_COUNTS = {f"{where} counts": where for where in (PLANNED, FAMILY)}
_COMPARED = re.compile(r"(?P<name>[A-Za-z][A-Za-z0-9 ]*?)\s*(?P<sign><=|>=|<|>)\s*(?P<limit>\d+(?:\.\d+)?)")
_DOSED = re.compile(
    r"dose\s*(?P<sign><=|>=|<|>)\s*(?P<limit>\d+(?:\.\d+)?)\s*(?P<unit>\S+)/(?P<period>dose|day|week|month)"
)
_KEYED = re.compile(r"(?P<key>[a-z]+):\s*(?P<names>.+)")


E = TypeVar("E", bound=StrEnum)


class Stage(StrEnum):
    """What the record says of a problem that is there now."""

    ACUTE = "acute"
    ACTIVE = "active"
    SEVERE = "severe"
    UNTREATED = "untreated"
    UNCONTROLLED = "uncontrolled"
    DECOMPENSATED = "decompensated"
    RECENT = "recent"
    CURRENT = "current"


class Held(StrEnum):
    """How a clause asks for something with a name."""

    HAS = "has"
    HAD = "had"
    TAKES = "takes"
    FOR = "for"
    BEGINS = "begins"


class Route(StrEnum):
    """The ways a medicine is given, as readings of a dosage name them."""

    ORAL = "oral"
    INTRAVENOUS = "intravenous"
    INTRAMUSCULAR = "intramuscular"
    SUBCUTANEOUS = "subcutaneous"
    TOPICAL = "topical"
    TRANSDERMAL = "transdermal"
    RECTAL = "rectal"
    SUBLINGUAL = "sublingual"
    INHALED = "inhaled"
    NASAL = "nasal"
    OPHTHALMIC = "ophthalmic"
    OTIC = "otic"
    VAGINAL = "vaginal"
    ENTERAL = "enteral"
    INJECTED = "injected"
    INTRATHECAL = "intrathecal"
    EPIDURAL = "epidural"
    INTRA_ARTICULAR = "intra-articular"
    INTRAVESICAL = "intravesical"


LOCAL_ROUTES = frozenset({Route.TOPICAL, Route.OPHTHALMIC, Route.OTIC, Route.NASAL, Route.VAGINAL})
"""Ways by which a medicine stays at one place of the body."""


class Period(StrEnum):
    """What an amount is counted over; hour and minute are of what runs in, a course of how long it is given."""

    MINUTE = "minute"
    HOUR = "hour"
    COURSE = "course"
    DOSE = "dose"
    DAY = "day"
    WEEK = "week"
    MONTH = "month"


class DoseUnit(StrEnum):
    """The units of amounts in rows; those with a / are by weight or body surface."""

    MG = "mg"
    MCG = "mcg"
    G = "g"
    UNITS = "units"
    MEQ = "mEq"
    MMOL = "mmol"
    ML = "mL"
    PUFFS = "puffs"
    DROPS = "drops"
    TABLETS = "tablets"
    PATCHES = "patches"
    TIMES = "times"
    DAYS = "days"
    MG_KG = "mg/kg"
    MCG_KG = "mcg/kg"
    G_KG = "g/kg"
    UNITS_KG = "units/kg"
    ML_KG = "mL/kg"
    MG_M2 = "mg/m2"
    UNITS_M2 = "units/m2"

    @property
    def by_weight(self) -> bool:
        """Whether the amount is for each kilogram."""
        return self.value.endswith("/kg")

    @property
    def by_surface(self) -> bool:
        """Whether the amount is for each square meter of body surface."""
        return self.value.endswith("/m2")

    @property
    def plain(self) -> str:
        """The unit without what it is counted by."""
        return self.value.partition("/")[0]


class ValueClause(NamedTuple):
    """A value of the patient against a limit in the value's canonical unit: `eGFR<30`."""

    value: str
    sign: str
    limit: float


class StageClause(NamedTuple):
    """The row's own condition is at one of these stages: `is:acute|severe`."""

    stages: frozenset[Stage]


class PastClause(NamedTuple):
    """A history of the row's own condition is enough: `past counts`."""

    counts: bool = True


class AlsoClause(NamedTuple):
    """The row's own condition counts where it is planned, or of a relative alone: `planned counts`, `family counts`."""

    where: str


class TurnClause(NamedTuple):
    """One of the row's two medicines ends as the other begins: `in turn`."""

    holds: bool = True


class HeldClause(NamedTuple):
    """One of these is a problem (`has`, `had`), among what is taken (`takes`) or begun now and not taken before (`begins`), or what the medicine is for (`for`). names: as written."""

    how: Held
    concept_ids: tuple[str, ...]
    names: tuple[str, ...]


class DoseClause(NamedTuple):
    """The amount that is taken of the row's first medicine: `dose>20 mg/day`."""

    sign: str
    limit: float
    unit: DoseUnit
    period: Period


class RouteClause(NamedTuple):
    """The row's first medicine is given in one of these ways: `route:oral`; in `unless` of a pair a way that stays at one place is that of either."""

    routes: frozenset[Route]


class SexClause(NamedTuple):
    """The patient's sex: `sex:female`."""

    sex: str


class PersonClause(NamedTuple):
    """Who the patient is: `pregnant`, `smoker`, `drinks alcohol`, `comfort care` where comfort is the goal."""

    kind: str


class SettingClause(NamedTuple):
    """Where the patient is: `setting:inpatient`."""

    setting: str


Clause = (
    ValueClause
    | StageClause
    | PastClause
    | AlsoClause
    | TurnClause
    | HeldClause
    | DoseClause
    | RouteClause
    | SexClause
    | PersonClause
    | SettingClause
)
PERSONS = frozenset({"pregnant", "smoker", "drinks alcohol", "comfort care"})
SEXES, SETTINGS = frozenset({"female", "male"}), frozenset({"inpatient", "outpatient"})
MEDICINES = frozenset({Category.DRUG, Category.DRUG_CLASS})
_TAKEN = MEDICINES | {Category.DIET, Category.SUBSTANCE}


class ConceptNames:
    """The names of the starter's concepts, by which rows name them.

    Args:
        concepts: id and category by name.
        synonyms: the name by other names of it, for advice.
    """

    def __init__(self, concepts: Mapping[str, tuple[str, str]], synonyms: Mapping[str, str] | None = None) -> None:
        self._concepts = concepts
        self._synonyms = synonyms or {}

    def concept_id(self, name: str, categories: Collection[str] = (), instead: str = "") -> str:
        """The id of a concept.

        Args:
            name: as it stands in concepts/.
            categories: those allowed; none for all.
            instead: what the name has to be, for the message.

        Raises:
            KnowledgeError: nothing has the name, or what has it is of another category.
        """
        if name not in self._concepts:
            other = self._synonyms.get(name.lower())
            raise KnowledgeError(
                f"{name!r} is the name of no concept. "
                + (f"Write {other!r}." if other else "Add it to concepts/ first.")
            )
        concept, category = self._concepts[name]
        if categories and category not in categories:
            raise KnowledgeError(f"{name!r} is a {category}; name {instead or ' or '.join(sorted(categories))}.")
        return concept

    def category(self, name: str) -> str:
        """The category of a concept; empty where nothing has the name."""
        return self._concepts[name][1] if name in self._concepts else ""

    def find(self, name: str) -> str:
        """The id of a concept; empty where nothing has the name."""
        return self._concepts[name][0] if name in self._concepts else ""


def parse_clauses(text: str, names: ConceptNames) -> tuple[Clause, ...]:
    """The clauses of one cell, set apart by ";"; none for "-". Raises KnowledgeError for what is no clause."""
    if text.strip() == NONE:
        return ()
    return tuple(parse_clause(part.strip(), names) for part in text.split(_ALSO))


def parse_clause(text: str, names: ConceptNames) -> Clause:
    """One clause.

    Raises:
        KnowledgeError: it is none, or a name, unit, stage or route in it is unknown.
    """
    if text == PAST_COUNTS:
        return PastClause()
    if text in _ALSO_COUNTS:
        return AlsoClause(_ALSO_COUNTS[text])
    if text == IN_TURN:
        return TurnClause()
    if text in PERSONS:
        return PersonClause(text)
    if dosed := _DOSED.fullmatch(text):
        unit = _one_of(DoseUnit, dosed["unit"], text)
        return DoseClause(dosed["sign"], float(dosed["limit"]), unit, Period(dosed["period"]))
    if compared := _COMPARED.fullmatch(text):
        if compared["name"] not in value_table():
            raise KnowledgeError(f"{text!r}: {compared['name']!r} is no value. Use one of: {', '.join(value_table())}.")
        return ValueClause(compared["name"], compared["sign"], float(compared["limit"]))
    if keyed := _KEYED.fullmatch(text):
        written = tuple(part.strip() for part in keyed["names"].split(_ANY))
        return _keyed(keyed["key"], written, text, names)
    raise KnowledgeError(
        f"{text!r} is no clause. Write a value (eGFR<30), is:STAGE, past counts, planned counts, family counts, in turn, has:NAME, had:NAME, takes:NAME, begins:NAME, for:NAME, "
        "dose>20 mg/day, route:NAME, sex:NAME, setting:NAME, pregnant, smoker, drinks alcohol or comfort care, set apart by ;."
    )


def _keyed(key: str, written: tuple[str, ...], text: str, names: ConceptNames) -> Clause:
    if key == "is":
        return StageClause(frozenset(_one_of(Stage, one, text) for one in written))
    if key == "route":
        return RouteClause(frozenset(_one_of(Route, one, text) for one in written))
    if key == "sex" and written[0] in SEXES and len(written) == 1:
        return SexClause(written[0])
    if key == "setting" and written[0] in SETTINGS and len(written) == 1:
        return SettingClause(written[0])
    if key in set(Held):
        how = Held(key)
        allowed = _TAKEN if how is Held.TAKES else MEDICINES if how is Held.BEGINS else ()
        ids = tuple(names.concept_id(one, allowed, "a drug or a drug class") for one in written)
        if how not in (Held.TAKES, Held.BEGINS) and (
            drugs := [one for one in written if names.category(one) in MEDICINES]
        ):
            raise KnowledgeError(f"{text!r}: {drugs[0]!r} is a medicine. Write takes:{drugs[0]}.")
        return HeldClause(how, ids, written)
    raise KnowledgeError(
        f"{text!r} is no clause: use is, has, had, takes, begins, for, route, sex or setting before the colon."
    )


def _one_of(kind: type[E], value: str, text: str) -> E:
    try:
        return kind(value)
    except ValueError:
        raise KnowledgeError(f"{text!r}: {value!r} is unknown. Use one of: {', '.join(kind)}.") from None


_HELD = {Held.HAS: "with", Held.HAD: "ever", Held.TAKES: "with", Held.FOR: "for", Held.BEGINS: "beginning"}
_SIGNS = {"<": "below", "<=": "at most", ">": "above", ">=": "from"}


def in_words(clause: Clause) -> str:
    """A clause as a few words for a reader: "eGFR below 30", "with a pacemaker" is left as it stands."""
    match clause:
        case ValueClause(value, sign, limit):
            return f"{value}{sign}{limit:g}"
        case StageClause(stages):
            return " or ".join(sorted(stages))
        case PastClause():
            return "history of"
        case AlsoClause(where):
            return "planned" if where == PLANNED else "in the family"
        case TurnClause():
            return "one ends as the other begins"
        case HeldClause(how, _, names):
            return f"{_HELD[how]} {' or '.join(names)}"
        case DoseClause(sign, limit, unit, period):
            return f"{_SIGNS[sign]} {limit:g} {unit} a {period}"
        case RouteClause(routes):
            return " or ".join(sorted(routes))
        case SexClause(sex):
            return "women" if sex == "female" else "men"
        case PersonClause(kind):
            return kind
        case SettingClause(setting):
            return f"as an {setting}"


def condition_in_words(when: Collection[Clause], unless: Collection[Clause]) -> str:
    """When a row holds, in words; empty where it always does: "eGFR<30", "severe, unless with pacemaker"."""
    parts = [", ".join(in_words(one) for one in when)]
    parts += [f"unless {' or '.join(in_words(one) for one in unless)}"] if unless else []
    return ", ".join(part for part in parts if part)
