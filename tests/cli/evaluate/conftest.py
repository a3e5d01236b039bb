"""What the tests of `evaluate` share: pairs of notes, a policy that fits the shipped graph, and a command that is run."""

from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path

import pytest

from backend.cli.evaluate import evaluate, evaluate_judges, evaluate_more
from backend.cli.program import run as run_command
from backend.container import Container
from backend.ingest.clinical_notes.note_pairs import Pair, write_pairs
from backend.schemas.evaluation_results import Result
from models.policy.checkpoint import Checkpoint, save_checkpoint
from models.policy.network import PolicyNetwork
from models.policy.walking.walk_settings import OURS

NOTES = (
    ("Chief Complaint: shortness of breath. HPI: 80F with orthopnea and leg swelling.",
     "You had heart failure. Take furosemide. Weigh yourself every day and eat a low salt diet."),
    ("Chief Complaint: cough and fever. HPI: 50M with sputum.",
     "You had pneumonia. Take amoxicillin. Call your doctor if you have chest pain."),
    ("Chief Complaint: chest pain. HPI: 60M with nausea and sweating.",
     "You had a heart attack. Take aspirin and atorvastatin. Stop smoking."),
    ("Chief Complaint: black stools. HPI: 70M with dizziness, takes ibuprofen.",
     "You had a gastrointestinal bleed. Do not take ibuprofen. Take omeprazole."),
)  # fmt: skip
Run = Callable[..., Result]


@pytest.fixture(scope="module")
def pairs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("pairs") / "pairs.jsonl"
    made = [
        Pair(f"{split}-{i}", f"{split}-{i}", split, note, text, ("synthetic",))
        for split in ("train", "test")
        for i, (note, text) in enumerate(NOTES)
    ]
    write_pairs(path, made)
    return path


@pytest.fixture(scope="module")
def policy(tmp_path_factory: pytest.TempPathFactory, container: Container) -> Path:
    """An untrained policy that fits the shipped graph."""
    folder = tmp_path_factory.mktemp("policies") / "fresh"
    card = {"graph": container.graph.fingerprint, "encoder": container.encoder.name}
    network = PolicyNetwork(container.encoder.dimension).fold()
    save_checkpoint(folder, Checkpoint("fresh", network, OURS._replace(steps=2), False, None, None, card))
    return folder


@pytest.fixture
def run(
    container: Container, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> Run:
    """Runs a command and gives what it printed as JSON."""
    for module in (evaluate, evaluate_judges, evaluate_more):
        monkeypatch.setattr(module, "evaluation_container", lambda graph=None: nullcontext(container))

    def command(*arguments: str) -> Result:
        run_command(["evaluate", *arguments, "--out", str(tmp_path / "results"), "--resamples", "50", "--json"])
        return Result.model_validate_json(capsys.readouterr().out)

    return command
