"""How well records agree with annotations: counts by kind, confusion tables, and each error with its sentence."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from backend.evaluation.reading.annotation_codes import (
    SETTINGS,
    dose_agrees,
    medication_status,
    problem_status,
    procedure_status,
    timing_agrees,
)
from backend.evaluation.reading.gold_notes import AnnotatedNote
from backend.evaluation.reading.statement_match import (
    Named,
    Place,
    alternatives,
    best_match,
    content_stems,
    places_of,
    same_agent,
)
from backend.schemas.record import (
    Encounter,
    MedicationStatement,
    PatientRecord,
    Person,
    ProblemStatement,
    ProcedureStatement,
    Statement,
    VerificationStatus,
)


class ReadingError(NamedTuple):
    """One disagreement. kind names the count it lowers; sentence is the quote or the stretch of the note."""

    note: str
    kind: str
    wanted: str
    found: str
    sentence: str


@dataclass
class NoteCounts:
    """Hits and totals of one note by measure, and what was taken for what."""

    hits: Counter[str] = field(default_factory=Counter)
    totals: Counter[str] = field(default_factory=Counter)
    confused: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    errors: list[ReadingError] = field(default_factory=list)

    def count(self, measure: str, hit: bool) -> None:
        """Count one case of a measure."""
        self.totals[measure] += 1
        self.hits[measure] += hit


MEASURES: dict[str, str] = {
    "problems_recall": "annotated problems that the record states",
    "problems_precision": "problems of the record that are annotated; annotators left out bare signs and most social denials",
    "problem_status": "status right, of the problems found",
    "medicines_recall": "annotated medicines that the record states",
    "medicines_precision": "medicines of the record that are annotated",
    "medicine_status": "status right, of the medicines found",
    "dose": "dose right, of the medicines found",
    "timing": "stated timing right, of the medicines found that have one",
    "home_whole": "home medicines found as such, with dose, timing and as needed right",
    "hospital_as_home": "medicines given or started in hospital that the record states as home medicines; lower is better",
    "allergy_status": "notes whose allergy list has the right status",
    "allergens_recall": "annotated allergens that the record lists",
    "allergens_precision": "listed allergens that are annotated",
    "possible_allergies_wrong": "notes with a possible allergy that is none; lower is better",
    "procedures_recall": "annotated procedures that the record states",
    "procedure_status": "status right, of the procedures found",
    "must_have_stated": "what a letter must say that some statement of the record rests on",
    "setting": "notes whose setting is right",
    "age": "notes whose age is right, of those that state one",
    "sex": "notes whose sex is right, of those that state one",
}
_WHOLE_YEAR = 1.0


def score_note(
    note: AnnotatedNote, record: PatientRecord, concept_of: Callable[[str], str | None], code_of: Callable[[str], str]
) -> NoteCounts:
    """Count one note.

    Args:
        note: the annotated note.
        record: what was read.
        concept_of: the concept id of a whole name, or None; a shared concept counts as a shared name.
        code_of: the timing code of a frequency in words.

    Returns:
        Its counts and errors.
    """
    counts = NoteCounts()
    _problems(note, record, concept_of, counts)
    _medicines(note, record, concept_of, code_of, counts)
    _allergies(note, record, counts)
    _procedures(note, record, counts)
    _person(note, record, counts)
    statements = [one for one in record.statements if not isinstance(one, Person | Encounter)]
    spans = [(s.start_char, s.end_char) for one in statements for s in one.spans if not s.note_id]
    for fact in note.gold.must_have:
        stated = any(a < p.end and p.start < b for p in places_of(note.text, fact.quote) for a, b in spans)
        counts.count("must_have_stated", stated)
        if not stated:
            counts.errors.append(ReadingError(note.name, "must_have_stated", fact.fact, "", fact.quote))
    return counts


def _problems(
    note: AnnotatedNote, record: PatientRecord, concept_of: Callable[[str], str | None], counts: NoteCounts
) -> None:
    used: set[str] = set()
    for gold in note.gold.problems:
        concept = concept_of(gold.name)
        names, places = alternatives(gold.name), places_of(note.text, gold.quote)
        found = best_match(names, places, [(one, _named(one, concept, names)) for one in record.problems])
        counts.count("problems_recall", bool(found))
        used.update(one.id for one in found)
        if not found:
            counts.errors.append(
                ReadingError(note.name, "problems_recall", f"{gold.name} ({gold.status})", "", gold.quote)
            )
            continue
        near = [one for one in found if _in(one, places)] or found[:1]
        right = gold.status in problem_status(near[0])
        counts.count("problem_status", right)
        read_status = "/".join(sorted(problem_status(near[0])))
        counts.confused["problem", gold.status, read_status] += 1
        if not right:
            counts.errors.append(
                ReadingError(
                    note.name,
                    "problem_status",
                    f"{gold.name} ({gold.status})",
                    f"{near[0].name} ({read_status})",
                    gold.quote,
                )
            )
    for one in record.problems:
        counts.count("problems_precision", one.id in used)
        if one.id not in used:
            counts.errors.append(ReadingError(note.name, "problems_precision", "", one.name, _around(note.text, one)))


def _medicines(
    note: AnnotatedNote,
    record: PatientRecord,
    concept_of: Callable[[str], str | None],
    code_of: Callable[[str], str],
    counts: NoteCounts,
) -> None:
    used: set[str] = set()
    for gold in note.gold.medicines:
        concept = concept_of(gold.name)
        names, places = alternatives(gold.name), places_of(note.text, gold.quote)
        found = best_match(names, places, [(one, _named(one, concept, names)) for one in record.medications])
        counts.count("medicines_recall", bool(found))
        used.update(one.id for one in found)
        if gold.status == "home":
            counts.totals["home_whole"] += 1
        if not found:
            counts.errors.append(
                ReadingError(note.name, "medicines_recall", f"{gold.name} ({gold.status})", "", gold.quote)
            )
            continue
        near = [one for one in found if _in(one, places)] or found[:1]
        same = [one for one in near if gold.status in medication_status(one)]
        best = (same or near)[0]
        read_status = "/".join(sorted(medication_status(best)))
        counts.count("medicine_status", bool(same))
        counts.confused["medicine", gold.status, read_status] += 1
        if not same:
            counts.errors.append(
                ReadingError(
                    note.name,
                    "medicine_status",
                    f"{gold.name} ({gold.status})",
                    f"{best.name} ({read_status})",
                    gold.quote,
                )
            )
        if gold.status in ("given here", "started here"):
            counts.count("hospital_as_home", not same and "home" in read_status)
        dose = dose_agrees(gold.dose, best.dosage)
        counts.count("dose", dose)
        timing = timing_agrees(gold, best.dosage, code_of)
        if gold.frequency is not None:
            counts.count("timing", timing)
        needed = bool(gold.as_needed) == best.dosage.as_needed
        if gold.status == "home":
            counts.hits["home_whole"] += bool(same) and dose and timing and needed
        if not (dose and timing and needed):
            wanted = f"{gold.name}: {gold.dose}, {gold.frequency}{', as needed' if gold.as_needed else ''}"
            d = best.dosage
            stated = f"{d.dose}-{d.dose_high} {d.unit} x{d.quantity}, {d.timing}{', as needed' if d.as_needed else ''}"
            counts.errors.append(ReadingError(note.name, "dosage", wanted, stated, gold.quote))
    for one in record.medications:
        counts.count("medicines_precision", one.id in used)
        if one.id not in used:
            counts.errors.append(ReadingError(note.name, "medicines_precision", "", one.name, _around(note.text, one)))


def _allergies(note: AnnotatedNote, record: PatientRecord, counts: NoteCounts) -> None:
    gold = note.gold.allergies
    counts.count("allergy_status", record.allergies.status.value == gold.status)
    if record.allergies.status.value != gold.status:
        counts.errors.append(
            ReadingError(note.name, "allergy_status", gold.status, record.allergies.status.value, record.allergies.text)
        )
    stated = [a for a in record.allergies.items if a.verification_status is not VerificationStatus.REFUTED]
    listed = [a for a in stated if not a.possible]
    used: set[str] = set()
    for item in gold.items:
        found = [one for one in stated if same_agent(item.agent, one)]
        used.update(one.id for one in found)
        hit = any(not one.possible for one in found)
        counts.count("allergens_recall", hit)
        if not hit:
            counts.errors.append(ReadingError(note.name, "allergens_recall", item.agent, "", item.quote))
    for one in listed:
        counts.count("allergens_precision", one.id in used)
        if one.id not in used:
            counts.errors.append(ReadingError(note.name, "allergens_precision", "", one.agent, _around(note.text, one)))
    wrong = [one for one in stated if one.possible and one.id not in used]
    counts.count("possible_allergies_wrong", bool(wrong))
    counts.errors += [
        ReadingError(note.name, "possible_allergies_wrong", "", one.agent, _around(note.text, one)) for one in wrong
    ]


def _procedures(note: AnnotatedNote, record: PatientRecord, counts: NoteCounts) -> None:
    for gold in note.gold.procedures:
        names, places = alternatives(gold.name), places_of(note.text, gold.quote)
        found = best_match(names, places, [(one, _named(one, None, names)) for one in record.procedures])
        counts.count("procedures_recall", bool(found))
        if not found:
            counts.errors.append(
                ReadingError(note.name, "procedures_recall", f"{gold.name} ({gold.status})", "", gold.quote)
            )
            continue
        read_status = procedure_status(found[0])
        counts.count("procedure_status", read_status == gold.status)
        counts.confused["procedure", gold.status, read_status] += 1
        if read_status != gold.status:
            counts.errors.append(
                ReadingError(note.name, "procedure_status", f"{gold.name} ({gold.status})", read_status, gold.quote)
            )


def _person(note: AnnotatedNote, record: PatientRecord, counts: NoteCounts) -> None:
    gold, person = note.gold.patient, record.person
    setting = SETTINGS.get(note.gold.setting)
    counts.count("setting", record.encounter.setting is setting)
    counts.confused["setting", note.gold.setting, record.encounter.setting.value] += 1
    if gold.age_years is not None:
        right = person.age_years is not None and abs(person.age_years - gold.age_years) < _WHOLE_YEAR
        counts.count("age", right)
        if not right:
            counts.errors.append(ReadingError(note.name, "age", str(gold.age_years), str(person.age_years), ""))
    if gold.sex is not None:
        counts.count("sex", person.sex == gold.sex)
        if person.sex != gold.sex:
            counts.errors.append(ReadingError(note.name, "sex", gold.sex, str(person.sex), ""))


def pooled(counts: Sequence[NoteCounts]) -> dict[str, tuple[int, int]]:
    """Hits and totals of each measure over notes; a measure without a case is left out."""
    hits: Counter[str] = Counter()
    totals: Counter[str] = Counter()
    for one in counts:
        hits.update(one.hits)
        totals.update(one.totals)
    return {name: (hits[name], totals[name]) for name in MEASURES if totals[name]}


def confusion(counts: Sequence[NoteCounts]) -> dict[str, dict[str, dict[str, int]]]:
    """For each kind, what was annotated against what was read, with how often."""
    tables: dict[str, dict[str, dict[str, int]]] = defaultdict(lambda: defaultdict(dict))
    total: Counter[tuple[str, str, str]] = Counter()
    for one in counts:
        total.update(one.confused)
    for (kind, wanted, read), n in sorted(total.items()):
        tables[kind][wanted][read] = n
    return {kind: dict(rows) for kind, rows in tables.items()}


def _named(
    one: ProblemStatement | MedicationStatement | ProcedureStatement,
    gold_concept: str | None,
    gold: Sequence[frozenset[str]],
) -> Named:
    names = [content_stems(one.name), *(content_stems(span.text) for span in one.spans[:1])]
    if one.concept_id is not None and one.concept_id == gold_concept:
        names.append(gold[0])
    if isinstance(one, MedicationStatement):
        names += [content_stems(part) for part in one.ingredients]
    return Named(tuple(names), tuple(Place(s.start_char, s.end_char) for s in one.spans[:1] if not s.note_id))


def _in(one: Statement, places: Sequence[Place]) -> bool:
    return any(s.start_char < p.end and p.start < s.end_char for s in one.spans[:1] for p in places)


def _around(text: str, one: Statement) -> str:
    if not one.spans:
        return ""
    span = one.spans[0]
    return " ".join(text[max(0, span.start_char - 60) : span.end_char + 60].split())
