"""Train the scorer of what becomes of a medicine: `python -m backend.training.afterwards_scorer`.

Learned are whole synthetic notes, in which what the patient does with each named medicine after the encounter is written beside the
note. The figures of the card are of notes by writers whose notes were not learned from.
"""

import json
from collections import Counter
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from backend.knowledge.starter import read_starter
from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.extraction.linker import DictionaryLinker
from backend.nlp.medications.medicine_names import named_medicines
from backend.nlp.medications.medicine_runs import StatedMedicine, stated_medicines
from backend.nlp.medications.statements import is_for_home, verdicts
from backend.nlp.medications.status.afterwards_features import NotedMedicine, afterwards_evidence, noted_medicines
from backend.nlp.medications.status.afterwards_scorer import AFTERWARDS, MODEL, come_to
from backend.nlp.medications.status.status_features import status_evidence
from backend.nlp.medications.status.status_scorer import status_scorer
from backend.nlp.people.encounter import encounter_statement
from backend.nlp.scoring.status_chain import Floats, StatusChain
from backend.schemas.record import Afterwards
from backend.settings import ROOT
from backend.training.status_chain import Labelled, columns_of, fit, rarity_of, write_chain

NOTES = ROOT / "assets" / "training" / "medicine_decisions.jsonl"
ACTIONS = {
    "continue": Afterwards.CONTINUED, "as_needed_continue": Afterwards.CONTINUED, "changed": Afterwards.CHANGED,
    "new": Afterwards.STARTED, "stopped": Afterwards.STOPPED, "held": Afterwards.ON_HOLD, "hospital_only": Afterwards.HERE,
    "not_patients": Afterwards.NONE, "undecided": Afterwards.OPEN,
}  # fmt: skip
_RIDGE = 0.03
_SURE = (0.6, 0.7, 0.8, 0.9)


def examples(path: Path = NOTES) -> Iterator[tuple[str, Labelled[Afterwards]]]:
    """The labelled notes of the file.

    Args:
        path: JSON lines with `id` (writer-number), `text`, and `rows` with `medicine` as the note names it and `action`.

    Yields:
        The writer, and the medicines of the note with what becomes of them.
    """
    linker = DictionaryLinker([row for row, _ in read_starter(ROOT / "assets" / "knowledge").concepts])
    for group, line in enumerate(path.read_text(encoding="utf-8").splitlines()):
        held = json.loads(line)
        found = _labelled(linker, held["text"], held["rows"], group)
        if found is not None:
            yield held["id"].partition("-")[0], found


def _labelled(
    linker: DictionaryLinker, text: str, rows: Sequence[dict[str, str]], group: int
) -> Labelled[Afterwards] | None:
    note = parse_note(text)
    mentions = linker.link(text).note.mentions
    attributes_of = partial(read_attributes, note)
    named = named_medicines(note, mentions)
    if not named:
        return None
    encounter = encounter_statement(note, mentions, attributes_of)
    stated = stated_medicines(note, named, encounter.setting, goes_home=encounter.goes_home)
    attributes = attributes_of([(one.named.start_char, one.named.end_char) for one in stated])
    outside = is_for_home(encounter.setting, goes_home=encounter.goes_home)
    ruled = verdicts(note, stated, attributes, outside=outside)
    status = status_evidence(note, stated, attributes, encounter.setting)
    likelihoods = status_scorer().likelihoods(status, [one.told for one in ruled])
    medicines = noted_medicines(stated)
    evidence = afterwards_evidence(note, stated, ruled, status, likelihoods, medicines)
    last = tuple(come_to(ruled[one.places[-1]]) for one in medicines)
    labels = _labels(linker, note.text, stated, medicines, rows)
    return Labelled(group, evidence, last, labels, piece=False)


def _labels(
    linker: DictionaryLinker,
    text: str,
    stated: Sequence[StatedMedicine],
    medicines: Sequence[NotedMedicine],
    rows: Sequence[dict[str, str]],
) -> tuple[Afterwards | None, ...]:
    """Of each medicine what its row says: the row whose name is the note's, or is read as the same concept; none where two rows differ."""
    named = [
        (
            row["medicine"],
            {one.concept_id for one in linker.link(row["medicine"]).note.mentions},
            ACTIONS[row["action"]],
        )
        for row in rows
    ]
    found: list[Afterwards | None] = []
    for medicine in medicines:
        own = [stated[at].named for at in medicine.places]
        names = {one.name.lower() for one in own} | {text[one.start_char : one.end_char].lower() for one in own}
        concepts = {*own[0].ingredients, own[0].concept_id}
        told = {action for name, known, action in named if name in names or known & concepts}
        found.append(told.pop() if len(told) == 1 else None)
    return tuple(found)


def figures(
    labelled: Sequence[tuple[str, Labelled[Afterwards]]], writers_apart: int = 4
) -> dict[str, dict[str, float]]:
    """Shares of right readings in notes by writers that were not learned from: of all, and of those that are at least as likely as said.

    Args:
        labelled: as `examples` gives them.
        writers_apart: into how many parts the writers are put; each is decided by what is learned from the others.
    """
    writers = sorted({writer for writer, _ in labelled})
    counts: dict[float, Counter[str]] = {sure: Counter() for sure in (0.0, *_SURE)}
    for part in range(writers_apart):
        apart = set(writers[part::writers_apart])
        learned = [one for writer, one in labelled if writer not in apart]
        columns, rarity, fitted = _fitted(learned)
        chain = StatusChain(AFTERWARDS, columns, *fitted, 0.0, rarity)
        for one in (one for writer, one in labelled if writer in apart):
            for label, row in zip(one.labels, chain.likelihoods(one.evidence, one.verdicts), strict=True):
                if label is None:
                    continue
                for sure, count in counts.items():
                    count["medicines"] += 1
                    count["said"] += row.max() >= sure
                    count["right"] += row.max() >= sure and AFTERWARDS[int(row.argmax())] is label
    return {
        f"likelihood at least {sure:g}": {
            "medicines": count["medicines"],
            "share_read": round(count["said"] / max(1, count["medicines"]), 3),
            "right_of_those": round(count["right"] / max(1, count["said"]), 3),
        }
        for sure, count in counts.items()
    }


def _fitted(learned: Sequence[Labelled[Afterwards]]) -> tuple[dict[str, int], Floats, tuple[Floats, Floats]]:
    """The columns, how rare each is, and the weights."""
    columns = columns_of(learned)
    rarity = rarity_of(learned, columns)
    return columns, rarity, fit(learned, columns, AFTERWARDS, rarity, _RIDGE)


def main(out: Annotated[Path, typer.Option("--out")] = MODEL) -> None:
    """Train the scorer of what becomes of a medicine, measure it by writers that were not learned from, and write it with its card."""
    labelled = list(examples())
    learned = [one for _, one in labelled]
    columns, rarity, fitted = _fitted(learned)
    card: dict[str, Any] = {
        "about": "A chain over named features: what becomes of a medicine after the encounter, by all places where a note names it.",
        "made_by": "python -m backend.training.afterwards_scorer",
        "learned_from": [NOTES.name],
        "notes": len(labelled),
        "figures_of_writers_kept_apart": figures(labelled),
        "limits": "The notes are synthetic and dense; language models wrote them, and no clinician has checked a label.",
    }
    write_chain(out, card, columns, fitted, 0.0, rarity)
    print(json.dumps(card["figures_of_writers_kept_apart"]))


if __name__ == "__main__":
    typer.run(main)
