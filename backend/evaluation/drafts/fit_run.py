"""`evaluate fit`: verdicts of the fit check against judged sentences, with intervals over notes and the errors listed."""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np

from backend.container import Container
from backend.evaluation.drafts.judged_sentences import JudgedNote, JudgedSentence, read_judged
from backend.evaluation.metrics.bootstrap import Resampler
from backend.evaluation.reading.setting_figures import ERRORS, together
from backend.evaluation.reports.evaluation_run import FEW, Run, RunOptions
from backend.evaluation.reports.journal import file_sha256
from backend.evaluation.reports.run_identity import identity
from backend.schemas.drafts.draft import FitVerdict, WrittenSentence
from backend.schemas.drafts.evidence import Condition, Evidence, NotePiece, Passage
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.drafts.request import DraftRequest
from backend.schemas.evaluation_results import DataCard, Figure, Result, ResultKind
from backend.schemas.vocabulary import Basis, Fit, Source
from backend.verification.fit.fit_check import FitCheck
from backend.verification.fit.patient_fit import HANDBOOK

PLANTED, DRAFTS = "planted", "drafts"
WHAT = {
    PLANTED: "sentences written for measuring, on the notes",
    DRAFTS: "sentences of the handbook that drafts of the notes held",
}
MEASURES: dict[str, str] = {
    "recall": "misfits found, of those that a reader judged so",
    "precision": "misfits by the reader's judgement, of those found",
    "false_alarms": "found as misfits, of the sentences that fit; lower is better",
}


class FitOptions(NamedTuple):
    """folder: of judged sentences. notes: folders of the notes that they name. run: limit and seed."""

    folder: Path
    notes: tuple[Path, ...]
    run: RunOptions


class _Scored(NamedTuple):
    """One row with its verdict."""

    row: JudgedSentence
    verdict: FitVerdict

    @property
    def found(self) -> bool:
        return self.verdict.fit is Fit.NOT_FOR_THIS_PATIENT

    @property
    def misfit(self) -> bool:
        return self.row.label == "not"


def evaluate_fit(container: Container, options: FitOptions) -> tuple[Result, Path]:
    """Check every judged sentence, count, and keep the result, with the errors beside it as errors.jsonl.

    Args:
        container: whose linker, ranker and fit check are used.
        options: what is measured.

    Returns:
        The result and its folder.

    The folder must hold judged sentences.
    """
    judged, left_out = read_judged(options.folder, options.notes)
    notes = options.run.chosen(judged)
    hashes = {file.name: file_sha256(file) for file in sorted(options.folder.glob("*.jsonl"))}
    run = Run(
        ResultKind.FIT,
        options.run,
        {"notes": sorted(place.name for place in options.notes)},
        {"judged": hashes, "graph": container.graph.fingerprint},
        container.versions,
        identity(container, ()),
    )
    names = {row.concept_id: row.name for row in container.graph.concepts}
    scored = []
    for done, note in enumerate(notes):
        if options.run.progress is not None:
            options.run.progress(done, len(notes), "notes")
        scored.append(_scored(note, container, names))
    if options.run.progress is not None:
        options.run.progress(len(notes), len(notes), "notes")
    files = sorted({note.file for note in notes})
    caveats = ["One reader judged each sentence; no clinician has checked the judgements."]
    if len(notes) < FEW:
        caveats.append(f"Only {len(notes)} notes: the intervals are rough.")
    result = run.keep(
        data=DataCard(
            name=options.folder.name,
            sha256=together(hashes),
            items=len(notes),
            left_out=left_out,
            notices={"sentences": sum(map(len, scored))},
        ),
        graph=container.graph.fingerprint,
        systems={f"{file}, {kind}": what for file in files for kind, what in WHAT.items()},
        measures=MEASURES,
        figures=tuple(
            figure
            for file in files
            for figure in _figures(
                file, [own for n, own in zip(notes, scored, strict=True) if n.file == file], options.run
            )
        ),
        tables={"kinds of misfits": _kinds(scored)},
        caveats=tuple(caveats),
    )
    wrong = (one for rows in scored for one in rows if one.found != one.misfit)
    lines = (
        json.dumps({**one.row.model_dump(exclude={"text"}), "found": one.found, "why": one.verdict.reason})
        for one in wrong
    )
    (run.folder / ERRORS).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return result, run.folder


