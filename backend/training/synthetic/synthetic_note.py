"""Write the pre-admission note of a synthetic patient: allergies, chief complaint, history of present illness."""

import random
import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from backend.training.synthetic.phrases import spread
from backend.training.synthetic.scenario_library import Frames, Library, Style, Vitals
from backend.training.synthetic.synthetic_patient import Patient, Voice, capital

_LAYOUTS = ("three sections", "three sections", "past history apart", "all apart")
_LISTED_IN_OPENING = 6


class _Story(NamedTuple):
    """The pieces of a note before they are laid out. listed: past history; medicines: those taken at home."""

    opening: str
    hpi: str
    listed: tuple[str, ...]
    medicines: tuple[str, ...]
    arrival: str
    results: str


def write_note(library: Library, patient: Patient, voice: Voice) -> str:
    """The note's text, in one of the styles and layouts of frames.toml."""
    rng, frames = voice.rng, library.frames
    style = rng.choices(frames.styles, [style.weight for style in frames.styles])[0]
    layout = rng.choice(_LAYOUTS)
    allergies = [voice.pick(allergy.lines) for allergy in patient.allergies]
    allergy_text = ", ".join(allergies) or voice.pick(frames.texts["no_allergies"])
    complaint = voice.pick(patient.scenario.complaint)
    story = _story(library, patient, voice, style, complaint)
    sections = [
        ("allergies_head", allergy_text),
        ("complaint_head", complaint),
        *(
            (head, _shortened(text, frames, style.abbreviate, rng))
            for head, text in _laid_out(story, layout, voice, frames)
        ),
    ]
    return "\n\n".join(f"{voice.pick(frames.texts[head])}\n{text}" for head, text in sections if text)


def listing(items: Iterable[str], word: str = "and") -> str:
    """`a`, `a and b`, `a, b, and c`; empty for none."""
    *rest, last = [*items] or [""]
    return f"{', '.join(rest)}{',' if len(rest) > 1 else ''} {word} {last}" if rest else last


def _story(library: Library, patient: Patient, voice: Voice, style: Style, complaint: str) -> _Story:
    scenario, rng = patient.scenario, voice.rng
    listed = [name for item in patient.comorbidities if item.names and (name := voice.one(item.names))]
    rng.shuffle(listed)
    listed = list(dict.fromkeys(listed))
    presents = voice.pick(scenario.presents)
    openings = style.openings if listed else style.openings_healthy
    opening = voice.pick(openings, pmh=listing(listed[:_LISTED_IN_OPENING]), presents=presents)
    hpi = voice.say_all((*scenario.hpi, *(block for item in patient.comorbidities for block in item.history)))
    written = " ".join((complaint, opening, *hpi)).lower()
    negatives = [
        item
        for item in voice.some(scenario.denies, 2, 6)
        if not any(part in written for part in item.lower().split(" or "))
    ]
    if len(negatives) > 1:
        hpi.append(capital(voice.pick(style.denies, negatives=listing(negatives, "or"))))
    arrival = [_vitals(scenario.vitals, voice, style), *voice.say_all(scenario.exam)]
    results = voice.say_all((*scenario.results, *scenario.treated))
    medicines = _one_of_a_class(
        [text for item in patient.comorbidities for block in item.medicines if (text := voice.say(block))], library
    )
    return _Story(capital(opening), _joined(hpi), tuple(listed), medicines, _joined(arrival), _joined(results))


def _one_of_a_class(medicines: Iterable[str], library: Library) -> tuple[str, ...]:
    """The list without a second medicine of a class, or the same one twice."""
    kept: list[str] = []
    taken: set[str] = set()
    for text in medicines:
        words = set(re.findall(r"[\w-]+", text.lower()))
        marks = {name for name, drugs in library.classes.items() if words & {drug.lower() for drug in drugs}}
        marks.add(text.lower().split()[0])
        if not marks & taken:
            kept.append(text)
            taken |= marks
    return tuple(kept)


def _laid_out(story: _Story, layout: str, voice: Voice, frames: Frames) -> Iterator[tuple[str, str]]:
    """The sections after the chief complaint: the name of the header's pool, and the text."""
    hpi, apart = [story.opening, story.hpi], layout == "all apart"
    if story.medicines and layout == "three sections" and voice.rng.random() < 0.5:
        hpi.append(capital(voice.pick(frames.texts["medicines_sentence"], list=listing(story.medicines))))
    if not apart:
        hpi += [story.arrival, story.results]
    yield "hpi_head", _joined(hpi)
    if layout != "three sections":
        yield "pmh_head", "\n".join(f"- {capital(item)}" for item in story.listed)
        yield "medicines_head", "\n".join(story.medicines)
    if apart:
        yield "exam_head", story.arrival
        yield "results_head", story.results


def _vitals(entries: Iterable[Vitals], voice: Voice, style: Style) -> str:
    vitals = next((entry for entry in entries if entry.when.holds(voice.tags)), None)
    if vitals is None:
        return ""
    rng = voice.rng
    temp = spread(vitals.temp, rng)
    if rng.random() < 0.15:
        temp = f"{(float(temp) - 32) / 1.8:.1f} C"
    bp = "/".join(spread(part, rng) for part in vitals.bp.split("/"))
    saturation, _, how = vitals.spo2.partition(" ")
    spo2 = f"{spread(saturation, rng)}% {how}".strip()
    return capital(
        voice.pick(style.vitals, t=temp, hr=spread(vitals.hr, rng), bp=bp, rr=spread(vitals.rr, rng), spo2=spo2)
    )


def _shortened(text: str, frames: Frames, share: float, rng: random.Random) -> str:
    """Some long forms replaced by short ones; a long form is treated alike throughout one section."""
    for long, forms in frames.short:
        if rng.random() < share:
            end = "" if long.endswith(" ") else r"(?![\w-])"
            text = re.sub(rf"(?<![\w-]){re.escape(long)}{end}", rng.choice(forms), text)
    return text


def _joined(parts: Iterable[str]) -> str:
    return " ".join(filter(None, parts))
