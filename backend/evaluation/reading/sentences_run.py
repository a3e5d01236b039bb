"""`evaluate sentences`: reading measured on fresh sentences, figures alone; errors with their sentence only where asked for."""

from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.container import Container
from backend.evaluation.metrics.bootstrap import Resampler
from backend.evaluation.reading.fresh_sentences import MEASURES, read_sentences, score_sentences
from backend.evaluation.reading.record_scores import confusion
from backend.evaluation.reading.setting_figures import together, write_errors
from backend.evaluation.reports.evaluation_run import Run, RunOptions
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.run_identity import identity
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.schemas.evaluation_results import DataCard, Figure, Result, ResultKind
from backend.schemas.record import PatientRecord
from backend.schemas.vocabulary import Assertion

SYSTEM = "sentences"


class SentencesOptions(NamedTuple):
    """folder: of the sentences. errors: also write each error with its sentence, which a writer of rules must not read."""

    folder: Path
    run: RunOptions
    errors: bool = False


def evaluate_sentences(container: Container, options: SentencesOptions) -> tuple[Result, Path]:
    """Read every sentence, count, and keep the result; with errors, errors.jsonl lies beside it.

    Args:
        container: whose linker reads.
        options: what is measured.

    Returns:
        The result and its folder.

    The folder must hold sentences that fit.
    """
    sentences, files = read_sentences(options.folder)
    sentences = sentences._replace(**{name: tuple(options.run.chosen(getattr(sentences, name))) for name in files})
    hashes = {file.name: file_sha256(file) for file in files.values()}
    inputs = {"sentences": hashes, "graph": container.graph.fingerprint}
    run = Run(ResultKind.READING, options.run, {"of": SYSTEM}, inputs, container.versions, identity(container, ()))
    linker = container.linker

    def record_of(text: str) -> PatientRecord:
        return linker.read(text).record or PatientRecord()

    counts = score_sentences(sentences, record_of, _assertion_of)
    figures = []
    for measure in MEASURES:
        own = [one for rows in counts.values() for one in rows if one.totals[measure]]
        resampler = Resampler(len(own), options.run.seed, options.run.resamples)
        found = resampler.figure(
            np.array([float(one.hits[measure]) for one in own]), np.array([float(one.totals[measure]) for one in own])
        )
        reason = "" if own else "no sentence is of the kind"
        total = sum(one.totals[measure] for one in own)
        figures.append(
            Figure(
                system=SYSTEM,
                measure=measure,
                value=found.value,
                low=found.low,
                high=found.high,
                n=total,
                reason=reason,
            )
        )
    everything = [one for rows in counts.values() for one in rows]
    result = run.keep(
        data=DataCard(name=options.folder.name, sha256=together(hashes), items=len(everything), synthetic=True),
        graph=container.graph.fingerprint,
        systems={SYSTEM: "the patient record and the attributes of single sentences; n counts cases, not sentences"},
        measures=MEASURES,
        figures=tuple(figures),
        tables=confusion(everything),
        caveats=("No clinician has checked the sentences.",),
    )
    if options.errors:
        write_errors(run.folder, everything)
    return result, run.folder


def _assertion_of(text: str, span: tuple[int, int]) -> Assertion:
    return read_attributes(parse_note(text), [span])[0].assertion
