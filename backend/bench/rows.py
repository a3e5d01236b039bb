"""The table of benchmark rows: name, target, and where the measuring function is. Data, one entry each."""

from importlib import import_module
from typing import NamedTuple, cast

from backend.bench.measuring import BenchRow, Measured, load, machine, median, p95
from backend.errors import NotFoundError


class Row(NamedTuple):
    """target_ms is the target in docs/architecture.md, of the median; function is `module:name`, taking a peer interpreter or None.

    browser: it needs one, and is left out of a run of all rows where there is none.
    """

    name: str
    target_ms: float
    function: str
    what: str
    browser: bool = False


WORKSPACE = "backend.bench.serving.workspace"
ROWS: tuple[Row, ...] = (
    Row("link", 10, "backend.bench.notes.linking_speed:link", "link a 500-word note, starter knowledge"),
    Row("link-large", 30, "backend.bench.notes.linking_speed:link_large", "link a 500-word note, 780,000 names"),
    Row("record", 8, "backend.bench.notes.record_speed:record", "a 500-word note to its whole record"),
    Row("record-large", 12, "backend.bench.notes.record_speed:record_large", "the same with 780,000 names"),
    Row("bm25", 2, "backend.bench.search.lexical:bm25", "BM25 top 32 over 200,000 passages"),
    Row(
        "plan-large",
        150,
        "backend.bench.search.plan_large:plan_large",
        "a plan's 15 queries, hybrid, over 200,000 passages",
    ),
    Row("plan-large-chroma", 150, "backend.bench.search.plan_large:plan_large_chroma", "the same by Chroma's index"),
    Row(
        "evidence", 250, "backend.bench.notes.draft_speed:evidence", "the whole evidence for a note, starter knowledge"
    ),
    Row("draft", 150, "backend.bench.notes.draft_speed:draft", "a composed draft with verification, from its evidence"),
    Row(
        "paths-large",
        10,
        "backend.bench.graph.paths_large:paths_large",
        "a note's paths, 443,000 concepts, policy included",
    ),
    Row(
        "gro",
        480,
        "backend.bench.graph.gro_speed:gro",
        "a training batch of 480 rollouts, exploring (1,000 rollouts/s)",
    ),
    Row(
        "load",
        3_000,
        "backend.bench.serving.clinicians:clinicians",
        "a draft while 20 clinicians work; the target is the p95",
    ),
    Row(
        "streams",
        210,
        "backend.bench.serving.streams:streams",
        "16 drafts at once over one model: evidence to first words",
    ),
    Row("start", 6_000, "backend.bench.serving.starting:start", "from `up` to both ports ready"),
    Row("cold", 3_000, "backend.bench.serving.starting:cold", "`draft NOTE` by a process of its own"),
    Row("edit", 200, f"{WORKSPACE}:edit", "an edit in the workspace to the redrawn letter", browser=True),
    Row("redraft", 500, f"{WORKSPACE}:redraft", "the same with retrieval: a problem confirmed", browser=True),
    Row(
        "letter",
        10_000,
        f"{WORKSPACE}:letter",
        "from the pasted note to the signed letter, a script's hand",
        browser=True,
    ),
)


def row(name: str) -> Row:
    """The entry of a name. Raises NotFoundError that lists the names there are."""
    for entry in ROWS:
        if entry.name == name:
            return entry
    known = ", ".join([*(entry.name for entry in ROWS), "fusion"])
    raise NotFoundError(f"There is no benchmark {name!r}. Choose from: {known}")


def measure(name: str, peer_python: str | None = None) -> BenchRow:
    """Run one row in this process. peer_python: an interpreter that has the row's peer installed."""
    entry = row(name)
    before = load()
    module, function = entry.function.split(":")
    found = cast(Measured, getattr(import_module(module), function)(peer_python))
    return BenchRow(
        name=name,
        n=len(found.times_ms),
        median_ms=median(found.times_ms),
        p95_ms=p95(found.times_ms),
        rss_mb=found.rss_mb,
        target_ms=entry.target_ms,
        cpu_ms=median(found.cpu_ms) if found.cpu_ms else None,
        peer=found.peer,
        peer_reason=found.peer_reason,
        build_s=found.build_s,
        about=found.about,
        stages_ms=found.stages_ms,
        counts=found.counts,
        machine=machine(),
        load=before,
    )
