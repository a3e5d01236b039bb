"""`evaluate linking` from a file: the loaded linker against its labels, and the result."""

from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.evaluation.reading.labelled_texts import read_labelled
from backend.evaluation.reading.linking_evaluation import (
    MEASURES,
    SYSTEM,
    LinkingSettings,
    labelled_groups,
    run_linking,
)
from backend.evaluation.reports.evaluation_run import FEW, Run, RunOptions
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.run_identity import identity
from backend.schemas.evaluation_results import DataCard, Result, ResultKind
from backend.schemas.vocabulary import SemanticGroup


class LinkingOptions(NamedTuple):
    """groups: the semantic groups that count; none for those the file labels."""

    data: Path
    run: RunOptions
    groups: tuple[SemanticGroup, ...] = ()


def evaluate_linking(container: Container, options: LinkingOptions) -> tuple[Result, Path]:
    """The result and its folder. Raises InputError for a file that holds no labelled text."""
    texts = options.run.chosen(read_labelled(options.data))
    groups = options.groups or labelled_groups(texts)
    names = {name.lower() for row in container.graph.concepts for name in (row.name, *row.synonyms)}
    settings = LinkingSettings(groups, options.run.resamples, options.run.seed)
    counted = "all" if groups is None else [group.value for group in groups]
    run = Run(
        ResultKind.LINKING,
        options.run,
        {"groups": counted},
        {"data": file_sha256(options.data), "graph": container.graph.fingerprint},
        container.versions,
        identity(container, ()),
    )
    found = run_linking(
        texts,
        container.linker,
        settings,
        lambda words: " ".join(words.lower().split()) in names,
        container.graph.index.__contains__,
        options.run.progress,
    )
    caveats = []
    if found.n < FEW:
        caveats.append(f"Only {found.n} texts: the intervals are rough.")
    if groups is not None:
        caveats.append(f"Only mentions of {', '.join(counted)} count.")
    caveats.append("A label whose name the graph does not hold cannot be found; known_recall leaves those out.")
    result = run.keep(
        data=DataCard(name=options.data.name, sha256=file_sha256(options.data), items=found.n, left_out=found.left_out),
        graph=container.graph.fingerprint,
        systems={SYSTEM: "the linker, pooled over all texts; after a colon, one assertion"},
        measures=MEASURES,
        figures=found.figures,
        caveats=tuple(caveats),
        charts=found.charts,
    )
    return result, run.folder
