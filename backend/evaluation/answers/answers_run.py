"""`evaluate answers` from files: reads the sets, builds the cells, and keeps the result."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from backend.container import Container
from backend.errors import InputError, MissingError
from backend.evaluation.answers import choice_sets as by_choice
from backend.evaluation.answers import clinical_sets as clinical
from backend.evaluation.answers import long_form_sets as by_length
from backend.evaluation.answers.answer_evaluation import Answered, Answerer, AnswersSettings, run_answers
from backend.evaluation.answers.answer_match import LabelMatcher, chance_accuracies
from backend.evaluation.answers.question_sets import AnswerKind, Question, Reader
from backend.evaluation.reports.cell_use import WARM_QUESTION, WRITTEN_BY, baseline_named, metered, warm_up
from backend.evaluation.reports.evaluation_run import Run, RunOptions, caveats_of, writer_of
from backend.evaluation.reports.failed_items import whole
from backend.evaluation.reports.journal import file_sha256, run_key
from backend.evaluation.reports.run_identity import identity
from backend.evaluation.reports.varied import Variation, read_variations
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.evaluation_results import DataCard, Figure, Result, ResultKind
from backend.schemas.vocabulary import Document, Source
from backend.systems import DEFAULT_SYSTEM, NO_RETRIEVAL, SOURCE_PLAN, all_systems, system

READERS: dict[str, Reader] = {
    "medqa": by_choice.medqa,
    "medmcqa": by_choice.medmcqa,
    "mmlu-med": by_choice.mmlu,
    "pubmedqa": by_choice.pubmedqa,
    "bioasq": by_choice.bioasq,
    "medbullets": by_choice.medbullets,
    "medxpertqa": by_choice.medxpertqa,
    "gpqa": by_choice.gpqa,
    "mirage": by_choice.mirage,
    "jsonl": by_choice.plain,
    "seer": clinical.meds_bench,
    "ddxplus": clinical.ddxplus,
    "mimic-iv-ed": clinical.mimic_ed,
    "meds-bench": clinical.meds_bench,
    "diagnosis": clinical.diagnosis,
    "liveqa": by_length.liveqa,
    "medicationqa": by_length.medicationqa,
    "expertqa-biomed": by_length.expertqa,
}
MOST_THOUGHTS = 8
CHANCE = {
    "guess": "an option or label at random, as it is to be expected",
    "majority": "the commonest right answer of the set, or its commonest place among the options, whatever the question",
}


class AnswersOptions(NamedTuple):
    """data: kind and file of each set. documents, thoughts: values of a sweep; each makes a cell of each system it changes.

    sources: those that may be searched; none given: all of them. withheld: each makes a cell of each system that plans by
    source: planned for, and then not read. varied: NAME=a,b each, any setting that changes a figure.
    """

    data: tuple[tuple[str, Path], ...]
    run: RunOptions
    systems: tuple[str, ...] = (NO_RETRIEVAL, DEFAULT_SYSTEM)
    generators: tuple[str, ...] = ("",)
    documents: tuple[int, ...] = ()
    thoughts: tuple[int, ...] = ()
    baseline: str = ""
    repeats: int = 1
    sources: tuple[Source, ...] = ()
    withheld: tuple[Source, ...] = ()
    varied: tuple[str, ...] = ()


class PipelineAnswerer:
    """Answers by a pipeline. It stops rather than let another generator answer under this one's name."""

    def __init__(
        self, name: str, container: Container, system: str, asked: str, writer: str, sources: Sequence[Source] = ()
    ) -> None:
        """Build the pipeline; the container's models are counted while it answers."""
        self.name = name
        self._container, self._system, self._asked, self._writer = container, system, asked, writer
        self._pipeline = container.pipeline(system, asked, sources)

    def warm(self) -> None:
        """Run once, unmeasured."""
        request = DraftRequest(question=WARM_QUESTION, document=Document.CLINICAL_ANSWER, system=self._system)
        warm_up(self._container, self._pipeline, request, self._asked)

    def answer(self, question: Question, seed: int) -> Answered:
        """The draft's answer to the question, written by the cell's system and generator."""
        request = DraftRequest(
            text=question.note,
            question=question.text,
            options=question.options,
            document=Document.CLINICAL_ANSWER,
            system=self._system,
            generator=self._asked or None,
            seed=seed,
        )
        draft, use = metered(self._container, lambda: whole(self._pipeline.run(request)))
        if draft.generator.name != self._writer:
            raise MissingError(f"{draft.generator.name} wrote in place of {self._writer}: {draft.generator.reason}.")
        return Answered(draft.option, draft.text, len(draft.evidence.passages), draft.uncertainty, use)


