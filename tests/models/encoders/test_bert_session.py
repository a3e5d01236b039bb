"""A BERT by onnxruntime gives what transformers' own gives, without torch being imported."""

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from backend.settings import ROOT
from models.encoders.bert_session import BertSession, read_shape
from models.encoders.minilm import embedded_folder
from tests.models.encoders.test_rerankers import tiny

IDS = np.array([[2, 5, 6, 7, 3], [2, 9, 3, 0, 0]], dtype=np.int32)
MASK = np.array([[1, 1, 1, 1, 1], [1, 1, 1, 0, 0]], dtype=np.int32)


def states(folder: Path, ids: np.ndarray, mask: np.ndarray) -> np.ndarray:
    """What transformers gives, in float32."""
    import torch
    from transformers.models.bert.modeling_bert import BertModel

    model = BertModel.from_pretrained(folder, dtype=torch.float32, add_pooling_layer=False).eval()
    with torch.inference_mode():
        hidden = model(input_ids=torch.tensor(ids).long(), attention_mask=torch.tensor(mask).long()).last_hidden_state
    return np.asarray(hidden.numpy())


def test_a_small_model_with_padding_equals_transformers(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "bert", 1)
    found = BertSession(folder).run(IDS, MASK)
    assert found.shape == (2, 5, 16)
    assert found[MASK == 1] == pytest.approx(states(folder, IDS, MASK)[MASK == 1], abs=1e-5)


def test_the_embedded_model_equals_transformers() -> None:
    rng = np.random.default_rng(0)
    ids = rng.integers(1000, 30000, size=(3, 40)).astype(np.int32)
    mask = np.ones_like(ids)
    ids[1, 25:] = mask[1, 25:] = 0
    found, wanted = BertSession(embedded_folder()).run(ids, mask), states(embedded_folder(), ids, mask)
    assert found[mask == 1] == pytest.approx(wanted[mask == 1], abs=2e-5)


def test_another_architecture_is_refused(tmp_path: Path) -> None:
    folder = tiny(tmp_path / "bert", 1)
    config = json.loads((folder / "config.json").read_text())
    (folder / "config.json").write_text(json.dumps({**config, "hidden_act": "gelu_new"}))
    with pytest.raises(ValueError, match="gelu_new"):
        read_shape(folder)


def test_the_embedded_encoder_imports_no_torch() -> None:
    code = (
        "import sys; from models.encoders.encoders import make_encoder; make_encoder('minilm').encode(['gout']); "
        "sys.exit(bool({'torch', 'transformers', 'sentence_transformers'} & set(sys.modules)))"
    )
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0
