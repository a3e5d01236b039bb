"""What both copies of a case share: sections in the order of the text, the table of medicines, and the letter's head."""

from collections.abc import Sequence

from backend.generation.letter.medicines.medicine_sentences import medicine_cells, medicine_sentences
from backend.review.exports.contents.letter_words import LetterWords, letter_words
from backend.review.exports.contents.sources import Numbers, shown_numbers
from backend.review.exports.copies import TITLES, Copy, Line, PageStyle, Part, PartKind, Table, one_line
from backend.schemas.drafts.draft import Draft
from backend.schemas.drafts.gaps import GAP
from backend.schemas.drafts.headings import DISCHARGE_HEADINGS, MEDICINES_PART
from backend.schemas.drafts.medicines import MedicineAction, MedicineRow
from backend.schemas.patients.letter_details import LetterDetails
from backend.schemas.patients.saved_case import CaseState, CaseView, CopyKind
from backend.schemas.vocabulary import LETTERS, Document

BLANK = "____________"
MEDICINE_COLUMNS = ("Medicine", "How much", "When", "What for, or why", "What to do")
_WIDTHS = (1.3, 0.8, 1.0, 1.0, 1.9, 0.9)  # of the columns of medicines and their source
_STACKED = ((0, 1), (2, 3), (4,), (5,))  # columns that stand in one where letters are large
_STACKED_WIDTHS = (1.2, 0.9, 1.1, 0.9)
_MEDICINES_AT = DISCHARGE_HEADINGS.index(MEDICINES_PART)


def words_of(view: CaseView) -> LetterWords:
    """The words of the draft's locale."""
    return letter_words(view.draft.locale)


def headed(view: CaseView, copy: Copy) -> Copy:
    """The copy with its head: whom it is about, on the first page and on every other."""
    words, details = words_of(view), view.details
    name = one_line(details.patient_name)
    number = one_line(details.record_number)
    running = [name, f"{words.record_number} {number}" if number else ""]
    fields = dict.fromkeys(LetterDetails.model_fields, "")
    for field in LetterDetails.model_fields:
        value = getattr(details, field)
        fields[field] = one_line(value) if isinstance(value, str) else words.day(value) if value else ""
    title = f"{TITLES[view.draft.document]} for {name}" if name else copy.heading
    return copy._replace(
        title=f"{title}, clinician's copy" if copy.kind is CopyKind.CLINICIAN else title,
        running=" \u00b7 ".join(part for part in running if part),
        language=words.language,
        head=tuple((label, one_line(value)) for label, value in words.head(details)),
        fields=tuple(fields.items()),
        style=PageStyle(paper=words.paper, locale=view.draft.locale),
    )


def body(view: CaseView, lines: Sequence[Line]) -> tuple[Part, ...]:
    """The lines under the sections they stand in, in the order of the text; lines: one of each sentence that is there."""
    now = [s for s in view.sentences if not s.deleted]
    parts: list[Part] = []
    for sentence, line in zip(now, lines, strict=True):
        if parts and parts[-1].heading == sentence.section:
            parts[-1] = parts[-1]._replace(lines=(*parts[-1].lines, line))
        else:
            parts.append(Part(PartKind.BODY, sentence.section, (line,)))
    if view.draft.answer:
        parts.insert(0, Part(PartKind.BODY, "Chosen option", (Line(view.draft.answer_text),)))
    if view.draft.question:
        options = tuple(Line(f"{a}: {option}") for a, option in zip(LETTERS, view.draft.options, strict=False))
        parts.insert(0, Part(PartKind.BODY, "Question", (Line(view.draft.question), *options)))
    return tuple(parts)


def with_blanks(text: str) -> str:
    """A sentence of a signed letter: each place left open in it becomes a blank to fill in by hand."""
    return GAP.sub(lambda place: f"{BLANK} ({place[1]})" if place[1] else BLANK, text)


def with_medicines(parts: tuple[Part, ...], draft: Draft, kind: CopyKind, numbers: Numbers) -> tuple[Part, ...]:
    """The sections with the table of medicines under its heading, which is added where no sentence stands under it.

    What the table tells, no sentence tells again; what is to be decided stays a gap.
    """
    table = medicine_table(draft.medicines, kind, numbers)
    if table is None or draft.document != Document.DISCHARGE_INSTRUCTIONS:
        return parts
    at = next((i for i, part in enumerate(parts) if part.heading == MEDICINES_PART), None)
    if at is not None:
        told = {text for text, _ in medicine_sentences(draft.medicines) if not GAP.search(text)}
        lines = tuple(line for line in parts[at].lines if line.text not in told)
        return (*parts[:at], parts[at]._replace(table=table, lines=lines), *parts[at + 1 :])
    before = [i for i, part in enumerate(parts) if part.heading in DISCHARGE_HEADINGS[:_MEDICINES_AT]]
    at = before[-1] + 1 if before else 0
    return (*parts[:at], Part(PartKind.BODY, MEDICINES_PART, (), table), *parts[at:])


def medicine_table(rows: Sequence[MedicineRow], kind: CopyKind, numbers: Numbers) -> Table | None:
    """The medicines as a table; a patient's copy has neither what was given in hospital alone nor where a row is from.

    Args:
        rows: of the draft.
        kind: whose copy.
        numbers: of the sources.
    """
    if kind == CopyKind.PATIENT:
        told = tuple(cells for cells in map(medicine_cells, rows) if cells is not None)
        return Table(MEDICINE_COLUMNS, told) if told else None
    cells = tuple((*_medicine_cells(row), _medicine_source(row, numbers)) for row in rows)
    return Table((*MEDICINE_COLUMNS, "Source"), cells) if cells else None


def stacked(table: Table) -> Table:
    """The medicines in fewer columns, for large letters: words of a narrow column would break."""
    if len(table.columns) < len(MEDICINE_COLUMNS):
        return table
    groups = [group for group in _STACKED if group[0] < len(table.columns)]
    heads = tuple(" / ".join(table.columns[i] for i in group) for group in groups)
    rows = (tuple("\n".join(row[i] for i in group if row[i]) for group in groups) for row in table.rows)
    return Table(heads, tuple(rows))


def widths(columns: int) -> tuple[float, ...]:
    """Shares of the width of so many columns: of medicines, stacked or not, and even ones of any other table."""
    if columns < 3:
        return (1.0,) * columns
    shares = _STACKED_WIDTHS if columns <= len(_STACKED_WIDTHS) else _WIDTHS
    return (*shares, *(1.0,) * columns)[:columns]


def state_words(state: CaseState) -> str:
    """A case's state as a person reads it."""
    return "replaced" if state is CaseState.SUPERSEDED else state.value.replace("_", " ")


def _medicine_cells(row: MedicineRow) -> tuple[str, ...]:
    return row.name, row.dose, row.timing, row.reason, row.what_to_do


def _medicine_source(row: MedicineRow, numbers: Numbers) -> str:
    shown = shown_numbers(row.citations, numbers)
    cited = f" [{', '.join(shown)}]" if shown else ""
    marks = [] if row.recognised else ["not recognised, not checked"]
    marks += [f"unit not stated, {row.usual_unit} is usual"] if row.usual_unit else []
    marks += ["to decide"] if row.action is MedicineAction.UNDECIDED else []
    marked = f" ({'; '.join(marks)})" if marks else ""
    return f"{row.source}{cited}{marked}"
