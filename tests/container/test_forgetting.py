"""What a container keeps of the notes that it read, and that it lets go of all of it: what a note costs does not depend on who read it."""

from pathlib import Path

import pytest

from backend.container import Container
from backend.evaluation.reports.cell_use import metered
from backend.nlp.extraction.linker import DictionaryLinker
from backend.retrieval.paths.policy_paths import PolicyPaths
from backend.schemas.drafts.request import DraftRequest, PatientNote

NOTE = (
    "Chief complaint: dyspnea. History of present illness: dyspnea and leg swelling, no fever. Allergies: penicillin."
)
EARLIER = PatientNote(text="Allergies: sulfa drugs caused a rash. Assessment: heart failure.", date="2030-01-01")


@pytest.fixture
def read(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The texts that are really read, and `walk` for each walk."""
    found: list[str] = []
    reading, walking = DictionaryLinker.read, PolicyPaths._found

    def counted(linker: DictionaryLinker, text: str, *given: object) -> object:
        found.append(text)
        return reading(linker, text, *given)  # type: ignore[arg-type]

    def walked(paths: PolicyPaths, *given: object) -> object:
        found.append("walk")
        return walking(paths, *given)  # type: ignore[arg-type]

    monkeypatch.setattr(DictionaryLinker, "read", counted)
    monkeypatch.setattr(PolicyPaths, "_found", walked)
    return found


def test_a_metered_cell_finds_nothing_of_the_note_kept_from_the_one_before(
    container: Container, read: list[str], tmp_path: Path
) -> None:
    fresh = container.changed(data=tmp_path, walk=True)
    pipeline = fresh.pipeline("leapnote", "composer")
    request = DraftRequest(text=NOTE, patient_notes=(EARLIER,))
    pipeline.run(request)
    first = len(read)
    pipeline.run(request)
    assert NOTE not in read[first:] and "walk" not in read[first:]  # a second draft finds the note read and walked
    read.clear()
    for _ in range(2):
        metered(fresh, lambda: pipeline.run(request))
    assert read.count(NOTE) == 2 and read.count("walk") == 2
