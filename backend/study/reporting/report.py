"""The report of a study: its analysis with methods text, tables and figures, for a paper's appendix. HTML and PDF print it.

While the study is blind an analysis can be had, with arms under codes; the report needs the study unlocked.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from sqlalchemy import func, select

from backend.schemas.studies.study_analysis import Analysis
from backend.schemas.studies.study_frozen import FrozenStudy
from backend.schemas.studies.study_rating import Phase
from backend.stores.database.study_tables import EventRow, JudgeRow, RatingRow
from backend.study import records
from backend.study.design.studies import Studies
from backend.study.judges import judged_of, uploads_of
from backend.study.reporting.report_tables import Table, about_tables, adjudication_tables, result_tables
from backend.study.statistics import score_figures as plots
from backend.study.statistics.analysis import analyse
from backend.study.statistics.choice_figures import choice_figures
from backend.study.statistics.from_tidy import study_data
from backend.study.statistics.methods import methods_text
from backend.study.statistics.rating_data import StudyData, scores_by_question
from backend.study.tidy import TidyRow, ratings_data, tidy_rows

Progress = Callable[[int, int, str], None]
Figure = dict[str, Any]


class Analysed(NamedTuple):
    """An analysis and what it was made of."""

    study: FrozenStudy
    sha256: str
    rows: tuple[TidyRow, ...]
    data: StudyData
    analysis: Analysis


class Report(NamedTuple):
    """What a printer needs: plain words, tables, and figures as plotly values."""

    title: str
    stamps: tuple[str, ...]
    identity: str
    methods: tuple[str, ...]
    about: tuple[Table, ...]
    figures: tuple[Figure, ...]
    results: tuple[Table, ...]


def analysed(studies: Studies, study_id: str, progress: Progress | None = None) -> Analysed:
    """The analysis as things stand; arms under codes until the study is unlocked. Raises NotFoundError before it is frozen."""
    with studies.database.reading() as session:
        row = records.study_row(session, study_id)
        digest, blind = records.frozen_row(session, study_id).sha256, row.unlocked_at is None
        uploads = uploads_of(session, study_id)
    found = ratings_data(studies, study_id)
    rows = tidy_rows(found, blind)
    data = study_data(found.study, rows, blind, judged_of(found.study, uploads, blind))
    return Analysed(found.study, digest, rows, data, analyse(data, seed=found.study.setup.seed, progress=progress))


def analysis_state(studies: Studies, study_id: str) -> tuple[object, ...]:
    """What an analysis depends on; the same value means the same analysis. Ratings and events only ever grow."""
    with studies.database.reading() as session:
        row = records.study_row(session, study_id)
        counts = [
            session.scalar(select(func.count()).select_from(table).where(table.study_id == study_id))
            for table in (RatingRow, EventRow, JudgeRow)
        ]
        return (study_id, row.unlocked_at, *counts)


def report_of(found: Analysed) -> Report:
    """The report of an analysis."""
    closing = tuple(row for row in found.rows if row.phase == Phase.CLOSING.value)
    return Report(
        title=found.study.setup.name,
        stamps=found.study.stamps,
        identity=f"Study {found.study.study_id}, sha256 {found.sha256}",
        methods=tuple(methods_text(found.analysis, found.study.setup.plan).split("\n\n")),
        about=about_tables(found.study),
        figures=tuple(figures(found)),
        results=(*result_tables(found.analysis, closing), *adjudication_tables(found.analysis)),
    )


def figures(found: Analysed) -> list[Figure]:
    """Plotly values, without those that have nothing to draw.

    Ratings by arm, differences, then agreement, severity and learning on the primary outcome; and what was preferred,
    by every question with choices.
    """
    data, analysis = found.data, found.analysis
    questions = scores_by_question(data)
    made: list[Figure] = []
    if any(scores for scores in questions.values()):
        made.append(plots.box_plots(data))
        made.append(plots.differences(analysis))
    primary = analysis.primary_outcome
    if questions.get(primary):
        made.append(plots.agreement_forest(analysis, primary))
        made.append(plots.agreement_by_item(questions[primary], data.arms, primary))
        made.append(plots.rater_severity(analysis, primary))
        made.append(plots.learning_over_time(data, primary))
    for question in dict.fromkeys(choice.question for choice in data.choices):
        made += choice_figures(data, analysis, question)
    if data.times:
        made.append(plots.time_on_item(data))
    return [figure for figure in made if any(trace.get("y") for trace in figure["data"])]
