"""LEAPNOTE_NAME_ENCODER: the names of concepts by one encoder, notes and passages by another."""

from pathlib import Path

import numpy as np
import pytest

from backend.container import Container
from backend.ingest.clinical_notes.note_pairs import Pair, write_pairs
from backend.schemas.drafts.request import DraftRequest
from backend.settings import Settings
from backend.training.gro import Preset
from backend.training.gro.gro_run import run_gro
from backend.training.gro.gro_settings import Loaded
from backend.training.gro.presets import preset
from models.policy.checkpoint import save_checkpoint
from models.policy.walking.note_view import NoteView
from tests.models.encoders.test_rerankers import tiny
from tests.training.gro.test_gro_run import NOTES, quiet


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tiny(tmp_path_factory.mktemp("names") / "names", 4)


@pytest.fixture(scope="module")
def two(test_settings: Settings, folder: Path) -> Container:
    return Container(test_settings.model_copy(update={"name_encoder": f"sapbert:{folder}"}))


def test_names_and_notes_have_spaces_of_their_own(two: Container, container: Container) -> None:
    loaded = two.loaded
    assert loaded.concept_vectors.shape == (len(two.graph), 16)
    assert loaded.note_side is not None and loaded.note_side.shape == (len(two.graph), 384)
    assert loaded.path_encoder.startswith("sapbert-") and loaded.path_encoder.endswith(f"{two.encoder.name} for notes")
    assert loaded.versions["encoder"] == two.encoder.name and loaded.versions["path_encoder"] == loaded.path_encoder
    assert container.loaded.note_side is None and "path_encoder" not in container.loaded.versions
    checkpoint, why = loaded.policy("leapnote")  # it was trained with one encoder
    assert checkpoint is None and "for names" in why


def test_a_whole_note_is_compared_in_its_own_space() -> None:
    names, notes = np.eye(3, 2, dtype=np.float32), np.eye(3, 4, dtype=np.float32)
    told = np.array([0.0, 0.0, 1.0, 0.0], dtype=np.float32)
    view = NoteView(np.array([0]), names, None, (), told, notes)
    every = np.arange(3)
    assert view.to_note(every, view.rows(every)).tolist() == [0.0, 0.0, 1.0]
    without = NoteView(np.array([0]), names, None, (), None, notes)  # no note: its keywords stand for it
    assert without.to_note(every, without.rows(every)).tolist() == [1.0, 0.0, 0.0]


def test_a_policy_is_trained_and_walked_with_both(two: Container, tmp_path: Path) -> None:
    loaded = Loaded(
        two.graph,
        two.loaded.concept_vectors,
        two.encoder,
        two.linker,
        two.open_concepts,
        two.loaded.note_side,
        two.loaded.path_encoder,
    )
    made = [
        Pair(f"{split}{i}", f"{split}{i}", split, *texts)
        for split in ("train", "validation")
        for i, texts in enumerate(NOTES)
    ]
    write_pairs(tmp_path / "pairs.jsonl", made)
    chosen = preset(Preset.LEAPNOTE, "leapnote", {"epochs": 1, "rollouts": 2, "steps": 2}, "cpu", None)
    finished = run_gro(tmp_path / "pairs.jsonl", loaded, chosen, tmp_path / "run", quiet)
    assert finished is not None and finished.checkpoint.card["encoder"] == two.loaded.path_encoder
    save_checkpoint(tmp_path / "policies" / "leapnote", finished.checkpoint)
    for walks in (True, False):
        container = two.changed(policies=tmp_path / "policies", walk=walks)
        drafted = container.pipeline("leapnote", "composer").run_evidence(DraftRequest(text=NOTES[0][0]))
        assert drafted.evidence.paths and bool(drafted.evidence.policy) == walks
    assert not [one for one in drafted.fallbacks if "policy" in one]
