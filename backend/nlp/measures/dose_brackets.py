"""What a bracket beside a dose says: the dose in another way, the volume that holds it, or the dose that was taken before.

"15 mg (six 2.5 mg tabs) on Sundays" is 15 mg once a week, "210 mg (4.2 mL) twice a day" 210 mg, "5 mg (was 2.5 mg) daily" 5 mg a day.
"""

import math
from collections.abc import Sequence
from typing import NamedTuple

from backend.nlp.document.parsed_note import ParsedNote
from backend.nlp.measures.amounts import Amounts
from backend.nlp.measures.open_dosage import OpenDosage
from backend.nlp.measures.units import Unit, unit_of
from backend.nlp.rules.word_lists import word_lists

BRACKET = 10
"""Words of a bracket beside a dose at most."""
_SAME = 0.01
"""By what share two ways to say a dose may differ."""
_VOLUME = "mL"


class _Told(NamedTuple):
    first: int
    value: float
    unit: Unit
    per: str


def read_bracket(note: ParsedNote, amounts: Amounts, dosage: OpenDosage, first: int, close: int) -> OpenDosage | None:
    """What a bracket says of the open dosage, written into it; None where it says something else.

    Args:
        note: the parsed note.
        amounts: reads its numbers.
        dosage: the open one.
        first: the token of the opening bracket.
        close: that of the closing one.

    Returns:
        The dosage of before where the bracket tells it, else the open one.
    """
    unit = unit_of(str(dosage.values.get("unit", "")).lower())
    if unit is None:
        return None
    counts, doses = [1.0], list[_Told]()
    j = first + 1
    while j < close:
        strength = amounts.strength(j, dosed=True)
        if strength > j:
            dosage.values.setdefault("strength", note.written(j, strength))
            j = strength
            continue
        value, _, _, at = amounts.values(j)
        inner, per = amounts.unit(at) if value is not None else (None, "")
        if value is not None and inner is not None and inner.kind == "dose":
            doses.append(_Told(j, value, inner, per))
        elif value is not None:
            counts.append(value)
        j = max(j + 1, amounts.token_at(amounts.unit_end(at))) if value is not None else j + 1
    alike = [one for one in doses if one.unit.counted_in == unit.counted_in and one.per != "kg"]
    others = [one for one in doses if one.unit.counted_in != unit.counted_in and not one.per]
    if len(alike) == 1 and note.words[first + 1] in word_lists("measures/words_dosage")["former"]:
        before = OpenDosage(before_change=True)
        before.add(alike[0].first, close, dose=alike[0].value, unit=alike[0].unit.name)
        return before
    if not alike and len(others) == 1 and _VOLUME in (unit.name, others[0].unit.name):
        _with_volume(dosage, others[0])
        return dosage
    told = "strength" in dosage.values or (bool(doses) and not alike and not others)
    return dosage if told or _is_same(dosage, unit, [one.value * one.unit.factor for one in alike], counts) else None


def _with_volume(dosage: OpenDosage, told: _Told) -> None:
    """The dose by weight, and how many millilitres hold it: "3 mL (75 mg)"."""
    if told.unit.name == _VOLUME:
        dosage.values["volume"] = told.value
        return
    high = dosage.values.pop("dose_high", None)
    if high is None:
        dosage.values["volume"] = dosage.values["dose"]
    dosage.values.update(dose=told.value, unit=told.unit.name)


def _is_same(dosage: OpenDosage, unit: Unit, doses: Sequence[float], counts: Sequence[float]) -> bool:
    """Whether the open dose is one of these, some number of times."""
    dose, quantity = dosage.values.get("dose"), dosage.values.get("quantity")
    told = [float(str(dose)) * unit.factor * times for times in (1.0, float(str(quantity or 1)))]
    said = [one * times for one in doses for times in counts]
    return any(math.isclose(one, other, rel_tol=_SAME) for one in told for other in said)
