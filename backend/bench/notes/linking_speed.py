"""link and link-large: the dictionary linker on synthetic 500-word notes, each linked once.

The linker is used without the cache of the running service, so that no time is that of a look-up.
"""

import time

from backend.bench.measuring import Measured, rss_mb, timed
from backend.bench.notes.synthetic_texts import large_vocabulary, notes
from backend.bench.peers import run_peer
from backend.container import Container, freeze_loaded
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.lexicon.plain_names import with_plain_names
from backend.settings import settings

NOTES, WARM = 200, 20
PEER_NOTES = 40
LARGE = 780_000


def link(peer_python: str | None) -> Measured:
    """Starter knowledge; peer: medspaCy with the same names, where an interpreter has it."""
    import sys

    container = Container(settings())
    concepts = list(container.graph.concepts)
    start = time.perf_counter()
    linker = DictionaryLinker(with_plain_names(concepts), container.graph.neighbour_ids)
    built = time.perf_counter() - start
    freeze_loaded()  # as the service does once it is warm
    texts = notes(concepts, NOTES + WARM)
    warm, timed_texts = texts[:WARM], texts[WARM:]
    timed(linker.link, warm)
    times = timed(linker.link, timed_texts)
    memory = rss_mb()
    names = [(name, row.category.upper()) for row in concepts for name in (row.name, *row.synonyms)]
    task = {"names": names, "warm": warm[:2], "notes": timed_texts[:PEER_NOTES]}
    peer, reason = run_peer("medspaCy", peer_python or sys.executable, "notes/medspacy_link.py", task)
    return Measured(
        times_ms=times.wall,
        cpu_ms=times.cpu,
        rss_mb=memory,
        build_s=round(built, 2),
        about=f"one synthetic note of 500 words; {len(names):,} names of {len(concepts):,} concepts",
        peer=peer,
        peer_reason=reason,
    )


def link_large(peer_python: str | None) -> Measured:
    """780,000 names; no peer: medspaCy's matcher is not made for this many rules."""
    container = Container(settings())
    concepts = list(container.graph.concepts)
    rows = large_vocabulary(concepts, LARGE)
    start = time.perf_counter()
    linker = DictionaryLinker(rows)
    built = time.perf_counter() - start
    freeze_loaded()  # as the service does once it is warm
    texts = notes(concepts, NOTES + WARM)
    timed(linker.link, texts[:WARM])
    times = timed(linker.link, texts[WARM:])
    return Measured(
        times_ms=times.wall,
        cpu_ms=times.cpu,
        rss_mb=rss_mb(),
        build_s=round(built, 2),
        about=f"one synthetic note of 500 words; {len(linker.index):,} filed forms of {LARGE:,} names, {len(rows):,} concepts",
        peer_reason="medspaCy's matcher is compared on the starter knowledge only",
    )
