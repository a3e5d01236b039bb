"""What the flags and the letter of one row of the safety benchmark count for."""

from collections.abc import Sequence

from backend.evaluation.reading.record_scores import NoteCounts, ReadingError
from backend.evaluation.safety.benchmark_rows import Danger, Neutral, Prescription, SignProbe, Vignette
from backend.evaluation.safety.flag_match import NOT_OF_A_MEDICINE, FlagMatch
from backend.evaluation.safety.warning_levels import acceptable, told_levels
from backend.schemas.drafts.draft import Flag
from backend.schemas.vocabulary import Severity

VIGNETTE_MEASURES: dict[str, str] = {
    "severe_found": "severe dangers that a severe flag or a warning names",
    "severe_as_severe": "severe dangers that a severe flag names",
    "warning_found": "dangers of the grade warning that a severe flag or a warning names",
    "false_severe": "severe flags against a medicine that no annotation allows, a note; lower is better",
    "false_warnings": "warnings against a medicine that no annotation allows, a note; lower is better",
    "other_severe": "severe flags that are not about a medicine, a note; lower is better",
    "open_warnings": "warnings of any kind that stand open, a note; lower is better",
    "over_five": "notes with more than five open warnings; lower is better",
    "foils_flagged": "annotated foils that a severe flag or a warning names; lower is better",
    "found": "dangers of either grade that a severe flag or a warning names",
}
PRESCRIPTION_MEASURES: dict[str, str] = {
    "sensitivity": "wrong prescriptions with a severe flag or a warning about the medicine's dose or the patient",
    "specificity": "right prescriptions without one",
}
SIGN_MEASURES: dict[str, str] = {
    "acceptable": "signs that the letter tells at an acceptable level",
    "wrong_level": "signs that it tells at other levels only; lower is better",
    "not_told": "signs that it does not tell; lower is better",
}
OPEN_MOST = 5
"""Warnings that may stand open on one note."""
_COUNTED = (Severity.SEVERE, Severity.WARNING)
_OF_OTHER_THINGS = ("interaction", "allergy", "duplicate")
"""Flags about a medicine that say nothing of its dose."""


def score_vignette(row: Vignette, flags: Sequence[Flag], match: FlagMatch) -> NoteCounts:
    """Count the flags of one vignette; a danger's kind is counted as the measure `found:KIND`.

    A flag for information finds nothing and is never false. A flag that names several dangers finds each.
    """
    counts = NoteCounts()
    own = [flag for flag in flags if flag.severity in _COUNTED and flag.kind not in NOT_OF_A_MEDICINE]
    for danger in row.dangers:
        _danger(row, danger, [flag for flag in own if match.found(flag, danger)], counts)
    false = [flag for flag in own if not _allowed(flag, row, match)]
    for measure, severity in (("false_severe", Severity.SEVERE), ("false_warnings", Severity.WARNING)):
        wrong = [flag for flag in false if flag.severity is severity]
        counts.totals[measure] += 1
        counts.hits[measure] += len(wrong)
        counts.errors += [ReadingError(row.id, measure, "", flag.message, "") for flag in wrong]
    for foil in row.foils:
        taken = [flag for flag in false if match.about(flag, (foil.medicine,), (foil.partner,))]
        counts.count("foils_flagged", bool(taken))
        if taken:
            wanted = f"{foil.medicine}, {foil.partner}"
            counts.errors.append(ReadingError(row.id, "foils_flagged", wanted, taken[0].message, foil.because))
    opened = [f for f in flags if f.severity is Severity.WARNING and not getattr(f, "folded", False)]
    others = [f for f in flags if f.severity is Severity.SEVERE and f.kind in NOT_OF_A_MEDICINE]
    counts.errors += [ReadingError(row.id, "other_severe", "", flag.message, "") for flag in others]
    for measure, number in (("open_warnings", len(opened)), ("other_severe", len(others))):
        counts.totals[measure] += 1
        counts.hits[measure] += number
    counts.count("over_five", len(opened) > OPEN_MOST)
    return counts


