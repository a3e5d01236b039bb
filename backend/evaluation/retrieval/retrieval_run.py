"""`evaluate retrieval` from files: opens the sources, reads the test set, builds what is compared, and keeps the result."""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.errors import InputError
from backend.evaluation.reports.evaluation_run import Run, RunOptions, caveats_of
from backend.evaluation.reports.journal import file_sha256, run_key
from backend.evaluation.reports.run_identity import identity
from backend.evaluation.reports.varied import containers, read_variations
from backend.evaluation.retrieval.finders import (
    OURS,
    PLAIN,
    Finder,
    KeptQueries,
    SystemFinder,
    compared_system,
    search_finder,
)
from backend.evaluation.retrieval.qrels import read_run, write_qrels, write_run
from backend.evaluation.retrieval.retrieval_evaluation import RetrievalSettings, run_retrieval
from backend.evaluation.retrieval.test_sets import PUBLISHED, Half, RetrievalSet, Unit, judged_set
from backend.retrieval.passages.learned_ranker import CARD, read_weights
from backend.retrieval.passages.passage_features import FEATURES
from backend.retrieval.passages.ranker import PassageRanker
from backend.retrieval.passages.source_search import IndexedSearch
from backend.schemas.evaluation_results import DataCard, Result, ResultKind
from backend.schemas.vocabulary import Source
from backend.stores.passages.collections import Collection
from backend.stores.passages.passage_index import PassageRow
from backend.stores.passages.stored_sources import StoredSource

PACKAGES = ("ir_measures", "pytrec-eval-terrier")


class RetrievalOptions(NamedTuple):
    """What an evaluation of retrieval reads and compares.

    Attributes:
        kind: a published set; empty for queries with judgements.
        data: the set's file or folder, or the queries.
        run: what all evaluations share.
        qrels: the judgements of the queries.
        unit: passages or documents; by the judgements' ids where it is None.
        compared: plain searches, hybrid, rankings, systems; empty for all plain ones and hybrid.
        runs: TREC files by name.
        sources: those searched; empty for those that hold what is judged.
        varied: NAME=a,b each: a setting's values, each of them one more of every one that is compared.
    """

    kind: str
    data: Path
    run: RunOptions
    qrels: Path | None = None
    unit: Unit | None = None
    compared: tuple[str, ...] = ()
    runs: tuple[tuple[str, Path], ...] = ()
    sources: tuple[Source, ...] = ()
    depth: int = 20
    baseline: str = ""
    half: Half | None = None
    varied: tuple[str, ...] = ()


class Library:
    """The imported documents, by their ids."""

    def __init__(self, sources: Mapping[Source, StoredSource]) -> None:
        self._collections = [
            (source, collection)
            for source, held in sources.items()
            for collection in held.text_collections
            if isinstance(collection, Collection)
        ]

    def of_document(self, document_id: str) -> list[PassageRow]:
        """All passages of a document, in order; none for an id that is not here."""
        return [row for _, collection in self._collections for row in collection.table.of_document(document_id)]

    def holding(self, document_ids: Sequence[str]) -> tuple[Source, ...]:
        """The sources that hold any of the documents."""
        found = {
            source: None
            for source, collection in self._collections
            if any(collection.table.of_document(one) for one in document_ids)
        }
        return tuple(found)


