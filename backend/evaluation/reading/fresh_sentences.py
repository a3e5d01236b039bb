"""Sentences to measure reading by, written by somebody who has seen no rule, and how well a reading agrees with them.

A folder holds allergies.jsonl, attributes.jsonl, medicines.jsonl and problems.jsonl, one sentence or piece a line; a file may be missing.
"""

import json
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, NamedTuple, Self, TypeVar

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from backend.errors import InputError
from backend.evaluation.reading.annotation_codes import dose_agrees, medication_status, problem_status
from backend.evaluation.reading.record_scores import NoteCounts, ReadingError
from backend.evaluation.reading.statement_match import alternatives, content_stems, places_of, same_agent
from backend.schemas.record import MedicationStatement, PatientRecord, VerificationStatus
from backend.schemas.vocabulary import Assertion

MEASURES: dict[str, str] = {
    "allergies_caught": "sentences with allergies whose agents are all stated, listed or possible",
    "allergies_listed": "sentences that call it an allergy whose agents are all listed",
    "foils_clean": "sentences without an allergy of which none is stated",
    "attributes": "spans with the right attribute: present, denied, past, family or another's, uncertain, hypothetical",
    "medicines_found": "medicines that the record states",
    "medicine_status": "status right, of the medicines found",
    "dose": "dose right, of the medicines found",
    "hospital_as_home": "given or started at this encounter, told as taken at home; lower is better",
    "problems_found": "problems that the record states",
    "problem_status": "status right, of the problems found",
}
ASSERTIONS = {
    "present": Assertion.PRESENT,
    "denied": Assertion.NEGATED,
    "past": Assertion.HISTORICAL,
    "family": Assertion.FAMILY,
    "other person": Assertion.FAMILY,
    "uncertain": Assertion.UNCERTAIN,
    "hypothetical": Assertion.HYPOTHETICAL,
}
_SAME_STATUS = {"denied": "refused"}
"""A medicine that is denied is not taken, as one that is refused."""


