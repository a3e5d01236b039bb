"""record and record-large: a note to its whole patient record, and what each stage of it takes.

Notes are the clinic notes of the open data, where they are there, else synthetic ones. Each is read several times and its
best time counts, for a note of 500 words. The peer is a floor: one regular expression over the same text, in the same process
and between the same readings, so that times of a busy machine can be compared by their ratio to it.
"""

import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial

from backend.bench.measuring import Measured, Peer, data_folder, median, p95, rss_mb
from backend.bench.notes.synthetic_texts import NOTE_WORDS, large_vocabulary, notes
from backend.container import Container, freeze_loaded
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.attributes.seam import AttributesOf
from backend.nlp.document.parsed_note import ParsedNote, parse_note
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.findings.measured.observations import observation_statements
from backend.nlp.findings.problems import problem_statements
from backend.nlp.lexicon.plain_names import with_plain_names
from backend.nlp.medications.statements import medication_statements
from backend.nlp.people.encounter import encounter_statement
from backend.nlp.people.person import person_statement
from backend.nlp.people.social import social_statements
from backend.nlp.procedures.plan_statements import plan_statements
from backend.nlp.procedures.procedures import procedure_statements
from backend.schemas.drafts.note import Mention
from backend.settings import settings

PASSES, LEAST_WORDS, SYNTHETIC = 7, 150, 40
LARGE = 780_000
_FLOOR = re.compile(r"\w+|[^\w\s]")
_FLOOR_TIMES = 20
"""The floor is run so many times on end, since one run is too short to be timed well."""
_KINDS: dict[str, Callable[[ParsedNote, Sequence[Mention], AttributesOf], object]] = {
    "person": person_statement,
    "encounter": encounter_statement,
    "social": social_statements,
    "problems": lambda note, mentions, attributes_of: problem_statements(note, mentions, attributes_of, lambda _: None),
    "medications": medication_statements,
    "procedures": procedure_statements,
    "observations": observation_statements,
    "plan": plan_statements,
}


def record(_: str | None) -> Measured:
    """Starter knowledge."""
    container = Container(settings())
    linker = DictionaryLinker(with_plain_names(list(container.graph.concepts)), container.graph.neighbour_ids)
    return _measured(linker, _texts(container))


def record_large(_: str | None) -> Measured:
    """780,000 names."""
    container = Container(settings())
    return _measured(DictionaryLinker(large_vocabulary(list(container.graph.concepts), LARGE)), _texts(container))


def _texts(container: Container) -> Sequence[str]:
    paths = sorted((data_folder() / "clinic_notes" / "more").glob("*.txt"))
    texts = [text for path in paths if len((text := path.read_text(encoding="utf-8")).split()) >= LEAST_WORDS]
    return texts or notes(list(container.graph.concepts), SYNTHETIC)


def _measured(linker: DictionaryLinker, texts: Sequence[str]) -> Measured:
    for text in texts:
        linker.read(text)
    freeze_loaded()  # as the service does once it is warm
    wall, cpu, floor = [], [], []
    stages: dict[str, list[float]] = {}
    for text in texts:
        scale = 1000 * NOTE_WORDS / len(text.split())
        runs = [_timed(linker, text) for _ in range(PASSES)]
        wall.append(scale * min(run[0] for run in runs))
        cpu.append(scale * min(run[1] for run in runs))
        floor.append(scale * min(run[2] for run in runs))
        staged = [dict(_staged(linker, text)) for _ in range(PASSES)]
        for name in staged[0]:
            stages.setdefault(name, []).append(scale * min(one[name] for one in staged))
    return Measured(
        times_ms=tuple(wall),
        cpu_ms=tuple(cpu),
        rss_mb=rss_mb(),
        about=f"one note, scaled to {NOTE_WORDS} words; best of {PASSES} passes; {len(linker.index):,} filed forms",
        peer=Peer(name="one regular expression", n=len(floor), median_ms=median(floor), p95_ms=p95(floor), rss_mb=None),
        stages_ms={name: round(statistics.fmean(times), 3) for name, times in stages.items()},
    )


def _timed(linker: DictionaryLinker, text: str) -> tuple[float, float, float]:
    """Seconds of one reading on the clock and on the processor, and of the floor on the processor."""
    start, start_cpu = time.perf_counter(), time.thread_time()
    linker.read(text)
    wall, cpu = time.perf_counter() - start, time.thread_time() - start_cpu
    start_cpu = time.thread_time()
    for _ in range(_FLOOR_TIMES):
        _FLOOR.findall(text)
    return wall, cpu, (time.thread_time() - start_cpu) / _FLOOR_TIMES


def _staged(linker: DictionaryLinker, text: str) -> Iterator[tuple[str, float]]:
    """The stages of one reading in order, with the seconds on the processor that each takes."""
    start = time.thread_time()
    note = parse_note(text)
    yield "parse", (done := time.thread_time()) - start
    names = linker.names(note)
    yield "names", (start := time.thread_time()) - done
    read_attributes(note, [(match.start_char, match.end_char) for match, _ in names])
    yield "attributes", (done := time.thread_time()) - start
    mentions = linker.mentions(note, names)
    yield "mentions", (start := time.thread_time()) - done
    mentions = list(linker.linked(note, mentions)[0].note.mentions)
    yield "allergies", time.thread_time() - start
    attributes_of = partial(read_attributes, note)
    for kind, statements in _KINDS.items():
        start = time.thread_time()
        statements(note, mentions, attributes_of)
        yield kind, time.thread_time() - start
