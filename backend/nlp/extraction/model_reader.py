"""Reads a note's record with a model and merges it with the rules'."""

from backend.interfaces import LanguageModel
from backend.nlp.document.parsed_note import parse_note
from backend.nlp.extraction.merged_record import merged_record
from backend.nlp.extraction.model_record import model_record
from backend.nlp.measures.dosage import read_dosages
from backend.prompts.asking import Asker
from backend.schemas.drafts.note import LinkedNote
from backend.schemas.record import Dosage


class ModelRecordReader:
    """A record of both readings, each statement with who made it.

    Args:
        model: the extractor.
    """

    def __init__(self, model: LanguageModel) -> None:
        self._model = model

    def read(self, linked: LinkedNote, seed: int) -> tuple[LinkedNote, str]:
        """The note with the merged record; the rules' alone, with the reason, where the model gave none."""
        found = model_record(linked, Asker(self._model, seed), _dosage)
        if found.record is None or linked.record is None:
            return linked, found.reason
        merged = merged_record(linked.record, found.record)
        dropped = f"{found.made_up} entries quote what the note does not hold and were dropped" if found.made_up else ""
        stated = f"{self._model.name} read the record beside the rules"
        return linked.model_copy(update={"record": merged}), "; ".join(p for p in (stated, found.reason, dropped) if p)


def _dosage(written: str) -> Dosage:
    note = parse_note(written)
    found = read_dosages(note, 0, len(note.words))
    return found[0].dosage.model_copy(update={"text": written}) if found else Dosage(text=written)