class _Sentence(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    text: str


class AllergySentence(_Sentence):
    """agents: what the patient reacts to; none for a foil. kind: listed for a stated allergy, possible for a mere report."""

    agents: tuple[str, ...]
    kind: Literal["listed", "possible", "none"]

    @model_validator(mode="after")
    def _of_a_kind(self) -> Self:
        if bool(self.agents) == (self.kind == "none"):
            raise ValueError("a sentence of kind none has no agent, every other one has")
        return self


class AttributeSentence(_Sentence):
    """span: the words that are judged, once in the text."""

    span: str
    status: Literal["present", "denied", "past", "family", "other person", "uncertain", "hypothetical"]

    @model_validator(mode="after")
    def _once(self) -> Self:
        if not self.span or self.text.count(self.span) != 1:
            raise ValueError("the span must stand in the text once")
        return self

    @property
    def place(self) -> tuple[int, int]:
        """Half-open code points of the span."""
        at = self.text.index(self.span)
        return at, at + len(self.span)


class SentenceMedicine(BaseModel):
    """A stated medicine, its dose in the words of the annotator or None."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    name: str
    dose: str | None
    status: Literal[
        "home", "stopped", "held", "given here", "started here", "planned", "past", "refused", "denied", "other person"
    ]


class MedicineSentence(_Sentence):
    """medicines: all that the sentence states."""

    medicines: tuple[SentenceMedicine, ...]


class PieceProblem(BaseModel):
    """A stated problem. nth: which of the places of its words, from one."""

    model_config = ConfigDict(frozen=True, extra="ignore")

    span: str
    nth: int = Field(default=1, ge=1)
    status: Literal["active", "chronic", "past", "denied", "family", "uncertain", "planned", "other person"]


class ProblemSentence(_Sentence):
    """problems: all that a piece of a note states."""

    problems: tuple[PieceProblem, ...]

    @model_validator(mode="after")
    def _all_there(self) -> Self:
        if any(not one.span or self.text.count(one.span) < one.nth for one in self.problems):
            raise ValueError("every span must stand in the text")
        return self


class Sentences(NamedTuple):
    """The sentences of a folder, by kind."""

    allergies: tuple[AllergySentence, ...] = ()
    attributes: tuple[AttributeSentence, ...] = ()
    medicines: tuple[MedicineSentence, ...] = ()
    problems: tuple[ProblemSentence, ...] = ()


Row = TypeVar("Row", AllergySentence, AttributeSentence, MedicineSentence, ProblemSentence)


def read_sentences(folder: Path) -> tuple[Sentences, dict[str, Path]]:
    """The sentences of a folder, and the files that held them.

    Args:
        folder: of allergies.jsonl, attributes.jsonl, medicines.jsonl, problems.jsonl.

    Raises:
        InputError: none of the files is there, or a line does not fit; the message names its line and never its words.
    """
    files = {name: folder / f"{name}.jsonl" for name in Sentences._fields}
    there = {name: file for name, file in files.items() if file.is_file()}
    if not there:
        wanted = ", ".join(file.name for file in files.values())
        raise InputError(f"'{folder.name}' holds no sentences. Give a folder with one of: {wanted}")
    found = Sentences(
        _rows(there.get("allergies"), AllergySentence),
        _rows(there.get("attributes"), AttributeSentence),
        _rows(there.get("medicines"), MedicineSentence),
        _rows(there.get("problems"), ProblemSentence),
    )
    return found, there


def _rows(file: Path | None, kind: type[Row]) -> tuple[Row, ...]:
    rows: list[Row] = []
    lines = file.read_text(encoding="utf-8").splitlines() if file else ()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            rows.append(kind.model_validate(json.loads(line)))
        except ValidationError as error:
            first = error.errors(include_input=False)[0]
            where = ".".join(map(str, first["loc"]))
            raise InputError(f"Line {number} of {file and file.name} does not fit: {where} {first['msg']}") from None
        except ValueError:
            raise InputError(f"Line {number} of {file and file.name} is no JSON.") from None
    return tuple(rows)


def score_allergies(name: str, sentence: AllergySentence, record: PatientRecord) -> NoteCounts:
    """Count one sentence on allergies.

    Args:
        name: of the sentence, for the list of errors.
        sentence: with the agents that a reader finds.
        record: what was read.
    """
    counts = NoteCounts()
    stated = [a for a in record.allergies.items if a.verification_status is not VerificationStatus.REFUTED]
    wanted, found = ", ".join(sentence.agents), ", ".join(one.agent for one in stated)

    def count(measure: str, hit: bool) -> None:
        counts.count(measure, hit)
        if not hit:
            counts.errors.append(ReadingError(name, measure, wanted, found, sentence.text))

    if not sentence.agents:
        count("foils_clean", not stated)
        return counts
    count("allergies_caught", all(any(same_agent(agent, one) for one in stated) for agent in sentence.agents))
    if sentence.kind == "listed":
        listed = [one for one in stated if not one.possible]
        count("allergies_listed", all(any(same_agent(agent, one) for one in listed) for agent in sentence.agents))
    return counts


def score_attributes(name: str, sentence: AttributeSentence, found: Assertion) -> NoteCounts:
    """Count one sentence on attributes; found is the assertion that was read of its span."""
    counts = NoteCounts()
    counts.count("attributes", found is ASSERTIONS[sentence.status])
    counts.confused["attribute", sentence.status, found.value] += 1
    if found is not ASSERTIONS[sentence.status]:
        wanted = f"{sentence.span} ({sentence.status})"
        counts.errors.append(ReadingError(name, "attributes", wanted, found.value, sentence.text))
    return counts


def score_medicines(name: str, sentence: MedicineSentence, record: PatientRecord) -> NoteCounts:
    """Count one sentence on medicines.

    Where a record states one twice, as a changed dose, the statement of the right status counts.

    Args:
        name: of the sentence, for the list of errors.
        sentence: with the medicines that a reader finds.
        record: what was read.
    """
    counts = NoteCounts()
    for gold in sentence.medicines:
        names = alternatives(gold.name)
        same = [one for one in record.medications if _named(one, names)]
        status = _SAME_STATUS.get(gold.status, gold.status)
        best = next((one for one in same if status in medication_status(one)), same[0] if same else None)
        read = "/".join(sorted(medication_status(best))) if best else ""
        hits = {"medicines_found": best is not None}
        if best is not None:
            counts.confused["medicine", gold.status, read] += 1
            hits |= {"medicine_status": status in medication_status(best), "dose": dose_agrees(gold.dose, best.dosage)}
            if gold.status in ("given here", "started here"):
                counts.count("hospital_as_home", not hits["medicine_status"] and "home" in read)
        for measure, hit in hits.items():
            counts.count(measure, hit)
            if not hit:
                wanted = f"{gold.name} ({gold.status}), {gold.dose or 'no dose'}"
                stated = f"{best.name} ({read}), {best.dosage.text or 'no dose'}" if best else ""
                counts.errors.append(ReadingError(name, measure, wanted, stated, sentence.text))
    return counts


def score_problems(name: str, piece: ProblemSentence, record: PatientRecord) -> NoteCounts:
    """Count the problems of one piece: found where a statement's words meet theirs.

    Args:
        name: of the piece, for the list of errors.
        piece: with the problems that a reader finds.
        record: what was read.
    """
    counts = NoteCounts()
    for gold in piece.problems:
        start = places_of(piece.text, gold.span)[gold.nth - 1].start
        end = start + len(gold.span)
        found = [one for one in record.problems if any(s.start_char < end and start < s.end_char for s in one.spans)]
        read = "/".join(sorted(problem_status(found[0]))) if found else ""
        hits = {"problems_found": bool(found)}
        if found:
            hits["problem_status"] = gold.status in problem_status(found[0])
            counts.confused["problem", gold.status, read] += 1
        for measure, hit in hits.items():
            counts.count(measure, hit)
            if not hit:
                counts.errors.append(ReadingError(name, measure, f"{gold.span} ({gold.status})", read, piece.text))
    return counts


def score_sentences(
    sentences: Sentences,
    record_of: Callable[[str], PatientRecord],
    assertion_of: Callable[[str, tuple[int, int]], Assertion],
) -> Mapping[str, list[NoteCounts]]:
    """Counts by kind of sentence, one a sentence.

    Args:
        sentences: what is measured.
        record_of: reads a text.
        assertion_of: the assertion of a span, half-open code points, in a text.
    """
    return {
        "allergies": [
            score_allergies(f"allergies {n}", one, record_of(one.text)) for n, one in enumerate(sentences.allergies, 1)
        ],
        "attributes": [
            score_attributes(f"attributes {n}", one, assertion_of(one.text, one.place))
            for n, one in enumerate(sentences.attributes, 1)
        ],
        "medicines": [
            score_medicines(f"medicines {n}", one, record_of(one.text)) for n, one in enumerate(sentences.medicines, 1)
        ],
        "problems": [
            score_problems(f"problems {n}", one, record_of(one.text)) for n, one in enumerate(sentences.problems, 1)
        ],
    }


def _named(one: MedicationStatement, names: tuple[frozenset[str], ...]) -> bool:
    stated = [content_stems(name) for name in (one.name, *one.ingredients, *(span.text for span in one.spans[:1]))]
    return any(a & b for a in names for b in stated)
