"""The features of the medicines of a small note, by name."""

from functools import partial

from backend.nlp.attributes.engine import read_attributes
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.medications.medicine_names import named_medicines
from backend.nlp.medications.medicine_runs import StatedMedicine, stated_medicines
from backend.nlp.medications.statements import verdicts
from backend.nlp.medications.status.afterwards_features import afterwards_evidence, noted_medicines
from backend.nlp.medications.status.status_features import status_evidence
from backend.nlp.medications.status.status_scorer import status_scorer
from backend.schemas.record import Setting
from tests.nlp.fresh import linker


def features_of(text: str) -> tuple[list[StatedMedicine], dict[str, frozenset[str]]]:
    """Each place where a medicine is named, and by the name of a medicine its features."""
    note = parse_note(text)
    stated = stated_medicines(note, named_medicines(note, linker().link(text).note.mentions))
    attributes = partial(read_attributes, note)([(one.named.start_char, one.named.end_char) for one in stated])
    ruled = verdicts(note, stated, attributes)
    status = status_evidence(note, stated, attributes, Setting.UNKNOWN)
    likelihoods = status_scorer().likelihoods(status, [one.told for one in ruled])
    medicines = noted_medicines(stated)
    evidence = afterwards_evidence(note, stated, ruled, status, likelihoods, medicines)
    names = [stated[one.places[-1]].named.name.lower() for one in medicines]
    return stated, {name: frozenset(found) for name, found in zip(names, evidence.features, strict=True)}