def evaluate_answers(container: Container, options: AnswersOptions) -> tuple[Result, Path]:
    """The result and its folder. Raises NotFoundError, MissingError or InputError for options that do not fit."""
    sets = {name: options.run.chosen(read_set(name, path, options.run.seed)) for name, path in options.data}
    if len(sets) != len(options.data) or not sets:
        raise InputError("Give each set once, as --data KIND=FILE; join files of one kind into one.")
    cells = answerers(container, options)
    baseline = _baseline(options.baseline, [cell.name for cell in cells])
    settings = AnswersSettings(baseline, options.repeats, options.run.resamples, options.run.seed)
    hashes = {name: _hash(path) for name, path in options.data}
    run = Run(
        ResultKind.ANSWERS,
        options.run,
        {
            "cells": [cell.name for cell in cells],
            "baseline": baseline,
            "repeats": options.repeats,
            "searched": list(options.sources),
        },
        {"sets": hashes, "graph": container.graph.fingerprint, "sources": list(container.sources.state)},
        container.versions,
        identity(container, options.generators),
    )
    found = run_answers(
        sets,
        cells,
        container.encoder,
        settings,
        run.journal,
        run.key,
        options.run.progress,
        LabelMatcher(container.linker),
    )
    card = DataCard(
        name=", ".join(f"{name}: {path.name}" for name, path in options.data),
        sha256=run_key(**hashes),
        items=sum(map(len, sets.values())),
    )
    result = run.keep(
        data=card,
        graph=container.graph.fingerprint,
        systems={cell.name: system(cell.name.split(WRITTEN_BY)[0].split("@")[0]).what for cell in cells} | CHANCE,
        measures=found.measures,
        figures=(*found.figures, *chance_figures(sets)),
        differences=found.differences,
        not_available=found.not_available,
        caveats=(*caveats_of(card), *_caveats(sets, options, [cell.name for cell in cells]), *found.captions),
        charts=found.charts,
    )
    return result, run.folder


def chance_figures(sets: Mapping[str, Sequence[Question]]) -> list[Figure]:
    """What each set of options or labels gives without reading a question."""
    found = []
    for name, held in sets.items():
        judged = [question for question in held if question.kind != AnswerKind.LONG]
        for row, value in zip(CHANCE, chance_accuracies(judged) if judged else (), strict=False):
            found.append(Figure(system=row, measure=f"accuracy {name}", value=value, n=len(judged)))
    return found


def read_set(kind: str, path: Path, seed: int) -> list[Question]:
    """The questions of a set. Raises InputError for a kind that is none, or a file that is not in its layout."""
    reader = READERS.get(kind)
    if reader is None:
        raise InputError(f"There is no question set {kind!r}. Choose from: {', '.join(READERS)}")
    if not path.exists():
        raise InputError(f"There is no file {path.name!r}. Write --data {kind}=FILE.")
    return reader(path, seed)


