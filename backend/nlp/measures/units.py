"""Units of measure and words for numbers, each counted in one unit of its kind; months and pounds are kinds of their own."""

_SMALL = "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen"
NUMBER_WORDS = {word: n for n, word in enumerate(_SMALL.split(), start=2)}
NUMBER_WORDS |= {
    word: n * 10
    for n, word in enumerate(["twenty", "thirty", "forty", "fifty", "sixty", "seventy", "eighty", "ninety"], start=2)
}
NUMBER_WORDS |= {"one": 1, "a": 1, "an": 1}
HOURS, MONTHS = "hours", "months"
# unit as written, in lower case -> the unit it is counted in, and how many of those it is
UNITS: dict[str, tuple[str, float]] = {
    **dict.fromkeys(("mg", "mgs", "milligram", "milligrams"), ("mg", 1.0)),
    **dict.fromkeys(("g", "gm", "gms", "gram", "grams"), ("mg", 1000.0)),
    **dict.fromkeys(("mcg", "µg", "μg", "ug", "microgram", "micrograms"), ("mg", 0.001)),
    **dict.fromkeys(("kg", "kgs", "kilo", "kilos", "kilogram", "kilograms"), ("kg", 1.0)),
    **dict.fromkeys(("lb", "lbs", "pound", "pounds"), ("pounds", 1.0)),
    **dict.fromkeys(("ml", "mls", "cc", "ccs", "milliliter", "milliliters", "millilitre", "millilitres"), ("ml", 1.0)),
    **dict.fromkeys(("l", "liter", "liters", "litre", "litres"), ("ml", 1000.0)),
    **dict.fromkeys(("unit", "units", "iu"), ("units", 1.0)),
    **dict.fromkeys(("meq", "meqs"), ("mEq", 1.0)),
    **dict.fromkeys(("mmol",), ("mmol", 1.0)),
    **dict.fromkeys(("mmhg",), ("mmHg", 1.0)),
    **dict.fromkeys(("bpm",), ("bpm", 1.0)),
    **dict.fromkeys(("%", "percent", "per cent"), ("%", 1.0)),
    **dict.fromkeys(("°c", "celsius"), ("°C", 1.0)),
    **dict.fromkeys(("°f", "fahrenheit"), ("°F", 1.0)),
    **dict.fromkeys(("mm", "millimeter", "millimeters"), ("mm", 1.0)),
    **dict.fromkeys(("cm", "centimeter", "centimeters", "centimetre", "centimetres"), ("mm", 10.0)),
    **dict.fromkeys(("inch", "inches"), ("inches", 1.0)),
    **dict.fromkeys(("foot", "feet", "ft"), ("feet", 1.0)),
    **dict.fromkeys(("tablet", "tablets", "tab", "tabs", "pill", "pills", "capsule", "capsules"), ("tablets", 1.0)),
    **dict.fromkeys(("puff", "puffs"), ("puffs", 1.0)),
    **dict.fromkeys(("drop", "drops"), ("drops", 1.0)),
    **dict.fromkeys(("min", "mins", "minute", "minutes"), (HOURS, 1 / 60)),
    **dict.fromkeys(("h", "hr", "hrs", "hour", "hours"), (HOURS, 1.0)),
    **dict.fromkeys(("d", "day", "days"), (HOURS, 24.0)),
    **dict.fromkeys(("wk", "wks", "week", "weeks"), (HOURS, 168.0)),
    **dict.fromkeys(("mo", "mos", "month", "months"), (MONTHS, 1.0)),
    **dict.fromkeys(("y", "yr", "yrs", "year", "years"), (MONTHS, 12.0)),
    **dict.fromkeys(("pack", "packs"), ("packs", 1.0)),
    **dict.fromkeys(("time", "times"), ("times", 1.0)),
}
DOSED = frozenset({"mg", "ml", "units", "mEq", "mmol", "tablets", "puffs", "drops"})
"""Units that may not be added to a bare number: 40 is not 40 mg."""
UK = {"7": (HOURS, 24.0), "52": (HOURS, 168.0), "12": (MONTHS, 1.0)}


def number_of(text: str, scale: float = 1.0) -> str:
    """One spelling of a number: three, 3 and 3.0 are the same."""
    word = text.lower().strip()
    value = float(NUMBER_WORDS[word]) if word in NUMBER_WORDS else float(word.replace(",", "") or 0)
    return f"{value * scale:.6g}"
