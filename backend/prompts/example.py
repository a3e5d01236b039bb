"""The worked examples of the one-shot prompts: two patients made up for this page, who are in no case and no data set.

Their ids begin at 901, where no evidence has any: a sentence copied from an example cites nothing that exists, so that it
shows as unsupported. Each patient is written once and given in every form that a prompt needs.
"""

from typing import NamedTuple


class Line(NamedTuple):
    """One sentence of an example's document: heading is which of the document's headings it stands under, from 0."""

    heading: int
    text: str


CONDITION = (
    "Allergies: [N901] sulfa drugs (rash).\n"
    "Chief Complaint: [N902] Pain in the right flank.\n"
    "History of Present Illness: [N903] 41-year-old man, sudden colicky pain in the right flank since last night, with nausea. "
    "[N904] He drinks little at work. [N905] No fever.\n"
    "Conditions: kidney stone, possible (flank pain, nausea)"
)
PATHS = (
    "[K901] flank pain [Disorders] → finding of → kidney stone [Disorders] → has diet advice → high fluid intake [Activities and "
    "behaviors]\n"
    "[K902] nausea [Disorders] → (leap) → kidney stone [Disorders] → has warning sign → fever [Disorders]"
)
PASSAGES = (
    "[P901] Kidney stone, living with it. Drinking enough that the urine stays pale helps to keep stones from forming. Walking is "
    "allowed as far as pain permits.\n"
    "[P902] Kidney stone, when to seek help. Fever, chills or no urine at all mean that a stone may be blocking the way and need "
    "an emergency department at once."
)
DISCHARGE_LINES = (
    Line(0, "You came because of sudden pain in your right side, between ribs and hip, and you felt sick [N903]."),
    Line(0, "A possible reason is a kidney stone, a hard grain that forms from salts in the urine [N903, K901]."),
    Line(1, "[team to complete: what the scan and the urine test showed]"),
    Line(2, "[team to complete: which medicines to take, change or stop, with doses]"),
    Line(3, "[team to complete: appointments, with dates and places]"),
    Line(
        4,
        "Fever, chills or no urine at all can mean that a possible stone blocks the way: go to an emergency department now [P902].",
    ),
    Line(
        5, "You had a rash from sulfa drugs, a group of antibiotics, so remind each doctor and pharmacist of it [N901]."
    ),
    Line(6, "With a possible kidney stone it helps to drink enough that the urine stays pale [P901, K901]."),
    Line(6, "You told us that you drink little at work [N904]."),
    Line(7, "With a possible kidney stone people may walk as far as pain permits [P901]."),
)
PROGRESS_CONDITION = (
    "Earlier notes: [N901] 2031-04-05 (Nursing), Shift note: Slept well, less cough. [N902] 2031-04-05 (Physician), Plan: Walk twice "
    "a day, repeat the chest film on Friday. [N903] 2031-04-06 (Respiratory), Exam: Saturation 95 % on room air.\n"
    "Conditions: bronchitis, possible (cough)"
)
PROGRESS_LINES = (
    Line(0, "2031-04-05 (Nursing): Slept well, less cough [N901]."),
    Line(1, "2031-04-06 (Respiratory): Saturation 95 % on room air [N903]."),
    Line(2, "Bronchitis is possible, since there is a cough [N901]."),
    Line(3, "2031-04-05 (Physician): Walk twice a day, repeat the chest film on Friday [N902]."),
)
_OPENING = "An example of the form, of another, made-up patient. Nothing in it belongs to the material above.\n"


def discharge_example(headings: tuple[str, ...]) -> str:
    """Condition, reasoning paths, passages and instructions (ReinRAG's one shot); one paragraph where there are no headings."""
    return (
        f"{_OPENING}Example condition:\n{CONDITION}\nExample reasoning paths:\n{PATHS}\nExample passages:\n{PASSAGES}\n"
        f"Example instructions:\n{_document(DISCHARGE_LINES, headings)}\nEnd of the example.\n\n"
    )


def progress_example(headings: tuple[str, ...]) -> str:
    """Earlier notes and the progress note made of them."""
    return (
        f"{_OPENING}Example notes:\n{PROGRESS_CONDITION}\nExample progress note:\n{_document(PROGRESS_LINES, headings)}\n"
        "End of the example.\n\n"
    )


def _document(lines: tuple[Line, ...], headings: tuple[str, ...]) -> str:
    if not headings:
        return " ".join(line.text for line in lines)
    return "\n".join(f"{heading}\n{_under(lines, place)}" for place, heading in enumerate(headings))


def _under(lines: tuple[Line, ...], heading: int) -> str:
    return " ".join(line.text for line in lines if line.heading == heading)
