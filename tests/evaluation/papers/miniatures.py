"""Miniatures of every file that the commands of the papers' tables name, and models of random weights made on the spot."""

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from backend.container import Container
from backend.ingest.clinical_notes.note_pairs import write_pairs
from backend.settings import ROOT
from backend.training.synthetic.synthetic_pairs import synthetic_pairs
from models.policy.checkpoint import Checkpoint, save_checkpoint
from models.policy.network import PolicyNetwork
from models.policy.walking.walk_settings import OURS
from tests.services.llm_servers import tiny_llama

ENDS_SOON = 2.5
"""By how much the sign that ends a reply is likelier than any other: some ten tokens are written, not a thousand."""
CONTEXT = 16_384
"""Tokens, about letters, that the paper's one-shot prompt has room in."""
QUESTIONS = (
    {"question": "What eases gout?", "options": {"A": "colchicine", "B": "insulin"}, "answer_idx": "A"},
    {"question": "What eases asthma?", "options": {"A": "heparin", "B": "salbutamol"}, "answer_idx": "B"},
)
STUDIES = {"1": {"QUESTION": "Does colchicine ease gout?", "final_decision": "yes"}}
DIAGNOSES = ({"id": "1", "text": "Crushing chest pain.", "label": "myocardial infarction"},)
FIND = {"question": "What treats gout?", "answer": "colchicine", "source": "book", "documents": ["Colchicine."]}


def writer(folder: Path, seed: int) -> str:
    """The setting of a tiny language model that ends its replies soon."""
    import torch
    from transformers import LlamaForCausalLM

    model = LlamaForCausalLM.from_pretrained(tiny_llama(folder))
    with torch.no_grad():
        model.lm_head.weight[model.config.eos_token_id] *= ENDS_SOON + seed
    model.config.max_position_embeddings = CONTEXT
    model.save_pretrained(folder)
    settings = folder / "tokenizer_config.json"
    told = json.loads(settings.read_text(encoding="utf-8")) | {"model_max_length": CONTEXT}
    settings.write_text(json.dumps(told), encoding="utf-8")
    return f"transformers:{folder}"


def policy(folder: Path, container: Container) -> None:
    """A policy that has learned nothing, fit for the container's graph and encoder."""
    card = {"graph": container.graph.fingerprint, "encoder": container.encoder.name, "data": {"synthetic": True}}
    network = PolicyNetwork(container.encoder.dimension).fold()
    save_checkpoint(folder, Checkpoint("NAME", network, OURS._replace(steps=2), False, None, None, card))


def write_miniatures(folder: Path, container: Container, diagnoses: bool) -> None:
    """Everything that the commands name; diagnoses: TEST.jsonl holds notes with a diagnosis in place of questions."""
    pairs = list(synthetic_pairs(ROOT / "assets" / "training" / "scenarios", n=24, seed=3))
    write_pairs(folder / "PAIRS.jsonl", pairs)
    policy(folder / "FOLDER", container)
    _write(folder / "TRAIN.jsonl", QUESTIONS)
    _write(folder / "TEST.jsonl", DIAGNOSES if diagnoses else QUESTIONS)
    (folder / "MORE.json").write_text(json.dumps(STUDIES), encoding="utf-8")
    _write(folder / "FINDS.jsonl", [FIND | {"supports": supports} for supports in (True, False)])
    visits = ROOT / "tests" / "benchmarks" / "visits" / "patients.jsonl"
    (folder / "PATIENTS.jsonl").write_text(visits.read_text(encoding="utf-8").splitlines()[0] + "\n", encoding="utf-8")
    texts = {"text": "A patient coughs.", "reference": "Rest."}
    _write(folder / "notes.jsonl", ({"id": f"c{n}", "set": f"s{n % 3}"} | texts for n in range(70)))


def _write(path: Path, rows: Iterable[dict[str, Any]]) -> None:
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