def answerers(container: Container, options: AnswersOptions) -> list[Answerer]:
    """Every system with every generator, and once more for each value of a sweep that changes it."""
    if outside := [m for m in options.thoughts if not 1 <= m <= MOST_THOUGHTS]:
        raise InputError(f"{outside[0]} thoughts cannot be swept: 1 to {MOST_THOUGHTS} can.")
    if outside := [k for k in options.documents if not 1 <= k <= 100]:
        raise InputError(f"{outside[0]} documents cannot be swept: 1 to 100 can.")
    made: list[Answerer] = []
    varied = read_variations(options.varied, container.settings)
    for asked in options.generators:
        writer = writer_of(container, asked)
        for name in options.systems:
            entry = system(name)
            variants: list[tuple[str, Callable[[], Container]]] = [("", lambda: container)]
            if entry.retrieves_text:
                variants += [(f"@documents={k}", _documents(container, k)) for k in options.documents]
            if entry.thinks_several_times:
                variants += [(f"@thoughts={m}", _thoughts(container, m)) for m in options.thoughts]
            if entry.strategy == SOURCE_PLAN:
                variants += [(f"@without={source.value}", _without(container, source)) for source in options.withheld]
            variants += [(one.label, _changed(container, one)) for one in varied]
            for suffix, build in variants:
                cell = f"{name}+{writer}{suffix}" if len(options.generators) > 1 else f"{name}{suffix}"
                made.append(PipelineAnswerer(cell, build(), name, asked, writer, options.sources))
    return made


def _documents(container: Container, most: int) -> Callable[[], Container]:
    # clinicalrag's number is what an entity brings from each source (ClinicalRAG Eq. 3), so it counts otherwise
    return lambda: container.changed(rar2_documents=most, passages=most, spo_kept=most, clinicalrag_k=most)


def _changed(container: Container, one: Variation) -> Callable[[], Container]:
    return lambda: container.changed(**{one.name: one.value})


def _thoughts(container: Container, count: int) -> Callable[[], Container]:
    return lambda: container.changed(rar2_thoughts=count)


def _without(container: Container, source: Source) -> Callable[[], Container]:
    return lambda: container.changed(spo_withheld=source.value)


def _baseline(asked: str, cells: Sequence[str]) -> str:
    """The cell that others are compared with: as asked, else no-retrieval where it is one, else none."""
    if asked:
        return baseline_named(asked, cells)
    there = NO_RETRIEVAL in (cell.split(WRITTEN_BY)[0] for cell in cells)
    return baseline_named(NO_RETRIEVAL, cells) if there else ""


def _caveats(sets: dict[str, list[Question]], options: AnswersOptions, cells: Sequence[str]) -> list[str]:
    kinds = {question.kind for held in sets.values() for question in held}
    notices = []
    if AnswerKind.LABEL in kinds:
        notices.append(
            "A free-text diagnosis counts as the label it names first, by its words or a name that the graph has for its concept."
        )
    if AnswerKind.LONG in kinds:
        notices.append(
            "Long answers are compared with a reference by words and vectors; that is no judgement of an expert."
        )
    if options.repeats < 2:
        notices.append("Each question was answered once: no standard deviation over repeats.")
    if options.sources:
        notices.append(
            f"Only these sources were searched: {', '.join(options.sources)}. Planners were told of no other."
        )
    if options.withheld:
        notices.append(
            "Of the cells @without the plan is the whole one; the documents of that source alone are left out."
        )
    counted = [one for name in options.systems if (one := system(name)).documents_of]
    if options.documents:
        notices += [
            f"The number of documents of {one.name} is of {one.documents_of}, within its limit of tokens."
            for one in counted
        ]
    several = [one.name for one in all_systems() if one.thinks_several_times]
    if options.thoughts and not any("@thoughts" in cell for cell in cells):
        notices.append(f"Thoughts were not swept: only {' and '.join(several)} think several times.")
    return notices


def _hash(path: Path) -> str:
    if path.is_dir():
        return run_key(files={str(f.relative_to(path)): file_sha256(f) for f in sorted(path.rglob("*")) if f.is_file()})
    return file_sha256(path)
