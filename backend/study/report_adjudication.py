"""What a third person said where raters disagreed, beside what the raters had given."""

from backend.schemas.analysis import Analysis
from backend.study.report_tables import Table, number

NOTE = (
    "A third person rated the items that disagreed most, blind and without seeing anybody's answers. Their answers take part "
    "in no other figure. Of a preference, values above 0 favour the second arm."
)


def adjudication_tables(analysis: Analysis) -> tuple[Table, ...]:
    """One table, or none where nothing was adjudicated."""
    rows = tuple(
        (
            one.question,
            one.case,
            one.of,
            ", ".join(number(value) for value in one.raters),
            one.adjudicator,
            "cannot judge" if one.value is None else number(one.value),
        )
        for one in analysis.adjudicated
    )
    head = ("question", "case", "arm or pair", "raters gave", "third person", "gave")
    return (Table("Adjudication", head, rows, NOTE),) if rows else ()
