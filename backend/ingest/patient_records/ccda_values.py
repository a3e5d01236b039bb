"""Values of C-CDA entries: templates, codes, words with their reference into the narrative, times, amounts."""

from collections.abc import Iterator, Mapping
from xml.etree.ElementTree import Element

from backend.ingest.clinical_notes.ccda import child, iso_time
from backend.ingest.documents.safe_xml import inner_text, local
from backend.ingest.patient_records.clinical_drugs import plain_unit
from backend.ingest.patient_records.code_tables import value_of
from backend.ingest.patient_records.imported_statements import number_text
from backend.ingest.patient_records.timings import ImportedTiming, timing_of_events, timing_of_period

_TYPE = "{http://www.w3.org/2001/XMLSchema-instance}type"


def template_of(element: Element) -> str:
    """The known template of an entry (a value of the field `template` of the codes); empty without one."""
    return value_of("template", [one.get("root", "") for one in element if local(one.tag) == "templateId"])


def within(element: Element, template: str) -> Iterator[Element]:
    """The elements within one that have a template."""
    return (one for one in element.iter() if one is not element and template_of(one) == template)


def path(element: Element | None, *tags: str) -> Element | None:
    """The first child's first child, by tags."""
    for tag in tags:
        element = child(element, tag) if element is not None else None
    return element


def codes_of(element: Element | None) -> list[str]:
    """The code of a coded element and of its translations."""
    if element is None:
        return []
    held = [element, *(one for one in element if local(one.tag) == "translation")]
    return [code for one in held if (code := one.get("code"))]


def words_of(element: Element | None, by_id: Mapping[str, Element]) -> str:
    """What a coded element says: its display, else the words that it refers to, else a translation's display."""
    if element is None:
        return ""
    shown = [one.get("displayName", "") for one in element if local(one.tag) == "translation"]
    texts = (element.get("displayName", ""), referred(child(element, "originalText"), by_id), *shown)
    return next((" ".join(words.split()) for words in texts if words.strip()), "")


def referred(element: Element | None, by_id: Mapping[str, Element]) -> str:
    """The words of the narrative that an originalText or text refers to, else its own."""
    if element is None:
        return ""
    reference = child(element, "reference")
    target = by_id.get(reference.get("value", "").removeprefix("#")) if reference is not None else None
    return " ".join(inner_text(target if target is not None else element).split())


def negated(element: Element) -> bool:
    """Whether an entry says that it is not so."""
    return element.get("negationInd") == "true"


def day(element: Element | None) -> str:
    """The day, month or year of a time; empty for less than a year."""
    value = element.get("value", "") if element is not None else ""
    if known := iso_time(element):
        return known[:10]
    month = f"{value[:4]}-{value[4:6]}" if len(value) == 6 else ""
    return month or value if value.isdigit() and len(value) in (4, 6) else ""


def low_day(element: Element | None) -> str:
    """The day on which an entry's effective time begins, or that it is."""
    time = path(element, "effectiveTime")
    return day(path(time, "low")) or day(time)


def has_ended(element: Element) -> bool:
    """Whether an entry's effective time has an end."""
    return bool(day(path(element, "effectiveTime", "high")))


def amount(element: Element | None) -> tuple[float | None, str]:
    """A quantity's value and unit."""
    if element is None:
        return None, ""
    unit = element.get("unit", "")
    value, translation = number(element.get("value")), child(element, "translation")
    if value is None and translation is not None:  # a unit outside UCUM stands in its own words
        return number(translation.get("value")), " ".join(inner_text(child(translation, "originalText")).split())
    return value, "" if unit == "1" else plain_unit(unit)


def number(text: str | None) -> float | None:
    """A number as XML has it; None for what is none."""
    try:
        return float(text) if text else None
    except ValueError:
        return None


def measured(element: Element | None, by_id: Mapping[str, Element]) -> tuple[float | None, str, str]:
    """An observation's value as number, text and unit: a quantity, a range with one end (< 5), a code or words."""
    if element is None:
        return None, "", ""
    value, unit = amount(element)
    if value is not None:
        return value, number_text(value), unit
    low, high = amount(child(element, "low")), amount(child(element, "high"))
    if high[0] is not None and low[0] is None:
        return None, f"<{number_text(high[0])}", high[1]
    if low[0] is not None and high[0] is None:
        return None, f">{number_text(low[0])}", low[1]
    if low[0] is not None and high[0] is not None:
        return None, f"{number_text(low[0])}-{number_text(high[0])}", low[1]
    return None, words_of(element, by_id) or " ".join(inner_text(element).split()), ""


def timing(element: Element) -> ImportedTiming:
    """How often a medicine is taken: by a period or an event of its effective times; once where it has one moment."""
    times = [one for one in element if local(one.tag) == "effectiveTime"]
    for time in times:
        event, period = child(time, "event"), child(time, "period")
        if event is not None and (found := timing_of_events([event.get("code", "")])).code:
            return found
        if period is None:
            continue
        low, unit = amount(period)
        ends = amount(child(period, "low")), amount(child(period, "high"))
        low, unit = (low, unit) if low is not None else ends[0]
        if low is not None:
            return timing_of_period(low, ends[1][0], unit, time.get("institutionSpecified") == "true")
    once = len(times) == 1 and times[0].get("value") and times[0].get(_TYPE, "TS") == "TS"
    return ImportedTiming("ONCE") if once else ImportedTiming()