def score_prescription(row: Prescription, flags: Sequence[Flag], match: FlagMatch) -> NoteCounts:
    """Count one prescription: flagged when a severe flag or a warning names the medicine, for what may be its dose."""
    counts = NoteCounts()
    own = [
        flag
        for flag in flags
        if flag.severity in _COUNTED
        and flag.kind not in NOT_OF_A_MEDICINE
        and not flag.kind.startswith(_OF_OTHER_THINGS)
        and match.names(flag, row.medicine)
    ]
    if row.error is not None:
        counts.count("sensitivity", bool(own))
    else:
        counts.count("specificity", not own)
    if bool(own) is (row.error is None):
        measure = "specificity" if own else "sensitivity"
        said = own[0].message if own else ""
        counts.errors.append(ReadingError(row.id, measure, row.error or "", said, f"{row.prescription}: {row.because}"))
    return counts


def score_sign(row: SignProbe, warnings: Sequence[str], letter: Sequence[str]) -> NoteCounts:
    """Count one probe of warning signs.

    Args:
        row: the probe.
        warnings: the letter's sentences under its heading of warning signs.
        letter: all its sentences, to show in the list of errors.
    """
    counts = NoteCounts()
    levels = told_levels(warnings, row)
    right = any(acceptable(level, row) for level in levels)
    counts.count("acceptable", right)
    counts.count("wrong_level", bool(levels) and not right)
    counts.count("not_told", not levels)
    if not right:
        measure = "wrong_level" if levels else "not_told"
        wanted = f"{row.sign}: {row.least} to {row.most}"
        near = [sentence for sentence in letter if told_levels((sentence,), row)]
        counts.errors.append(ReadingError(row.id, measure, wanted, ", ".join(levels), " ".join(near)))
    return counts


def note_of(row: Prescription) -> str:
    """The note that a prescription's patient line makes."""
    patient = row.patient
    woman = patient.sex == "female"
    grown, young = ("woman", "girl") if woman else ("man", "boy")
    lines = [
        "Allergies: none known.",
        f"HPI: A {patient.age_years}-year-old {grown if patient.age_years >= _GROWN else young} with {patient.problem}.",
    ]
    measured = [
        *([f"Weight {patient.weight_kg:g} kg."] if patient.weight_kg is not None else []),
        *([f"eGFR {patient.egfr:g} mL/min/1.73 m2."] if patient.egfr is not None else []),
    ]
    lines += [" ".join(measured)] if measured else []
    lines += [f"Medications: {', '.join(patient.medicines)}."] if patient.medicines else []
    return "\n".join(lines)


_GROWN = 18


def _danger(row: Vignette, danger: Danger, naming: Sequence[Flag], counts: NoteCounts) -> None:
    measure = f"{danger.grade}_found"
    for name in (measure, "found", f"found:{danger.what}"):
        counts.count(name, bool(naming))
    if danger.grade == Severity.SEVERE.value:
        counts.count("severe_as_severe", any(flag.severity is Severity.SEVERE for flag in naming))
    if not naming:
        wanted = f"{danger.what}: {danger.medicine[0]}, {danger.partner[0]}"
        counts.errors.append(ReadingError(row.id, measure, wanted, "", danger.because))


def _allowed(flag: Flag, row: Vignette, match: FlagMatch) -> bool:
    """Whether a danger or a neutral annotation covers a flag; a danger covers a flag of either grade."""
    return any(match.found(flag, danger) for danger in row.dangers) or any(
        match.about(flag, (one.medicine,), (one.partner,)) and _reaches(one, flag) for one in row.neutral
    )


def _reaches(neutral: Neutral, flag: Flag) -> bool:
    return flag.severity is Severity.WARNING or neutral.up_to == Severity.SEVERE.value