def verdict_of(
    row: JudgedSentence, linked: LinkedNote, conditions: Sequence[Condition], check: FitCheck, names: Mapping[str, str]
) -> FitVerdict:
    """The verdict on one judged sentence.

    Args:
        row: the sentence.
        linked: its note.
        conditions: the note's ranked conditions.
        check: the fit check.
        names: of concepts, by id.
    """
    note = linked.note.text
    passages: tuple[Passage, ...] = ()
    pieces: tuple[NotePiece, ...] = ()
    if row.cites:
        start = note.find(row.cites)
        pieces = (
            NotePiece(
                id="N1",
                note_type="Pasted note",
                section="",
                text=row.cites,
                start_char=start,
                end_char=start + len(row.cites),
            ),
        )
    elif row.chapter:
        passages = (_passage(row, names.get(row.chapter, "")),)
    written = WrittenSentence(
        text=row.sentence,
        section=row.part,
        basis=Basis.PATIENT if row.cites else Basis.GENERAL,
        citations=(*(one.id for one in passages), *(one.id for one in pieces)),
    )
    (verdict,) = check.check(
        [written], linked, conditions, Evidence(passages=passages, notes=pieces), DraftRequest(text=note)
    )
    return verdict


def _scored(note: JudgedNote, container: Container, names: Mapping[str, str]) -> list[_Scored]:
    linked = container.linker.read(note.text)
    conditions = container.ranker.rank(linked, DraftRequest(text=note.text))
    return [_Scored(row, verdict_of(row, linked, conditions, container.checks.fit, names)) for row in note.rows]


def _passage(row: JudgedSentence, name: str) -> Passage:
    return Passage(
        id="P1",
        source=Source.BOOK,
        document_id=f"{HANDBOOK}{row.chapter[3:]}",
        title=f"{name[:1].upper()}{name[1:]}: {row.part}",
        text=row.sentence,
        start_char=0,
        end_char=len(row.sentence),
        section=row.part,
        concept_id=row.chapter,
    )


def _figures(file: str, scored: list[list[_Scored]], run: RunOptions) -> list[Figure]:
    figures = []
    for kind, planted in ((PLANTED, True), (DRAFTS, False)):
        own = [[one for one in rows if one.row.planted is planted] for rows in scored]
        hit = np.array([float(sum(one.misfit and one.found for one in rows)) for rows in own])
        misfits = np.array([float(sum(one.misfit for one in rows)) for rows in own])
        found = np.array([float(sum(one.found for one in rows)) for rows in own])
        fits = np.array([float(sum(not one.misfit for one in rows)) for rows in own])
        resampler = Resampler(len(own), run.seed, run.resamples)
        for measure, top, bottom in (
            ("recall", hit, misfits),
            ("precision", hit, found),
            ("false_alarms", found - hit, fits),
        ):
            value = resampler.figure(top, bottom)
            figures.append(
                Figure(
                    system=f"{file}, {kind}",
                    measure=measure,
                    value=value.value,
                    low=value.low,
                    high=value.high,
                    n=int(bottom.sum()),
                    reason="" if value.value is not None else "there is no sentence of the kind",
                )
            )
    return figures


def _kinds(scored: list[list[_Scored]]) -> dict[str, dict[str, int]]:
    """How many misfits of each kind were found and missed."""
    table: dict[str, dict[str, int]] = {}
    for one in (one for rows in scored for one in rows if one.misfit):
        counts = table.setdefault(one.row.kind, {"found": 0, "missed": 0})
        counts["found" if one.found else "missed"] += 1
    return table