def evaluate_retrieval(container: Container, options: RetrievalOptions) -> tuple[Result, Path]:
    """The result and its folder. Raises NotFoundError, MissingError or InputError for options that do not fit."""
    if not 1 <= options.depth <= 1000:
        raise InputError(f"--depth {options.depth} is outside 1 to 1000.")
    library = Library(container.sources)
    whole = _set(options, library)
    halved = whole.half(options.half) if options.half else whole
    chosen = halved.only(options.run.chosen(list(halved.queries)))
    sources = options.sources or library.holding(_documents(chosen)) or tuple(container.sources)
    queries = KeptQueries(container.encoder.encode_queries)
    finders = [
        _finder(own, name, queries if own.encoder is container.encoder else None, sources, options.run.seed, label)
        for label, own in containers(container, read_variations(options.varied, container.settings))
        for name in options.compared or (*PLAIN, OURS)
    ]
    others = {name: read_run(path) for name, path in options.runs}
    settings = RetrievalSettings(options.depth, options.baseline, options.run.resamples, options.run.seed)
    state = [f"{source.value} {len(container.sources[source])}" for source in sources if source in container.sources]
    run = Run(
        ResultKind.RETRIEVAL,
        options.run,
        {
            "set": options.kind,
            "compared": [finder.name for finder in finders],
            "runs": sorted(others),
            "sources": [source.value for source in sources],
            "depth": options.depth,
            "baseline": options.baseline,
            "unit": chosen.unit.value,
            "half": options.half.value if options.half else "",
            "weights": dict(zip(FEATURES, read_weights(CARD).values, strict=True)),
        },
        {
            "data": _hash(options.data),
            "qrels": file_sha256(options.qrels) if options.qrels else "",
            "runs": {name: file_sha256(path) for name, path in options.runs},
            "sources": [*state, *container.sources.state],
        },
        {**container.versions, **{package: version(package) for package in PACKAGES}},
        identity(container, ("",)),
    )
    found = run_retrieval(chosen, finders, queries, settings, run.journal, run.key, others, options.run.progress)
    card = DataCard(
        name=options.data.name,
        sha256=_hash(options.data),
        split=f"{options.half.value} half of the topics" if options.half else "",
        items=len(chosen.queries),
        left_out=chosen.left_out,
    )
    write_qrels(run.folder / "qrels.txt", chosen.qrels)
    for name, ranked in found.runs.items():
        write_run(run.folder / "runs" / f"{name.replace('/', '_')}.run", name, ranked)
    result = run.keep(
        data=card,
        graph=container.graph.fingerprint,
        systems={finder.name: finder.what for finder in finders} | dict.fromkeys(others, "a run from a file"),
        measures=found.measures,
        figures=found.figures,
        differences=found.differences,
        not_available=found.not_available,
        caveats=(
            *caveats_of(card),
            *chosen.caveats,
            f"Searched: {', '.join(state) or 'nothing'} passages; judged: {chosen.unit.value}s.",
            "A system's time holds the question's vector, as a search's does. What is built once is there before, each question draws the "
            "order of what is compared, and a system finds nothing kept of the question.",
            *found.captions,
        ),
        charts=found.charts,
    )
    return result, run.folder


def _set(options: RetrievalOptions, library: Library) -> RetrievalSet:
    if options.kind in PUBLISHED:
        return PUBLISHED[options.kind](options.data, library.of_document)
    if options.qrels is None:
        raise InputError("Queries need judgements. Give them with --qrels FILE (TREC: query 0 document grade).")
    return judged_set(options.data, options.qrels, options.unit)


def _documents(chosen: RetrievalSet) -> list[str]:
    """The documents that are judged relevant, the first hundred of them: enough to tell where they lie."""
    ids = [one for grades in chosen.qrels.values() for one, grade in grades.items() if grade > 0]
    return list(dict.fromkeys(one.rsplit("#", 1)[0] if chosen.unit == Unit.PASSAGE else one for one in ids))[:100]


def _finder(
    container: Container, name: str, queries: KeptQueries | None, sources: Sequence[Source], seed: int, label: str
) -> Finder:
    """What is compared under a name, by the settings of a container; without kept queries it encodes within its own time."""

    def made(ranker: PassageRanker) -> IndexedSearch:
        return IndexedSearch(container.sources, queries or container.encoder.encode_queries, ranker)

    found = search_finder(name, made, sources)
    if found is not None:
        found.name, found.encodes = f"{name}{label}", found.encodes and queries is not None
        return found
    pipeline = container.pipeline(name, sources=tuple(sources))
    return SystemFinder(name, compared_system(name).what, pipeline, seed, label, container.forget_notes)


def _hash(path: Path) -> str:
    """sha256 of a file; of a folder that of its JSON files."""
    if path.is_dir():
        return run_key(files={str(file.relative_to(path)): file_sha256(file) for file in sorted(path.rglob("*.json"))})
    if not path.is_file():
        raise InputError(f"There is no file {path.name!r}. Name the test set after --from.")
    return file_sha256(path)
